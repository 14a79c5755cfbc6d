//! How far rods may go between obstacles.

use super::ObstacleStep;
use crate::contact::obstacle::surface::local;
use crate::contact::obstacle::sweep::{EdgeMotion, enters, max_step};
use crate::model::Model;
use crate::rod::kinematics::position;
use crate::schedule::Pose;

/// Bounds on ever shorter ways, where an obstacle turns, before the last is taken.
const MAX_BOUNDS: u32 = 10;
/// A bound that takes less than a tenth away is the last: the gap that the one before left is ten times its margin.
const NEARLY_ALL: f64 = 0.9;

impl ObstacleStep {
    /// The first edge and obstacle of which the edge's axis may enter the obstacle on its way from `start` to `end`, `(dofs)`, while
    /// the obstacle moves from the start of the step to its end.
    pub fn entering(&self, model: &Model, start: &[f64], end: &[f64]) -> Option<(usize, usize)> {
        let pairs = (0..model.obstacles.len())
            .flat_map(|o| (0..model.topology.edges()).map(move |edge| (edge, o)));
        pairs.into_iter().find(|&(edge, o)| {
            if model.obstacles[o]
                .riding
                .as_ref()
                .is_some_and(|r| r.apart[edge])
            {
                return false;
            }
            let place = |pose: &Pose, q: &[f64]| {
                model.topology.edge_nodes[edge]
                    .map(|n| local(pose, position(q, model.topology.node_dof[n])))
            };
            let motion = EdgeMotion {
                start: place(&self.start[o], start),
                end: place(&self.end[o], end),
            };
            enters(&model.obstacles[o].body, &motion, model.radius[edge])
        })
    }

    /// Largest fraction of the correction `dq` from `q` that keeps all gaps open while obstacles go on by `part` of what is left of their
    /// way to the stage.
    pub fn max_step(&self, model: &Model, q: &[f64], dq: &[f64], part: f64) -> f64 {
        let from = self.poses(model, q, self.progress);
        let mut alpha = 1.0;
        for _ in 0..MAX_BOUNDS {
            let moved: Vec<f64> = q.iter().zip(dq).map(|(q, d)| q + alpha * d).collect();
            let progress = self.progress + alpha * part * (1.0 - self.progress);
            let to = self.poses(model, &moved, progress);
            let fraction = max_fraction(model, &self.radii, (q, &from), (&moved, &to));
            alpha *= fraction;
            // Seen from an obstacle nodes go straight. Where it turns, its place after a part of the time is not on that straight way, and
            // the shorter way must be looked at by itself.
            let turns = from.iter().zip(&to).any(|(a, b)| a.rotation != b.rotation);
            if fraction > NEARLY_ALL || alpha == 0.0 || !turns {
                break;
            }
        }
        alpha
    }
}

/// The largest fraction of the way between two places of rods, `(dofs)`, and obstacles; `radii` are those of the nodes, m.
fn max_fraction(
    model: &Model,
    radii: &[f64],
    (q, from): (&[f64], &[Pose]),
    (moved, to): (&[f64], &[Pose]),
) -> f64 {
    let topology = &model.topology;
    let mut fraction = 1.0_f64;
    for (obstacle, (from, to)) in model.obstacles.iter().zip(from.iter().zip(to)) {
        let place =
            |pose: &Pose, q: &[f64], n: usize| local(pose, position(q, topology.node_dof[n]));
        for (edge, nodes) in topology.edge_nodes.iter().enumerate() {
            if obstacle.riding.as_ref().is_some_and(|r| r.apart[edge]) {
                continue;
            }
            let motion = EdgeMotion {
                start: nodes.map(|n| place(from, q, n)),
                end: nodes.map(|n| place(to, moved, n)),
            };
            let [h0, h1] = nodes.map(|n| radii[n]);
            let radii = [h0, h1, model.radius[edge]];
            fraction = fraction.min(max_step(&obstacle.body, &motion, radii));
        }
    }
    fraction
}
