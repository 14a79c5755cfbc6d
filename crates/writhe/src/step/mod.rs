//! Time integration: one Newton loop, its schemes, and the step; and explicit steps with
//! projection, beside it.

mod accept;
mod accuracy;
mod advance;
mod awake;
mod balance;
mod barrier;
mod bodies;
mod broyden;
mod contact;
pub(crate) mod control;
mod correction;
mod drag;
pub(crate) mod drive;
mod error;
mod guess;
mod hardening;
mod impulses;
mod jump;
mod newton;
mod pace;
mod pattern;
mod phases;
mod pool;
mod problem;
mod recovery;
mod relaxation;
mod report;
mod residual;
mod rods;
mod rounding;
pub mod scheme;
mod search;
mod settings;
mod simplified;
mod smoothing;
mod softening;
mod style;
mod symplectic;
mod system;
mod unknowns;
mod variation;
mod workspace;

pub(crate) use accuracy::check as check_accuracy;
pub use accuracy::{Accuracy, Judgement};
pub use advance::{check_implicit, implicit_step};
pub(crate) use advance::{equilibrium_step, step};
pub(crate) use contact::{AIMED_PENETRATION, MAX_PENETRATION};
pub use control::Decisions;
pub(crate) use drag::gain::MOST as MOST_GAINS;
pub(crate) use drag::guess::force_at;
pub use drag::limit::largest_lagged_step;
pub use error::{Location, NotConverged, StepError};
pub(crate) use jump::history_of_jump;
pub use pace::SharedTime;
pub use phases::Phases;
pub use report::StepReport;
pub use scheme::Scheme;
pub use settings::{Integrator, LineSearch, StepSettings};
pub use symplectic::{
    NotExplicit, check_first_step, largest_stable_step, relax_angles, supports, symplectic_step,
};
pub(crate) use variation::{Variation, forces_at_rest};
pub use workspace::Workspace;
