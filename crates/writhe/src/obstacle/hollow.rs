//! Thin walls of revolution about the z axis that a rod may run through or lie in: tube, funnel and
//! cavity.
//!
//! A wall has two sides and no thickness. Its distance grows on both sides, and its gradient points
//! away from it, so a rod touches the inside, the outside and the rim where its radius meets the
//! wall. In the half plane (rho, z) of a point the wall is one segment (or one arc), and the nearest
//! point of the wall lies in that half plane.
//!
//! Seen from inside, the distance from the wall, carried on beyond the ends, is a concave function:
//! along an edge it is least at a node, and along a straight way at one of its ends. Seen from
//! outside it is convex, as for solids. Both bound the way of a node (`sweep/hollow.rs`).

use glam::{DMat3, DVec3};

use crate::kernels::distance::outer;
use crate::obstacle::solid::SurfacePoint;

/// A thin wall in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hollow {
    /// Wall about the z axis, open at both ends. Its radius goes from `radii[0]` at -`half_length`
    /// to `radii[1]` at `half_length`: a tube if they are equal.
    Funnel {
        /// Radii at both ends, m.
        radii: [f64; 2],
        /// Half of its length along the axis, m.
        half_length: f64,
    },
    /// Spherical shell around the origin.
    Cavity {
        /// Radius, m.
        radius: f64,
    },
}

impl Hollow {
    /// Distance of `x` from the wall with derivatives, never negative. Where it has none, on the
    /// wall and at the same distance all around, any direction that leads away.
    pub(crate) fn at(&self, x: DVec3) -> SurfacePoint {
        match *self {
            Self::Funnel { radii, half_length } => funnel(x, radii, half_length),
            Self::Cavity { radius } => cavity(x, radius),
        }
    }

    /// Distance from the wall on its inner side, m, the wall being carried on beyond its ends, and
    /// the gradient: negative outside, concave, and never more than the distance in magnitude.
    pub(crate) fn inside(&self, x: DVec3) -> (f64, DVec3) {
        match *self {
            Self::Funnel { radii, half_length } => {
                let [along_rho, along_z] = slope(radii, half_length);
                let rho = x.x.hypot(x.y);
                // From the line through (r0, -L) with the inward normal (-t_z, t_rho).
                let depth = along_z * (radii[0] - rho) + along_rho * (x.z + half_length);
                (depth, along_rho * DVec3::Z - along_z * radial(x, rho))
            }
            Self::Cavity { radius } => {
                let r = x.length();
                (radius - r, -x.normalize_or(DVec3::X))
            }
        }
    }

    /// Where the edge passes through the wall, if it does.
    pub(crate) fn pierced_by(&self, [a, b]: [DVec3; 2]) -> Option<DVec3> {
        // rho^2 - r(z)^2, or r^2 - R^2, is a polynomial of second degree along the edge.
        let u = b - a;
        let (q, within): ([f64; 3], f64) = match *self {
            Self::Funnel { radii, half_length } => {
                let growth = 0.5 * (radii[1] - radii[0]) / half_length;
                let (r, dr) = (radii[0] + growth * (a.z + half_length), growth * u.z);
                let (at, du) = (a.truncate(), u.truncate());
                let square = du.length_squared() - dr * dr;
                let linear = at.dot(du) - r * dr;
                ([square, linear, at.length_squared() - r * r], half_length)
            }
            Self::Cavity { radius } => (
                [
                    u.length_squared(),
                    a.dot(u),
                    a.length_squared() - radius * radius,
                ],
                f64::INFINITY,
            ),
        };
        let places = roots(q).into_iter().flatten();
        let places = places.filter(|s| (0.0..=1.0).contains(s));
        places.map(|s| a + s * u).find(|x| x.z.abs() <= within)
    }

    /// Smallest radius of what it holds, m.
    pub fn narrowest(&self) -> f64 {
        match *self {
            Self::Funnel { radii: [a, b], .. } => a.min(b),
            Self::Cavity { radius } => radius,
        }
    }

    /// Largest distance of the wall from its origin, m.
    pub fn extent(&self) -> f64 {
        match *self {
            Self::Funnel {
                radii: [a, b],
                half_length,
            } => half_length.hypot(a.max(b)),
            Self::Cavity { radius } => radius,
        }
    }
}

/// Unit vector along the wall in the half plane, (rho, z), upwards.
fn slope(radii: [f64; 2], half_length: f64) -> [f64; 2] {
    let [rho, z] = [radii[1] - radii[0], 2.0 * half_length];
    let length = rho.hypot(z);
    [rho / length, z / length]
}

fn radial(x: DVec3, rho: f64) -> DVec3 {
    if rho > 0.0 {
        DVec3::new(x.x, x.y, 0.0) / rho
    } else {
        DVec3::X
    }
}

fn funnel(x: DVec3, radii: [f64; 2], half_length: f64) -> SurfacePoint {
    let t = slope(radii, half_length);
    let length = (2.0 * half_length).hypot(radii[1] - radii[0]);
    let rho = x.x.hypot(x.y);
    let from = [rho - radii[0], x.z + half_length];
    let along = from[0] * t[0] + from[1] * t[1];
    let held = along.clamp(0.0, length);
    let off = [from[0] - held * t[0], from[1] - held * t[1]];
    let distance = off[0].hypot(off[1]);
    // On the wall: inwards.
    let n = if distance > 0.0 {
        off.map(|v| v / distance)
    } else {
        [-t[1], t[0]]
    };
    let out = radial(x, rho);
    let normal = n[0] * out + n[1] * DVec3::Z;
    // Around the axis the normal turns with the point: Hess rho = e_phi e_phi^T/rho.
    let around = if rho > 0.0 {
        let side = DVec3::Z.cross(out);
        outer(side, side) * (n[0] / rho)
    } else {
        DMat3::ZERO
    };
    // Beyond an end the nearest point is the rim: a circle around it in the half plane.
    let turning = if held == along || distance == 0.0 {
        DMat3::ZERO
    } else {
        let across = n[0] * DVec3::Z - n[1] * out;
        outer(across, across) * (1.0 / distance)
    };
    SurfacePoint {
        distance,
        normal,
        curvature: around + turning,
    }
}

