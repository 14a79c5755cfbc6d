//! A run: a simulation, and the directory that it writes.
//!
//! Whatever happens between two output times, the files of a finished run are a function of the scene alone: outputs are at fixed
//! times, and a checkpoint is the state between two steps, to the last bit.

mod begin;

use std::path::Path;
use std::time::{Duration, Instant};

use writhe::observe::observe;
use writhe::simulation::{Simulation, SimulationError};
use writhe_rundir::{Frame, RunDirectory};

use crate::checkpoint::Checkpoint;
use crate::interrupt::Interrupt;
use crate::outputs::Outputs;
use crate::progress::Progress;
use crate::report::{Failure, Result};
use crate::summary;
use crate::usage::Meter;

pub use begin::{Beginning, RUN_FILES, begin};

/// A run is saved at least this often on the clock, for those whose outputs are hours apart.
const SAVE_AFTER: Duration = Duration::from_secs(60);

/// A run in progress.
#[derive(Debug)]
pub struct Session {
    simulation: Simulation,
    directory: RunDirectory,
    outputs: Outputs,
    /// Outputs between two checkpoints.
    checkpoint_every: u64,
    /// Index of the output that comes next.
    next: u64,
    meter: Meter,
    saved: Instant,
}

/// How the work of this process ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The end of the simulated time.
    Finished,
    /// The user's wish.
    Interrupted,
    /// A state beyond which nothing can be simulated: a result, for this reason.
    Stopped(String),
    /// A step that cannot be made.
    Failed(SimulationError),
}

/// Why the simulation returned before an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pause {
    Output,
    Save,
    Interrupted,
}

impl Session {
    /// Advances to the end of the run, writing outputs and checkpoints, unless interrupted; saves how it ended.
    ///
    /// # Errors
    /// When the directory cannot be written.
    pub fn advance(&mut self, interrupt: &Interrupt, progress: &mut Progress) -> Result<Outcome> {
        let outcome = self.advance_to_end(interrupt, progress);
        progress.clear();
        match outcome {
            Ok(outcome) => {
                self.end(&outcome)?;
                Ok(outcome)
            }
            Err(failure) => {
                // The results cannot be written; the disk may have room for this, or not, and the failure itself is what matters.
                let summary = self.summary("failed", failure.message());
                let _ = summary::write_alone(&summary, self.path());
                Err(failure)
            }
        }
    }

    fn advance_to_end(
        &mut self,
        interrupt: &Interrupt,
        progress: &mut Progress,
    ) -> Result<Outcome> {
        while self.next <= self.outputs.last() {
            match self.run_to_output(interrupt, progress) {
                Ok(Pause::Output) => self.output()?,
                Ok(Pause::Save) => self.checkpoint()?,
                Ok(Pause::Interrupted) => return Ok(Outcome::Interrupted),
                Err(jam @ SimulationError::Jammed { .. }) => {
                    return Ok(Outcome::Stopped(jam.to_string()));
                }
                Err(error) => return Ok(Outcome::Failed(error)),
            }
        }
        Ok(Outcome::Finished)
    }

    /// Steps to the next output time, exactly, or to a reason to pause.
    fn run_to_output(
        &mut self,
        interrupt: &Interrupt,
        progress: &mut Progress,
    ) -> std::result::Result<Pause, SimulationError> {
        let saved = self.saved;
        let reached =
            self.simulation
                .run_until(self.outputs.time(self.next), |simulation, report| {
                    progress.step(simulation.state.time, report);
                    !interrupt.requested() && saved.elapsed() < SAVE_AFTER
                })?;
        Ok(if reached {
            Pause::Output
        } else if interrupt.requested() {
            Pause::Interrupted
        } else {
            Pause::Save
        })
    }

    /// Writes the frame of the output time that was reached.
    fn output(&mut self) -> Result<()> {
        self.append_frame()?;
        self.next += 1;
        if self.next.is_multiple_of(self.checkpoint_every) || self.saved.elapsed() > SAVE_AFTER {
            self.checkpoint()?;
        }
        Ok(())
    }

    fn append_frame(&mut self) -> Result<()> {
        let Simulation { model, state, .. } = &self.simulation;
        let observables = observe(model, state)
            .map_err(|error| Failure::failed(format!("the state cannot be shown: {error}")))?;
        let mut row = observables.row();
        row.extend(own_values(&self.simulation));
        let arrays = |vectors: Vec<glam::DVec3>| -> Vec<[f64; 3]> {
            vectors.iter().map(glam::DVec3::to_array).collect()
        };
        let frame = Frame {
            time: state.time,
            positions: &arrays(model.positions(state)),
            directors: &arrays(model.directors(state)),
            extra: &[],
        };
        self.directory.append(&frame, &row)?;
        Ok(())
    }

    fn checkpoint(&mut self) -> Result<()> {
        let usage = self.meter.read(&self.simulation.phases());
        let checkpoint = Checkpoint::of(&self.simulation, self.next, usage);
        self.directory.checkpoint(&checkpoint)?;
        self.saved = Instant::now();
        Ok(())
    }

    fn end(&mut self, outcome: &Outcome) -> Result<()> {
        self.checkpoint()?;
        match outcome {
            Outcome::Finished => self.write_summary("finished", "the end of the simulated time"),
            Outcome::Interrupted => self.write_summary("interrupted", "stopped by the user"),
            Outcome::Stopped(reason) => {
                self.last_frame()?;
                self.write_summary("stopped", reason)
            }
            Outcome::Failed(error) => {
                self.last_frame()?;
                self.write_summary("failed", &error.to_string())
            }
        }
    }

    /// The state where the run ended between outputs; after the checkpoint, which does not count it: a resumed run writes its own
    /// frames there.
    fn last_frame(&mut self) -> Result<()> {
        if self.simulation.state.time > self.last_output_time() {
            self.append_frame()?;
        }
        Ok(())
    }

    fn last_output_time(&self) -> f64 {
        self.next
            .checked_sub(1)
            .map_or(f64::NEG_INFINITY, |index| self.outputs.time(index))
    }

    fn write_summary(&mut self, outcome: &str, reason: &str) -> Result<()> {
        let summary = self.summary(outcome, reason);
        self.directory.finish(&summary)?;
        self.directory.log(&format!(
            "{outcome} at t = {} s, step {}: {reason}",
            self.simulation.state.time, self.simulation.state.step
        ))?;
        Ok(())
    }

    /// The summary so far.
    pub fn summary(&self, outcome: &str, reason: &str) -> writhe_rundir::RunSummary {
        let usage = self.meter.read(&self.simulation.phases());
        summary::of(&self.simulation, &usage, outcome, reason)
    }

    /// The simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The run directory.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The output times.
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }
}

/// Columns beside those of the core: how the time stepping fares.
const OWN_COLUMNS: [(&str, &str); 4] = [
    ("step_size", "s"),
    ("steps", "1"),
    ("rejected_steps", "1"),
    ("newton_iterations", "1"),
];

/// Values of [`OWN_COLUMNS`]: size of the last step, and counts since the start.
fn own_values(simulation: &Simulation) -> [f64; 4] {
    let last = simulation.state.history.as_ref();
    let counts = &simulation.statistics;
    [
        last.map_or(f64::NAN, |step| step.dt),
        counts.steps as f64,
        counts.rejected_steps as f64,
        counts.newton_iterations as f64,
    ]
}
