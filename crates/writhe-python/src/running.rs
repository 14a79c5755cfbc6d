//! Steps and runs: work without the interpreter's lock that Python can stop.

use std::path::Path;
use std::sync::{Arc, MutexGuard};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use writhe::simulation::{Simulation as Core, SimulationError};
use writhe::step::StepReport;
use writhe_rundir::{Outputs, outcome};
use writhe_session::interrupt::Interrupt;
use writhe_session::session::{Beginning, Outcome, begin_from, snapshot};

use crate::drive::Drives;
use crate::errors::{apart, of_failure, scene_error};
use crate::force::Force;
use crate::recorded::not_at_start;
use crate::run::page;
use crate::signals::Signals;
use crate::simulation::{Simulation, Work};
use crate::stopped::simulation_stopped;

/// Time between two calls of whoever shows how far a run is.
const BETWEEN_NEWS: Duration = Duration::from_millis(100);

/// Largest turn in a step of what is driven, rad: a little less than half of one.
const LARGEST_TURN: f64 = 3.0;

/// Shortest step, s: the square of its inverse is a number.
const SHORTEST: f64 = 1e-15;

/// Bytes of the frame in the page of a state, at most about.
const MOST_BYTES: usize = 1 << 21;

/// How a run of this process ended: a reason, or an exception's material.
enum End {
    Reached,
    Met(String),
    Failed(SimulationError),
}

#[pymethods]
impl Simulation {
    /// Makes a step of at most `largest`, s, or of the size that it has come to.
    /// Where `before` is given, s, steps are equal ones of which the last ends there exactly.
    fn step(&self, py: Python<'_>, largest: Option<f64>, before: Option<f64>) -> PyResult<Step> {
        let mut work = self.begin(py)?;
        let core = &work.core;
        let largest = largest.unwrap_or(core.state.control.dt);
        let shortest = SHORTEST.max(4.0 * f64::EPSILON * core.state.time.abs());
        if !(largest >= shortest && largest.is_finite()) {
            let message = format!("`largest` is {largest:e} s: no step of that size can be made");
            let remedy = format!(
                "give the largest size of the step, at least {shortest:e} s, or leave it out"
            );
            return Err(scene_error(
                py,
                &message,
                Some("largest"),
                Some(&remedy),
                None,
            ));
        }
        let end = before.unwrap_or(f64::INFINITY);
        work.at_start = false;
        self.look(py, &work, (end, largest))?;
        let core = &mut work.core;
        let made = apart(py, || match before {
            Some(end) => core.step_towards(end, largest),
            None => core.step(largest),
        });
        let made = made.inspect_err(|_| core.drop_workspace())?;
        made.map(Step::from)
            .map_err(|error| self.stopped(py, &error, core))
    }

    /// The first output time of the scene behind `now`, s; infinite behind the last.
    fn output_behind(&self, now: f64) -> f64 {
        first_behind(&self.scene.get().runnable.outputs(), now)
    }

    /// Makes the next step of a run to `until`, s, as `run` would.
    fn advance(&self, py: Python<'_>, until: f64) -> PyResult<Step> {
        let mut work = self.begin(py)?;
        work.at_start = false;
        let outputs = self.scene.get().runnable.outputs();
        let target = next_output(&outputs, &work.core).min(until);
        let largest = work.core.state.control.dt;
        self.look(py, &work, (target, largest))?;
        let core = &mut work.core;
        let mut made = Step::from(StepReport::default());
        let ran = apart(py, || {
            core.run_until(target, |_, report| {
                made = Step::from(*report);
                false
            })
        });
        let ran = ran.inspect_err(|_| core.drop_workspace())?;
        ran.map_err(|error| self.stopped(py, &error, core))?;
        Ok(made)
    }

