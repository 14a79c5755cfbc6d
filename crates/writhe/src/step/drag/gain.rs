//! Whether drag gives energy, which no fluid does.
//!
//! Drag that lags may push along for a step or two, where motion is reversed. Step after step it
//! does so only where the step is beyond its limit of stability: what is stiffest then changes its
//! sign from step to step, and every force, taken from the step before, pushes it on.

use crate::model::Model;
use crate::state::{DragWatch, State};

/// Steps in a row in which drag may give energy. Beyond the limit they follow each other from the
/// time on at which the motion that grows is the largest (decision 0040).
pub(crate) const MOST: u32 = 30;

/// What is known after a step from `start` to the velocities `end`, in which the force `drag`, N,
/// `(3 nodes)`, acted; `stage` are the velocities at which it is that of the fluid, where it was
/// solved for.
pub(in crate::step) fn watch(
    model: &Model,
    start: &State,
    drag: &[f64],
    end: &[f64],
    stage: Option<&[f64]>,
    dt: f64,
) -> DragWatch {
    let mut work = 0.0;
    let mut moved = 0.0_f64;
    for (dof, force) in model.topology.node_dof.iter().zip(drag.chunks_exact(3)) {
        let mut way_sq = 0.0;
        for (k, f) in force.iter().enumerate() {
            // Momentum changes by F dt, kinetic energy by F dt times the mean velocity.
            let mean = 0.5 * (start.velocity[dof + k] + end[dof + k]);
            work += dt * f * stage.map_or(mean, |u| u[dof + k]);
            way_sq += (dt * mean).powi(2);
        }
        moved = moved.max(way_sq.sqrt());
    }
    let before = start.drag_watch;
    let gains = work > 0.0;
    DragWatch {
        rate: before.rate,
        moved: before.moved + moved,
        gains: if gains { before.gains + 1 } else { 0 },
        gained: if gains { before.gained + work } else { 0.0 },
    }
}
