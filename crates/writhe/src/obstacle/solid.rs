//! Convex solids: signed distance with its first two derivatives, each in its own frame.
//!
//! The distance to a convex set is a convex function, so along an edge it has one minimum, and the
//! plane through the nearest point of the surface bounds it from below everywhere (which `sweep.rs`
//! uses). Outside, the first derivatives are continuous.

use glam::{DMat3, DVec3};

use crate::kernels::distance::outer;

/// A convex solid in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// All points with z < 0.
    HalfSpace,
    /// Ball around the origin.
    Sphere {
        /// Radius, m.
        radius: f64,
    },
    /// Points nearer than `radius` to the segment from -`half_length` to `half_length` on the z
    /// axis.
    Capsule {
        /// Radius, m.
        radius: f64,
        /// Half of the length without the caps, m.
        half_length: f64,
    },
    /// Circular cylinder about the z axis, with flat ends.
    Cylinder {
        /// Radius, m.
        radius: f64,
        /// Half of its length, m.
        half_length: f64,
    },
    /// Box with faces normal to the axes.
    Box {
        /// Half of its sides, m.
        half: DVec3,
    },
}

/// Signed distance at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SurfacePoint {
    /// phi, m; negative inside.
    pub distance: f64,
    /// Its gradient, a unit vector.
    pub normal: DVec3,
    /// Its Hessian, 1/m.
    pub curvature: DMat3,
}

impl Solid {
    /// Signed distance of `x`, m.
    pub fn distance(&self, x: DVec3) -> f64 {
        self.at(x).distance
    }

