//! Contact between rods: distance, candidates, swept collision detection, normal energy, friction.

pub mod candidates;
pub mod ccd;
pub mod distance;
pub mod exclusion;
pub mod frame;
pub mod friction;
pub mod hardening;
pub mod imc;
pub mod imc_smooth;
pub mod ipc;
pub mod junction;
pub mod lagged_friction;
pub mod law;
pub mod mollified_friction;
pub mod nearest;
pub mod obstacle;
mod overlap;
pub mod pair;
pub mod policy;
mod region;
pub mod semidefinite;
pub mod set;
mod settings;
pub mod smooth_distance;
pub mod spillmann_teschner;
pub mod sweep;
pub mod unknowns;

pub use frame::{BarrierLoad, Beginning, ContactFrame};
pub use friction::{Friction, FrictionSolve, StaticFriction, Sticking};
pub use imc::ImcSettings;
pub use imc_smooth::{ContactJacobian, ImcSmoothSettings};
pub use ipc::IpcSettings;
pub use lagged_friction::LaggedFriction;
pub use overlap::Overlap;
pub use policy::ContactPolicy;
pub use set::ContactSet;
pub use settings::{ContactModel, Stiffness};
pub use spillmann_teschner::{PairForce, SpillmannTeschnerSettings};

#[cfg(test)]
mod testing;
