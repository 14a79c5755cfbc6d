//! Coulomb friction, smoothed where it sticks.
//!
//! A contact has one point, where both surfaces move (`surface.rs`); their relative velocity in the
//! plane of contact gives the slip s; the slip gives the force over the normal force
//! ([`traction`]), and the force acts on the unknowns of both sides by the transpose of what made
//! the velocity, so that friction does the work that it should and conserves linear and angular
//! momentum. `law.rs` says of which slip, and whether it is a velocity (T22 Eq. 14 to 21) or a
//! displacement that the contact remembers ([`Anchor`]).

mod anchor;
mod between;
pub(crate) mod body;
mod directions;
mod law;
pub(crate) mod pair;
mod settings;
mod steering;
mod sticking;
mod surface;
pub mod traction;

pub use anchor::Anchor;
pub(crate) use body::{BodyContact, BodyFriction};
pub use directions::Directions;
pub(crate) use law::{SlipLaw, SlipOf, Stick};
pub(crate) use pair::{EdgeMotion, NormalContact, PairFriction};
pub use settings::{Friction, FrictionSolve, StaticFriction};
pub(crate) use steering::Steering;
pub use sticking::Sticking;
