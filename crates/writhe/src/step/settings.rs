//! Parameters of a step.

use super::{Accuracy, Scheme};
use crate::kernels::friction::FrictionSolve;

/// Parameters of the implicit step and of its size control.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepSettings {
    /// Largest step, s.
    pub dt: f64,
    /// Smallest step before the run is given up, s.
    pub dt_min: f64,
    /// How a step is made.
    pub integrator: Integrator,
    /// Time scheme of implicit steps.
    pub scheme: Scheme,
    /// Newton stops when the last correction moved no node by more than this many radii ...
    pub step_tolerance: f64,
    /// ... and the residual is below this fraction of the largest force.
    pub residual_tolerance: f64,
    /// Newton iterations before the step is given up.
    pub max_iterations: u32,
    /// How Newton's correction is shortened.
    pub line_search: LineSearch,
    /// Whether a failed step is tried again with half the size.
    pub adaptive: bool,
    /// What steps of BDF2 choose their size by; without, it is the largest as long as they succeed.
    pub accuracy: Option<Accuracy>,
    /// How friction enters a step, in place of what the contact model says; what remembers how it
    /// stuck is solved for all the same.
    pub friction: Option<FrictionSolve>,
}

/// How a step is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Integrator {
    /// All forces at the end of the step (or as the scheme says), by Newton's method: steps of any
    /// size.
    #[default]
    Implicit,
    /// Forces at its start, material frames at rest, lengths kept by projection (B08): small steps
    /// that cost little.
    SymplecticProjected,
}

/// How Newton's correction is shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineSearch {
    /// Decrease of the incremental potential where there is one, natural monotonicity otherwise.
    Automatic,
    /// Goldstein-Price on the squared residual (Tong et al. 2022, preprint, Algorithm 2, with the
    /// sign of d0 corrected).
    Goldstein,
    /// Full steps.
    None,
}

impl Default for StepSettings {
    fn default() -> Self {
        Self {
            dt: 1e-3,
            dt_min: 1e-9,
            integrator: Integrator::Implicit,
            scheme: Scheme::BackwardEuler,
            step_tolerance: 1e-6,
            residual_tolerance: 1e-6,
            max_iterations: 40,
            line_search: LineSearch::Automatic,
            adaptive: true,
            accuracy: None,
            friction: None,
        }
    }
}
