//! Minimum distance of two edges, with gradient and Hessian.
//!
//! For edges [a0, a1] and [b0, b1] let u = a1 - a0, v = b1 - b0 and
//!
//! ```text
//! D(x) = min over s, t in [0, 1] of |delta|,   delta = a0 + s u - (b0 + t v)        (T22 Eq. 10)
//! ```
//!
//! delta = sum_k w_k x_k over the nodes x = (a0, a1, b0, b1) with w = (1-s, s, -(1-t), -t). A
//! parameter at an end of its range is *held*; the others are *free*, and delta is normal to their
//! edges. Differentiating f = D^2/2 with the free parameters eliminated gives Hess f = J^T J - B
//! A^-1 B^T, where J = d delta/dx, A is the Hessian of f in the free parameters and B its mixed
//! derivative. Written out, with n = delta/D,
//!
//! ```text
//! grad_k D    = w_k n
//! Hess_kl D   = w_k w_l P/D - w_k p_l n^T - w_l n p_k^T - D c_kl n n^T
//! ```
//!
//! where P projects on what is normal to n and to the free edges (zero for edge against edge: no
//! division by a small D there), p_k = U A^-1 S_k, c_kl = S_k . A^-1 S_l, U = [u, -v], and S_k =
//! -(1,0), (1,0), (0,1), -(0,1) says how node k moves u and -v. One formula covers T22's three
//! cases (Eq. 11 to 13).

mod several;

use glam::{DMat3, DVec3};

pub(crate) use several::{ROUNDING, distances};

/// Below this squared sine of the angle between the edges one parameter is held for the
/// derivatives, so that the Hessian stays bounded. Value and gradient do not change.
pub(crate) const NEARLY_PARALLEL_SIN_SQ: f64 = 1e-6;

/// Below this squared sine the edges are parallel to rounding: any point of the overlap is closest.
const PARALLEL_SIN_SQ: f64 = 1e-28;

/// Below this distance, relative to the edges, delta is mostly rounding and gives no direction.
const TOUCHING: f64 = 1e-10;

/// A 12 x 12 matrix over the coordinates (a0, a1, b0, b1).
pub(crate) type Matrix12 = [[f64; 12]; 12];

/// Which of the two parameters follow the nodes; the others are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Both parameters are free (T22 Eq. 13).
    EdgeEdge,
    /// The first edge against a point of the second: s is free, t is held (T22 Eq. 12).
    EdgePoint,
    /// A point of the first edge against the second: t is free, s is held (T22 Eq. 12).
    PointEdge,
    /// Both parameters are held (T22 Eq. 11).
    PointPoint,
}

/// Closest points of two edges.
#[derive(Clone, Copy, Debug)]
pub struct ClosestPoints {
    /// Position on the first edge, in [0, 1] (beta_i of T22 Eq. 10).
    pub s: f64,
    /// Position on the second edge, in [0, 1] (beta_j of T22 Eq. 10).
    pub t: f64,
    /// Free parameters. Of two nearly parallel edges one counts as held, even inside its range: the
    /// second's, or the first's if that edge is less than half as long.
    pub feature: Feature,
    /// Vector from the second edge's closest point to the first one's, m.
    pub delta: DVec3,
    /// |delta|, in metres.
    pub distance: f64,
}

