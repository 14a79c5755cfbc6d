//! Barriers within a step: how far a correction may go before a gap closes, and how stiff a barrier
//! should be.

use std::cell::Cell;

use crate::contact::ContactSet;
use crate::contact::frame::{Aabb, ContactFrame};
use crate::contact_model::ipc;
use crate::contact_model::law::NormalLaw;
use crate::kernels::ccd::{self, EdgePair};
use crate::kernels::distance::closest_points;
use crate::model::Model;
use crate::model::pairs::exclusion::may_touch;
use crate::model::pairs::unknowns::nodes;
use crate::rod::kinematics::position;

/// How hard the barriers are pressed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BarrierLoad {
    /// Stiffness, N m, with which the most heavily loaded pair would rest at [`ipc::RESTING_GAP`].
    pub wanted: f64,
    /// Smallest gap over its range, in (0, 1).
    pub tightest: f64,
    /// Smallest gap over its room: the gap at which the last spring of the contact begins, or the
    /// range if it has none.
    pub room: f64,
}

impl ContactFrame {
    /// Largest fraction in [0, 1] of the correction `dq` from the unknowns `q` on which every gap
    /// stays positive, and above a tenth of what it is at `q`: continuous collision detection on
    /// all pairs that come near, in contact or not. 1 for models in which rods may penetrate.
    /// Obstacles go on meanwhile by `part` of what is left of their way to the stage.
    pub(crate) fn max_step(&mut self, model: &Model, q: &[f64], dq: &[f64], part: f64) -> f64 {
        if !model.contact.policy().barrier {
            return 1.0;
        }
        self.max_pair_step(model, q, dq)
            .min(self.obstacles.max_step(model, q, dq, part))
    }

    fn max_pair_step(&mut self, model: &Model, q: &[f64], dq: &[f64]) -> f64 {
        let moved: Vec<f64> = q.iter().zip(dq).map(|(q, d)| q + d).collect();
        let bound = |pair: (u32, u32)| {
            let pair = Pair::new(model, pair, 1.0)?;
            let (start, end) = (pair.positions(model, q), pair.positions(model, &moved));
            Some(ccd::max_step(&start, &end, pair.touching))
        };
        // The region is convex: candidates of both ends are those of the way (decision 0045).
        if self.holds(model, q) && self.holds(model, &moved) {
            let bounds = self.candidates.iter().filter_map(|pair| bound(*pair));
            return bounds.fold(1.0, f64::min);
        }
        self.least_of_swept(model, q, &moved, bound)
    }

    /// The least value, at most 1, of all pairs whose boxes, swept from `from` to `to`, overlap.
    /// There may be very many: none is kept.
    fn least_of_swept(
        &mut self,
        model: &Model,
        from: &[f64],
        to: &[f64],
        value: impl Fn((u32, u32)) -> Option<f64>,
    ) -> f64 {
        let topology = &model.topology;
        let ends = |q: &[f64], edge: usize| {
            topology.edge_nodes[edge].map(|n| position(q, topology.node_dof[n]))
        };
        self.boxes.clear();
        for edge in 0..topology.edges() {
            let ([a, b], [c, d]) = (ends(from, edge), ends(to, edge));
            let radius = model.radius[edge];
            // Boxes that grow by the radii overlap wherever surfaces may touch.
            let swept = Aabb::of_edge(a, b, radius).union(&Aabb::of_edge(c, d, radius));
            self.boxes.push(swept);
        }
        let least = Cell::new(1.0_f64);
        let look = |i: u32, j: u32| {
            if may_touch(model, i as usize, j as usize) {
                least.set(least.get().min(value((i, j)).unwrap_or(1.0)));
            }
            // Not kept: a wild correction sweeps over everything.
            false
        };
        self.broadphase.pairs(&self.boxes, look, &mut Vec::new());
        least.get()
    }

    /// Smallest gap of the candidates at `q`, m, obstacles being where they have come; `None`
    /// without any.
    pub(crate) fn least_gap(&self, model: &Model, q: &[f64]) -> Option<f64> {
        let pairs = self
            .candidates
            .iter()
            .filter_map(|&pair| Pair::new(model, pair, 1.0));
        pairs
            .map(|pair| pair.gap(model, q))
            .chain(self.obstacles.smallest_gap(model, q, false))
            .min_by(f64::total_cmp)
    }

