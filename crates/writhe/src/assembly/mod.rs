//! What forces are evaluated at, and where they and their derivatives go.
//!
//! Every term of the equation of motion, elastic, load or contact, takes a [`Trial`], adds its
//! generalised force to a vector over the unknowns, and hands its second derivatives, in dense
//! blocks on the few unknowns that it couples, to [`Blocks`]. Who collects them, in which matrix,
//! is not the term's business.

mod blocks;
mod pair;
mod trial;

pub use blocks::{Blocks, VertexBlocks, VertexColumns};
pub(crate) use blocks::{UPPER, add3, of_difference};
pub use pair::PairBlocks;
pub use trial::Trial;
