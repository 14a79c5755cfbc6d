//! The contacts with obstacles at one trial, and what they exert.

use glam::DVec3;

use crate::assembly::{Blocks, Trial, add3};
use crate::contact::obstacle::contact::{ObstacleContact, Part};
use crate::contact::obstacle::frame::{ObstacleFrame, edge_dofs, edge_unknowns, nodes, normal};
use crate::contact::obstacle::memory::record;
use crate::model::Model;
use crate::obstacle::riding::Riding;
use crate::obstacle::surface::Frame;
use crate::rod::kinematics::position;
use crate::state::ObstacleAnchor;

mod measure;
mod power;
mod push;

pub use measure::ObstacleLoad;
pub(in crate::contact) use measure::id;
pub(super) use power::stored;

/// Contacts of all rods with all obstacles at one trial of a step.
#[derive(Debug, Clone, Default)]
pub struct ObstacleSet {
    contacts: Vec<ObstacleContact>,
    /// Where obstacles were at the trial.
    frames: Vec<Frame>,
    /// What contacts remember there, in their order.
    anchors: Vec<ObstacleAnchor>,
    /// Whether friction without a potential acts at any of them.
    has_solved_friction: bool,
    /// Where forces are given: friction on the rod at each contact, N.
    given_friction: Vec<DVec3>,
}

impl ObstacleSet {
    /// Becomes the contacts at a trial and adds their forces, and those of friction with lagged
    /// normal forces; returns the energy, J.
    pub(in crate::contact) fn find(
        &mut self,
        obstacles: &ObstacleFrame,
        model: &Model,
        at: &Trial,
        stiffness: f64,
        force: &mut [f64],
    ) -> f64 {
        self.frames.clear();
        self.frames.extend_from_slice(obstacles.frames());
        let nodes_at = |n| at.position(n);
        obstacles.contacts(model, &self.frames, stiffness, nodes_at, &mut self.contacts);
        let lagged = obstacles.lagged.iter();
        let mut energy = lagged
            .map(|lagged| lagged.contact.evaluate(at, force))
            .sum();
        self.has_solved_friction = false;
        self.anchors.clear();
        for contact in &self.contacts {
            energy += contact.energy();
            // -dE/dx; a node stands there twice, with gradient 0 the second time.
            for (node, g) in nodes(model, contact.part)
                .into_iter()
                .zip(contact.gradient())
            {
                add3(force, model.topology.node_dof[node], -g);
            }
            let riding = model.obstacles[contact.obstacle].riding.as_deref();
            if let Some(riding) = riding {
                // What rides on a body hands its reaction on to it: -B f (obstacle/riding.rs).
                let (dofs, residual) = normal(model, contact);
                let forces: Vec<f64> = residual.iter().map(|r| -r).collect();
                riding.react(at, &dofs, &forces, force);
            }
            let law = obstacles.law(model, contact);
            self.has_solved_friction |= law.is_some();
            let frame = &self.frames[contact.obstacle];
            for (edge, friction) in obstacles.friction(model, at, frame, contact) {
                for (dof, f) in edge_dofs(model, edge).into_iter().zip(friction.force()) {
                    force[dof] += f;
                }
                if let Some(riding) = riding {
                    riding.react(at, &edge_unknowns(model, edge), &friction.force(), force);
                }
                let anchor = law.and_then(|law| friction.remember(&law));
                self.anchors
                    .extend(anchor.map(|a| record(contact, edge, a)));
            }
        }
        energy
    }

    /// Becomes the contacts whose forces are given, at a trial, and adds these.
    pub(in crate::contact) fn find_given(
        &mut self,
        obstacles: &ObstacleFrame,
        model: &Model,
        at: &Trial,
        force: &mut [f64],
    ) {
        self.frames.clear();
        self.frames.extend_from_slice(obstacles.frames());
        let nodes_at = |n| at.position(n);
        obstacles.pushing(
            model,
            nodes_at,
            &mut self.contacts,
            &mut self.given_friction,
        );
        for (contact, friction) in self.contacts.iter().zip(&self.given_friction) {
            // F n and the friction, at the rod's axis.
            let f = contact.force() * contact.distance.normal + *friction;
            let nodes = nodes(model, contact.part);
            for (node, weight) in nodes.into_iter().zip(contact.distance.weights) {
                add3(force, model.topology.node_dof[node], weight * f);
            }
            if let Some(riding) = &model.obstacles[contact.obstacle].riding {
                let body = model.topology.body_dof[riding.body];
                let point = contact.distance.point(nodes.map(|n| at.position(n)));
                add3(force, body, -f);
                // By spin, which a turn from the start of the step is where there was none.
                add3(force, body + 3, -(point - position(at.q, body)).cross(f));
            }
        }
    }

