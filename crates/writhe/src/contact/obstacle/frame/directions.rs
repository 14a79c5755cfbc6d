//! The directions of friction with obstacles that the matrix is made with, as between rods
//! (`contact/frame/directions.rs`), in steps that ask for them.

use crate::contact::obstacle::contact::ObstacleContact;
use crate::contact::obstacle::frame::ObstacleFrame;
use crate::contact::obstacle::set::{ObstacleSet, id};
use crate::contact_model::hardening::ContactId;
use crate::kernels::friction::{SlipLaw, Steering};
use crate::model::Model;

impl ObstacleFrame {
    /// From here on the slope of friction is made with directions that are unknowns of their own.
    pub(in crate::contact) fn steer(&mut self) {
        self.steered = true;
    }

    /// Whether it is.
    pub(crate) fn is_steered(&self) -> bool {
        self.steered
    }

    /// Brings the directions up to the contacts of a trial, which the part `alpha` of a correction
    /// led to, if one did.
    pub(in crate::contact) fn update_directions(
        &mut self,
        model: &Model,
        set: &ObstacleSet,
        alpha: Option<f64>,
    ) {
        if !self.steered {
            return;
        }
        for (contact, slip) in set.slips() {
            let Some(law) = self.law(model, contact) else {
                continue;
            };
            // Friction by direction has a slope of its own.
            if law.directions[0].is_some() {
                continue;
            }
            let key = (slip.contact, slip.edge as u32);
            let steering = match (self.directions.get(&key), alpha) {
                (Some(known), None) => Some(known.moved(slip.slip)),
                (Some(known), Some(alpha)) => Some(known.followed(&law, slip.slip, alpha)),
                (None, _) => Steering::exact(&law, slip.slip),
            };
            if let Some(steering) = steering {
                let normal = contact.distance.normal;
                self.directions.insert(key, steering.in_plane(normal));
            }
        }
    }

    /// Forgets the directions; whether there were any.
    pub(in crate::contact) fn drop_directions(&mut self) -> bool {
        let any = !self.directions.is_empty();
        self.directions.clear();
        any
    }

    /// The law of a contact's friction on an edge and the direction that its slope is made with, if it
    /// has one.
    pub(in crate::contact) fn steering(
        &self,
        model: &Model,
        contact: &ObstacleContact,
        edge: usize,
    ) -> Option<(SlipLaw, &Steering)> {
        // Nothing to look for in steps that are not steered.
        if self.directions.is_empty() {
            return None;
        }
        let direction = self.directions.get(&(id(contact), edge as u32))?;
        Some((self.law(model, contact)?, direction))
    }
}

/// A contact, and the edge that feels its friction.
pub(super) type Key = (ContactId, u32);
