//! What obstacles that are on their way ask of the rods that they touch.

use glam::DVec3;

use crate::assembly::{Trial, add3};
use crate::contact::obstacle::frame::{ObstacleFrame, nodes};
use crate::contact::obstacle::set::ObstacleSet;
use crate::model::Model;
use crate::obstacle::surface::local;

impl ObstacleSet {
    /// Adds to a right-hand side, `(dofs)`, what the way that obstacles have still to go asks of
    /// the rods in contact with them: `H d` for a way d where the contact has the Hessian H, and
    /// the change of the contact's forces as they turn.
    pub fn push(&self, obstacles: &ObstacleFrame, model: &Model, at: &Trial, rhs: &mut [f64]) {
        for contact in &self.contacts {
            let from = &self.frames[contact.obstacle].pose;
            let to = obstacles.stage_pose(contact.obstacle);
            if model.obstacles[contact.obstacle].riding.is_some() || from == to {
                continue;
            }
            let turn = to.rotation * from.rotation.inverse();
            let nodes = nodes(model, contact.part);
            // d: where a node would be if the obstacle carried it along.
            let way = nodes.map(|n| {
                let x = at.position(n);
                to.apply(local(from, x)) - x
            });
            let gradient = contact.gradient();
            for (k, n) in nodes.into_iter().enumerate() {
                // H d, less what dE/dx changes by as it turns with the obstacle (decision 0042).
                let pushed: DVec3 = (0..2).map(|l| contact.hessian(k, l) * way[l]).sum();
                let turned = turn * gradient[k] - gradient[k];
                add3(rhs, model.topology.node_dof[n], pushed - turned);
            }
        }
    }
}
