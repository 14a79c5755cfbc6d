//! Banded matrices and their LU factorisation.
//!
//! A chain of nodes with interleaved unknowns couples an unknown only to its neighbours, so the
//! matrix has entries `(i, j)` with `|i - j| <= b` alone, `b` the *half-bandwidth*. Elimination
//! keeps the band: row exchanges widen the upper half to at most `2 b`.
//!
//! [`BandMatrix`] is what is assembled, [`BandLu`] its factor; the two are apart so that the
//! matrix is still there when the residual of a solve is checked.

mod inertia;
mod lu;
mod matrix;
mod order;

pub use inertia::negative_eigenvalues;
pub use lu::BandLu;
pub(in crate::solve) use lu::inverse_root;
pub use matrix::BandMatrix;
pub use order::narrow_order;
