//! How results are told: what the command line and the papers' experiments share.
//!
//! [`table`] is text for people, [`provenance`] says who made a row of results, when, and on which
//! machine, [`sources`] whether what it was made of has changed since, [`bodies`] draws the rigid
//! bodies of a scene.

pub mod bodies;
pub mod provenance;
pub mod sources;
pub mod table;
