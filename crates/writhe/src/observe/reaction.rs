//! What supports exert on the rods.

use glam::DVec3;

use crate::constraints::{self, Constraint};
use crate::model::Model;
use crate::rod::Kinematics;
use crate::rod::kinematics::position;
use crate::state::State;

/// Force and torque of one constraint on the rods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reaction {
    /// Force, N.
    pub force: DVec3,
    /// Torque, N m, about `at`.
    pub torque: DVec3,
    /// Middle of a clamped edge, or the held node, m.
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
    let (nodes, edge): (Vec<usize>, Option<usize>) = match constraint {
        Constraint::Clamp { edge, .. } => (topology.edge_nodes[*edge].to_vec(), Some(*edge)),
        Constraint::Node { node, .. } => (vec![*node], None),
        Constraint::Angle { edge, .. } => (Vec::new(), Some(*edge)),
    };
    let held = constraints::dofs(constraint, topology);
    let mut masked = vec![0.0; topology.dofs];
    for dof in held {
        masked[dof] = reaction[dof];
    }
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
        let f = node(model, &masked, n);
        out.force += f;
        out.torque += (node(model, &state.q, n) - at).cross(f);
    }
    if let Some(edge) = edge {
        out.torque += kinematics.edges[edge].tangent * masked[topology.edge_dof[edge]];
    }
    out
}

fn node(model: &Model, values: &[f64], node: usize) -> DVec3 {
    position(values, model.topology.node_dof[node])
}
