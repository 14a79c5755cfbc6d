//! Minimum distance of two edges, with gradient and Hessian.
//!
//! For edges [a0, a1] and [b0, b1] let u = a1 - a0, v = b1 - b0 and
//!
//! ```text
//! D(x) = min over s, t in [0, 1] of |delta|,   delta = a0 + s u - (b0 + t v)        (T22 Eq. 10)
//! ```
//!
//! delta = sum_k w_k x_k over the nodes x = (a0, a1, b0, b1) with w = (1-s, s, -(1-t), -t). A parameter at an end of
//! its range is *held*; the others are *free*, and delta is normal to their edges. Differentiating f = D^2/2 with the
//! free parameters eliminated gives Hess f = J^T J - B A^-1 B^T, where J = d delta/dx, A is the Hessian of f in the
//! free parameters and B its mixed derivative. Written out, with n = delta/D,
//!
//! ```text
//! grad_k D    = w_k n
//! Hess_kl D   = w_k w_l P/D - w_k p_l n^T - w_l n p_k^T - D c_kl n n^T
//! ```
//!
//! where P projects on what is normal to n and to the free edges (zero for edge against edge: no division by a small
//! D there), p_k = U A^-1 S_k, c_kl = S_k . A^-1 S_l, U = [u, -v], and S_k = -(1,0), (1,0), (0,1), -(0,1) says how
//! node k moves u and -v. One formula covers T22's three cases (Eq. 11 to 13).

use glam::{DMat3, DVec3};

/// Below this squared sine of the angle between the edges one parameter is held for the derivatives, so that the
/// Hessian stays bounded. Value and gradient do not change.
pub const NEARLY_PARALLEL_SIN_SQ: f64 = 1e-6;

/// Below this squared sine the edges are parallel to rounding: any point of the overlap is closest.
const PARALLEL_SIN_SQ: f64 = 1e-28;

/// Below this distance, relative to the edges, delta is mostly rounding and gives no direction.
const TOUCHING: f64 = 1e-10;

/// A 12 x 12 matrix over the coordinates (a0, a1, b0, b1).
pub type Matrix12 = [[f64; 12]; 12];

/// Which of the two parameters follow the nodes; the others are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Both are free (T22 Eq. 13).
    EdgeEdge,
    /// The first edge against a point of the second: s is free, t is held (T22 Eq. 12).
    EdgePoint,
    /// A point of the first edge against the second: t is free, s is held (T22 Eq. 12).
    PointEdge,
    /// Both are held (T22 Eq. 11).
    PointPoint,
}

/// Closest points of two edges.
#[derive(Clone, Copy, Debug)]
pub struct ClosestPoints {
    /// Position on the first edge, in [0, 1] (beta_i of T22 Eq. 10).
    pub s: f64,
    /// Position on the second edge, in [0, 1] (beta_j of T22 Eq. 10).
    pub t: f64,
    /// Free parameters. Of two nearly parallel edges one counts as held, even inside its range: the second's, or the
    /// first's if that edge is less than half as long.
    pub feature: Feature,
    /// From the second edge's closest point to the first one's, in metres.
    pub delta: DVec3,
    /// |delta|, in metres.
    pub distance: f64,
}

/// Distance of two edges with all that its derivatives need, in factored form.
#[derive(Clone, Copy, Debug)]
pub struct PairDistance {
    pub closest: ClosestPoints,
    /// Unit vector from the second edge to the first. For touching centrelines, the common normal with either sign.
    pub normal: DVec3,
    /// w: delta = sum_k w_k x_k (T22 Eq. 19 for the first edge).
    pub weights: [f64; 4],
    /// P/D, in 1/m.
    tangential: DMat3,
    /// Columns of U A^-1, zero where the parameter is held, in 1/m.
    slopes: [DVec3; 2],
    /// A^-1, zero where a parameter is held, in 1/m^2.
    inverse: [[f64; 2]; 2],
}

/// Which parameter node k belongs to (0: s, 1: t), and its sign in S_k.
const PARAMETER: [usize; 4] = [0, 0, 1, 1];
const SIGN: [f64; 4] = [-1.0, 1.0, 1.0, -1.0];

