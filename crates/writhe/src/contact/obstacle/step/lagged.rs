//! Friction on obstacles with lagged normal forces: as between rods, on the unknowns of one edge.

use super::{ObstacleStep, edge_dofs, parts};
use crate::assembly::Trial;
use crate::contact::mollified_friction::{LaggedContact, MollifiedFriction};
use crate::model::Model;

/// When in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instant {
    /// At its start.
    Start,
    /// Where forces balance.
    Stage,
    /// At its end.
    End,
}

impl ObstacleStep {
    /// Lets friction lag in this step, or not.
    pub fn lag(&mut self, lags: bool) {
        self.lags = lags;
    }

    /// As `ContactStep::lag_normal_forces`.
    pub fn lag_normal_forces(
        &mut self,
        model: &Model,
        at: &Trial,
        stiffness: f64,
        instant: Instant,
    ) {
        let stage = self.frames.clone();
        if instant == Instant::Start {
            for (frame, start) in self.frames.iter_mut().zip(&self.start) {
                frame.pose = *start;
            }
        }
        self.collect(model, stiffness, |n| at.position(n));
        self.lagged.clear();
        for contact in &self.active {
            let own = model.obstacles[contact.obstacle].friction;
            let Some(friction) = model.contact.friction_with(own) else {
                continue;
            };
            // Only its map from velocities to slip matters.
            let law = friction.law(0.0, [0.0; 2]);
            let frame = &self.frames[contact.obstacle];
            for (edge, part) in parts(law, at, frame, contact, |n| self.ends[n], |_| None) {
                self.lagged.push(LaggedContact {
                    dofs: edge_dofs(model, edge),
                    friction: MollifiedFriction::new(
                        part.columns(),
                        -part.body_velocity(),
                        contact.distance.normal,
                        friction.coefficient * part.normal_force(),
                        friction.slip_tolerance,
                    ),
                });
            }
        }
        self.active.clear();
        self.frames = stage;
    }
}
