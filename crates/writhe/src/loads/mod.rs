//! Loads on rods.

pub mod resistive_force;
pub mod stokeslet_segments;
