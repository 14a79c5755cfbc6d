//! Friction between two edges.
//!
//! One force f acts on the first edge's surface at the contact point, -f on the second's at the
//! same point:
//!
//! ```text
//! v   = v_a - v_b                         relative velocity of the surfaces
//! v_T = v - (v . n) n                     its tangential part                        (T22 Eq. 16)
//! f   = F_n t(s)                          traction t at the slip s = v_T             (T22 Eq. 17, 18)
//! ```
//!
//! The common point divides the distance D n of the axes as the radii do: r_a = -D h_a/(h_a + h_b)
//! n and r_b = D h_b/(h_a + h_b) n. It is one point even where surfaces hover or penetrate, so a
//! rigid motion of the pair has no slip, and f and -f have no moment. With r_a = r_b = 0 the
//! velocities are those of the axes: T22's form, which does not know of spin.
//!
//! Where a rod has coefficients by direction the traction is that of `between.rs`: a function of s
//! and of the axes tau = P t/|P t| and n x tau of both edges, P projecting on the plane of contact.
//! They turn with the nodes, and d t/d s is not symmetric.

use glam::{DMat3, DVec3};

use crate::kernels::distance::{PairDistance, outer};
use crate::kernels::friction::anchor::{Anchor, frame, frame_gradient};
use crate::kernels::friction::between::Between;
use crate::kernels::friction::law::{Slip, SlipLaw, SlipOf};
use crate::kernels::friction::steering::Steering;
use crate::kernels::friction::surface::{PointGradient, Surface, SurfaceGradients};
use crate::kernels::friction::traction::Traction;
use crate::rod::kinematics::EdgeGeometry;

/// Unknowns of a pair: positions of a0, a1, b0, b1, then both angles.
pub(crate) const UNKNOWNS: usize = 14;

/// Friction forces on the unknowns of a pair, N and N m.
pub(crate) type PairForce = [f64; UNKNOWNS];

/// Derivatives of them by the unknowns, in four groups: (a0, theta_a), (a1, nothing), (b0, theta_b),
/// (b1, nothing). The block of the rows of group i and the columns of group j stands at 4 i + j,
/// column by column.
pub(crate) type PairDerivatives = [[f64; 16]; 16];

/// The normal contact that friction acts through: any contact model provides it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NormalContact<'a> {
    pub distance: &'a PairDistance,
    /// F_n, in newtons, at least 0.
    pub force: f64,
    /// -dF_n/dD, in N/m. Zero where the normal force is lagged.
    pub stiffness: f64,
}

/// One edge of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeMotion {
    /// Radius h, m.
    pub radius: f64,
    /// Velocities of its nodes, m/s.
    pub velocities: [DVec3; 2],
    /// theta', rad/s.
    pub spin: f64,
    /// Its geometry.
    pub edge: EdgeGeometry,
}

/// Friction of a pair, ready to give its forces and Jacobians.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairFriction<'a> {
    contact: NormalContact<'a>,
    surfaces: [Surface; 2],
    /// r over D n.
    shares: [f64; 2],
    /// v, m/s.
    relative: DVec3,
    slip: Slip,
    traction: Traction,
    directed: Option<Directed>,
}

/// Friction by direction of a pair.
#[derive(Clone, Copy, Debug)]
struct Directed {
    law: Between,
    /// tau and n x tau of each edge.
    axes: [[DVec3; 2]; 2],
    /// Derivatives of the traction by them.
    by_axes: [[DMat3; 2]; 2],
}

impl<'a> PairFriction<'a> {
    /// Friction of a pair in contact; `anchor` is what it remembers, if the law has a memory.
    pub(crate) fn new(
        law: &SlipLaw,
        contact: NormalContact<'a>,
        edges: [EdgeMotion; 2],
        anchor: Option<Anchor>,
    ) -> Self {
        let PairDistance {
            normal: n, closest, ..
        } = *contact.distance;
        let [h_a, h_b] = edges.map(|e| e.radius);
        let shares = match law.of {
            SlipOf::Surfaces => [-h_a / (h_a + h_b), h_b / (h_a + h_b)],
            SlipOf::Axes => [0.0, 0.0],
        };
        // The contact point from each axis: r_a = shares_a D n, r_b = shares_b D n.
        let surface = |k: usize, along: f64| Surface {
            along,
            arm: shares[k] * closest.distance * n,
            velocities: edges[k].velocities,
            spin: edges[k].spin,
            edge: edges[k].edge,
        };
        let surfaces = [surface(0, closest.s), surface(1, closest.t)];
        // v = v_a - v_b there, and of it the slip in the plane of contact, v - (v . n) n
        let relative = surfaces[0].velocity() - surfaces[1].velocity();
        let slip = law.slip(
            relative - relative.dot(n) * n,
            anchor,
            n,
            &surfaces.map(|s| s.edge.tangent),
        );
        let (traction, directed) = if law.is_directed() {
            let (own, plain) = (law.directions, law.coefficient);
            let between = Between { own, plain };
            let axes = surfaces.map(|s| frame(n, s.edge.tangent));
            let unit = law.traction_of(1.0, slip.value);
            let (traction, by_axes) = between.traction(&unit, &axes);
            let directed = Directed {
                law: between,
                axes,
                by_axes,
            };
            (traction, Some(directed))
        } else {
            (law.traction(slip.value), None)
        };
        Self {
            contact,
            surfaces,
            shares,
            relative,
            slip,
            traction,
            directed,
        }
    }

