//! After a step: did any two edges pass through each other? Before the first: do they overlap? At any time: how near are they?

use glam::DVec3;

use super::candidates::{Aabb, Broadphase};
use super::ccd;
use super::distance::closest_points;
use super::exclusion::{may_cross, may_touch, rest_arc};
use super::ipc;
use super::step::nodes;
use super::{ContactModel, Overlap};
use crate::model::Model;
use crate::rod::kinematics::position;

/// Distance over arc below which a rod counts as bent back on itself.
const BENT_BACK: f64 = 0.6;

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

/// Nearest pair of edges of a configuration, with its gap (distance of the centrelines less the radii), m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Flat edge indices.
    pub edges: [usize; 2],
    /// Distance of the centrelines, m.
    pub distance: f64,
    /// Distance of the surfaces, m; negative when they penetrate.
    pub gap: f64,
    /// Middle of the shortest connection, m.
    pub at: DVec3,
}

impl Nearest {
    /// Whether the edges nearly touch, or belong to rods, or parts of one rod bent back on itself, that approach each other; edges
    /// of one rod that are near only because they follow each other do not count.
    pub(super) fn is_approach(&self, model: &Model) -> bool {
        let [i, j] = self.edges;
        let nearly_touching = self.gap < 0.1 * (self.distance - self.gap);
        nearly_touching
            || rest_arc(model, i, j).is_none_or(|arc| {
                let between = arc - 0.5 * (model.rest_length[i] + model.rest_length[j]);
                self.distance < BENT_BACK * between
            })
    }
}

/// The pair of edges with the smallest gap among those that contact considers; `None` if there is none.
///
/// Boxes grow until a pair is found, so far rods cost a few passes and not all pairs.
pub fn nearest(model: &Model, q: &[f64]) -> Option<Nearest> {
    let mut broadphase = Broadphase::default();
    let mut pairs = Vec::new();
    let scene = model.topology.node_dof.iter().fold(
        Aabb::of_edge(position(q, 0), position(q, 0), 0.0),
        |b, dof| {
            let x = position(q, *dof);
            b.union(&Aabb::of_edge(x, x, 0.0))
        },
    );
    let largest = (scene.max - scene.min).length();
    let mut reach = model.length_scale();
    loop {
        let boxes: Vec<Aabb> = (0..model.topology.edges())
            .map(|edge| {
                let [a, b] = ends(model, q, edge);
                Aabb::of_edge(a, b, model.radius[edge] + 0.5 * reach)
            })
            .collect();
        broadphase.pairs(
            &boxes,
            |i, j| may_touch(model, i as usize, j as usize),
            &mut pairs,
        );
        let best = pairs
            .iter()
            .map(|&(i, j)| pair(model, q, [i as usize, j as usize]))
            .filter(|p| p.is_approach(model))
            .min_by(|a, b| a.gap.total_cmp(&b.gap));
        match best {
            Some(best) if best.gap <= reach || reach > largest => return Some(best),
            None if reach > largest => return None,
            _ => reach *= 4.0,
        }
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

/// Smallest gap of `pairs` at `q`, m, neighbours along a rod left out; `None` without any.
pub fn smallest_gap(model: &Model, q: &[f64], pairs: &[(u32, u32)]) -> Option<f64> {
    let pairs = pairs
        .iter()
        .map(|&(i, j)| pair(model, q, [i as usize, j as usize]));
    pairs
        .filter(|pair| pair.is_approach(model))
        .map(|pair| pair.gap)
        .min_by(f64::total_cmp)
}

/// The gap between two edges at `q`.
pub(super) fn pair(model: &Model, q: &[f64], edges: [usize; 2]) -> Nearest {
    let [a0, a1, b0, b1] = nodes(model, edges).map(|n| position(q, model.topology.node_dof[n]));
    let closest = closest_points(a0, a1, b0, b1);
    Nearest {
        edges,
        distance: closest.distance,
        gap: closest.distance - model.radius[edges[0]] - model.radius[edges[1]],
        at: a0 + (a1 - a0) * closest.s - closest.delta * 0.5,
    }
}

fn ends(model: &Model, q: &[f64], edge: usize) -> [DVec3; 2] {
    model.topology.edge_nodes[edge].map(|n| position(q, model.topology.node_dof[n]))
}
