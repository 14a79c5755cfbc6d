//! Contact by given forces at a trial: what they do.

use glam::DVec3;

use crate::assembly::Trial;
use crate::contact::ContactFrame;
use crate::contact::pair::PairContact;
use crate::contact::set::{ContactSet, EdgeContact, add};
use crate::contact_model::lagged_friction::SlipForce;
use crate::contact_model::law::Response;
use crate::contact_model::policy::NormalForces;
use crate::contact_model::spillmann_teschner::{PairForce, SpillmannTeschnerSettings};
use crate::kernels::distance::{PairDistance, flatten, pair_distance};
use crate::model::Model;
use crate::model::pairs::unknowns::nodes;
use crate::rod::kinematics::position;

impl ContactSet {
    /// Adds the given forces and their friction.
    pub(super) fn find_given(
        &mut self,
        frame: &ContactFrame,
        settings: &SpillmannTeschnerSettings,
        model: &Model,
        at: &Trial,
        force: &mut [f64],
    ) {
        for pair in frame.forces() {
            let (edges, distance) = given_distance(model, at.q, pair);
            // F w_k n
            let normal = flatten(distance.gradient().map(|g| pair.force * g));
            add(model, edges, &normal, force);
            add_friction(frame, settings, model, pair, (edges, &distance), force);
            let touching = model.radius[edges[0]] + model.radius[edges[1]];
            self.pairs.push(EdgeContact {
                edges,
                end: 0,
                contact: PairContact {
                    gap: distance.closest.distance - touching,
                    distance,
                    // Neither energy nor stiffness: the force does not follow the gap.
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
}

/// Adds the friction of the given forces at the unknowns `q`.
pub fn add_friction_of_forces(frame: &ContactFrame, model: &Model, q: &[f64], force: &mut [f64]) {
    let NormalForces::Impulses(settings) = &model.contact.policy().forces else {
        return;
    };
    for pair in frame.forces() {
        let (edges, distance) = given_distance(model, q, pair);
        add_friction(frame, settings, model, pair, (edges, &distance), force);
    }
}

/// Adds the friction of a pair.
fn add_friction(
    frame: &ContactFrame,
    settings: &SpillmannTeschnerSettings,
    model: &Model,
    pair: &PairForce,
    (edges, distance): ([usize; 2], &PairDistance),
    force: &mut [f64],
) {
    if settings.friction.coefficient > 0.0 {
        let friction = slip_of_given(frame, settings, model, pair, (edges, distance));
        add(model, edges, &friction, force);
    }
}

/// Friction of a pair on its nodes, N.
pub(super) fn slip_of_given(
    frame: &ContactFrame,
    settings: &SpillmannTeschnerSettings,
    model: &Model,
    pair: &PairForce,
    (edges, distance): ([usize; 2], &PairDistance),
) -> [f64; 12] {
    let velocities =
        nodes(model, edges).map(|n| position(frame.velocity(), model.topology.node_dof[n]));
    let touching = model.radius[edges[0]] + model.radius[edges[1]];
    let friction = SlipForce::new(
        &settings.friction,
        0.5 * touching,
        pair.force * distance.normal,
        &velocities,
    );
    friction.on_nodes()
}

/// The edges of a pair, and their distance at the unknowns `q`.
fn given_distance(model: &Model, q: &[f64], pair: &PairForce) -> ([usize; 2], PairDistance) {
    let edges = [pair.edges.0 as usize, pair.edges.1 as usize];
    let [a0, a1, b0, b1] = nodes(model, edges).map(|n| position(q, model.topology.node_dof[n]));
    (edges, pair_distance(a0, a1, b0, b1))
}
