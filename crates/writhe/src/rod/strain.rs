//! Curvature and twist of a vertex as functions of its two edges, with first and second
//! derivatives.
//!
//! Local coordinates are `[e- (3), th-, e+ (3), th+]`. Derivatives with respect to an edge vector
//! are taken first with the frame carried along (no spin about the tangent; Bergou et al. 2010),
//! then the spin of the frame away from the start of the step is added: `d/de -> d/de + a d/dth`
//! with `a` the spin gradient of [`EdgeGeometry`]. Left out, gradients are wrong by several per
//! cent once an edge has turned by a few degrees in a step (`docs/decisions/0002`).

use glam::{DMat3, DVec3};

use crate::rod::geometry::{outer, skew};
use crate::rod::kinematics::EdgeGeometry;

/// Gradient in local coordinates.
pub(crate) type Gradient = [f64; 8];
/// Symmetric second derivatives in local coordinates.
pub(crate) type Hessian = [[f64; 8]; 8];
/// Weights with which the directors of the edges before and after a vertex count in its material
/// curvatures.
pub(crate) type Sides = [f64; 2];

/// The mean of both edges' directors (T22 Eq. 3).
pub(crate) const AVERAGED: Sides = [0.5, 0.5];
/// The directors of one edge alone, the one before the vertex or the one after it (B08 Eq. 2).
pub(crate) const PER_EDGE: [Sides; 2] = [[1.0, 0.0], [0.0, 1.0]];

const MINUS: usize = 0;
const PLUS: usize = 4;
const THETA_MINUS: usize = 3;
const THETA_PLUS: usize = 7;

/// Quantities shared by the strains of one vertex.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VertexGeometry<'a> {
    minus: &'a EdgeGeometry,
    plus: &'a EdgeGeometry,
    /// `1 + t- . t+`.
    chi: f64,
    /// `(t- + t+) / chi`.
    t_tilde: DVec3,
    /// Curvature binormal kappa_b = `2 t- x t+ / chi`, dimensionless (T22 Eq. 2).
    pub binormal: DVec3,
}

impl<'a> VertexGeometry<'a> {
    /// Geometry at the joint of two consecutive edges.
    #[inline]
    pub(crate) fn new(minus: &'a EdgeGeometry, plus: &'a EdgeGeometry) -> Self {
        // kappa_b = 2 t- x t+/(1 + t- . t+) (B08 Eq. 1, T22 Eq. 2)
        let chi = 1.0 + minus.tangent.dot(plus.tangent);
        let binormal = minus.tangent.cross(plus.tangent) * (2.0 / chi);
        Self {
            minus,
            plus,
            chi,
            t_tilde: (minus.tangent + plus.tangent) / chi,
            binormal,
        }
    }

    /// Material curvatures `kappa_b . m2` and `-kappa_b . m1` with the directors of `sides` (T22
    /// Eq. 3 up to the sign of the second, B08 Eq. 2): the components of the curvature vector along
    /// m1 and m2, times the Voronoi length.
    #[inline]
    pub(crate) fn curvature(&self, sides: Sides) -> [f64; 2] {
        [0, 1].map(|component| self.binormal.dot(self.mean_normal(component, sides)))
    }

    /// The director that multiplies kappa_b in curvature `component`.
    #[inline]
    fn mean_normal(&self, component: usize, sides: Sides) -> DVec3 {
        Self::normal(component, self.minus) * sides[0]
            + Self::normal(component, self.plus) * sides[1]
    }

    /// The director that multiplies kappa_b in curvature `component` on one edge: m2 or -m1.
    #[inline]
    fn normal(component: usize, edge: &EdgeGeometry) -> DVec3 {
        if component == 0 { edge.m2 } else { -edge.m1 }
    }

    /// Its derivative by theta: -m1 or -m2.
    #[inline]
    fn normal_rate(component: usize, edge: &EdgeGeometry) -> DVec3 {
        if component == 0 { -edge.m1 } else { -edge.m2 }
    }

    /// `1 + t- . t+`, twice the square of the cosine of half of the turning angle.
    #[inline]
    pub(crate) fn chi(&self) -> f64 {
        self.chi
    }

    /// Gradient of chi, which no angle changes.
    pub(crate) fn chi_gradient(&self) -> Gradient {
        let (m, p) = (self.minus, self.plus);
        let cos = self.chi - 1.0;
        // d(t- . t+)/d e- = (t+ - cos(phi) t-)/|e-|, and by e+ likewise
        let by_minus = (p.tangent - m.tangent * cos) / m.length;
        let by_plus = (m.tangent - p.tangent * cos) / p.length;
        self.with_spin_gradient(by_minus, 0.0, by_plus, 0.0)
    }