    /// Runs to `until`, s, or to the end of the scene, by way of its output times, as a run into a
    /// directory does; one step alone, if `once`. Returns the condition of the scene that ended it
    /// before, if one did. `news` is told the time now and then.
    fn run(
        &self,
        py: Python<'_>,
        until: Option<f64>,
        once: bool,
        news: Option<Py<PyAny>>,
    ) -> PyResult<Option<String>> {
        let mut work = self.begin(py)?;
        let runnable = &self.scene.get().runnable;
        let (outputs, stop) = (runnable.outputs(), runnable.stop());
        let end = until.unwrap_or_else(|| outputs.end());
        let now = work.core.state.time;
        if !(end >= now - work.core.same_time() && end.is_finite()) {
            let message =
                format!("cannot run to t = {end} s: the simulation is at t = {now} s already");
            let remedy = "give a later time in s";
            return Err(scene_error(py, &message, Some("until"), Some(remedy), None));
        }
        work.at_start = false;
        let target = next_output(&outputs, &work.core).min(end);
        let largest = work.core.state.control.dt;
        self.look(py, &work, (target, largest))?;
        let Work {
            core,
            forces,
            controls,
            ..
        } = &mut *work;
        let asks = controls.drives.is_any() || forces.iter().any(|force| force.lags());
        let mut teller = News::new(news);
        let ended = apart(py, || {
            let mut met = None;
            let mut stepped = false;
            loop {
                if core.has_reached(end) || once && stepped {
                    return End::Reached;
                }
                let target = next_output(&outputs, core).min(end);
                let ran = core.run_until(target, |simulation, report| {
                    teller.tell(simulation.state.time, &self.signals);
                    if asks && !simulation.has_reached(end) {
                        // Towards the next output time behind this one.
                        let target = next_output(&outputs, simulation).min(end);
                        let largest = simulation.state.control.dt;
                        let step = (target, largest);
                        self.look_within(forces, &controls.drives, simulation, step);
                    }
                    let Core { model, state, .. } = simulation;
                    met = stop.met(model, state, Some(report));
                    stepped = true;
                    met.is_none() && !once && !self.signals.stopped()
                });
                match (ran, met) {
                    (Err(error), _) => return End::Failed(error),
                    (Ok(_), Some(met)) => return End::Met(met.to_string()),
                    (Ok(_), None) if self.signals.stopped() => {
                        let (step, time) = (core.state.step, core.state.time);
                        return End::Failed(SimulationError::Interrupted { step, time });
                    }
                    (Ok(_), None) => {}
                }
            }
        });
        match ended {
            Ok(End::Reached) => Ok(None),
            Ok(End::Met(met)) => Ok(Some(runnable.names(&core.model).tell(&met))),
            Ok(End::Failed(error)) => Err(self.stopped(py, &error, core)),
            Err(bug) => {
                core.drop_workspace();
                Err(bug)
            }
        }
    }

    /// Runs to the end of the scene into a run directory, as the command line does; `resume` goes
    /// on from its last checkpoint. Returns how it ended and the reason.
    fn record(
        &self,
        py: Python<'_>,
        path: &str,
        resume: bool,
        news: Option<Py<PyAny>>,
    ) -> PyResult<(String, String)> {
        let mut work = self.begin(py)?;
        if !work.at_start {
            return Err(not_at_start(py));
        }
        let runnable = &self.scene.get().runnable;
        let interrupt = Interrupt::of(self.signals.poll());
        let failed = |failure: &_| {
            let stopped = self.signals.take();
            stopped.unwrap_or_else(|| of_failure(py, failure))
        };
        let begun = apart(py, || {
            let origin = self.start.as_ref().map(|(origin, _)| origin);
            begin_from(origin, runnable, Path::new(path), resume, &interrupt)
        })?;
        let mut session = match begun.map_err(|failure| failed(&failure))? {
            Beginning::New(session) | Beginning::Resumed(session) => session,
            Beginning::AlreadyFinished(summary) => {
                return Ok((summary.outcome, summary.reason));
            }
        };
        let mut teller = News::new(news);
        let outcome = apart(py, || {
            session.advance(&interrupt, |simulation, _| {
                teller.tell(simulation.state.time, &self.signals);
            })
        })?;
        let outcome = outcome.map_err(|failure| failed(&failure))?;
        let mut core = session.into_simulation();
        core.ask(self.signals.poll());
        work.core = core;
        work.at_start = false;
        match outcome {
            Outcome::Finished(reason) => Ok((outcome::FINISHED.to_owned(), reason)),
            Outcome::Stopped(reason) => Ok((outcome::STOPPED.to_owned(), reason)),
            Outcome::Interrupted => {
                let state = &work.core.state;
                let (step, time) = (state.step, state.time);
                let error = SimulationError::Interrupted { step, time };
                Err(self.stopped(py, &error, &work.core))
            }
            Outcome::Failed(error) => Err(self.stopped(py, &error, &work.core)),
        }
    }

