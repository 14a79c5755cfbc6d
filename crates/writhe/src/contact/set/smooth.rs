//! C21's contact at a trial: forces and stiffness of its pairs.

use glam::DVec3;

use crate::assembly::{Blocks, Trial};
use crate::contact::ContactFrame;
use crate::contact::pair::PairContact;
use crate::contact::set::{ContactSet, EdgeContact, add};
use crate::contact_model::imc_smooth::{ImcSmoothSettings, SmoothContact};
use crate::contact_model::lagged_friction::SlipForce;
use crate::kernels::distance::pair_distance;
use crate::model::Model;
use crate::model::pairs::unknowns::{nodes, position_dofs};
use crate::rod::kinematics::position;

impl ContactSet {
    /// Evaluates the candidates and adds their forces; returns their energy, J.
    pub(super) fn find_smooth(
        &mut self,
        frame: &ContactFrame,
        settings: &ImcSmoothSettings,
        model: &Model,
        at: &Trial,
        stiffness: f64,
        force: &mut [f64],
    ) -> f64 {
        let mut energy = 0.0;
        for &(i, j) in frame.candidates() {
            let edges = [i as usize, j as usize];
            let touching = model.radius[edges[0]] + model.radius[edges[1]];
            let law = settings.law(0.5 * touching, stiffness);
            let positions = nodes(model, edges).map(|n| at.position(n));
            let sharpness = settings.distance_sharpness;
            let Some(mut contact) = SmoothContact::find(&law, sharpness, touching, positions)
            else {
                continue;
            };
            let gap = contact.distance.distance - touching;
            frame.set_response(model, edges, gap, &mut contact.response);
            energy += contact.response.energy;
            // -dE/dx by the smoothed distance.
            add(model, edges, &contact.gradient().map(|g| -g), force);
            if let Some(friction) = slip_force(frame, settings, model, edges, &contact) {
                add(model, edges, &friction.on_nodes(), force);
            }
            let [a0, a1, b0, b1] = positions;
            // Gaps that are told are those between the surfaces, not those of the law.
            let distance = pair_distance(a0, a1, b0, b1);
            self.pairs.push(EdgeContact {
                edges,
                end: 0,
                contact: PairContact {
                    gap: distance.closest.distance - touching,
                    distance,
                    response: contact.response,
                },
                touching,
                anchor: None,
                slip: DVec3::ZERO,
            });
            self.smooth.push(contact);
        }
        energy
    }

    /// As [`ContactSet::add_stiffness`].
    pub(super) fn add_smooth_stiffness(
        &self,
        frame: &ContactFrame,
        settings: &ImcSmoothSettings,
        model: &Model,
        blocks: &mut dyn Blocks,
    ) {
        for (pair, contact) in self.pairs.iter().zip(&self.smooth) {
            let dofs = position_dofs(model, pair.edges);
            let hessian = contact.hessian();
            // d2E/dx2
            blocks.symmetric(&dofs, hessian.as_flattened());
            if let Some(friction) = slip_force(frame, settings, model, pair.edges, contact) {
                // -df/dx by way of N = F_n n: velocities are those of the start. Not symmetric.
                let slope = friction
                    .jacobian(&SmoothContact::force_by_nodes(&hessian))
                    .map(|row| row.map(|v| -v));
                blocks.general(&dofs, slope.as_flattened());
            }
        }
    }
}

/// Friction of a pair that lags, as C21 has it; `None` without.
pub(super) fn slip_force(
    frame: &ContactFrame,
    settings: &ImcSmoothSettings,
    model: &Model,
    edges: [usize; 2],
    contact: &SmoothContact,
) -> Option<SlipForce> {
    let friction = &settings.friction;
    if friction.coefficient == 0.0 {
        return None;
    }
    let velocities =
        nodes(model, edges).map(|n| position(frame.velocity(), model.topology.node_dof[n]));
    let radius = 0.5 * (model.radius[edges[0]] + model.radius[edges[1]]);
    Some(contact.friction(friction, radius, &velocities))
}
