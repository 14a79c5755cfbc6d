//! Second derivatives of strains, all curvatures at once, in local coordinates.

use pulp::Simd;

use super::geometry::{Edge, Matrix, Slope, Symmetric, Vertex};
use crate::kernels::elastic::batch::VertexDerivatives;
use crate::lanes::{Lanes, Pack, Pack3, add, cross, dot, scale, scale_add, scale_from};

/// The strain energy of a vertex to second order: what multiplies the second derivatives of its
/// strains.
pub(super) struct Moments<S: Simd> {
    /// Of the curvatures: sums of moments times directors, of either edge ...
    pub(super) w: [Pack3<S>; 2],
    /// ... and their derivatives by the edges' angles.
    pub(super) turned: [Pack3<S>; 2],
    /// Of the twist.
    pub(super) twist: Pack<S>,
    /// Of chi.
    pub(super) chi: Pack<S>,
}

/// What the second derivatives by one edge alone are made of, before the spin is added.
pub(super) struct Diagonal<S: Simd> {
    /// `kappa t~ - t+ x n~` and `kappa t~ + t- x n~`.
    pub(super) by_tilde: [Pack3<S>; 2],
    /// kappa/chi.
    pub(super) over_chi: Pack<S>,
    /// Whether the directors of each edge count.
    pub(super) has: [bool; 2],
    pub(super) has_chi: bool,
}

impl<S: Simd> Diagonal<S> {
    /// Those by the edge before (0) or after (1): a sum of `sym(a b^T)` with t~ or kappa_b, of
    /// `t t^T` and of I.
    #[inline(always)]
    pub(super) fn of_edge(&self, v: &Vertex<S>, moments: &Moments<S>, side: usize) -> Symmetric<S> {
        let (own, other) = match side {
            0 => (&v.minus, &v.plus),
            _ => (&v.plus, &v.minus),
        };
        let (tt, kb, by_tilde) = (v.t_tilde, v.binormal, self.by_tilde[side]);
        // kappa_b (w/2 - twist (t + t~)/4)^T and its mirror image
        let quarter = -(v.constant(0.25) * moments.twist);
        let mut by_binormal = scale(quarter, add(own.t, tt));
        if self.has[side] {
            by_binormal = scale_add(v.constant(0.5), moments.w[side], by_binormal);
        }
        let (mut along, mut identity) = (self.over_chi, -self.over_chi);
        if self.has_chi {
            let by_chi = (v.chi - v.constant(1.0)) * moments.chi;
            along = v.constant(3.0).mul_add(by_chi, along);
            identity = identity - by_chi;
        }
        let inverse_sq = own.inverse_length * own.inverse_length;
        let mut out = [inverse_sq; 6];
        for (k, (r, c)) in UPPER.into_iter().enumerate() {
            let mut sum = by_tilde[r].mul_add(tt[c], by_tilde[c] * tt[r]);
            sum = kb[r].mul_add(by_binormal[c], kb[c].mul_add(by_binormal[r], sum));
            sum = (along * own.t[r]).mul_add(own.t[c], sum);
            if self.has_chi {
                let both = other.t[r].mul_add(own.t[c], own.t[r] * other.t[c]);
                sum = moments.chi.mul_from(both, sum);
            }
            if r == c {
                sum += identity;
            }
            out[k] = sum * inverse_sq;
        }
        out
    }
}

/// Of what turns `w` by an edge's angle to `turned`: the first derivative of the curvature by that
/// angle, and its derivatives by both edges.
#[inline(always)]
pub(super) fn mixed<S: Simd>(v: &Vertex<S>, turned: Pack3<S>) -> (Pack<S>, Pack3<S>, Pack3<S>) {
    let (m, p) = (&v.minus, &v.plus);
    let first = dot(v.binormal, turned);
    let n = scale(v.inverse_chi + v.inverse_chi, turned);
    let by_minus = scale_from(first, v.t_tilde, cross(p.t, n));
    let by_plus = scale_from(first, v.t_tilde, cross(n, m.t));
    (
        first,
        scale(m.inverse_length, by_minus),
        scale(p.inverse_length, by_plus),
    )
}

/// Adds to the second derivatives by an edge what its spin brings, of the derivatives by the edge
/// and its angle, by the angle twice, and by the angle.
#[inline(always)]
pub(super) fn add_spin<S: Simd>(
    h: &mut Symmetric<S>,
    own: &Edge<S>,
    by_theta: Pack3<S>,
    second: Pack<S>,
    first: Pack<S>,
) {
    let a = own.spin;
    let beside = scale_add(second * second.constant(0.5), a, by_theta);
    for (k, (r, c)) in UPPER.into_iter().enumerate() {
        let both = a[r].mul_add(beside[c], a[c].mul_add(beside[r], h[k]));
        h[k] = first.mul_add(own.spin_gradient[k], both);
    }
}

