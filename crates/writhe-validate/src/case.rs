//! A case of the catalogue: what is measured, against what, and how to run it.

use std::fmt;

use writhe::fluid::stokeslet_segments::segments::StokesError;
use writhe::model::ModelError;
use writhe::rod::RodError;
use writhe::rod::kinematics::KinematicsError;
use writhe::simulation::SimulationError;
use writhe::step::StepError;

use crate::row::Row;

/// One case.
#[derive(Clone, Copy)]
pub struct Case {
    /// Name to type, e.g. `heavy-cantilever`.
    pub name: &'static str,
    /// Section of the catalogue, e.g. `1.1`; `-` for a case of this project's own.
    pub section: &'static str,
    /// What is set up and measured, in one line.
    pub measures: &'static str,
    /// Where the references come from.
    pub source: Source,
    /// Where exactly: author and year, or how it was computed.
    pub origin: &'static str,
    /// Runs the case.
    pub run: fn(&Context) -> Result<Vec<Row>, CaseError>,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case")
            .field("name", &self.name)
            .field("section", &self.section)
            .finish_non_exhaustive()
    }
}

/// What kind of reference a case has, from the strongest to the weakest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A formula, or a quadrature of one to rounding.
    ClosedForm,
    /// Numbers of an independent program.
    OtherProgram,
    /// Numbers that someone published.
    Published,
    /// A property that holds whatever the numbers: nothing crosses, a limit is reached.
    Property,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ClosedForm => "closed form",
            Self::OtherProgram => "other program",
            Self::Published => "published figure",
            Self::Property => "property",
        })
    }
}

/// How a case is run.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Fewer parameters and shorter runs; the bounds stay.
    pub quick: bool,
    /// Says what is being done in a long case.
    pub progress: &'a (dyn Fn(&str) + Sync),
    /// Processor time of this process so far, s; NaN where the system does not tell.
    pub processor_time: fn() -> f64,
}

impl Context<'_> {
    /// Quick, silent, without a clock: for tests.
    pub fn for_tests() -> Context<'static> {
        Context {
            quick: true,
            progress: &|_| (),
            processor_time: || f64::NAN,
        }
    }

    /// All of `all`, or only the first `few` of them when quick.
    pub fn some<'t, T>(&self, all: &'t [T], few: usize) -> &'t [T] {
        if self.quick { &all[..few] } else { all }
    }
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("quick", &self.quick)
            .finish_non_exhaustive()
    }
}

/// A case that could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// A rod that cannot be made.
    #[error("a rod: {0}")]
    Rod(#[from] RodError),
    /// A model that cannot be made.
    #[error("the model: {0}")]
    Model(#[from] ModelError),
    /// A run that cannot go on.
    #[error("the run: {0}")]
    Simulation(#[from] SimulationError),
    /// A single step that failed.
    #[error("a step: {0}")]
    Step(#[from] StepError),
    /// A configuration without frames.
    #[error("the configuration: {0}")]
    Kinematics(#[from] KinematicsError),
    /// A flow that cannot be computed.
    #[error("the flow: {0}")]
    Stokes(#[from] StokesError),
    /// What was looked for is not there.
    #[error("{0}")]
    NotFound(String),
}
