//! The balance of energy over an explicit step, to first order as the step itself.
//!
//! Forces times the displacements of the step, at its end. Lengths are kept and angles have no
//! inertia, so stretching and the kinetic energy of angles are no part of the energy.

use super::super::balance::{Spin, carried, loads, moved_bodies};
use crate::assembly::Trial;
use crate::contact::set::ContactPower;
use crate::contact::{ContactFrame, ContactSet};
use crate::forces::{add_tension, elastic_energy, load_powers};
use crate::kinetic::body_kinetic;
use crate::ledger::{Ledger, Quadrature, StepAccount, Stored, Works};
use crate::model::Model;
use crate::rod::Kinematics;
use crate::rod::kinematics::KinematicsError;
use crate::state::State;

/// What a step of `dt`, s, made, besides its states.
pub(super) struct Made<'a> {
    /// Its size, s.
    pub dt: f64,
    /// Force on every unknown at its start besides those of contact and lengths, N and N m,
    /// `(dofs)`.
    pub force: &'a [f64],
    /// Frames and edges at its end.
    pub kinematics: &'a Kinematics,
    /// Work that the engine of bodies did on its own account, J.
    pub engine: f64,
}

/// The ledger after the step from `start` to `end`.
pub(super) fn ledger(
    model: &Model,
    start: &State,
    end: &State,
    made: &Made,
    contact: Option<&mut ContactFrame>,
) -> Result<Ledger, KinematicsError> {
    let rate = 1.0 / made.dt;
    let change = end.q.iter().zip(&start.q);
    // Displacements over dt: power times dt is force times displacement.
    let velocity: Vec<f64> = change
        .map(|(after, before)| (after - before) * rate)
        .collect();
    let at = Trial {
        topology: &model.topology,
        kinematics: made.kinematics,
        time: end.time,
        q: &end.q,
        velocity: &velocity,
        rate: 0.0,
    };
    let mut push = vec![0.0; velocity.len()];
    let contact = contact.map_or(ContactPower::default(), |frame| {
        let mut touching = ContactSet::default();
        touching.find(frame, model, &at, 0.0, &mut push);
        touching.power(frame, model, &at)
    });
    let mut pull = vec![0.0; velocity.len()];
    add_tension(model, made.kinematics, &end.tension, &mut pull);
    // A support holds what lengths pull with, less contact and the forces at the start.
    let support = |dof: usize| (pull[dof] - push[dof] - made.force[dof]) * velocity[dof];
    let local = load_powers(model, &at);
    let powers = Works {
        loads: local.applied,
        supports: prescribed(model).into_iter().map(support).sum(),
        motors: 0.0,
        contact: contact.given,
        drag: local.drag,
        damping: local.damping,
        friction: contact.friction,
    };
    let works = Works {
        loads: loads(model, start, end),
        supports: carried(model, start, end, Spin::Quasistatic),
        // Contacts, joints and motors of the engine.
        motors: made.engine,
        ..Works::default()
    };
    let before = match start.ledger.energy {
        Some(stored) => stored,
        None => {
            let mut kinematics = Kinematics::default();
            kinematics.update(&model.topology, &start.frames, &start.q)?;
            stored(model, start, &kinematics)
        }
    };
    Ok(start.ledger.after(&StepAccount {
        dt: made.dt,
        works,
        powers,
        quadrature: Quadrature::Stage,
        before,
        after: stored(model, end, made.kinematics),
    }))
}

/// Energy of positions and bodies, of bending and twisting.
fn stored(model: &Model, state: &State, kinematics: &Kinematics) -> Stored {
    let positions = model.topology.node_dof.iter().flat_map(|dof| *dof..dof + 3);
    let nodes: f64 = positions
        .map(|dof| 0.5 * model.mass[dof] * state.velocity[dof].powi(2))
        .sum();
    let bodies = 0..model.bodies.list.len();
    let bodies: f64 = bodies.map(|body| body_kinetic(model, state, body)).sum();
    let elastic = elastic_energy(model, kinematics, &state.q);
    Stored {
        motion: nodes + bodies + elastic.bend + elastic.twist,
        contact: 0.0,
    }
}

/// Unknowns that supports move, those that follow moved bodies among them.
fn prescribed(model: &Model) -> Vec<usize> {
    let topology = &model.topology;
    let rods = topology.body_dof.first().map_or(topology.dofs, |dof| *dof);
    let fixed = model.constraints.fixed();
    let own = (0..rods).filter(|dof| fixed[*dof] && !model.bodies.follows(*dof));
    let mut dofs: Vec<usize> = own.collect();
    for body in moved_bodies(model) {
        let assembly = &model.bodies.list[body];
        let nodes = assembly.nodes.iter().map(|n| topology.node_dof[n.node]);
        let centre = topology.body_dof[body];
        dofs.extend(nodes.chain([centre]).flat_map(|dof| dof..dof + 3));
        dofs.extend(
            assembly
                .welds
                .iter()
                .map(|weld| topology.edge_dof[weld.edge]),
        );
    }
    dofs
}
