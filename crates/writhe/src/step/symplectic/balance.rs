//! The balance of energy over an explicit step, to first order as the step itself.
//!
//! Forces times the displacements of the step, at its end. Lengths are kept and angles have no
//! inertia, so stretching and the kinetic energy of angles are no part of the energy; where their
//! spins count all the same (`spin.rs`), it is, and supports give it.

use super::super::balance::{Spin, carried, loads, moved_bodies};
use super::spin::kept_up;
use crate::assembly::Trial;
use crate::contact::set::ContactPower;
use crate::contact::{ContactFrame, ContactSet};
use crate::forces::{add_tension, elastic_energy, joint_loads, load_powers};
use crate::kinetic::body_kinetic;
use crate::ledger::{Ledger, Quadrature, StepAccount, Stored, Works};
use crate::model::Model;
use crate::rod::Kinematics;
use crate::rod::kinematics::{KinematicsError, position};
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
        contact_power(model, frame, &at, end, &mut push)
    });
    let mut pull = vec![0.0; velocity.len()];
    add_tension(&model.topology, made.kinematics, &end.tension, &mut pull);
    // A support holds what lengths pull with, less contact and the forces at the start.
    let support = |dof: usize| (pull[dof] - push[dof] - made.force[dof]) * velocity[dof];
    let local = load_powers(model, &at);
    let supports: f64 = prescribed(model).into_iter().map(support).sum();
    let joints = joints(model, end);
    // Supports of bodies bear the torques of what rods do to them, besides forces.
    let torque = |body: usize| {
        let dof = model.topology.body_dof[body] + 3;
        -position(&push, dof).dot(position(&end.velocity, dof))
    };
    let torques_of_contact: f64 = moved_bodies(model).map(torque).sum();
    let powers = Works {
        loads: local.applied,
        supports: supports + joints.supports + contact.obstacles + torques_of_contact,
        motors: joints.motors,
        contact: contact.given,
        drag: local.drag,
        damping: local.damping,
        friction: contact.friction,
    };
    let works = Works {
        loads: loads(model, start, end),
        supports: carried(model, start, end, Spin::Quasistatic) + spun_up(model, start, end),
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

/// Power of contact at the trial, `at`, of the end of the step; its forces are added to `push`.
fn contact_power(
    model: &Model,
    frame: &mut ContactFrame,
    at: &Trial,
    end: &State,
    push: &mut [f64],
) -> ContactPower {
    let mut velocity = at.velocity.to_vec();
    for dof in &model.topology.body_dof {
        // Turns begin anew at the end: what rides on bodies moves by their spins.
        velocity[dof + 3..dof + 6].copy_from_slice(&end.velocity[dof + 3..dof + 6]);
    }
    let at = Trial {
        velocity: &velocity,
        ..*at
    };
    let mut touching = ContactSet::default();
    touching.find(frame, model, &at, 0.0, push);
    touching.power(frame, model, &at)
}

/// Power of joints by what they exert over the step to `end`, W: that of motors, and what the
/// supports of moved bodies bear.
fn joints(model: &Model, end: &State) -> Works {
    let mut powers = Works::default();
    let topology = &model.topology;
    let moved: Vec<usize> = moved_bodies(model).collect();
    let loads = joint_loads(model, end);
    for (link, load) in model.joints.iter().zip(loads) {
        let sides = link.bodies.into_iter().zip(link.arms()).zip([1.0, -1.0]);
        for ((body, arm), sign) in sides {
            let Some(body) = body else { continue };
            let dof = topology.body_dof[body];
            let [v, spin] = [dof, dof + 3].map(|dof| position(&end.velocity, dof));
            let arm = end.frames.orientation[body] * arm;
            if link.is_driven() {
                powers.motors += sign * load.torque.dot(spin);
            }
            if moved.contains(&body) {
                let pull = load.force.dot(v + spin.cross(arm)) + load.torque.dot(spin);
                powers.supports -= sign * pull;
            }
        }
    }
    powers
}

/// Work by which supports spin up the angles that follow them, J.
fn spun_up(model: &Model, start: &State, end: &State) -> f64 {
    let gained = |dof: usize| {
        let [before, after] = [start, end].map(|s| s.velocity[dof]);
        // I (w1^2 - w0^2)/2 without cancellation.
        0.5 * model.mass[dof] * (after - before) * (after + before)
    };
    kept_up(model).map(gained).sum()
}

/// Energy of positions and bodies, of spins that count, of bending and twisting.
fn stored(model: &Model, state: &State, kinematics: &Kinematics) -> Stored {
    let positions = model.topology.node_dof.iter().flat_map(|dof| *dof..dof + 3);
    let nodes: f64 = positions
        .map(|dof| 0.5 * model.mass[dof] * state.velocity[dof].powi(2))
        .sum();
    let bodies = 0..model.bodies.list.len();
    let bodies: f64 = bodies.map(|body| body_kinetic(model, state, body)).sum();
    let spins: f64 = kept_up(model)
        .map(|dof| 0.5 * model.mass[dof] * state.velocity[dof].powi(2))
        .sum();
    let elastic = elastic_energy(model, kinematics, &state.q);
    Stored {
        motion: nodes + bodies + spins + elastic.bend + elastic.twist,
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
