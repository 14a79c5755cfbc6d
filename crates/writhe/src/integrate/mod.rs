//! Time integration: one Newton loop, its schemes, and the step; and explicit steps with projection, beside it.

mod balance;
mod barrier;
mod bodies;
mod contact;
mod drag;
mod error;
mod impulses;
mod newton;
mod phases;
mod problem;
pub mod scheme;
mod search;
mod settings;
mod step;
mod style;
mod symplectic;
mod system;

pub use error::StepError;
pub use phases::Phases;
pub use scheme::Scheme;
pub use settings::{Integrator, LineSearch, StepSettings};
pub(crate) use step::equilibrium_step;
pub use step::{StepReport, Workspace, implicit_step};
pub use symplectic::{largest_stable_step, relax_angles, supports, symplectic_step};
