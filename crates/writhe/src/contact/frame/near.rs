//! Which pairs are near: candidates, and those of them whose gaps may close.

use crate::assembly::Trial;
use crate::contact::frame::{Aabb, ContactFrame};
use crate::contact::obstacle::frame::Surface;
use crate::contact::region::Region;
use crate::contact_model::hardening::ContactId;
use crate::kernels::distance::{ROUNDING, closest_points, flatten, pair_distance};
use crate::lanes::COLUMN;
use crate::model::Model;
use crate::model::pairs::exclusion::may_touch;
use crate::model::pairs::nearest::{Nearest, nearest, nearest_in, nearest_of, rough_distances};
use crate::model::pairs::parts::{Parts, Wanted};
use crate::model::pairs::unknowns::{nodes, position_dofs};
use crate::rod::kinematics::position;
use crate::threads;

/// How far nodes may leave their expected way, over the radius, before candidates are found anew
/// ...
const SLACK: f64 = 0.1;
/// ... and at most after they did: trials that go astray must not make everything a candidate.
const LARGEST_SLACK: f64 = 0.5;
/// Edges from which on candidates between rods and at obstacles are found side by side.
const SHARED: usize = 1 << 11;
/// With forces that are found by solving again: candidates are all pairs within so many times the
/// largest motion of a node.
const MOTIONS: f64 = 4.0;

/// Two edges, or a part of a rod and an obstacle, that may touch by the end of the step.
#[derive(Clone, Copy, Debug)]
pub struct Approach {
    /// What touches what.
    pub contact: ContactId,
    /// Unknowns that change the gap: of two edges the positions of (a0, a1, b0, b1); of an obstacle
    /// those of two nodes, then the six of the body that it is part of.
    pub dofs: [usize; 12],
    /// Distance of the surfaces, m.
    pub gap: f64,
    /// Derivative of the gap by these unknowns, that by a body's turn by spin; times a normal
    /// force, the force on them.
    pub direction: [f64; 12],
    /// Normal force, N.
    pub force: f64,
    /// At an obstacle, what friction needs.
    pub(crate) surface: Option<Surface>,
}

impl ContactFrame {
    /// Finds the candidates of the region around the way between the unknowns `from` and `to`,
    /// `(dofs)`.
    pub(super) fn find_between(&mut self, model: &Model, from: &[f64], to: &[f64]) {
        let slack = SLACK * model.length_scale();
        if model.contact.policy().impulsive() {
            // The correction of forces looks at all gaps that may close, however rods move.
            let slack = slack.max(0.5 * MOTIONS * largest_motion(model, from, to));
            self.region.set(model, from, from, slack);
        } else {
            self.region.set(model, from, to, slack);
        }
        self.find(model, from, to);
    }

    /// Finds the candidates anew if they do not hold at the unknowns `q`, `(dofs)`.
    pub fn cover(&mut self, model: &Model, q: &[f64]) {
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
        self.find(model, q, q);
    }

    /// Whether the candidates are all pairs that may touch at the unknowns `q`, `(dofs)`; where
    /// they are at two configurations, they are on the straight path between them.
    pub(in crate::contact) fn holds(&self, model: &Model, q: &[f64]) -> bool {
        self.region.contains(model, q)
    }

    /// Finds the candidates of the region; obstacles that ride go with their bodies from the unknowns
    /// `from` to `to`, `(dofs)`.
    fn find(&mut self, model: &Model, from: &[f64], to: &[f64]) {
        let (region, policy) = (&self.region, model.contact.policy());
        let (parts, candidates) = (&mut self.parts, &mut self.candidates);
        let obstacles = &mut self.obstacles;
        let mut at_obstacles = || obstacles.find(model, region, from, to);
        let mut between_rods = || match policy.acts() {
            true => find_in(region, model, policy.impulsive(), parts, candidates),
            false => candidates.clear(),
        };
        if model.topology.edges() >= SHARED {
            threads::join(at_obstacles, between_rods);
        } else {
            at_obstacles();
            between_rods();
        }
        if !policy.acts() {
            return;
        }
        if !self.lagged.is_empty() {
            // They act, wherever they have gone.
            let pairs = self.lagged.iter().map(|p| p.edges.map(|e| e as u32));
            self.candidates.extend(pairs.map(|[i, j]| (i, j)));
            self.candidates.sort_unstable();
            self.candidates.dedup();
        }
    }

