//! Contact by given forces at a trial: what they do, and which gaps they have to close.

use glam::DVec3;

use super::{Active, ContactStep, add, nodes, position_dofs};
use crate::assembly::Trial;
use crate::contact::distance::{PairDistance, closest_points, flatten, pair_distance};
use crate::contact::lagged_friction::SlipForce;
use crate::contact::law::Response;
use crate::contact::pair::PairContact;
use crate::contact::policy::NormalForces;
use crate::contact::spillmann_teschner::{PairForce, SpillmannTeschnerSettings};
use crate::model::Model;
use crate::rod::kinematics::position;

/// A pair that may touch by the end of the step.
#[derive(Clone, Copy, Debug)]
pub struct Approach {
    /// Flat edge indices, first < second.
    pub edges: (u32, u32),
    /// The 12 position unknowns of (a0, a1, b0, b1).
    pub dofs: [usize; 12],
    /// Distance of the surfaces, m.
    pub gap: f64,
    /// Derivative of the gap by the nodes (a0, a1, b0, b1); times a normal force, the force on them.
    pub direction: [f64; 12],
    /// Normal force, N.
    pub force: f64,
}

impl ContactStep {
    /// Gives the pairs their normal forces, sorted by pair.
    pub fn give(&mut self, forces: &[PairForce]) {
        self.given = super::PairForces::new(forces);
    }

    /// Forces of the pairs that push, N, sorted by pair.
    pub fn given(&self) -> &[PairForce] {
        self.given.list()
    }

    /// Adds the given forces and their friction.
    pub(super) fn evaluate_given(
        &mut self,
        settings: &SpillmannTeschnerSettings,
        model: &Model,
        at: &Trial,
        force: &mut [f64],
    ) {
        for pair in self.given.list() {
            let (edges, distance) = given_distance(model, at.q, pair);
            let normal = flatten(distance.gradient().map(|g| pair.force * g));
            add(model, edges, &normal, force);
            self.rub(settings, model, pair, (edges, &distance), force);
            let touching = model.radius[edges[0]] + model.radius[edges[1]];
            self.active.push(Active {
                edges,
                contact: PairContact {
                    gap: distance.closest.distance - touching,
                    distance,
                    response: Response {
                        force: pair.force,
                        ..Response::default()
                    },
                },
                touching,
                anchor: None,
                slip: DVec3::ZERO,
            });
        }
    }

    /// Adds the friction of the given forces at the unknowns `q`.
    pub fn add_given_friction(&self, model: &Model, q: &[f64], force: &mut [f64]) {
        let NormalForces::Impulses(settings) = &model.contact.policy().forces else {
            return;
        };
        for pair in self.given.list() {
            let (edges, distance) = given_distance(model, q, pair);
            self.rub(settings, model, pair, (edges, &distance), force);
        }
    }

    /// Adds the friction of a pair.
    fn rub(
        &self,
        settings: &SpillmannTeschnerSettings,
        model: &Model,
        pair: &PairForce,
        (edges, distance): ([usize; 2], &PairDistance),
        force: &mut [f64],
    ) {
        if settings.friction.coefficient > 0.0 {
            let friction = self.slip_of_given(settings, model, pair, (edges, distance));
            add(model, edges, &friction, force);
        }
    }

    /// Friction of a pair on its nodes, N.
    pub(super) fn slip_of_given(
        &self,
        settings: &SpillmannTeschnerSettings,
        model: &Model,
        pair: &PairForce,
        (edges, distance): ([usize; 2], &PairDistance),
    ) -> [f64; 12] {
        let velocities = nodes(model, edges)
            .map(|n| position(&self.lagged_velocity, model.topology.node_dof[n]));
        let touching = model.radius[edges[0]] + model.radius[edges[1]];
        let friction = SlipForce::new(
            &settings.friction,
            0.5 * touching,
            pair.force * distance.normal,
            &velocities,
        );
        friction.on_nodes()
    }

    /// Gap, direction and force of all candidates at the unknowns `q`, with the gap below `reach`, m.
    pub fn approaches(&self, model: &Model, q: &[f64], reach: f64, out: &mut Vec<Approach>) {
        out.clear();
        for &(i, j) in &self.candidates {
            let edges = [i as usize, j as usize];
            let touching = model.radius[edges[0]] + model.radius[edges[1]];
            let [a0, a1, b0, b1] =
                nodes(model, edges).map(|n| position(q, model.topology.node_dof[n]));
            let force = self.given.of((i, j));
            let near = closest_points(a0, a1, b0, b1).distance - touching < reach;
            if near || force > 0.0 {
                let distance = pair_distance(a0, a1, b0, b1);
                out.push(Approach {
                    edges: (i, j),
                    dofs: position_dofs(model, edges),
                    gap: distance.closest.distance - touching,
                    direction: flatten(distance.gradient()),
                    force,
                });
            }
        }
    }

    /// Takes over the forces of `approaches`, sorted by pair.
    pub fn take(&mut self, approaches: &[Approach]) {
        self.given
            .replace(approaches.iter().map(|a| (a.edges, a.force)));
    }
}

/// The edges of a pair, and their distance at the unknowns `q`.
fn given_distance(model: &Model, q: &[f64], pair: &PairForce) -> ([usize; 2], PairDistance) {
    let edges = [pair.edges.0 as usize, pair.edges.1 as usize];
    let [a0, a1, b0, b1] = nodes(model, edges).map(|n| position(q, model.topology.node_dof[n]));
    (edges, pair_distance(a0, a1, b0, b1))
}
