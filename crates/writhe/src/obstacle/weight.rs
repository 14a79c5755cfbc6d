//! Smooth factors between 0 and 1 that hand a contact over from a point inside an edge to the
//! edge's nodes.
//!
//! Where an edge lies along a straight line of the obstacle no point of it is the closest one;
//! there the nodes carry the contact, and what the edge adds must fade before its closest point
//! runs from one end to the other (the mollifier of Li et al. 2020, section 4.2).

use glam::{DMat3, DQuat, DVec3};

use crate::kernels::distance::outer;

/// Squared sine of the angle between edge and line below which the contact of the edge fades: 6
/// degrees.
const PARALLEL_SIN_SQ: f64 = 0.01;

/// A factor with its derivatives by the two nodes of an edge.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    /// Its value, in [0, 1].
    pub value: f64,
    /// Gradient by node, 1/m.
    pub gradient: [DVec3; 2],
    /// Blocks by nodes, 1/m^2.
    pub hessian: [[DMat3; 2]; 2],
}

impl Weight {
    /// The factor 1.
    pub const ONE: Self = Self {
        value: 1.0,
        gradient: [DVec3::ZERO; 2],
        hessian: [[DMat3::ZERO; 2]; 2],
    };

    /// f(x) of a scalar x with given derivatives by the nodes, f given as (f, f', f'').
    fn chain(
        (value, first, second): (f64, f64, f64),
        gradient: [DVec3; 2],
        hessian: [[DMat3; 2]; 2],
    ) -> Self {
        Self {
            value,
            gradient: gradient.map(|g| first * g),
            hessian: [0, 1].map(|k| {
                [0, 1].map(|l| hessian[k][l] * first + outer(second * gradient[k], gradient[l]))
            }),
        }
    }

    /// Product of two weights.
    pub fn times(&self, other: &Self) -> Self {
        let (a, b) = (self, other);
        Self {
            value: a.value * b.value,
            gradient: [0, 1].map(|k| a.gradient[k] * b.value + b.gradient[k] * a.value),
            hessian: [0, 1].map(|k| {
                [0, 1].map(|l| {
                    a.hessian[k][l] * b.value
                        + b.hessian[k][l] * a.value
                        + outer(a.gradient[k], b.gradient[l])
                        + outer(b.gradient[k], a.gradient[l])
                })
            }),
        }
    }

    /// This weight seen from a frame in which this one is rotated.
    pub(crate) fn rotated(&self, rotation: DQuat) -> Self {
        let r = DMat3::from_quat(rotation);
        Self {
            value: self.value,
            gradient: self.gradient.map(|g| r * g),
            hessian: self.hessian.map(|row| row.map(|m| r * m * r.transpose())),
        }
    }

    /// 0 where the edge is parallel to the unit vector `line`, 1 from 6 degrees on.
    pub fn crossing([x0, x1]: [DVec3; 2], line: DVec3) -> Self {
        let u = x1 - x0;
        let length = u.length();
        let t = u / length;
        let cos = t.dot(line);
        let x = (1.0 - cos * cos) / PARALLEL_SIN_SQ;
        if x.is_nan() || x >= 1.0 {
            return Self::ONE;
        }
        // dcos/du = (line - cos t)/|u|
        let slope = (line - cos * t) / length;
        // d2cos/du2 = -(slope t^T + t slope^T)/|u| - cos (I - t t^T)/|u|^2
        let curvature = (outer(slope, t) + outer(t, slope)) * (-1.0 / length)
            - (DMat3::IDENTITY - outer(t, t)) * (cos / (length * length));
        // x = (1 - cos^2)/0.01
        let factor = -2.0 / PARALLEL_SIN_SQ;
        let gradient = slope * (factor * cos);
        let hessian = (outer(slope, slope) + curvature * cos) * factor;
        let blocks = [[hessian, -hessian], [-hessian, hessian]];
        Self::chain(smooth_step(x), [-gradient, gradient], blocks)
    }

