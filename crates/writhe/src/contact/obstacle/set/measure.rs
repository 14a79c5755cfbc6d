//! What contact with obstacles amounts to at a trial.

use glam::DVec3;

use crate::assembly::Trial;
use crate::contact::obstacle::contact::{ObstacleContact, Part};
use crate::contact::obstacle::frame::{ObstacleFrame, nodes};
use crate::contact::obstacle::friction::point;
use crate::contact::obstacle::set::ObstacleSet;
use crate::contact::set::Penetration;
use crate::contact_model::hardening::ContactId;
use crate::kernels::friction::Sticking;
use crate::model::Model;

/// What rods do to an obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObstacleLoad {
    /// Force, N.
    pub force: DVec3,
    /// Torque, N m, about `at`.
    pub torque: DVec3,
    /// Place of the obstacle's own origin, m.
    pub at: DVec3,
}

impl ObstacleLoad {
    fn add(&mut self, x: DVec3, f: DVec3) {
        self.force += f;
        self.torque += (x - self.at).cross(f);
    }
}

impl ObstacleSet {
    /// Counts how many contacts stick and how fast they creep.
    pub(in crate::contact) fn sticking(
        &self,
        obstacles: &ObstacleFrame,
        model: &Model,
        at: &Trial,
        sticking: &mut Sticking,
    ) {
        for lagged in &obstacles.lagged {
            lagged.contact.count_sticking(at, sticking);
        }
        for contact in &self.contacts {
            let Some(law) = obstacles.law(model, contact) else {
                continue;
            };
            let frame = &self.frames[contact.obstacle];
            for (_, friction) in obstacles.friction(model, at, frame, contact) {
                let limit = friction.limit(law.coefficient);
                sticking.count(friction.contact_force(), limit, friction.slip_velocity());
            }
        }
    }

    /// Force on each obstacle, N, and its torque, N m, about the place of its own origin.
    pub fn loads(&self, obstacles: &ObstacleFrame, model: &Model, at: &Trial) -> Vec<ObstacleLoad> {
        let unloaded = |at: DVec3| ObstacleLoad {
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
            at,
        };
        let given = self.given_friction.iter().copied().map(Some);
        let mut given = given.chain(std::iter::repeat(None));
        let frames = obstacles.frames().iter();
        let mut loads: Vec<ObstacleLoad> = frames.map(|f| unloaded(f.pose.translation)).collect();
        for contact in &self.contacts {
            let load = &mut loads[contact.obstacle];
            let nodes = nodes(model, contact.part).map(|n| at.position(n));
            for (x, g) in nodes.into_iter().zip(contact.gradient()) {
                // The rod feels -dE/dx, the obstacle its opposite.
                load.add(x, g);
            }
            if let Some(friction) = given.next().flatten() {
                load.add(contact.distance.point(nodes), -friction);
            }
            let point = point(contact, nodes);
            let frame = &self.frames[contact.obstacle];
            for (_, friction) in obstacles.friction(model, at, frame, contact) {
                load.add(point, -friction.contact_force());
            }
        }
        for lagged in &obstacles.lagged {
            loads[lagged.obstacle].add(lagged.point, -lagged.contact.contact_force(at));
        }
        loads
    }

    /// Largest normal force, N.
    pub(in crate::contact) fn largest_force(&self) -> f64 {
        let forces = self.contacts.iter().map(ObstacleContact::force);
        forces.fold(0.0, f64::max)
    }

    /// Sum of the normal forces on obstacles that move as prescribed during the step, N; `None` if
    /// none does.
    pub fn reaction(&self, obstacles: &ObstacleFrame, model: &Model) -> Option<f64> {
        let moves = |o: usize| obstacles.is_moved(model, o);
        let any = (0..model.obstacles.len()).any(moves);
        let moving = self.contacts.iter().filter(|c| moves(c.obstacle));
        any.then(|| moving.map(ObstacleContact::force).sum())
    }

    /// Deepest penetration over the radius of contacts that count; negative or 0 without.
    pub(in crate::contact) fn deepest(&self) -> f64 {
        self.penetrations().fold(0.0, |d: f64, p| d.max(p.depth))
    }

    /// Depths of the contacts that count.
    pub(in crate::contact) fn penetrations(&self) -> impl Iterator<Item = Penetration> + '_ {
        // Below one half the contact is handed over to nodes, which have depths of their own.
        let counts = self.contacts.iter().filter(|c| c.weight.value > 0.5);
        counts.map(penetration)
    }

    /// Depths of all contacts, however little they count.
    pub(in crate::contact) fn touching(&self) -> impl Iterator<Item = Penetration> + '_ {
        self.contacts.iter().map(penetration)
    }
}

fn penetration(contact: &ObstacleContact) -> Penetration {
    Penetration {
        contact: id(contact),
        scale: contact.radius,
        depth: -contact.gap / contact.radius,
        gap: contact.gap,
        force: contact.response.force,
    }
}

/// Identity of a contact.
pub(in crate::contact) fn id(contact: &ObstacleContact) -> ContactId {
    ContactId::Obstacle {
        obstacle: contact.obstacle as u32,
        part: match contact.part {
            Part::Node(n) => [0, n as u32],
            Part::Edge(e) => [1, e as u32],
        },
        feature: contact.feature,
    }
}
