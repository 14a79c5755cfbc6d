//! Which pairs are near: candidates, and those of them that may act on the matrix.

use super::{Aabb, ContactStep, nodes};
use crate::contact::distance::closest_points;
use crate::contact::exclusion::may_touch;
use crate::model::Model;
use crate::rod::kinematics::position;

/// How far nodes may leave their expected way, over the radius, before candidates are found anew ...
const SLACK: f64 = 0.1;
/// ... and at most after they did: trials that go astray must not make everything a candidate.
const LARGEST_SLACK: f64 = 0.5;
/// With forces that are found by solving again: candidates are all pairs within so many times the largest motion of a node.
const MOTIONS: f64 = 4.0;
/// How far beyond the range of forces a pair is coupled in the matrix, over the radius.
const CUSHION: f64 = 0.2;

impl ContactStep {
    /// Finds the candidates of the region around the way between the unknowns `from` and `to`, `(dofs)`.
    pub(super) fn find_between(&mut self, model: &Model, from: &[f64], to: &[f64]) {
        let slack = SLACK * model.length_scale();
        if model.contact.policy().impulsive() {
            // The correction of forces looks at all gaps that may close, however rods move.
            let slack = slack.max(0.5 * MOTIONS * largest_motion(model, from, to));
            self.region.set(model, from, from, slack);
        } else {
            self.region.set(model, from, to, slack);
        }
        self.obstacles.expect(model, from, to, slack);
        self.find(model);
    }

    /// Finds the candidates anew if they do not hold at the unknowns `q`, `(dofs)`.
    pub fn keep(&mut self, model: &Model, q: &[f64]) {
        if self.holds(model, q) && self.obstacles.hold(model, q) {
            return;
        }
        let stray = self.region.stray(model, q);
        let h = model.length_scale();
        let slack = if model.contact.policy().impulsive() {
            self.region.slack().max(0.5 * MOTIONS * stray)
        } else {
            stray.clamp(SLACK * h, LARGEST_SLACK * h)
        };
        self.region.set(model, q, q, slack);
        self.obstacles.expect(model, q, q, slack);
        self.find(model);
    }

    /// Whether the candidates are all pairs that may touch at the unknowns `q`, `(dofs)`; where they are at two configurations, they
    /// are on the straight path between them.
    pub(in crate::contact) fn holds(&self, model: &Model, q: &[f64]) -> bool {
        self.region.contains(model, q)
    }

    fn find(&mut self, model: &Model) {
        self.candidates.clear();
        self.obstacles.find(model, &self.region);
        if !model.contact.policy().acts() {
            return;
        }
        let reach = |edge: usize| reach(model, edge);
        let slack = self.region.slack();
        self.boxes.clear();
        for (edge, nodes) in model.topology.edge_nodes.iter().enumerate() {
            let [[a, c], [b, d]] = nodes.map(|n| self.region.ends(n));
            let margin = reach(edge) + slack;
            let swept = Aabb::of_edge(a, b, margin).union(&Aabb::of_edge(c, d, margin));
            self.boxes.push(swept);
        }
        let all = model.contact.policy().impulsive();
        let region = &self.region;
        let near = |i: u32, j: u32| {
            let [i, j] = [i as usize, j as usize];
            may_touch(model, i, j) && (all || region.may_meet(model, [i, j], reach(i) + reach(j)))
        };
        self.broadphase
            .pairs(&self.boxes, near, &mut self.candidates);
        if !self.mollified.is_empty() {
            // They act, wherever they have gone.
            let pairs = self.mollified.iter().map(|p| p.edges.map(|e| e as u32));
            self.candidates.extend(pairs.map(|[i, j]| (i, j)));
            self.candidates.sort_unstable();
            self.candidates.dedup();
        }
    }

    /// Pairs that a matrix at the unknowns `q`, `(dofs)`, of the trial last evaluated should couple: those that act there and those that
    /// a small correction would make act; sorted.
    pub fn coupled_pairs(&self, model: &Model, q: &[f64]) -> Vec<(u32, u32)> {
        let cushion = CUSHION * model.length_scale();
        let near = |&(i, j): &(u32, u32)| {
            let [i, j] = [i as usize, j as usize];
            let [a0, a1, b0, b1] =
                nodes(model, [i, j]).map(|n| position(q, model.topology.node_dof[n]));
            let distance = closest_points(a0, a1, b0, b1).distance;
            distance < reach(model, i) + reach(model, j) + cushion
        };
        let mut pairs: Vec<(u32, u32)> = self.candidates.iter().copied().filter(near).collect();
        pairs.extend(self.acting_pairs());
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Whether all pairs that act at the trial last evaluated are among the sorted `pairs`.
    pub fn acts_within(&self, pairs: &[(u32, u32)]) -> bool {
        self.acting_pairs()
            .all(|pair| pairs.binary_search(&pair).is_ok())
    }

    fn acting_pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        let active = self.active.iter().map(|pair| pair.edges);
        let lagged = self.mollified.iter().map(|pair| pair.edges);
        active.chain(lagged).map(|[i, j]| (i as u32, j as u32))
    }

    /// Pairs whose edges' boxes, grown by the range of forces and by `margin`, m, overlap at the unknowns `q`, `(dofs)`; sorted.
    pub fn pairs_around(&mut self, model: &Model, q: &[f64], margin: f64) -> Vec<(u32, u32)> {
        self.boxes.clear();
        for (edge, nodes) in model.topology.edge_nodes.iter().enumerate() {
            let [a, b] = nodes.map(|n| position(q, model.topology.node_dof[n]));
            self.boxes
                .push(Aabb::of_edge(a, b, reach(model, edge) + 0.5 * margin));
        }
        let mut pairs = Vec::new();
        let filter = |i: u32, j: u32| may_touch(model, i as usize, j as usize);
        self.broadphase.pairs(&self.boxes, filter, &mut pairs);
        pairs
    }

    /// Distance within which candidates were looked for beyond touching, m.
    pub fn margin(&self) -> f64 {
        2.0 * self.region.slack()
    }
}

/// Radius of an edge and its part of the range of forces, m.
fn reach(model: &Model, edge: usize) -> f64 {
    let radius = model.radius[edge];
    let range = model
        .contact
        .law(radius, 0.0)
        .map_or(0.0, |law| law.range());
    radius + 0.5 * range
}

/// Largest motion of a node between two configurations, m.
pub fn largest_motion(model: &Model, from: &[f64], to: &[f64]) -> f64 {
    let nodes = model.topology.node_dof.iter();
    nodes
        .map(|dof| (position(to, *dof) - position(from, *dof)).length())
        .fold(0.0, f64::max)
}
