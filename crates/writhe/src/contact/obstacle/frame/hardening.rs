//! Contacts with obstacles at the start of a step, and those whose stiffness was raised while they
//! were compressed.

use crate::assembly::Trial;
use crate::contact::obstacle::contact::ObstacleContact;
use crate::contact::obstacle::frame::{Instant, ObstacleFrame};
use crate::contact::obstacle::set::{id, stored};
use crate::contact_model::hardening::{Hardening, Touch};
use crate::model::Model;

impl ObstacleFrame {
    /// Gives contacts their springs, in place of those they had.
    pub(in crate::contact) fn harden(&mut self, hardening: Hardening) {
        self.hardening = hardening;
    }

    /// The contacts at the start of the step, `at`, with obstacles where they were, as
    /// `ContactFrame::touching_at_start`.
    pub(in crate::contact) fn touching_at_start(
        &self,
        model: &Model,
        at: &Trial,
        stiffness: f64,
    ) -> Vec<Touch> {
        let (frames, mut found) = (self.frames_at(Instant::Start), Vec::new());
        self.contacts(model, &frames, stiffness, |n| at.position(n), &mut found);
        let touch = |c: &ObstacleContact| Touch {
            contact: id(c),
            scale: c.radius,
            weight: c.weight.value,
            gap: c.gap,
            energy: c.energy(),
        };
        found.iter().map(touch).collect()
    }

    /// As `ContactFrame::count_between_at`.
    pub(in crate::contact) fn count_at(&self, model: &Model, q: &[f64], stiffness: f64) -> usize {
        let (frames, mut found) = (self.frames_at(Instant::Stage), Vec::new());
        let place = |n: usize| crate::rod::kinematics::position(q, model.topology.node_dof[n]);
        self.contacts(model, &frames, stiffness, place, &mut found);
        found.len()
    }

    /// As `ContactFrame::energy_at`.
    pub(in crate::contact) fn energy_at(
        &self,
        model: &Model,
        q: &[f64],
        stiffness: f64,
        instant: Instant,
    ) -> f64 {
        let (frames, mut found) = (self.frames_at(instant), Vec::new());
        let place = |n: usize| crate::rod::kinematics::position(q, model.topology.node_dof[n]);
        self.contacts(model, &frames, stiffness, place, &mut found);
        stored(&found)
    }
}
