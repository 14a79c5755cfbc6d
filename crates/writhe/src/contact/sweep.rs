//! After a step: did any two edges pass through each other? Before the first: do they overlap?

use glam::DVec3;

use super::candidates::{Aabb, Broadphase};
use super::ccd;
use super::exclusion::may_cross;
use super::ipc;
use super::nearest::nearest;
use super::unknowns::nodes;
use super::{ContactModel, Overlap};
use crate::model::Model;
use crate::rod::kinematics::position;

/// Finds crossings by continuous collision detection over the swept boxes of all pairs that share no node.
#[derive(Debug, Default)]
pub struct Sweep {
    broadphase: Broadphase,
    boxes: Vec<Aabb>,
    pairs: Vec<(u32, u32)>,
}

impl Sweep {
    /// The first pair of edges that cross when every node moves straight from `start` to `end`, both `(dofs)`.
    pub fn crossing(&mut self, model: &Model, start: &[f64], end: &[f64]) -> Option<[usize; 2]> {
        self.boxes.clear();
        for edge in 0..model.topology.edges() {
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

impl ContactModel {
    /// The deepest overlap of the configuration `q`, if contact is on and there is one deeper than the 0.3 % of the radius that
    /// steps allow; with a barrier the smallest gap, if it is not clearly positive.
    pub(crate) fn first_overlap(&self, model: &Model, q: &[f64]) -> Option<Overlap> {
        if *self == Self::None {
            return None;
        }
        let nearest = nearest(model, q)?;
        let wanted = nearest.distance - nearest.gap;
        let gap = self.starting_gap(0.5 * wanted);
        let allowed = if gap > 0.0 {
            ipc::LEAST_GAP * gap
        } else {
            -1.5e-3 * wanted
        };
        if nearest.gap > allowed {
            return None;
        }
        let topology = &model.topology;
        let rods = nearest.edges.map(|e| topology.edge_rod[e]);
        Some(Overlap {
            rods,
            edges: [0, 1].map(|k| nearest.edges[k] - topology.rods[rods[k]].first_edge),
            at: nearest.at,
            distance: nearest.distance,
            wanted,
            gap,
        })
    }
}

fn ends(model: &Model, q: &[f64], edge: usize) -> [DVec3; 2] {
    model.topology.edge_nodes[edge].map(|n| position(q, model.topology.node_dof[n]))
}
