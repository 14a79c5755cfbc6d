//! Integrals over one regularised Stokeslet segment, free of cancellation.
//!
//! With v = y0 - y1, r(alpha) = x - y0 + alpha v and R^2 = |r|^2 + eps^2, the segment needs
//! `T_{m,q} = int_0^1 alpha^m R^q d alpha` (Cortez 2018, Eq. 15; Tong et al. 2022, Eq. A.5; the
//! edge vector in those recursions has to be v, not the edge e = -v). The published recursions
//! subtract nearly equal numbers whenever the point is a few lengths away or beyond an end on the
//! axis. Here the same integrals are written as sums of terms of one sign, so that no quadrature
//! for far edges is needed.
//!
//! # Derivation
//!
//! Let L = |v|, t = v/L, h = L/2, s = L (alpha - 1/2), r_c = r(1/2), z_c = r_c.t, so that
//! `R^2 = |r_c|^2 + eps^2 + 2 z_c s + s^2`. With R0, R1 at the two ends, P = R0 R1 and
//! `u = L / (R0 + R1)` (in (0, 1); for eps = 0 it is the eccentricity of the ellipsoid through x
//! with the two ends as foci), the identities `R1 - R0 = 2 z_c u` and
//! `int ds/R = ln((R0+R1+L)/(R0+R1-L)) = 2 atanh u` turn the centred moments
//! `K_{k,q} = int_{-h}^{h} s^k R^q ds` into
//!
//! ```text
//! c     = 2 / (P (1 - u^2))
//! K0,-1 =  2 (u + g)                      g = atanh u - u           = u^3/3 + u^5/5 + ...
//! K1,-1 = -2 z_c g                        k = atanh u - u - u^3/3   = u^5/5 + u^7/7 + ...
//! K0,-3 =  u c
//! K1,-3 = -z_c u^3 c
//! K2,-3 =  2 g + z_c^2 u^5 c
//! K3,-3 = -z_c (6 k + z_c^2 u^7 c)
//! ```
//!
//! Each is a sum of terms of one sign. For u <= 1/2 ("far": the point lies outside the ellipsoid
//! R0 + R1 = 2 L) g and k come from a polynomial in u^2. For u > 1/2 ("near") the moments about the
//! foot of the perpendicular, z = z_c + s, are used instead: they stay accurate however small eps /
//! L is,
//!
//! ```text
//! n0 = 2 atanh u, n1 = R1 - R0, N0 = u c, N1 = (R1 - R0)/P, N2 = n0 - rho^2 N0, N3 = n1 - rho^2 N1
//! ```
//!
//! with rho the regularised distance from the axis, and R0 + R1 - L formed from rho^2 without
//! cancellation.

use glam::{DMat3, DVec3};

/// Above this value of u = L / (R0 + R1) the moments about the foot of the perpendicular are used.
pub(super) const NEAR: f64 = 0.5;

/// E(w) = sum_k w^k / (2 k + 5) on 0 <= w <= 1/4, so that `atanh u = u + u^3/3 + u^5 E(u^2)`;
/// Chebyshev interpolation of degree 12, relative error below 5e-16.
pub(super) const ATANH_TAIL: [f64; 13] = [
    0.20000000000000007,
    0.14285714285703813,
    0.11111111113448685,
    0.09090908886541003,
    0.07692316942686514,
    0.06666418545375202,
    0.058866018866016556,
    0.05214751570449889,
    0.05135535815725408,
    0.02398419549599466,
    0.1068946137267647,
    -0.10363946899260351,
    0.18528845155565443,
];

/// The six integrals `t{m}_{q}` = int_0^1 alpha^m R^-q d alpha of a segment, in units of length^-q.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// T_{0,-1}, 1/m.
    pub t0_1: f64,
    /// T_{0,-3}, 1/m^3.
    pub t0_3: f64,
    /// T_{1,-1}, 1/m.
    pub t1_1: f64,
    /// T_{1,-3}, 1/m^3.
    pub t1_3: f64,
    /// T_{2,-3}, 1/m^3.
    pub t2_3: f64,
    /// T_{3,-3}, 1/m^3.
    pub t3_3: f64,
}

/// Moments of a segment seen from one point. See the module text for the notation.
enum Moments {
    /// u <= 1/2: moments of s, about the middle of the segment.
    Centred { q1: [f64; 2], q3: [f64; 4] },
    /// u > 1/2: moments of z, about the foot of the perpendicular; `z0`, `z1` are the ends.
    Foot {
        q1: [f64; 2],
        q3: [f64; 4],
        z0: f64,
        z1: f64,
    },
}

/// A segment and a point: everything that both the coefficients and the blocks start from.
struct View {
    length: f64,
    tangent: DVec3,
    middle: DVec3,
    axial: f64,
    moments: Moments,
}

fn atanh_tail(w: f64) -> f64 {
    ATANH_TAIL
        .iter()
        .rev()
        .fold(0.0, |sum, c| sum.mul_add(w, *c))
}

