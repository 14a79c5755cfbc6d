//! One implicit step: predict, constrain, solve, accept.

use super::balance;
use super::barrier;
use super::bodies;
use super::contact::{
    self, check_crossings, check_penetration, friction_from_start, nearest, stiffness,
};
use super::drag::{Drag, LaggedForce, gain, guess, limit};
use super::drive;
use super::error::StepError;
use super::hardening::{Change, change_stiffness};
use super::impulses;
use super::newton::Iterate;
use super::phases::{Phase, Phases};
use super::problem::{Evaluation, Problem};
use super::scheme::{Scheme, Stage};
use super::settings::{Integrator, StepSettings};
use super::symplectic::{Projection, Quasistatic, symplectic_step};
use super::system::System;
use crate::contact::ContactStep;
use crate::contact::obstacle::surface::Instants;
use crate::contact::policy::NormalForces;
use crate::contact::sweep::Sweep;
use crate::forces::Acting;
use crate::loads::{Coupling, Fluid};
use crate::model::Model;
use crate::rod::Kinematics;
use crate::solve::Poll;
use crate::solve::krylov::KrylovWorkspace;
use crate::state::{DragWatch, History, State};

/// Penetration over the radius beyond which a predicted configuration is not started from.
const MAX_PREDICTED_PENETRATION: f64 = 1e-2;

/// Disposable storage of a step; a step gives the same bits with a fresh one.
#[derive(Debug)]
pub struct Workspace {
    pub(super) system: System,
    pub(super) drag: Drag,
    pub(super) krylov: KrylovWorkspace,
    pub(super) contact: ContactStep,
    pub(super) evaluation: Evaluation,
    pub(super) phases: Phases,
    /// `u + B F` at the last trial, m/s, `(3 nodes)`.
    pub(super) slip: Vec<f64>,
    /// Lagged hydrodynamic force.
    pub(super) lagged_drag: Option<LaggedForce>,
    /// Whether the drag is solved for.
    pub(super) coupled: bool,
    pub(super) sweep: Sweep,
    pub(super) kinematics: Kinematics,
    pub(super) quasistatic: Quasistatic,
    pub(super) projection: Projection,
    poll: Poll,
}

/// What a step did.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StepReport {
    /// Its size, s.
    pub dt: f64,
    /// Newton iterations: linear solves; iterations of the projection, if the step is explicit.
    pub iterations: u32,
    /// Krylov iterations over all of them and for lagged drag; with Spillmann and Teschner's contact, solves with the factor at hand that correct forces.
    pub krylov_iterations: usize,
    /// Corrections that the line search shortened.
    pub shortened: u32,
    /// Pairs of edges in contact at its end.
    pub contacts: usize,
    /// Largest normal force of a pair, N.
    pub largest_contact_force: f64,
    /// Deepest penetration over the radius, 0 without.
    pub penetration: f64,
    /// Smallest gap among pairs that were near enough to be looked at, m.
    pub smallest_gap: Option<f64>,
    /// Smallest gap of a pair in contact at any of Newton's trials, m.
    pub smallest_trial_gap: Option<f64>,
    /// What a change of the contact stiffness at its start did to the energy of contacts, J.
    pub stiffness_work: f64,
}

impl Workspace {
    /// Storage for steps of `model`.
    pub fn new(model: &Model) -> Self {
        Self {
            system: System::new(model),
            drag: Drag::default(),
            krylov: KrylovWorkspace::default(),
            contact: ContactStep::default(),
            evaluation: Evaluation::default(),
            phases: Phases::default(),
            slip: Vec::new(),
            lagged_drag: None,
            coupled: false,
            sweep: Sweep::default(),
            kinematics: Kinematics::default(),
            quasistatic: Quasistatic::default(),
            projection: Projection::default(),
            poll: Poll::default(),
        }
    }

    /// Steps are to ask `poll` whether to go on.
    pub fn ask(&mut self, poll: Poll) {
        self.system.poll = poll.clone();
        self.projection.poll = poll.clone();
        self.quasistatic.poll = poll.clone();
        self.poll = poll;
    }

