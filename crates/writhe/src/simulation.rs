//! A run: steps with size control and retry. Where a reader starts.
//!
//! [`Simulation::step`] tries one [`implicit_step`](crate::step::implicit_step) and, when it fails,
//! tries again as decided in `step/control.rs`: with half the size, a stiffer contact, friction
//! that lags, or backward Euler; when steps are easy the size grows back. [`Simulation::run_until`]
//! hits its end time exactly. [`Simulation::settle`] runs to static equilibrium.

mod change;
mod drag;
mod error;
mod gain;
mod jam;
mod loads;
mod pseudo_time;
mod remedy;
mod side_by_side;
mod start;
mod within;

pub use error::SimulationError;
pub use jam::Jam;
use pseudo_time::{
    BALANCED, DRIFT, LARGEST, MAX_STEPS, SETTLED, SHORTER, WARY_STEPS, growth, motion, slowest_time,
};
use remedy::remedy;
pub use side_by_side::run_side_by_side;
pub use start::check_start;

use serde::{Deserialize, Serialize};

use crate::ledger::Ledger;
use crate::model::Model;
use crate::solve::Poll;
use crate::state::State;
use crate::step::control::{Attempt, Decision, MAX_RAISES, is_inaccurate};
use crate::step::{
    Judgement, Phases, SharedTime, StepError, StepReport, StepSettings, Workspace, check_accuracy,
    equilibrium_step, step,
};

/// Part of a step below which two times are the same.
const SAME: f64 = 1e-9;

/// A model with its state, its settings and a workspace.
#[derive(Debug)]
pub struct Simulation {
    /// What is constant within a step; between steps [`change_model`](Self::change_model) changes
    /// it.
    pub model: Model,
    /// What changes.
    pub state: State,
    /// How steps are made.
    pub settings: StepSettings,
    /// Counts so far.
    pub statistics: Statistics,
    workspace: Workspace,
    poll: Poll,
    /// Forces before loads were set since the last step, `(dofs)`.
    forces_before: Option<Vec<f64>>,
    /// Works and heat at the start of the last step.
    ledger_before: Ledger,
}

/// Counts of a run; part of a checkpoint so that a resumed run's summary is that of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: u64,
    /// Failed tries.
    pub rejected_steps: u64,
    /// Newton iterations (linear solves) of accepted steps.
    pub newton_iterations: u64,
    /// Corrections with the matrix at hand, beside them.
    pub simplified: u64,
    /// Krylov iterations of accepted steps.
    pub krylov_iterations: u64,
    /// Accepted steps that ended with a pair in contact.
    pub contact_steps: u64,
    /// Newton iterations of those.
    pub contact_newton_iterations: u64,
    /// Time of the first contact, s.
    pub first_contact: Option<f64>,
    /// Smallest gap of any pair looked at, m.
    pub smallest_gap: Option<f64>,
    /// Deepest penetration over the radius.
    pub deepest_penetration: f64,
    /// Steps rejected because two edges would have crossed, or one would have entered an obstacle.
    /// Accepted steps have none.
    pub crossings_prevented: u64,
    /// Times that the contact stiffness was raised.
    pub stiffness_raises: u64,
    /// Accepted steps in which friction lagged because solving for it had failed.
    pub lagged_steps: u64,
    /// Sum of the estimated errors of steps whose size follows from an accuracy, in radii; those in
    /// contact left out.
    pub time_error: f64,
}

/// What [`Simulation::settle`] did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SettleReport {
    /// Pseudo-time steps.
    pub steps: u32,
    /// Newton iterations.
    pub iterations: u32,
    /// Motion of the last step, in radii.
    pub motion: f64,
}

impl Simulation {
    /// A run of `model` from `state`.
    pub fn new(model: Model, mut state: State, settings: StepSettings) -> Self {
        if state.control.dt == 0.0 {
            state.control.dt = settings.accuracy.map_or(settings.dt, |a| a.first);
        }
        Self {
            workspace: Workspace::new(&model),
            model,
            ledger_before: state.ledger,
            state,
            settings,
            statistics: Statistics::default(),
            poll: Poll::default(),
            forces_before: None,
        }
    }

    /// Steps ask `poll` again and again, in the middle too, whether to go on. One that is told to
    /// stop ends as if it had not begun, with [`SimulationError::Interrupted`].
    pub fn ask(&mut self, poll: Poll) {
        self.workspace.ask(poll.clone());
        self.poll = poll;
    }