impl View {
    fn new(point: DVec3, y0: DVec3, y1: DVec3, epsilon: f64) -> Self {
        let v = y0 - y1;
        let length = v.length();
        let tangent = v / length;
        let middle = point - 0.5 * (y0 + y1);
        let axial = middle.dot(tangent);
        let eps_sq = epsilon * epsilon;
        // R at alpha = 0, that is at y0, and at alpha = 1.
        let half = 0.5 * v;
        let r0 = ((middle - half).length_squared() + eps_sq).sqrt();
        let r1 = ((middle + half).length_squared() + eps_sq).sqrt();
        let sum = r0 + r1;
        let u = length / sum;
        let moments = if u <= NEAR {
            centred_moments(u, axial, r0 * r1)
        } else {
            let rho_sq = (middle - axial * tangent).length_squared() + eps_sq;
            foot_moments(length, axial, rho_sq, r0, r1)
        };
        Self {
            length,
            tangent,
            middle,
            axial,
            moments,
        }
    }
}

fn centred_moments(u: f64, axial: f64, product: f64) -> Moments {
    let w = u * u;
    let u3 = u * w;
    let tail = atanh_tail(w);
    // g = atanh u - u = u^3 (1/3 + u^2 E(u^2)), c = 2/(P (1 - u^2))
    let g = u3 * (1.0 / 3.0 + w * tail);
    let c = 2.0 / (product * (1.0 - w));
    // z_c^2 u^5 c
    let bend = axial * axial * u3 * w * c;
    // K0,-1 and K1,-1; then K0,-3 to K3,-3, with k = u^5 E(u^2)
    Moments::Centred {
        q1: [2.0 * (u + g), -2.0 * axial * g],
        q3: [
            u * c,
            -axial * u3 * c,
            2.0 * g + bend,
            -axial * (6.0 * u3 * w * tail + w * bend),
        ],
    }
}

fn foot_moments(length: f64, axial: f64, rho_sq: f64, r0: f64, r1: f64) -> Moments {
    let half = 0.5 * length;
    let sum = r0 + r1;
    let product = r0 * r1;
    // R0 + R1 - L, from the ends nearer to and farther from the point along the axis.
    let near = axial.abs() - half;
    let (r_near, r_far) = if axial >= 0.0 { (r0, r1) } else { (r1, r0) };
    let q_near = r_near + near.abs();
    let q_far = r_far + (axial.abs() + half);
    // R - |z| = rho^2/(R + |z|): at the near end where the foot lies within the segment.
    let from_near = if near < 0.0 { rho_sq / q_near } else { q_near };
    let excess = from_near + rho_sq / q_far;
    let difference = 2.0 * axial * length / sum;
    // n0 = 2 atanh u, N0 = 2 L (R0 + R1)/(P ((R0 + R1)^2 - L^2)), N1 = n1/P, n1 = R1 - R0 = 2 z_c u
    let n0 = ((sum + length) / excess).ln();
    let m0 = 2.0 * length * sum / (product * excess * (sum + length));
    let m1 = difference / product;
    Moments::Foot {
        q1: [n0, difference],
        q3: [m0, m1, n0 - rho_sq * m0, difference - rho_sq * m1],
        z0: axial - half,
        z1: axial + half,
    }
}

/// Integrals T_{m,q} of the segment from `y0` to `y1` with regularisation `epsilon`, seen from
/// `point` (metres).
///
/// Cortez 2018, Eq. 15 with v = y0 - y1. Relative error a few 1e-15 for every position of the
/// point. The segment must have a positive length, and `epsilon` must be positive where the point
/// can touch the segment.
pub fn coefficients(point: DVec3, y0: DVec3, y1: DVec3, epsilon: f64) -> Coefficients {
    let view = View::new(point, y0, y1, epsilon);
    let l = 1.0 / view.length;
    match view.moments {
        Moments::Centred { q1, q3 } => {
            // alpha = 1/2 + s/L: powers of it in the moments of s
            let q3 = [q3[0], q3[1] * l, q3[2] * l * l, q3[3] * l * l * l];
            Coefficients {
                t0_1: l * q1[0],
                t1_1: l * (0.5 * q1[0] + q1[1] * l),
                t0_3: l * q3[0],
                t1_3: l * (0.5 * q3[0] + q3[1]),
                t2_3: l * (0.25 * q3[0] + q3[1] + q3[2]),
                t3_3: l * (0.125 * q3[0] + 0.75 * q3[1] + 1.5 * q3[2] + q3[3]),
            }
        }
        Moments::Foot { q1, q3, z0, .. } => {
            // alpha = (z - z0)/L
            let z = -z0;
            Coefficients {
                t0_1: l * q1[0],
                t1_1: l * l * (q1[1] + z * q1[0]),
                t0_3: l * q3[0],
                t1_3: l * l * (q3[1] + z * q3[0]),
                t2_3: l * l * l * (q3[2] + z * (2.0 * q3[1] + z * q3[0])),
                t3_3: l.powi(4) * (q3[3] + z * (3.0 * q3[2] + z * (3.0 * q3[1] + z * q3[0]))),
            }
        }
    }
}

