//! Closed forms and quadratures: no simulator in here.

pub mod elastica;
