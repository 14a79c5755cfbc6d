//! A simulation and the directory that it writes.
//!
//! Whatever happens between two output times, the files of a finished run are a function of the
//! scene alone: outputs are at fixed times, and a checkpoint is the state between two steps, to the
//! last bit. Where steps may pass outputs, those that a step has passed are recorded before anything
//! else happens.

use std::path::Path;
use std::time::{Duration, Instant};

use glam::DVec3;
use serde::Serialize;
use writhe::observe::{
    ContactPoint, Entry, ObservableSink, Observables, Observed, Observer, ObstaclePoint,
    is_of_place, is_of_support,
};
use writhe::simulation::{Simulation, SimulationError};
use writhe::state::State;
use writhe::step::StepReport;
use writhe::stop::{Met, Stop};

use crate::contacts::{Contact, Touched};
use crate::directory::{Frame, RunDirectory};
use crate::error::{Result, RunDirError};
use crate::layout::{Column, RunLayout};
use crate::outputs::Outputs;
use crate::state_arrays;
use crate::trajectory::TRAJECTORY;

/// A run is saved at least this often on the clock: what a kill loses, and a hundred times what a
/// checkpoint takes.
const SAVE_AFTER: Duration = Duration::from_secs(10);

/// A run in progress. What its checkpoint holds, and which columns of its own it has beside those
/// of the core, is the caller's.
#[derive(Debug)]
pub struct Recording<O = ()> {
    /// The simulation.
    pub simulation: Simulation,
    /// Shows the own columns. No checkpoint holds it: whoever resumes a run gives one with the same
    /// columns.
    pub own: O,
    has: Has,
    directory: RunDirectory,
    outputs: Outputs,
    next: u64,
    saved: Instant,
    save_after: Duration,
    stop: Stop,
    met: Option<Met>,
    /// The caller wished to stop at a step that reached an output, which goes first.
    asked: bool,
    /// Whether steps may go on beyond an output.
    passes: bool,
    /// Where the steps are, while the simulation shows the state at an output that the last one
    /// passed.
    ahead: Option<State>,
}

/// Columns of the core that a run may lack.
#[derive(Debug, Clone, Copy)]
struct Has {
    /// What each support exerts.
    supports: bool,
    /// Where rods are.
    places: bool,
}

/// Why a recording came back from its steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// An output time is reached, to be recorded.
    Output,
    /// A checkpoint is due.
    Save,
    /// The caller wished so.
    Asked,
    /// A condition that ends the run is met: see [`Recording::met`].
    Met,
}

impl<O: Observer> Recording<O> {
    /// A new run in the directory `path`, with the columns of the core and `own` ones, `()` for
    /// none. Nothing is recorded yet: the state at the start is the first output.
    ///
    /// # Errors
    /// When the directory exists and is not empty, or cannot be made, or the state cannot be shown.
    pub fn create(
        path: &Path,
        scene: &str,
        simulation: Simulation,
        outputs: Outputs,
        own: O,
    ) -> Result<Self> {
        let mut entries: Vec<Entry> = Vec::new();
        let has = Has {
            supports: outputs.shows_supports(simulation.model.constraints.list().len()),
            places: true,
        };
        let shown = shown(observed(&simulation)?.observables, has);
        visit(&simulation, &shown, &own, &mut entries);
        let columns = entries.into_iter().map(|e| Column::new(e.name, e.unit));
        let layout = RunLayout::of(&simulation.model, columns.collect());
        let directory = RunDirectory::create(path, &layout, scene)?;
        let first = outputs.first();
        Ok(Self::resumed(directory, simulation, outputs, first, own))
    }

    /// A run at its last checkpoint, before the output of index `next`, with the same `own`
    /// columns.
    pub fn resumed(
        directory: RunDirectory,
        simulation: Simulation,
        outputs: Outputs,
        next: u64,
        own: O,
    ) -> Self {
        // Its table goes on as it began, whatever other versions show.
        let columns = &directory.layout().observables;
        let any = |is: fn(&str) -> bool| columns.iter().any(|column| is(&column.name));
        let has = Has {
            supports: any(is_of_support),
            places: any(is_of_place),
        };
        Self {
            simulation,
            own,
            has,
            directory,
            outputs,
            next,
            saved: Instant::now(),
            save_after: SAVE_AFTER,
            stop: Stop::default(),
            met: None,
            asked: false,
            passes: false,
            ahead: None,
        }
    }

    /// The same run, whose steps may go on beyond outputs where their size follows from an accuracy
    /// ([`Simulation::step_past`]). While such an output is due, the simulation's state is that of
    /// its time, to be looked at; [`output`](Self::output) puts it back to where the steps are.
    pub fn passing_outputs(self) -> Self {
        Self {
            passes: true,
            ..self
        }
    }

