//! Energies of vertices with first and second derivatives, several vertices at a time.
//!
//! Local coordinates are `[e- (3), th-, e+ (3), th+]`. Derivatives with respect to an edge vector
//! are taken first with the frame carried along (no spin about the tangent; Bergou et al. 2010),
//! then the spin of the frame away from the start of the step is added: `d/de -> d/de + a d/dth`
//! with `a` the spin gradient of [`EdgeGeometry`]. Left out, gradients are wrong by several per
//! cent once an edge has turned by a few degrees in a step (`docs/decisions/0002`).
//!
//! All strains are `w . kappa_b` with vectors w that turn with the edges, the twist, and functions
//! of `chi = 1 + t- . t+`. Second derivatives are linear in w, so those of all curvatures are taken
//! at once, for the sum of the w times their moments.
//!
//! [`EdgeGeometry`]: crate::rod::kinematics::EdgeGeometry

use pulp::{Arch, Simd, WithSimd};

use super::batch::{Column, EdgeColumns, Kind, VertexBatch, VertexDerivatives};
use crate::kernels::pack::{Pack, Pack3, add, cross, dot, scale, scale_add, scale_from};

/// Energies, gradients and, if `second`, Hessian blocks of a batch.
pub(crate) fn differentiate(batch: &VertexBatch, second: bool, out: &mut VertexDerivatives) {
    Arch::new().dispatch(Differentiate { batch, second, out });
}

/// Compiled once per instruction set and chosen at run time.
struct Differentiate<'a> {
    batch: &'a VertexBatch,
    second: bool,
    out: &'a mut VertexDerivatives,
}

impl WithSimd for Differentiate<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let groups = Lanes::<S>::groups();
        for group in 0..groups {
            let lanes = Lanes { simd, group };
            let vertex = Vertex::new(lanes, self.batch);
            match (self.batch.kind, self.second) {
                (Kind::Series, false) => series::<S, false>(lanes, &vertex, self.batch, self.out),
                (Kind::Series, true) => series::<S, true>(lanes, &vertex, self.batch, self.out),
                (Kind::Apart(parts), false) => {
                    apart::<S, false>(lanes, &vertex, self.batch, parts, self.out);
                }
                (Kind::Apart(parts), true) => {
                    apart::<S, true>(lanes, &vertex, self.batch, parts, self.out);
                }
            }
        }
    }
}

/// Which of a batch's vertices are in the registers.
#[derive(Clone, Copy)]
struct Lanes<S: Simd> {
    simd: S,
    group: usize,
}

impl<S: Simd> Lanes<S> {
    fn groups() -> usize {
        (super::batch::BATCH / S::F64_LANES).max(1)
    }

    #[inline(always)]
    fn load(self, column: &Column) -> Pack<S> {
        Pack {
            simd: self.simd,
            lanes: S::as_simd_f64s(column).0[self.group],
        }
    }

    #[inline(always)]
    fn load3(self, columns: &[Column; 3]) -> Pack3<S> {
        [
            self.load(&columns[0]),
            self.load(&columns[1]),
            self.load(&columns[2]),
        ]
    }

    #[inline(always)]
    fn store(self, pack: Pack<S>, column: &mut Column) {
        S::as_mut_simd_f64s(column).0[self.group] = pack.lanes;
    }

    #[inline(always)]
    fn splat(self, value: f64) -> Pack<S> {
        Pack::splat(self.simd, value)
    }
}

/// A symmetric matrix: xx, xy, xz, yy, yz, zz.
type Symmetric<S> = [Pack<S>; 6];
/// A matrix by rows.
type Matrix<S> = [[Pack<S>; 3]; 3];

/// An edge of the vertices in the lanes.
#[derive(Clone, Copy)]
struct Edge<S: Simd> {
    t: Pack3<S>,
    /// The directors that multiply kappa_b in both curvatures: m2 and -m1.
    normals: [Pack3<S>; 2],
    inverse_length: Pack<S>,
    spin: Pack3<S>,
    spin_gradient: Symmetric<S>,
}

