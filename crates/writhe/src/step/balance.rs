//! The balance of energy over an implicit step.
//!
//! Every force F of the step's equation has the power F . u at the stage, with the stage's velocity
//! u. The step's end is the stage of backward Euler, where the power holds for the whole step, and
//! of BDF2, where the mean of the powers at both ends is of second order; the midpoint rule's stage
//! is the middle. What a support must exert for the motion of its own masses is the change of their
//! kinetic energy, whatever the scheme makes of their acceleration; for everything else it exerts
//! `dE/dq - F`.

use glam::DVec3;

use super::problem::Problem;
use super::residual::Residual;
use crate::constraints::Constraint;
use crate::contact::obstacle::frame::Instant;
use crate::forces::{elastic_energy, load_powers};
use crate::kinetic::{body_kinetic, kinetic};
use crate::ledger::{Ledger, Quadrature, StepAccount, Stored, Works};
use crate::loads::Load;
use crate::model::Model;
use crate::response::{MaterialPowers, Response, StepMaterial, rods_of};
use crate::rod::Kinematics;
use crate::rod::kinematics::{KinematicsError, position};
use crate::state::State;

/// The ledger after the step that led to `end` and whose solution `y` was evaluated last.
/// `stiffening`, J, is what a change of the contact stiffness did at its start.
pub(super) fn ledger(
    residual: &Residual,
    (y, stiffening): (&[f64], f64),
    end: &State,
    kinematics: &Kinematics,
) -> Result<Ledger, KinematicsError> {
    let Problem {
        model,
        start,
        stage,
        contact_stiffness,
        ..
    } = residual.problem;
    // F . u of every force that has no energy, and works that are known from both ends of the step.
    let powers = powers(residual, y, end);
    let mut works = Works {
        loads: loads(model, start, end),
        supports: carried(model, start, end, Spin::Inert),
        ..Works::default()
    };
    // At the start of a run energy is counted with the new stiffness: its change has done no work.
    let before = match start.ledger.energy {
        Some(stored) => {
            works.contact = stiffening;
            stored
        }
        None => at_start(residual)?,
    };
    // Contacts of parallel edges that were spread: begun and ended at the nearest points.
    let [spread, gathered] = [&start.q, &end.q]
        .map(|q| (residual.contact).energy_of_spreading(model, q, contact_stiffness));
    let mut after = at_end(residual, end, kinematics);
    works.contact += spread - gathered;
    after.contact -= gathered;
    // Over the step: its stage stands for it, or the mean of both ends.
    let quadrature = if stage.takes_two_steps() {
        Quadrature::Ends
    } else {
        Quadrature::Stage
    };
    Ok(start.ledger.after(&StepAccount {
        dt: stage.dt(),
        works,
        powers,
        quadrature,
        before,
        after,
    }))
}

/// Whether angles have inertia.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spin {
    /// They have.
    Inert,
    /// They come to rest at once.
    Quasistatic,
}

/// Powers at the stage.
fn powers(residual: &Residual, y: &[f64], end: &State) -> Works {
    let (problem, evaluation) = (residual.problem, &*residual.at);
    let (model, at) = (problem.model, residual.trial(y));
    let contact = (evaluation.contact).power(&residual.contact, model, &at);
    let loads = load_powers(model, &at);
    // The force that acted in this step, lagged or not.
    let fluid = model.topology.node_dof.iter();
    let fluid = fluid.zip(end.hydrodynamic_force.chunks_exact(3));
    // F . u, whose negative is heat.
    let fluid: f64 = fluid
        .map(|(dof, f)| DVec3::from_slice(f).dot(position(&evaluation.velocity, *dof)))
        .sum();
    let spin = |body| problem.mean_spin(body, &evaluation.bodies, end);
    let material = match problem.material {
        StepMaterial::Step(step) => step.powers(model, problem.start, &evaluation.kinematics, y),
        StepMaterial::Own | StepMaterial::Rest(_) => MaterialPowers::default(),
    };
    Works {
        loads: loads.applied,
        supports: supports(residual, spin) + contact.obstacles,
        motors: problem.motor_power(y, &evaluation.bodies, spin) + material.driven,
        contact: contact.given,
        drag: loads.drag - fluid,
        damping: loads.damping + material.heat,
        friction: contact.friction,
    }
}

