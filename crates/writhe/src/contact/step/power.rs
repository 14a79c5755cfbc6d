//! What contact does to the energy: power at the trial last evaluated, and the energy stored at a configuration.

use glam::DVec3;

use super::{ContactStep, nodes};
use crate::assembly::Trial;
use crate::contact::imc_smooth::SmoothContact;
use crate::contact::obstacle::step::Instant;
use crate::contact::pair::PairContact;
use crate::contact::policy::NormalForces;
use crate::model::Model;
use crate::rod::kinematics::position;

/// Power of contact at a trial, W.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ContactPower {
    /// Heat by friction.
    pub friction: f64,
    /// By obstacles that are moved.
    pub obstacles: f64,
    /// By normal forces that have no energy.
    pub given: f64,
}

impl ContactStep {
    /// Power at the trial last evaluated.
    pub fn power(&self, model: &Model, at: &Trial) -> ContactPower {
        let mut power = ContactPower::default();
        let mut add = |[heat, drive]: [f64; 2]| {
            power.friction += heat;
            power.obstacles += drive;
        };
        if let Some(friction) = self.implicit_friction(model) {
            for pair in &self.active {
                let contact = (pair.edges, &pair.contact);
                let (_, friction) = self.friction_of(contact, friction, model, at);
                add([-friction.contact_force().dot(friction.slip_velocity()), 0.0]);
            }
        }
        for pair in &self.mollified {
            add(pair.contact.power(at));
        }
        self.obstacles.power(model, at, add);
        match &model.contact.policy().forces {
            NormalForces::OfSmoothedDistance(settings) => {
                for (pair, contact) in self.active.iter().zip(&self.smooth) {
                    let friction = self.slip_force(settings, model, pair.edges, contact);
                    let force = friction.map_or([0.0; 12], |f| f.on_nodes());
                    power.friction -= on_nodes(model, at, pair.edges, &force);
                }
            }
            NormalForces::Impulses(settings) => {
                for (pair, active) in self.given.list().iter().zip(&self.active) {
                    let (edges, distance) = (active.edges, &active.contact.distance);
                    let friction = self.slip_of_given(settings, model, pair, (edges, distance));
                    power.friction -= on_nodes(model, at, edges, &friction);
                    let gradient = distance.gradient();
                    let of_node = |(n, g): (usize, &DVec3)| g.dot(at.velocity(n));
                    let rate: f64 = nodes(model, edges)
                        .into_iter()
                        .zip(&gradient)
                        .map(of_node)
                        .sum();
                    power.given += pair.force * rate;
                }
            }
            NormalForces::Absent | NormalForces::OfGap => {}
        }
        power
    }

    /// Energy stored in contact at the trial last evaluated, J.
    pub fn energy(&self) -> f64 {
        let pairs = self.active.iter().map(|pair| pair.contact.response.energy);
        // A fold from 0: the sum of nothing is -0.
        pairs.fold(self.obstacles.energy(), |sum, e| sum + e)
    }

    /// Energy stored in contact at the unknowns `q` with the stiffness `stiffness`, N m, and obstacles where they are at `instant`, J. The trial
    /// last evaluated is kept but for contacts with obstacles.
    pub fn energy_at(&mut self, model: &Model, q: &[f64], stiffness: f64, instant: Instant) -> f64 {
        let forces = model.contact.policy().forces;
        if matches!(forces, NormalForces::Absent | NormalForces::Impulses(_)) {
            return 0.0;
        }
        let pair = |&(i, j): &(u32, u32)| -> Option<f64> {
            let edges = [i as usize, j as usize];
            let touching = model.radius[edges[0]] + model.radius[edges[1]];
            let law = model.contact.law(0.5 * touching, stiffness)?;
            let positions = nodes(model, edges).map(|n| position(q, model.topology.node_dof[n]));
            let (gap, mut response) = match &forces {
                NormalForces::OfSmoothedDistance(settings) => {
                    let sharpness = settings.distance_sharpness;
                    let contact = SmoothContact::find(&law, sharpness, touching, positions)?;
                    (contact.distance.distance - touching, contact.response)
                }
                NormalForces::Absent | NormalForces::Impulses(_) => return None,
                NormalForces::OfGap => {
                    let contact = PairContact::find(&law, touching, positions)?;
                    (contact.gap, contact.response)
                }
            };
            self.set_response(model, edges, gap, &mut response);
            Some(response.energy)
        };
        let pairs = self.candidates.iter().filter_map(pair);
        let pairs = pairs.fold(0.0, |sum, e| sum + e);
        pairs + self.obstacles.energy_at(model, q, stiffness, instant)
    }
}

/// Power of forces on the nodes of a pair of edges, W.
fn on_nodes(model: &Model, at: &Trial, edges: [usize; 2], force: &[f64; 12]) -> f64 {
    let nodes = nodes(model, edges).into_iter().enumerate();
    let of_node = |(k, n)| DVec3::from_slice(&force[3 * k..]).dot(at.velocity(n));
    nodes.map(of_node).sum()
}
