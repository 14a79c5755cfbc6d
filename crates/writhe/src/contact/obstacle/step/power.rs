//! What contact with obstacles does to the energy.

use super::{Instant, ObstacleStep, nodes};
use crate::assembly::Trial;
use crate::contact::obstacle::contact::ObstacleContact;
use crate::model::Model;
use crate::rod::kinematics::position;

impl ObstacleStep {
    /// Tells `add` of each contact at the trial last evaluated the heat of its friction, W, and the power of what moves the obstacle, W.
    ///
    /// The energy of a contact depends on where rod and obstacle are to each other, so a rigid motion v of the obstacle changes it as the
    /// motion -v of the rod would: by `-sum grad_k E . v(x_k)` over the nodes. Friction f on the rod takes `f . v` from the obstacle.
    pub fn power(&self, model: &Model, at: &Trial, mut add: impl FnMut([f64; 2])) {
        for contact in &self.lagged {
            add(contact.power(at));
        }
        for contact in &self.active {
            let frame = &self.frames[contact.obstacle];
            // What rides on a body is moved by the body, whose energy is that of the model.
            let moved = model.obstacles[contact.obstacle].riding.is_none();
            let share = if moved { 1.0 } else { 0.0 };
            let nodes = nodes(model, contact.part).into_iter();
            let press = nodes.zip(contact.gradient());
            let press = press.map(|(n, g)| -g.dot(frame.velocity(at.position(n))));
            add([0.0, share * press.sum::<f64>()]);
            for (_, friction) in self.friction(model, at, contact) {
                let force = friction.contact_force();
                let heat = -force.dot(friction.slip_velocity());
                add([heat, share * force.dot(friction.body_velocity())]);
            }
        }
    }

    /// Energy stored at the trial last evaluated, J.
    pub fn energy(&self) -> f64 {
        let contacts = self.active.iter().map(ObstacleContact::energy);
        contacts.fold(0.0, |sum, e| sum + e)
    }

    /// As `ContactStep::energy_at`. What touched at the last trial is forgotten.
    pub fn energy_at(&mut self, model: &Model, q: &[f64], stiffness: f64, instant: Instant) -> f64 {
        let stage = self.frames.clone();
        let poses = match instant {
            Instant::Start => Some(&self.start),
            Instant::Stage => None,
            Instant::End => Some(&self.end),
        };
        for (frame, pose) in self.frames.iter_mut().zip(poses.into_iter().flatten()) {
            frame.pose = *pose;
        }
        self.collect(model, stiffness, |n| {
            position(q, model.topology.node_dof[n])
        });
        self.frames = stage;
        self.energy()
    }
}