    /// Goes on unless the step should stop.
    pub(super) fn check_poll(&self) -> Result<(), StepError> {
        Ok(self.poll.check()?)
    }

    /// Time spent in each part of the steps so far.
    pub fn phases(&self) -> Phases {
        self.phases
    }
}

/// One step of the integrator that the settings name.
pub(crate) fn step(
    model: &Model,
    start: &State,
    dt: f64,
    settings: &StepSettings,
    ws: &mut Workspace,
) -> Result<(State, StepReport), StepError> {
    match settings.integrator {
        Integrator::Implicit => implicit_step(model, start, dt, settings, ws),
        Integrator::SymplecticProjected => symplectic_step(model, start, dt, ws),
    }
}

/// Advances `start` by `dt`, s. `start` is untouched; the result depends on (model, start, dt, settings) only.
///
/// # Errors
/// See [`StepError`].
pub fn implicit_step(
    model: &Model,
    start: &State,
    dt: f64,
    settings: &StepSettings,
    ws: &mut Workspace,
) -> Result<(State, StepReport), StepError> {
    let stage = Stage::new(settings.scheme, start, dt);
    let acting = Acting::All;
    advance(model, acting, start, &stage, start.time + dt, settings, ws)
}

/// One backward Euler step from rest of size `dt`, s, at constant time and without a non-local fluid: large steps approach
/// equilibrium.
pub(crate) fn equilibrium_step(
    model: &Model,
    start: &State,
    dt: f64,
    settings: &StepSettings,
    ws: &mut Workspace,
) -> Result<(State, StepReport), StepError> {
    let mut rest = start.clone();
    rest.velocity.fill(0.0);
    rest.history = None;
    let stage = Stage::new(Scheme::BackwardEuler, &rest, dt).at(start.time);
    let (mut state, report) = advance(
        model,
        Acting::Conservative,
        &rest,
        &stage,
        start.time,
        settings,
        ws,
    )?;
    state.velocity.fill(0.0);
    state.acceleration.fill(0.0);
    state.history = None;
    state.drag_watch = DragWatch::default();
    state.ledger = start.ledger.interrupted();
    state
        .hydrodynamic_force
        .clone_from(&start.hydrodynamic_force);
    Ok((state, report))
}

