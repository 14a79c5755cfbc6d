//! Elastic energies on fixed stencils: value, gradient, Hessian.
//!
//! Free functions of arrays and edge geometry; [`crate::model`] sums them.

pub mod bend;
pub mod strain;
pub mod stretch;
pub mod twist;
