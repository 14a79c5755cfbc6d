//! How far rods may go between obstacles.

use crate::contact::obstacle::frame::{Frame, ObstacleFrame};
use crate::model::Model;
use crate::obstacle::groups::{Around, Groups};
use crate::obstacle::surface::local;
use crate::obstacle::sweep::{EdgeMotion, enters, max_step};
use crate::rod::kinematics::position;
use crate::schedule::Pose;

/// Bounds on ever shorter ways, where an obstacle turns, before the last is taken.
const MAX_BOUNDS: u32 = 10;
/// A bound that takes less than a tenth away is the last: the gap that the one before left is ten
/// times its margin.
const NEARLY_ALL: f64 = 0.9;
/// Part of the distance at the start that keeps an edge out of all bounds: more than the part of its gap
/// at which a bound may end.
const FAR: f64 = 0.15;

impl ObstacleFrame {
    /// The first edge and obstacle of which the edge's axis may enter the obstacle on its way from
    /// `start` to `end`, `(dofs)`, while the obstacle moves from the start of the step to its end.
    pub(crate) fn entering(
        &self,
        model: &Model,
        start: &[f64],
        end: &[f64],
    ) -> Option<(usize, usize)> {
        let topology = &model.topology;
        if model.obstacles.is_empty() {
            return None;
        }
        let groups = Groups::of_edges(&topology.edge_nodes, |n| {
            [start, end].map(|q| position(q, topology.node_dof[n]))
        });
        let near = |o: usize| {
            let around = Around {
                ball: model.obstacles[o].body.ball(),
                poses: [&self.start[o], &self.end[o]],
                reach: self.largest_radius,
                keep: 0.0,
            };
            groups.near(around).map(move |edge| (edge, o))
        };
        let mut pairs = (0..model.obstacles.len()).flat_map(near);
        pairs.find(|&(edge, o)| {
            if model.obstacles[o]
                .riding
                .as_ref()
                .is_some_and(|r| r.apart[edge])
            {
                return false;
            }
            let place = |pose: &Pose, q: &[f64]| {
                topology.edge_nodes[edge].map(|n| local(pose, position(q, topology.node_dof[n])))
            };
            let motion = EdgeMotion {
                start: place(&self.start[o], start),
                end: place(&self.end[o], end),
            };
            enters(&model.obstacles[o].body, &motion, model.radius[edge])
        })
    }

    /// Largest fraction of the correction `dq` from `q` that keeps all gaps open while obstacles go
    /// on by `part` of what is left of their way to the stage.
    pub(crate) fn max_step(&self, model: &Model, q: &[f64], dq: &[f64], part: f64) -> f64 {
        let mut alpha = 1.0;
        for _ in 0..MAX_BOUNDS {
            let to = self.poses(model, self.progress + alpha * part * (1.0 - self.progress));
            let fraction = self.max_step_to(model, q, (dq, alpha), &to);
            alpha *= fraction;
            // Seen from an obstacle nodes go straight. Where it turns, its place after a part of
            // the time is not on that straight way, and the shorter way must be looked at by
            // itself.
            if fraction > NEARLY_ALL || alpha == 0.0 || !self.turns(&to) {
                break;
            }
        }
        alpha
    }

    /// The largest fraction of the way by `alpha dq` from `q`, while obstacles go from where they
    /// are to the poses `to`.
    fn max_step_to(
        &self,
        model: &Model,
        q: &[f64],
        (dq, alpha): (&[f64], f64),
        to: &[Pose],
    ) -> f64 {
        let topology = &model.topology;
        let mut fraction = 1.0_f64;
        let groups = Groups::of_edges(&topology.edge_nodes, |n| {
            let dof = topology.node_dof[n];
            let x = position(q, dof);
            [x, x + alpha * position(dq, dof)]
        });
        for (o, (obstacle, to)) in model.obstacles.iter().zip(to).enumerate() {
            // Seen from the obstacle as it goes.
            let from = &self.frames[o].pose;
            let start = |n: usize| local(from, position(q, topology.node_dof[n]));
            let end = |n: usize| {
                let dof = topology.node_dof[n];
                local(to, position(q, dof) + alpha * position(dq, dof))
            };
            let around = Around {
                ball: obstacle.body.ball(),
                poses: [from, to],
                reach: self.largest_radius,
                keep: FAR,
            };
            for edge in groups.near(around) {
                let nodes = topology.edge_nodes[edge];
                let motion = EdgeMotion {
                    start: nodes.map(start),
                    end: nodes.map(end),
                };
                let [h0, h1] = nodes.map(|n| self.radii[n]);
                let radii = [h0, h1, model.radius[edge]];
                fraction = fraction.min(max_step(&obstacle.body, &motion, radii));
            }
        }
        fraction
    }

    fn turns(&self, to: &[Pose]) -> bool {
        let turned = |(from, to): (&Frame, &Pose)| from.pose.rotation != to.rotation;
        self.frames.iter().zip(to).any(turned)
    }
}
