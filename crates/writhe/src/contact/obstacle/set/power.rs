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
        for lagged in &obstacles.lagged {
            add(lagged.contact.power(at));
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

    /// Tells `add` of each contact whose force is given the heat of its friction, W, the power of
    /// that on what moves the obstacle, W, and the power of the normal force, W.
    pub(in crate::contact) fn given_power(
        &self,
        model: &Model,
        at: &Trial,
        mut add: impl FnMut([f64; 3]),
    ) {
        for (contact, friction) in self.contacts.iter().zip(&self.given_friction) {
            let nodes = nodes(model, contact.part);
            let of_nodes = nodes.map(|n| at.velocity(n));
            let [a, b] = contact.distance.weights;
            let point = contact.distance.point(nodes.map(|n| at.position(n)));
            let material = self.frames[contact.obstacle].velocity(point);
            let slip = a * of_nodes[0] + b * of_nodes[1] - material;
            let moved = model.obstacles[contact.obstacle].riding.is_none();
            let drive = if moved { friction.dot(material) } else { 0.0 };
            // F dg/dt
            let rate = contact.force() * contact.distance.normal.dot(slip);
            add([-friction.dot(slip), drive, rate]);
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