    /// How hard the barriers of a trial are pressed; `None` without contact.
    pub(crate) fn barrier_load(&self, model: &Model, set: &ContactSet) -> Option<BarrierLoad> {
        let mut load: Option<BarrierLoad> = None;
        for contact in set.touching() {
            let range = model.contact.law(contact.scale, 1.0)?.range();
            let room = match self.hardening.of(contact.contact) {
                Some(hardened) => hardened.room(range),
                None => range,
            };
            // No contact yet: gaps are as wide as they can be.
            let so_far = load.unwrap_or(BarrierLoad {
                wanted: 0.0,
                tightest: 1.0,
                room: 1.0,
            });
            let wanted = ipc::stiffness_for(contact.force, contact.scale, range);
            load = Some(BarrierLoad {
                wanted: so_far.wanted.max(wanted),
                tightest: so_far.tightest.min(contact.gap / range),
                room: so_far.room.min(contact.gap / room),
            });
        }
        load
    }

    /// Stiffness, N m, that stops what `predicted` lets penetrate, where `rate` (1/s) is the
    /// derivative of velocities by positions: a depth p of two edges needs the force m p rate^2,
    /// with 1/m the sum of w^2/m over their free nodes. 0 without.
    pub(crate) fn impact_stiffness(&self, model: &Model, predicted: &[f64], rate: f64) -> f64 {
        let fixed = model.constraints.fixed();
        let mut stiffness = 0.0_f64;
        for &pair in &self.candidates {
            let Some(pair) = Pair::new(model, pair, 1.0) else {
                continue;
            };
            let [a0, a1, b0, b1] = pair.positions(model, predicted);
            let closest = closest_points(a0, a1, b0, b1);
            let depth = pair.touching - closest.distance;
            let (s, t) = (closest.s, closest.t);
            let compliance: f64 = pair
                .nodes
                .iter()
                .zip([1.0 - s, s, 1.0 - t, t])
                .map(|(node, w)| (model.topology.node_dof[*node], w))
                .filter(|(dof, _)| !fixed[*dof])
                .map(|(dof, w)| w * w / model.mass[dof])
                .sum();
            if depth > 0.0 && compliance > 0.0 {
                // F = m p a^2
                let force = depth * rate * rate / compliance;
                let wanted = ipc::stiffness_for(force, 0.5 * pair.touching, pair.law.range());
                stiffness = stiffness.max(wanted);
            }
        }
        stiffness.max(self.obstacle_impact(model, predicted, rate))
    }

    /// The same for obstacles, with the heaviest node.
    fn obstacle_impact(&self, model: &Model, predicted: &[f64], rate: f64) -> f64 {
        let gap = self.obstacles.smallest_gap(model, predicted, false);
        let radius = model.length_scale();
        let range = model.contact.law(radius, 1.0).map(|law| law.range());
        let (Some(depth), Some(range)) = (gap.map(|g| -g).filter(|d| *d > 0.0), range) else {
            return 0.0;
        };
        let nodes = model.topology.node_dof.iter();
        // m p a^2 again; which node will touch is not looked for.
        let mass = nodes.fold(0.0, |m: f64, dof| m.max(model.mass[*dof]));
        ipc::stiffness_for(mass * depth * rate * rate, radius, range)
    }
}

/// A candidate pair with its law.
struct Pair {
    nodes: [usize; 4],
    /// Sum of the radii, m.
    touching: f64,
    law: NormalLaw,
}

impl Pair {
    fn new(model: &Model, (i, j): (u32, u32), stiffness: f64) -> Option<Self> {
        let edges = [i as usize, j as usize];
        let touching = model.radius[edges[0]] + model.radius[edges[1]];
        Some(Self {
            nodes: nodes(model, edges),
            touching,
            law: model.contact.law(0.5 * touching, stiffness)?,
        })
    }

    /// Distance of the surfaces, m.
    fn gap(&self, model: &Model, q: &[f64]) -> f64 {
        let [a0, a1, b0, b1] = self.positions(model, q);
        closest_points(a0, a1, b0, b1).distance - self.touching
    }

    fn positions(&self, model: &Model, q: &[f64]) -> EdgePair {
        self.nodes.map(|n| position(q, model.topology.node_dof[n]))
    }
}
