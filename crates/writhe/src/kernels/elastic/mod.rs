//! Elastic energies on fixed stencils: value, gradient, Hessian.
//!
//! Free functions of arrays and edge geometry; [`crate::forces`] sums them.

pub mod bend;
pub(crate) mod stretch;
pub mod twist;
