//! A run into a directory: a recording that can be interrupted, watches what it does, and leaves a
//! summary.

mod begin;
mod columns;
mod equilibrium;
mod led;
mod lengthen;
mod snapshot;

use std::path::Path;
use std::time::Duration;

use writhe::certificate::Watch;
use writhe::observe::Observed;
use writhe::simulation::{Simulation, SimulationError};
use writhe::stability::Episode;
use writhe::step::StepReport;
use writhe_rundir::{Outputs, Pause, Recording, outcome};

use crate::checkpoint::Checkpoint;
use crate::failure::Result;
use crate::findings::{Findings, Surroundings};
use crate::interrupt::Interrupt;
use crate::names::Names;
use crate::summary;
use crate::usage::{Beside, Meter};

use columns::OwnColumns;

pub use begin::{Beginning, begin, begin_from, start_of};
pub use columns::{Shown, columns_of};
pub use equilibrium::{Equilibrium, equilibrium};
pub use led::{Led, LedRun, Part};
pub use snapshot::snapshot;

/// How often a run that is watched is saved, on the clock.
const WATCHED_SAVE_AFTER: Duration = Duration::from_secs(1);

/// A run in progress.
#[derive(Debug)]
pub struct Session {
    recording: Recording<OwnColumns>,
    /// Outputs between two checkpoints beside those of the clock.
    checkpoint_every: Option<u64>,
    /// Whether an output asked for a checkpoint that has to wait for others of its step.
    checkpoint_owed: bool,
    meter: Meter,
    /// Over what cannot change, if the run certifies it.
    watch: Option<Watch>,
    /// Over what the summary warns of.
    findings: Findings,
    surroundings: Surroundings,
    /// What the user calls things, for messages.
    names: Names,
    /// What whoever began it should know of how.
    notes: Vec<String>,
}

/// How the work of this process ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The end of the simulated time, or a condition of the scene that ends it before: this.
    Finished(String),
    /// The user's wish.
    Interrupted,
    /// A state beyond which nothing can be simulated: a result, for this reason.
    Stopped(String),
    /// A step that cannot be made.
    Failed(SimulationError),
}

impl Session {
    /// The same run, whose files are never far behind for those who watch.
    pub fn watched(self) -> Self {
        Self {
            recording: self.recording.saved_every(WATCHED_SAVE_AFTER),
            ..self
        }
    }

    /// Advances to the end of the run, writing outputs and checkpoints, unless interrupted; saves
    /// how it ended. `after_step` sees every accepted step.
    ///
    /// # Errors
    /// When the directory cannot be written.
    pub fn advance(
        &mut self,
        interrupt: &Interrupt,
        mut after_step: impl FnMut(&Simulation, &StepReport),
    ) -> Result<Outcome> {
        let outcome = self.advance_to_end(interrupt, &mut after_step);
        match outcome {
            Ok(outcome) => {
                self.end(&outcome)?;
                Ok(outcome)
            }
            Err(failure) => {
                // The results cannot be written; the disk may have room for this, or not, and the
                // failure itself is what matters.
                let summary = self.summary(outcome::FAILED, failure.message());
                let _ = summary::write_alone(&summary, self.path());
                Err(failure)
            }
        }
    }

    fn advance_to_end(
        &mut self,
        interrupt: &Interrupt,
        after_step: &mut impl FnMut(&Simulation, &StepReport),
    ) -> Result<Outcome> {
        while !self.recording.is_over() {
            let findings = &mut self.findings;
            let pause = self.recording.advance(|simulation, report| {
                after_step(simulation, report);
                findings.step(simulation);
                !interrupt.requested()
            });
            match pause {
                Ok(Pause::Output) => self.output()?,
                Ok(Pause::Save) => self.checkpoint()?,
                // Then the run is over.
                Ok(Pause::Met) => {}
                Ok(Pause::Asked) => return Ok(Outcome::Interrupted),
                Err(jam @ SimulationError::Jammed { .. }) => {
                    return Ok(Outcome::Stopped(self.names.tell(&jam.to_string())));
                }
                Err(error) => return Ok(Outcome::Failed(error)),
            }
        }
        Ok(self.reached_its_end())
    }

    /// The outcome of a run that is over.
    fn reached_its_end(&self) -> Outcome {
        let met = self.recording.met();
        Outcome::Finished(met.map_or(summary::END.to_owned(), |met| {
            self.names.tell(&met.to_string())
        }))
    }

    /// Writes the frame of the output time that was reached.
    fn frame(&mut self) -> Result<()> {
        let begun = self.meter.begin(Beside::Outputs);
        let observed = self.recording.observed()?;
        self.look(&observed)?;
        self.recording.output_of(observed.observables)?;
        self.meter.end(begun);
        Ok(())
    }

