//! Knots and links: what type is a closed polygon, and how are polygons linked?
//!
//! A type is told in steps that are each exact or checked:
//!
//! ```text
//! lattice        nodes move to points of a fine lattice
//! separation     ... which changes nothing, because no two parts of the curves are that near
//! shorten        nodes that the knot does not need are removed, by an exact test of triangles against edges
//! projection     crossings seen from a direction, in integers; from another one where this one is unclear
//! diagram        Gauss code, made smaller by Reidemeister's moves I and II
//! alexander      Alexander polynomial, modulo primes, lifted to the integers
//! goeritz        signature and, a second time, the determinant |D(-1)|
//! ```
//!
//! The Alexander polynomial and the signature do not tell all knots apart: a [`KnotType`] is what
//! they say, its names are the knots of a table that it is consistent with. Two curves of different
//! `KnotType` are certainly different knots.
//!
//! Conventions: a crossing is right-handed (+1) when the upper strand turns counterclockwise onto
//! the lower one; right-handed crossings count +1 in writhe and +1/2 in linking numbers; the
//! right-handed trefoil has signature -2.
//!
//! Curves that hardly moved since they were told keep their types (`kept.rs`): no part can have passed
//! through another.
//!
//! [`closure`] closes open curves, in several ways that share their work (`ways.rs`); [`gauss`] has
//! writhe and linking number as Gauss's double integral.

mod alexander;
mod ball;
pub mod closure;
mod diagram;
mod error;
pub mod gauss;
mod goeritz;
pub(crate) mod kept;
mod kind;
mod lattice;
mod linking;
mod projection;
mod separation;
mod shorten;
mod table;
mod ways;

pub use error::KnotError;
pub use kind::{KnotType, knot_type};
pub use linking::{linking_number, linking_numbers};