    /// Advances by one accepted step of at most `largest`, s.
    ///
    /// # Errors
    /// See [`SimulationError`]; the state is then the last good one.
    pub fn step(&mut self, largest: f64) -> Result<StepReport, SimulationError> {
        let (control, contact) = (self.state.control, self.state.contact.clone());
        let statistics = self.statistics;
        let jumped = self.history_of_jump().map_err(|_| self.interrupted())?;
        let history = jumped.map(|known| std::mem::replace(&mut self.state.history, known));
        let made = self.try_step(largest);
        if made.is_ok() {
            self.forces_before = None;
        }
        made.inspect_err(|error| {
            // A restart from here must do what this try did.
            if let Some(history) = history {
                self.state.history = history;
            }
            self.state.control = control;
            self.state.contact = contact;
            if matches!(error, SimulationError::Interrupted { .. }) {
                self.statistics = statistics;
            }
        })
    }

    fn try_step(&mut self, largest: f64) -> Result<StepReport, SimulationError> {
        check_accuracy(&self.model, &self.settings).map_err(SimulationError::NotForIntegrator)?;
        // Steps that divide an interval evenly may exceed the setting by rounding.
        let mut dt = if largest > self.settings.dt * (1.0 + 1e-8) {
            self.settings.dt
        } else {
            largest
        };
        let mut attempt = Attempt::new(self.settings);
        loop {
            match self.attempt(dt, &attempt.settings) {
                Ok((state, mut report)) => {
                    // Not tried again: many accepted steps have led here.
                    drag::check(&self.state, &state, dt)?;
                    report.decisions = attempt.decisions;
                    self.accept(state, &report);
                    return Ok(report);
                }
                Err(StepError::Interrupted) => return Err(self.interrupted()),
                Err(cause) => {
                    self.statistics.rejected_steps += 1;
                    if matches!(cause, StepError::Crossed { .. } | StepError::Entered { .. }) {
                        self.statistics.crossings_prevented += 1;
                    }
                    match attempt.decide(&cause, || self.may_lag()) {
                        Decision::StiffenContact(stiffness) => {
                            self.statistics.stiffness_raises += 1;
                            self.state.contact.next_stiffness = stiffness;
                        }
                        Decision::ByBackwardEuler | Decision::LagFriction => {}
                        Decision::Halve { stiffness } => {
                            if let Some(stiffness) = stiffness {
                                self.state.contact.next_stiffness = stiffness;
                            }
                            dt = self.shorten(dt, cause)?;
                        }
                    }
                }
            }
        }
    }

    /// Tries a step of `dt`, s: the state at its end, which has made no energy.
    fn attempt(
        &mut self,
        dt: f64,
        settings: &StepSettings,
    ) -> Result<(State, StepReport), StepError> {
        let (state, report) = step(&self.model, &self.state, dt, settings, &mut self.workspace)?;
        // What is asked last for a motion, by whoever prescribes it, may say stop too.
        if self.poll.stopped() {
            return Err(StepError::Interrupted);
        }
        gain::check(&self.model, &self.state, &state, settings)?;
        match report.judgement.filter(is_inaccurate) {
            Some(Judgement { excess, .. }) => Err(StepError::Inaccurate {
                dt,
                times: excess.sqrt(),
            }),
            None => Ok((state, report)),
        }
    }

    fn interrupted(&self) -> SimulationError {
        let (step, time) = (self.state.step, self.state.time);
        SimulationError::Interrupted { step, time }
    }

    /// Whether friction acts that is solved for and could lag.
    fn may_lag(&self) -> bool {
        let contact = &self.model.contact;
        let rides = self.model.obstacles.iter().any(|o| o.riding.is_some());
        let directed = self.model.has_friction_by_direction();
        contact.policy().friction_can_lag() && !rides && !directed && self.model.has_friction()
    }

    fn shorten(&mut self, dt: f64, cause: StepError) -> Result<f64, SimulationError> {
        if matches!(
            cause,
            StepError::Unsupported(_)
                | StepError::OnlyRodsTouch
                | StepError::StartsStretched { .. }
        ) {
            return Err(SimulationError::NotForIntegrator(cause));
        }
        let (step, time) = (self.state.step, self.state.time);
        let remedy = remedy(&cause);
        // Later on it is the geometry that changed, and shorter steps follow it.
        if step == 0 && matches!(cause, StepError::LaggedDrag { .. }) {
            return Err(SimulationError::LaggedDrag { cause, remedy });
        }
        // Steps of one size are what was asked for.
        if !self.settings.adaptive {
            return Err(SimulationError::FixedStep {
                step,
                time,
                dt,
                cause,
                remedy,
            });
        }
        let shorter = 0.5 * dt;
        if shorter < self.settings.dt_min {
            // A coil that jammed is a result and not a failure (decision 0013).
            if let Some(jam) = jam::jam(&self.model, &self.state, &cause) {
                return Err(SimulationError::Jammed {
                    step,
                    time,
                    jam: Box::new(jam),
                    cause,
                });
            }
            return Err(SimulationError::StepTooSmall {
                step,
                time,
                dt,
                cause,
                remedy,
            });
        }
        self.state.control = self.state.control.shortened(shorter);
        Ok(shorter)
    }

