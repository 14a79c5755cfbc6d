//! One implicit step: predict, constrain, solve, accept.

use super::drag::Drag;
use super::error::StepError;
use super::newton::{self, Iterate};
use super::phases::{Phase, Phases};
use super::problem::{Evaluation, Problem};
use super::scheme::{Scheme, Stage};
use super::settings::StepSettings;
use super::system::System;
use crate::contact::sweep::Sweep;
use crate::contact::{ContactModel, ContactStep, Stiffness};
use crate::forces::Acting;
use crate::loads::{Coupling, Fluid, Trial};
use crate::model::Model;
use crate::rod::Kinematics;
use crate::rod::kinematics::position;
use crate::solve::krylov::KrylovWorkspace;
use crate::state::{History, State};

/// Penetration over the radius that automatic stiffness allows.
const MAX_PENETRATION: f64 = 3e-3;
/// Penetration over the radius beyond which a predicted configuration is not started from.
const MAX_PREDICTED_PENETRATION: f64 = 1e-2;
/// Penetration that a raised stiffness aims at.
const AIMED_PENETRATION: f64 = 1.2e-3;

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
    /// Lagged hydrodynamic force, N, `(3 nodes)`.
    pub(super) lagged_drag: Option<Vec<f64>>,
    /// Whether the drag is solved for.
    pub(super) coupled: bool,
    sweep: Sweep,
    kinematics: Kinematics,
}

/// What a step did.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StepReport {
    /// Its size, s.
    pub dt: f64,
    /// Newton iterations: linear solves.
    pub iterations: u32,
    /// Krylov iterations over all of them.
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
        }
    }

    /// Time spent in each part of the steps so far.
    pub fn phases(&self) -> Phases {
        self.phases
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
    let dt = stage.dt();
    let mut predicted = stage.predict(start);
    constrain(model, start, stage, end_time, &mut predicted);

    let clock = ws.phases.start();
    let motion = largest_motion(model, start, &predicted);
    ws.contact.begin(model, &start.q, motion);
    ws.phases.stop(Phase::Candidates, clock);

    let fluid = model.fluid.as_ref().filter(|_| acting == Acting::All);
    let force = prepare_drag(model, fluid, start, &predicted, ws)?;
    // In contact the prediction may lie inside a rod; the start of the step does not.
    let mut y = predicted;
    if ws
        .contact
        .smallest_gap(model, &y)
        .is_some_and(|gap| gap < -MAX_PREDICTED_PENETRATION * model.length_scale())
    {
        y.copy_from_slice(&start.q);
        constrain(model, start, stage, end_time, &mut y);
    }
    let problem = Problem {
        model,
        start,
        stage,
        length: model.length_scale(),
        stiffness: stiffness(model, start, ws)?,
        acting,
    };
    let mut iterate = Iterate { y, force };
    let newton = newton::solve(&problem, settings, &mut iterate, ws)?;

    let (mut q, mut velocity) = stage.finish(start, &iterate.y, &ws.evaluation.velocity);
    let constraints = &model.constraints;
    constraints.apply(&model.topology, &start.frames, &start.q, end_time, &mut q);
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
    check_crossings(model, start, &q, ws)?;
    let smallest_gap = ws.contact.smallest_gap(model, &q);
    let penetration = check_penetration(model, stage, problem.stiffness, smallest_gap, ws)?;
    ws.kinematics.update(&model.topology, &start.frames, &q)?;

    let report = StepReport {
        dt,
        iterations: newton.iterations,
        krylov_iterations: newton.krylov_iterations,
        shortened: newton.shortened,
        contacts: ws.contact.active().len(),
        largest_contact_force: ws.contact.largest_force(),
        penetration,
        smallest_gap,
    };
    let state = State {
        time: end_time,
        step: start.step + 1,
        velocity,
        acceleration: ws.evaluation.acceleration.clone(),
        history: Some(History {
            dt,
            q: start.q.clone(),
            velocity: start.velocity.clone(),
        }),
        frames: ws.kinematics.frames(),
        contact: crate::state::ContactMemory {
            stiffness: problem.stiffness,
        },
        hydrodynamic_force: iterate
            .force
            .or_else(|| ws.lagged_drag.clone())
            .unwrap_or_default(),
        control: start.control,
        q,
    };
    Ok((state, report))
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
}

fn largest_motion(model: &Model, start: &State, predicted: &[f64]) -> f64 {
    let nodes = model.topology.node_dof.iter();
    nodes
        .map(|dof| (position(predicted, *dof) - position(&start.q, *dof)).length())
        .fold(0.0, f64::max)
}

