//! The fluid at the start of a step: its mobility, and the force that lags.

use super::{LaggedForce, guess, limit};
use crate::fluid::Coupling;
use crate::forces::Acting;
use crate::state::State;
use crate::step::advance::Step;
use crate::step::error::StepError;
use crate::step::phases::Phase;
use crate::step::scheme::Stage;
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
    Solved,
}

impl FluidForce {
    /// Where the iteration for a force that is solved for starts, N, `(3 nodes)`.
    pub fn first_guess(&self, start: &State, stage: &Stage) -> Option<Vec<f64>> {
        match self {
            Self::Solved => Some(guess::solved_force(start, stage)),
            Self::Absent | Self::Lagged { .. } => None,
        }
    }

    /// A force that lags.
    pub fn lagged(&self) -> Option<&LaggedForce> {
        match self {
            Self::Lagged { force, .. } => Some(force),
            Self::Absent | Self::Solved => None,
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
            ws.drag.assemble(model, fluid, predicted)?;
            FluidForce::Solved
        }
        Coupling::Lagged => {
            ws.drag.assemble(model, fluid, &start.q)?;
            // u + B F = 0 with the velocities of the start.
            let nodes = model.topology.node_dof.iter();
            let velocity: Vec<f64> = nodes
                .flat_map(|dof| start.velocity[*dof..dof + 3].iter().copied())
                .collect();
            let guess = guess::lagged_force(start);
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