    /// Whether the scene says nothing of what happens here: forces of Python, or what is driven or
    /// set.
    #[getter]
    fn is_led(&self, py: Python<'_>) -> PyResult<bool> {
        let work = self.lock(py)?;
        Ok(!work.forces.is_empty() || work.controls.is_any())
    }

    /// The page of the present state, by way of a run directory with one frame. What is driven is
    /// drawn where it is, whatever the scene says. The simulation is used up: give a copy.
    fn page(&self, py: Python<'_>, path: &str) -> PyResult<String> {
        let mut work = self.lock(py)?;
        let runnable = &self.scene.get().runnable;
        let place = &mut work.core;
        let made = apart(py, || {
            let core = std::mem::replace(place, runnable.simulation()?);
            let obstacles = core.model.obstacles.clone();
            snapshot(runnable, core, Path::new(path))?;
            page(Path::new(path), Some(obstacles), MOST_BYTES, true)
        })?;
        made.map_err(|failure| of_failure(py, &failure))
    }

    /// Moves to static equilibrium; returns pseudo-time steps, Newton iterations and the motion of
    /// the last step in radii.
    fn settle(&self, py: Python<'_>) -> PyResult<(u32, u32, f64)> {
        let mut work = self.begin(py)?;
        if work.forces.iter().any(|force| force.lags()) {
            let message = "an equilibrium is solved for, and a force without a stiffness lags";
            let remedy = "give add_force a stiffness, or damp the motion and run";
            return Err(scene_error(
                py,
                message,
                Some("stiffness"),
                Some(remedy),
                None,
            ));
        }
        work.at_start = false;
        let core = &mut work.core;
        let settled = apart(py, || core.settle()).inspect_err(|_| core.drop_workspace())?;
        let done = settled.map_err(|error| self.stopped(py, &error, core))?;
        Ok((done.steps, done.iterations, done.motion))
    }
}

