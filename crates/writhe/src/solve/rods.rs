//! Matrices of open rods and their factors.
//!
//! The unknowns of a rod come in *groups* of four: the position of a node and the angle of the edge
//! behind it; the last node has no edge. Whatever acts along a rod couples a group to the two before
//! it and to the two behind it, so that a row of groups has five blocks of 4 by 4 numbers.
//!
//! [`RodMatrix`] is what is assembled, [`RodLu`] its factor; `RodParts` are several rods that nothing
//! couples.

mod elimination;
mod lu;
mod matrix;
mod middle;
mod parts;
mod several;
mod substitution;

pub use lu::RodLu;
pub use matrix::RodMatrix;
pub(crate) use parts::RodParts;
pub(crate) use several::{LANES, Lanes};

/// Unknowns of a group.
pub(crate) const GROUP: usize = 4;
/// Groups on either side that a group is coupled to.
pub(crate) const REACH: usize = 2;