/// Power of what supports exert besides inertia, W.
fn supports(residual: &Residual, spin: impl Fn(usize) -> DVec3) -> f64 {
    let (model, evaluation) = (residual.problem.model, &*residual.at);
    // The reaction without M u', dE/dq - F: `carried` has the work on masses.
    let force =
        |dof: usize| evaluation.reaction[dof] - model.mass[dof] * evaluation.acceleration[dof];
    let mut power = 0.0;
    for dof in prescribed(model) {
        power += force(dof) * evaluation.velocity[dof];
    }
    for body in moved_bodies(model) {
        let dof = model.topology.body_dof[body];
        // F . v of the centre, and the torque times the spin.
        let push: f64 = (dof..dof + 3)
            .map(|d| force(d) * evaluation.velocity[d])
            .sum();
        power += push + evaluation.bodies.torque(body).dot(spin(body));
    }
    power
}

/// Unknowns of rods that supports prescribe.
fn prescribed(model: &Model) -> impl Iterator<Item = usize> + '_ {
    let rods = model.topology.body_dof.first();
    let rods = rods.map_or(model.topology.dofs, |dof| *dof);
    let fixed = model.constraints.fixed()[..rods].iter().enumerate();
    fixed
        .filter(|(dof, fixed)| **fixed && !model.bodies.follows(*dof))
        .map(|(dof, _)| dof)
}

/// Bodies that supports move.
pub(super) fn moved_bodies(model: &Model) -> impl Iterator<Item = usize> + '_ {
    model.constraints.list().iter().filter_map(|c| match c {
        Constraint::Body { body, .. } => Some(*body),
        _ => None,
    })
}

/// Work that supports do on the masses that they move: the change of their kinetic energy, J.
/// Angles count where they have inertia.
pub(super) fn carried(model: &Model, start: &State, end: &State, spin: Spin) -> f64 {
    let kinetic = |dof: usize| {
        let [before, after] = [start, end].map(|s| s.velocity[dof]);
        // m (v1^2 - v0^2)/2 without cancellation.
        0.5 * model.mass[dof] * (after - before) * (after + before)
    };
    let body = |b| body_kinetic(model, end, b) - body_kinetic(model, start, b);
    let heavy = |dof: &usize| spin == Spin::Inert || !model.topology.angle[*dof];
    prescribed(model).filter(heavy).map(kinetic).sum::<f64>()
        + moved_bodies(model).map(body).sum::<f64>()
}

/// Work of the loads that know it from the configurations at both ends, J.
pub(super) fn loads(model: &Model, start: &State, end: &State) -> f64 {
    let of_load = |load: &dyn Load| load.work(&model.topology, &start.q, &end.q);
    let all = model.loads.iter().map(Box::as_ref);
    all.filter_map(of_load).sum()
}

fn contact_energy(residual: &Residual, q: &[f64], instant: Instant) -> f64 {
    let Problem {
        model,
        contact_stiffness,
        ..
    } = residual.problem;
    (residual.contact).energy_at(model, q, contact_stiffness, instant)
}

/// Energy at the start of a run.
fn at_start(residual: &Residual) -> Result<Stored, KinematicsError> {
    let Problem { model, start, .. } = residual.problem;
    let mut kinematics = Kinematics::default();
    kinematics.update(&model.topology, &start.frames, &start.q)?;
    let response = Response::of_state(model, start, false);
    let rods = rods_of(model, response.as_ref());
    Ok(Stored {
        motion: kinetic(model, start) + elastic_energy(rods, &kinematics, &start.q).total(),
        contact: contact_energy(residual, &start.q, Instant::Start),
    })
}

/// Energy at the end of the step: that of the stage, unless it is the middle.
fn at_end(residual: &Residual, end: &State, kinematics: &Kinematics) -> Stored {
    let Problem { model, stage, .. } = residual.problem;
    let kinetic = kinetic(model, end);
    let response = Response::of_state(model, end, false);
    // What a step's response holds besides the springs is no energy.
    let elastic = if stage.midpoint || response.is_some() {
        let rods = rods_of(model, response.as_ref());
        elastic_energy(rods, kinematics, &end.q).total()
    } else {
        residual.at.energy.total()
    };
    if stage.midpoint {
        return Stored {
            motion: kinetic + elastic,
            contact: contact_energy(residual, &end.q, Instant::End),
        };
    }
    Stored {
        motion: kinetic + elastic,
        contact: residual.at.contact.energy(),
    }
}
