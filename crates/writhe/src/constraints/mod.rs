//! Prescribed motion: clamps, held nodes, held angles.

use glam::DVec3;

use crate::rod::geometry::{orthonormalize, parallel_transport, signed_angle, unwrap_angle};
use crate::rod::{Frames, Topology};
use crate::schedule::{Motion, Schedule};

/// Unknowns that follow a prescribed motion. Indices are flat, over all rods.
#[derive(Debug, Clone)]
pub enum Constraint {
    /// Both nodes and the angle of an edge move with a rigid pose. The rod then behaves as clamped at the *middle* of this edge.
    Clamp {
        /// Edge.
        edge: usize,
        /// How it moves.
        motion: Motion,
    },
    /// Some coordinates of a node move with a pose.
    Node {
        /// Node.
        node: usize,
        /// Which of x, y, z are held.
        axes: [bool; 3],
        /// How it moves.
        motion: Motion,
    },
    /// The angle of an edge relative to its reference frame, rad, is given in time; 0 at the start.
    Angle {
        /// Edge.
        edge: usize,
        /// Angle, rad.
        angle: Schedule,
    },
}

/// All constraints of a model, with the initial configuration that their poses refer to.
#[derive(Debug, Clone, Default)]
pub struct Constraints {
    list: Vec<Constraint>,
    fixed: Vec<bool>,
    positions: Vec<DVec3>,
    directors: Vec<DVec3>,
}

impl Constraints {
    /// `positions` (nodes) and `directors` (m1, edges) are those of the initial configuration.
    pub(crate) fn new(
        list: Vec<Constraint>,
        topology: &Topology,
        positions: Vec<DVec3>,
        directors: Vec<DVec3>,
    ) -> Self {
        let mut fixed = vec![false; topology.dofs];
        for constraint in &list {
            for dof in dofs(constraint, topology) {
                fixed[dof] = true;
            }
        }
        Self {
            list,
            fixed,
            positions,
            directors,
        }
    }

    /// Whether each unknown is prescribed, `(dofs)`.
    pub fn fixed(&self) -> &[bool] {
        &self.fixed
    }

    /// The constraints.
    pub fn list(&self) -> &[Constraint] {
        &self.list
    }

    /// Writes the prescribed unknowns at `time`, s, into `q`; angles continue from `q_start` without wrapping.
    pub fn apply(
        &self,
        topology: &Topology,
        frames: &Frames,
        q_start: &[f64],
        time: f64,
        q: &mut [f64],
    ) {
        for constraint in &self.list {
            match constraint {
                Constraint::Clamp { edge, motion } => {
                    let pose = motion.pose(time);
                    let ends =
                        topology.edge_nodes[*edge].map(|n| (n, pose.apply(self.positions[n])));
                    for (node, x) in ends {
                        let dof = topology.node_dof[node];
                        q[dof..dof + 3].copy_from_slice(&x.to_array());
                    }
                    let tangent = (ends[1].1 - ends[0].1).normalize();
                    let carried =
                        parallel_transport(frames.director[*edge], frames.tangent[*edge], tangent);
                    let wanted = orthonormalize(pose.rotation * self.directors[*edge], tangent);
                    let angle = signed_angle(carried, wanted, tangent);
                    let dof = topology.edge_dof[*edge];
                    q[dof] = unwrap_angle(angle, q_start[dof]);
                }
                Constraint::Node { node, axes, motion } => {
                    let x = motion.pose(time).apply(self.positions[*node]).to_array();
                    let dof = topology.node_dof[*node];
                    for axis in 0..3 {
                        if axes[axis] {
                            q[dof + axis] = x[axis];
                        }
                    }
                }
                Constraint::Angle { edge, angle } => q[topology.edge_dof[*edge]] = angle.at(time),
            }
        }
    }

    /// Writes the velocities of the prescribed unknowns at `time`, s, by central differences of their motion over a thousandth of
    /// `dt`, s; `q` is the configuration at `time`, with frames carried from `frames`.
    pub fn apply_velocity(
        &self,
        topology: &Topology,
        frames: &Frames,
        q: &[f64],
        time: f64,
        dt: f64,
        velocity: &mut [f64],
    ) {
        if self.list.is_empty() {
            return;
        }
        let half = 1e-3 * dt;
        let (mut before, mut after) = (q.to_vec(), q.to_vec());
        self.apply(topology, frames, q, time - half, &mut before);
        self.apply(topology, frames, q, time + half, &mut after);
        for dof in (0..q.len()).filter(|dof| self.fixed[*dof]) {
            velocity[dof] = (after[dof] - before[dof]) / (2.0 * half);
        }
    }
}

/// Unknowns that a constraint prescribes.
pub fn dofs(constraint: &Constraint, topology: &Topology) -> Vec<usize> {
    match constraint {
        Constraint::Clamp { edge, .. } => {
            let mut all = topology.edge_position_dofs(*edge).to_vec();
            all.push(topology.edge_dof[*edge]);
            all
        }
        Constraint::Node { node, axes, .. } => (0..3)
            .filter(|k| axes[*k])
            .map(|k| topology.node_dof[*node] + k)
            .collect(),
        Constraint::Angle { edge, .. } => vec![topology.edge_dof[*edge]],
    }
}