/// Distance of two edges with all that its derivatives need, in factored form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairDistance {
    pub closest: ClosestPoints,
    /// Unit vector from the second edge to the first. For touching centrelines, the common normal
    /// with either sign.
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
pub(crate) const PARAMETER: [usize; 4] = [0, 0, 1, 1];
pub(crate) const SIGN: [f64; 4] = [-1.0, 1.0, 1.0, -1.0];

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
        // |u x v|^2 = sin^2 |u|^2 |v|^2
        self.cross_sq <= threshold * (self.uu * self.vv)
    }

    /// The s of the point on the first line closest to the point t of the second.
    #[inline(always)]
    fn project_on_first(&self, t: f64) -> f64 {
        if self.uu > 0.0 {
            // d|delta|^2/ds = 0 at s = (t v - base) . u/(u . u)
            ((t * self.v - self.base).dot(self.u) / self.uu).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    #[inline(always)]
    fn project_on_second(&self, s: f64) -> f64 {
        if self.vv > 0.0 {
            // d|delta|^2/dt = 0 at t = (base + s u) . v/(v . v)
            ((self.base + s * self.u).dot(self.v) / self.vv).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    /// The s where the two lines are closest, clamped; for parallel edges the middle of the
    /// overlap.
    #[inline(always)]
    fn first_guess(&self) -> f64 {
        if self.sin_sq_below(PARALLEL_SIN_SQ) {
            return self.middle_of_overlap();
        }
        // ((u.v)(base.v) - (v.v)(base.u))/((u.u)(v.v) - (u.v)^2), without its cancellation
        (self.v.cross(self.base).dot(self.cross) / self.cross_sq).clamp(0.0, 1.0)
    }

    #[inline(always)]
    fn middle_of_overlap(&self) -> f64 {
        // Both ends of the second edge, each brought onto the first.
        0.5 * (self.project_on_first(0.0) + self.project_on_first(1.0))
    }

    /// Clamp s, then t for that s, then s for that t: the minimum of a convex quadratic over the
    /// square (Ericson 2005, section 5.1.9). An error of s along the valley of nearly parallel
    /// edges costs its square.
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
        self.points_at(self.parameters())
    }

    /// An end of the stretch along which nearly parallel edges lie beside each other: the point of
    /// the first edge that is nearest to the end `t`, 0 or 1, of the second one, and what is
    /// nearest to that point.
    fn end_of_overlap(&self, t: f64) -> ClosestPoints {
        let s = self.project_on_first(t);
        // Where the first edge ends before, its end is that of the stretch.
        let ends_first = s <= 0.0 || s >= 1.0;
        self.points_at((
            s,
            if ends_first {
                self.project_on_second(s)
            } else {
                t
            },
        ))
    }

    #[inline(always)]
    fn points_at(&self, (s, t): (f64, f64)) -> ClosestPoints {
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
            // v x (u x v) = (v.v) u - (u.v) v and u x (u x v) = (u.v) u - (u.u) v
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
        // Touching: what is normal to the free edges, on the side where delta points.
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
            // n is normal to a free edge, so P = m m^T/|edge|^2 with m = edge x n.
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
pub(crate) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Closest points of the edges [a0, a1] and [b0, b1] (T22 Eq. 10). Exact for parallel and for
/// degenerate edges.
pub fn closest_points(a0: DVec3, a1: DVec3, b0: DVec3, b1: DVec3) -> ClosestPoints {
    Edges::new(a0, a1, b0, b1).closest()
}

/// Distance of two edges, ready to give gradient, Hessian and the parameters' derivatives.
pub(crate) fn pair_distance(a0: DVec3, a1: DVec3, b0: DVec3, b1: DVec3) -> PairDistance {
    let edges = Edges::new(a0, a1, b0, b1);
    PairDistance::new(&edges, edges.closest())
}

/// Distance as by [`pair_distance`]; for edges at least `range` apart `None`, at the price of the
/// closest points alone.
#[inline]
pub(crate) fn pair_distance_within(
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

/// Distances at both ends of the stretch along which two edges lie beside each other, those that
/// are below `range`; meant for nearly parallel edges.
pub(crate) fn overlap_distances_within(
    range: f64,
    [a0, a1, b0, b1]: [DVec3; 4],
) -> [Option<PairDistance>; 2] {
    let edges = Edges::new(a0, a1, b0, b1);
    [0.0, 1.0].map(|t| {
        let end = edges.end_of_overlap(t);
        (end.distance < range).then(|| PairDistance::new(&edges, end))
    })
}

/// Whether the angle between two edges is so small that their nearest points say little: they move
/// along the whole stretch on which the edges lie beside each other when it changes by as much.
pub(crate) fn nearly_parallel([a0, a1, b0, b1]: [DVec3; 4]) -> bool {
    Edges::new(a0, a1, b0, b1).sin_sq_below(NEARLY_PARALLEL_SIN_SQ)
}

/// Gradient of the distance by the four nodes, dimensionless: n (1-s, s, -(1-t), -t), the envelope
/// theorem.
pub fn distance_gradient(a0: DVec3, a1: DVec3, b0: DVec3, b1: DVec3) -> [DVec3; 4] {
    pair_distance(a0, a1, b0, b1).gradient()
}

/// The four node vectors one after the other.
pub(crate) fn flatten(nodes: [DVec3; 4]) -> [f64; 12] {
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

    /// P/D, in 1/m.
    pub(crate) fn tangential(&self) -> DMat3 {
        self.tangential
    }

    /// Columns of U A^-1, in 1/m: p_k is that of the parameter of node k, with its sign.
    pub(crate) fn slopes(&self) -> [DVec3; 2] {
        self.slopes
    }

    /// A^-1, in 1/m^2.
    pub(crate) fn inverse(&self) -> [[f64; 2]; 2] {
        self.inverse
    }

    /// grad_k D = w_k n.
    pub(crate) fn gradient(&self) -> [DVec3; 4] {
        self.weights.map(|w| w * self.normal)
    }

    /// Hess D, in 1/m.
    #[cfg(test)]
    pub(crate) fn hessian(&self) -> Matrix12 {
        self.chain_hessian(1.0, 0.0)
    }

    /// Hessian of phi(D) by the chain rule: `first` Hess D + `second` grad D grad D^T, with the
    /// derivatives `first` = phi' and `second` = phi''.
    #[inline(always)]
    pub(crate) fn chain_hessian(&self, first: f64, second: f64) -> Matrix12 {
        let n = self.normal.to_array();
        let w = self.weights;
        let scaled = |m: DMat3| m.to_cols_array_2d().map(|column| column.map(|x| first * x));
        let across = scaled(self.tangential);
        let slopes: [[f64; 3]; 4] = std::array::from_fn(|k| (first * self.slope(k)).to_array());
        let turn = first * self.closest.distance;
        // Row (k, r), column j = (l, c): n_c along_l + w_l sideways_c, each spread over the 12
        // columns for SIMD.
        let mut hessian = [[0.0; 12]; 12];
        let n12: [f64; 12] = std::array::from_fn(|j| n[j % 3]);
        let w12: [f64; 12] = std::array::from_fn(|j| w[j / 3]);
        for k in 0..4 {
            // Of n n^T: phi'' w_k w_l - phi' D c_kl
            let stiffness: [f64; 4] =
                std::array::from_fn(|l| second * (w[k] * w[l]) - turn * self.coupling(k, l));
            for r in 0..3 {
                // Of w_l: phi' (w_k P/D - n p_k^T)
                let sideways: [f64; 3] =
                    std::array::from_fn(|c| w[k] * across[r][c] - n[r] * slopes[k][c]);
                // Of n^T: n (phi'' w_k w_l - phi' D c_kl) - phi' w_k p_l
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
    #[inline(always)]
    pub(crate) fn normal_derivative(&self, node: usize) -> DMat3 {
        self.tangential * self.weights[node] - outer(self.slope(node), self.normal)
    }

    /// [ds/dx, dt/dx] by node, in 1/m: -A^-1 B^T, that is -(w_k U A^-1 + A^-1 S_k delta) for node
    /// k.
    #[inline(always)]
    pub(crate) fn parameter_gradients(&self) -> [[DVec3; 4]; 2] {
        let reach = self.closest.distance * self.normal;
        [0, 1].map(|p| {
            std::array::from_fn(|k| {
                -self.weights[k] * self.slopes[p]
                    - (self.inverse[p][PARAMETER[k]] * SIGN[k]) * reach
            })
        })
    }

    /// p_k = U A^-1 S_k.
    #[inline(always)]
    fn slope(&self, k: usize) -> DVec3 {
        SIGN[k] * self.slopes[PARAMETER[k]]
    }

    /// c_kl = S_k . A^-1 S_l.
    #[inline(always)]
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
mod tests;
