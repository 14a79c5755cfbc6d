//! Linear algebra around the Newton loop; it names no physics.

pub mod band;
pub mod blocks;
pub(crate) mod bounded;
pub(crate) mod dense;
pub(crate) mod discs;
mod error;
pub(crate) mod krylov;
pub(crate) mod line_search;
pub(crate) mod linear;
pub(crate) mod mixed;
pub mod poll;
pub(crate) mod refine;
pub mod rods;
pub(crate) mod tridiagonal;

pub use error::SolveError;
pub(crate) use linear::LinearSolver;
pub use poll::Poll;
pub use refine::SolveReport;

#[cfg(test)]
pub(crate) mod tests;
