//! Runs that functions of a program lead, between their steps.

use std::path::Path;

use writhe::simulation::{Simulation, SimulationError};
use writhe_rundir::Pause;

use super::begin::prepare;
use super::columns::Shown;
use super::{Outcome, Session};
use crate::failure::Result;
use crate::interrupt::Interrupt;
use crate::origin::Start;
use crate::scene::RunnableScene;

/// What leads a run beside its scene.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Led {
    /// What the directory says of it, JSON.
    pub functions: String,
    /// What it shows of the state at the start; every output has the same.
    pub shown: Vec<Shown>,
    /// Where it began, if it began where another run stood.
    pub start: Option<Start>,
}

/// Where a part of such a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// At the time that was asked for, or after a step, if one alone was wanted.
    Reached,
    /// At an output time, which [`LedRun::show`] records.
    Output,
    /// With the run.
    Over(Outcome),
}

/// A run whose simulation is its leader's, who lends it for each part of the work.
#[derive(Debug)]
pub struct LedRun {
    session: Session,
    interrupt: Interrupt,
}

impl LedRun {
    /// Begins the run of a `simulation` of this scene, which is at its start, in a new directory.
    ///
    /// # Errors
    /// When the directory exists or cannot be used.
    pub fn begin(
        scene: &RunnableScene,
        simulation: &mut Simulation,
        path: &Path,
        led: Led,
        interrupt: Interrupt,
    ) -> Result<Self> {
        // Holds the place while the simulation is its leader's.
        let mut other = scene.simulation()?;
        if let Some(start) = &led.start {
            scene.place(&mut other, &start.place)?;
        }
        other.state = simulation.state.clone();
        let start = led.start.clone();
        let mut session = prepare(scene, other, path, Some(led))?;
        if let Some(start) = start {
            session.keep_start(start)?;
        }
        let mut run = Self { session, interrupt };
        run.with(simulation, |session, _| session.begin())?;
        Ok(run)
    }

    /// Works with the simulation of the leader.
    fn with<T>(
        &mut self,
        simulation: &mut Simulation,
        work: impl FnOnce(&mut Session, &Interrupt) -> T,
    ) -> T {
        std::mem::swap(&mut self.session.recording.simulation, simulation);
        let done = work(&mut self.session, &self.interrupt);
        std::mem::swap(&mut self.session.recording.simulation, simulation);
        done
    }

    /// Advances to `end`, s, at most, to the next output time, or by `once` step. A run that is over
    /// is not ended yet: see [`finish`](Self::finish).
    ///
    /// # Errors
    /// When the directory cannot be written.
    pub fn advance(
        &mut self,
        simulation: &mut Simulation,
        (end, once): (f64, bool),
        after_step: impl FnMut(&Simulation),
    ) -> Result<Part> {
        self.with(simulation, |session, interrupt| {
            session.advance_part(interrupt, (end, once), after_step)
        })
    }

    /// Records the output time that was reached, with what the program shows of it: as many values
    /// as at the start.
    ///
    /// # Errors
    /// When the directory cannot be written.
    pub fn show(&mut self, simulation: &mut Simulation, values: &[f64]) -> Result<()> {
        self.with(simulation, |session, _| {
            session.note(values);
            session.output()
        })
    }

    /// Whether there is nothing left to simulate.
    pub fn is_over(&self) -> bool {
        self.session.recording.is_over()
    }

    /// Ends the run; values are those of the state at hand.
    ///
    /// # Errors
    /// When the directory cannot be written.
    pub fn finish(
        mut self,
        simulation: &mut Simulation,
        outcome: &Outcome,
        values: &[f64],
    ) -> Result<()> {
        self.with(simulation, |session, _| {
            session.note(values);
            session.end(outcome)
        })
    }
}

impl Session {
    /// See [`LedRun::advance`].
    fn advance_part(
        &mut self,
        interrupt: &Interrupt,
        (end, once): (f64, bool),
        mut after_step: impl FnMut(&Simulation),
    ) -> Result<Part> {
        if self.recording.is_over() {
            return Ok(Part::Over(self.reached_its_end()));
        }
        let findings = &mut self.findings;
        let pause = self.recording.advance_until(end, |simulation, _| {
            after_step(simulation);
            findings.step(simulation);
            !once && !interrupt.requested()
        });
        let part = match pause {
            Ok(Pause::Output) => {
                // Whoever wanted one step has it.
                self.recording.go_on();
                match interrupt.requested() {
                    true => Part::Over(Outcome::Interrupted),
                    false => Part::Output,
                }
            }
            Ok(Pause::Save) => Part::Reached,
            Ok(Pause::Met) => Part::Over(self.reached_its_end()),
            Ok(Pause::Asked) if interrupt.requested() => Part::Over(Outcome::Interrupted),
            Ok(Pause::Asked) => Part::Reached,
            Err(jam @ SimulationError::Jammed { .. }) => {
                Part::Over(Outcome::Stopped(self.names.tell(&jam.to_string())))
            }
            Err(error) => Part::Over(Outcome::Failed(error)),
        };
        if part == Part::Reached && self.recording.is_save_due() {
            self.checkpoint()?;
        }
        Ok(part)
    }

    fn note(&mut self, values: &[f64]) {
        for (shown, value) in self.recording.own.shown.iter_mut().zip(values) {
            shown.value = *value;
        }
    }
}
