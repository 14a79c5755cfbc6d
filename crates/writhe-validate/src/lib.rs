//! What Writhe is checked against: small scenes, each with its reference, measured and judged.
//!
//! A [`case::Case`] has a name, what it measures, where its reference comes from, and a function
//! that returns [`row::Row`]s: measured, reference, error, order of convergence, bound, verdict.
//! [`catalogue`] lists all cases; `writhe validate` runs them and prints the table.
//!
//! - [`cases`]: one file a case.
//! - [`reference`](mod@reference): closed forms and quadratures, with no simulator in them.
//! - [`setup`]: rods, equilibria, spectra and measures that cases and tests share.
//!
//! Numbers quoted as "catalogue N.N" are of a list of acceptance cases whose values were computed
//! independently of this project.

pub mod case;
pub mod cases;
pub mod catalogue;
pub mod reference;
pub mod row;
pub mod setup;
