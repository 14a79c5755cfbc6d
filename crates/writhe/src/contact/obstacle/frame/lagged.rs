//! Friction on obstacles with lagged normal forces: as between rods, on the unknowns of one edge.

use glam::DVec3;

use crate::assembly::Trial;
use crate::contact::mollified_friction::{LaggedContact, MollifiedFriction};
use crate::contact::obstacle::frame::{Instant, ObstacleFrame, edge_dofs, nodes, parts};
use crate::contact::obstacle::friction::point;
use crate::kernels::friction::body::UNKNOWNS;
use crate::model::Model;

/// Lagged friction on an obstacle.
#[derive(Debug)]
pub(in crate::contact) struct LaggedOnObstacle {
    /// The obstacle.
    pub obstacle: usize,
    /// Where it acts, m.
    pub point: DVec3,
    /// On the unknowns of the edge.
    pub contact: LaggedContact<UNKNOWNS>,
}

impl ObstacleFrame {
    /// As `ContactFrame::lag_normal_forces`.
    pub(in crate::contact) fn lag_normal_forces(
        &mut self,
        model: &Model,
        at: &Trial,
        stiffness: f64,
        instant: Instant,
    ) {
        let (frames, mut found) = (self.frames_at(instant), Vec::new());
        self.contacts(model, &frames, stiffness, |n| at.position(n), &mut found);
        self.lagged.clear();
        for contact in &found {
            let own = model.obstacles[contact.obstacle].friction;
            let Some(friction) = model.contact.friction_with(own) else {
                continue;
            };
            // Only its map from velocities to slip matters.
            let law = friction.law(0.0, [0.0; 2]);
            let frame = &frames[contact.obstacle];
            let obstacle = contact.obstacle;
            let point = point(contact, nodes(model, contact.part).map(|n| at.position(n)));
            for (edge, part) in parts(law, at, frame, contact, |n| self.ends[n], |_| None) {
                let contact = LaggedContact {
                    dofs: edge_dofs(model, edge),
                    friction: MollifiedFriction::new(
                        part.columns(),
                        // Slip of a rod that rests.
                        -part.body_velocity(),
                        contact.distance.normal,
                        friction.coefficient * part.normal_force(),
                        friction.slip_tolerance,
                    ),
                };
                self.lagged.push(LaggedOnObstacle {
                    obstacle,
                    point,
                    contact,
                });
            }
        }
    }
}