impl<S: Simd> Edge<S> {
    #[inline(always)]
    fn new(lanes: Lanes<S>, columns: &EdgeColumns) -> Self {
        let m1 = lanes.load3(&columns.m1);
        let g = &columns.spin_gradient;
        Self {
            t: lanes.load3(&columns.tangent),
            normals: [lanes.load3(&columns.m2), [-m1[0], -m1[1], -m1[2]]],
            inverse_length: lanes.load(&columns.inverse_length),
            spin: lanes.load3(&columns.spin),
            spin_gradient: [
                lanes.load(&g[0]),
                lanes.load(&g[1]),
                lanes.load(&g[2]),
                lanes.load(&g[3]),
                lanes.load(&g[4]),
                lanes.load(&g[5]),
            ],
        }
    }
}

/// The vertices in the lanes.
struct Vertex<S: Simd> {
    minus: Edge<S>,
    plus: Edge<S>,
    /// `1 + t- . t+`.
    chi: Pack<S>,
    inverse_chi: Pack<S>,
    /// `(t- + t+)/chi`.
    t_tilde: Pack3<S>,
    /// Curvature binormal kappa_b = `2 t- x t+/chi` (B08 Eq. 1, T22 Eq. 2).
    binormal: Pack3<S>,
    twist: Pack<S>,
}

/// First derivatives of a strain in local coordinates.
#[derive(Clone, Copy)]
struct Slope<S: Simd> {
    minus: Pack3<S>,
    theta_minus: Pack<S>,
    plus: Pack3<S>,
    theta_plus: Pack<S>,
}

impl<S: Simd> Slope<S> {
    /// `a self + b other`.
    #[inline(always)]
    fn combined(&self, a: Pack<S>, other: &Self, b: Pack<S>) -> Self {
        Self {
            minus: scale_add(a, self.minus, scale(b, other.minus)),
            theta_minus: a.mul_add(self.theta_minus, b * other.theta_minus),
            plus: scale_add(a, self.plus, scale(b, other.plus)),
            theta_plus: a.mul_add(self.theta_plus, b * other.theta_plus),
        }
    }

