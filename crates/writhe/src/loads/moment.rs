//! A moment on one edge, dead or following its material frame.

use glam::{DMat3, DVec3};

use super::{Load, PointLoad};
use crate::assembly::{Blocks, Trial, add3};
use crate::rod::geometry::{outer, skew};
use crate::rod::kinematics::EdgeGeometry;
use crate::schedule::Schedule;

/// Moment on an edge, N m.
///
/// A virtual motion turns the edge by `t x dt + t (dth + a . de)` (a the spin of the reference
/// frame), so the moment M does work through the force `(M x t)/|e| + (M . t) a` on the edge vector
/// and `M . t` on theta.
#[derive(Debug, Clone)]
pub struct PointMoment {
    /// Flat edge index.
    pub edge: usize,
    /// Components, N m: of space when dead, of `(m1, m2, t)` when it follows.
    pub moment: DVec3,
    /// Factor in time.
    pub amplitude: Schedule,
    /// Whether it turns with the edge's material frame.
    pub follows: bool,
}

impl PointMoment {
    fn moment(&self, at: &Trial, e: &EdgeGeometry) -> DVec3 {
        let m = self.moment * self.amplitude.at(at.time);
        if self.follows {
            e.m1 * m.x + e.m2 * m.y + e.tangent * m.z
        } else {
            m
        }
    }

    /// Derivatives of the force on the edge vector by (edge vector, theta), and of the force on
    /// theta by the edge vector.
    fn derivatives(&self, at: &Trial, e: &EdgeGeometry) -> (DMat3, DVec3, DVec3) {
        let m = self.moment(at, e);
        let axial = m.dot(e.tangent);
        let dt = e.tangent_jacobian();
        // Space-fixed moment: d(M x t)/|e| + a d(M.t) + (M.t) da.
        let couple = m.cross(e.tangent) / e.length;
        let mut by_edge = skew(m) * dt * (1.0 / e.length)
            - outer(couple, e.tangent) * (1.0 / e.length)
            + e.spin_jacobian() * axial;
        if !self.follows {
            let by_axis = dt * m;
            return (by_edge + outer(e.spin, by_axis), DVec3::ZERO, by_axis);
        }
        // The moment itself turns: dM = omega x M with omega = t x dt + t (dth + a.de); M.t stays.
        // d(M x t) from dM is (omega x M) x t.
        let turned = |omega: DVec3| omega.cross(m).cross(e.tangent) / e.length;
        let by_theta = turned(e.tangent);
        let columns = [0, 1, 2].map(|k| {
            let de = DVec3::AXES[k];
            turned(e.tangent.cross(dt * de) + e.tangent * e.spin.dot(de))
        });
        by_edge += DMat3::from_cols(columns[0], columns[1], columns[2]);
        (by_edge, by_theta, DVec3::ZERO)
    }
}

impl Load for PointMoment {
    fn name(&self) -> &'static str {
        "point moment"
    }

    fn changes_until(&self) -> f64 {
        self.amplitude.changes_until()
    }

    fn add_force(&self, at: &Trial, force: &mut [f64]) {
        let e = at.kinematics.edge(self.edge);
        let m = self.moment(at, &e);
        let axial = m.dot(e.tangent);
        // (M x t)/|e| + (M . t) a on the edge vector e = x1 - x0, M . t on theta
        let f = m.cross(e.tangent) / e.length + e.spin * axial;
        let [a, b] = at.topology.edge_nodes[self.edge].map(|n| at.topology.node_dof[n]);
        add3(force, a, -f);
        add3(force, b, f);
        force[at.topology.edge_dof[self.edge]] += axial;
    }

    fn add_stiffness(&self, at: &Trial, blocks: &mut dyn Blocks) {
        let e = at.kinematics.edge(self.edge);
        let (ee, e_theta, theta_e) = self.derivatives(at, &e);
        let [a, b] = at.topology.edge_nodes[self.edge].map(|n| at.topology.node_dof[n]);
        let theta = at.topology.edge_dof[self.edge];
        // Rows and columns: both nodes, then the angle; minus the derivative of -f on x0, f on x1.
        let dofs = [a, a + 1, a + 2, b, b + 1, b + 2, theta];
        let mut values = [0.0; 49];
        for r in 0..3 {
            for c in 0..3 {
                let slope = ee.col(c)[r];
                for (row, row_sign) in [(r, -1.0), (r + 3, 1.0)] {
                    values[row * 7 + c] += row_sign * slope;
                    values[row * 7 + c + 3] -= row_sign * slope;
                }
            }
            values[r * 7 + 6] += e_theta[r];
            values[(r + 3) * 7 + 6] -= e_theta[r];
            values[42 + r] += theta_e[r];
            values[42 + r + 3] -= theta_e[r];
        }
        blocks.general(&dofs, &values);
    }

    fn potential(&self, _at: &Trial) -> Option<f64> {
        None
    }

    fn at_point(&self) -> Option<PointLoad> {
        Some(PointLoad::Moment(self.clone()))
    }
}