    /// Takes the slope of the traction along another direction for the Jacobians.
    pub(crate) fn steer(&mut self, law: &SlipLaw, direction: &Steering) {
        let slope = match &self.directed {
            None => direction.slope(law),
            // The traction is a function of w, whose slope is that of the coefficient 1.
            Some(Directed {
                law: both, axes, ..
            }) => (direction.unit(law)).map(|unit| both.traction(&unit, axes).0.slope),
        };
        self.traction.slope = slope.unwrap_or(self.traction.slope);
    }

    /// The largest force that friction has in the direction of the slip, N; `coefficient` counts
    /// where no rod has its own.
    pub(crate) fn limit(&self, coefficient: f64) -> f64 {
        let mu = match &self.directed {
            None => coefficient,
            Some(Directed { law, axes, .. }) => {
                law.at(self.slip.value.normalize_or(axes[0][0]), axes)
            }
        };
        mu * self.contact.force
    }

    /// f, the force on the first edge, N; -f acts on the second.
    pub(crate) fn contact_force(&self) -> DVec3 {
        self.contact.force * self.traction.value
    }

    /// v_T, m/s (T22 Eq. 16).
    pub(crate) fn slip_velocity(&self) -> DVec3 {
        let n = self.contact.distance.normal;
        self.relative - self.relative.dot(n) * n
    }

    /// s: the velocity v_T, m/s, or the displacement since the contact began to stick, m.
    pub(crate) fn slip(&self) -> DVec3 {
        self.slip.value
    }

    /// ds/dv_T: 1, or a time, s.
    pub(crate) fn slip_rate(&self) -> f64 {
        self.slip.rate
    }

    /// What the contact remembers of this at the end of the step, if the law has a memory.
    pub(crate) fn remember(&self, law: &SlipLaw) -> Option<Anchor> {
        let n = self.contact.distance.normal;
        let tangents = &self.surfaces.map(|s| s.edge.tangent);
        law.remember(self.slip.value, self.slip_velocity(), n, tangents)
    }

    /// Forces on the unknowns, N and N m: W^T f, which is what T22 Eq. 18 says where r = 0.
    pub(crate) fn force(&self) -> PairForce {
        let f = self.contact_force();
        let [a, b] = [self.surfaces[0].reaction(f), self.surfaces[1].reaction(-f)];
        // Order of the unknowns: a0, a1, b0, b1, then the angles of a and b.
        let nodes = [a.nodes[0], a.nodes[1], b.nodes[0], b.nodes[1]];
        std::array::from_fn(|i| match i {
            12 => a.angle,
            13 => b.angle,
            _ => nodes[i / 3][i % 3],
        })
    }

    /// Adds `factor` d force/d velocities, F_n W^T (dt/ds)(ds/dv_T) (I - n n^T) W, in N s/m to N m s.
    /// It is symmetric and negative semidefinite; friction by direction makes it neither.
    #[inline(always)]
    pub(crate) fn add_velocity_jacobian(&self, factor: f64, out: &mut PairDerivatives) {
        let n = self.contact.distance.normal;
        let complement = DMat3::IDENTITY - outer(n, n);
        // F_n (dt/ds)(ds/dv_T)(I - n n^T)
        let block =
            self.traction.slope * complement * (factor * self.contact.force * self.slip.rate);
        // v = v_a - v_b, so those of b count with a minus.
        let [a, b] = self.surfaces.map(|s| s.velocity_map());
        let by_nodes = [a.nodes[0], a.nodes[1], b.nodes[0] * -1.0, b.nodes[1] * -1.0];
        // The angle of edge k stands in group 2 k.
        let by_angles = [a.angle, -b.angle];
        let transposed = by_nodes.map(|w| w.transpose());
        for (l, w) in by_nodes.into_iter().enumerate() {
            let pushed = block * w;
            for (k, w) in transposed.into_iter().enumerate() {
                add_columns(&mut out[4 * k + l], w * pushed);
            }
            for (k, w) in by_angles.into_iter().enumerate() {
                add_angle_row(&mut out[8 * k + l], pushed.transpose() * w);
            }
        }
        for (l, w) in by_angles.into_iter().enumerate() {
            let pushed = block * w;
            for (k, w) in transposed.into_iter().enumerate() {
                let column = w * pushed;
                for r in 0..3 {
                    out[4 * k + 2 * l][12 + r] += column[r];
                }
            }
            for (k, w) in by_angles.into_iter().enumerate() {
                out[8 * k + 2 * l][15] += w.dot(pushed);
            }
        }
    }

