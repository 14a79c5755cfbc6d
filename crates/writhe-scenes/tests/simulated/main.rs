//! Scenes that are simulated.

#[path = "../common/refused.rs"]
mod refused;

mod active_rods;
mod barriers;
mod flagella;
mod forces_that_acted;
mod friction_between_rods;
mod knot;
mod knot_kinds;
mod problems;
mod rest;
mod scenes;
mod symplectic;
mod symplectic_scenes;
mod symplectic_tree;
mod turned_rods;
mod walls_and_ground;
mod wound_with_friction;
