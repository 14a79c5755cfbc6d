//! Contact between rods: distance, candidates, swept collision detection, normal energy, friction.

pub mod candidates;
pub mod ccd;
pub mod distance;
pub mod friction;
pub mod imc;
pub mod imc_smooth;
pub mod lagged_friction;
pub mod law;
pub mod obstacle;
mod overlap;
pub mod pair;
mod settings;
pub mod smooth_distance;
pub mod spillmann_teschner;
pub mod step;
pub mod sweep;

pub use imc_smooth::{ContactJacobian, ImcSmoothSettings};
pub use lagged_friction::LaggedFriction;
pub use overlap::Overlap;
pub use settings::{ContactModel, Friction, ImcSettings, Stiffness};
pub use spillmann_teschner::{PairForce, SpillmannTeschnerSettings};
pub use step::ContactStep;

#[cfg(test)]
mod testing;