/// Two edges as a difference of positions, with the products that every stage uses.
struct Edges {
    u: DVec3,
    v: DVec3,
    uu: f64,
    vv: f64,
    uv: f64,
    /// u x v, exact for small angles where uu vv - uv^2 cancels.
    cross: DVec3,
    cross_sq: f64,
    /// a0 - b0.
    base: DVec3,
}

impl Edges {
    fn new(a0: DVec3, a1: DVec3, b0: DVec3, b1: DVec3) -> Self {
        let (u, v) = (a1 - a0, b1 - b0);
        let cross = u.cross(v);
        Self {
            u,
            v,
            uu: u.length_squared(),
            vv: v.length_squared(),
            uv: u.dot(v),
            cross,
            cross_sq: cross.length_squared(),
            base: a0 - b0,
        }
    }

    #[inline(always)]
    fn sin_sq_below(&self, threshold: f64) -> bool {
        self.cross_sq <= threshold * (self.uu * self.vv)
    }

    /// The s of the point on the first line closest to the point t of the second.
    #[inline(always)]
    fn project_on_first(&self, t: f64) -> f64 {
        if self.uu > 0.0 {
            ((t * self.v - self.base).dot(self.u) / self.uu).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    #[inline(always)]
    fn project_on_second(&self, s: f64) -> f64 {
        if self.vv > 0.0 {
            ((self.base + s * self.u).dot(self.v) / self.vv).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    /// The s where the two lines are closest, clamped; for parallel edges the middle of the overlap.
    #[inline(always)]
    fn first_guess(&self) -> f64 {
        if self.sin_sq_below(PARALLEL_SIN_SQ) {
            return self.middle_of_overlap();
        }
        (self.v.cross(self.base).dot(self.cross) / self.cross_sq).clamp(0.0, 1.0)
    }

    #[inline(always)]
    fn middle_of_overlap(&self) -> f64 {
        0.5 * (self.project_on_first(0.0) + self.project_on_first(1.0))
    }

    /// Clamp s, then t for that s, then s for that t: the minimum of a convex quadratic over the square
    /// (Ericson 2005, section 5.1.9). An error of s along the valley of nearly parallel edges costs its square.
    #[inline(always)]
    fn parameters(&self) -> (f64, f64) {
        let t = self.project_on_second(self.first_guess());
        // Also improves an s inside its range: one exact minimisation along s.
        let s = self.project_on_first(t);
        (s, t)
    }

    fn feature(&self, s: f64, t: f64) -> Feature {
        let s_free = self.uu > 0.0 && s > 0.0 && s < 1.0;
        let t_free = self.vv > 0.0 && t > 0.0 && t < 1.0;
        match (s_free, t_free) {
            (true, true) if !self.sin_sq_below(NEARLY_PARALLEL_SIN_SQ) => Feature::EdgeEdge,
            // Clearly longer, lest rounding choose between edges of one length.
            (true, true) if 4.0 * self.uu < self.vv => Feature::PointEdge,
            (true, _) => Feature::EdgePoint,
            (false, true) => Feature::PointEdge,
            (false, false) => Feature::PointPoint,
        }
    }

    // Inlined, with all it calls, so that the edges stay in registers: twice as fast.
    #[inline(always)]
    fn closest(&self) -> ClosestPoints {
        let (s, t) = self.parameters();
        // Measured from the nearer ends: exact between end points, and no loss far from the origin.
        let (base, s_local) = if s > 0.5 {
            (self.base + self.u, s - 1.0)
        } else {
            (self.base, s)
        };
        let (base, t_local) = if t > 0.5 {
            (base - self.v, t - 1.0)
        } else {
            (base, t)
        };
        let delta = base + s_local * self.u - t_local * self.v;
        ClosestPoints {
            s,
            t,
            feature: self.feature(s, t),
            delta,
            distance: delta.length(),
        }
    }

    /// A^-1, embedded in 2 x 2 with zeros for held parameters.
    fn inverse(&self, feature: Feature) -> [[f64; 2]; 2] {
        match feature {
            Feature::EdgeEdge => {
                let scale = 1.0 / self.cross_sq;
                [
                    [self.vv * scale, self.uv * scale],
                    [self.uv * scale, self.uu * scale],
                ]
            }
            Feature::EdgePoint => [[1.0 / self.uu, 0.0], [0.0, 0.0]],
            Feature::PointEdge => [[0.0, 0.0], [0.0, 1.0 / self.vv]],
            Feature::PointPoint => [[0.0; 2]; 2],
        }
    }

    /// Columns of U A^-1. Between edges as cross products: uu vv - uv^2 never appears.
    fn slopes(&self, feature: Feature) -> [DVec3; 2] {
        match feature {
            Feature::EdgeEdge => [self.v.cross(self.cross), self.u.cross(self.cross)]
                .map(|x| x * (1.0 / self.cross_sq)),
            Feature::EdgePoint => [self.u / self.uu, DVec3::ZERO],
            Feature::PointEdge => [DVec3::ZERO, -self.v / self.vv],
            Feature::PointPoint => [DVec3::ZERO; 2],
        }
    }

    fn touching_distance(&self) -> f64 {
        TOUCHING * (self.uu + self.vv).sqrt()
    }

    fn normal(&self, closest: &ClosestPoints) -> DVec3 {
        if closest.distance > self.touching_distance() {
            return closest.delta / closest.distance;
        }
        let common = match closest.feature {
            Feature::EdgeEdge => self.cross.normalize_or(DVec3::Z),
            Feature::EdgePoint => self.u.any_orthogonal_vector().normalize_or(DVec3::Z),
            Feature::PointEdge => self.v.any_orthogonal_vector().normalize_or(DVec3::Z),
            Feature::PointPoint => closest.delta.normalize_or(DVec3::Z),
        };
        if common.dot(closest.delta) < 0.0 {
            -common
        } else {
            common
        }
    }

    /// P/D. Touching points have no curvature to speak of: zero keeps the Hessian finite.
    fn tangential(&self, closest: &ClosestPoints, n: DVec3) -> DMat3 {
        if closest.distance <= self.touching_distance() {
            return DMat3::ZERO;
        }
        let across = |edge: DVec3, length_sq: f64| {
            let m = edge.cross(n);
            outer(m, m / (length_sq * closest.distance))
        };
        match closest.feature {
            Feature::EdgeEdge => DMat3::ZERO,
            Feature::EdgePoint => across(self.u, self.uu),
            Feature::PointEdge => across(self.v, self.vv),
            Feature::PointPoint => (DMat3::IDENTITY - outer(n, n)) * (1.0 / closest.distance),
        }
    }
}

/// a b^T.
pub(super) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Closest points of the edges [a0, a1] and [b0, b1] (T22 Eq. 10). Exact for parallel and for degenerate edges.
pub fn closest_points(a0: DVec3, a1: DVec3, b0: DVec3, b1: DVec3) -> ClosestPoints {
    Edges::new(a0, a1, b0, b1).closest()
}

/// Distance of two edges, ready to give gradient, Hessian and the parameters' derivatives.
pub fn pair_distance(a0: DVec3, a1: DVec3, b0: DVec3, b1: DVec3) -> PairDistance {
    let edges = Edges::new(a0, a1, b0, b1);
    PairDistance::new(&edges, edges.closest())
}

/// As [`pair_distance`], or `None`, at the price of the closest points alone, for edges at least `range` apart.
pub fn pair_distance_within(
    range: f64,
    a0: DVec3,
    a1: DVec3,
    b0: DVec3,
    b1: DVec3,
) -> Option<PairDistance> {
    let edges = Edges::new(a0, a1, b0, b1);
    let closest = edges.closest();
    (closest.distance < range).then(|| PairDistance::new(&edges, closest))
}

/// Gradient of the distance by the four nodes, dimensionless: n (1-s, s, -(1-t), -t), the envelope theorem.
pub fn distance_gradient(a0: DVec3, a1: DVec3, b0: DVec3, b1: DVec3) -> [DVec3; 4] {
    pair_distance(a0, a1, b0, b1).gradient()
}

/// Hessian of the distance, 12 x 12, symmetric, in 1/m. Nearly parallel edges: see [`NEARLY_PARALLEL_SIN_SQ`].
pub fn distance_hessian(a0: DVec3, a1: DVec3, b0: DVec3, b1: DVec3) -> Matrix12 {
    pair_distance(a0, a1, b0, b1).hessian()
}

/// Gradients of s and of t by the 12 coordinates, in 1/m; zero where the parameter is held.
pub fn parameter_gradients(a0: DVec3, a1: DVec3, b0: DVec3, b1: DVec3) -> ([f64; 12], [f64; 12]) {
    let [s, t] = pair_distance(a0, a1, b0, b1).parameter_gradients();
    (flatten(s), flatten(t))
}

/// The four node vectors one after the other.
pub fn flatten(nodes: [DVec3; 4]) -> [f64; 12] {
    std::array::from_fn(|i| nodes[i / 3][i % 3])
}

impl PairDistance {
    #[inline(always)]
    fn new(edges: &Edges, closest: ClosestPoints) -> Self {
        let ClosestPoints { s, t, feature, .. } = closest;
        let normal = edges.normal(&closest);
        Self {
            closest,
            normal,
            weights: [1.0 - s, s, t - 1.0, -t],
            tangential: edges.tangential(&closest, normal),
            slopes: edges.slopes(feature),
            inverse: edges.inverse(feature),
        }
    }

    /// grad_k D = w_k n.
    pub fn gradient(&self) -> [DVec3; 4] {
        self.weights.map(|w| w * self.normal)
    }

    /// Hess D, in 1/m.
    pub fn hessian(&self) -> Matrix12 {
        self.chain_hessian(1.0, 0.0)
    }

    /// Hessian of phi(D) by the chain rule: `first` Hess D + `second` grad D grad D^T, with the derivatives
    /// `first` = phi' and `second` = phi''.
    pub fn chain_hessian(&self, first: f64, second: f64) -> Matrix12 {
        let n = self.normal.to_array();
        let w = self.weights;
        let scaled = |m: DMat3| m.to_cols_array_2d().map(|column| column.map(|x| first * x));
        let across = scaled(self.tangential);
        let slopes: [[f64; 3]; 4] = std::array::from_fn(|k| (first * self.slope(k)).to_array());
        let turn = first * self.closest.distance;
        // Row (k, r), column j = (l, c): n_c along_l + w_l sideways_c, each spread over the 12 columns for SIMD.
        let mut hessian = [[0.0; 12]; 12];
        let n12: [f64; 12] = std::array::from_fn(|j| n[j % 3]);
        let w12: [f64; 12] = std::array::from_fn(|j| w[j / 3]);
        for k in 0..4 {
            let stiffness: [f64; 4] =
                std::array::from_fn(|l| second * (w[k] * w[l]) - turn * self.coupling(k, l));
            for r in 0..3 {
                let sideways: [f64; 3] =
                    std::array::from_fn(|c| w[k] * across[r][c] - n[r] * slopes[k][c]);
                let along: [f64; 4] =
                    std::array::from_fn(|l| n[r] * stiffness[l] - w[k] * slopes[l][r]);
                let along12: [f64; 12] = std::array::from_fn(|j| along[j / 3]);
                let sideways12: [f64; 12] = std::array::from_fn(|j| sideways[j % 3]);
                hessian[3 * k + r] =
                    std::array::from_fn(|j| n12[j] * along12[j] + w12[j] * sideways12[j]);
            }
        }
        mirror_upper(&mut hessian);
        hessian
    }

    /// d n/d x_l = w_l P/D - p_l n^T, in 1/m.
    pub fn normal_derivative(&self, node: usize) -> DMat3 {
        self.tangential * self.weights[node] - outer(self.slope(node), self.normal)
    }

    /// [ds/dx, dt/dx] by node, in 1/m: -A^-1 B^T, that is -(w_k U A^-1 + A^-1 S_k delta) for node k.
    pub fn parameter_gradients(&self) -> [[DVec3; 4]; 2] {
        let reach = self.closest.distance * self.normal;
        [0, 1].map(|p| {
            std::array::from_fn(|k| {
                -self.weights[k] * self.slopes[p]
                    - (self.inverse[p][PARAMETER[k]] * SIGN[k]) * reach
            })
        })
    }

    /// p_k = U A^-1 S_k.
    fn slope(&self, k: usize) -> DVec3 {
        SIGN[k] * self.slopes[PARAMETER[k]]
    }

    /// c_kl = S_k . A^-1 S_l.
    fn coupling(&self, k: usize, l: usize) -> f64 {
        SIGN[k] * SIGN[l] * self.inverse[PARAMETER[k]][PARAMETER[l]]
    }
}

/// Removes the asymmetry left by rounding.
fn mirror_upper(matrix: &mut Matrix12) {
    for i in 1..12 {
        let (above, rest) = matrix.split_at_mut(i);
        for (entry, row) in rest[0].iter_mut().zip(above) {
            *entry = row[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use proptest::prelude::*;

    /// Catalogue 4.4: 12 named pairs with closed forms, 250 random pairs with independently computed distances.
    const CASES: &str = include_str!("../../tests/data/segment_distance_cases.csv");

    fn cases() -> Vec<(String, Nodes, [f64; 3])> {
        let row = |line: &str| {
            let mut fields = line.split(',');
            let name = fields.next().unwrap().to_owned();
            let x: Vec<f64> = fields.map(|f| f.parse().unwrap()).collect();
            (
                name,
                unflat(x[..12].try_into().unwrap()),
                [x[12], x[13], x[14]],
            )
        };
        CASES.lines().skip(1).map(row).collect()
    }

    fn closest([a0, a1, b0, b1]: Nodes) -> ClosestPoints {
        closest_points(a0, a1, b0, b1)
    }

    fn pair([a0, a1, b0, b1]: Nodes) -> PairDistance {
        pair_distance(a0, a1, b0, b1)
    }

    /// Upper bound of D^2/2 - min D^2/2: the linear model of a convex function bounds it from below.
    fn optimality_gap([a0, a1, b0, b1]: Nodes, c: &ClosestPoints) -> f64 {
        let by_s = c.delta.dot(a1 - a0);
        let by_t = -c.delta.dot(b1 - b0);
        (by_s * c.s).max(by_s * (c.s - 1.0)) + (by_t * c.t).max(by_t * (c.t - 1.0))
    }

    #[test]
    fn catalogue_cases() {
        let cases = cases();
        assert_eq!(cases.len(), 262);
        for (name, nodes, [distance, s, t]) in cases {
            let ours = closest(nodes);
            assert!(
                (ours.distance - distance).abs() <= 1e-12 * distance,
                "{name}: {ours:?}, expected {distance}"
            );
            if name.starts_with("random") {
                assert!(
                    (ours.s - s).abs() < 1e-11 && (ours.t - t).abs() < 1e-11,
                    "{name}: {ours:?}"
                );
            }
        }
    }

    #[test]
    fn features_of_the_named_cases() {
        let expected = [
            ("cross", Feature::EdgeEdge),
            ("parallel_overlap", Feature::EdgePoint),
            ("parallel_disjoint", Feature::PointPoint),
            ("nearly_parallel_1e-5", Feature::EdgePoint),
            ("endpoint_endpoint", Feature::PointPoint),
            ("tee", Feature::EdgePoint),
        ];
        for (name, feature) in expected {
            let (_, nodes, _) = cases().into_iter().find(|c| c.0 == name).unwrap();
            assert_eq!(closest(nodes).feature, feature, "{name}");
        }
    }

    #[test]
    fn parallel_edges_meet_in_the_middle_of_their_overlap() {
        let y = DVec3::Y;
        let c = closest_points(
            DVec3::ZERO,
            DVec3::X,
            y + 0.25 * DVec3::X,
            y + 1.75 * DVec3::X,
        );
        assert!(
            (c.s - 0.625).abs() < 1e-15 && (c.t - 0.25).abs() < 1e-15,
            "{c:?}"
        );
        let c = closest_points(
            DVec3::ZERO,
            DVec3::X,
            y - 2.0 * DVec3::X,
            y - 1.0 * DVec3::X,
        );
        assert_eq!((c.s, c.t), (0.0, 1.0));
    }

    #[test]
    fn degenerate_edges() {
        let p = DVec3::new(0.3, 0.4, 0.0);
        let c = closest_points(p, p, DVec3::ZERO, DVec3::X);
        assert_eq!((c.distance, c.t, c.feature), (0.4, 0.3, Feature::PointEdge));
        let c = closest_points(DVec3::ZERO, DVec3::X, p, p);
        assert_eq!((c.distance, c.s, c.feature), (0.4, 0.3, Feature::EdgePoint));
        let c = closest_points(p, p, DVec3::ZERO, DVec3::ZERO);
        assert_eq!((c.distance, c.feature), (0.5, Feature::PointPoint));
        let touching = pair([p, p, p, p]);
        assert!(
            touching
                .hessian()
                .as_flattened()
                .iter()
                .all(|x| x.is_finite())
        );
        assert!((touching.normal.length() - 1.0).abs() < 1e-15);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// The certificate needs no reference: it bounds the error from the result itself.
        #[test]
        fn closest_points_are_optimal(
            seed: u64, tilt_exponent in -17.0..0.5_f64, size_exponent in -6.0..6.0_f64,
            s in -0.5..1.5_f64, t in -0.5..1.5_f64, gap in 0.0..2.0_f64,
        ) {
            let long = 10_f64.powf(size_exponent);
            let nodes = Random(seed).crossing([1.0, long], 10_f64.powf(tilt_exponent), [s, t], gap);
            let c = closest(nodes);
            prop_assert!((0.0..=1.0).contains(&c.s) && (0.0..=1.0).contains(&c.t));
            let size = long.max(1.0);
            let slack = 1e-13 * c.distance.powi(2) + 1e-15 * size * (c.distance + size);
            prop_assert!(optimality_gap(nodes, &c) <= slack, "{c:?} gap {}", optimality_gap(nodes, &c));
        }

        /// Known interior minimum at any angle above rounding.
        #[test]
        fn interior_distance_is_exact(
            seed: u64, tilt_exponent in -6.0..0.0_f64, s in 0.05..0.95_f64, t in 0.05..0.95_f64, gap in 0.01..1.0_f64,
        ) {
            let nodes = Random(seed).crossing([1.0, 2.0], 10_f64.powf(tilt_exponent), [s, t], gap);
            let c = closest(nodes);
            prop_assert!((c.distance - gap).abs() < 2e-14 * (1.0 + gap), "{c:?}");
        }

        #[test]
        fn swapping_the_edges_swaps_the_result(seed: u64) {
            let [a0, a1, b0, b1] = Random(seed).nodes();
            let (one, two) = (closest_points(a0, a1, b0, b1), closest_points(b0, b1, a0, a1));
            prop_assert!((one.distance - two.distance).abs() <= 1e-14 * one.distance.max(0.1));
            prop_assert!((one.delta + two.delta).length() < 1e-12);
        }

        #[test]
        fn rigid_motion_changes_nothing(seed: u64) {
            let mut random = Random(seed);
            let nodes = random.nodes();
            let (q, shift) = (random.rotation(), random.vector());
            let (before, after) = (pair(nodes), pair(nodes.map(|x| q * x + shift)));
            prop_assume!(before.closest.distance > 1e-3);
            prop_assert!((before.closest.distance - after.closest.distance).abs() < 1e-13);
            prop_assert!((q * before.normal - after.normal).length() < 1e-10);
        }

        /// No net force, no net torque.
        #[test]
        fn gradient_is_balanced(seed: u64) {
            let nodes = Random(seed).nodes();
            let gradient = pair(nodes).gradient();
            let torque: DVec3 = nodes.iter().zip(&gradient).map(|(x, g)| x.cross(*g)).sum();
            prop_assert!(gradient.iter().sum::<DVec3>().length() < 1e-15);
            prop_assert!(torque.length() < 1e-14, "{torque:?}");
        }
    }

    /// Pairs away from a switch of feature, where the distance is smooth.
    fn smooth_samples() -> Vec<(&'static str, Nodes, f64)> {
        let mut random = Random(7);
        let mut samples = Vec::new();
        for _ in 0..300 {
            samples.push(("random", random.nodes(), 1e-4));
        }
        for _ in 0..50 {
            let [s, t] = [random.range(0.2, 0.8), random.range(0.2, 0.8)];
            samples.push((
                "edge-edge",
                random.crossing([1.0, 0.4], 1.1, [s, t], 0.2),
                1e-4,
            ));
            samples.push((
                "small angle",
                random.crossing([1.0, 0.7], 0.05, [s, t], 0.2),
                1e-4,
            ));
            samples.push((
                "nearly parallel",
                random.crossing([1.0, 1.3], 2e-3, [s, t], 0.02),
                4e-6,
            ));
            samples.push((
                "near an end",
                random.crossing([1.0, 0.7], 0.8, [2e-3, t], 0.2),
                1e-4,
            ));
            samples.push((
                "beyond an end",
                random.crossing([1.0, 0.7], 0.8, [-2e-3, t], 0.2),
                1e-4,
            ));
            samples.push((
                "ends",
                random.crossing([1.0, 0.7], 0.8, [1.3, -0.4], 0.2),
                1e-4,
            ));
            samples.push((
                "almost touching",
                random.crossing([1.0, 0.7], 0.8, [s, t], 1e-3),
                1e-4,
            ));
            samples.push((
                "long and short",
                random.crossing([1000.0, 0.1], 0.8, [s, t], 0.05),
                1e-4,
            ));
        }
        samples.retain(|(_, nodes, step)| feature_is_stable(*nodes, *step));
        samples
    }

    fn feature_is_stable(nodes: Nodes, step: f64) -> bool {
        let here = closest(nodes);
        let stays = |c: usize, by: f64| {
            let mut x = flat(nodes);
            x[c] += by;
            let there = closest(unflat(x));
            there.feature == here.feature && there.delta.dot(here.delta) > 0.0
        };
        here.distance > 8.0 * step && (0..12).all(|c| stays(c, 2.0 * step) && stays(c, -2.0 * step))
    }

    #[test]
    fn gradient_matches_differences() {
        for (name, nodes, step) in smooth_samples() {
            let reference = differences(nodes, step, |x| [closest(x).distance]);
            let error = relative_error(&flatten(pair(nodes).gradient()), reference.as_flattened());
            assert!(error < 1e-7, "{name}: {error:e}");
        }
    }

    #[test]
    fn hessian_matches_differences() {
        let samples = smooth_samples();
        assert!(samples.len() > 600, "{}", samples.len());
        for (name, nodes, step) in samples {
            let hessian = pair(nodes).hessian();
            let reference = differences(nodes, step, |x| flatten(pair(x).gradient()));
            let error = matrix_error(&hessian, &reference);
            assert!(error < 1e-6, "{name}: {error:e} {:?}", closest(nodes));
            assert_eq!(hessian, transposed(hessian), "{name}");
        }
    }

    #[test]
    fn parameter_gradients_match_differences() {
        for (name, nodes, step) in smooth_samples() {
            if matches!(closest(nodes).feature, Feature::PointPoint) {
                continue;
            }
            let [by_s, by_t] = pair(nodes).parameter_gradients().map(flatten);
            let reference = differences(nodes, step, |x| [closest(x).s, closest(x).t]);
            let ours: [[f64; 2]; 12] = std::array::from_fn(|c| [by_s[c], by_t[c]]);
            let error = relative_error(ours.as_flattened(), reference.as_flattened());
            assert!(error < 1e-6, "{name}: {error:e}");
        }
    }

    #[test]
    fn normal_derivative_matches_differences() {
        for (name, nodes, step) in smooth_samples() {
            let ours: [[f64; 3]; 12] =
                std::array::from_fn(|c| pair(nodes).normal_derivative(c / 3).col(c % 3).to_array());
            let reference = differences(nodes, step, |x| pair(x).normal.to_array());
            let error = relative_error(ours.as_flattened(), reference.as_flattened());
            assert!(error < 1e-6, "{name}: {error:e}");
        }
    }

    /// T22 Eq. 13, generically over the scalar.
    fn line_distance<D: num_dual::DualNum + Copy>(x: [D; 12]) -> D {
        let difference =
            |i: usize, j: usize| -> [D; 3] { std::array::from_fn(|c| x[3 * i + c] - x[3 * j + c]) };
        let (u, v, base) = (difference(1, 0), difference(3, 2), difference(0, 2));
        let n: [D; 3] = std::array::from_fn(|c| {
            let (d, e) = ((c + 1) % 3, (c + 2) % 3);
            u[d] * v[e] - u[e] * v[d]
        });
        let dot = |a: [D; 3], b: [D; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        (dot(base, n).powi(2) / dot(n, n)).sqrt()
    }

    #[test]
    fn edge_edge_hessian_matches_dual_numbers() {
        let mut random = Random(11);
        for angle in [1.5, 0.4, 0.05, 2e-3] {
            for _ in 0..10 {
                let place = [random.range(0.1, 0.9), random.range(0.1, 0.9)];
                let nodes = random.crossing([1.0, 0.6], angle, place, 0.1);
                let second = |i: usize, j: usize| {
                    let at = |y, z| {
                        let mut x = flat(nodes).map(num_dual::HyperDual64::from);
                        x[i] += y;
                        x[j] += z;
                        line_distance(x)
                    };
                    num_dual::second_partial_derivative(|(y, z)| at(y, z), (0.0, 0.0)).3
                };
                let reference: Matrix12 =
                    std::array::from_fn(|i| std::array::from_fn(|j| second(i, j)));
                let error = matrix_error(&pair(nodes).hessian(), &reference);
                assert!(error < 1e-8, "angle {angle}: {error:e}");
            }
        }
    }

    /// Value and gradient do not jump where the feature changes, also into and out of the nearly parallel.
    #[test]
    fn gradient_is_continuous_across_features() {
        type Path = fn(f64) -> ([f64; 2], f64);
        let paths: [(Path, usize); 4] = [
            (|x| ([x, 0.4], 0.7), 2),
            (|x| ([x, x], 0.7), 2),
            (|x| ([0.4, 1.0 + x], 1e-2), 2),
            (|x| ([0.4, 0.6], 1e-3 + 0.1 * x), 2),
        ];
        for (path, features) in paths {
            let at = |x: f64| {
                let (place, angle) = path(x);
                pair(Random(17).crossing([1.0, 0.8], angle, place, 0.1))
            };
            let mut seen = Vec::new();
            for i in -20..20 {
                let (one, two) = (at(1e-7 * f64::from(i)), at(1e-7 * f64::from(i + 1)));
                seen.push(one.closest.feature);
                let jump = flatten(std::array::from_fn(|k| {
                    one.gradient()[k] - two.gradient()[k]
                }));
                let size = jump.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                assert!(size < 1e-5, "{i}: {size:e}");
                assert!((one.closest.distance - two.closest.distance).abs() < 1e-7);
            }
            seen.dedup();
            assert_eq!(seen.len(), features, "{seen:?}");
        }
    }

    /// Held parameter: bounded, where the exact second derivative grows as 1/sin^2.
    #[test]
    fn hessian_of_nearly_parallel_edges_is_bounded() {
        let mut random = Random(5);
        for exponent in 3..18 {
            let tilt = 0.999 * 10_f64.powi(-exponent);
            let nodes = random.crossing([1.0, 1.1], tilt, [0.4, 0.6], 0.1);
            let hessian = pair(nodes).hessian();
            let largest = hessian
                .as_flattened()
                .iter()
                .fold(0.0_f64, |m, x| m.max(x.abs()));
            assert!(largest < 20.0, "tilt {tilt:e}: {largest:e}");
        }
    }

    /// Crossing centrelines have no direction of delta: the common normal serves, and is continuous on either side.
    #[test]
    fn touching_edges_have_the_common_normal() {
        let mut random = Random(3);
        for gap in [0.0, 1e-17, 1e-13, 1e-9] {
            let p = pair(random.crossing([1.0, 1.0], 0.7, [0.5, 0.3], gap));
            assert!((p.normal.length() - 1.0).abs() < 1e-12);
            assert!(p.hessian().as_flattened().iter().all(|x| x.abs() < 20.0));
        }
        let nodes = random.crossing([1.0, 1.0], 0.7, [0.5, 0.3], 0.0);
        let common = (nodes[1] - nodes[0]).cross(nodes[3] - nodes[2]).normalize();
        assert!((pair(nodes).normal.dot(common).abs() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn distance_within_agrees_and_rejects() {
        let [a0, a1, b0, b1] = Random(1).crossing([1.0, 1.0], 0.7, [0.5, 0.3], 0.2);
        let found = pair_distance_within(0.201, a0, a1, b0, b1).unwrap();
        assert!((found.closest.distance - 0.2).abs() < 1e-14);
        assert!(pair_distance_within(0.199, a0, a1, b0, b1).is_none());
    }
}
