//! Contact as a user chooses it: which model, its law between surfaces, and what it asks of the
//! steps around it.

pub mod hardening;
pub mod imc;
pub(crate) mod imc_smooth;
pub mod ipc;
pub(crate) mod lagged_friction;
pub(crate) mod law;
pub mod policy;
mod settings;
pub(crate) mod spillmann_teschner;

pub use crate::kernels::friction::{Directions, Friction, FrictionSolve, StaticFriction};
pub use imc::ImcSettings;
pub use imc_smooth::{ContactJacobian, ImcSmoothSettings};
pub use ipc::IpcSettings;
pub use lagged_friction::LaggedFriction;
pub use policy::ContactPolicy;
pub use settings::{ContactModel, Stiffness};
pub use spillmann_teschner::{ObstacleForce, PairForce, SpillmannTeschnerSettings};
