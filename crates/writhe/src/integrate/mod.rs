//! Time integration: the Newton loop and its schemes.

pub mod scheme;
mod settings;

pub use scheme::Scheme;
pub use settings::{LineSearch, StepSettings};