    /// Adds `weight` times the Hessian of chi.
    pub(crate) fn add_chi_hessian(&self, weight: f64, out: &mut Hessian) {
        let (m, p) = (self.minus, self.plus);
        let (tm, tp) = (m.tangent, p.tangent);
        let cos = self.chi - 1.0;
        let a = outer(tp, tm);
        // d2/d e- d e-: (3 cos t- t-^T - cos I - t+ t-^T - t- t+^T)/|e-|^2, and by e+ likewise
        let twice = |t: DVec3, length: f64| {
            let sum = outer(t, t) * (3.0 * cos) - DMat3::IDENTITY * cos - a - a.transpose();
            sum * (weight / (length * length))
        };
        // d2/d e- d e+: (I - t- t-^T)(I - t+ t+^T)/(|e-| |e+|)
        let product = DMat3::IDENTITY - outer(tm, tm) - outer(tp, tp) + outer(tm, tp) * cos;
        let mp = product * (weight / (m.length * p.length));
        add_matrix(out, MINUS, MINUS, twice(tm, m.length));
        add_matrix(out, PLUS, PLUS, twice(tp, p.length));
        add_matrix(out, MINUS, PLUS, mp);
        add_matrix(out, PLUS, MINUS, mp.transpose());
    }

    /// Gradient of curvature `component` (0 or 1).
    pub(crate) fn curvature_gradient(&self, component: usize, sides: Sides) -> Gradient {
        let (m, p) = (self.minus, self.plus);
        let normal = self.mean_normal(component, sides);
        let kappa = self.binormal.dot(normal);
        let n_tilde = normal * 2.0 / self.chi;
        // d kappa/d e- = ( t+ x n~ - kappa t~)/|e-|
        let by_minus = (p.tangent.cross(n_tilde) - self.t_tilde * kappa) / m.length;
        // d kappa/d e+ = (-t- x n~ - kappa t~)/|e+|
        let by_plus = (-m.tangent.cross(n_tilde) - self.t_tilde * kappa) / p.length;
        let by_theta = self.curvature_by_theta(component, sides);
        self.with_spin_gradient(by_minus, by_theta[0], by_plus, by_theta[1])
    }

    /// Derivative of curvature `component` by the angles of both edges.
    #[inline]
    pub(crate) fn curvature_by_theta(&self, component: usize, sides: Sides) -> [f64; 2] {
        // Of the edge's own director alone: dm2/dth = -m1, d(-m1)/dth = -m2
        let by = |side: usize, e| sides[side] * self.binormal.dot(Self::normal_rate(component, e));
        [by(0, self.minus), by(1, self.plus)]
    }

    /// Second derivatives of curvature `component` by each angle; it has none by both.
    #[inline]
    pub(crate) fn curvature_by_theta_twice(&self, component: usize, sides: Sides) -> [f64; 2] {
        let by = |side: usize, e| -sides[side] * self.binormal.dot(Self::normal(component, e));
        [by(0, self.minus), by(1, self.plus)]
    }

    /// Gradient of the reference twist plus `th+ - th-` (B08 Eq. 9 with the sign of the reference
    /// twist).
    pub(crate) fn twist_gradient(&self) -> Gradient {
        // d m_ref/d e- = kappa_b/(2 |e-|), and by e+ likewise
        let by_minus = self.binormal * (0.5 / self.minus.length);
        let by_plus = self.binormal * (0.5 / self.plus.length);
        self.with_spin_gradient(by_minus, -1.0, by_plus, 1.0)
    }

    fn with_spin_gradient(
        &self,
        minus: DVec3,
        theta_minus: f64,
        plus: DVec3,
        theta_plus: f64,
    ) -> Gradient {
        // d/de -> d/de + a d/dth, each edge with its own angle (decision 0002)
        let m = minus + self.minus.spin * theta_minus;
        let p = plus + self.plus.spin * theta_plus;
        [m.x, m.y, m.z, theta_minus, p.x, p.y, p.z, theta_plus]
    }

