//! Where candidates hold: around a way that all nodes go at once.

use glam::DVec3;

use crate::kernels::distance::{ROUNDING, closest_points};
use crate::model::Model;
use crate::model::pairs::unknowns::nodes;
use crate::rod::kinematics::position;

/// Configurations along a way, and those near them.
///
/// Node n is within `slack` of `from_n + t way_n`, with the same t in [0, 1] for all nodes. Along
/// the way the distance of two edges differs from that in the middle by at most half their
/// *relative* motion, so rods that fall side by side need no margin for the fall. With one t for
/// all nodes the region is convex: a straight path between two of its configurations stays inside.
#[derive(Debug, Default)]
pub(super) struct Region {
    /// Where the way begins, m, one per node.
    from: Vec<DVec3>,
    /// The way, m, one per node.
    way: Vec<DVec3>,
    /// How far nodes may be beside their way, m.
    slack: f64,
}

impl Region {
    /// Becomes the region around the way between the unknowns `from` and `to`, `(dofs)`.
    pub(crate) fn set(&mut self, model: &Model, from: &[f64], to: &[f64], slack: f64) {
        let dofs = || model.topology.node_dof.iter();
        self.from.clear();
        self.from.extend(dofs().map(|dof| position(from, *dof)));
        self.way.clear();
        self.way
            .extend(dofs().map(|dof| position(to, *dof) - position(from, *dof)));
        self.slack = slack;
    }

    /// Whether it contains the unknowns `q`, `(dofs)`.
    pub(crate) fn contains(&self, model: &Model, q: &[f64]) -> bool {
        self.stray(model, q) <= self.slack
    }

    /// Whether its way is no way, but the unknowns `q`, `(dofs)`.
    pub(crate) fn is_at(&self, model: &Model, q: &[f64]) -> bool {
        let places = model.topology.node_dof.iter().map(|dof| position(q, *dof));
        self.from.len() == model.topology.nodes()
            && self.way.iter().all(|way| *way == DVec3::ZERO)
            && places.zip(&self.from).all(|(place, from)| place == *from)
    }

    /// Largest distance of a node at the unknowns `q` from its place on the way, m, for the t that
    /// fits all nodes best.
    pub(crate) fn stray(&self, model: &Model, q: &[f64]) -> f64 {
        let moved = || {
            let nodes = model.topology.node_dof.iter().zip(&self.from);
            nodes.map(|(dof, from)| position(q, *dof) - *from)
        };
        let along: f64 = moved().zip(&self.way).map(|(m, way)| m.dot(*way)).sum();
        let length_sq: f64 = self.way.iter().map(|way| way.length_squared()).sum();
        // One t for all nodes, by least squares: sum m . d / sum d . d, within [0, 1].
        let t = if length_sq > 0.0 {
            (along / length_sq).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let beside = moved()
            .zip(&self.way)
            .map(|(m, way)| (m - t * *way).length_squared());
        beside.fold(0.0, f64::max).sqrt()
    }

    /// How far nodes may be beside their way, m.
    pub(crate) fn slack(&self) -> f64 {
        self.slack
    }

    /// The two ends of a node's way, m.
    pub(crate) fn ends(&self, node: usize) -> [DVec3; 2] {
        [self.from[node], self.from[node] + self.way[node]]
    }

    /// Middle of a node's way, m, and its length, m.
    pub(crate) fn middle(&self, node: usize) -> (DVec3, f64) {
        let way = self.way[node];
        (self.from[node] + 0.5 * way, way.length())
    }

    /// Whether two edges may come within `reach`, m, of each other; `false` only if they come so
    /// near nowhere in the region.
    pub(crate) fn may_meet(&self, model: &Model, edges: [usize; 2], reach: f64) -> bool {
        let [a0, a1, b0, b1] = nodes(model, edges);
        let apart = |a: usize, b: usize| (self.way[a] - self.way[b]).length_squared();
        let relative_sq = (apart(a0, b0).max(apart(a0, b1))).max(apart(a1, b0).max(apart(a1, b1)));
        // m - max |d_a - d_b| / 2 - 2 slack is the least distance in the region (decision 0045).
        let near = reach + 2.0 * self.slack + 0.5 * relative_sq.sqrt();
        let middle = |node: usize| self.from[node] + 0.5 * self.way[node];
        let [a0, a1] = [middle(a0), middle(a1)];
        let [b0, b1] = [middle(b0), middle(b1)];
        // Most are told by the balls around them.
        let halves = 0.5 * ((a1 - a0).length() + (b1 - b0).length());
        let between = 0.5 * ((a0 - b0) + (a1 - b1)).length();
        if between > (1.0 + ROUNDING) * (near + halves) {
            return false;
        }
        closest_points(a0, a1, b0, b1).distance <= near
    }
}

#[cfg(test)]
mod tests;
