//! What contact with obstacles amounts to, at the trial last evaluated.

use glam::DVec3;

use super::{ObstacleStep, nearest, nodes};
use crate::assembly::Trial;
use crate::contact::Sticking;
use crate::contact::obstacle::contact::ObstacleContact;
use crate::contact::obstacle::friction::point;
use crate::contact::obstacle::surface::local;
use crate::model::Model;
use crate::rod::kinematics::position;

/// What rods do to an obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObstacleLoad {
    /// Force, N.
    pub force: DVec3,
    /// Torque, N m, about `at`.
    pub torque: DVec3,
    /// Place of the obstacle's own origin, m.
    pub at: DVec3,
}

impl ObstacleLoad {
    fn add(&mut self, x: DVec3, f: DVec3) {
        self.force += f;
        self.torque += (x - self.at).cross(f);
    }
}

impl ObstacleStep {
    /// How many contacts stick and how fast they creep, over the trial last evaluated.
    pub fn sticking(&self, model: &Model, at: &Trial, sticking: &mut Sticking) {
        for contact in &self.active {
            let Some(law) = self.law(model, contact) else {
                continue;
            };
            for (_, friction) in self.friction(model, at, contact) {
                let limit = law.coefficient * friction.normal_force();
                sticking.count(friction.contact_force(), limit, friction.slip_velocity());
            }
        }
    }

    /// Force on each obstacle, N, and its torque, N m, about the place of its own origin, at the trial last evaluated.
    pub fn loads(&self, model: &Model, at: &Trial) -> Vec<ObstacleLoad> {
        let mut loads: Vec<ObstacleLoad> = self
            .frames
            .iter()
            .map(|f| ObstacleLoad {
                force: DVec3::ZERO,
                torque: DVec3::ZERO,
                at: f.pose.translation,
            })
            .collect();
        for contact in &self.active {
            let load = &mut loads[contact.obstacle];
            let nodes = nodes(model, contact.part).map(|n| at.position(n));
            for (x, g) in nodes.into_iter().zip(contact.gradient()) {
                load.add(x, g);
            }
            let point = point(contact, nodes);
            for (_, friction) in self.friction(model, at, contact) {
                load.add(point, -friction.contact_force());
            }
        }
        loads
    }

    /// Smallest gap among the candidates at `q` with the obstacles at the end of the step, or at its stage, m.
    pub fn smallest_gap(&self, model: &Model, q: &[f64], at_end: bool) -> Option<f64> {
        let pose = |o: usize| {
            if at_end {
                self.end[o]
            } else {
                self.frames[o].pose
            }
        };
        let place = |o: usize, n: usize| local(&pose(o), position(q, model.topology.node_dof[n]));
        let nodes = self.nodes.iter().filter_map(|c| {
            let (n, o) = (c.node as usize, c.obstacle as usize);
            let body = &model.obstacles[o].body;
            let triangles = &self.triangles[c.first as usize..c.last as usize];
            let point = match (&body.mesh, &body.solid) {
                (Some(mesh), _) if !triangles.is_empty() => nearest(mesh, triangles, place(o, n)),
                (_, solid) => solid.map(|s| s.at(place(o, n))),
            };
            point.map(|p| p.distance - self.radii[n])
        });
        let edges = self.edges.iter().filter_map(|c| {
            let (edge, o) = (c.edge as usize, c.obstacle as usize);
            let feature = model.obstacles[o].body.feature(c.feature);
            let ends = model.topology.edge_nodes[edge].map(|n| place(o, n));
            let h = model.radius[edge];
            let (distance, weight) = feature.edge(f64::INFINITY, h, ends)?;
            (weight.value > 0.5).then_some(distance.distance - feature.touching(h))
        });
        nodes.chain(edges).min_by(f64::total_cmp)
    }

    /// Largest normal force, N.
    pub fn largest_force(&self) -> f64 {
        self.active.iter().fold(0.0, |f: f64, c| f.max(c.force()))
    }

    /// Sum of the normal forces on obstacles that move as prescribed during the step, N; `None` if none does.
    pub fn reaction(&self) -> Option<f64> {
        let moves = |o: usize| self.start[o] != self.end[o] && !self.rides[o];
        let any = (0..self.start.len()).any(moves);
        let moving = self.active.iter().filter(|c| moves(c.obstacle));
        any.then(|| moving.map(ObstacleContact::force).sum())
    }

    /// Deepest penetration over the radius; negative or 0 without.
    pub fn deepest(&self) -> f64 {
        self.active
            .iter()
            .filter(|c| c.weight.value > 0.5)
            .fold(0.0, |d: f64, c| d.max(-c.gap / c.radius))
    }
}
