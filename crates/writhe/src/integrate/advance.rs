//! The algorithm of one implicit step: predict, look at the start, solve the balance of the stage, check, accept.

use super::accept::{accept, finish, report};
use super::balance;
use super::barrier;
use super::bodies;
use super::contact::{
    self, check_crossings, check_penetration, friction_from_start, nearest, stiffness,
};
use super::drag::{guess, limit};
use super::error::StepError;
use super::hardening::change_stiffness;
use super::impulses;
use super::newton::{Iterate, NewtonReport};
use super::phases::Phase;
use super::problem::Problem;
use super::scheme::Stage;
use super::settings::StepSettings;
use super::step::StepReport;
use super::workspace::Workspace;
use crate::contact::obstacle::surface::Instants;
use crate::contact::policy::NormalForces;
use crate::fluid::Coupling;
use crate::forces::Acting;
use crate::model::Model;
use crate::state::State;

/// Penetration over the radius beyond which a predicted configuration is not started from.
const MAX_PREDICTED_PENETRATION: f64 = 1e-2;

/// Advances `start` to `end_time`, s, through `stage`.
pub(super) fn advance(
    model: &Model,
    acting: Acting,
    start: &State,
    stage: &Stage,
    end_time: f64,
    settings: &StepSettings,
    ws: &mut Workspace,
) -> Result<(State, StepReport), StepError> {
    check_scheme(model, stage)?;
    let mut predicted = stage.predict(start);
    constrain(model, start, stage, end_time, &mut predicted);

    // What follows from the start: candidates, drag that lags, friction's directions or normal forces, stiffness.
    let nearest = begin_contact(model, start, stage, end_time, settings, &predicted, ws);
    let (force, rate) = prepare_drag(model, acting, start, stage, settings, &predicted, ws)?;
    friction_from_start(model, start, ws)?;
    let wanted = stiffness(model, start, stage, &predicted, nearest, ws)?;
    let change = change_stiffness(model, acting, start, wanted, ws)?;

    // The balance of the stage.
    let (y, progress) = first_guess(model, start, stage, end_time, &predicted, ws)?;
    let problem = Problem {
        model,
        start,
        stage,
        end_time,
        length: model.length_scale(),
        stiffness: change.stiffness,
        target: &predicted,
        acting,
    };
    let mut iterate = Iterate { y, force, progress };
    let newton = solve(&problem, settings, &mut iterate, ws)?;

    // Its end, where nothing may have crossed or gone too deep.
    let end = finish(&problem, &iterate, ws)?;
    check_crossings(model, start, &end.q, ws)?;
    ws.contact.keep(model, &end.q);
    let smallest_gap = ws.contact.smallest_gap(model, &end.q, true);
    let penetration = check_penetration(&problem, smallest_gap, ws)?;

    let report = report(&problem, &newton, &change, (smallest_gap, penetration), ws);
    let mut state = accept(&problem, settings, &iterate, end, rate, ws);
    state.contact.nearest = nearest;
    if acting == Acting::All {
        state.ledger = balance::ledger(&problem, &iterate.y, &state, change.work, ws)?;
    }
    Ok((state, report))
}

/// Refuses what a midpoint step, whose end is extrapolated, cannot have.
fn check_scheme(model: &Model, stage: &Stage) -> Result<(), StepError> {
    let rides = model.obstacles.iter().any(|o| o.riding.is_some());
    if stage.midpoint && (model.contact.policy().needs_end || rides) {
        return Err(StepError::ExtrapolatedEnd);
    }
    Ok(())
}

/// Finds the candidates on the way to `predicted`, and gives contact what it remembers; returns the smallest distance at the start over
/// the radius, if the rule for the stiffness asks for it.
fn begin_contact(
    model: &Model,
    start: &State,
    stage: &Stage,
    end_time: f64,
    settings: &StepSettings,
    predicted: &[f64],
    ws: &mut Workspace,
) -> Option<f64> {
    let clock = ws.phases.start();
    let instants = Instants {
        start: start.time,
        stage: stage.time,
        end: end_time,
        rate: stage.rate,
    };
    ws.contact.begin(model, start, predicted, &instants);
    ws.system.begin_step();
    let remembers = model.contact.policy().remembers();
    if let Some(solve) = settings.friction.filter(|_| !remembers) {
        ws.contact.solve_friction(solve);
    }
    ws.contact.recall(&start.contact, stage.span());
    ws.contact.lag(&start.velocity);
    ws.contact.give(&start.contact.forces);
    let nearest = nearest(model, start, predicted, ws);
    ws.phases.stop(Phase::Candidates, clock);
    nearest
}

/// Solves the balance of the stage from `iterate` on, as the contact model asks.
fn solve(
    problem: &Problem,
    settings: &StepSettings,
    iterate: &mut Iterate,
    ws: &mut Workspace,
) -> Result<NewtonReport, StepError> {
    let model = problem.model;
    let solved = match &model.contact.policy().forces {
        NormalForces::Impulses(contact) => {
            impulses::solve(problem, contact.tolerance, settings, iterate, ws)
        }
        NormalForces::Absent | NormalForces::OfGap | NormalForces::OfSmoothedDistance(_) => {
            contact::solve(problem, settings, iterate, ws)
        }
    };
    solved
        .and_then(|report| barrier::check(problem, ws).map(|()| report))
        .map_err(|error| barrier::explain(problem, error, ws).in_terms_of(&model.topology))
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

/// Assembles the mobility, and refuses a step beyond what lagged drag allows; returns the first guess of the force on every node when drag is solved for, and the largest rate at which it slows a
/// motion, 1/s, when it lags.
fn prepare_drag(
    model: &Model,
    acting: Acting,
    start: &State,
    stage: &Stage,
    settings: &StepSettings,
    predicted: &[f64],
    ws: &mut Workspace,
) -> Result<(Option<Vec<f64>>, Option<f64>), StepError> {
    ws.lagged_drag = None;
    ws.coupled = false;
    let fluid = model.fluid.as_ref().filter(|_| acting == Acting::All);
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
            limit::check(model, settings.scheme, stage.dt(), rate)?;
            (None, Some(rate))
        }
    };
    ws.phases.stop(Phase::Mobility, clock);
    Ok(outcome)
}