fn advance(
    model: &Model,
    acting: Acting,
    start: &State,
    stage: &Stage,
    end_time: f64,
    settings: &StepSettings,
    ws: &mut Workspace,
) -> Result<(State, StepReport), StepError> {
    let rides = model.obstacles.iter().any(|o| o.riding.is_some());
    if stage.midpoint && (model.contact.policy().needs_end || rides) {
        return Err(StepError::ExtrapolatedEnd);
    }
    let dt = stage.dt();
    let mut predicted = stage.predict(start);
    constrain(model, start, stage, end_time, &mut predicted);

    let clock = ws.phases.start();
    let instants = Instants {
        start: start.time,
        stage: stage.time,
        end: end_time,
        rate: stage.rate,
    };
    ws.contact.begin(model, start, &predicted, &instants);
    ws.system.begin_step();
    if let Some(solve) = settings
        .friction
        .filter(|_| !model.contact.policy().remembers())
    {
        ws.contact.solve_friction(solve);
    }
    ws.contact.recall(&start.contact, stage.span());
    ws.contact.lag(&start.velocity);
    ws.contact.give(&start.contact.forces);
    let nearest = nearest(model, start, &predicted, ws);
    ws.phases.stop(Phase::Candidates, clock);

    let fluid = model.fluid.as_ref().filter(|_| acting == Acting::All);
    let (force, rate) = prepare_drag(model, fluid, start, &predicted, ws)?;
    if let Some(rate) = rate {
        limit::check(model, settings.scheme, dt, rate)?;
    }
    friction_from_start(model, start, ws)?;
    let wanted = stiffness(model, start, stage, &predicted, nearest, ws)?;
    let Change { stiffness, work } = change_stiffness(model, acting, start, wanted, ws)?;
    let (y, progress) = first_guess(model, start, stage, end_time, &predicted, ws)?;
    let problem = Problem {
        model,
        start,
        stage,
        length: model.length_scale(),
        stiffness,
        target: &predicted,
        acting,
    };
    let mut iterate = Iterate { y, force, progress };
    let newton = match &model.contact.policy().forces {
        NormalForces::Impulses(contact) => {
            impulses::solve(&problem, contact.tolerance, settings, &mut iterate, ws)
        }
        NormalForces::Absent | NormalForces::OfGap | NormalForces::OfSmoothedDistance(_) => {
            contact::solve(&problem, settings, &mut iterate, ws)
        }
    }
    .and_then(|report| barrier::check(&problem, ws).map(|()| report))
    .map_err(|error| barrier::explain(&problem, error, ws).in_terms_of(&model.topology))?;

    let (mut q, mut velocity) = stage.finish(start, &iterate.y, &ws.evaluation.velocity);
    let constraints = &model.constraints;
    constraints.apply(&model.topology, &start.frames, &start.q, end_time, &mut q);
    bodies::follow(model, start, false, &mut q);
    if stage.midpoint {
        // Extrapolated, a velocity that jumped at the start would go on alternating.
        constraints.apply_velocity(
            &model.topology,
            &start.frames,
            &q,
            end_time,
            dt,
            &mut velocity,
        );
    }
    ws.kinematics.update(&model.topology, &start.frames, &q)?;
    ws.contact.arrive(model, &q, &ws.kinematics.orientation);
    check_crossings(model, start, &q, ws)?;
    ws.contact.keep(model, &q);
    let smallest_gap = ws.contact.smallest_gap(model, &q, true);
    let penetration = check_penetration(&problem, smallest_gap, ws)?;

    let report = StepReport {
        dt,
        iterations: newton.iterations,
        krylov_iterations: newton.krylov_iterations
            + ws.lagged_drag.as_ref().map_or(0, |d| d.krylov_iterations),
        shortened: newton.shortened,
        contacts: ws.contact.contacts(),
        largest_contact_force: ws.contact.largest_force(),
        penetration,
        smallest_gap,
        smallest_trial_gap: ws.contact.tightest(),
        stiffness_work: work,
    };
    let pushed = ws.contact.obstacles().reaction();
    let driven = ws.evaluation.drive_reaction.into_iter().chain(pushed);
    let driven = driven.reduce(f64::max);
    let mut acceleration = ws.evaluation.acceleration.clone();
    bodies::finish(
        model,
        start,
        stage,
        &ws.evaluation.bodies,
        &ws.kinematics,
        &mut velocity,
        &mut acceleration,
    );
    let mut before = start.q.clone();
    bodies::rebase(model, &iterate.y, &mut q, &mut before, &mut velocity);
    let lagged = ws.lagged_drag.take().map(|drag| drag.force);
    let stage_velocity = &ws.evaluation.velocity[..];
    let mut drag_watch = match (&iterate.force, &lagged) {
        (Some(force), _) => gain::watch(model, start, force, &velocity, Some(stage_velocity), dt),
        (None, Some(force)) => gain::watch(model, start, force, &velocity, None, dt),
        (None, None) => start.drag_watch,
    };
    if let Some(rate) = rate.filter(|_| !start.drag_watch.knows_rate(model)) {
        drag_watch.moved -= start.drag_watch.moved;
        drag_watch.rate = rate;
    }
    let mut state = State {
        time: end_time,
        step: start.step + 1,
        velocity,
        acceleration,
        history: Some(History {
            dt,
            q: before,
            velocity: start.velocity.clone(),
        }),
        engine: Vec::new(),
        tension: Vec::new(),
        frames: ws.kinematics.frames(),
        broken: bodies::broken(model, start, &iterate.y),
        contact: crate::state::ContactMemory {
            stiffness: problem.stiffness,
            anchors: ws.contact.anchors(),
            obstacle_anchors: ws.contact.obstacles().anchors().to_vec(),
            next_stiffness: barrier::next_stiffness(model, problem.stiffness, ws),
            nearest,
            hardened: ws.contact.hardening().0.clone(),
            forces: ws.contact.given().to_vec(),
        },
        hydrodynamic_force: iterate.force.or_else(|| lagged.clone()).unwrap_or_default(),
        drag_watch,
        drag_history: lagged.map_or(Vec::new(), |force| guess::remember(start, force)),
        reactions: drive::remember(start, end_time, driven, settings),
        control: start.control,
        ledger: start.ledger,
        q,
    };
    if acting == Acting::All {
        state.ledger = balance::ledger(&problem, &iterate.y, &state, work, ws)?;
    }
    Ok((state, report))
}