    /// The same, and the checkpoint that it asks for.
    fn output(&mut self) -> Result<()> {
        self.frame()?;
        self.checkpoint_owed |= self.is_checkpoint_wanted() || self.recording.is_save_due();
        // The end has a checkpoint of its own.
        if self.checkpoint_owed && !self.recording.is_pending() && !self.recording.is_over() {
            self.checkpoint_owed = false;
            self.checkpoint()?;
        }
        Ok(())
    }

    /// Whether the output that was just written asks for a checkpoint.
    fn is_checkpoint_wanted(&self) -> bool {
        let next = self.recording.next();
        let asked = self
            .checkpoint_every
            .is_some_and(|n| next.is_multiple_of(n));
        // Steps to an end that a longer run has not are made for it: one that is made longer goes on
        // from before them.
        asked || next == self.outputs().last() && !self.outputs().is_regular(next)
    }

    fn checkpoint(&mut self) -> Result<()> {
        let begun = self.meter.begin(Beside::Checkpoints);
        let simulation = self.simulation();
        let usage = (self.meter).read(&simulation.phases(), &simulation.shared_time());
        let certified = self.watch.as_ref().map(|watch| watch.record.clone());
        let next = self.recording.next();
        let found = self.findings.clone();
        let checkpoint = Checkpoint::of(self.simulation(), next, usage, certified, found);
        self.recording.save(&checkpoint)?;
        self.meter.end(begun);
        Ok(())
    }

    fn end(&mut self, outcome: &Outcome) -> Result<()> {
        // Before the last look, which a run that is made longer does not have here.
        self.checkpoint()?;
        if !matches!(outcome, Outcome::Interrupted) {
            let new = self.findings.end(&self.recording.simulation);
            self.log_unstable(new)?;
        }
        match outcome {
            Outcome::Finished(reason) => {
                self.last_frame()?;
                self.write_summary(outcome::FINISHED, reason)
            }
            Outcome::Interrupted => self.write_summary(outcome::INTERRUPTED, "stopped by the user"),
            Outcome::Stopped(reason) => {
                self.last_frame()?;
                self.write_summary(outcome::STOPPED, reason)
            }
            Outcome::Failed(error) => {
                self.last_frame()?;
                let reason = self.names.tell(&error.to_string());
                self.write_summary(outcome::FAILED, &reason)
            }
        }
    }

    /// The state where the run ended between outputs; after the checkpoint, which does not count
    /// it: a resumed run writes its own frames there.
    fn last_frame(&mut self) -> Result<()> {
        if self.recording.is_behind() {
            let observed = self.recording.observed()?;
            self.look(&observed)?;
            self.recording.output_end()?;
        }
        Ok(())
    }

    /// Looks whether the state at hand is stable and certifies it, for its row; logs what is new.
    fn look(&mut self, observed: &Observed) -> Result<()> {
        let new = self.findings.output(&self.recording.simulation, observed);
        self.log_unstable(new)?;
        let Some(watch) = &mut self.watch else {
            return Ok(());
        };
        let Simulation { model, state, .. } = &self.recording.simulation;
        let (certificate, new) = watch.check(model, state, observed);
        self.recording.own.certificate = Some(certificate);
        let directory = self.recording.directory();
        for change in new {
            let what = self.names.tell(&change.what);
            directory.log(&format!("changed at t = {} s: {what}", change.time))?;
        }
        Ok(())
    }

    /// Logs an unstable equilibrium that is new.
    fn log_unstable(&mut self, new: Option<Episode>) -> Result<()> {
        if let Some(episode) = new {
            let (time, shape) = (episode.from, episode.shape);
            let directory = self.recording.directory();
            directory.log(&format!("unstable equilibrium at t = {time} s: {shape}"))?;
        }
        Ok(())
    }

    fn write_summary(&mut self, outcome: &str, reason: &str) -> Result<()> {
        let summary = self.summary(outcome, reason);
        let (time, step) = self.now();
        let directory = self.recording.directory();
        directory.finish(&summary)?;
        directory.log(&format!(
            "{outcome} at t = {time} s, after step {step}: {reason}"
        ))?;
        Ok(())
    }

    /// Time, s, and number of the step at hand.
    fn now(&self) -> (f64, u64) {
        let state = &self.simulation().state;
        (state.time, state.step)
    }

    /// The summary so far.
    pub fn summary(&self, outcome: &str, reason: &str) -> writhe_rundir::RunSummary {
        let simulation = self.simulation();
        let usage = (self.meter).read(&simulation.phases(), &simulation.shared_time());
        summary::of(
            self.simulation(),
            usage,
            self.watch.as_ref(),
            (&self.findings, &self.surroundings),
            outcome,
            reason,
        )
    }

    /// What to know of how it began: how much longer it became, say; a line each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What the user calls things.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.recording.simulation
    }

    /// The simulation alone; the directory stays as it is.
    pub fn into_simulation(self) -> Simulation {
        self.recording.simulation
    }

    /// The run directory.
    pub fn path(&self) -> &Path {
        self.recording.path()
    }

    /// The output times.
    pub fn outputs(&self) -> &Outputs {
        self.recording.outputs()
    }
}
