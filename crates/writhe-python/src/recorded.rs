//! Runs into a directory that functions of Python lead: parts of the work between two calls of them.

use std::path::Path;

use pyo3::prelude::*;
use writhe::simulation::SimulationError;
use writhe_rundir::outcome;
use writhe_session::interrupt::Interrupt;
use writhe_session::session::{Led, LedRun, Outcome, Part, Shown};

use crate::errors::{apart, of_failure, scene_error, simulation_error};
use crate::simulation::{Simulation, Work};

/// How a part ended: "reached", "output" or "over".
type Ended = &'static str;

#[pymethods]
impl Simulation {
    /// Begins to record in a new directory. It says which `functions` lead the run, JSON, and has
    /// these columns of theirs: names, units and values at the start.
    fn begin_led(
        &self,
        py: Python<'_>,
        path: &str,
        functions: String,
        columns: Vec<(String, String, f64)>,
    ) -> PyResult<()> {
        let mut work = self.begin(py)?;
        if !work.at_start {
            return Err(not_at_start(py));
        }
        let runnable = &self.scene.get().runnable;
        let interrupt = Interrupt::of(self.signals.poll());
        let shown = columns.into_iter();
        let shown = shown.map(|(name, unit, value)| Shown { name, unit, value });
        let led = Led {
            functions,
            shown: shown.collect(),
            start: self.start.as_ref().map(|(_, start)| start.clone()),
        };
        let core = &mut work.core;
        let begun = apart(py, || {
            LedRun::begin(runnable, core, Path::new(path), led, interrupt)
        })?;
        work.led = Some(begun.map_err(|failure| of_failure(py, &failure))?);
        Ok(())
    }

    /// Advances the run to `end`, s, at most, to its next output time, or by `once` step. Its frame
    /// waits for `show_led`, and its end for `end_led`; returns how the part ended, and, where the run
    /// is over, the outcome and the reason.
    fn advance_led(
        &self,
        py: Python<'_>,
        end: f64,
        once: bool,
    ) -> PyResult<(Ended, Option<(String, String)>)> {
        let mut work = self.begin(py)?;
        work.at_start = false;
        let target = end.min(self.scene.get().runnable.outputs().end());
        let largest = work.core.state.control.dt;
        if !work.core.has_reached(target) {
            self.look(py, &work, (target, largest))?;
        }
        let Work {
            core,
            forces,
            controls,
            led,
            ..
        } = &mut *work;
        let Some(run) = led else {
            return Err(not_begun(py));
        };
        let asks = controls.drives.is_any() || forces.iter().any(|force| force.lags());
        let part = apart(py, || {
            run.advance(core, (end, once), |simulation| {
                if !asks || once || simulation.has_reached(target) {
                    return;
                }
                let step = (target, simulation.state.control.dt);
                self.look_within(forces, &controls.drives, simulation, step);
            })
        })?;
        match part.map_err(|failure| of_failure(py, &failure))? {
            Part::Reached => Ok(("reached", None)),
            Part::Output => Ok(("output", None)),
            Part::Over(outcome) => {
                let told = match &outcome {
                    Outcome::Finished(reason) => (outcome::FINISHED.to_owned(), reason.clone()),
                    Outcome::Stopped(reason) => (outcome::STOPPED.to_owned(), reason.clone()),
                    Outcome::Interrupted | Outcome::Failed(_) => {
                        let state = &core.state;
                        let (step, time) = (state.step, state.time);
                        let interrupted = SimulationError::Interrupted { step, time };
                        if let Some(run) = led.take() {
                            // With what its columns showed last: their functions may have failed.
                            let done = apart(py, || run.finish(core, &outcome, &[]))?;
                            done.map_err(|failure| of_failure(py, &failure))?;
                        }
                        let error = match outcome {
                            Outcome::Failed(error) => error,
                            _ => interrupted,
                        };
                        return Err(self.stopped(py, &error, core));
                    }
                };
                Ok(("over", Some(told)))
            }
        }
    }

    /// Writes the frame of the output time that was reached, with these values of its columns.
    /// Returns whether the run is over.
    fn show_led(&self, py: Python<'_>, values: Vec<f64>) -> PyResult<bool> {
        let mut work = self.begin(py)?;
        let Work { core, led, .. } = &mut *work;
        let Some(run) = led else {
            return Err(not_begun(py));
        };
        let done = apart(py, || run.show(core, &values))?;
        done.map_err(|failure| of_failure(py, &failure))?;
        Ok(run.is_over())
    }

    /// Ends the run: "finished", "stopped", or interrupted, for this reason.
    fn end_led(
        &self,
        py: Python<'_>,
        outcome: &str,
        reason: String,
        values: Vec<f64>,
    ) -> PyResult<()> {
        let mut work = self.begin(py)?;
        let Work { core, led, .. } = &mut *work;
        let Some(run) = led.take() else {
            return Ok(());
        };
        let outcome = match outcome {
            outcome::FINISHED => Outcome::Finished(reason),
            outcome::STOPPED => Outcome::Stopped(reason),
            _ => Outcome::Interrupted,
        };
        let done = apart(py, || run.finish(core, &outcome, &values))?;
        done.map_err(|failure| of_failure(py, &failure))
    }
}

/// A run directory holds a run from its start.
pub fn not_at_start(py: Python<'_>) -> PyErr {
    let message = "a run directory holds a run from its start, and this simulation has gone on";
    let remedy = "make a new one: scene.simulation().run(to=..)";
    scene_error(py, message, Some("to"), Some(remedy), None)
}

fn not_begun(py: Python<'_>) -> PyErr {
    simulation_error(py, "nothing is recorded", Some("run(to=..)"))
}