/// Blocks `[L M1, L M2]` (metres^0): a force density running linearly from f0 at `y0` to f1 at `y1`
/// (N/m) moves the fluid at `point` by `8 pi mu u = L M1 f0 + L M2 f1`.
///
/// Tong et al. 2022, Eq. A.7, with v = y0 - y1 in place of e. Both blocks are symmetric.
pub fn segment_blocks(point: DVec3, y0: DVec3, y1: DVec3, epsilon: f64) -> [DMat3; 2] {
    let view = View::new(point, y0, y1, epsilon);
    let eps_sq = epsilon * epsilon;
    let l = 1.0 / view.length;
    // Weights of f0 and f1 on a pair of consecutive moments.
    let (q1, q3, radius, weigh): (_, _, _, [[f64; 2]; 2]) = match view.moments {
        Moments::Centred { q1, q3 } => (q1, q3, view.middle, [[0.5, -l], [0.5, l]]),
        Moments::Foot { q1, q3, z0, z1 } => (
            q1,
            q3,
            view.middle - view.axial * view.tangent,
            [[z1 * l, -l], [-z0 * l, l]],
        ),
    };
    weigh.map(|[a, b]| {
        // u = int ((1/R + eps^2/R^3) f + r (r.f)/R^3) with r = radius + s t, or + z t
        let m = |k: usize| a * q3[k] + b * q3[k + 1];
        let iso = a * q1[0] + b * q1[1] + eps_sq * m(0);
        block(iso, [m(0), m(1), m(2)], radius, view.tangent)
    })
}

/// `iso I + m0 r r^T + m1 (r t^T + t r^T) + m2 t t^T`.
fn block(iso: f64, [m0, m1, m2]: [f64; 3], r: DVec3, t: DVec3) -> DMat3 {
    // (m0 r + m1 t) r^T + (m1 r + m2 t) t^T
    let a = m0 * r + m1 * t;
    let b = m1 * r + m2 * t;
    let column = |ri: f64, ti: f64| a * ri + b * ti;
    DMat3::from_diagonal(DVec3::splat(iso))
        + DMat3::from_cols(column(r.x, t.x), column(r.y, t.y), column(r.z, t.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    const F0: DVec3 = DVec3::new(1.0, 2.0, 3.0);
    const F1: DVec3 = DVec3::new(-1.0, 0.5, 2.0);

    /// On the surface R0 + R1 = 2 L the two sets of formulas meet.
    #[test]
    fn near_and_far_formulas_agree_where_they_meet() {
        let (y0, y1, epsilon) = (DVec3::ZERO, DVec3::X, 0.2);
        // R0 + R1 = 2 with foci at the ends: semi-axes 1 and sqrt(3)/2 in (x, rho).
        for angle in [0.3_f64, 1.0, 1.57, 2.0, 2.8] {
            let (x, rho_sq) = (0.5 + angle.cos(), 0.75 * angle.sin().powi(2));
            let point = DVec3::new(x, (rho_sq - epsilon * epsilon).max(0.0).sqrt(), 0.0);
            for change in [-1e-13, 1e-13] {
                let [a0, a1] = segment_blocks(point, y0, y1, epsilon);
                let moved = 0.5 * DVec3::X + (point - 0.5 * DVec3::X) * (1.0 + change);
                let [b0, b1] = segment_blocks(moved, y0, y1, epsilon);
                for (a, b) in [(a0, b0), (a1, b1)] {
                    let difference = (a - b)
                        .to_cols_array()
                        .iter()
                        .fold(0.0_f64, |m, d| m.max(d.abs()));
                    assert!(difference < 2e-12);
                }
            }
        }
    }

    /// The velocity field of a segment is solenoidal: central differences of second order.
    #[test]
    fn velocity_has_no_divergence() {
        let (y0, y1) = (DVec3::new(0.1, 0.2, 0.0), DVec3::new(0.9, -0.3, 0.4));
        let velocity = |x| {
            let [b0, b1] = segment_blocks(x, y0, y1, 0.1);
            b0 * F0 + b1 * F1
        };
        let divergence = |x: DVec3, h: f64| -> f64 {
            let slope =
                |a: DVec3, k: usize| (velocity(x + h * a) - velocity(x - h * a))[k] / (2.0 * h);
            slope(DVec3::X, 0) + slope(DVec3::Y, 1) + slope(DVec3::Z, 2)
        };
        for x in [DVec3::new(0.4, 0.1, 0.1), DVec3::new(1.5, 2.0, -1.0)] {
            let (coarse, fine) = (divergence(x, 0.02), divergence(x, 0.01));
            let order = (coarse / fine).log2();
            assert!((order - 2.0).abs() < 0.05, "{order}");
            assert!(((4.0 * fine - coarse) / 3.0).abs() < 0.02 * fine.abs());
        }
    }
}
