//! Sparse matrices of small dense blocks, and their LU factorisation.
//!
//! A rod is a chain of groups of unknowns, a node and the angle of its edge: at most four.
//! Eliminated group by group the graph has a quarter of the vertices and a sixteenth of the
//! entries, every operation is one of 4 x 4 blocks, and rows may be exchanged inside a group.
//! Values need not be symmetric, only the pattern is: friction enters as it is.

mod dissection;
mod fronts;
mod lu;
mod order;
mod pattern;
mod pivot;
mod small;
mod tree;

pub use lu::{BlockLu, BlockMatrix};
pub use pattern::BlockPattern;
