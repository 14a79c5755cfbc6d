//! Contact between rods: distance, candidates, swept collision detection, normal energy, friction.

mod bound;
pub mod candidates;
pub mod ccd;
pub mod distance;
pub mod friction;
pub mod imc;
pub mod ipc;
pub mod lagged_friction;
pub mod law;
pub mod obstacle;
mod overlap;
pub mod pair;
pub mod semidefinite;
mod settings;
pub mod step;
pub mod sweep;

pub use bound::BarrierLoad;
pub use overlap::Overlap;
pub use settings::{ContactModel, Friction, FrictionSolve, ImcSettings, IpcSettings, Stiffness};
pub use step::ContactStep;

#[cfg(test)]
mod testing;
