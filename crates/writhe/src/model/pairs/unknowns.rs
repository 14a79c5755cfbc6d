//! The nodes of two edges, and the unknowns that their contact couples.

use crate::model::Model;

/// The 12 position unknowns of a pair of edges.
pub(crate) fn position_dofs(model: &Model, edges: [usize; 2]) -> [usize; 12] {
    let [a, b] = edges.map(|e| model.topology.edge_position_dofs(e));
    std::array::from_fn(|k| if k < 6 { a[k] } else { b[k - 6] })
}

/// The 14 unknowns that friction couples: positions, then both angles.
pub(crate) fn friction_dofs(model: &Model, edges: [usize; 2]) -> [usize; 14] {
    let positions = position_dofs(model, edges);
    let angles = edges.map(|e| model.topology.edge_dof[e]);
    std::array::from_fn(|k| if k < 12 { positions[k] } else { angles[k - 12] })
}

/// The four nodes of a pair of edges.
pub(crate) fn nodes(model: &Model, edges: [usize; 2]) -> [usize; 4] {
    let [[a0, a1], [b0, b1]] = edges.map(|e| model.topology.edge_nodes[e]);
    [a0, a1, b0, b1]
}
