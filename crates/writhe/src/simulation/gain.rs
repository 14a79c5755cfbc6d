//! A step that makes energy is not the one that was looked for.
//!
//! The balance of a step leaves to the scheme what no work explains. Backward Euler loses energy where the potential is convex along the step, and
//! a two-step scheme nearly keeps it where motion is smooth. A step that makes some all the same ended at another root of its equation (an edge
//! that jumped over its own fold, a rod that left its stretched neighbours), or differenced across an impact.

use crate::energy::rounding;
use crate::integrate::{Integrator, Scheme, StepError, StepSettings};
use crate::model::Model;
use crate::state::State;

/// Part of the largest energy so far, and of the sizes of its works, that a step may make.
const TOLERATED: f64 = 5e-4;
/// Part of its works that a step of second order may make where motion begins, which is where works are more than half of the largest energy
/// so far: such steps lose and gain by turns there. Backward Euler only loses.
const TOLERATED_AT_FIRST: f64 = 2e-2;

/// Refuses the step from `start` to `end` when it made energy.
pub(super) fn check(
    model: &Model,
    start: &State,
    end: &State,
    settings: &StepSettings,
) -> Result<(), StepError> {
    if !settings.adaptive || settings.integrator != Integrator::Implicit {
        return Ok(());
    }
    let (before, after) = (&start.ledger, &end.ledger);
    let gain = after.scheme - before.scheme;
    let (largest, works) = (after.largest, (after.works - before.works).size());
    let begins = works > 0.5 * largest && settings.scheme != Scheme::BackwardEuler;
    let of_works = if begins {
        TOLERATED_AT_FIRST
    } else {
        TOLERATED
    };
    if gain <= TOLERATED * largest + of_works * works + rounding(model) {
        return Ok(());
    }
    let part = gain / (largest + works);
    Err(StepError::MadeEnergy { gain, part })
}
