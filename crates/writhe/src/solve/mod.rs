//! Linear algebra around the Newton loop; it names no physics.

pub mod band;
pub mod krylov;
pub mod sparse;
