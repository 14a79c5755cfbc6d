//! A load: springs between every node and the plane z = 0, a Winkler foundation.

use writhe::assembly::{Blocks, Trial};
use writhe::loads::Load;
use writhe::rod::Topology;

/// Pulls every node back to z = 0 with its stiffness.
#[derive(Debug, Clone)]
pub struct Foundation {
    /// Stiffness of each node, N/m, `(nodes)`.
    pub stiffness: Vec<f64>,
}

impl Foundation {
    /// Force from z = 0 and energy at the heights in `q`, `(dofs)`, J.
    fn energy(&self, topology: &Topology, q: &[f64]) -> f64 {
        let nodes = self.stiffness.iter().zip(&topology.node_dof);
        nodes
            .map(|(k, dof)| 0.5 * k * q[dof + 2] * q[dof + 2])
            .sum()
    }
}

impl Load for Foundation {
    fn name(&self) -> &'static str {
        "foundation"
    }

    fn add_force(&self, at: &Trial, force: &mut [f64]) {
        for (k, dof) in self.stiffness.iter().zip(&at.topology.node_dof) {
            force[dof + 2] -= k * at.q[dof + 2];
        }
    }

    fn add_stiffness(&self, at: &Trial, blocks: &mut dyn Blocks) {
        for (k, dof) in self.stiffness.iter().zip(&at.topology.node_dof) {
            blocks.symmetric(&[dof + 2], &[*k]);
        }
    }

    fn potential(&self, at: &Trial) -> Option<f64> {
        Some(self.energy(at.topology, at.q))
    }

    fn work(&self, topology: &Topology, from: &[f64], to: &[f64]) -> Option<f64> {
        Some(self.energy(topology, from) - self.energy(topology, to))
    }
}
