//! A step that makes energy is not the one that was looked for.
//!
//! The balance of a step leaves to the scheme what no work explains. Backward Euler loses energy
//! where the potential is convex along the step, and a two-step scheme nearly keeps it where motion
//! is smooth. A step that makes some all the same ended at another root of its equation (an edge
//! that jumped over its own fold), or differenced across an impact (decision 0047).

use crate::kinetic::rounding;
use crate::model::Model;
use crate::state::State;
use crate::step::{Integrator, StepError, StepSettings};

/// Part of the largest energy so far, and of the sizes of its works, that a step may make.
const TOLERATED: f64 = 5e-4;
/// Part of the heat by drag and damping that a step may make besides: large steps through a viscous
/// fluid know that heat, and the work that feeds it, to some hundredths only, and what they make of
/// it is lost at once.
const TOLERATED_OF_DRAG: f64 = 0.1;

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
    // S of this step alone (ledger.rs).
    let gain = after.scheme - before.scheme;
    let works = after.works - before.works;
    let scale = after.largest + works.size();
    let drag = works.drag.abs() + works.damping.abs();
    if gain <= TOLERATED * scale + TOLERATED_OF_DRAG * drag + rounding(model) {
        return Ok(());
    }
    let part = gain / scale;
    Err(StepError::MadeEnergy { gain, part })
}