/// Second derivatives in local coordinates.
pub(super) struct Second<S: Simd> {
    pub(super) mm: Symmetric<S>,
    pub(super) pp: Symmetric<S>,
    /// Rows e-, columns e+.
    pub(super) mp: Matrix<S>,
    /// By e- and th-, e- and th+, e+ and th-, e+ and th+.
    pub(super) m_theta: [Pack3<S>; 2],
    pub(super) p_theta: [Pack3<S>; 2],
    /// By th- twice, both, th+ twice.
    pub(super) theta: [Pack<S>; 3],
}

/// Pairs of a symmetric matrix's stored entries.
pub(super) const UPPER: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

impl<S: Simd> Second<S> {
    /// Second derivatives of the strains times their moments.
    ///
    /// Before the spin is added (n~ = 2 w/chi, w = w- + w+, kappa = w . kappa_b):
    ///
    /// ```text
    /// curvatures
    ///   mm  (2 kappa t~ t~^T - 2 sym((t+ x n~) t~^T) + sym(kappa_b w-^T)
    ///        - kappa/chi (I - t- t-^T))/|e-|^2
    ///   pp  (2 kappa t~ t~^T + 2 sym((t- x n~) t~^T) + sym(kappa_b w+^T)
    ///        - kappa/chi (I - t+ t+^T))/|e+|^2
    ///   mp  (2 kappa t~ t~^T - (t+ x n~) t~^T + t~ (t- x n~)^T - [n~]x
    ///        - kappa/chi (I + t- t+^T))/(|e-| |e+|)
    /// twist
    ///   mm  -sym(kappa_b (t- + t~)^T)/(2 |e-|^2), pp likewise
    ///   mp  (2/chi [t-]x - kappa_b t~^T)/(2 |e-| |e+|)
    /// chi
    ///   mm  (3 cos t- t-^T - cos I - t+ t-^T - t- t+^T)/|e-|^2, pp likewise
    ///   mp  (I - t- t-^T - t+ t+^T + cos t- t+^T)/(|e-| |e+|)
    /// ```
    #[inline(always)]
    pub(super) fn of_strains(
        v: &Vertex<S>,
        moments: &Moments<S>,
        has_plus: bool,
        has_chi: bool,
    ) -> Self {
        let (m, p) = (&v.minus, &v.plus);
        let two_over_chi = v.inverse_chi + v.inverse_chi;
        let w = match has_plus {
            true => add(moments.w[0], moments.w[1]),
            false => moments.w[0],
        };
        let kappa = dot(v.binormal, w);
        let n_tilde = scale(two_over_chi, w);
        let (from_plus, from_minus) = (cross(p.t, n_tilde), cross(m.t, n_tilde));
        let over_chi = kappa * v.inverse_chi;
        let (tt, kb) = (v.t_tilde, v.binormal);
        let cos = v.chi - v.constant(1.0);
        let half = v.constant(0.5);
        let minus_from_plus = [-from_plus[0], -from_plus[1], -from_plus[2]];
        let diagonal = Diagonal {
            by_tilde: [
                scale_add(kappa, tt, minus_from_plus),
                scale_add(kappa, tt, from_minus),
            ],
            over_chi,
            has: [true, has_plus],
            has_chi,
        };
        let mut mm = diagonal.of_edge(v, moments, 0);
        let mut pp = diagonal.of_edge(v, moments, 1);

        let product = m.inverse_length * p.inverse_length;
        // (2 kappa t~ - t+ x n~ - twist kappa_b/2) t~^T + t~ (t- x n~)^T
        let two_kappa = kappa + kappa;
        let left = scale_from(
            half * moments.twist,
            kb,
            scale_add(two_kappa, tt, minus_from_plus),
        );
        // - [n~]x + twist/chi [t-]x = [s]x
        let s = scale_add(
            moments.twist * v.inverse_chi,
            m.t,
            [-n_tilde[0], -n_tilde[1], -n_tilde[2]],
        );
        let zero = v.constant(0.0);
        let skew = [
            [zero, -s[2], s[1]],
            [s[2], zero, -s[0]],
            [-s[1], s[0], zero],
        ];
        let across = match has_chi {
            true => moments.chi * cos - over_chi,
            false => -over_chi,
        };
        let mut mp = [[zero; 3]; 3];
        for r in 0..3 {
            for c in 0..3 {
                let mut sum = left[r].mul_add(tt[c], tt[r].mul_add(from_minus[c], skew[r][c]));
                sum = (across * m.t[r]).mul_add(p.t[c], sum);
                if has_chi {
                    let own = m.t[r].mul_add(m.t[c], p.t[r] * p.t[c]);
                    sum = moments.chi.mul_from(own, sum);
                }
                if r == c {
                    sum = sum - over_chi;
                    if has_chi {
                        sum += moments.chi;
                    }
                }
                mp[r][c] = sum * product;
            }
        }

        // Mixed derivatives: the derivative of the gradient by an angle, edge by edge.
        let none = [zero; 3];
        let (first_minus, m_tm, p_tm) = mixed(v, moments.turned[0]);
        let (first_plus, m_tp, p_tp) = match has_plus {
            true => mixed(v, moments.turned[1]),
            false => (zero, none, none),
        };
        // w'' = -w for each edge's own directors.
        let second_minus = -dot(kb, moments.w[0]);
        let second_plus = match has_plus {
            true => -dot(kb, moments.w[1]),
            false => zero,
        };

        // (d/de + a d/dth)^2 f = f_ee + a f_eth + f_eth a + a a f_thth + (da/de) f_th
        let (am, ap) = (m.spin, p.spin);
        let by_theta = [first_minus - moments.twist, first_plus + moments.twist];
        add_spin(&mut mm, m, m_tm, second_minus, by_theta[0]);
        add_spin(&mut pp, p, p_tp, second_plus, by_theta[1]);
        for r in 0..3 {
            for c in 0..3 {
                // No strain couples th- with th+.
                mp[r][c] = am[r].mul_add(p_tm[c], mp[r][c]);
                if has_plus {
                    mp[r][c] = m_tp[r].mul_add(ap[c], mp[r][c]);
                }
            }
        }
        Self {
            mm,
            pp,
            mp,
            m_theta: [scale_add(second_minus, am, m_tm), m_tp],
            p_theta: [p_tm, scale_add(second_plus, ap, p_tp)],
            theta: [second_minus, zero, second_plus],
        }
    }