    fn accept(&mut self, mut state: State, report: &StepReport) {
        let control = self.state.control;
        // The control of this try: halved sizes hold for the next steps.
        let iterations = report.iterations - report.stalled_iterations;
        state.control = match &report.judgement {
            Some(judgement) => control.judged(judgement, (report.dt, iterations), self.settings.dt),
            None => control.after(iterations, self.settings.dt),
        };
        if let Some(judgement) = &report.judgement {
            let touching = report.contacts > 0;
            if touching && !control.touching {
                // No motion goes on as before an impact.
                state.history = None;
            }
            state.control.touching = touching;
            self.statistics.time_error += judgement.error.unwrap_or(0.0);
        }
        let s = &mut self.statistics;
        s.steps += 1;
        s.lagged_steps += u64::from(report.decisions.friction_lagged);
        s.newton_iterations += u64::from(report.iterations);
        s.simplified += u64::from(report.simplified);
        s.krylov_iterations += report.krylov_iterations as u64;
        if report.contacts > 0 {
            s.contact_steps += 1;
            s.contact_newton_iterations += u64::from(report.iterations);
            s.first_contact.get_or_insert(state.time);
        }
        s.deepest_penetration = s.deepest_penetration.max(report.penetration);
        if let Some(gap) = report.smallest_gap {
            s.smallest_gap = Some(s.smallest_gap.map_or(gap, |g| g.min(gap)));
        }
        self.ledger_before = self.state.ledger;
        self.state = state;
    }

    /// Times that differ by no more than this, s, are the same: by a part of 1e-9 of a step, or by
    /// rounding. A step between them would make velocities of noise.
    pub fn same_time(&self) -> f64 {
        let step = self.state.control.dt.min(self.settings.dt);
        (SAME * step).max(4.0 * f64::EPSILON * self.state.time.abs())
    }

    /// Whether `end`, s, is the present time, or one before it.
    pub fn has_reached(&self, end: f64) -> bool {
        self.state.time + self.same_time() >= end
    }

    /// Advances by one accepted step towards `end`, s, of equal ones of at most `largest`, s: the last
    /// of them ends there exactly.
    ///
    /// # Errors
    /// See [`SimulationError`]; the state is then the last good one. An end that
    /// [is reached](Self::has_reached) is refused.
    pub fn step_towards(&mut self, end: f64, largest: f64) -> Result<StepReport, SimulationError> {
        let remaining = end - self.state.time;
        if self.has_reached(end) || !end.is_finite() {
            let time = self.state.time;
            return Err(SimulationError::EndBeforeNow { end, time });
        }
        // Equal steps to the end, none much smaller than the others; rounding must not add one.
        let count = (remaining / largest * (1.0 - SAME)).ceil().max(1.0);
        let wanted = remaining / count;
        let report = self.step(wanted)?;
        // Sums of steps miss the end by rounding.
        if count == 1.0 && report.dt == wanted {
            self.state.time = end;
        }
        Ok(report)
    }

    /// Runs to `end`, s, exactly; `after_step` sees every accepted step and may stop the run by
    /// returning `false`. Where `end` is the present time [but for rounding](Self::same_time) no step
    /// is made, and the time stays what it is.
    ///
    /// Returns whether the end was reached.
    ///
    /// # Errors
    /// See [`SimulationError`].
    pub fn run_until(
        &mut self,
        end: f64,
        mut after_step: impl FnMut(&Self, &StepReport) -> bool,
    ) -> Result<bool, SimulationError> {
        if self.state.time - self.same_time() > end || !end.is_finite() {
            let time = self.state.time;
            return Err(SimulationError::EndBeforeNow { end, time });
        }
        while !self.has_reached(end) {
            let report = self.step_towards(end, self.state.control.dt)?;
            if !after_step(self, &report) {
                return Ok(self.has_reached(end));
            }
        }
        Ok(true)
    }

