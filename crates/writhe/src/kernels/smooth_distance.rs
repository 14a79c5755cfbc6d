//! Smoothed minimum distance of two edges, with gradient and Hessian (C21 Eq. 8 to 17).
//!
//! For edges [a0, a1] and [b0, b1] let u = a1 - a0, v = b1 - b0, r = b0 - a0 (C21 Eq. 8; the sign
//! that Lumelsky's formulas need). The distance depends on the nodes through r, u, v and the five
//! products
//!
//! ```text
//! D1 = u.u,  D2 = v.v,  R = u.v,  S1 = u.r,  S2 = v.r,          lambda = D1 D2 - R^2
//! ```
//!
//! and Lumelsky's clamps become smooth with H, its switch with B (Eq. 13, 14; B = H'):
//!
//! ```text
//! s1 = H((S1 D2 - S2 R)/lambda),  y = (s1 R - S2)/D2,  t = H(y)                                     (Eq. 15)
//! s  = (1 - B(y)) H((t R + S1)/D1) + B(y) s1
//! D  = |delta|,  delta = s u - t v - r                                                            (Eq. 12)
//! ```
//!
//! s and t lie in (0, 1), so D is never less than the sharp distance. They do not quite minimise
//! it: near the ends of an edge they are up to log(2)/k off, and the gradient has parts along the
//! edges too. With n = delta/D and the parts frozen where marked by a bar, phi = (n.u) s - (n.v) t
//! as a function of the five products,
//!
//! ```text
//! grad D = (s n, -t n, -n) + grad phi                                            by (u, v, r)
//! Hess D = J^T (I - n n^T)/D J + Hess phi + n ds^T - n dt^T + transposed          (rows of u, of v)
//! ```
//!
//! with J = d delta. Twice differentiable except at lambda = 0, where s1 = 0 as in the paper.

mod jet;

use crate::kernels::distance::{Matrix12, flatten, outer};
use glam::{DMat3, DVec3};
use jet::{Jet, SECOND, VARIABLES};

/// Squared sine of the angle below which edges are parallel (lambda = 0 in C21).
const PARALLEL_SIN_SQ: f64 = 1e-12;

/// Distance, relative to the edges, below which delta gives no direction.
const TOUCHING: f64 = 1e-10;

/// Row k: how node k of (a0, a1, b0, b1) enters (u, v, r).
const NODE: [[f64; 3]; 4] = [
    [-1.0, 0.0, -1.0],
    [1.0, 0.0, 0.0],
    [0.0, -1.0, 1.0],
    [0.0, 1.0, 0.0],
];

/// Smoothed distance of two edges, ready to give its derivatives.
#[derive(Clone, Copy, Debug)]
pub struct SmoothDistance {
    /// D, m.
    pub distance: f64,
    /// n, unit vector from the second edge to the first.
    pub normal: DVec3,
    /// s and t, positions on the edges, in (0, 1).
    pub parameters: [f64; 2],
    /// Gradient of D by (a0, a1, b0, b1), dimensionless.
    pub gradient: [DVec3; 4],
    edges: Edges,
    sharpness: f64,
}

/// u, v, r.
#[derive(Clone, Copy, Debug)]
struct Edges {
    u: DVec3,
    v: DVec3,
    r: DVec3,
}

impl Edges {
    /// Gradients of D1, D2, R, S1, S2 by (u, v, r).
    fn products_by_edges(&self) -> [[DVec3; 3]; VARIABLES] {
        let Self { u, v, r } = *self;
        let zero = DVec3::ZERO;
        [
            [2.0 * u, zero, zero],
            [zero, 2.0 * v, zero],
            [v, u, zero],
            [r, zero, u],
            [zero, r, v],
        ]
    }

