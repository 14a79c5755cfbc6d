//! Friction between rods with lagged normal forces.

use glam::DVec3;

use crate::assembly::Trial;
use crate::contact::frame::{ContactFrame, FrictionSolve};
use crate::contact::mollified_friction::{LaggedContact, MollifiedFriction, MollifiedPair};
use crate::contact::obstacle::frame::Instant;
use crate::contact::set::pair_friction;
use crate::model::Model;
use crate::model::pairs::unknowns::friction_dofs;

impl ContactFrame {
    /// Keeps normal forces and contact points at `at`, for lagged friction; `stiffness`, N m, is
    /// the one that balanced there. Obstacles are where they are at `instant`.
    pub fn lag_normal_forces(
        &mut self,
        model: &Model,
        at: &Trial,
        stiffness: f64,
        instant: Instant,
    ) {
        self.lagged.clear();
        if self.friction == FrictionSolve::Implicit {
            return;
        }
        self.obstacles
            .lag_normal_forces(model, at, stiffness, instant);
        let Some(friction) = model.contact.friction() else {
            return;
        };
        for &(i, j) in &self.candidates {
            let edges = [i as usize, j as usize];
            let Some(contact) = self.pair_contact(model, at, edges, stiffness) else {
                continue;
            };
            // Only its map from velocities to slip matters.
            let law = friction.law(0.0, [0.0; 2]);
            let pair = pair_friction(model, at, &law, edges, &contact, None);
            let contact = LaggedContact {
                dofs: friction_dofs(model, edges),
                friction: MollifiedFriction::new(
                    pair.columns(),
                    DVec3::ZERO,
                    contact.distance.normal,
                    // mu N
                    friction.coefficient * contact.response.force,
                    friction.slip_tolerance,
                ),
            };
            self.lagged.push(MollifiedPair { edges, contact });
        }
    }
}
