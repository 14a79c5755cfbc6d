//! A step: of either integrator, towards equilibrium, and the algorithm of an implicit one,
//! [`advance`].

use super::accept::{accept, finish};
use super::accuracy;
use super::awake::{awake, helpers};
use super::balance;
use super::barrier;
use super::bodies;
use super::contact::{
    check_crossings, check_penetration, contact_stiffness, friction_from_start, nearest_distance,
};
use super::correction::Matrix;
use super::drag::prepare::prepare_fluid;
use super::error::StepError;
use super::hardening::change_stiffness;
use super::impulses;
use super::newton::{self, Iterate, NewtonReport};
use super::phases::Phase;
use super::problem::Problem;
use super::report::{StepReport, report};
use super::residual::Residual;
use super::scheme::{Scheme, Stage};
use super::settings::{Integrator, StepSettings};
use super::symplectic::symplectic_step;
use super::workspace::Workspace;
use crate::contact::obstacle::frame::Instant;
use crate::contact::{Beginning, ContactFrame};
use crate::contact_model::policy::NormalForces;
use crate::forces::Acting;
use crate::model::Model;
use crate::obstacle::surface::Instants;
use crate::response::{StepMaterial, memory_at_rest};
use crate::state::{DragWatch, State};

/// Penetration over the radius beyond which a predicted configuration is not started from.
const MAX_PREDICTED_PENETRATION: f64 = 1e-2;

/// Which step is to be made.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub model: &'a Model,
    pub start: &'a State,
    /// How velocities follow from positions, and when forces balance.
    pub stage: &'a Stage,
    /// Its end, s.
    pub end_time: f64,
    /// Which loads act.
    pub acting: Acting,
    /// Stiffness and rest shape of the rods.
    pub material: &'a StepMaterial,
    pub settings: &'a StepSettings,
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

/// Advances `start` by `dt`, s. `start` is untouched; the result depends on (model, start, dt,
/// settings) only.
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
    let tolerance = settings.step_tolerance;
    let settings = &StepSettings {
        step_tolerance: (settings.accuracy).map_or(tolerance, |a| a.tolerance(dt, tolerance)),
        ..*settings
    };
    let step = Step {
        model,
        start,
        stage: &stage,
        end_time: start.time + dt,
        acting: Acting::All,
        material: &StepMaterial::of_step(model, start, stage.interval())?,
        settings,
    };
    advance(&step, ws)
}

/// One backward Euler step from rest of size `dt`, s, at constant time and without a non-local
/// fluid: large steps approach equilibrium.
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
    let step = Step {
        model,
        start: &rest,
        stage: &stage,
        end_time: start.time,
        acting: Acting::Conservative,
        material: &StepMaterial::at_rest(model, start.time),
        settings,
    };
    let (mut state, report) = advance(&step, ws)?;
    // No motion, and no history that a step in time could extrapolate.
    state.velocity.fill(0.0);
    state.acceleration.fill(0.0);
    state.history = None;
    let kinematics = &ws.kinematics;
    state.strains = memory_at_rest(model, start.time, kinematics, &state.q);
    state.drag_watch = DragWatch::default();
    state.ledger = start.ledger.interrupted();
    state
        .hydrodynamic_force
        .clone_from(&start.hydrodynamic_force);
    Ok((state, report))
}

/// Makes a step: the state at its end, and what it did.
pub(super) fn advance(step: &Step, ws: &mut Workspace) -> Result<(State, StepReport), StepError> {
    // It is put back below; a panic ends the simulation.
    let mut pace = std::mem::take(&mut ws.pace);
    let made = pace.make(|| awake(helpers(step.model), || advance_alone(step, ws)));
    ws.pace = pace;
    made
}

