//! Obstacles that ride on bodies, within a step.

use glam::DQuat;

use crate::assembly::Trial;
use crate::contact::obstacle::frame::ObstacleFrame;
use crate::model::Model;
use crate::obstacle::Obstacle;
use crate::obstacle::surface::{Frame, local};
use crate::rod::kinematics::position;
use crate::schedule::Pose;

/// Over the sum of two extents: farther apart two things cannot touch, whatever rounding does.
const FAR_APART: f64 = 1.0 + 1e-6;

impl ObstacleFrame {
    /// Moves obstacles along with their bodies to a trial.
    pub fn follow(&mut self, model: &Model, at: &Trial) {
        for (obstacle, frame) in model.obstacles.iter().zip(&mut self.frames) {
            if let Some(riding) = &obstacle.riding {
                *frame = riding.frame(at);
            }
        }
    }

    /// Moves obstacles along with their bodies to where these are: centres of mass among the
    /// unknowns `q`, `(dofs)`, and orientations.
    pub(in crate::contact) fn ride(&mut self, model: &Model, q: &[f64], orientation: &[DQuat]) {
        for (obstacle, frame) in model.obstacles.iter().zip(&mut self.frames) {
            if let Some(riding) = &obstacle.riding {
                let x = position(q, model.topology.body_dof[riding.body]);
                frame.pose = riding.pose(x, orientation[riding.body]);
            }
        }
    }

    /// Moves the ends of the step of obstacles that ride to where their bodies are in `q`.
    pub(in crate::contact) fn end_at(&mut self, model: &Model, q: &[f64], orientation: &[DQuat]) {
        for (obstacle, end) in model.obstacles.iter().zip(&mut self.end) {
            if let Some(riding) = &obstacle.riding {
                let x = position(q, model.topology.body_dof[riding.body]);
                *end = riding.pose(x, orientation[riding.body]);
            }
        }
    }

    /// Obstacles that ride are expected to go with their bodies from the unknowns `from` to `to`,
    /// `(dofs)`, and not `slack`, m, farther; others that move, not farther than `slack` from where
    /// they are.
    pub(super) fn expect(&mut self, model: &Model, from: &[f64], to: &[f64], slack: f64) {
        let impulsive = model.contact.policy().impulsive();
        self.allowed.clear();
        let poses = self.start.iter().zip(&self.stage);
        let way = |(o, (start, stage)): (&Obstacle, (&Pose, &Pose))| match o.riding {
            Some(_) => o.way(&model.topology, from, to) + slack,
            // All gaps of the way count where forces are found by solving again.
            None if start != stage && impulsive => {
                slack + largest_shift(model, from, start, &Frame::still(*stage))
            }
            None if start != stage => slack,
            None => 0.0,
        };
        self.allowed
            .extend(model.obstacles.iter().zip(poses).map(way));
    }

    /// Bound on how far points of obstacles near the nodes go, between the unknowns `from` and
    /// `to`, `(dofs)`, m.
    pub(crate) fn largest_motion(&self, model: &Model, from: &[f64], to: &[f64]) -> f64 {
        let poses = self.start.iter().zip(&self.stage);
        let way = |(o, (start, stage)): (&Obstacle, (&Pose, &Pose))| match o.riding {
            Some(_) => o.way(&model.topology, from, to),
            None if start != stage => largest_shift(model, from, start, &Frame::still(*stage)),
            None => 0.0,
        };
        model
            .obstacles
            .iter()
            .zip(poses)
            .map(way)
            .fold(0.0, f64::max)
    }

    /// Whether no obstacle is farther from where candidates were found, with the nodes at the
    /// unknowns `q`, `(dofs)`, than was expected.
    pub fn hold(&self, model: &Model, q: &[f64]) -> bool {
        let poses = self.found.iter().zip(&self.frames);
        let way = |(obstacle, (from, to)): (&Obstacle, (&Pose, &Frame))| {
            if *from == to.pose {
                return 0.0;
            }
            if obstacle.riding.is_none() {
                // The nodes, seen from it, say more than a bound on all its points.
                return largest_shift(model, q, from, to);
            }
            let turn = from.rotation.dot(to.pose.rotation);
            // 2 sin(angle/2) of the turn between both rotations, whose product has cos(angle/2).
            let chord = 2.0 * (1.0 - turn * turn).max(0.0).sqrt();
            let extent = obstacle.body.extent().min(f64::MAX);
            from.translation.distance(to.pose.translation) + chord * extent
        };
        let ways = model.obstacles.iter().zip(poses).map(way);
        ways.zip(&self.allowed)
            .all(|(way, allowed)| way <= *allowed)
    }

    /// Nodes and bodies that may touch, sorted, each pair once: what contact couples in the matrix.
    pub(crate) fn riders(&self) -> &[(u32, u32)] {
        &self.riders
    }

    pub(super) fn find_riders(&mut self, model: &Model) {
        let body = |obstacle: u32| Some(model.obstacles[obstacle as usize].riding.as_ref()?.body);
        let mut found = Vec::new();
        for c in &self.nodes {
            if let Some(body) = body(c.obstacle) {
                // Friction acts through the edges of the node.
                let edges = self.ends[c.node as usize].iter().flatten();
                let nodes = edges.flat_map(|(edge, _)| model.topology.edge_nodes[*edge]);
                found.extend(nodes.map(|n| (n as u32, body as u32)));
            }
        }
        for c in &self.edges {
            if let Some(body) = body(c.obstacle) {
                let nodes = model.topology.edge_nodes[c.edge as usize];
                found.extend(nodes.map(|n| (n as u32, body as u32)));
            }
        }
        found.sort_unstable();
        found.dedup();
        self.riders = found;
    }

    /// A body, and an obstacle that it may touch at the end of the step: contact between them is
    /// not computed.
    pub(crate) fn meeting(&self, model: &Model) -> Option<(usize, usize)> {
        let all = model.obstacles.iter().enumerate();
        let riding = all.filter_map(|(o, obstacle)| Some((o, obstacle.riding.as_ref()?.body)));
        for (o, body) in riding {
            let within = |a: usize, b: usize| {
                // The surface of b against the sphere around a's origin.
                let [extent, other] = [a, b].map(|o| model.obstacles[o].body.extent());
                let apart = self.end[a].translation.distance(self.end[b].translation);
                if apart > FAR_APART * (extent + other) {
                    return false;
                }
                let origin = local(&self.end[b], self.end[a].translation);
                model.obstacles[b].body.distance(origin) < extent
            };
            let other = (0..model.obstacles.len()).find(|&p| {
                let owner = model.obstacles[p].riding.as_ref().map(|r| r.body);
                owner != Some(body) && within(o, p) && (owner.is_none() || within(p, o))
            });
            if let Some(other) = other {
                return Some((body, other));
            }
        }
        None
    }
}

/// Largest distance by which a node at the unknowns `q`, `(dofs)`, seen from an obstacle, shifts as
/// that goes from one pose to another, m.
fn largest_shift(model: &Model, q: &[f64], from: &Pose, to: &Frame) -> f64 {
    let nodes = model.topology.node_dof.iter().map(|dof| position(q, *dof));
    nodes
        .map(|x| to.local(x).distance(local(from, x)))
        .fold(0.0, f64::max)
}
