//! Contacts with obstacles whose forces are found by solving the step again: what may close, and
//! the forces that were found.

use glam::DVec3;

use crate::contact::frame::Approach;
use crate::contact::obstacle::contact::{ObstacleContact, Part};
use crate::contact::obstacle::frame::{Instant, ObstacleFrame, Sight, nodes};
use crate::contact_model::ObstacleForce;
use crate::contact_model::hardening::ContactId;
use crate::contact_model::law::Response;
use crate::contact_model::policy::{FrictionPolicy, NormalForces};
use crate::model::Model;
use crate::obstacle::surface::local;
use crate::obstacle::weight::Weight;
use crate::rod::kinematics::position;

/// Where a rod may touch an obstacle, for friction: forces act at the rod's axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    /// First unknowns of the nodes, and their weights at the point; one of them may be 0.
    pub nodes: [(usize, f64); 2],
    /// First unknown of the body that the obstacle is part of, and the point from its centre, m.
    pub body: Option<(usize, DVec3)>,
    /// Unit vector from the obstacle to the rod.
    pub normal: DVec3,
    /// Coefficient of friction.
    pub coefficient: f64,
    /// Friction on the rod, N.
    pub friction: DVec3,
    /// How far the obstacle's material has gone since the start of the step, m.
    pub gone: DVec3,
}

impl ObstacleFrame {
    /// Adds to `out` the contacts of the candidates with a gap below `reach`, m, and those that
    /// push, with nodes at the unknowns `q`, `(dofs)`, and obstacles where they have come; or all
    /// at the start of the step, with gaps by what obstacles that move as prescribed have closed of
    /// them.
    pub(in crate::contact) fn approaches(
        &self,
        model: &Model,
        q: &[f64],
        at_start: bool,
        reach: f64,
        out: &mut Vec<Approach>,
    ) {
        let instant = if at_start {
            Instant::Start
        } else {
            Instant::Stage
        };
        let frames = self.frames_at(instant);
        let place = |n: usize| position(q, model.topology.node_dof[n]);
        self.see(model, &frames, (0.0, reach), place, |sight, _| {
            let given = self.given(&sight);
            let mut gap = sight.distance.distance - sight.touching;
            if gap >= reach && given.is_none() {
                return;
            }
            let surface = self.surface(model, q, &sight, given, at_start);
            if at_start && surface.body.is_none() {
                gap -= sight.distance.normal.dot(surface.gone);
            }
            let (dofs, direction) = surface.row(sight.distance.normal);
            out.push(Approach {
                contact: sight.id(),
                dofs,
                gap,
                direction,
                force: given.map_or(0.0, |given| given.force),
                surface: Some(surface),
            });
        });
    }

    /// The force of a contact, if it pushes.
    fn given(&self, sight: &Sight) -> Option<&ObstacleForce> {
        let found = self.forces.binary_search_by_key(&sight.id(), id);
        found.ok().map(|k| &self.forces[k])
    }

    fn surface(
        &self,
        model: &Model,
        q: &[f64],
        sight: &Sight,
        given: Option<&ObstacleForce>,
        at_start: bool,
    ) -> Surface {
        let obstacle = &model.obstacles[sight.obstacle];
        let of_node = nodes(model, sight.part).map(|n| model.topology.node_dof[n]);
        let point = sight.distance.point(of_node.map(|dof| position(q, dof)));
        let body = obstacle.riding.as_ref().map(|riding| {
            let dof = model.topology.body_dof[riding.body];
            (dof, point - position(q, dof))
        });
        // Where its material at this point began the step; of the start, where it will end.
        let (from, to) = (
            &self.start[sight.obstacle],
            &self.frames[sight.obstacle].pose,
        );
        let gone = match (from == to, at_start) {
            (true, _) => DVec3::ZERO,
            (false, true) => to.apply(local(from, point)) - point,
            (false, false) => point - from.apply(local(to, point)),
        };
        let of_rods = match model.contact.policy().friction {
            FrictionPolicy::OfStepBefore(friction) => friction.coefficient,
            FrictionPolicy::Absent | FrictionPolicy::OfTrial(_) => 0.0,
        };
        let [a, b] = sight.distance.weights;
        Surface {
            nodes: [(of_node[0], a), (of_node[1], b)],
            body,
            normal: sight.distance.normal,
            coefficient: obstacle.friction.unwrap_or(of_rods),
            friction: given.map_or(DVec3::ZERO, |given| DVec3::from_array(given.friction)),
            gone,
        }
    }

