//! Numbers in, numbers out: energies, distances and friction on fixed stencils with their
//! derivatives, and boxes that are near each other. What knows no model.

pub(crate) mod candidates;
pub(crate) mod ccd;
pub mod distance;
pub mod elastic;
pub mod friction;
pub mod polyline;
pub(crate) mod semidefinite;
pub mod smooth_distance;
pub mod spin_inertia;

#[cfg(test)]
pub(crate) mod testing;
