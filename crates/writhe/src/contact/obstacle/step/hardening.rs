//! Contacts with obstacles whose stiffness was raised while they were compressed.

use super::ObstacleStep;
use crate::assembly::Trial;
use crate::contact::hardening::{ContactId, Hardening, Touch};
use crate::contact::obstacle::contact::{ObstacleContact, Part};
use crate::contact::step::Penetration;
use crate::model::Model;

impl ObstacleStep {
    /// As `ContactStep::harden`.
    pub fn harden(&mut self, hardening: Hardening) {
        self.hardening = hardening;
    }

    /// The contacts at the start of a step, `at`, as `ContactStep::touching_at_start`.
    pub fn touching_at_start(&mut self, model: &Model, at: &Trial, stiffness: f64) -> Vec<Touch> {
        let (active, stage) = (std::mem::take(&mut self.active), self.frames.clone());
        for (frame, start) in self.frames.iter_mut().zip(&self.start) {
            frame.pose = *start;
        }
        self.collect(model, stiffness, |n| at.position(n));
        let touch = |c: &ObstacleContact| Touch {
            contact: id(c),
            scale: c.radius,
            weight: c.weight.value,
            gap: c.gap,
            energy: c.energy(),
        };
        let found = self.active.iter().map(touch).collect();
        (self.active, self.frames) = (active, stage);
        found
    }

    /// As `ContactStep::penetrations`, of contacts that count.
    pub fn penetrations(&self) -> impl Iterator<Item = Penetration> + '_ {
        let counts = self.active.iter().filter(|c| c.weight.value > 0.5);
        counts.map(penetration)
    }

    /// As `ContactStep::touching`: of all contacts, however little they count.
    pub fn touching(&self) -> impl Iterator<Item = Penetration> + '_ {
        self.active.iter().map(penetration)
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
pub(super) fn id(contact: &ObstacleContact) -> ContactId {
    ContactId::Obstacle {
        obstacle: contact.obstacle as u32,
        part: match contact.part {
            Part::Node(n) => [0, n as u32],
            Part::Edge(e) => [1, e as u32],
        },
        feature: contact.feature,
    }
}
