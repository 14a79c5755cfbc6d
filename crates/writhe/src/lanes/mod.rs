//! Several numbers at a time: arithmetic in vector registers, written once for every instruction
//! set.
//!
//! What comes of a number never depends on its place in a register, nor on who is beside it, so
//! results are the same whichever numbers go together.

mod angles;
mod columns;
mod pack;

pub(crate) use angles::{angle_of, sin_cos};
pub(crate) use columns::{COLUMN, Column, Columns3, Lanes, put, take};
pub(crate) use pack::{
    Pack, Pack3, add, cross, dot, exact_cross, one_lane, scale, scale_add, scale_from, splat3, sub,
};
