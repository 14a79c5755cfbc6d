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

mod derivatives;
mod matrix;

pub(crate) use derivatives::{DerivativeColumns, PairColumns, take_derivatives};

use glam::{DMat3, DVec3};

use crate::kernels::distance::PairDistance;
use crate::kernels::friction::anchor::{Anchor, frame, frame_gradient};
use crate::kernels::friction::between::Between;
use crate::kernels::friction::law::{Slip, SlipLaw, SlipOf};
use crate::kernels::friction::steering::Steering;
use crate::kernels::friction::surface::Surface;
use crate::kernels::friction::traction::Traction;
use crate::rod::kinematics::EdgeAxis;

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
pub(crate) struct NormalContact {
    pub distance: PairDistance,
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
    /// Its axis.
    pub edge: EdgeAxis,
}

/// Friction of a pair, ready to give its forces and Jacobians.
#[derive(Clone, Debug)]
pub(crate) struct PairFriction {
    contact: NormalContact,
    surfaces: [Surface; 2],
    /// r over D n.
    shares: [f64; 2],
    /// v, m/s.
    relative: DVec3,
    slip: Slip,
    traction: Traction,
    /// Apart: it is large, and few have it.
    directed: Option<Box<Directed>>,
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

impl PairFriction {
    /// Friction of a pair in contact; `anchor` is what it remembers, if the law has a memory.
    #[inline]
    pub(crate) fn new(
        law: &SlipLaw,
        contact: NormalContact,
        edges: [EdgeMotion; 2],
        anchor: Option<Anchor>,
    ) -> Self {
        let PairDistance {
            normal: n, closest, ..
        } = contact.distance;
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
            (traction, Some(Box::new(directed)))
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

    /// The slope of the traction by the slip, that of another direction if one is given.
    pub(crate) fn slope(&self, law: &SlipLaw, direction: Option<&Steering>) -> DMat3 {
        let slope = direction.and_then(|direction| match self.directed.as_deref() {
            None => direction.slope(law),
            // The traction is a function of w, whose slope is that of the coefficient 1.
            Some(Directed {
                law: both, axes, ..
            }) => (direction.unit(law)).map(|unit| both.traction(&unit, axes).0.slope),
        });
        slope.unwrap_or(self.traction.slope)
    }

    /// The largest force that friction has in the direction of the slip, N; `coefficient` counts
    /// where no rod has its own.
    pub(crate) fn limit(&self, coefficient: f64) -> f64 {
        let mu = match self.directed.as_deref() {
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

    /// Whether directions that turn with the edges have a part in the force: what is remembered, or
    /// friction by direction.
    fn turns(&self) -> bool {
        self.slip.anchor.is_some() || self.directed.is_some()
    }

    /// What these add to df/dx_l, given the slope of the traction.
    fn turning(&self, l: usize, slope: DMat3) -> DMat3 {
        let distance = &self.contact.distance;
        let (n, dn) = (distance.normal, distance.normal_derivative(l));
        // Nodes 0, 1 are those of edge a, 2, 3 those of b; e = x1 - x0.
        let by_edge = |k: usize| match (l / 2 == k, l % 2) {
            (true, 0) => -1.0,
            (true, _) => 1.0,
            _ => 0.0,
        };
        let tangents = [0, 1].map(|k| self.surfaces[k].edge.tangent_jacobian() * by_edge(k));
        let mut turning = DMat3::ZERO;
        if let Some(anchor) = self.slip.anchor {
            // The edge whose tangent xi turns with: ds = (ds/dv_T) dv_T + dxi.
            let carrier = usize::from(anchor.carrier.min(1));
            let t = self.surfaces[carrier].edge.tangent;
            turning += slope * anchor.gradient(n, t, dn, tangents[carrier]);
        }
        if let Some(directed) = &self.directed {
            turning += self.by_turning_axes(directed, dn, &tangents);
        }
        turning * self.contact.force
    }

    /// dt/dx_l as the axes of both edges turn, given that of the normal.
    #[inline(always)]
    fn by_turning_axes(&self, directed: &Directed, dn: DMat3, tangents: &[DMat3; 2]) -> DMat3 {
        let n = self.contact.distance.normal;
        (0..2).fold(DMat3::ZERO, |sum, k| {
            let [by_tau, by_side] = directed.by_axes[k];
            let turn = frame_gradient(n, self.surfaces[k].edge.tangent, dn, tangents[k]);
            sum + turn.map_or(DMat3::ZERO, |[tau, side]| by_tau * tau + by_side * side)
        })
    }
}

#[cfg(test)]
mod tests;
