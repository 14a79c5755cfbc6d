//! Contact within a step: what is near, what touches at a trial, what passed through what.

pub(crate) mod frame;
mod mollified_friction;
pub mod obstacle;
pub mod pair;
mod region;
pub(crate) mod set;
pub(crate) mod site;
pub mod sweep;

pub use frame::{Beginning, ContactFrame};
pub use set::{ContactSet, EdgeContact};

// What a user chooses: the models and their settings.
pub use crate::contact_model::{
    ContactJacobian, ContactModel, ContactPolicy, Directions, Friction, FrictionSolve, ImcSettings,
    ImcSmoothSettings, IpcSettings, LaggedFriction, ObstacleForce, PairForce,
    SpillmannTeschnerSettings, StaticFriction, Stiffness,
};