/// Where Newton's method starts, and how far obstacles have come: the prediction, unless it lies inside a rod; the start of the step
/// does not.
fn first_guess(
    model: &Model,
    start: &State,
    stage: &Stage,
    end_time: f64,
    predicted: &[f64],
    ws: &mut Workspace,
) -> Result<(Vec<f64>, f64), StepError> {
    if model.contact.policy().barrier {
        return barrier::first_guess(model, start, predicted, ws);
    }
    let allowed = MAX_PREDICTED_PENETRATION * model.length_scale();
    let gap = ws.contact.smallest_gap(model, predicted, false);
    if gap.is_none_or(|gap| gap >= -allowed) {
        return Ok((predicted.to_vec(), 1.0));
    }
    let mut y = start.q.clone();
    constrain(model, start, stage, end_time, &mut y);
    Ok((y, 1.0))
}

/// Writes the prescribed unknowns of the stage.
fn constrain(model: &Model, start: &State, stage: &Stage, end_time: f64, y: &mut [f64]) {
    let mut end = start.q.clone();
    model
        .constraints
        .apply(&model.topology, &start.frames, &start.q, end_time, &mut end);
    stage.stage_of_end(&start.q, &mut end);
    for ((y, end), fixed) in y.iter_mut().zip(&end).zip(model.constraints.fixed()) {
        if *fixed {
            *y = *end;
        }
    }
    bodies::follow(model, start, stage.midpoint, y);
}

/// Assembles the mobility; returns the first guess of the force on every node when drag is solved for, and the largest rate at which it slows a
/// motion, 1/s, when it lags.
fn prepare_drag(
    model: &Model,
    fluid: Option<&Fluid>,
    start: &State,
    predicted: &[f64],
    ws: &mut Workspace,
) -> Result<(Option<Vec<f64>>, Option<f64>), StepError> {
    ws.lagged_drag = None;
    ws.coupled = false;
    let Some(fluid) = fluid else {
        return Ok((None, None));
    };
    ws.check_poll()?;
    let clock = ws.phases.start();
    let outcome = match fluid.coupling {
        Coupling::Implicit => {
            ws.drag.assemble(model, fluid, predicted)?;
            ws.coupled = true;
            (Some(start.hydrodynamic_force.clone()), None)
        }
        Coupling::Lagged => {
            ws.drag.assemble(model, fluid, &start.q)?;
            let velocity: Vec<f64> = model
                .topology
                .node_dof
                .iter()
                .flat_map(|dof| start.velocity[*dof..dof + 3].iter().copied())
                .collect();
            let guess = guess::lagged_force(start);
            let drag = ws
                .drag
                .lagged_force(model, &velocity, guess, &mut ws.krylov, &ws.poll)?;
            ws.lagged_drag = Some(drag);
            let rate = match start.drag_watch {
                watch if watch.knows_rate(model) => watch.rate,
                _ => ws.drag.rate(model, start, &mut ws.krylov)?,
            };
            (None, Some(rate))
        }
    };
    ws.phases.stop(Phase::Mobility, clock);
    Ok(outcome)
}
