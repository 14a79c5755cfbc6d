//! Uniform gravity on lumped masses.

use glam::DVec3;

use super::Load;
use crate::assembly::{Blocks, Trial, add3};
use crate::rod::Topology;
use crate::rod::kinematics::position;

/// What gravity is called among loads.
pub(crate) const GRAVITY: &str = "gravity";

/// `f_i = m_i g` on every node and body.
#[derive(Debug, Clone)]
pub struct Gravity {
    /// Acceleration g, m/s^2.
    pub acceleration: DVec3,
    /// Mass of each node, kg, `(nodes)`.
    pub mass: Vec<f64>,
    /// Mass of each body with what is welded to it, kg, `(bodies)`.
    pub body_mass: Vec<f64>,
}

impl Gravity {
    /// Gravity, m/s^2, on what has these masses, kg, `(dofs)`.
    pub fn new(acceleration: DVec3, mass: &[f64], topology: &Topology) -> Self {
        // What is welded has no mass here: its body carries it.
        let of = |dofs: &[usize]| dofs.iter().map(|dof| mass[*dof]).collect();
        Self {
            acceleration,
            mass: of(&topology.node_dof),
            body_mass: of(&topology.body_dof),
        }
    }

    /// First unknown and mass of everything heavy.
    fn heavy<'a>(&'a self, topology: &'a Topology) -> impl Iterator<Item = (usize, f64)> + 'a {
        let dofs = topology.node_dof.iter().chain(&topology.body_dof);
        dofs.copied()
            .zip(self.mass.iter().chain(&self.body_mass).copied())
    }
}

impl Load for Gravity {
    fn name(&self) -> &'static str {
        GRAVITY
    }

    fn add_force(&self, at: &Trial, force: &mut [f64]) {
        for (dof, mass) in self.heavy(at.topology) {
            add3(force, dof, self.acceleration * mass);
        }
    }

    fn add_stiffness(&self, _at: &Trial, _blocks: &mut dyn Blocks) {}

    fn potential(&self, at: &Trial) -> Option<f64> {
        let energy = |(dof, mass): (usize, f64)| -mass * self.acceleration.dot(position(at.q, dof));
        Some(self.heavy(at.topology).map(energy).sum())
    }

    fn work(&self, topology: &Topology, from: &[f64], to: &[f64]) -> Option<f64> {
        // m g . (x1 - x0), whatever way lies between
        let fall = |dof: usize| {
            self.acceleration
                .dot(position(to, dof) - position(from, dof))
        };
        Some(
            self.heavy(topology)
                .map(|(dof, mass)| mass * fall(dof))
                .sum(),
        )
    }
}
