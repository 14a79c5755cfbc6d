//! Which coefficients of friction count where: those between rods, of a rod's own, of an obstacle.
//!
//! What is given for an obstacle counts for whatever touches it. Otherwise a rod with coefficients by
//! direction has these, on obstacles and on other rods (there as `kernels/friction/between.rs`
//! says), and a rod without has the coefficient of the contact model.

use crate::contact_model::ContactModel;
use crate::contact_model::policy::FrictionPolicy;
use crate::error::ModelError;
use crate::kernels::friction::{Directions, Friction, FrictionSolve};
use crate::model::Model;
use crate::obstacle::Obstacle;

impl Model {
    /// Whether friction by the slip of the trial acts between rods, or on an obstacle.
    pub(crate) fn has_friction(&self) -> bool {
        self.rod_friction().is_some() || self.obstacles.iter().any(|o| self.is_rough(o))
    }

    /// Whether friction differs by the direction in which a rod slides, on others or on an obstacle.
    pub(crate) fn has_friction_by_direction(&self) -> bool {
        self.rods_have_directions() || self.obstacles.iter().any(|o| o.directions.is_some())
    }

    /// Whether rods rub on each other; what does so without a lag has no potential.
    pub(crate) fn rods_rub(&self) -> bool {
        self.contact.policy().has_friction() || self.rods_have_directions()
    }

    /// Friction between rods by the slip of the trial, if it acts; its coefficient is that of rods
    /// without their own.
    pub(crate) fn rod_friction(&self) -> Option<Friction> {
        match self.contact.policy().friction {
            FrictionPolicy::OfTrial(friction) if self.rods_have_directions() => Some(friction),
            _ => self.contact.friction(),
        }
    }

    /// Whether friction by the slip of the trial acts on an obstacle.
    pub(crate) fn is_rough(&self, obstacle: &Obstacle) -> bool {
        let by_rods = obstacle.friction.is_none() && self.rods_have_directions();
        by_rods || self.contact.friction_with(obstacle.friction).is_some()
    }

    /// Friction of a rod on an obstacle by the slip of the trial, if it acts, and its coefficients by
    /// direction, if it has any.
    pub(crate) fn friction_on(
        &self,
        obstacle: &Obstacle,
        rod: usize,
    ) -> Option<(Friction, Option<Directions>)> {
        let directions = match obstacle.friction {
            Some(_) => obstacle.directions,
            None => self.directions_of_rod(rod),
        };
        let own = directions.map(|d| d.largest()).or(obstacle.friction);
        Some((self.contact.friction_with(own)?, directions))
    }

    /// Coefficients by direction of the rod of an edge, if it has its own.
    pub(crate) fn directions_of(&self, edge: usize) -> Option<Directions> {
        self.directions_of_rod(self.topology.edge_rod[edge])
    }

    fn directions_of_rod(&self, rod: usize) -> Option<Directions> {
        self.friction_by_direction.get(rod).copied().flatten()
    }

    fn rods_have_directions(&self) -> bool {
        !self.friction_by_direction.is_empty()
    }
}

/// Refuses contact models that do not know friction by direction, which is a function of the
/// velocity of the trial.
///
/// # Errors
/// [`ModelError::Directions`].
pub(super) fn check_knows_directions(contact: &ContactModel) -> Result<(), ModelError> {
    let policy = contact.policy();
    let refuse = |setting, with, remedy| {
        Err(ModelError::Directions {
            setting,
            with,
            remedy,
        })
    };
    if !matches!(policy.friction, FrictionPolicy::OfTrial(_)) {
        return refuse(
            "contact model",
            "with this contact model, whose friction is as published",
            "set contact.model = \"imc\" or \"ipc\"",
        );
    }
    if policy.friction_solve() != FrictionSolve::Implicit {
        return refuse(
            "friction rounds",
            "where friction lags, as it does with ipc unless it is told otherwise",
            "set contact.friction_solve = \"implicit\"",
        );
    }
    // Forces by the displacement while it sticks have no potential where they differ by direction:
    // round a closed path they would do work (decision 0085).
    if policy.remembers() {
        return refuse(
            "static friction",
            "with anchors, which would make energy while they stick",
            "leave contact.static_friction out",
        );
    }
    Ok(())
}