    /// In local coordinates.
    #[inline(always)]
    fn components(&self) -> [Pack<S>; 8] {
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

impl<S: Simd> Vertex<S> {
    #[inline(always)]
    fn new(lanes: Lanes<S>, batch: &VertexBatch) -> Self {
        let minus = Edge::new(lanes, &batch.minus);
        let plus = Edge::new(lanes, &batch.plus);
        let one = lanes.splat(1.0);
        let chi = one + dot(minus.t, plus.t);
        let inverse_chi = one / chi;
        Self {
            chi,
            inverse_chi,
            t_tilde: scale(inverse_chi, add(minus.t, plus.t)),
            binormal: scale(inverse_chi + inverse_chi, cross(minus.t, plus.t)),
            twist: lanes.load(&batch.twist),
            minus,
            plus,
        }
    }

    #[inline(always)]
    fn constant(&self, value: f64) -> Pack<S> {
        self.chi.constant(value)
    }

    /// Gradient of `w . kappa_b`, w carried along by the edges, where turning an edge by its angle
    /// changes it by `by_theta`.
    #[inline(always)]
    fn curvature_slope(&self, w: Pack3<S>, kappa: Pack<S>, by_theta: [Pack<S>; 2]) -> Slope<S> {
        let n_tilde = scale(self.inverse_chi + self.inverse_chi, w);
        // d kappa/d e- = ( t+ x n~ - kappa t~)/|e-|, d kappa/d e+ = (-t- x n~ - kappa t~)/|e+|
        let by_minus = scale_from(kappa, self.t_tilde, cross(self.plus.t, n_tilde));
        let by_plus = scale_from(kappa, self.t_tilde, cross(n_tilde, self.minus.t));
        self.with_spin(by_minus, by_plus, by_theta)
    }

    /// Gradient of the twist (B08 Eq. 9 with the sign of the reference twist).
    #[inline(always)]
    fn twist_slope(&self) -> Slope<S> {
        // d m_ref/d e- = kappa_b/(2 |e-|), and by e+ likewise
        let half = scale(self.constant(0.5), self.binormal);
        self.with_spin(half, half, [self.constant(-1.0), self.constant(1.0)])
    }

    /// Gradient of chi, which no angle changes.
    #[inline(always)]
    fn chi_slope(&self) -> Slope<S> {
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
    fn with_spin(
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

/// The strain energy of a vertex to second order: what multiplies the second derivatives of its
/// strains.
struct Moments<S: Simd> {
    /// Of the curvatures: sums of moments times directors, of either edge ...
    w: [Pack3<S>; 2],
    /// ... and their derivatives by the edges' angles.
    turned: [Pack3<S>; 2],
    /// Of the twist.
    twist: Pack<S>,
    /// Of chi.
    chi: Pack<S>,
}

/// What the second derivatives by one edge alone are made of, before the spin is added.
struct Diagonal<S: Simd> {
    /// `kappa t~ - t+ x n~` and `kappa t~ + t- x n~`.
    by_tilde: [Pack3<S>; 2],
    /// kappa/chi.
    over_chi: Pack<S>,
    /// Whether the directors of each edge count.
    has: [bool; 2],
    has_chi: bool,
}

impl<S: Simd> Diagonal<S> {
    /// Those by the edge before (0) or after (1): a sum of `sym(a b^T)` with t~ or kappa_b, of
    /// `t t^T` and of I.
    #[inline(always)]
    fn of_edge(&self, v: &Vertex<S>, moments: &Moments<S>, side: usize) -> Symmetric<S> {
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
fn mixed<S: Simd>(v: &Vertex<S>, turned: Pack3<S>) -> (Pack<S>, Pack3<S>, Pack3<S>) {
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
fn add_spin<S: Simd>(
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
struct Second<S: Simd> {
    mm: Symmetric<S>,
    pp: Symmetric<S>,
    /// Rows e-, columns e+.
    mp: Matrix<S>,
    /// By e- and th-, e- and th+, e+ and th-, e+ and th+.
    m_theta: [Pack3<S>; 2],
    p_theta: [Pack3<S>; 2],
    /// By th- twice, both, th+ twice.
    theta: [Pack<S>; 3],
}

/// Pairs of a symmetric matrix's stored entries.
const UPPER: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

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
    fn of_strains(v: &Vertex<S>, moments: &Moments<S>, has_plus: bool, has_chi: bool) -> Self {
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
    fn add_outer(&mut self, a: &Slope<S>, b: &Slope<S>) {
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
    fn store(&self, lanes: Lanes<S>, out: &mut VertexDerivatives) {
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

/// Half edges in series (`half_edges.rs`).
#[inline(always)]
fn series<S: Simd, const SECOND: bool>(
    lanes: Lanes<S>,
    v: &Vertex<S>,
    batch: &VertexBatch,
    out: &mut VertexDerivatives,
) {
    let columns = &batch.series;
    let (cos, sin) = (lanes.load(&columns.turn[0]), lanes.load(&columns.turn[1]));
    let half = lanes.splat(0.5);
    // Directors halfway: those of the edge before, turned by half of the twist.
    let [n0, n1] = v.minus.normals;
    let across = scale_add(cos, n0, scale(sin, n1));
    let along = scale_from(sin, n0, scale(cos, n1));
    let (x, y) = (dot(v.binormal, across), dot(v.binormal, along));
    // f/(2 tan(phi/2)) = 1/3 + 2/3 cos(phi/2), cos(phi/2) = sqrt(chi/2), and derivatives by chi
    let cosine = (half * v.chi).sqrt();
    let value = lanes
        .splat(2.0 / 3.0)
        .mul_add(cosine, lanes.splat(1.0 / 3.0));
    let first = lanes.splat(1.0 / 6.0) / cosine;
    let second = -(lanes.splat(0.25) * first) / (cosine * cosine);

    let e = [
        value.mul_add(x, -lanes.load(&columns.rest[0])),
        value.mul_add(y, -lanes.load(&columns.rest[1])),
        v.twist - lanes.load(&columns.rest[2]),
    ];
    let k = [
        lanes.load(&columns.stiffness[0]),
        lanes.load(&columns.stiffness[1]),
        lanes.load(&columns.stiffness[2]),
        lanes.load(&columns.stiffness[3]),
        lanes.load(&columns.stiffness[4]),
        lanes.load(&columns.stiffness[5]),
    ];
    let stiffness = [[k[0], k[1], k[2]], [k[1], k[3], k[4]], [k[2], k[4], k[5]]];
    let [m1, m2, torque] = [
        dot(stiffness[0], e),
        dot(stiffness[1], e),
        dot(stiffness[2], e),
    ];
    let twisting = half * k[5] * e[2] * e[2];
    let both = half * dot([m1, m2, torque], e);
    lanes.store(both - twisting, &mut out.energy[0]);
    lanes.store(lanes.splat(0.0), &mut out.energy[1]);
    lanes.store(twisting, &mut out.energy[2]);

    // First derivatives: of curvatures with the twist held, with it, and as strains.
    let zero = lanes.splat(0.0);
    let one = lanes.splat(1.0);
    let held = [
        v.curvature_slope(across, x, [y, zero]),
        v.curvature_slope(along, y, [-x, zero]),
    ];
    let (twist, chi) = (v.twist_slope(), v.chi_slope());
    let turned = [
        held[0].combined(one, &twist, half * y),
        held[1].combined(one, &twist, -(half * x)),
    ];
    let strain = [
        turned[0].combined(value, &chi, first * x),
        turned[1].combined(value, &chi, first * y),
    ];
    let gradient = strain[0]
        .combined(m1, &strain[1], m2)
        .combined(one, &twist, torque);
    for (component, column) in gradient.components().iter().zip(&mut out.gradient) {
        lanes.store(*component, column);
    }
    if !SECOND {
        return;
    }

    // The moment about the tangent that bending adds, and the power of both moments.
    let about = half * m1.mul_add(y, -(m2 * x));
    let power = m1.mul_add(x, m2 * y);
    let (v1, v2) = (value * m1, value * m2);
    let moments = Moments {
        w: [
            scale_add(v1, across, scale(v2, along)),
            [zero; 3], // only the edge before carries the directors
        ],
        turned: [scale_from(v2, across, scale(v1, along)), [zero; 3]],
        twist: value.mul_add(about, torque),
        chi: first * power,
    };
    let mut h = Second::of_strains(v, &moments, false, true);
    // sum K_ab (de_a)(de_b)^T, and what strains have of products: dtau with the turn of the
    // directors, dchi with the change of the curvature.
    let by_turn = held[1].combined(half * v1, &held[0], -(half * v2));
    let by_chi = turned[0].combined(first * m1, &turned[1], first * m2);
    let stress = [
        sum_of_slopes(&strain, &twist, stiffness[0]),
        sum_of_slopes(&strain, &twist, stiffness[1]),
        sum_of_slopes(&strain, &twist, stiffness[2]),
    ];
    let beside_twist = by_turn.combined(
        one,
        &stress[2].combined(one, &twist, -(lanes.splat(0.25) * value * power)),
        one,
    );
    h.add_outer(&strain[0], &stress[0]);
    h.add_outer(&strain[1], &stress[1]);
    h.add_outer(&twist, &beside_twist);
    h.add_outer(&by_turn, &twist);
    h.add_outer(&chi, &by_chi.combined(one, &chi, second * power));
    h.add_outer(&by_chi, &chi);
    h.store(lanes, out);
}

/// `k0 strain0 + k1 strain1 + k2 twist`.
#[inline(always)]
fn sum_of_slopes<S: Simd>(strain: &[Slope<S>; 2], twist: &Slope<S>, k: [Pack<S>; 3]) -> Slope<S> {
    strain[0]
        .combined(k[0], &strain[1], k[1])
        .combined(k[0].constant(1.0), twist, k[2])
}

/// Twisting, and bending in one or two parts (`twist.rs`, `bend.rs`).
#[inline(always)]
fn apart<S: Simd, const SECOND: bool>(
    lanes: Lanes<S>,
    v: &Vertex<S>,
    batch: &VertexBatch,
    parts: usize,
    out: &mut VertexDerivatives,
) {
    let (zero, half) = (lanes.splat(0.0), lanes.splat(0.5));
    let twist = v.twist_slope();
    let k = lanes.load(&batch.twisting[0]);
    let rest = lanes.load(&batch.twisting[1]);
    let tau = v.twist - rest;
    let torque = k * tau;
    lanes.store(half * torque * tau, &mut out.energy[2]);
    lanes.store(zero, &mut out.energy[1]);
    let mut gradient = twist.combined(torque, &twist, zero);
    let mut moments = Moments {
        w: [[zero; 3]; 2],
        turned: [[zero; 3]; 2],
        twist: torque,
        chi: zero,
    };
    // (dkappa_c, EI_c/dl) of both curvatures of up to two parts
    let mut slopes = [(twist, zero); 4];
    for (part, columns) in batch.bending.iter().enumerate().take(parts) {
        let sides = [lanes.load(&columns.sides[0]), lanes.load(&columns.sides[1])];
        let mut energy = zero;
        for c in 0..2 {
            // The directors' mean, and how each edge's angle turns it: dm2/dth = -m1 and so on.
            let own = [v.minus.normals[c], v.plus.normals[c]];
            let sign = lanes.splat(if c == 0 { 1.0 } else { -1.0 });
            let rates = [
                scale(sign, v.minus.normals[1 - c]),
                scale(sign, v.plus.normals[1 - c]),
            ];
            let normal = scale_add(sides[0], own[0], scale(sides[1], own[1]));
            let kappa = dot(v.binormal, normal);
            let stiffness = lanes.load(&columns.stiffness[c]);
            let strain = kappa - lanes.load(&columns.rest[c]);
            let moment = stiffness * strain;
            energy = (half * moment).mul_add(strain, energy);
            let by_theta = [
                sides[0] * dot(v.binormal, rates[0]),
                sides[1] * dot(v.binormal, rates[1]),
            ];
            let slope = v.curvature_slope(normal, kappa, by_theta);
            gradient = gradient.combined(lanes.splat(1.0), &slope, moment);
            slopes[2 * part + c] = (slope, stiffness);
            for side in 0..2 {
                let weight = moment * sides[side];
                moments.w[side] = scale_add(weight, own[side], moments.w[side]);
                moments.turned[side] = scale_add(weight, rates[side], moments.turned[side]);
            }
        }
        lanes.store(energy, &mut out.energy[part]);
    }
    for (component, column) in gradient.components().iter().zip(&mut out.gradient) {
        lanes.store(*component, column);
    }
    if !SECOND {
        return;
    }
    let mut h = Second::of_strains(v, &moments, true, false);
    for (slope, stiffness) in slopes.iter().take(2 * parts) {
        h.add_outer(slope, &slope.combined(*stiffness, slope, zero));
    }
    h.add_outer(&twist, &twist.combined(k, &twist, zero));
    h.store(lanes, out);
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::kernels::elastic::batch::BATCH;
    use crate::kernels::elastic::half_edges::{HalfEdge, HalfEdges};
    use crate::kernels::elastic::vertex::Elasticity;
    use crate::rod::geometry::any_normal;
    use crate::rod::kinematics::EdgeGeometry;

    /// What comes of a vertex must not depend on its place in a batch, nor on who is beside it, or
    /// results would change with the instruction set.
    #[test]
    fn a_vertex_gives_the_same_bits_in_every_place() {
        let edge = |e: DVec3, theta: f64| {
            EdgeGeometry::at((DVec3::X, any_normal(DVec3::X)), e, theta, [0, 0]).unwrap()
        };
        let half = |length: f64| HalfEdge {
            length,
            stiffness: [1.0, 1.5, 0.7],
        };
        let halves = HalfEdges::new([half(0.4), half(0.5)], [0.2, -0.1], 0.3);
        let elasticity = Elasticity::Series(&halves);
        let here = [
            edge(DVec3::new(1.0, 0.2, 0.1), 0.4),
            edge(DVec3::new(0.9, -0.3, 0.2), 0.9),
        ];
        let mut first: Option<VertexDerivatives> = None;
        for place in 0..BATCH {
            let mut batch = VertexBatch::default();
            for lane in 0..BATCH {
                let other = 1.0 + 0.1 * (lane + place) as f64;
                let beside = here.map(|e| edge(e.tangent * other + DVec3::Y * 0.1 * other, other));
                let edges = if lane == place { &here } else { &beside };
                batch.set(lane, [&edges[0], &edges[1]], 0.5, &elasticity);
            }
            let mut out = VertexDerivatives::default();
            differentiate(&batch, true, &mut out);
            let known = *first.get_or_insert(out);
            let columns = |d: &VertexDerivatives| -> Vec<Column> {
                let blocks = d.blocks.iter().flatten();
                d.energy
                    .iter()
                    .chain(&d.gradient)
                    .chain(blocks)
                    .copied()
                    .collect()
            };
            for (now, before) in columns(&out).iter().zip(columns(&known)) {
                assert_eq!(now[place].to_bits(), before[0].to_bits());
            }
        }
    }
}
