//! Barriers around a step: how stiff they are, and where Newton's method may start.

use super::error::StepError;
use super::hardening::Start;
use super::problem::Problem;
use super::residual::Residual;
use super::scheme::Stage;
use crate::contact::ContactFrame;
use crate::contact_model::policy::AutomaticStiffness;
use crate::model::Model;
use crate::state::State;

/// Smallest gap over its range that the stiffness of the last step may have left; below it rods are
/// moved back to the middle ...
const TOO_TIGHT: f64 = 0.1;
/// ... and above this one, where the barrier is much stiffer than it need be.
const TOO_LOOSE: f64 = 0.7;
/// Largest drop of the stiffness from step to step.
const LARGEST_DROP: f64 = 4.0;
/// Gap over its range, at an iterate that did not converge, that asks for a stiffer barrier and not
/// for a shorter step.
const CRUSHED: f64 = 1e-2;
/// Factor of that raise.
const RAISE: f64 = 10.0;
/// Least raise within a step.
const LEAST_RAISE: f64 = 1.2;
/// Smallest gap over its range that is accepted. The barrier's force there changes by its own size
/// within a millionth of the range, and with coordinates ten thousand times the range it still has
/// five digits.
const TIGHTEST: f64 = 1e-6;

/// Automatic stiffness of a barrier, N m: a function of the step's start and of where it is
/// predicted to go.
///
/// Li et al. 2020 balance the gradients of barrier and elastic energy. At the end of a converged
/// step they are in balance, so what the barrier carried then is the estimate here
/// ([`next_stiffness`]); that of a first touch is what stops the predicted motion.
pub(super) fn stiffness(
    model: &Model,
    start: &State,
    stage: &Stage,
    predicted: &[f64],
    contact: &ContactFrame,
) -> f64 {
    let impact = contact.impact_stiffness(model, predicted, stage.rate);
    start
        .contact
        .next()
        .max(impact)
        .min(model.largest_barrier_stiffness())
        .max(model.first_contact_stiffness())
}

/// Stiffness to go on with after a step whose last trial is accepted, N m; 0 for the same.
pub(super) fn next_stiffness(residual: &Residual) -> f64 {
    let Problem {
        model,
        contact_stiffness: stiffness,
        ..
    } = residual.problem;
    // Upwards at once, downwards in parts; in between a stiffness stays (decision 0010).
    match residual.contact.barrier_load(model, &residual.at.contact) {
        Some(load) if load.room < TOO_TIGHT => load.wanted,
        Some(load) if load.tightest > TOO_LOOSE => load.wanted.max(stiffness / LARGEST_DROP),
        _ => 0.0,
    }
}

/// A configuration with gaps on the way from `start` to `predicted`, and the part of the time to
/// the stage at which obstacles are there: both as far as no gap closes, with what is prescribed
/// farther, to its end if nothing is in its way.
pub(super) fn first_guess(
    model: &Model,
    start: &State,
    predicted: &[f64],
    contact: &mut ContactFrame,
) -> Result<(Vec<f64>, f64), StepError> {
    // Obstacles begin at their own start, as rods do (decision 0042).
    let mut progress = if contact.obstacles().move_by_themselves() {
        0.0
    } else {
        1.0
    };
    contact.move_obstacles(model, progress);
    let way: Vec<f64> = predicted.iter().zip(&start.q).map(|(p, q)| p - q).collect();
    let fraction = contact.max_step(model, &start.q, &way, 1.0);
    // Nothing is in the way: the prediction to the last bit.
    if fraction == 1.0 {
        return Ok((predicted.to_vec(), 1.0));
    }
    contact.cover(model, &start.q);
    // Bounds keep gaps open; where one is closed at the start there is nothing to keep.
    if let Some(gap) = contact.least_gap(model, &start.q).filter(|gap| *gap <= 0.0) {
        return Err(StepError::StartsInContact { gap });
    }
    // Rods and obstacles as far as gaps stay open ...
    let mut y: Vec<f64> = start
        .q
        .iter()
        .zip(&way)
        .map(|(q, d)| q + fraction * d)
        .collect();
    progress += fraction * (1.0 - progress);
    contact.move_obstacles(model, progress);
    // ... then what is prescribed alone. What is left after that belongs to Newton's corrections.
    let left = prescribed_motion(model, &y, predicted);
    let fraction = contact.max_step(model, &y, &left, 1.0);
    for ((y, d), p) in y.iter_mut().zip(&left).zip(predicted) {
        *y = if *d == 0.0 {
            *y
        } else if fraction == 1.0 {
            *p
        } else {
            *y + fraction * d
        };
    }
    if fraction == 1.0 {
        return Ok((y, 1.0));
    }
    Ok((y, progress + fraction * (1.0 - progress)))
}