    /// Signed distance at `x`, m, with derivatives.
    pub(crate) fn at(&self, x: DVec3) -> SurfacePoint {
        match *self {
            Self::HalfSpace => flat(x.z, DVec3::Z),
            Self::Sphere { radius } => round(x, DMat3::IDENTITY, radius),
            Self::Capsule {
                radius,
                half_length,
            } => {
                let end = x.z.clamp(-half_length, half_length);
                // Beside the axis nothing curves along it; beyond an end there is a ball.
                let across = if end == x.z {
                    DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0))
                } else {
                    DMat3::IDENTITY
                };
                round(x - end * DVec3::Z, across, radius)
            }
            Self::Cylinder {
                radius,
                half_length,
            } => cylinder(x, radius, half_length),
            Self::Box { half } => cuboid(x, half),
        }
    }

    /// Where the edge [x0, x1] comes nearest: the fraction s of its length. Any such where it is
    /// not unique.
    ///
    /// Bisection on the slope of a convex function; to 1e-10 of the edge.
    pub(crate) fn nearest_on_edge(&self, [x0, x1]: [DVec3; 2]) -> f64 {
        let u = x1 - x0;
        let falls = |s: f64| self.at(x0 + s * u).normal.dot(u) < 0.0;
        if !falls(0.0) {
            return 0.0;
        }
        if falls(1.0) {
            return 1.0;
        }
        let (mut low, mut high) = (0.0, 1.0);
        while high - low > 1e-10 {
            let middle = 0.5 * (low + high);
            if falls(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }

    /// Largest distance of its surface from its origin, m; infinite for a half-space.
    pub fn extent(&self) -> f64 {
        match *self {
            Self::HalfSpace => f64::INFINITY,
            Self::Sphere { radius } => radius,
            Self::Capsule {
                radius,
                half_length,
            } => half_length + radius,
            Self::Cylinder {
                radius,
                half_length,
            } => half_length.hypot(radius),
            Self::Box { half } => half.length(),
        }
    }

    /// Half the sides of a box around it, m; infinite for a half-space.
    pub fn reach(&self) -> DVec3 {
        match *self {
            Self::HalfSpace => DVec3::INFINITY,
            Self::Sphere { radius } => DVec3::splat(radius),
            Self::Capsule {
                radius,
                half_length,
            } => DVec3::new(radius, radius, half_length + radius),
            Self::Cylinder {
                radius,
                half_length,
            } => DVec3::new(radius, radius, half_length),
            Self::Box { half } => half,
        }
    }
}

fn flat(distance: f64, normal: DVec3) -> SurfacePoint {
    SurfacePoint {
        distance,
        normal,
        curvature: DMat3::ZERO,
    }
}

/// Offset `delta` from a skeleton that is straight along what `across` drops.
fn round(delta: DVec3, across: DMat3, radius: f64) -> SurfacePoint {
    let length = delta.length();
    if length == 0.0 {
        // On the skeleton every direction leads out equally far.
        return flat(-radius, DVec3::X);
    }
    let normal = delta / length;
    SurfacePoint {
        distance: length - radius,
        normal,
        curvature: (across - outer(normal, normal)) * (1.0 / length),
    }
}

fn cylinder(x: DVec3, radius: f64, half_length: f64) -> SurfacePoint {
    let rho = x.x.hypot(x.y);
    let radial = if rho > 0.0 {
        DVec3::new(x.x, x.y, 0.0) / rho
    } else {
        DVec3::X
    };
    let axial = DVec3::Z * x.z.signum();
    let (out, up) = (rho - radius, x.z.abs() - half_length);
    let around = || {
        let side = radial.cross(DVec3::Z);
        // Hess rho
        outer(side, side) * (1.0 / rho)
    };
    if out > 0.0 && up > 0.0 {
        // Nearest is the rim.
        let distance = out.hypot(up);
        let normal = (out * radial + up * axial) / distance;
        // Hess hypot(out, up) = along along^T/distance + out/distance Hess rho
        let along = (out * axial - up * radial) / distance;
        SurfacePoint {
            distance,
            normal,
            curvature: outer(along, along) * (1.0 / distance) + around() * (out / distance),
        }
    } else if out > up && rho > 0.0 {
        SurfacePoint {
            distance: out,
            normal: radial,
            curvature: around(),
        }
    } else {
        flat(up, axial)
    }
}

fn cuboid(x: DVec3, half: DVec3) -> SurfacePoint {
    let sign = DVec3::from_array(x.to_array().map(f64::signum));
    let excess = x.abs() - half;
    let out = excess.max(DVec3::ZERO);
    let distance = out.length();
    if distance == 0.0 {
        // Inside: the nearest face.
        let deepest = excess.max_element();
        let axis = (0..3).find(|k| excess[*k] == deepest).unwrap_or(0);
        let mut normal = DVec3::ZERO;
        normal[axis] = sign[axis];
        return flat(deepest, normal);
    }
    let normal = out * sign / distance;
    // Nothing curves along coordinates within the faces: face, edge and corner in one formula.
    let outside = DVec3::from_array(out.to_array().map(|d| f64::from(d > 0.0)));
    SurfacePoint {
        distance,
        normal,
        curvature: (DMat3::from_diagonal(outside) - outer(normal, normal)) * (1.0 / distance),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;
    use crate::obstacle::testing::{check_gradient, check_hessian};

    const ALL: [Solid; 5] = [
        Solid::HalfSpace,
        Solid::Sphere { radius: 0.4 },
        Solid::Capsule {
            radius: 0.3,
            half_length: 0.5,
        },
        Solid::Cylinder {
            radius: 0.5,
            half_length: 0.4,
        },
        Solid::Box {
            half: DVec3::new(0.3, 0.5, 0.4),
        },
    ];

    #[test]
    fn derivatives_agree_with_differences() {
        let mut random = Random(1);
        for solid in ALL {
            let mut tested = 0;
            for _ in 0..400 {
                let x = 1.5 * random.vector();
                let at = solid.at(x);
                // Second derivatives jump where the nearest feature changes.
                let step = 2e-4;
                let smooth = (0..6).all(|i| {
                    let mut y = x;
                    y[i / 2] += 3.0 * step * (1.0 - 2.0 * (i % 2) as f64);
                    let moved = solid.at(y).curvature.to_cols_array();
                    let here = at.curvature.to_cols_array();
                    moved.iter().zip(here).all(|(a, b)| (a - b).abs() < 0.2)
                });
                if at.distance < 0.1 || !smooth {
                    continue;
                }
                tested += 1;
                let edge = [x, DVec3::ZERO];
                check_gradient(
                    edge,
                    step,
                    |e| solid.distance(e[0]),
                    &[at.normal, DVec3::ZERO],
                );
                let normal = |e: [DVec3; 2]| [solid.at(e[0]).normal, DVec3::ZERO];
                check_hessian(edge, step, normal, |k, l| {
                    if k + l == 0 {
                        at.curvature
                    } else {
                        DMat3::ZERO
                    }
                });
                assert!((at.normal.length() - 1.0).abs() < 1e-14);
            }
            assert!(tested > 100, "{solid:?}: {tested} points");
        }
    }

    /// Distance of nearby surface points found without the formula: march along the normal, which
    /// must lead to the surface.
    #[test]
    fn distance_and_normal_lead_to_the_surface() {
        let mut random = Random(2);
        for solid in ALL {
            for _ in 0..200 {
                let x = 1.5 * random.vector();
                let at = solid.at(x);
                let foot = x - at.distance * at.normal;
                assert!(solid.distance(foot).abs() < 1e-12, "{solid:?} at {x}");
                // Lipschitz: no point is nearer than |difference of distances|.
                let y = 1.5 * random.vector();
                assert!((solid.distance(y) - at.distance).abs() <= x.distance(y) + 1e-12);
                // Convex: the plane at the foot bounds the distance from below.
                assert!(solid.distance(y) >= at.distance + at.normal.dot(y - x) - 1e-12);
            }
        }
    }

    #[test]
    fn nearest_point_of_an_edge_is_a_minimum() {
        let mut random = Random(4);
        for solid in ALL {
            for _ in 0..100 {
                let (a, b) = (1.5 * random.vector(), 1.5 * random.vector());
                let s = solid.nearest_on_edge([a, b]);
                let at = |s: f64| solid.distance(a + s * (b - a));
                let best = at(s);
                assert!((0..=100).all(|i| at(f64::from(i) / 100.0) >= best - 1e-11));
            }
        }
    }
}
