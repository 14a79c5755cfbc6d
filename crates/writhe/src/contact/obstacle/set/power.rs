//! What contact with obstacles does to the energy.

use crate::assembly::Trial;
use crate::contact::obstacle::contact::ObstacleContact;
use crate::contact::obstacle::frame::{ObstacleFrame, nodes};
use crate::contact::obstacle::set::ObstacleSet;
use crate::model::Model;

impl ObstacleSet {
    /// Tells `add` of each contact the heat of its friction, W, and the power of what moves the
    /// obstacle, W.
    ///
    /// The energy of a contact depends on where rod and obstacle are to each other, so a rigid
    /// motion v of the obstacle changes it as the motion -v of the rod would: by
    /// `-sum grad_k E . v(x_k)` over the nodes. Friction f on the rod takes `f . v` from the
    /// obstacle.
    pub(in crate::contact) fn power(
        &self,
        obstacles: &ObstacleFrame,
        model: &Model,
        at: &Trial,
        mut add: impl FnMut([f64; 2]),
    ) {
        for contact in &obstacles.lagged {
            add(contact.power(at));
        }
        for contact in &self.contacts {
            let frame = &self.frames[contact.obstacle];
            // What rides on a body is moved by the body, whose energy is that of the model.
            let moved = model.obstacles[contact.obstacle].riding.is_none();
            let share = if moved { 1.0 } else { 0.0 };
            let nodes = nodes(model, contact.part).into_iter();
            let press = nodes.zip(contact.gradient());
            let press = press.map(|(n, g)| -g.dot(frame.velocity(at.position(n))));
            add([0.0, share * press.sum::<f64>()]);
            for (_, friction) in obstacles.friction(model, at, frame, contact) {
                let force = friction.contact_force();
                let heat = -force.dot(friction.slip_velocity());
                add([heat, share * force.dot(friction.body_velocity())]);
            }
        }
    }

    /// Energy stored in the contacts, J.
    pub(in crate::contact) fn energy(&self) -> f64 {
        stored(&self.contacts)
    }
}

/// Energy stored in contacts, J.
pub(in crate::contact::obstacle) fn stored(contacts: &[ObstacleContact]) -> f64 {
    // A fold from 0: the sum of nothing is -0.
    let energies = contacts.iter().map(ObstacleContact::energy);
    energies.fold(0.0, |sum, e| sum + e)
}