    /// Weight of an edge's point closest to the z axis: 1 where its height is at most `end - band`
    /// in magnitude, 0 from `end` on, m.
    pub fn within(end: f64, band: f64, [x0, x1]: [DVec3; 2]) -> Self {
        let plane = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0));
        // Seen along the axis: s of the edge's point that is nearest to it.
        let (a, u) = (plane * x0, plane * (x1 - x0));
        let uu = u.length_squared();
        let free = if uu > 0.0 { -a.dot(u) / uu } else { 0.0 };
        let s = free.clamp(0.0, 1.0);
        let rise = x1.z - x0.z;
        let height = x0.z + s * rise;
        let x = (end - height.abs()) / band;
        if x.is_nan() || x >= 1.0 {
            return Self::ONE;
        }
        // s M + N = 0 with M = u.u and N = a.u, differentiated twice.
        let (mut by, mut twice) = ([DVec3::ZERO; 2], [[DMat3::ZERO; 2]; 2]);
        if uu > 0.0 && free > 0.0 && free < 1.0 {
            let (grad_m, grad_n) = ([-2.0 * u, 2.0 * u], [u - a, a]);
            by = [0, 1].map(|k| -(s * grad_m[k] + grad_n[k]) / uu);
            let (hess_m, hess_n) = ([[2.0, -2.0], [-2.0, 2.0]], [[-2.0, 1.0], [1.0, 0.0]]);
            twice = [0, 1].map(|k| {
                [0, 1].map(|l| {
                    (outer(by[k], grad_m[l])
                        + outer(grad_m[k], by[l])
                        + plane * (s * hess_m[k][l] + hess_n[k][l]))
                        * (-1.0 / uu)
                })
            });
        }
        let weights = [1.0 - s, s];
        let sign = [-1.0, 1.0];
        // dz/dx_k = w_k e_z + (z_1 - z_0) ds/dx_k
        let gradient = [0, 1].map(|k| weights[k] * DVec3::Z + rise * by[k]);
        let hessian = [0, 1].map(|k| {
            [0, 1].map(|l| {
                twice[k][l] * rise
                    + outer(by[k], sign[l] * DVec3::Z)
                    + outer(sign[k] * DVec3::Z, by[l])
            })
        });
        let (value, first, second) = smooth_step(x.max(0.0));
        let chain = (
            value,
            -first * height.signum() / band,
            second / (band * band),
        );
        Self::chain(chain, gradient, hessian)
    }
}

/// 10 x^3 - 15 x^4 + 6 x^5 with two derivatives: from 0 to 1 with both zero at the ends.
fn smooth_step(x: f64) -> (f64, f64, f64) {
    let y = 1.0 - x;
    (
        x * x * x * (10.0 - x * (15.0 - 6.0 * x)),
        30.0 * x * x * y * y,
        60.0 * x * y * (1.0 - 2.0 * x),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;
    use crate::obstacle::testing::{check_gradient, check_hessian, edge_from};

    fn check(edge: [DVec3; 2], weight: impl Fn([DVec3; 2]) -> Weight, step: f64) {
        let at = weight(edge);
        check_gradient(edge, step, |e| weight(e).value, &at.gradient);
        check_hessian(edge, step, |e| weight(e).gradient, |k, l| at.hessian[k][l]);
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let mut random = Random(3);
        let mut fading = 0;
        for _ in 0..200 {
            let angle = random.range(0.002, 0.12);
            let edge = edge_from(&mut random, DVec3::new(angle.sin(), 0.0, angle.cos()));
            let parallel = |e| Weight::crossing(e, DVec3::Z);
            check(edge, parallel, 1e-5);
            // Its closest point to the axis is inside, its height anywhere.
            let centre = random.vector();
            let crossing = [
                DVec3::new(-0.6, 0.2, -0.3) + 0.1 * centre,
                DVec3::new(0.5, 0.3, 0.4) + 0.1 * random.vector(),
            ];
            let end = random.range(0.1, 0.4);
            let band = |e| Weight::within(end, 0.2, e);
            check(crossing, band, 1e-4);
            check(
                crossing,
                |e| band(e).times(&Weight::crossing(e, DVec3::X)),
                1e-4,
            );
            fading += i32::from(band(crossing).value < 1.0 && band(crossing).value > 0.0);
        }
        assert!(fading > 100, "{fading} of 200 in the band");
    }

    #[test]
    fn parallel_edges_have_none_and_crossing_ones_all() {
        let along = [DVec3::new(0.3, 0.1, 0.0), DVec3::new(0.3, 0.1, 1.0)];
        assert_eq!(Weight::crossing(along, DVec3::Z).value, 0.0);
        let across = [DVec3::ZERO, DVec3::new(0.2, 0.0, 1.0)];
        assert_eq!(Weight::crossing(across, DVec3::Z).value, 1.0);
        let outside = [DVec3::new(-1.0, 0.1, 0.5), DVec3::new(1.0, 0.1, 0.5)];
        assert_eq!(Weight::within(0.4, 0.1, outside).value, 0.0);
        assert_eq!(Weight::within(0.7, 0.1, outside).value, 1.0);
    }
}