/// Assembles the mobility; returns the first guess of the force on every node when drag is solved for.
fn prepare_drag(
    model: &Model,
    fluid: Option<&Fluid>,
    start: &State,
    predicted: &[f64],
    ws: &mut Workspace,
) -> Result<Option<Vec<f64>>, StepError> {
    ws.lagged_drag = None;
    ws.coupled = false;
    let Some(fluid) = fluid else { return Ok(None) };
    let clock = ws.phases.start();
    let outcome = match fluid.coupling {
        Coupling::Implicit => {
            ws.drag.assemble(model, fluid, predicted)?;
            ws.coupled = true;
            Some(start.hydrodynamic_force.clone())
        }
        Coupling::Lagged => {
            ws.drag.assemble(model, fluid, &start.q)?;
            let velocity: Vec<f64> = model
                .topology
                .node_dof
                .iter()
                .flat_map(|dof| start.velocity[*dof..dof + 3].iter().copied())
                .collect();
            ws.lagged_drag = Some(ws.drag.force_of(&velocity)?);
            None
        }
    };
    ws.phases.stop(Phase::Mobility, clock);
    Ok(outcome)
}

/// Penalty stiffness of this step, N m.
fn stiffness(model: &Model, start: &State, ws: &mut Workspace) -> Result<f64, StepError> {
    let scale = match model.contact {
        ContactModel::Imc(s) => match s.stiffness {
            Stiffness::LargestForce { scale } => scale,
            _ => return Ok(start.contact.stiffness),
        },
        ContactModel::None => return Ok(0.0),
    };
    // T22 Eq. B.4 and B.5: the largest force without contact among nodes of candidates.
    ws.kinematics
        .update(&model.topology, &start.frames, &start.q)?;
    let mut force = vec![0.0; model.topology.dofs];
    crate::forces::add_elastic(model, &ws.kinematics, &start.q, &mut force, None);
    force.iter_mut().for_each(|f| *f = -*f);
    let at = Trial {
        topology: &model.topology,
        kinematics: &ws.kinematics,
        time: start.time,
        q: &start.q,
        velocity: &start.velocity,
        rate: 0.0,
    };
    crate::forces::add_loads(model, Acting::All, &at, &mut force);
    let drag = ws
        .lagged_drag
        .as_deref()
        .unwrap_or(&start.hydrodynamic_force);
    for (dof, f) in model.topology.node_dof.iter().zip(drag.chunks_exact(3)) {
        for k in 0..3 {
            force[dof + k] += f[k];
        }
    }
    let largest = ws
        .contact
        .candidates()
        .iter()
        .flat_map(|(i, j)| crate::contact::step::nodes(model, [*i as usize, *j as usize]))
        .map(|node| position(&force, model.topology.node_dof[node]).length())
        .fold(0.0, f64::max);
    Ok(if largest > 0.0 {
        scale * largest
    } else {
        start.contact.stiffness
    })
}

fn check_crossings(
    model: &Model,
    start: &State,
    q: &[f64],
    ws: &mut Workspace,
) -> Result<(), StepError> {
    if model.contact == ContactModel::None {
        return Ok(());
    }
    let clock = ws.phases.start();
    let crossing = ws.sweep.crossing(model, &start.q, q);
    ws.phases.stop(Phase::Crossings, clock);
    match crossing {
        Some(edges) => {
            let topology = &model.topology;
            let local = |edge: usize| {
                let rod = topology.edge_rod[edge];
                (rod, edge - topology.rods[rod].first_edge)
            };
            Err(StepError::Crossed {
                edges: edges.map(local),
            })
        }
        None => Ok(()),
    }
}

/// Deepest penetration over the radius; an error when automatic stiffness did not hold it.
///
/// A midpoint step balances forces in its middle; its end may lie deeper, by overshoot (a shorter step helps) or because undamped
/// impact goes that deep (a larger stiffness helps).
fn check_penetration(
    model: &Model,
    stage: &Stage,
    stiffness: f64,
    smallest_gap: Option<f64>,
    ws: &Workspace,
) -> Result<f64, StepError> {
    let depth = ws.contact.deepest();
    let automatic =
        matches!(model.contact, ContactModel::Imc(s) if s.stiffness == Stiffness::Automatic);
    if automatic && depth > MAX_PENETRATION {
        return Err(StepError::Penetration {
            depth,
            allowed: MAX_PENETRATION,
            stiffness: stiffness * (depth / AIMED_PENETRATION).min(100.0),
        });
    }
    if !stage.midpoint {
        return Ok(depth);
    }
    let at_end = smallest_gap.map_or(0.0, |gap| -gap / model.length_scale());
    if automatic && at_end > MAX_PENETRATION {
        return Err(StepError::EndPenetration {
            depth: at_end,
            allowed: MAX_PENETRATION,
            stiffness: 2.0 * stiffness,
        });
    }
    Ok(depth.max(at_end))
}