/// What prescribed unknowns have still to go from `y` to the step's `target`; zero for free ones,
/// `(dofs)`.
pub(super) fn prescribed_motion(model: &Model, y: &[f64], target: &[f64]) -> Vec<f64> {
    let fixed = model.constraints.fixed().iter().enumerate();
    let prescribed = fixed.map(|(dof, fixed)| *fixed && !model.bodies.follows(dof));
    y.iter()
        .zip(target)
        .zip(prescribed)
        .map(|((y, target), prescribed)| if prescribed { target - y } else { 0.0 })
        .collect()
}

/// Refuses a balance in which a gap is next to nothing beside the barrier's range: the force there
/// hangs on the last digits of positions. Asks for a stiffer barrier where one became too tight
/// within the step: at its start there is room for it.
pub(super) fn check(residual: &Residual) -> Result<(), StepError> {
    let (problem, model) = (residual.problem, residual.problem.model);
    if !model.contact.policy().barrier {
        return Ok(());
    }
    let Some(load) = (residual.contact).barrier_load(model, &residual.at.contact) else {
        return Ok(());
    };
    if load.tightest < TIGHTEST {
        return Err(StepError::TightBarrier { gap: load.tightest });
    }
    let stiffer = load.wanted.min(model.largest_barrier_stiffness());
    if load.room < TOO_TIGHT
        && model.contact.policy().automatic_stiffness() == Some(AutomaticStiffness::Load)
        // A smaller raise would hardly widen the gap.
        && stiffer > LEAST_RAISE * problem.contact_stiffness
        && tightened(residual)?
    {
        return Err(StepError::SoftBarrier {
            gap: load.tightest,
            stiffness: stiffer,
        });
    }
    Ok(())
}

/// Whether a barrier is too tight that was not at the start of the step.
fn tightened(residual: &Residual) -> Result<bool, StepError> {
    let Problem { model, start, .. } = residual.problem;
    let start = Start::of(model, start, &residual.contact)?;
    let tight = residual.at.contact.touching().any(|contact| {
        let touch = (start.touching).binary_search_by_key(&contact.contact, |t| t.contact);
        let range = (model.contact.law(contact.scale, 1.0)).map_or(0.0, |law| law.range());
        // The gap at the start, or all of the range if it was open: there a raise makes no energy.
        let room = touch.map_or(range, |k| start.touching[k].gap);
        contact.gap < TOO_TIGHT * room
    });
    Ok(tight)
}

/// What to say of a step that failed with `error`: where a barrier was crushed, that it should be
/// stiffer.
pub(super) fn explain(residual: &Residual, error: StepError) -> StepError {
    let Problem {
        model,
        contact_stiffness,
        ..
    } = residual.problem;
    let crushed = matches!(
        error,
        StepError::NotConverged(_) | StepError::TightBarrier { .. }
    );
    if !crushed {
        return error;
    }
    // Gaps all but closed by trials ask for a stiffer barrier, not a shorter step (decision 0010).
    let automatic = model.contact.policy().automatic_stiffness() == Some(AutomaticStiffness::Load);
    let load = (residual.contact).barrier_load(model, &residual.at.contact);
    let tightest = load.map_or(1.0, |load| load.tightest);
    let stiffness = RAISE * contact_stiffness;
    if automatic && tightest < CRUSHED && stiffness < model.largest_barrier_stiffness() {
        StepError::SoftBarrier {
            gap: tightest,
            stiffness,
        }
    } else {
        error
    }
}

#[cfg(test)]
mod tests;
