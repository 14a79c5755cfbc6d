//! Pairs of edges: their unknowns, which may touch, which are nearest, which overlap at the start.

pub(crate) mod exclusion;
pub(crate) mod nearest;
pub(crate) mod overlap;
pub(crate) mod parts;
mod stretches;
pub(crate) mod unknowns;
