//! Vertices in registers: their edges, their strains and the slopes of these.

use pulp::Simd;

use crate::kernels::elastic::batch::VertexDerivatives;
use crate::lanes::{Column, Lanes, Pack, Pack3, add, cross, dot, scale, scale_add, scale_from};
use crate::rod::kinematics::{EdgeWindow, row};

/// A symmetric matrix: xx, xy, xz, yy, yz, zz.
pub(super) type Symmetric<S> = [Pack<S>; 6];
/// A matrix by rows.
pub(super) type Matrix<S> = [[Pack<S>; 3]; 3];

/// An edge of the vertices in the lanes.
#[derive(Clone, Copy)]
pub(super) struct Edge<S: Simd> {
    pub(super) t: Pack3<S>,
    /// The directors that multiply kappa_b in both curvatures: m2 and -m1.
    pub(super) normals: [Pack3<S>; 2],
    pub(super) inverse_length: Pack<S>,
    pub(super) spin: Pack3<S>,
    pub(super) spin_gradient: Symmetric<S>,
}

impl<S: Simd> Edge<S> {
    #[inline(always)]
    pub(super) fn new(lanes: Lanes<S>, edges: EdgeWindow) -> Self {
        let m1 = edges.load3(lanes, row::M1);
        let g = row::SPIN_GRADIENT;
        let [upper, lower] = [edges.load3(lanes, g), edges.load3(lanes, g + 3)];
        Self {
            t: edges.load3(lanes, row::TANGENT),
            normals: [edges.load3(lanes, row::M2), [-m1[0], -m1[1], -m1[2]]],
            inverse_length: edges.load(lanes, row::INVERSE_LENGTH),
            spin: edges.load3(lanes, row::SPIN),
            spin_gradient: [upper[0], upper[1], upper[2], lower[0], lower[1], lower[2]],
        }
    }
}

/// The vertices in the lanes.
pub(super) struct Vertex<S: Simd> {
    pub(super) minus: Edge<S>,
    pub(super) plus: Edge<S>,
    /// `1 + t- . t+`.
    pub(super) chi: Pack<S>,
    pub(super) inverse_chi: Pack<S>,
    /// `(t- + t+)/chi`.
    pub(super) t_tilde: Pack3<S>,
    /// Curvature binormal kappa_b = `2 t- x t+/chi` (B08 Eq. 1, T22 Eq. 2).
    pub(super) binormal: Pack3<S>,
    pub(super) twist: Pack<S>,
}

/// First derivatives of a strain in local coordinates.
#[derive(Clone, Copy)]
pub(super) struct Slope<S: Simd> {
    pub(super) minus: Pack3<S>,
    pub(super) theta_minus: Pack<S>,
    pub(super) plus: Pack3<S>,
    pub(super) theta_plus: Pack<S>,
}

impl<S: Simd> Slope<S> {
    /// `a self + b other`.
    #[inline(always)]
    pub(super) fn combined(&self, a: Pack<S>, other: &Self, b: Pack<S>) -> Self {
        Self {
            minus: scale_add(a, self.minus, scale(b, other.minus)),
            theta_minus: a.mul_add(self.theta_minus, b * other.theta_minus),
            plus: scale_add(a, self.plus, scale(b, other.plus)),
            theta_plus: a.mul_add(self.theta_plus, b * other.theta_plus),
        }
    }

    /// In local coordinates.
    #[inline(always)]
    pub(super) fn components(&self) -> [Pack<S>; 8] {
        let (m, p) = (self.minus, self.plus);
        [
            m[0],
            m[1],
            m[2],
            self.theta_minus,
            p[0],
            p[1],
            p[2],
            self.theta_plus,
        ]
    }
}