    /// Adds `weight` times the Hessian of curvature `component`.
    pub(crate) fn add_curvature_hessian(
        &self,
        component: usize,
        sides: Sides,
        weight: f64,
        out: &mut Hessian,
    ) {
        let (m, p) = (self.minus, self.plus);
        let (lm, lp) = (m.length, p.length);
        let t_tilde = self.t_tilde;
        let (nm, np) = (Self::normal(component, m), Self::normal(component, p));
        let normal = self.mean_normal(component, sides);
        let kappa = self.binormal.dot(normal);
        let n_tilde = normal * 2.0 / self.chi;
        let tt = outer(t_tilde, t_tilde) * (2.0 * kappa);
        let from_plus = p.tangent.cross(n_tilde);
        let from_minus = m.tangent.cross(n_tilde);

        // d2 kappa/d e- d e-
        // (2 kappa t~ t~^T - 2 sym((t+ x n~) t~^T) + sides- sym(kappa_b n-^T)
        //  - kappa/chi (I - t- t-^T))/|e-|^2
        let a = outer(from_plus, t_tilde);
        let b = outer(self.binormal, nm) * (0.5 * sides[0]);
        let mm = (tt - a - a.transpose() + b + b.transpose()
            - (DMat3::IDENTITY - outer(m.tangent, m.tangent)) * (kappa / self.chi))
            * (1.0 / (lm * lm));
        // d2 kappa/d e+ d e+
        // (2 kappa t~ t~^T + 2 sym((t- x n~) t~^T) + sides+ sym(kappa_b n+^T)
        //  - kappa/chi (I - t+ t+^T))/|e+|^2
        let a = outer(from_minus, t_tilde);
        let b = outer(self.binormal, np) * (0.5 * sides[1]);
        let pp = (tt + a + a.transpose() + b + b.transpose()
            - (DMat3::IDENTITY - outer(p.tangent, p.tangent)) * (kappa / self.chi))
            * (1.0 / (lp * lp));
        // d2 kappa/d e- d e+
        // (2 kappa t~ t~^T - (t+ x n~) t~^T + t~ (t- x n~)^T - [n~]x
        //  - kappa/chi (I + t- t+^T))/(|e-| |e+|)
        let mp = (tt - outer(from_plus, t_tilde) + outer(t_tilde, from_minus)
            - skew(n_tilde)
            - (DMat3::IDENTITY + outer(m.tangent, p.tangent)) * (kappa / self.chi))
            * (1.0 / (lm * lp));

        // Mixed derivatives: the theta derivative of the gradient above, edge by edge.
        let first = self.curvature_by_theta(component, sides);
        let second = self.curvature_by_theta_twice(component, sides);
        let mixed = |side: usize, e: &EdgeGeometry| {
            let r = Self::normal_rate(component, e) * (2.0 * sides[side]);
            let along = t_tilde * first[side];
            let by_minus = (p.tangent.cross(r) / self.chi - along) / lm;
            let by_plus = (-m.tangent.cross(r) / self.chi - along) / lp;
            (by_minus, by_plus)
        };
        let (m_tm, p_tm) = mixed(0, m);
        let (m_tp, p_tp) = mixed(1, p);
        self.add_with_spin(
            weight,
            Blocks {
                mm,
                mp,
                pp,
                m_theta: [m_tm, m_tp],
                p_theta: [p_tm, p_tp],
                first,
                second,
            },
            out,
        );
    }

    /// Adds `weight` times the Hessian of the twist.
    pub(crate) fn add_twist_hessian(&self, weight: f64, out: &mut Hessian) {
        let (m, p) = (self.minus, self.plus);
        let (lm, lp) = (m.length, p.length);
        let kb = self.binormal;
        // d2 tau/d e- d e-, then by e+ twice, then by both (Bergou et al. 2010)
        // -sym(kappa_b (t- + t~)^T)/(2 |e-|^2), and (2/chi [t-]x - kappa_b t~^T)/(2 |e-| |e+|)
        let a = outer(kb, m.tangent + self.t_tilde);
        let mm = (a + a.transpose()) * (-0.25 / (lm * lm));
        let a = outer(kb, p.tangent + self.t_tilde);
        let pp = (a + a.transpose()) * (-0.25 / (lp * lp));
        let mp = (skew(m.tangent) * (2.0 / self.chi) - outer(kb, self.t_tilde)) * (0.5 / (lm * lp));
        self.add_with_spin(
            weight,
            Blocks {
                mm,
                mp,
                pp,
                m_theta: [DVec3::ZERO; 2],
                p_theta: [DVec3::ZERO; 2],
                first: [-1.0, 1.0],
                second: [0.0; 2],
            },
            out,
        );
    }