    /// s and t as functions of D1, D2, R, S1, S2 (C21 Eq. 15).
    #[inline(always)]
    fn parameters<const H: usize>(&self, k: f64) -> [Jet<H>; 2] {
        let Self { u, v, r } = *self;
        let values = [u.dot(u), v.dot(v), u.dot(v), u.dot(r), v.dot(r)];
        let [d1, d2, cross, s1, s2] = std::array::from_fn(|i| Jet::<H>::variable(i, values[i]));
        let normal = u.cross(v);
        let lambda_value = normal.length_squared();
        // s1 = H((S1 D2 - S2 R)/lambda)
        let first = if lambda_value <= PARALLEL_SIN_SQ * values[0] * values[1] {
            Jet::constant(0.0)
        } else {
            // As cross products: the differences cancel for small angles.
            let lambda = d1
                .times(&d2)
                .minus(&cross.times(&cross))
                .with_value(lambda_value);
            let numerator = s1
                .times(&d2)
                .minus(&s2.times(&cross))
                .with_value(normal.dot(r.cross(v)));
            let ratio = numerator.over(&lambda);
            ratio.apply(clamp(k, ratio.value))
        };
        // y = (s1 R - S2)/D2, t = H(y)
        let y = first.times(&cross).minus(&s2).over(&d2);
        let t = y.apply(clamp(k, y.value));
        // s = (1 - B(y)) H((t R + S1)/D1) + B(y) s1
        let z = t.times(&cross).plus(&s1).over(&d1);
        let second = z.apply(clamp(k, z.value));
        let inside = y.apply(inside(k, y.value));
        let s = second.plus(&inside.times(&first.minus(&second)));
        [s, t]
    }
}

/// Smoothed distance of the edges [a0, a1] and [b0, b1]; `sharpness` is k of C21 Eq. 13 and 14, 50
/// there.
pub fn smooth_distance(
    sharpness: f64,
    a0: DVec3,
    a1: DVec3,
    b0: DVec3,
    b1: DVec3,
) -> SmoothDistance {
    let edges = Edges {
        u: a1 - a0,
        v: b1 - b0,
        r: b0 - a0,
    };
    let Edges { u, v, r } = edges;
    let [s, t] = edges.parameters::<0>(sharpness);
    // delta = s u - t v - r (C21 Eq. 12)
    let delta = s.value * u - t.value * v - r;
    let distance = delta.length();
    let normal = if distance > TOUCHING * (u.length_squared() + v.length_squared()).sqrt() {
        delta / distance
    } else {
        // Touching: the common normal stands in for the direction of delta.
        u.cross(v)
            .normalize_or(u.any_orthogonal_vector().normalize_or(DVec3::Z))
    };
    // grad D = (s n, -t n, -n) + grad phi by (u, v, r)
    let mut gradient = [s.value * normal, -t.value * normal, -normal];
    let (along_u, along_v) = (normal.dot(u), normal.dot(v));
    for (m, by_edges) in edges.products_by_edges().iter().enumerate() {
        // d phi/dQ_m = (n.u) ds/dQ_m - (n.v) dt/dQ_m
        let slope = along_u * s.gradient[m] - along_v * t.gradient[m];
        for (sum, by) in gradient.iter_mut().zip(by_edges) {
            *sum += slope * *by;
        }
    }
    SmoothDistance {
        distance,
        normal,
        parameters: [s.value, t.value],
        gradient: NODE.map(|[u, v, r]| u * gradient[0] + v * gradient[1] + r * gradient[2]),
        edges,
        sharpness,
    }
}

impl SmoothDistance {
    /// Gradient of D as 12 numbers.
    pub(crate) fn flat_gradient(&self) -> [f64; 12] {
        flatten(self.gradient)
    }

    /// Hessian of phi(D) by the chain rule: `first` Hess D + `second` grad D grad D^T, with `first`
    /// = phi', `second` = phi''.
    pub(crate) fn chain_hessian(&self, first: f64, second: f64) -> Matrix12 {
        let by_edges = self.hessian_by_edges();
        let g = self.gradient;
        let mut hessian = [[0.0; 12]; 12];
        // Blocks of nodes k <= l, each with its mirror image.
        for k in 0..4 {
            for l in k..4 {
                let mut block = outer(g[k], second * g[l]);
                // phi' sum_ab N_ka N_lb d2D/da db, with N = NODE and a, b of (u, v, r)
                for a in (0..3).filter(|a| NODE[k][*a] != 0.0) {
                    for b in (0..3).filter(|b| NODE[l][*b] != 0.0) {
                        block += by_edges[a][b] * (first * NODE[k][a] * NODE[l][b]);
                    }
                }
                let columns = block.to_cols_array_2d();
                for (c, column) in columns.iter().enumerate() {
                    for (r, value) in column.iter().enumerate() {
                        hessian[3 * k + r][3 * l + c] = *value;
                        hessian[3 * l + c][3 * k + r] = *value;
                    }
                }
            }
        }
        hessian
    }

