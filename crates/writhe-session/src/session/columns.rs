//! Columns of a run of the command line beside those of the core: how the time stepping fares, and
//! the certificate.

use writhe::certificate::{Certificate, Watch};
use writhe::observe::{ObservableSink, Observer};
use writhe::simulation::Simulation;

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