    /// Columns of W, which makes the relative velocity of the surfaces: v = W (u, theta'),
    /// dimensionless and in m.
    pub(crate) fn columns(&self) -> [DVec3; UNKNOWNS] {
        // v = v_a - v_b, so those of b count with a minus.
        let [a, b] = self.surfaces.map(|s| s.columns());
        std::array::from_fn(|i| match i {
            0..6 => a[i],
            6..12 => -b[i - 6],
            12 => a[6],
            _ => -b[6],
        })
    }

    /// Adds `factor` d force/d positions at fixed velocities, not symmetric, in N/m and N: through
    /// the normal force, the normal, the contact point, the arms, the edges' frames and what is
    /// remembered (T22 Eq. 21, complete). Angles have no part in it.
    #[inline(always)]
    pub(crate) fn add_position_jacobian(&self, factor: f64, out: &mut PairDerivatives) {
        let [grad_s, grad_t] = self.contact.distance.parameter_gradients();
        let f = self.contact_force();
        let gradients = [
            self.surfaces[0].gradients(f),
            self.surfaces[1].gradients(-f),
        ];
        for l in 0..4 {
            // By node l: where the contact point goes, what the force makes of it, and where both
            // act.
            let by = self.point_gradients(l, [grad_s[l], grad_t[l]]);
            let df = self.contact_force_gradient(l, &by, &gradients);
            for (k, df) in [df, df * -1.0].into_iter().enumerate() {
                let (nodes, angle) = gradients[k].reaction(df, &by[k]);
                for (node, block) in nodes.into_iter().enumerate() {
                    add_columns(&mut out[4 * (2 * k + node) + l], block * factor);
                }
                add_angle_row(&mut out[8 * k + l], angle * factor);
            }
        }
    }

    /// How the contact point on both edges depends on node l.
    #[inline(always)]
    fn point_gradients(&self, l: usize, along: [DVec3; 2]) -> [PointGradient; 2] {
        let distance = self.contact.distance;
        let n = distance.normal;
        // d(D n) = n (w_l n)^T + D dn.
        let reach = outer(n, distance.weights[l] * n)
            + distance.normal_derivative(l) * distance.closest.distance;
        [0, 1].map(|k| PointGradient {
            along: along[k],
            arm: reach * self.shares[k],
            // Nodes 0, 1 are those of edge a, 2, 3 those of b; e = x1 - x0.
            edge: match (l / 2 == k, l % 2) {
                (true, 0) => -1.0,
                (true, _) => 1.0,
                _ => 0.0,
            },
        })
    }

    /// df/dx_l.
    #[inline(always)]
    fn contact_force_gradient(
        &self,
        l: usize,
        by: &[PointGradient; 2],
        gradients: &[SurfaceGradients; 2],
    ) -> DMat3 {
        let distance = self.contact.distance;
        let n = distance.normal;
        let dn = distance.normal_derivative(l);
        let dv = gradients[0].velocity(&by[0]) - gradients[1].velocity(&by[1]);
        // The edge whose tangent xi turns with; without a memory it does not matter which.
        let carrier = (self.slip.anchor).map_or(0, |a| usize::from(a.carrier.min(1)));
        let edge = &self.surfaces[carrier].edge;
        let dt = edge.tangent_jacobian() * by[carrier].edge;
        let ds = self
            .slip
            .gradient((self.relative, dv), (n, dn), (edge.tangent, dt));
        // dF_n = (dF_n/dD) w_l n and df = t dF_n^T + F_n (dt/ds) ds
        let normal_force = -self.contact.stiffness * distance.weights[l] * n;
        let df = outer(self.traction.value, normal_force)
            + self.traction.slope * ds * self.contact.force;
        match &self.directed {
            None => df,
            Some(directed) => df + self.by_turning_axes(directed, dn, by) * self.contact.force,
        }
    }

    /// dt/dx_l as the axes of both edges turn, given that of the normal.
    #[inline(always)]
    fn by_turning_axes(&self, directed: &Directed, dn: DMat3, by: &[PointGradient; 2]) -> DMat3 {
        let n = self.contact.distance.normal;
        (0..2).fold(DMat3::ZERO, |sum, k| {
            let edge = &self.surfaces[k].edge;
            let dt = edge.tangent_jacobian() * by[k].edge;
            let [by_tau, by_side] = directed.by_axes[k];
            let turn = frame_gradient(n, edge.tangent, dn, dt);
            sum + turn.map_or(DMat3::ZERO, |[tau, side]| by_tau * tau + by_side * side)
        })
    }
}

/// Adds a matrix of three rows and columns to a block of four.
#[inline(always)]
fn add_columns(block: &mut [f64; 16], m: DMat3) {
    for c in 0..3 {
        let column = m.col(c);
        for r in 0..3 {
            block[4 * c + r] += column[r];
        }
    }
}

/// Adds to the angle's row of a block.
#[inline(always)]
fn add_angle_row(block: &mut [f64; 16], row: DVec3) {
    for c in 0..3 {
        block[4 * c + 3] += row[c];
    }
}

#[cfg(test)]
mod tests;
