//! What can be said of a model before it is built.

use crate::bodies::{Joint, JointKind};
use crate::constraints::Constraint;
use crate::fluid::{Coupling, Fluid};
use crate::kernels::friction::FrictionSolve;
use crate::loads::WindDrag;
use crate::model::ModelError;
use crate::model::builder::ModelBuilder;
use crate::model::friction::check_knows_directions;
use crate::obstacle::Obstacle;
use crate::schedule::Motion;

impl ModelBuilder {
    fn check_bodies(&self) -> Result<(), ModelError> {
        let count = self.bodies.len();
        let no_such = |what, body: usize| {
            if body < count {
                return Ok(());
            }
            Err(ModelError::NoSuchBody { what, body, count })
        };
        for (body, ..) in &self.welds {
            no_such("a weld", *body)?;
        }
        for constraint in &self.body_constraints {
            if let Constraint::Body { body, .. } | Constraint::BodyAxes { body, .. } = constraint {
                no_such("a held body", *body)?;
            }
        }
        for (index, joint) in self.joints.iter().enumerate() {
            for body in joint.bodies.iter().flatten() {
                no_such("a joint", *body)?;
            }
            self.check_joint(index, joint)?;
        }
        let refuse = |second, remedy| {
            Err(ModelError::Pairing {
                first: "rigid bodies",
                second,
                remedy,
            })
        };
        for obstacle in &self.obstacles {
            let Some(body) = obstacle.on else { continue };
            no_such("an obstacle on a body", body)?;
            if !matches!(obstacle.motion, Motion::Still) {
                return refuse(
                    "an obstacle that is part of a body and has a motion of its own",
                    "give the motion to the body",
                );
            }
            if obstacle.body.extent() == f64::INFINITY {
                return refuse(
                    "a half-space that is part of a body, for it has no end",
                    "take a box or a mesh",
                );
            }
            let policy = self.contact.policy();
            let implicit = policy.friction_solve() == FrictionSolve::Implicit;
            if !policy.bodies || !implicit {
                return refuse(
                    "this contact model, or friction that lags, where rods touch them",
                    "set contact.model = \"imc\" and contact.friction_solve = \"implicit\"",
                );
            }
        }
        if count > 0 && self.fluid.as_ref().map(|f| f.coupling) == Some(Coupling::Implicit) {
            return refuse(
                "a fluid whose drag is part of the equations of a step (fluid.coupling = \"implicit\")",
                "set fluid.coupling = \"lagged\"",
            );
        }
        Ok(())
    }

    fn check_joint(&self, index: usize, joint: &Joint) -> Result<(), ModelError> {
        let refuse = |need| Err(ModelError::Joint { joint: index, need });
        let moved = |body: &usize| {
            let given = |c: &Constraint| matches!(c, Constraint::Body { body: b, .. } if b == body);
            self.body_constraints.iter().any(given)
        };
        let bodies: Vec<&usize> = joint.bodies.iter().flatten().collect();
        // Nothing would be left for its force to move.
        if bodies.iter().all(|body| moved(body)) {
            return refuse("one of its bodies must be free to move");
        }
        if bodies.len() == 2 && bodies[0] == bodies[1] {
            return refuse("it must join two different bodies");
        }
        if !joint.anchor.is_finite() {
            return refuse("its anchor must be finite");
        }
        if joint.strength.is_some_and(|s| !(s.is_finite() && s > 0.0)) {
            return refuse("its strength must be finite and greater than zero");
        }
        match &joint.kind {
            JointKind::Hinge { axis, .. } if !(axis.is_finite() && axis.length() > 0.0) => {
                refuse("its axis must be finite and not zero")
            }
            _ => Ok(()),
        }
    }