    /// Applies `d/de -> d/de + a d/dth` twice and adds the result.
    fn add_with_spin(&self, weight: f64, b: Blocks, out: &mut Hessian) {
        // (d/de + a d/dth)^2 f = f_ee + a f_eth + f_eth a + a a f_thth + (da/de) f_th
        let (am, ap) = (self.minus.spin, self.plus.spin);
        let mm = b.mm
            + outer(am, b.m_theta[0])
            + outer(b.m_theta[0], am)
            + outer(am, am) * b.second[0]
            + self.minus.spin_gradient * b.first[0];
        let pp = b.pp
            + outer(ap, b.p_theta[1])
            + outer(b.p_theta[1], ap)
            + outer(ap, ap) * b.second[1]
            + self.plus.spin_gradient * b.first[1];
        // No strain couples th- with th+.
        let mp = b.mp + outer(am, b.p_theta[0]) + outer(b.m_theta[1], ap);
        add_matrix(out, MINUS, MINUS, mm * weight);
        add_matrix(out, PLUS, PLUS, pp * weight);
        add_matrix(out, MINUS, PLUS, mp * weight);
        add_matrix(out, PLUS, MINUS, mp.transpose() * weight);
        add_column(
            out,
            MINUS,
            THETA_MINUS,
            (b.m_theta[0] + am * b.second[0]) * weight,
        );
        add_column(out, MINUS, THETA_PLUS, b.m_theta[1] * weight);
        add_column(out, PLUS, THETA_MINUS, b.p_theta[0] * weight);
        add_column(
            out,
            PLUS,
            THETA_PLUS,
            (b.p_theta[1] + ap * b.second[1]) * weight,
        );
        out[THETA_MINUS][THETA_MINUS] += b.second[0] * weight;
        out[THETA_PLUS][THETA_PLUS] += b.second[1] * weight;
    }
}

/// Second derivatives with frames carried along, before the spin is added.
struct Blocks {
    /// `d2/de- de-`, symmetric part.
    mm: DMat3,
    /// `d2/de- de+`.
    mp: DMat3,
    /// `d2/de+ de+`, symmetric part.
    pp: DMat3,
    /// `d2/de- dth-`, `d2/de- dth+`.
    m_theta: [DVec3; 2],
    /// `d2/de+ dth-`, `d2/de+ dth+`.
    p_theta: [DVec3; 2],
    /// `d/dth-`, `d/dth+`.
    first: [f64; 2],
    /// `d2/dth-^2`, `d2/dth+^2`.
    second: [f64; 2],
}

fn add_matrix(out: &mut Hessian, row: usize, column: usize, m: DMat3) {
    for (c, values) in m.to_cols_array_2d().iter().enumerate() {
        for (r, value) in values.iter().enumerate() {
            out[row + r][column + c] += value;
        }
    }
}

/// Adds a vector to a column and, mirrored, to the row.
fn add_column(out: &mut Hessian, row: usize, column: usize, v: DVec3) {
    for (r, value) in v.to_array().iter().enumerate() {
        out[row + r][column] += value;
        out[column][row + r] += value;
    }
}

/// Adds `weight a a^T`.
pub(crate) fn add_outer(out: &mut Hessian, weight: f64, a: &Gradient) {
    for (row, x) in out.iter_mut().zip(a) {
        for (value, y) in row.iter_mut().zip(a) {
            *value += weight * x * y;
        }
    }
}

/// Local gradient to the 11 unknowns `x0, th-, x1, th+, x2` of the vertex: `e- = x1 - x0`,
/// `e+ = x2 - x1`.
pub(crate) fn gradient_to_nodes(g: &Gradient) -> [f64; 11] {
    let mut out = [0.0; 11];
    for k in 0..3 {
        // On x0, x1, x2: -g-, g- - g+, g+
        out[k] = -g[k];
        out[4 + k] = g[k] - g[4 + k];
        out[8 + k] = g[4 + k];
    }
    out[3] = g[3];
    out[7] = g[7];
    out
}

/// Local Hessian to the 11 unknowns of the vertex.
pub(crate) fn hessian_to_nodes(h: &Hessian) -> [[f64; 11]; 11] {
    // G^T H G with G the map from the 11 unknowns to local coordinates, applied on each side.
    let rows: [[f64; 11]; 8] = h.map(|row| gradient_to_nodes(&row));
    let mut out = [[0.0; 11]; 11];
    for c in 0..11 {
        let column: Gradient = std::array::from_fn(|r| rows[r][c]);
        for (r, value) in gradient_to_nodes(&column).iter().enumerate() {
            out[r][c] = *value;
        }
    }
    out
}
