//! After a step: did any two edges pass through each other?

use crate::kernels::ccd;
use crate::model::Model;
use crate::model::pairs::exclusion::may_cross;
use crate::model::pairs::parts::Parts;
use crate::model::pairs::unknowns::nodes;
use crate::rod::kinematics::position;

/// Finds crossings by continuous collision detection over the swept boxes of all pairs that share
/// no node.
#[derive(Debug, Default)]
pub struct Sweep {
    parts: Parts,
    pairs: Vec<(u32, u32)>,
}

impl Sweep {
    /// The first pair of edges that cross when every node moves straight from `start` to `end`,
    /// both `(dofs)`.
    pub fn crossing(&mut self, model: &Model, start: &[f64], end: &[f64]) -> Option<[usize; 2]> {
        let place = |q: &[f64], node: usize| position(q, model.topology.node_dof[node]);
        // Nodes go straight, so the box of both ends of the way holds all of it.
        let ends = |node: usize| [place(start, node), place(end, node)];
        self.parts.set(model, |_| 0.0, ends);
        let parted = |i: usize, j: usize| may_cross(model, i, j);
        self.parts.pairs(model, false, parted, &mut self.pairs);
        self.pairs
            .iter()
            .map(|&(i, j)| [i as usize, j as usize])
            .find(|edges| {
                let at = |q: &[f64]| {
                    nodes(model, *edges).map(|n| position(q, model.topology.node_dof[n]))
                };
                let touching = model.radius[edges[0]] + model.radius[edges[1]];
                ccd::crosses(&at(start), &at(end), touching).is_some()
            })
    }
}