impl Simulation {
    /// The simulation at the beginning of work that signals can stop.
    pub fn begin(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Work>> {
        let work = self.lock(py)?;
        self.signals.reset();
        Ok(work)
    }

    /// Looks at what a step towards a time, s, of at most so many s begins with: asks the forces
    /// that lag, and refuses turns that it cannot tell.
    pub fn look(&self, py: Python<'_>, work: &Work, step: (f64, f64)) -> PyResult<()> {
        look(py, &work.forces, &work.core);
        self.signals.take().map_or(Ok(()), Err)?;
        self.check_turns(py, &work.controls.drives, &work.core, step)
    }

    /// The same within a run, which it stops where anything is wrong.
    pub fn look_within(
        &self,
        forces: &[Arc<Force>],
        drives: &Drives,
        core: &Core,
        step: (f64, f64),
    ) {
        let looked = Python::try_attach(|py| {
            look(py, forces, core);
            self.check_turns(py, drives, core, step)
        });
        if let Some(Err(why)) = looked {
            self.signals.stop(why);
        }
    }

    /// Refuses a turn of what is driven that would seem to go the other way.
    fn check_turns(
        &self,
        py: Python<'_>,
        drives: &Drives,
        core: &Core,
        (target, largest): (f64, f64),
    ) -> PyResult<()> {
        let largest = largest.min(core.settings.dt);
        let left = target - core.state.time;
        // Equal steps to the target, as the core makes them.
        let dt = match left.is_finite() && left > 0.0 {
            true => left / (left / largest * (1.0 - 1e-9)).ceil().max(1.0),
            false => largest,
        };
        let farthest = drives.farthest_turn(py, &core.model, [core.state.time, dt])?;
        let Some((what, turn)) = farthest.filter(|(_, turn)| *turn > LARGEST_TURN) else {
            return Ok(());
        };
        let names = self.scene.get().runnable.names(&core.model);
        let name = names.tell(&what.name(&core.model));
        let message = format!(
            "{name} turns by {turn:.3} rad in the step of {dt:.3e} s from t = {} s: a turn by more than half of one seems to go the other way",
            core.state.time
        );
        let shorter = 0.8 * dt * LARGEST_TURN / turn;
        let remedy = format!("turn it slower, or let Time(step=..) be at most {shorter:.2e} s");
        Err(scene_error(py, &message, Some("spin"), Some(&remedy), None))
    }

    /// The exception of work that has stopped.
    pub fn stopped(&self, py: Python<'_>, error: &SimulationError, core: &Core) -> PyErr {
        self.signals.take().unwrap_or_else(|| {
            let names = self.scene.get().runnable.names(&core.model);
            simulation_stopped(py, error, core, &names)
        })
    }
}

/// Asks the forces that lag; an exception stops the work.
fn look(py: Python<'_>, forces: &[Arc<Force>], core: &Core) {
    for force in forces {
        force.look(py, &core.model.topology, &core.state);
    }
}

/// What a step did.
#[pyclass(frozen, get_all, module = "writhe._core")]
pub struct Step {
    /// Its size, s.
    dt: f64,
    /// Newton iterations.
    iterations: u32,
    /// Contacts at its end.
    contacts: usize,
    /// Largest normal force of a contact, N.
    largest_contact_force: f64,
    /// Smallest gap among parts of rods that were looked at, m, if any were.
    smallest_gap: Option<f64>,
}

#[pymethods]
impl Step {
    fn __repr__(&self) -> String {
        let Self {
            dt,
            iterations,
            contacts,
            ..
        } = self;
        format!("Step(dt={dt:?}, iterations={iterations}, contacts={contacts})")
    }
}

impl From<StepReport> for Step {
    fn from(report: StepReport) -> Self {
        Self {
            dt: report.dt,
            iterations: report.iterations,
            contacts: report.contacts,
            largest_contact_force: report.largest_contact_force,
            smallest_gap: report.smallest_gap,
        }
    }
}

/// Whoever shows how far a run is.
struct News {
    to: Option<Py<PyAny>>,
    told: Instant,
}

impl News {
    fn new(to: Option<Py<PyAny>>) -> Self {
        let told = Instant::now();
        Self { to, told }
    }

    /// Tells the time, s, if that was long ago; an exception there stops the run.
    fn tell(&mut self, time: f64, signals: &Signals) {
        let Some(to) = &self.to else { return };
        if self.told.elapsed() < BETWEEN_NEWS {
            return;
        }
        self.told = Instant::now();
        if let Some(Err(why)) = Python::try_attach(|py| to.call1(py, (time,))) {
            signals.stop(why);
        }
    }
}

/// The first output time behind the present one, s; without end behind the last.
fn next_output(outputs: &Outputs, core: &Core) -> f64 {
    // What was rounded in another way is no time of its own.
    first_behind(outputs, core.state.time + core.same_time())
}

fn first_behind(outputs: &Outputs, now: f64) -> f64 {
    let mut index = outputs.first();
    // Times ascend with their index: half the rest at a time.
    let mut behind = outputs.last();
    if outputs.time(behind) <= now {
        return f64::INFINITY;
    }
    while index < behind {
        let middle = index + (behind - index) / 2;
        if outputs.time(middle) <= now {
            index = middle + 1;
        } else {
            behind = middle;
        }
    }
    outputs.time(index)
}
