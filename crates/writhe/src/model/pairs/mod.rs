//! Pairs of edges: their unknowns, which may touch, which are nearest, which overlap at the start.

pub mod exclusion;
pub mod nearest;
pub(crate) mod overlap;
pub mod unknowns;
