//! What supports exert on the rods.

use glam::DVec3;

use crate::bodies::joint::At;
use crate::bodies::reduction::{BodyConfiguration, Reduction};
use crate::constraints::{self, Constraint};
use crate::model::Model;
use crate::rod::Kinematics;
use crate::rod::kinematics::{KinematicsError, position};
use crate::state::State;

/// Force and torque of one constraint on the rods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reaction {
    /// Force, N.
    pub force: DVec3,
    /// Torque, N m, about `at`.
    pub torque: DVec3,
    /// Middle of a clamped edge, the held node, or a body's centre of mass with what is welded to
    /// it, m.
    pub at: DVec3,
}

/// Sums the reactions of the unknowns that a constraint prescribes.
pub(super) fn of_constraint(
    model: &Model,
    constraint: &Constraint,
    kinematics: &Kinematics,
    state: &State,
    reaction: &[f64],
) -> Reaction {
    let topology = &model.topology;
    if let Constraint::Body { body, .. } | Constraint::BodyAxes { body, .. } = constraint {
        let dof = topology.body_dof[*body];
        // Of the axes that it leaves free nothing is its own.
        let mut masked = [0.0; 6];
        for held in constraints::dofs(constraint, topology) {
            masked[held - dof] = reaction[held];
        }
        return Reaction {
            force: position(&masked, 0),
            torque: position(&masked, 3),
            at: position(&state.q, dof),
        };
    }
    let (nodes, edge): (Vec<usize>, Option<usize>) = match constraint {
        Constraint::Clamp { edge, .. } => (topology.edge_nodes[*edge].to_vec(), Some(*edge)),
        Constraint::Node { node, .. } => (vec![*node], None),
        Constraint::Angle { edge, .. } => (Vec::new(), Some(*edge)),
        Constraint::Body { .. } | Constraint::BodyAxes { .. } => (Vec::new(), None),
    };
    // Of unknowns that it leaves free nothing is its own.
    let held = constraints::dofs(constraint, topology);
    let own = |dof: usize| {
        if held.contains(&dof) {
            reaction[dof]
        } else {
            0.0
        }
    };
    let at = match (edge, nodes.as_slice()) {
        (_, [n]) => node(model, &state.q, *n),
        (Some(edge), _) => {
            let [a, b] = topology.edge_nodes[edge].map(|n| node(model, &state.q, n));
            0.5 * (a + b)
        }
        (None, _) => DVec3::ZERO,
    };
    let mut out = Reaction {
        force: DVec3::ZERO,
        torque: DVec3::ZERO,
        at,
    };
    for n in nodes {
        let dof = topology.node_dof[n];
        let f = DVec3::from_array([0, 1, 2].map(|k| own(dof + k)));
        out.force += f;
        // Moments about `at`, and that on theta about the tangent.
        out.torque += (node(model, &state.q, n) - at).cross(f);
    }
    if let Some(edge) = edge {
        out.torque += kinematics.tangent(edge) * own(topology.edge_dof[edge]);
    }
    out
}

/// Takes what must balance at welded nodes to the bodies; adds their rates of angular momentum and
/// what joints exert.
pub(super) fn on_bodies(
    model: &Model,
    state: &State,
    kinematics: &Kinematics,
    reaction: &mut [f64],
) -> Result<(), KinematicsError> {
    if model.bodies.is_empty() {
        return Ok(());
    }
    let topology = &model.topology;
    let mut reduction = Reduction::default();
    let trial = BodyConfiguration {
        topology,
        frames: &state.frames,
        kinematics,
        y: &state.q,
        middle: false,
    };
    reduction.update(&model.bodies, &trial)?;
    reduction.reduce(topology, reaction);
    for (body, assembly) in model.bodies.list.iter().enumerate() {
        let dof = topology.body_dof[body] + 3;
        let omega = position(&state.velocity, dof);
        let inertia = assembly.inertia_at(state.frames.orientation[body]);
        // L' = I omega' + omega x I omega
        let rate = inertia * position(&state.acceleration, dof) + omega.cross(inertia * omega);
        reduction.add_torque(topology, body, rate, reaction);
    }
    let at = At {
        topology,
        start: &state.q,
        broken: &state.broken,
        turns: &reduction.turns,
        y: &state.q,
        times: [state.time; 2],
    };
    for link in &model.joints {
        link.add_residual(&at, reaction, |body, torque, reaction| {
            reduction.add_torque(topology, body, torque, reaction);
        });
    }
    Ok(())
}

fn node(model: &Model, values: &[f64], node: usize) -> DVec3 {
    position(values, model.topology.node_dof[node])
}
