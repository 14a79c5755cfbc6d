//! Sparse symmetric matrices on a fixed pattern and their LDLᵀ factorisation.

mod ldlt;
mod matrix;
mod permute;

pub use ldlt::{Inertia, Ldlt};
pub use matrix::SparseSymmetric;
