//! After a step: did any two edges pass through each other?

use glam::DVec3;

use crate::kernels::candidates::{Aabb, Broadphase};
use crate::kernels::ccd;
use crate::model::Model;
use crate::model::pairs::exclusion::may_cross;
use crate::model::pairs::unknowns::nodes;
use crate::rod::kinematics::position;

/// Finds crossings by continuous collision detection over the swept boxes of all pairs that share
/// no node.
#[derive(Debug, Default)]
pub struct Sweep {
    broadphase: Broadphase,
    boxes: Vec<Aabb>,
    pairs: Vec<(u32, u32)>,
}

impl Sweep {
    /// The first pair of edges that cross when every node moves straight from `start` to `end`,
    /// both `(dofs)`.
    pub fn crossing(&mut self, model: &Model, start: &[f64], end: &[f64]) -> Option<[usize; 2]> {
        self.boxes.clear();
        for edge in 0..model.topology.edges() {
            // Nodes go straight, so the box of both ends of the way holds all of it.
            let [a, b] = ends(model, start, edge);
            let [c, d] = ends(model, end, edge);
            self.boxes
                .push(Aabb::of_edge(a, b, 0.0).union(&Aabb::of_edge(c, d, 0.0)));
        }
        self.broadphase.pairs(
            &self.boxes,
            |i, j| may_cross(model, i as usize, j as usize),
            &mut self.pairs,
        );
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

fn ends(model: &Model, q: &[f64], edge: usize) -> [DVec3; 2] {
    model.topology.edge_nodes[edge].map(|n| position(q, model.topology.node_dof[n]))
}