    /// Moves to static equilibrium under the loads of the present time: implicit pseudo-time steps
    /// from rest that grow until inertia is negligible. A fluid and other dissipation are left out.
    /// The state's time stays, its velocity ends at zero.
    ///
    /// The first pseudo-step is that of the settings; where it ends follows from the model alone,
    /// and so does the result, unless there are several equilibria. Motion that costs no energy (of
    /// a free rod, say) ends where rounding takes it.
    ///
    /// # Errors
    /// [`SimulationError::NotSettled`], [`SimulationError::NoStatics`], or what made the smallest
    /// pseudo-step fail; with [`SimulationError::Interrupted`] the state is what it was.
    pub fn settle(&mut self) -> Result<SettleReport, SimulationError> {
        let start = self.state.clone();
        self.try_settle().inspect_err(|error| {
            if matches!(error, SimulationError::Interrupted { .. }) {
                self.state = start;
            }
        })
    }

    fn try_settle(&mut self) -> Result<SettleReport, SimulationError> {
        if self.model.contact.policy().impulsive() {
            return Err(SimulationError::NoStatics);
        }
        if let Some(rod) = self.model.flowing_rod() {
            return Err(SimulationError::Flows { rod });
        }
        // Inertia is then (T/dt)^2 = 1e-6 of bending, T the slowest time.
        let mut longest = LARGEST * slowest_time(&self.model);
        let first = (self.settings.accuracy).map_or(self.settings.dt, |a| a.first);
        let first = first.min(longest);
        let mut dt = first;
        let mut before = f64::INFINITY;
        let mut wary = 0_u32;
        let mut report = SettleReport::default();
        let mut raises = 0;
        while report.steps < MAX_STEPS {
            // From rest, so that only the place is carried on: with dt growing, M u'/dt vanishes
            // beside dE/dq - F.
            match equilibrium_step(
                &self.model,
                &self.state,
                dt,
                &self.settings,
                &mut self.workspace,
            ) {
                Ok((state, step)) => {
                    report.steps += 1;
                    report.iterations += step.iterations;
                    report.motion = motion(&self.model, &self.state, &state);
                    self.state = state;
                    // Shorter steps may stop by inertia, short of the equilibrium.
                    if dt >= longest {
                        let drift = report.motion < DRIFT && report.motion > 0.5 * before;
                        if report.motion < SETTLED || drift {
                            return Ok(report);
                        }
                        before = report.motion;
                    }
                    wary = wary.saturating_sub(1);
                    dt = (dt * growth(step.iterations, wary > 0)).min(longest);
                }
                Err(
                    StepError::Penetration { stiffness, .. }
                    | StepError::SoftBarrier { stiffness, .. },
                ) if raises < 4 * MAX_RAISES => {
                    raises += 1;
                    self.state.contact.next_stiffness = stiffness;
                }
                Err(StepError::Interrupted) => return Err(self.interrupted()),
                // Forces balance, and rounding takes corrections along directions without
                // stiffness, as far as the square of the step. Shorter ones stay where they are.
                Err(StepError::NotConverged(found))
                    if found.residual < BALANCED * found.wanted
                        && report.motion < DRIFT
                        && dt > SHORTER * first =>
                {
                    longest = dt / SHORTER;
                    dt = longest;
                }
                Err(cause) => {
                    // Shorter steps are more stable: inertia holds rods near where they are.
                    dt *= 0.25;
                    wary = WARY_STEPS;
                    if dt < 1e-6 * first {
                        let remedy = remedy(&cause);
                        return Err(SimulationError::StepTooSmall {
                            step: self.state.step,
                            time: self.state.time,
                            dt,
                            cause,
                            remedy,
                        });
                    }
                }
            }
        }
        Err(SimulationError::NotSettled {
            steps: report.steps,
            motion: report.motion,
            remedy: "apply the load in smaller parts, or check that an equilibrium exists",
        })
    }

    /// Gives the bodies the velocities that stand in `velocity`, `(dofs)`: a start from equilibrium
    /// by a push.
    pub fn launch_bodies(&mut self, velocity: &[f64]) {
        self.model.launch_bodies(velocity, &mut self.state);
        self.state.ledger = self.state.ledger.interrupted();
    }

    /// Processor time spent in each part of the steps so far.
    pub fn phases(&self) -> Phases {
        self.workspace.phases()
    }

    /// Time on the clock of the steps so far that several threads could share, and of those of them
    /// that one thread made since others did not pay.
    pub fn shared_time(&self) -> SharedTime {
        self.workspace.shared_time()
    }

    /// Throws the workspace away; what follows is the same bit for bit.
    pub fn drop_workspace(&mut self) {
        self.workspace = Workspace::new(&self.model);
        self.workspace.ask(self.poll.clone());
    }
}
