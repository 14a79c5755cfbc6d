//! The directions of friction that the matrix is made with.

use std::collections::hash_map::Entry;

use crate::assembly::Trial;
use crate::contact::ContactSet;
use crate::contact::frame::ContactFrame;
use crate::contact::set::EdgeContact;
use crate::kernels::friction::Steering;
use crate::model::Model;

impl ContactFrame {
    /// Takes the directions of friction at the start of the step, `at`: those that balanced the
    /// step before.
    pub(crate) fn take_directions(&mut self, model: &Model, at: &Trial, stiffness: f64) {
        self.directions.clear();
        let Some(friction) = self.solved_friction(model) else {
            return;
        };
        let mut near = Vec::new();
        self.near(model, at, &mut near);
        for (i, j) in near {
            let edges = [i as usize, j as usize];
            if let Some(contact) = self.pair_contact(model, at, edges, stiffness) {
                let (law, found) = self.friction_of((edges, &contact), friction, model, at);
                // None for a law with a memory, which is as before (decision 0021).
                if let Some(steering) = Steering::exact(&law, found.slip()) {
                    self.directions.insert((i, j, 0), steering);
                }
            }
        }
    }

    /// Brings the directions up to the contacts of a trial, which the part `alpha` of a correction
    /// led to, if one did.
    pub(crate) fn update_directions(
        &mut self,
        model: &Model,
        set: &ContactSet,
        alpha: Option<f64>,
    ) {
        let Some(friction) = self.solved_friction(model) else {
            return;
        };
        for pair in set.pairs() {
            let law = friction.law(0.5 * pair.touching, self.span);
            let normal = pair.contact.distance.normal;
            // At the first trial as the step before left it, later moved on with the correction
            // (steering.rs); a pair that just came into contact starts with its own.
            match self.directions.entry(key(pair)) {
                Entry::Occupied(mut known) => {
                    let moved = match alpha {
                        None => known.get().moved(pair.slip),
                        Some(alpha) => known.get().followed(&law, pair.slip, alpha),
                    };
                    known.insert(moved.in_plane(normal));
                }
                Entry::Vacant(place) => {
                    if let Some(own) = Steering::exact(&law, pair.slip) {
                        place.insert(own.in_plane(normal));
                    }
                }
            }
        }
    }

    /// Forgets the directions: the matrix is the derivative itself until they are brought up again.
    /// Whether there were any.
    pub(crate) fn drop_directions(&mut self) -> bool {
        let any = !self.directions.is_empty();
        self.directions.clear();
        any
    }

    /// The direction that the slope of a contact's friction is made with, if it has one.
    pub(in crate::contact) fn direction(&self, pair: &EdgeContact) -> Option<&Steering> {
        self.directions.get(&key(pair))
    }
}

/// Both ends of an overlap slip each in its own direction.
fn key(pair: &EdgeContact) -> (u32, u32, u8) {
    (pair.edges[0] as u32, pair.edges[1] as u32, pair.end)
}

#[cfg(test)]
mod tests;
