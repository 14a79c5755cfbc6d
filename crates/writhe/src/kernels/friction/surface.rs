//! How the surface of an edge moves where it touches something, and what a force there does to the
//! edge.
//!
//! The section turns with omega = t x t' + (theta' + a . e') t: the edge's own turning, and its
//! spin, where a . e' is the turn of the reference frame (`EdgeGeometry::spin`). At a point r off
//! the axis, (1-s) x0 + s x1 + r, the surface moves with
//!
//! ```text
//! v = (1-s) u0 + s u1 + omega x r  =  W (u0, u1, theta')
//! ```
//!
//! A force f there does the virtual work f . W dq, so the edge feels W^T f: with the moment m = r x
//! f about its axis,
//!
//! ```text
//! on the nodes  (1-s) f - g  and  s f + g,   g = (t . m) a + (m x t)/|e|,      on theta  t . m.
//! ```
//!
//! g is a couple, so linear momentum is that of f alone, and with t . m the angular momentum is
//! that of f at its point.

use glam::{DMat3, DVec3};

use crate::kernels::distance::outer;
use crate::rod::geometry::skew;
use crate::rod::kinematics::EdgeAxis;

/// The surface of one edge at a point of contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    /// Position s along the edge, from 0 to 1.
    pub along: f64,
    /// Arm r from the axis to the point, m; zero for the axis itself.
    pub arm: DVec3,
    /// u0, u1, m/s.
    pub velocities: [DVec3; 2],
    /// theta', rad/s.
    pub spin: f64,
    /// Its axis.
    pub edge: EdgeAxis,
}

/// How the place of a point depends on a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointGradient {
    /// ds/dx, 1/m.
    pub along: DVec3,
    /// dr/dx.
    pub arm: DMat3,
    /// de/dx over the identity: -1 for the edge's first node, 1 for its second, 0 for others.
    pub edge: f64,
}

/// What a force on the surface does to the unknowns of the edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reaction {
    /// Forces on both nodes, N.
    pub nodes: [DVec3; 2],
    /// Moment on theta, N m.
    pub angle: f64,
}

/// W: how the surface's velocity follows from those of the unknowns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VelocityMap {
    /// By u0 and u1, dimensionless.
    pub nodes: [DMat3; 2],
    /// By theta', m.
    pub angle: DVec3,
}

impl Surface {
    /// v, m/s.
    #[inline(always)]
    pub(crate) fn velocity(&self) -> DVec3 {
        let [u0, u1] = self.velocities;
        // (1-s) u0 + s u1 + omega x r
        u0.lerp(u1, self.along) + self.angular_velocity().cross(self.arm)
    }

    /// omega, rad/s.
    pub(crate) fn angular_velocity(&self) -> DVec3 {
        let e = &self.edge;
        // omega = (theta' + a . e') t + t x e'/|e|
        e.tangent * self.axial_spin() + e.tangent.cross(self.stretching()) / e.length
    }

    /// e' = u1 - u0, m/s.
    fn stretching(&self) -> DVec3 {
        self.velocities[1] - self.velocities[0]
    }

    /// theta' + a . e', rad/s.
    fn axial_spin(&self) -> f64 {
        self.spin + self.edge.spin.dot(self.stretching())
    }

    /// W by x0, x1 and theta.
    #[inline(always)]
    pub(crate) fn velocity_map(&self) -> VelocityMap {
        let e = &self.edge;
        // d omega/de' = t a^T + [t]x/|e|, and omega x r = -r x omega
        let turn = outer(e.tangent, e.spin) + skew(e.tangent) * (1.0 / e.length);
        let by_edge = skew(self.arm) * turn;
        let along = DMat3::from_diagonal(DVec3::splat(self.along)) - by_edge;
        VelocityMap {
            nodes: [DMat3::IDENTITY - along, along],
            angle: e.tangent.cross(self.arm),
        }
    }

    /// Columns of W by (x0, x1, theta), 3 x 7.
    pub(crate) fn columns(&self) -> [DVec3; 7] {
        let map = self.velocity_map();
        std::array::from_fn(|c| match c {
            6 => map.angle,
            _ => map.nodes[c / 3].col(c % 3),
        })
    }