    fn check_joined(&self, rods: &[usize]) -> Result<(), ModelError> {
        let last = self.rods.len() - 1;
        if let Some(rod) = rods.iter().copied().find(|rod| *rod > last) {
            let what = "a list of joined rods";
            return Err(ModelError::NoSuchRod { what, rod, last });
        }
        let refuse = |need| {
            let rods = rods.to_vec();
            Err(ModelError::Joined { rods, need })
        };
        let twice = |i: usize| rods[..i].contains(&rods[i]);
        if rods.len() < 2 {
            return refuse("name two or more");
        }
        if (0..rods.len()).any(twice) {
            return refuse("name each rod once");
        }
        if rods.iter().any(|rod| self.rods[*rod].closed) {
            return refuse("closed rods have no ends; name open ones");
        }
        Ok(())
    }

    fn check_directions(&self) -> Result<(), ModelError> {
        for (rod, directions) in &self.directions {
            let last = self.rods.len() - 1;
            if *rod > last {
                let (what, rod) = ("friction by direction", *rod);
                return Err(ModelError::NoSuchRod { what, rod, last });
            }
            directions.check()?;
        }
        let of_obstacles = self.obstacles.iter().any(|o| o.directions.is_some());
        match of_obstacles || !self.directions.is_empty() {
            true => check_knows_directions(&self.contact),
            false => Ok(()),
        }
    }

    pub(super) fn check_settings(&self) -> Result<(), ModelError> {
        self.check_materials()?;
        let setting = |key, value, need| Err(ModelError::Setting { key, value, need });
        if let Some(g) = self.gravity.filter(|g| !g.is_finite()) {
            return setting("gravity", g.x + g.y + g.z, "finite");
        }
        match self.viscosity {
            Some(eta) if !(eta.is_finite() && eta >= 0.0) => {
                return setting("viscous damping", eta, "finite and not negative");
            }
            _ => {}
        }
        if let Some((velocity, _, drag)) = &self.wind {
            if !velocity.is_finite() {
                let value = velocity.x + velocity.y + velocity.z;
                return setting("wind velocity", value, "finite");
            }
            let (WindDrag::Quadratic { coefficient, .. } | WindDrag::Linear { coefficient }) = drag;
            if !(coefficient.is_finite() && *coefficient >= 0.0) {
                return setting("wind drag", *coefficient, "finite and not negative");
            }
        }
        // Coefficients follow from the radius, and are negative where slenderness is not given.
        if let Some((viscosity, law)) = self.resistive {
            for section in self.rods.iter().flat_map(|r| &r.sections) {
                let drag = law.coefficients(viscosity, section.radius);
                for (key, value) in [
                    ("tangential drag coefficient", drag.tangential),
                    ("normal drag coefficient", drag.normal),
                ] {
                    if !(value.is_finite() && value > 0.0) {
                        return setting(
                            key,
                            value,
                            "finite and greater than zero: is the rod too thick for the wavelength?",
                        );
                    }
                }
            }
        }
        self.check_bodies()?;
        self.joined
            .iter()
            .try_for_each(|of| self.check_joined(of))?;
        self.contact.check()?;
        let coupled = self.fluid.as_ref().map(|f| f.coupling) == Some(Coupling::Implicit);
        if coupled && self.contact.policy().impulsive() {
            return Err(ModelError::Pairing {
                first: "the contact model spillmann-teschner",
                second: "a fluid whose drag is part of the equations of a step (fluid.coupling = \"implicit\")",
                remedy: "set fluid.coupling = \"lagged\", or take the contact model imc or ipc",
            });
        }
        if !self.contact.policy().acts() && !self.obstacles.is_empty() {
            return Err(ModelError::ObstaclesWithoutContact(self.obstacles.len()));
        }
        self.obstacles.iter().try_for_each(Obstacle::check)?;
        self.check_directions()?;
        if !self.obstacles.is_empty() {
            let rough = |o: &Obstacle| o.friction.is_some_and(|mu| mu > 0.0);
            self.contact
                .check_obstacles(self.obstacles.iter().any(rough))?;
        }
        self.fluid.as_ref().map_or(Ok(()), Fluid::check)
    }
}
