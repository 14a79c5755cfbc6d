//! One file a case.

pub mod bend_twist;
pub mod buckling;
pub mod capstan;
pub mod catenary;
pub mod crossed_rods;
pub mod curling;
pub mod flexible_helix;
pub mod floor;
pub mod frequencies;
pub mod friction_weight;
pub mod greenhill;
pub mod heavy_cantilever;
pub mod imc_energy;
pub mod integrators;
pub mod ipc_barrier;
pub mod loaded_cantilever;
pub mod michell;
pub mod momentum;
pub mod ring;
pub mod rotating_helix;
pub mod segment_distance;
pub mod single_flagellum;
pub mod stick_slip;
pub mod stokeslet_segments;
pub mod straight_rod_drag;
pub mod tangles;
