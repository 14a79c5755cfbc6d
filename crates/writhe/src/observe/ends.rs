//! An open rod between its two ends: how much shorter it is than its contour, and what pulls it.

use glam::DVec3;

use crate::model::Model;
use crate::rod::RodLayout;
use crate::rod::kinematics::position;
use crate::state::State;

/// An open rod seen from its ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EndToEnd {
    /// The rod.
    pub rod: usize,
    /// Its length at rest less the distance of its ends, e = L - x, m; negative where it is
    /// stretched straight (C21).
    pub shortening: f64,
    /// Force with which its supports pull its ends apart, N, along the line from the first to the
    /// last node, mean of both ends; negative where they push. `None` unless both ends are held.
    pub pull: Option<f64>,
}

/// Nodes at each end whose supports count as the end's: those of a clamped edge.
const END_NODES: usize = 2;

/// Whether it is an open rod that supports hold at both ends (their first or last two nodes).
pub(super) fn held_at_both_ends(model: &Model, rod: &RodLayout) -> bool {
    let fixed = model.constraints.fixed();
    let held = |node: usize| {
        let dof = model.topology.node_dof[node];
        fixed[dof..dof + 3].iter().any(|f| *f)
    };
    let [first, last] = end_nodes(rod);
    !rod.closed
        // Else both ends share nodes.
        && rod.nodes >= 2 * END_NODES
        && first.into_iter().any(held)
        && last.into_iter().any(held)
}

fn end_nodes(rod: &RodLayout) -> [[usize; END_NODES]; 2] {
    let last = rod.first_node + rod.nodes - 1;
    [
        [rod.first_node, rod.first_node + 1],
        [last, last.saturating_sub(1)],
    ]
}

/// Every open rod; `reaction` is what supports exert on the unknowns, `(dofs)`.
pub(super) fn all(model: &Model, state: &State, reaction: &[f64]) -> Vec<EndToEnd> {
    let topology = &model.topology;
    let fixed = model.constraints.fixed();
    let of = |(index, rod): (usize, &RodLayout)| {
        let place = |node: usize| position(&state.q, topology.node_dof[node]);
        let [first, last] = end_nodes(rod);
        let between = place(last[0]) - place(first[0]);
        // Supports act on unknowns that they hold; what is left of a free one is not theirs.
        let force = |node: usize| {
            let dof = topology.node_dof[node];
            DVec3::from_array([0, 1, 2].map(|k| {
                if fixed[dof + k] {
                    reaction[dof + k]
                } else {
                    0.0
                }
            }))
        };
        let sum = |nodes: [usize; END_NODES]| nodes.into_iter().map(force).sum::<DVec3>();
        let direction = between.normalize_or_zero();
        EndToEnd {
            rod: index,
            shortening: model.rod_length[index] - between.length(),
            pull: held_at_both_ends(model, rod)
                .then(|| 0.5 * (sum(last) - sum(first)).dot(direction)),
        }
    };
    let rods = topology.rods.iter().enumerate();
    rods.filter(|(_, rod)| !rod.closed).map(of).collect()
}
