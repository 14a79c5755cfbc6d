//! Coulomb friction, smoothed where it sticks.
//!
//! A contact has one point, where both surfaces move ([`surface`]); their relative velocity in the plane of contact gives the slip s;
//! the slip gives the force over the normal force ([`traction`]), and the force acts on the unknowns of both sides by the transpose of
//! what made the velocity, so that friction does the work that it should and conserves linear and angular momentum. [`law`] says of
//! which slip, and whether it is a velocity (T22 Eq. 14 to 21) or a displacement that the contact remembers ([`anchor`]).

pub mod anchor;
pub mod body;
pub mod law;
pub mod pair;
mod settings;
pub mod steering;
mod sticking;
pub mod surface;
pub mod traction;

pub use anchor::Anchor;
pub use body::{BodyContact, BodyFriction};
pub use law::{Slip, SlipLaw, SlipOf, Stick};
pub use pair::{EdgeMotion, NormalContact, PairForce, PairFriction, PairJacobian};
pub use settings::{Friction, FrictionSolve, StaticFriction};
pub use steering::Steering;
pub use sticking::Sticking;
