//! What contact does to the energy at a trial: its power, and what it stores.

use glam::DVec3;

use crate::assembly::Trial;
use crate::contact::ContactFrame;
use crate::contact::set::ContactSet;
use crate::contact::set::given::slip_of_given;
use crate::contact::set::smooth::slip_force;
use crate::contact_model::policy::NormalForces;
use crate::model::Model;
use crate::model::pairs::unknowns::nodes;

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

impl ContactSet {
    /// Power at the trial, `at`.
    pub fn power(&self, frame: &ContactFrame, model: &Model, at: &Trial) -> ContactPower {
        let mut power = ContactPower::default();
        let mut add = |[heat, drive]: [f64; 2]| {
            power.friction += heat;
            power.obstacles += drive;
        };
        if let Some(friction) = frame.solved_friction(model) {
            for pair in &self.pairs {
                let contact = (pair.edges, &pair.contact);
                let (_, friction) = frame.friction_of(contact, friction, model, at);
                add([-friction.contact_force().dot(friction.slip_velocity()), 0.0]);
            }
        }
        for pair in frame.lagged() {
            add(pair.contact.power(at));
        }
        self.obstacles.power(frame.obstacles(), model, at, add);
        match &model.contact.policy().forces {
            NormalForces::OfSmoothedDistance(settings) => {
                for (pair, contact) in self.pairs.iter().zip(&self.smooth) {
                    let friction = slip_force(frame, settings, model, pair.edges, contact);
                    // Heat is minus the power of friction.
                    let force = friction.map_or([0.0; 12], |f| f.on_nodes());
                    power.friction -= on_nodes(model, at, pair.edges, &force);
                }
            }
            NormalForces::Impulses(settings) => {
                for (pair, active) in frame.forces().iter().zip(&self.pairs) {
                    let (edges, distance) = (active.edges, &active.contact.distance);
                    let friction = slip_of_given(frame, settings, model, pair, (edges, distance));
                    power.friction -= on_nodes(model, at, edges, &friction);
                    // F dg/dt
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
        self.obstacles
            .given_power(model, at, |[heat, drive, given]| {
                power.friction += heat;
                power.obstacles += drive;
                power.given += given;
            });
        power
    }

    /// Energy stored in contact, J.
    pub fn energy(&self) -> f64 {
        let pairs = self.pairs.iter().map(|pair| pair.contact.response.energy);
        // A fold from 0: the sum of nothing is -0.
        pairs.fold(self.obstacles.energy(), |sum, e| sum + e)
    }
}

/// Power of forces on the nodes of a pair of edges, W.
fn on_nodes(model: &Model, at: &Trial, edges: [usize; 2], force: &[f64; 12]) -> f64 {
    let nodes = nodes(model, edges).into_iter().enumerate();
    let of_node = |(k, n)| DVec3::from_slice(&force[3 * k..]).dot(at.velocity(n));
    nodes.map(of_node).sum()
}