    /// The two nearest edges at the unknowns `q`, `(dofs)`; where candidates were looked for around
    /// `q` alone, among them, or else in the parts that were made for them.
    pub(crate) fn nearest(&mut self, model: &Model, q: &[f64]) -> Option<Nearest> {
        if !model.contact.policy().acts() || !self.region.is_at(model, q) {
            return nearest(model, q);
        }
        // All pairs with such a gap are candidates.
        let among = nearest_of(model, q, &self.candidates);
        let found = among.filter(|pair| pair.gap < self.margin());
        found.or_else(|| nearest_in(&mut self.parts, model, q))
    }

    /// Gap, direction and force of all candidates at the unknowns `q`, with the gap below `reach`,
    /// m. Obstacles are where they have come, or where they were at the start of the step.
    pub(crate) fn approaches(
        &self,
        model: &Model,
        (q, at_start): (&[f64], bool),
        reach: f64,
        out: &mut Vec<Approach>,
    ) {
        out.clear();
        for &(i, j) in &self.candidates {
            let edges = [i as usize, j as usize];
            let touching = model.radius[edges[0]] + model.radius[edges[1]];
            let [a0, a1, b0, b1] =
                nodes(model, edges).map(|n| position(q, model.topology.node_dof[n]));
            let force = self.forces.of((i, j));
            // A pair that pushes stays, however far apart: its force may have to fall.
            let near = closest_points(a0, a1, b0, b1).distance - touching < reach;
            if near || force > 0.0 {
                let distance = pair_distance(a0, a1, b0, b1);
                out.push(Approach {
                    contact: ContactId::Pair([i, j]),
                    dofs: position_dofs(model, edges),
                    gap: distance.closest.distance - touching,
                    // w_k n of a0, a1, b0, b1.
                    direction: flatten(distance.gradient()),
                    force,
                    surface: None,
                });
            }
        }
        self.obstacles
            .approaches(model, q, at_start, 0.5 * reach, out);
    }

    /// Pairs whose edges' boxes, grown by the range of forces and by `margin`, m, overlap at the
    /// unknowns `q`, `(dofs)`; sorted.
    pub(crate) fn pairs_around(
        &mut self,
        model: &Model,
        q: &[f64],
        margin: f64,
    ) -> Vec<(u32, u32)> {
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

    /// Of the candidates those that may be in contact at a trial: the others are farther apart than
    /// forces reach. Contacts that are spread over overlaps stay.
    pub(in crate::contact) fn near(&self, model: &Model, at: &Trial, out: &mut Vec<(u32, u32)>) {
        out.clear();
        for pairs in self.candidates.chunks(COLUMN) {
            let found = rough_distances(model, pairs, |node| at.position(node));
            for (pair, distance) in pairs.iter().zip(&found) {
                let edges = [pair.0 as usize, pair.1 as usize];
                let reach: f64 = edges.map(|edge| reach(model, edge)).iter().sum();
                let far = *distance > (1.0 + ROUNDING) * reach;
                if !far || self.is_spread(edges) {
                    out.push(*pair);
                }
            }
        }
    }

    /// Candidate pairs of flat edge indices, sorted.
    pub fn candidates(&self) -> &[(u32, u32)] {
        &self.candidates
    }

    /// Distance within which candidates were looked for beyond touching, m.
    pub fn margin(&self) -> f64 {
        2.0 * self.region.slack()
    }
}

/// Pairs that may come within the range of forces in a region, or with `all` those whose boxes
/// around it overlap.
fn find_in(
    region: &Region,
    model: &Model,
    all: bool,
    parts: &mut Parts,
    out: &mut Vec<(u32, u32)>,
) {
    let reach = |edge: usize| reach(model, edge);
    // Boxes are near where both passed; unless all are wanted, relative motion decides.
    let near = |i: usize, j: usize| {
        may_touch(model, i, j) && (all || region.may_meet(model, [i, j], reach(i) + reach(j)))
    };
    let margin = |edge: usize| reach(edge) + region.slack();
    parts.set(model, Wanted::Touching, margin, |node| region.ends(node));
    parts.pairs(model, near, out);
}

/// Whether rods may touch where all nodes go straight from the unknowns `from` to `to`, `(dofs)`;
/// `false` only if they do not.
pub(crate) fn rods_may_touch(model: &Model, from: &[f64], to: &[f64]) -> bool {
    if !model.contact.policy().acts() {
        return false;
    }
    let (mut region, mut found) = (Region::default(), Vec::new());
    region.set(model, from, to, 0.0);
    find_in(&region, model, false, &mut Parts::default(), &mut found);
    !found.is_empty()
}

/// Radius of an edge and its part of the range of forces, m.
pub(in crate::contact) fn reach(model: &Model, edge: usize) -> f64 {
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