fn advance_alone(step: &Step, ws: &mut Workspace) -> Result<(State, StepReport), StepError> {
    let Step { model, start, .. } = *step;

    // Where the step is expected to end, with what is prescribed in its place.
    check_scheme(step)?;
    bodies::check_turns(model, start, [start.time, step.end_time])?;
    let predicted = predict(step);

    // What follows from its start: candidates, the fluid, friction's directions or normal forces,
    // stiffness.
    let mut contact = begin_contact(step, &predicted, ws);
    let nearest = nearest_distance(step, &predicted, &mut contact);
    let fluid = prepare_fluid(step, &predicted, ws)?;
    friction_from_start(step, &mut contact, &mut ws.kinematics)?;
    let wanted = contact_stiffness(step, &predicted, nearest, &mut contact, &fluid, ws)?;
    let change = change_stiffness((model, start), step.acting, wanted, &mut contact)?;

    // The balance of the stage: g(y) = 0.
    let (y, progress) = first_guess(step, &predicted, &mut contact)?;
    let mut iterate = Iterate {
        y,
        drag: fluid.first_guess(),
        progress,
    };
    let problem = Problem::new(step, change.stiffness, &predicted);
    let (mut residual, matrix, mut checks) = ws.split(problem, contact, fluid);
    let newton = solve_stage(&mut residual, step.settings, &mut iterate, matrix)?;
    let change = newton.change.unwrap_or(change);
    let wanted = (step.settings.accuracy).filter(|_| step.acting == Acting::All);
    let judgement = wanted
        .map(|wanted| accuracy::judge(&residual, wanted, &iterate, matrix))
        .transpose()?;

    // The end of the step, where nothing may have crossed or gone too deep.
    let end = finish(&mut residual, &iterate, checks.kinematics)?;
    check_crossings(model, start, &end.q, &residual.contact, checks.crossings())?;
    residual.contact.cover(model, &end.q);
    let gap = residual.contact.smallest_gap(model, &end.q, true);
    let penetration = check_penetration(&residual, gap)?;

    let report = StepReport {
        judgement,
        ..report(&residual, &newton, &change, (gap, penetration))
    };
    let mut state = accept(&residual, step.settings, &iterate, end, checks.kinematics);
    state.contact.nearest = nearest;
    let orientation = &state.frames.orientation;
    bodies::check_motors(model, &start.broken, orientation, step.end_time)?;
    if step.acting == Acting::All {
        let done = (&iterate.y[..], change.work);
        state.ledger = balance::ledger(&residual, done, &state, checks.kinematics)?;
    }
    Ok((state, report))
}

/// Refuses what no implicit step knows.
///
/// # Errors
/// [`StepError::OnlyRodsTouch`].
pub fn check_implicit(model: &Model) -> Result<(), StepError> {
    let others = !model.bodies.is_empty() || !model.obstacles.is_empty();
    match others && model.contact.policy().impulsive() {
        true => Err(StepError::OnlyRodsTouch),
        false => Ok(()),
    }
}

/// Refuses what no implicit step knows, and what a midpoint step, whose end is extrapolated, cannot
/// have.
fn check_scheme(step: &Step) -> Result<(), StepError> {
    let model = step.model;
    check_implicit(model)?;
    let rides = model.obstacles.iter().any(|o| o.riding.is_some());
    if step.stage.midpoint && (model.contact.policy().needs_end || rides) {
        return Err(StepError::ExtrapolatedEnd);
    }
    if step.stage.midpoint && model.has_retardation() {
        return Err(StepError::RatesInMiddle);
    }
    Ok(())
}

/// Where the stage is expected, with what is prescribed in its place.
pub(super) fn predict(step: &Step) -> Vec<f64> {
    let mut predicted = step.stage.predict(&step.model.topology, step.start);
    constrain(step, &mut predicted);
    predicted
}

/// What contact takes from the start of the step, friction too.
pub(super) fn begin(
    step: &Step,
    predicted: &[f64],
    ws: &mut Workspace,
) -> Result<ContactFrame, StepError> {
    let mut contact = begin_contact(step, predicted, ws);
    friction_from_start(step, &mut contact, &mut ws.kinematics)?;
    Ok(contact)
}