    /// Whether steps may end beyond outputs: not where a condition ends the run, which looks at ends of
    /// steps alone.
    fn goes_past(&self) -> bool {
        self.passes && self.stop == Stop::default()
    }

    /// The same run, which these conditions end before its time.
    pub fn ended_by(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }

    /// The same run, saved at least this often on the clock, for those who watch it.
    pub fn saved_every(self, save_after: Duration) -> Self {
        Self { save_after, ..self }
    }

    /// The condition that ended the run, if one did.
    pub fn met(&self) -> Option<Met> {
        self.met
    }

    /// Steps to the next output time, exactly, or until a checkpoint is due, a condition ends the
    /// run, or `goes_on`, which sees each accepted step, says no; or the simulation is told to stop
    /// within a step. Where several happen at once an output comes first, and then the caller's
    /// wish.
    ///
    /// # Errors
    /// A step that cannot be made.
    pub fn advance(
        &mut self,
        goes_on: impl FnMut(&Simulation, &StepReport) -> bool,
    ) -> std::result::Result<Pause, SimulationError> {
        self.advance_until(f64::INFINITY, goes_on)
    }

    /// As [`advance`](Self::advance), but to `end`, s, exactly, if that comes before the next output
    /// time: the caller wished so.
    ///
    /// # Errors
    /// A step that cannot be made.
    pub fn advance_until(
        &mut self,
        end: f64,
        mut goes_on: impl FnMut(&Simulation, &StepReport) -> bool,
    ) -> std::result::Result<Pause, SimulationError> {
        let output = self.outputs.time(self.next);
        if self.is_pending() {
            self.show(output);
            return Ok(Pause::Output);
        }
        if std::mem::take(&mut self.asked) {
            return Ok(Pause::Asked);
        }
        let target = output.min(end);
        let (saved, save_after, stop) = (self.saved, self.save_after, self.stop);
        let look = |simulation: &Simulation, report: Option<&StepReport>| {
            stop.met(&simulation.model, &simulation.state, report)
        };
        // A run that was killed when a condition was met is still where it was.
        self.met = look(&self.simulation, None);
        if self.met.is_some() {
            return Ok(Pause::Met);
        }
        let (mut asked, mut met) = (false, None);
        let after_step = |simulation: &Simulation, report: &StepReport| {
            asked = !goes_on(simulation, report);
            met = look(simulation, Some(report));
            !asked && met.is_none() && saved.elapsed() < save_after
        };
        let reached = match self.goes_past() && target == output {
            true => run_past(&mut self.simulation, output, self.outputs.end(), after_step),
            false => self.simulation.run_until(target, after_step),
        };
        let reached = match reached {
            Err(SimulationError::Interrupted { .. }) => return Ok(Pause::Asked),
            reached => reached?,
        };
        self.met = met;
        Ok(if reached && target < output && met.is_none() {
            Pause::Asked
        } else if reached && target == output {
            self.asked = asked;
            self.show(output);
            Pause::Output
        } else if met.is_some() {
            Pause::Met
        } else if asked {
            Pause::Asked
        } else {
            Pause::Save
        })
    }

    /// The caller, who wished to stop at a step that reached an output, wishes so no more.
    pub fn go_on(&mut self) {
        self.asked = false;
    }

    /// Records the output time that was reached.
    ///
    /// # Errors
    /// When the state cannot be shown or the files cannot be written.
    pub fn output(&mut self) -> Result<()> {
        self.output_of(self.observed()?.observables)
    }

    /// What the state at hand shows.
    ///
    /// # Errors
    /// When it cannot be shown.
    pub fn observed(&self) -> Result<Observed> {
        observed(&self.simulation)
    }

    /// As [`output`](Self::output), given what the state at hand shows.
    ///
    /// # Errors
    /// When the files cannot be written.
    pub fn output_of(&mut self, observables: Observables) -> Result<()> {
        self.append_as(self.simulation.state.time, observables)?;
        self.next += 1;
        if let Some(state) = self.ahead.take() {
            self.simulation.state = state;
        }
        Ok(())
    }

    /// Whether the last step passed the output that comes next, too. No checkpoint holds what it
    /// takes to look into that step.
    pub fn is_pending(&self) -> bool {
        let output = self.outputs.time(self.next);
        self.goes_past() && self.next <= self.outputs.last() && self.simulation.state.time > output
    }

    /// Has the simulation show the state at an output that the last step passed.
    fn show(&mut self, output: f64) {
        if self.simulation.state.time == output {
            return;
        }
        // An output that a step ended at but for rounding is recorded as it is.
        if let Some(state) = self.simulation.within(output) {
            self.ahead = Some(std::mem::replace(&mut self.simulation.state, state));
        }
    }

    /// Records the state at hand as a frame of this time, s, behind all others: of what follows no
    /// time, as equilibria over a parameter.
    ///
    /// # Errors
    /// As [`output`](Self::output).
    pub fn output_as(&mut self, time: f64) -> Result<()> {
        self.append_as(time, self.observed()?.observables)?;
        self.next += 1;
        Ok(())
    }

