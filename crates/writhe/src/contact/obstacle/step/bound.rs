//! How far rods may go between obstacles.

use super::ObstacleStep;
use crate::contact::obstacle::surface::local;
use crate::contact::obstacle::sweep::{EdgeMotion, enters, max_step};
use crate::model::Model;
use crate::rod::kinematics::position;
use crate::schedule::Pose;

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

    /// Largest fraction of the correction `dq` from `q` that keeps all gaps open, at the poses of the stage.
    pub fn max_step(&self, model: &Model, q: &[f64], dq: &[f64]) -> f64 {
        self.max_step_from(model, q, dq, |o| self.frames[o].pose)
    }

    /// The same for the way from the start of the step, during which obstacles move to their poses of the stage.
    pub fn max_first_step(&self, model: &Model, q: &[f64], dq: &[f64]) -> f64 {
        self.max_step_from(model, q, dq, |o| self.start[o])
    }

    /// The way `dq` from `q` with the rods that an obstacle runs into carried along by it: a way on which their gaps stay as they are.
    pub fn carried(&self, model: &Model, q: &[f64], dq: &[f64]) -> Vec<f64> {
        let (topology, fixed) = (&model.topology, model.constraints.fixed());
        let mut way = dq.to_vec();
        for rod in &topology.rods {
            let edges = rod.first_edge..rod.first_edge + rod.edges;
            let blocked = |o: &usize| {
                let step = |edge| self.max_edge_step(model, (edge, *o), (q, dq), &self.start[*o]);
                edges.clone().any(|edge| step(edge) < 1.0)
            };
            let Some(o) = (0..model.obstacles.len()).find(blocked) else {
                continue;
            };
            for n in rod.first_node..rod.first_node + rod.nodes {
                let dof = topology.node_dof[n];
                let x = position(q, dof);
                let moved = self.frames[o].pose.apply(local(&self.start[o], x)) - x;
                for k in (0..3).filter(|k| !fixed[dof + k]) {
                    way[dof + k] = moved[k];
                }
            }
        }
        way
    }

    fn max_step_from(
        &self,
        model: &Model,
        q: &[f64],
        dq: &[f64],
        pose: impl Fn(usize) -> Pose,
    ) -> f64 {
        let mut alpha = 1.0_f64;
        for o in 0..model.obstacles.len() {
            let from = pose(o);
            for edge in 0..model.topology.edges() {
                alpha = alpha.min(self.max_edge_step(model, (edge, o), (q, dq), &from));
            }
        }
        alpha
    }

    /// The bound for one edge and one obstacle that comes from the pose `from`.
    fn max_edge_step(
        &self,
        model: &Model,
        (edge, obstacle): (usize, usize),
        (q, dq): (&[f64], &[f64]),
        from: &Pose,
    ) -> f64 {
        let nodes = model.topology.edge_nodes[edge];
        let to = &self.frames[obstacle].pose;
        let dof = |n: usize| model.topology.node_dof[n];
        let motion = EdgeMotion {
            start: nodes.map(|n| local(from, position(q, dof(n)))),
            end: nodes.map(|n| local(to, position(q, dof(n)) + position(dq, dof(n)))),
        };
        let [h0, h1] = nodes.map(|n| self.radii[n]);
        let radii = [h0, h1, model.radius[edge]];
        max_step(&model.obstacles[obstacle].body, &motion, radii)
    }
}
