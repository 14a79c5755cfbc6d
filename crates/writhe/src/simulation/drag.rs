//! Drag that gives energy ends a run.

use super::SimulationError;
use crate::state::{DragWatch, State};
use crate::step::MOST_GAINS;

const REMEDY: &str =
    "steps half as long (time.step), and edges longer than the regularisation length of the fluid";

/// Refuses the step of `dt`, s, from `start` to `end` where drag gave energy in too many in a row.
pub(super) fn check(start: &State, end: &State, dt: f64) -> Result<(), SimulationError> {
    let DragWatch { gains, gained, .. } = end.drag_watch;
    if gains < MOST_GAINS {
        return Ok(());
    }
    Err(SimulationError::DragGivesEnergy {
        gains,
        time: start.time,
        gained,
        dt,
        remedy: REMEDY,
    })
}