    /// Replaces the forces of contacts by those of `approaches` that push.
    pub(in crate::contact) fn set_forces(&mut self, approaches: &[Approach]) {
        let pushing = approaches.iter().filter(|a| a.force > 0.0);
        let given = pushing.filter_map(|approach| {
            let (
                ContactId::Obstacle {
                    obstacle,
                    part,
                    feature,
                },
                Some(surface),
            ) = (approach.contact, approach.surface)
            else {
                return None;
            };
            Some(ObstacleForce {
                obstacle,
                part,
                feature,
                force: approach.force,
                friction: surface.friction.to_array(),
            })
        });
        self.forces = given.collect();
        self.forces.sort_unstable_by_key(id);
    }

    /// Forces of the contacts that push, sorted by what touches.
    pub(crate) fn forces(&self) -> &[ObstacleForce] {
        &self.forces
    }

    /// Replaces `found` by the contacts that push, with nodes at `position` and obstacles where they
    /// have come, and `friction` by that on the rods, N.
    pub(in crate::contact::obstacle) fn pushing(
        &self,
        model: &Model,
        position: impl Fn(usize) -> DVec3,
        found: &mut Vec<ObstacleContact>,
        friction: &mut Vec<DVec3>,
    ) {
        found.clear();
        friction.clear();
        let impulses = matches!(model.contact.policy().forces, NormalForces::Impulses(_));
        if !impulses || self.forces.is_empty() {
            return;
        }
        self.see(
            model,
            &self.frames,
            (0.0, f64::INFINITY),
            position,
            |sight, _| {
                let Some(given) = self.given(&sight) else {
                    return;
                };
                found.push(ObstacleContact {
                    obstacle: sight.obstacle,
                    part: sight.part,
                    feature: sight.feature,
                    radius: sight.radius,
                    gap: sight.distance.distance - sight.touching,
                    distance: sight.distance,
                    weight: Weight::ONE,
                    // Neither energy nor stiffness: the force does not follow the gap.
                    response: Response {
                        force: given.force,
                        ..Response::default()
                    },
                });
                friction.push(DVec3::from_array(given.friction));
            },
        );
    }
}

impl Sight {
    fn id(&self) -> ContactId {
        ContactId::Obstacle {
            obstacle: self.obstacle as u32,
            part: match self.part {
                Part::Node(n) => [0, n as u32],
                Part::Edge(e) => [1, e as u32],
            },
            feature: self.feature,
        }
    }
}

fn id(given: &ObstacleForce) -> ContactId {
    ContactId::Obstacle {
        obstacle: given.obstacle,
        part: given.part,
        feature: given.feature,
    }
}

impl Surface {
    /// Unknowns, and by how much each moves the rod's point along `axis` over the obstacle's: times
    /// a force along it, the force on them. Unused ones stand there with 0.
    pub fn row(&self, axis: DVec3) -> ([usize; 12], [f64; 12]) {
        let (mut dofs, mut row) = ([self.nodes[0].0; 12], [0.0; 12]);
        for (k, (dof, weight)) in self.nodes.into_iter().enumerate() {
            for (c, value) in (weight * axis).to_array().into_iter().enumerate() {
                (dofs[3 * k + c], row[3 * k + c]) = (dof + c, value);
            }
        }
        if let Some((dof, arm)) = self.body {
            let values = [-axis, -arm.cross(axis)];
            for (k, value) in values.iter().flat_map(|v| v.to_array()).enumerate() {
                (dofs[6 + k], row[6 + k]) = (dof + k, value);
            }
        }
        (dofs, row)
    }

    /// Whether friction acts, or acted, under a normal force, N.
    pub fn rubs(&self, force: f64) -> bool {
        self.coefficient * force > 0.0 || self.friction != DVec3::ZERO
    }

    /// Displacement of the rod's point over the obstacle's, m, when unknowns move by `x`, `(dofs)`.
    pub fn moved(&self, x: &[f64]) -> DVec3 {
        let of_nodes = self.nodes.map(|(dof, weight)| weight * position(x, dof));
        let of_rod = of_nodes[0] + of_nodes[1];
        self.body.map_or(of_rod, |(dof, arm)| {
            of_rod - position(x, dof) - position(x, dof + 3).cross(arm)
        })
    }

    /// Adds a force on the rod, N, and its opposite on the body, to `force`, `(dofs)`; torque by
    /// spin.
    pub fn push(&self, f: DVec3, force: &mut [f64]) {
        let (dofs, row) = self.row(f);
        for (dof, value) in dofs.into_iter().zip(row) {
            force[dof] += value;
        }
    }
}