    /// Records the state at hand, if it lies behind the last output: where a run ended between two
    /// of them. Returns whether it did.
    ///
    /// # Errors
    /// As [`output`](Self::output).
    pub fn output_end(&mut self) -> Result<bool> {
        let wanted = self.is_behind();
        if wanted {
            let observables = self.observed()?.observables;
            self.append_as(self.simulation.state.time, observables)?;
        }
        Ok(wanted)
    }

    /// Whether the state at hand lies behind the last output.
    pub fn is_behind(&self) -> bool {
        let last = self.next.checked_sub(1);
        let recorded = last.map_or(f64::NEG_INFINITY, |index| self.outputs.time(index));
        self.simulation.state.time > recorded
    }

    fn append_as(&mut self, time: f64, observables: Observables) -> Result<()> {
        let Simulation { model, state, .. } = &self.simulation;
        let (path, layout) = (self.directory.path(), self.directory.layout());
        let observables = shown(observables, self.has);
        let mut row = Vec::with_capacity(layout.observables.len());
        visit(&self.simulation, &observables, &self.own, &mut row);
        let arrays = |vectors: Vec<DVec3>| -> Vec<[f64; 3]> {
            vectors.iter().map(DVec3::to_array).collect()
        };
        let of_rods = |c: &ContactPoint| Contact {
            rod: c.rods[0],
            arc: c.arcs[0],
            with: Touched::Rod {
                rod: c.rods[1],
                arc: c.arcs[1],
            },
            gap: c.gap,
            force: c.force,
        };
        let at_obstacle = |c: &ObstaclePoint| Contact {
            rod: c.rod,
            arc: c.arc,
            with: match model.obstacles[c.obstacle].on {
                Some(body) => Touched::Body(body),
                None => Touched::Obstacle(c.obstacle),
            },
            gap: c.gap,
            force: c.force,
        };
        let of_rods = observables.contact_points.iter().map(of_rods);
        let at_obstacles = observables.obstacle_points.iter().map(at_obstacle);
        let contacts: Vec<Contact> = of_rods.chain(at_obstacles).collect();
        let values = layout.extra.iter().map(|array| {
            let reason = || format!("the array `{}` is of another version", array.name);
            state_arrays::values(&array.name, model, state, &observables.bodies)
                .ok_or_else(|| RunDirError::damaged(&path.join(TRAJECTORY), reason()))
        });
        let values = values.collect::<Result<Vec<_>>>()?;
        let extra: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
        let frame = Frame {
            time,
            positions: &arrays(model.positions(state)),
            directors: &arrays(model.directors(state)),
            extra: &extra,
            contacts: &contacts,
        };
        self.directory.append(&frame, &row)
    }

    /// Whether the last checkpoint is long ago on the clock.
    pub fn is_save_due(&self) -> bool {
        self.saved.elapsed() >= self.save_after
    }

    /// Saves a checkpoint.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save<S: Serialize>(&mut self, checkpoint: &S) -> Result<()> {
        self.directory.checkpoint(checkpoint)?;
        self.saved = Instant::now();
        Ok(())
    }

    /// Index of the output that comes next.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Whether there is nothing left to simulate: the end is recorded, or a condition ended the
    /// run.
    pub fn is_over(&self) -> bool {
        self.met.is_some() || self.next > self.outputs.last()
    }

    /// The output times.
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// The run directory.
    pub fn directory(&mut self) -> &mut RunDirectory {
        &mut self.directory
    }

    /// Path of the run directory.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// Steps until `output`, s, is reached or passed, and at most to `end`, s; `after_step` as in
/// [`Simulation::run_until`].
fn run_past(
    simulation: &mut Simulation,
    output: f64,
    end: f64,
    mut after_step: impl FnMut(&Simulation, &StepReport) -> bool,
) -> std::result::Result<bool, SimulationError> {
    while !simulation.has_reached(output) {
        let report = simulation.step_past(output, end)?;
        if !after_step(simulation, &report) {
            break;
        }
    }
    Ok(simulation.has_reached(output))
}

fn observed(simulation: &Simulation) -> Result<Observed> {
    let Simulation { model, state, .. } = simulation;
    let time = state.time;
    Observed::of(model, state).map_err(|source| RunDirError::StateNotShown { time, source })
}

/// What a run shows of a state.
fn shown(mut observables: Observables, has: Has) -> Observables {
    if !has.supports {
        observables.reactions.clear();
    }
    if !has.places {
        observables.places.clear();
    }
    observables
}

/// Visits every column: the header and each row come from this walk.
fn visit(
    simulation: &Simulation,
    observables: &Observables,
    own: &impl Observer,
    sink: &mut dyn ObservableSink,
) {
    observables.visit(&simulation.model, sink);
    own.observe(simulation, sink);
}