    /// Adds `a b^T`, of which the sum over all calls is symmetric.
    #[inline(always)]
    pub(super) fn add_outer(&mut self, a: &Slope<S>, b: &Slope<S>) {
        for (k, (r, c)) in UPPER.into_iter().enumerate() {
            self.mm[k] = a.minus[r].mul_add(b.minus[c], self.mm[k]);
            self.pp[k] = a.plus[r].mul_add(b.plus[c], self.pp[k]);
        }
        for r in 0..3 {
            for c in 0..3 {
                self.mp[r][c] = a.minus[r].mul_add(b.plus[c], self.mp[r][c]);
            }
            self.m_theta[0][r] = a.minus[r].mul_add(b.theta_minus, self.m_theta[0][r]);
            self.m_theta[1][r] = a.minus[r].mul_add(b.theta_plus, self.m_theta[1][r]);
            self.p_theta[0][r] = a.plus[r].mul_add(b.theta_minus, self.p_theta[0][r]);
            self.p_theta[1][r] = a.plus[r].mul_add(b.theta_plus, self.p_theta[1][r]);
        }
        self.theta[0] = a.theta_minus.mul_add(b.theta_minus, self.theta[0]);
        self.theta[1] = a.theta_minus.mul_add(b.theta_plus, self.theta[1]);
        self.theta[2] = a.theta_plus.mul_add(b.theta_plus, self.theta[2]);
    }

    /// Writes the derivatives by nodes and angles: `e- = x1 - x0`, `e+ = x2 - x1`.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // Rows and columns of several arrays go together.
    pub(super) fn store(&self, lanes: Lanes<S>, out: &mut VertexDerivatives) {
        const FULL: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];
        let [ss, st, tt] = self.theta;
        let ([a, b], [c, d]) = (self.m_theta, self.p_theta);
        let [b00, b01, b02, b11, b12, b22] = &mut out.blocks;
        for r in 0..3 {
            for q in 0..3 {
                let (mm, pp) = (self.mm[FULL[r][q]], self.pp[FULL[r][q]]);
                let (mp, pm) = (self.mp[r][q], self.mp[q][r]);
                let at = 4 * q + r;
                lanes.store(mm, &mut b00[at]);
                lanes.store(mp - mm, &mut b01[at]);
                lanes.store(-mp, &mut b02[at]);
                lanes.store(mm - mp - pm + pp, &mut b11[at]);
                lanes.store(mp - pp, &mut b12[at]);
                lanes.store(pp, &mut b22[at]);
            }
            // Columns of th- and th+, then their rows.
            lanes.store(-a[r], &mut b00[12 + r]);
            lanes.store(-a[r], &mut b00[4 * r + 3]);
            lanes.store(-b[r], &mut b01[12 + r]);
            lanes.store(a[r] - c[r], &mut b01[4 * r + 3]);
            lanes.store(c[r], &mut b02[4 * r + 3]);
            lanes.store(b[r] - d[r], &mut b11[12 + r]);
            lanes.store(b[r] - d[r], &mut b11[4 * r + 3]);
            lanes.store(d[r], &mut b12[4 * r + 3]);
        }
        lanes.store(ss, &mut b00[15]);
        lanes.store(st, &mut b01[15]);
        lanes.store(tt, &mut b11[15]);
    }
}