/// Writes the prescribed unknowns of the stage.
fn constrain(step: &Step, y: &mut [f64]) {
    let Step {
        model,
        start,
        stage,
        end_time,
        ..
    } = *step;
    let mut end = start.q.clone();
    let span = [start.time, end_time];
    model
        .constraints
        .apply(&model.topology, &start.frames, &start.q, span, &mut end);
    // Prescribed is the end of the step; a midpoint stage is half way there.
    stage.stage_of_end(&start.q, &mut end);
    for ((y, end), fixed) in y.iter_mut().zip(&end).zip(model.constraints.fixed()) {
        if *fixed {
            *y = *end;
        }
    }
    // Last, since welded unknowns follow from those of their bodies.
    bodies::follow(model, start, stage.midpoint, y);
}

/// Contact on the way to `predicted`.
fn begin_contact(step: &Step, predicted: &[f64], ws: &mut Workspace) -> ContactFrame {
    let Step {
        model,
        start,
        stage,
        ..
    } = *step;
    let clock = ws.phases.start();
    let at = Instants {
        start: start.time,
        stage: stage.time,
        end: step.end_time,
        rate: stage.rate,
        span: stage.span(),
    };
    let mut beginning = Beginning {
        predicted,
        ..Beginning::new(model, start, at)
    };
    if let Some(solve) = step.settings.friction {
        beginning.friction = model.contact.policy().friction_in_place(solve);
    }
    let contact = ContactFrame::new(model, &beginning);
    ws.matrix.system.begin_step();
    ws.phases.stop(Phase::Candidates, clock);
    contact
}

/// Where Newton's method starts, and how far obstacles have come: the prediction, unless it lies
/// inside a rod; the start of the step does not.
fn first_guess(
    step: &Step,
    predicted: &[f64],
    contact: &mut ContactFrame,
) -> Result<(Vec<f64>, f64), StepError> {
    let (model, start) = (step.model, step.start);
    if model.contact.policy().barrier {
        return barrier::first_guess(model, start, predicted, contact);
    }
    // The prediction goes on with the velocities of the last step, which saves iterations, with
    // friction most (decision 0013): only depth speaks against it.
    let allowed = MAX_PREDICTED_PENETRATION * model.length_scale();
    let gap = contact.smallest_gap(model, predicted, false);
    if gap.is_none_or(|gap| gap >= -allowed) {
        return Ok((predicted.to_vec(), 1.0));
    }
    let mut y = start.q.clone();
    constrain(step, &mut y);
    Ok((y, 1.0))
}

/// Solves the balance of the stage from `iterate` on, as the contact model asks.
fn solve_stage(
    residual: &mut Residual,
    settings: &StepSettings,
    iterate: &mut Iterate,
    matrix: &mut Matrix,
) -> Result<NewtonReport, StepError> {
    let model = residual.problem.model;
    // Given forces are corrected between solves; all others are functions of the trial.
    let solved = match &model.contact.policy().forces {
        NormalForces::Impulses(contact) => {
            impulses::solve(residual, contact.tolerance, settings, iterate, matrix)
        }
        NormalForces::Absent | NormalForces::OfGap | NormalForces::OfSmoothedDistance(_) => {
            solve_rounds(residual, settings, iterate, matrix)
        }
    };
    // A balance with a gap next to nothing is refused; a crushed barrier asks for stiffness.
    solved
        .and_then(|report| barrier::check(residual).map(|()| report))
        .map_err(|error| barrier::explain(residual, error).in_terms_of(&model.topology))
}

/// Solves once, or with lagged friction as often as its settings say, each time with the normal
/// forces found before.
fn solve_rounds(
    residual: &mut Residual,
    settings: &StepSettings,
    iterate: &mut Iterate,
    matrix: &mut Matrix,
) -> Result<NewtonReport, StepError> {
    let Problem {
        model,
        stage,
        contact_stiffness,
        ..
    } = residual.problem;
    let mut report = newton::solve(residual, settings, iterate, matrix)?;
    for _ in 1..residual.contact.friction_solve().rounds() {
        let at = residual.at.trial(model, stage, &iterate.y);
        (residual.contact).lag_normal_forces(model, &at, contact_stiffness, Instant::Stage);
        report.add(&newton::solve(residual, settings, iterate, matrix)?);
    }
    Ok(report)
}
