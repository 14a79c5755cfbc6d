//! After a step: did any two edges pass through each other?

use crate::kernels::ccd::{self, EdgePair};
use crate::model::Model;
use crate::model::pairs::exclusion::may_cross;
use crate::model::pairs::parts::{Parts, Wanted};
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
        self.parts.set(model, Wanted::Crossing, |_| 0.0, ends);
        let at = |q: &[f64], edges: [usize; 2]| -> EdgePair {
            let [a0, a1, b0, b1] = nodes(model, edges);
            [place(q, a0), place(q, a1), place(q, b0), place(q, b1)]
        };
        let touching = |[i, j]: [usize; 2]| model.radius[i] + model.radius[j];
        // Most boxes meet because rods go the same way: edges near each other along a rod do.
        let doubtful = |i: usize, j: usize| {
            let edges = [i, j];
            may_cross(model, i, j)
                && !ccd::stay_apart(&at(start, edges), &at(end, edges), touching(edges))
        };
        self.parts.pairs(model, doubtful, &mut self.pairs);
        let pairs = self.pairs.iter().map(|&(i, j)| [i as usize, j as usize]);
        let mut crossing = pairs.filter(|edges| {
            let (start, end) = (at(start, *edges), at(end, *edges));
            ccd::crosses(&start, &end, touching(*edges)).is_some()
        });
        crossing.next()
    }
}
