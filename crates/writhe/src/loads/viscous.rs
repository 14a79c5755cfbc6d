//! Linear viscous damping of nodes (C21 Eq. 23 and 24).

use super::{Load, LoadKind};
use crate::assembly::{Blocks, Trial, add3};

/// `f_i = -eta dL_i u_i` on every node, dL the rest Voronoi length.
#[derive(Debug, Clone)]
pub struct ViscousDamping {
    /// Damping coefficient of each node, eta dL, N s/m, `(nodes)`.
    pub coefficient: Vec<f64>,
}

impl Load for ViscousDamping {
    fn name(&self) -> &'static str {
        "viscous damping"
    }

    fn add_force(&self, at: &Trial, force: &mut [f64]) {
        for (node, c) in self.coefficient.iter().enumerate() {
            add3(force, at.topology.node_dof[node], at.velocity(node) * -c);
        }
    }

    fn add_stiffness(&self, at: &Trial, blocks: &mut dyn Blocks) {
        let mut diagonal = vec![0.0; at.topology.dofs];
        for (dof, c) in at.topology.node_dof.iter().zip(&self.coefficient) {
            diagonal[*dof..dof + 3].fill(c * at.rate);
        }
        blocks.diagonal(&diagonal);
    }

    /// `eta dL |u|^2 / (2 rate)`: with `u = rate q + history` its gradient by q is `eta dL u`.
    fn potential(&self, at: &Trial) -> Option<f64> {
        if at.rate == 0.0 {
            // u does not depend on q then.
            return None;
        }
        let energy =
            |(node, c): (usize, &f64)| 0.5 * c * at.velocity(node).length_squared() / at.rate;
        Some(self.coefficient.iter().enumerate().map(energy).sum())
    }

    fn kind(&self) -> LoadKind {
        LoadKind::Damping
    }
}
