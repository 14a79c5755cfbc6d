//! Which edges may touch or cross, and which belong together (decision 0005).

use crate::model::Model;

/// Distance over that of touching which edges of a straight rod must have to count as apart.
pub(super) const CLEAR: f64 = 1.02;

/// Whether two edges share a node.
fn share_node(model: &Model, i: usize, j: usize) -> bool {
    let [a, b] = [i, j].map(|e| model.topology.edge_nodes[e]);
    a.iter().any(|n| b.contains(n))
}

/// Whether two edges are parted: they share no node and do not grow out of one body, so they must
/// not pass through each other.
pub(crate) fn may_cross(model: &Model, i: usize, j: usize) -> bool {
    !share_node(model, i, j) && !model.junctions.part(i, j)
}

/// Whether contact acts between two edges: they may cross, and within a rod their middles are at
/// least pi h apart along the rest shape, so a bend as tight as the rod is thick does not touch
/// itself; and so far that they do not touch where the rod is straight, as edges not much longer
/// than the rod is thick otherwise would.
pub(crate) fn may_touch(model: &Model, i: usize, j: usize) -> bool {
    if !may_cross(model, i, j) {
        return false;
    }
    let touching = model.radius[i] + model.radius[j];
    let lengths = 0.5 * (model.rest_length[i] + model.rest_length[j]);
    rest_arc(model, i, j).is_none_or(|arc| {
        // pi times the mean radius, and not in touch where the rod is straight (decision 0005)
        arc >= 0.5 * std::f64::consts::PI * touching && arc - lengths > CLEAR * touching
    })
}

/// Rest arc length between the middles of two edges of one rod, m, the shorter way round a closed
/// one.
pub(crate) fn rest_arc(model: &Model, i: usize, j: usize) -> Option<f64> {
    let topology = &model.topology;
    let rod = topology.edge_rod[i];
    if topology.edge_rod[j] != rod {
        return None;
    }
    let arc = (model.edge_arc[i] - model.edge_arc[j]).abs();
    Some(if topology.rods[rod].closed {
        arc.min(model.rod_length[rod] - arc)
    } else {
        arc
    })
}
