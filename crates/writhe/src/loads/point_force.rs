//! A force on one node, dead or following an edge's material frame.

use glam::DVec3;

use super::{Load, PointLoad};
use crate::assembly::{Blocks, Trial, add3};
use crate::rod::Topology;
use crate::rod::kinematics::position;
use crate::schedule::Schedule;

/// Force on a node, N.
#[derive(Debug, Clone)]
pub struct PointForce {
    /// Flat node index.
    pub node: usize,
    /// Components, N: of space when dead, of `(m1, m2, t)` of the edge `follows` otherwise.
    pub force: DVec3,
    /// Factor in time.
    pub amplitude: Schedule,
    /// Edge whose material frame the force turns with; `None` for a dead load.
    pub follows: Option<usize>,
}

impl PointForce {
    fn force(&self, at: &Trial) -> DVec3 {
        let f = self.force * self.amplitude.at(at.time);
        match self.follows {
            None => f,
            Some(edge) => {
                let e = at.kinematics.edge(edge);
                e.m1 * f.x + e.m2 * f.y + e.tangent * f.z
            }
        }
    }
}

impl Load for PointForce {
    fn name(&self) -> &'static str {
        "point force"
    }

    fn changes_until(&self) -> f64 {
        self.amplitude.changes_until()
    }

    fn add_force(&self, at: &Trial, force: &mut [f64]) {
        add3(force, at.topology.node_dof[self.node], self.force(at));
    }

    /// With `dm1 = -t (m1 . dt) + m2 (dth + a . de)` and likewise m2, `dt = (I - t t^T) de / |e|`.
    fn add_stiffness(&self, at: &Trial, blocks: &mut dyn Blocks) {
        let Some(edge) = self.follows else { return };
        let e = at.kinematics.edge(edge);
        let f = self.force * self.amplitude.at(at.time);
        // df = -t (across . dt) + f_t dt + (f_1 m2 - f_2 m1)(dth + a . de)
        let across = e.m1 * f.x + e.m2 * f.y;
        let by_theta = e.m2 * f.x - e.m1 * f.y;
        // Rows of d(force)/d(edge vector).
        let by_edge = crate::rod::geometry::outer(-e.tangent, across) * (1.0 / e.length)
            + e.tangent_jacobian() * f.z
            + crate::rod::geometry::outer(by_theta, e.spin);
        let target = at.topology.node_dof[self.node];
        // Columns: both nodes of the edge, its angle. Rows: the loaded node, perhaps one of them.
        let mut dofs = at.topology.edge_position_dofs(edge).to_vec();
        dofs.push(at.topology.edge_dof[edge]);
        let rows: Vec<usize> = (target..target + 3)
            .map(|dof| {
                dofs.iter().position(|d| *d == dof).unwrap_or_else(|| {
                    dofs.push(dof);
                    dofs.len() - 1
                })
            })
            .collect();
        let n = dofs.len();
        let mut values = vec![0.0; n * n];
        for (k, row) in rows.into_iter().enumerate() {
            for c in 0..3 {
                // Minus the derivative, by e = x1 - x0.
                let slope = by_edge.col(c)[k];
                values[row * n + c] += slope;
                values[row * n + 3 + c] -= slope;
            }
            values[row * n + 6] -= by_theta[k];
        }
        blocks.general(&dofs, &values);
    }

    fn potential(&self, at: &Trial) -> Option<f64> {
        self.follows
            .is_none()
            .then(|| -self.force(at).dot(at.position(self.node)))
    }

    fn work(&self, topology: &Topology, from: &[f64], to: &[f64]) -> Option<f64> {
        // A force that changes in time or turns depends on the way: its power is summed up instead.
        let (Schedule::Constant(amplitude), None) = (&self.amplitude, self.follows) else {
            return None;
        };
        let place = |q: &[f64]| position(q, topology.node_dof[self.node]);
        Some(*amplitude * self.force.dot(place(to) - place(from)))
    }

    fn at_point(&self) -> Option<PointLoad> {
        Some(PointLoad::Force(self.clone()))
    }

    fn couplings(&self, topology: &Topology) -> Vec<Vec<usize>> {
        let Some(edge) = self.follows else {
            return Vec::new();
        };
        let target = topology.node_dof[self.node];
        let mut dofs = topology.edge_position_dofs(edge).to_vec();
        dofs.push(topology.edge_dof[edge]);
        dofs.extend(target..target + 3);
        dofs.sort_unstable();
        dofs.dedup();
        vec![dofs]
    }
}
