//! Contact between rods: distance, candidates, swept collision detection, normal energy, friction.

pub mod candidates;
pub mod ccd;
pub mod distance;
pub mod friction;
pub mod imc;
pub mod law;
pub mod obstacle;
mod overlap;
pub mod pair;
mod settings;
pub mod step;
pub mod sweep;

pub use friction::Sticking;
pub use overlap::Overlap;
pub use settings::{ContactModel, Friction, ImcSettings, StaticFriction, Stiffness};
pub use step::ContactStep;

#[cfg(test)]
mod testing;
