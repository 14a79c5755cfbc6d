//! Elastic energies on fixed stencils: value, gradient, Hessian.
//!
//! Free functions of arrays and edge geometry; [`crate::forces`] sums them.

pub(crate) mod batch;
pub mod bend;
pub(crate) mod derivatives;
pub mod half_edges;
pub(crate) mod stretch;
pub mod twist;
pub(crate) mod vertex;
