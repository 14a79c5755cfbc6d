//! Closed forms and quadratures: no simulator in here.

pub mod capstan;
pub mod elastica;
pub mod localized_buckling;
