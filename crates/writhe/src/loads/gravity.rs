//! Uniform gravity on lumped masses.

use glam::DVec3;

use super::{Blocks, Load, Trial, add3};

/// `f_i = m_i g` on every node.
#[derive(Debug, Clone)]
pub struct Gravity {
    /// Acceleration g, m/s^2.
    pub acceleration: DVec3,
    /// Mass of each node, kg, `(nodes)`.
    pub mass: Vec<f64>,
}

impl Load for Gravity {
    fn name(&self) -> &'static str {
        "gravity"
    }

    fn add_force(&self, at: &Trial, force: &mut [f64]) {
        for (dof, mass) in at.topology.node_dof.iter().zip(&self.mass) {
            add3(force, *dof, self.acceleration * *mass);
        }
    }

    fn add_stiffness(&self, _at: &Trial, _blocks: &mut dyn Blocks) {}

    fn potential(&self, at: &Trial) -> Option<f64> {
        let energy = |(node, mass): (usize, &f64)| -mass * self.acceleration.dot(at.position(node));
        Some(self.mass.iter().enumerate().map(energy).sum())
    }
}