fn cavity(x: DVec3, radius: f64) -> SurfacePoint {
    let r = x.length();
    let out = x.normalize_or(DVec3::X);
    let sign = if r > radius { 1.0 } else { -1.0 };
    let curvature = if r > 0.0 {
        (DMat3::IDENTITY - outer(out, out)) * (sign / r)
    } else {
        DMat3::ZERO
    };
    SurfacePoint {
        distance: (r - radius).abs(),
        normal: sign * out,
        curvature,
    }
}

/// Real roots of a s^2 + 2 b s + c.
fn roots([a, b, c]: [f64; 3]) -> [Option<f64>; 2] {
    let disc = b * b - a * c;
    if disc.is_nan() || disc < 0.0 {
        return [None; 2];
    }
    // Without cancellation: the larger one first, the other from the product.
    let large = -(b + disc.sqrt().copysign(b));
    let finite = |s: f64| s.is_finite().then_some(s);
    [finite(large / a), finite(c / large)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;
    use crate::obstacle::testing::{check_gradient, check_hessian};

    const ALL: [Hollow; 4] = [
        Hollow::Funnel {
            radii: [0.5, 0.5],
            half_length: 0.6,
        },
        Hollow::Funnel {
            radii: [0.2, 0.7],
            half_length: 0.5,
        },
        Hollow::Funnel {
            radii: [0.6, 0.3],
            half_length: 0.4,
        },
        Hollow::Cavity { radius: 0.7 },
    ];

    #[test]
    fn derivatives_agree_with_differences_on_both_sides_and_beyond_the_ends() {
        let mut random = Random(1);
        for hollow in ALL {
            let (mut inside, mut outside, mut beyond) = (0, 0, 0);
            for _ in 0..600 {
                let x = 1.1 * random.vector();
                let at = hollow.at(x);
                // Second derivatives jump where the rim takes over, and there are none on the
                // wall and the axis.
                let step = 2e-4;
                let smooth = (0..6).all(|i| {
                    let mut y = x;
                    y[i / 2] += 3.0 * step * (1.0 - 2.0 * (i % 2) as f64);
                    let moved = hollow.at(y).curvature.to_cols_array();
                    let here = at.curvature.to_cols_array();
                    moved.iter().zip(here).all(|(a, b)| (a - b).abs() < 0.2)
                });
                if at.distance < 0.05 || x.x.hypot(x.y) < 0.1 || !smooth {
                    continue;
                }
                let (depth, gradient) = hollow.inside(x);
                inside += i32::from(depth > 0.0);
                outside += i32::from(depth < 0.0);
                beyond += i32::from(at.distance > depth.abs() + 1e-9);
                let edge = [x, DVec3::ZERO];
                let distance = |e: [DVec3; 2]| hollow.at(e[0]).distance;
                check_gradient(edge, step, distance, &[at.normal, DVec3::ZERO]);
                let depth_at = |e: [DVec3; 2]| hollow.inside(e[0]).0;
                check_gradient(edge, step, depth_at, &[gradient, DVec3::ZERO]);
                let normal = |e: [DVec3; 2]| [hollow.at(e[0]).normal, DVec3::ZERO];
                check_hessian(edge, step, normal, |k, l| {
                    if k + l == 0 {
                        at.curvature
                    } else {
                        DMat3::ZERO
                    }
                });
            }
            let open = matches!(hollow, Hollow::Funnel { .. });
            assert!(
                inside > 50 && outside > 50 && (beyond > 50 || !open),
                "{hollow:?}: {inside} {outside} {beyond}"
            );
        }
    }

    #[test]
    fn distances_lead_to_the_wall_and_bounds_hold() {
        let mut random = Random(2);
        for hollow in ALL {
            for _ in 0..400 {
                let (x, y) = (1.2 * random.vector(), 1.2 * random.vector());
                let at = hollow.at(x);
                let foot = x - at.distance * at.normal;
                assert!(hollow.at(foot).distance < 1e-12, "{hollow:?} at {x}");
                assert!((hollow.at(y).distance - at.distance).abs() <= x.distance(y) + 1e-12);
                // What bounds ways: concave, and never more than the distance.
                let (depth, gradient) = hollow.inside(x);
                assert!(depth.abs() <= at.distance + 1e-12);
                assert!(hollow.inside(y).0 <= depth + gradient.dot(y - x) + 1e-12);
            }
        }
    }

    #[test]
    fn edges_through_the_wall_are_found() {
        let mut random = Random(3);
        for hollow in ALL {
            let (mut through, mut free) = (0, 0);
            for _ in 0..300 {
                let edge = [random.vector(), random.vector()];
                let least = (0..=2000)
                    .map(|i| edge[0].lerp(edge[1], f64::from(i) / 2000.0))
                    .map(|x| hollow.at(x).distance)
                    .fold(f64::INFINITY, f64::min);
                let found = hollow.pierced_by(edge);
                if let Some(place) = found {
                    through += 1;
                    assert!(hollow.at(place).distance < 1e-12);
                } else if least < 1e-9 {
                    panic!("{hollow:?}: {edge:?} was missed");
                }
                let step = edge[0].distance(edge[1]) / 2000.0;
                if least > step {
                    free += 1;
                    assert!(found.is_none());
                }
            }
            assert!(through > 30 && free > 30, "{through} {free}");
        }
    }
}
