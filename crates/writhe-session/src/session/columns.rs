//! Columns of a run of the command line beside those of the core: how the time stepping fares, and
//! the certificate.

use writhe::certificate::{Certificate, Watch};
use writhe::observe::{Entry, ObservableSink, Observer, observe};
use writhe::simulation::Simulation;
use writhe_rundir::RunDirError;

use crate::failure::Result;
use crate::scene::RunnableScene;

/// A number that a program shows of the state at hand.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// What it is called.
    pub name: String,
    /// Its unit; `1` for a pure number.
    pub unit: String,
    /// Its value.
    pub value: f64,
}

/// Names of the columns that a run of the scene has.
///
/// # Errors
/// What is wrong with the scene.
pub fn columns_of(scene: &RunnableScene) -> Result<Vec<String>> {
    let simulation = scene.simulation()?;
    let not_shown = |source| RunDirError::StateNotShown { time: 0.0, source };
    let watch = Watch::start(&simulation.model, &simulation.state, scene.certify());
    let watch = watch.map_err(not_shown)?;
    let seen = observe(&simulation.model, &simulation.state).map_err(not_shown)?;
    let mut columns: Vec<Entry> = Vec::new();
    seen.visit(&simulation.model, &mut columns);
    OwnColumns::new(watch.as_ref(), Vec::new()).observe(&simulation, &mut columns);
    Ok(columns.into_iter().map(|entry| entry.name).collect())
}

/// What is shown beside the simulation itself.
#[derive(Debug)]
pub struct OwnColumns {
    /// That of the state at hand, or at the start; `None` in a run that certifies nothing.
    pub certificate: Option<Certificate>,
    /// Last, what a program shows.
    pub shown: Vec<Shown>,
}

impl OwnColumns {
    /// Those of a run with this watch, and what a program shows.
    pub fn new(watch: Option<&Watch>, shown: Vec<Shown>) -> Self {
        Self {
            shown,
            certificate: watch.map(|watch| watch.at_start().clone()),
        }
    }
}

impl Observer for OwnColumns {
    fn observe(&self, simulation: &Simulation, sink: &mut dyn ObservableSink) {
        let last = simulation.state.history.as_ref();
        let counts = &simulation.statistics;
        for (name, unit, value) in [
            ("step_size", "s", last.map_or(f64::NAN, |step| step.dt)),
            ("steps", "1", counts.steps as f64),
            ("rejected_steps", "1", counts.rejected_steps as f64),
            ("newton_iterations", "1", counts.newton_iterations as f64),
        ] {
            sink.visit(&name, unit, value);
        }
        if let Some(certificate) = &self.certificate {
            certificate.visit(sink);
        }
        for Shown { name, unit, value } in &self.shown {
            sink.visit(name, unit, *value);
        }
    }
}
