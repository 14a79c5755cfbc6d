//! Time integration: one Newton loop, its schemes, and the step.

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
mod system;

pub use error::StepError;
pub use phases::Phases;
pub use scheme::Scheme;
pub use settings::{LineSearch, StepSettings};
pub(crate) use step::equilibrium_step;
pub use step::{StepReport, Workspace, implicit_step};
