//! What a two-step rule must know of forces that jump at the start of a step (decision 0066).
//!
//! BDF2 takes the velocity of a step from a parabola through its end and the two configurations
//! before, and the acceleration likewise. Where forces jump by `dF` at the start of the step, the
//! motion after it is that parabola's no more: it is the motion without the jump, which goes on
//! smoothly, and one that begins there, z. With a step of backward Euler of the size h for the
//! latter,
//!
//! `(M/h^2 + D/h + K) z = dF`, `w = z/h`,
//!
//! M the masses, D the resistance against motion and K the stiffness, and BDF2 for the rest,
//! `u = a (y - z) + b q_n + c q_{n-1} + z/h`. That is BDF2 itself after a configuration
//! `q_{n-1} - h w` with a velocity `u_{n-1} - w`: both are as if what begins had always gone at the
//! rate w. So an impulse of the jump is lost neither where masses resist, `w = h dF/M`, nor where
//! drag does, `w = dF/D`, and what is stiff, `z = dF/K`, goes no farther than it stays.

use super::advance::{Step, begin, predict};
use super::drag::prepare::prepare_fluid;
use super::error::StepError;
use super::newton::Iterate;
use super::problem::Problem;
use super::scheme::{Scheme, Stage};
use super::settings::StepSettings;
use super::workspace::Workspace;
use crate::contact::pair::HessianPart;
use crate::forces::Acting;
use crate::model::Model;
use crate::response::StepMaterial;
use crate::state::{History, State};

/// How near the linear system is solved for with a fluid: what is left of the jump.
const ACCURACY: f64 = 1e-6;

/// The step before `state` as it would have been, had forces that jump by `jump`, `(dofs)`, at
/// `state` always acted; `None` where there was none.
pub(crate) fn history_of_jump(
    model: &Model,
    state: &State,
    jump: &[f64],
    settings: &StepSettings,
    ws: &mut Workspace,
) -> Result<Option<History>, StepError> {
    let Some(before) = &state.history else {
        return Ok(None);
    };
    let mut moved = response(model, state, before.dt, jump, settings, ws)?;
    // Forces of joints have no rate.
    for link in &model.joints {
        moved[link.dof..link.dof + link.unknowns()].fill(0.0);
    }
    let less = |values: &[f64], factor: f64| -> Vec<f64> {
        let both = values.iter().zip(&moved);
        both.map(|(value, z)| value - factor * z).collect()
    };
    Ok(Some(History {
        dt: before.dt,
        q: less(&before.q, 1.0),
        velocity: less(&before.velocity, 1.0 / before.dt),
    }))
}

/// `z = (M/h^2 + D/h + K)^-1 dF` at `state`, `(dofs)`.
fn response(
    model: &Model,
    state: &State,
    dt: f64,
    jump: &[f64],
    settings: &StepSettings,
    ws: &mut Workspace,
) -> Result<Vec<f64>, StepError> {
    let stage = Stage::new(Scheme::BackwardEuler, state, dt);
    let step = Step {
        model,
        start: state,
        stage: &stage,
        end_time: state.time + dt,
        acting: Acting::All,
        material: &StepMaterial::of_step(model, state, stage.interval())?,
        settings,
    };
    let predicted = predict(&step);
    let contact = begin(&step, &predicted, ws)?;
    let fluid = prepare_fluid(&step, &predicted, ws)?;
    let mut iterate = Iterate {
        y: state.q.clone(),
        drag: fluid.first_guess(),
        progress: 0.0,
    };
    let problem = Problem::new(&step, state.contact.stiffness, &predicted);
    let (mut residual, matrix, _) = ws.split(problem, contact, fluid);
    // Where the jump is, obstacles too.
    residual.evaluate(&iterate)?;
    matrix.system.prescribe(None);
    matrix.assemble(&mut residual, &iterate.y, Some(HessianPart::Exact))?;

    let bodies = &residual.at.bodies.reduction;
    let mut moved = jump.to_vec();
    bodies.reduce(&model.topology, &mut moved);
    for (force, fixed) in moved.iter_mut().zip(model.constraints.fixed()) {
        *force = if *fixed { 0.0 } else { *force };
    }
    if let Some(drag) = iterate.drag.take() {
        // Nodes go with the fluid that forces on them move.
        let still = vec![0.0; drag.flow.len()];
        let (rate, krylov) = (stage.rate, &mut matrix.krylov);
        let system = &mut matrix.system;
        let both = (&moved[..], &still[..]);
        let found = (residual.mobility).solve(model, system, rate, both, ACCURACY, krylov)?;
        moved = found.dq;
    } else {
        matrix.system.solve(&mut moved)?;
    }
    bodies.expand(&model.topology, &mut moved);
    Ok(moved)
}