    /// Hessian of D by (u, v, r), in blocks.
    fn hessian_by_edges(&self) -> [[DMat3; 3]; 3] {
        let (edges, n) = (&self.edges, self.normal);
        let Edges { u, v, .. } = *edges;
        let [s, t] = edges.parameters::<SECOND>(self.sharpness);
        let products = edges.products_by_edges();
        let by_edges = |gradient: &[f64; VARIABLES]| -> [DVec3; 3] {
            std::array::from_fn(|a| (0..VARIABLES).map(|m| gradient[m] * products[m][a]).sum())
        };
        let (grad_s, grad_t) = (by_edges(&s.gradient), by_edges(&t.gradient));
        // phi = (n.u) s - (n.v) t, n held, with its second derivatives by the products
        let phi = s.combine(n.dot(u), &t, -n.dot(v));
        let phi_second = phi.matrix();

        // J = d delta.
        let own = [s.value, -t.value, -1.0];
        let slope: [DMat3; 3] = std::array::from_fn(|a| {
            DMat3::from_diagonal(DVec3::splat(own[a])) + outer(u, grad_s[a]) - outer(v, grad_t[a])
        });
        let across = if self.distance > TOUCHING * (u.length_squared() + v.length_squared()).sqrt()
        {
            (DMat3::IDENTITY - outer(n, n)) * (1.0 / self.distance)
        } else {
            DMat3::ZERO
        };
        let tilted = slope.map(|j| across * j);
        // Sum_n phi_mn grad Q_n.
        let weighted: [[DVec3; 3]; VARIABLES] = std::array::from_fn(|m| by_edges(&phi_second[m]));

        // Second derivatives of the products themselves: identities.
        let [d1, d2, cross, s1, s2] = phi.gradient;
        let own_second = [[2.0 * d1, cross, s1], [cross, 2.0 * d2, s2], [s1, s2, 0.0]];
        let block = |a: usize, b: usize| {
            // J^T (I - n n^T)/D J
            let mut block = slope[a].transpose() * tilted[b];
            // Hess phi: phi_m Hess Q_m, then sum_mn phi_mn grad Q_m grad Q_n^T
            block += DMat3::from_diagonal(DVec3::splat(own_second[a][b]));
            for (by, weighted) in products.iter().zip(&weighted) {
                block += outer(by[a], weighted[b]);
            }
            // n ds^T in the rows of u, -n dt^T in those of v, and transposed.
            match a {
                0 => block += outer(n, grad_s[b]),
                1 => block -= outer(n, grad_t[b]),
                _ => {}
            }
            match b {
                0 => block += outer(grad_s[a], n),
                1 => block -= outer(grad_t[a], n),
                _ => {}
            }
            block
        };
        std::array::from_fn(|a| std::array::from_fn(|b| block(a, b)))
    }
}

/// H(x) and its first two derivatives (C21 Eq. 13).
#[inline(always)]
fn clamp(k: f64, x: f64) -> [f64; 3] {
    let [b, b1, _] = inside(k, x);
    // log(1 + e^y) = y + log(1 + e^-y): both terms small on either side of 1/2.
    // H(x) = (log(1 + e^(k x)) - log(1 + e^(k (x - 1))))/k
    let h = if x < 0.5 {
        (softplus(k * x) - softplus(k * (x - 1.0))) / k
    } else {
        1.0 + (softplus(-k * x) - softplus(-k * (x - 1.0))) / k
    };
    [h, b, b1]
}

/// B(x) and its first two derivatives (C21 Eq. 14).
#[inline(always)]
fn inside(k: f64, x: f64) -> [f64; 3] {
    let (p, q) = (sigmoid(k * x), sigmoid(k * (x - 1.0)));
    // B(x) = sigma(k x) - sigma(k (x - 1)), from the side on which both are small
    let b = if x < 0.5 {
        p - q
    } else {
        sigmoid(-k * (x - 1.0)) - sigmoid(-k * x)
    };
    // sigma' = sigma(y) sigma(-y): 1 - sigma(y) would lose its digits where sigma is near 1.
    let (dp, dq) = (p * sigmoid(-k * x), q * sigmoid(-k * (x - 1.0)));
    [
        b,
        k * (dp - dq),
        k * k * (dp * (1.0 - 2.0 * p) - dq * (1.0 - 2.0 * q)),
    ]
}

/// log(1 + e^y) without overflow.
pub(crate) fn softplus(y: f64) -> f64 {
    y.max(0.0) + (-y.abs()).exp().ln_1p()
}

/// 1/(1 + e^-y) without overflow.
pub(crate) fn sigmoid(y: f64) -> f64 {
    let e = (-y.abs()).exp();
    if y < 0.0 {
        e / (1.0 + e)
    } else {
        1.0 / (1.0 + e)
    }
}

#[cfg(test)]
mod tests;