/// Writes the gradient by edges and angles, and that by nodes: `e- = x1 - x0`, `e+ = x2 - x1`.
#[inline(always)]
pub(super) fn store_gradient<S: Simd>(
    lanes: Lanes<S>,
    slope: &Slope<S>,
    out: &mut VertexDerivatives,
) {
    for (component, column) in slope.components().iter().zip(&mut out.gradient) {
        lanes.store(*component, column);
    }
    let nodes = &mut out.by_nodes;
    for k in 0..3 {
        // On x0, x1, x2: -g-, g- - g+, g+
        lanes.store(-slope.minus[k], &mut nodes[k]);
        lanes.store(slope.minus[k] - slope.plus[k], &mut nodes[4 + k]);
        lanes.store(slope.plus[k], &mut nodes[8 + k]);
    }
    lanes.store(slope.theta_minus, &mut nodes[3]);
    lanes.store(slope.theta_plus, &mut nodes[7]);
}

impl<S: Simd> Vertex<S> {
    #[inline(always)]
    pub(super) fn new(lanes: Lanes<S>, edges: [EdgeWindow; 2], twist: &Column) -> Self {
        let minus = Edge::new(lanes, edges[0]);
        let plus = Edge::new(lanes, edges[1]);
        let one = lanes.splat(1.0);
        let chi = one + dot(minus.t, plus.t);
        let inverse_chi = one / chi;
        Self {
            chi,
            inverse_chi,
            t_tilde: scale(inverse_chi, add(minus.t, plus.t)),
            binormal: scale(inverse_chi + inverse_chi, cross(minus.t, plus.t)),
            twist: lanes.load(twist),
            minus,
            plus,
        }
    }

    #[inline(always)]
    pub(super) fn constant(&self, value: f64) -> Pack<S> {
        self.chi.constant(value)
    }

    /// Gradient of `w . kappa_b`, w carried along by the edges, where turning an edge by its angle
    /// changes it by `by_theta`.
    #[inline(always)]
    pub(super) fn curvature_slope(
        &self,
        w: Pack3<S>,
        kappa: Pack<S>,
        by_theta: [Pack<S>; 2],
    ) -> Slope<S> {
        let n_tilde = scale(self.inverse_chi + self.inverse_chi, w);
        // d kappa/d e- = ( t+ x n~ - kappa t~)/|e-|, d kappa/d e+ = (-t- x n~ - kappa t~)/|e+|
        let by_minus = scale_from(kappa, self.t_tilde, cross(self.plus.t, n_tilde));
        let by_plus = scale_from(kappa, self.t_tilde, cross(n_tilde, self.minus.t));
        self.with_spin(by_minus, by_plus, by_theta)
    }

    /// Gradient of the twist (B08 Eq. 9 with the sign of the reference twist).
    #[inline(always)]
    pub(super) fn twist_slope(&self) -> Slope<S> {
        // d m_ref/d e- = kappa_b/(2 |e-|), and by e+ likewise
        let half = scale(self.constant(0.5), self.binormal);
        self.with_spin(half, half, [self.constant(-1.0), self.constant(1.0)])
    }

    /// Gradient of chi, which no angle changes.
    #[inline(always)]
    pub(super) fn chi_slope(&self) -> Slope<S> {
        // d(t- . t+)/d e- = (t+ - cos(phi) t-)/|e-|, and by e+ likewise
        let cos = self.chi - self.constant(1.0);
        Slope {
            minus: scale(
                self.minus.inverse_length,
                scale_from(cos, self.minus.t, self.plus.t),
            ),
            theta_minus: self.constant(0.0),
            plus: scale(
                self.plus.inverse_length,
                scale_from(cos, self.plus.t, self.minus.t),
            ),
            theta_plus: self.constant(0.0),
        }
    }

    /// `d/de -> d/de + a d/dth`, each edge with its own angle, of derivatives by the edges over
    /// their lengths.
    #[inline(always)]
    pub(super) fn with_spin(
        &self,
        by_minus: Pack3<S>,
        by_plus: Pack3<S>,
        [theta_minus, theta_plus]: [Pack<S>; 2],
    ) -> Slope<S> {
        let (m, p) = (&self.minus, &self.plus);
        Slope {
            minus: scale_add(theta_minus, m.spin, scale(m.inverse_length, by_minus)),
            theta_minus,
            plus: scale_add(theta_plus, p.spin, scale(p.inverse_length, by_plus)),
            theta_plus,
        }
    }
}