    /// W^T f for a force `f`, N, on the surface.
    pub(crate) fn reaction(&self, f: DVec3) -> Reaction {
        let e = &self.edge;
        let m = self.arm.cross(f);
        let axial = e.tangent.dot(m);
        // g = (t . m) a + (m x t)/|e|
        let couple = axial * e.spin + m.cross(e.tangent) / e.length;
        Reaction {
            nodes: [(1.0 - self.along) * f - couple, self.along * f + couple],
            angle: axial,
        }
    }

    /// How the point's velocity and what the force `f`, N, there does change as nodes move.
    #[inline(always)]
    pub(crate) fn gradients(&self, f: DVec3) -> SurfaceGradients {
        let e = &self.edge;
        let (dt, da) = (e.tangent_jacobian(), e.spin_jacobian());
        let (stretching, m) = (self.stretching(), self.arm.cross(f));
        let per_length_sq = 1.0 / (e.length * e.length);
        // d omega/de: (theta' + a.e') dt + t (da . e') + dt x e'/|e| - (t x e') d|e|/|e|^2.
        let turning = dt * self.axial_spin() + outer(e.tangent, da.transpose() * stretching)
            - skew(stretching) * dt * (1.0 / e.length)
            - outer(e.tangent.cross(stretching), e.tangent) * per_length_sq;
        // d(t . m) and dg by the edge vector, m held.
        let axial_by_edge = dt * m;
        let couple_by_edge =
            outer(e.spin, axial_by_edge) + da * e.tangent.dot(m) + skew(m) * dt * (1.0 / e.length)
                - outer(m.cross(e.tangent), e.tangent) * per_length_sq;
        // g by m: (t . dm) a + dm x t/|e|, with dm = r x df + dr x f.
        let by_moment = outer(e.spin, e.tangent) - skew(e.tangent) * (1.0 / e.length);
        SurfaceGradients {
            along: self.along,
            force: f,
            stretching,
            turning: skew(self.arm) * turning,
            angular_velocity: skew(self.angular_velocity()),
            couple: [
                by_moment * skew(self.arm),
                by_moment * skew(-f),
                couple_by_edge,
            ],
            axial: [e.tangent.cross(self.arm), f.cross(e.tangent), axial_by_edge],
        }
    }
}

/// What of the derivatives by the nodes is the same for all of them, for one force on the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceGradients {
    /// s.
    along: f64,
    /// f, N.
    force: DVec3,
    /// e', m/s.
    stretching: DVec3,
    /// [r]x d omega/de, 1/s.
    turning: DMat3,
    /// [omega]x, rad/s.
    angular_velocity: DMat3,
    /// dg by the force's change, by the arm's and by the edge's.
    couple: [DMat3; 3],
    /// d(t . m) by the same.
    axial: [DVec3; 3],
}

impl SurfaceGradients {
    /// dv/dx at fixed u and theta', 1/s.
    #[inline(always)]
    pub(crate) fn velocity(&self, by: &PointGradient) -> DMat3 {
        // dv = e' ds + d omega x r + omega x dr
        outer(self.stretching, by.along) - self.turning * by.edge + self.angular_velocity * by.arm
    }

    /// Derivative by a node of [`Surface::reaction`], given `df`, N/m, the force's own: of the
    /// nodes' forces and of the moment on theta.
    #[inline(always)]
    pub(crate) fn reaction(&self, df: DMat3, by: &PointGradient) -> ([DMat3; 2], DVec3) {
        let [by_force, by_arm, by_edge] = self.couple;
        let couple = by_force * df + by_arm * by.arm + by_edge * by.edge;
        let [of_force, of_arm, of_edge] = self.axial;
        let axial = df.transpose() * of_force + by.arm.transpose() * of_arm + of_edge * by.edge;
        // d((1-s) f - g) = (1-s) df - f ds - dg, d(s f + g) = s df + f ds + dg
        let shift = outer(self.force, by.along) + couple;
        let along = df * self.along;
        ([df - along - shift, along + shift], axial)
    }
}
