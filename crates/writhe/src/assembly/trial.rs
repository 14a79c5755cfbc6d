//! A configuration with its velocities.

use glam::DVec3;

use crate::rod::kinematics::position;
use crate::rod::{Kinematics, Topology};

/// A trial configuration at which forces are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Trial<'a> {
    /// Connectivity.
    pub topology: &'a Topology,
    /// Edges and frames at `q`.
    pub kinematics: &'a Kinematics,
    /// Time, s.
    pub time: f64,
    /// Unknowns, `(dofs)`, m and rad.
    pub q: &'a [f64],
    /// Their velocities, `(dofs)`, m/s and rad/s.
    pub velocity: &'a [f64],
    /// Derivative of the velocity by the unknowns, 1/s, of the time scheme:
    /// `velocity = rate q + history`.
    pub rate: f64,
}

impl Trial<'_> {
    /// Position of a node, m.
    pub fn position(&self, node: usize) -> DVec3 {
        position(self.q, self.topology.node_dof[node])
    }

    /// Velocity of a node, m/s.
    pub fn velocity(&self, node: usize) -> DVec3 {
        position(self.velocity, self.topology.node_dof[node])
    }
}