    /// Becomes empty.
    pub(in crate::contact) fn clear(&mut self) {
        self.contacts.clear();
        self.frames.clear();
        self.anchors.clear();
        self.has_solved_friction = false;
        self.given_friction.clear();
    }

    /// Adds minus the derivative of the contact forces.
    pub(in crate::contact) fn add_stiffness(
        &self,
        obstacles: &ObstacleFrame,
        model: &Model,
        at: &Trial,
        blocks: &mut dyn Blocks,
    ) {
        for lagged in &obstacles.lagged {
            lagged.contact.add_stiffness(at, blocks);
        }
        for contact in &self.contacts {
            if let Some(riding) = model.obstacles[contact.obstacle].riding.as_deref() {
                self.add_riding_stiffness(obstacles, model, at, (contact, riding), blocks);
                continue;
            }
            // d2E/dx2
            let hessian = contact.hessian_matrix();
            match contact.part {
                Part::Node(n) => {
                    let dof = model.topology.node_dof[n];
                    // The first 3 x 3 block: that of the node itself.
                    let block: [f64; 9] = std::array::from_fn(|i| hessian[i / 3][i % 3]);
                    blocks.symmetric(&[dof, dof + 1, dof + 2], &block);
                }
                Part::Edge(edge) => {
                    let dofs = model.topology.edge_position_dofs(edge);
                    blocks.symmetric(&dofs, hessian.as_flattened());
                }
            }
            // -df/du a and -df/dx
            let frame = &self.frames[contact.obstacle];
            for (edge, friction) in obstacles.friction(model, at, frame, contact) {
                let dofs = edge_dofs(model, edge);
                let damping = friction
                    .velocity_jacobian()
                    .map(|row| row.map(|v| -v * at.rate));
                if friction.is_symmetric() {
                    blocks.symmetric(&dofs, damping.as_flattened());
                } else {
                    blocks.general(&dofs, damping.as_flattened());
                }
                let slope = friction.position_jacobian().map(|row| row.map(|v| -v));
                blocks.general(&dofs, slope.as_flattened());
            }
        }
    }

    /// The same of a contact whose obstacle rides on a body, whose unknowns it couples with the
    /// rod's.
    fn add_riding_stiffness(
        &self,
        obstacles: &ObstacleFrame,
        model: &Model,
        at: &Trial,
        (contact, riding): (&ObstacleContact, &Riding),
        blocks: &mut dyn Blocks,
    ) {
        let (dofs, residual) = normal(model, contact);
        let hessian = contact.hessian_matrix();
        let n = match contact.part {
            Part::Node(_) => 3,
            Part::Edge(_) => 6,
        };
        let k: Vec<f64> = hessian[..n]
            .iter()
            .flat_map(|row| &row[..n])
            .copied()
            .collect();
        riding.add_stiffness(at, &dofs, &residual, &k, blocks);
        let frame = &self.frames[contact.obstacle];
        for (edge, friction) in obstacles.friction(model, at, frame, contact) {
            let residual = friction.force().map(|f| -f);
            let velocity = friction.velocity_jacobian();
            let position = friction.position_jacobian();
            let k: Vec<f64> = (velocity.as_flattened().iter())
                .zip(position.as_flattened())
                // -df/du a - df/dx
                .map(|(v, x)| -v * at.rate - x)
                .collect();
            riding.add_stiffness(at, &edge_unknowns(model, edge), &residual, &k, blocks);
        }
    }

    /// Whether friction that has no potential acts at any contact.
    pub(crate) fn has_solved_friction(&self) -> bool {
        self.has_solved_friction
    }

    /// The contacts.
    pub fn contacts(&self) -> &[ObstacleContact] {
        &self.contacts
    }

    /// What they remember of their slip.
    pub fn anchors(&self) -> &[ObstacleAnchor] {
        &self.anchors
    }
}
