//! Linear algebra around the Newton loop; it names no physics.

pub mod band;
pub mod blocks;
pub mod bounded;
pub mod dense;
pub mod error;
pub mod krylov;
pub mod line_search;
pub mod linear;
pub mod mixed;
pub mod poll;
pub mod refine;
pub mod tridiagonal;

pub use error::SolveError;
pub use linear::LinearSolver;
pub use poll::Poll;
pub use refine::SolveReport;

#[cfg(test)]
mod tests;
