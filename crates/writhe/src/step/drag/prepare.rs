//! The fluid at the start of a step: its mobility, and the force that lags.

use super::{ForceAndFlow, LaggedForce, guess, limit};
use crate::fluid::Coupling;
use crate::forces::Acting;
use crate::step::advance::Step;
use crate::step::error::StepError;
use crate::step::phases::Phase;
use crate::step::workspace::Workspace;

/// How the force of a fluid that couples all nodes enters a step.
#[derive(Debug)]
pub(in crate::step) enum FluidForce {
    /// There is none.
    Absent,
    /// That of the start of the step, throughout it.
    Lagged {
        force: LaggedForce,
        /// Largest rate at which it slows a motion, 1/s.
        rate: f64,
    },
    /// Solved for with the unknowns.
    Solved {
        /// Where the iteration for it starts.
        guess: ForceAndFlow,
    },
}

impl FluidForce {
    /// Where the iteration for a force that is solved for starts.
    pub fn first_guess(&self) -> Option<ForceAndFlow> {
        match self {
            Self::Solved { guess } => Some(guess.clone()),
            Self::Absent | Self::Lagged { .. } => None,
        }
    }

    /// A force that lags.
    pub fn lagged(&self) -> Option<&LaggedForce> {
        match self {
            Self::Lagged { force, .. } => Some(force),
            Self::Absent | Self::Solved { .. } => None,
        }
    }
}

/// Assembles the mobility, and refuses a step beyond what lagged drag allows.
pub(in crate::step) fn prepare_fluid(
    step: &Step,
    predicted: &[f64],
    ws: &mut Workspace,
) -> Result<FluidForce, StepError> {
    let (model, start) = (step.model, step.start);
    // Steps towards equilibrium leave the fluid out.
    let fluid = model.fluid.as_ref().filter(|_| step.acting == Acting::All);
    let Some(fluid) = fluid else {
        return Ok(FluidForce::Absent);
    };
    ws.check_poll()?;
    let clock = ws.phases.start();
    let krylov = &mut ws.matrix.krylov;
    let found = match fluid.coupling {
        Coupling::Implicit => {
            // Once: B is that of the predicted positions in all iterations.
            let force = guess::solved_force(start, step.stage);
            FluidForce::Solved {
                guess: ws.drag.assemble_with(model, fluid, predicted, force)?,
            }
        }
        Coupling::Lagged => {
            let guess = guess::lagged_force(start);
            let guess = ws.drag.assemble_with(model, fluid, &start.q, guess)?;
            // u + B F = 0 with the velocities of the start.
            let nodes = model.topology.node_dof.iter();
            let velocity: Vec<f64> = nodes
                .flat_map(|dof| start.velocity[*dof..dof + 3].iter().copied())
                .collect();
            let force = ws
                .drag
                .lagged_force(model, &velocity, guess, krylov, &ws.poll)?;
            // lambda holds until nodes have moved by half the fluid's resolution (decision 0040).
            let rate = match start.drag_watch {
                watch if watch.knows_rate(model) => watch.rate,
                _ => ws.drag.rate(model, start, krylov)?,
            };
            limit::check(model, step.settings.scheme, step.stage.dt(), rate)?;
            FluidForce::Lagged { force, rate }
        }
    };
    ws.phases.stop(Phase::Mobility, clock);
    Ok(found)
}
