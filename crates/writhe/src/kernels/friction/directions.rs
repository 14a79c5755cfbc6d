//! Friction that differs along, against and across a rod, as that of a snake's scales.
//!
//! With the direction of slip w = Gamma s/|s|, |w| <= 1, the rod's direction tau in the plane of
//! contact and b = n x tau (Hu, Nirody, Scott and Shelley 2009, there with a step for the sign of
//! w . tau)
//!
//! ```text
//! f/F_n = -g(w . tau) tau - mu_across (w . b) b,
//! g(x)  = (mu_f + mu_b)/2 x + (mu_f - mu_b)/2 psi(x),   psi(x) = (sqrt(x^2 + e^2) - e)/(sqrt(1 + e^2) - e)
//! ```
//!
//! psi is |x| made smooth, convex, with psi(0) = 0 and psi(1) = 1: sliding straight along, against
//! or across gives exactly the three coefficients, and |psi(x)| <= |x| makes g(x) x >= 0, so friction
//! never does positive work: -f . s = F_n |s|/Gamma (g(x) x + mu_across (w . b)^2) >= 0.
//!
//! The force is not the gradient of a potential of the slip: its slope is not symmetric.

use glam::{DMat3, DVec3};

use crate::error::{ModelError, check};
use crate::kernels::distance::outer;
use crate::kernels::friction::traction::Traction;

/// e: part of full sliding over which forward goes over into backward.
const SMOOTH: f64 = 0.01;

/// Coefficients of friction by direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Directions {
    /// mu_f: the rod slides towards its last node.
    pub forward: f64,
    /// mu_b: it slides towards its first node.
    pub backward: f64,
    /// Across it slides.
    pub across: f64,
}

/// A traction by directions, and what it changes by as these turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Directed {
    /// With its slope by the slip, which is not symmetric.
    pub traction: Traction,
    /// Its derivatives by tau and by b.
    pub by_axes: [DMat3; 2],
}

impl Directions {
    /// The largest of the three.
    pub fn largest(&self) -> f64 {
        self.forward.max(self.backward).max(self.across)
    }

    pub(crate) fn check(&self) -> Result<(), ModelError> {
        let all = [self.forward, self.backward, self.across];
        all.into_iter().try_for_each(|mu| {
            check(
                "a friction coefficient by direction",
                mu,
                mu.is_finite() && mu >= 0.0,
                "finite and not negative",
            )
        })
    }

    /// g(x) and g'(x).
    fn along(&self, x: f64) -> (f64, f64) {
        let (mean, half) = (
            0.5 * (self.forward + self.backward),
            0.5 * (self.forward - self.backward),
        );
        let root = x.hypot(SMOOTH);
        let scale = half / (1.0_f64.hypot(SMOOTH) - SMOOTH);
        (mean * x + scale * (root - SMOOTH), mean + scale * x / root)
    }

    /// The traction where one with the coefficient 1 has the value -w and its slope; `axes` are tau
    /// and b.
    pub(crate) fn traction(&self, unit: &Traction, [tau, side]: [DVec3; 2]) -> Directed {
        let w = -unit.value;
        let across = self.across * w.dot(side);
        let (along, slope) = self.along(w.dot(tau));
        let turned = |axis: DVec3, force: f64, slope: f64| {
            outer(axis, slope * w) + DMat3::from_diagonal(DVec3::splat(force))
        };
        Directed {
            traction: Traction {
                value: -along * tau - across * side,
                // dw/ds is minus the slope of the unit traction.
                slope: (outer(tau, slope * tau) + outer(side, self.across * side)) * unit.slope,
            },
            by_axes: [
                turned(tau, along, slope) * -1.0,
                turned(side, across, self.across) * -1.0,
            ],
        }
    }

    /// Coefficient at full sliding along a unit vector.
    pub(crate) fn at(&self, direction: DVec3, [tau, side]: [DVec3; 2]) -> f64 {
        let (along, _) = self.along(direction.dot(tau));
        along.hypot(self.across * direction.dot(side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::friction::traction::Weight;
    use crate::kernels::testing::Random;

    const SCALES: Directions = Directions {
        forward: 0.11,
        backward: 0.14,
        across: 0.2,
    };
    const AXES: [DVec3; 2] = [DVec3::X, DVec3::Y];

    fn at(directions: &Directions, s: DVec3, axes: [DVec3; 2]) -> Directed {
        let unit = Traction::new(Weight::Tanh, 1.0, s, 0.3);
        directions.traction(&unit, axes)
    }

    #[test]
    fn straight_slides_have_their_coefficients() {
        for (s, f) in [
            (DVec3::X, -0.11 * DVec3::X),
            (-DVec3::X, 0.14 * DVec3::X),
            (DVec3::Y, -0.2 * DVec3::Y),
            (-DVec3::Y, 0.2 * DVec3::Y),
        ] {
            let found = at(&SCALES, 9.0 * s, AXES).traction.value;
            assert!((found - f).length() < 1e-14, "{found} for {f}");
        }
    }

    /// Whatever the coefficients, friction never drives.
    #[test]
    fn power_is_never_positive() {
        let mut random = Random(7);
        for _ in 0..2000 {
            let [f, b, a] = [0; 3].map(|_| random.range(0.0, 1.0).powi(3));
            let directions = Directions {
                forward: f,
                backward: if random.range(-1.0, 1.0) > 0.5 {
                    0.0
                } else {
                    b
                },
                across: a,
            };
            let s = DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), 0.0)
                * random.range(0.0, 2.0);
            let power = at(&directions, s, AXES).traction.value.dot(s);
            assert!(power <= 1e-16, "{directions:?} at {s}: {power}");
        }
    }

    #[test]
    fn equal_coefficients_are_plain_friction() {
        let same = Directions {
            forward: 0.3,
            backward: 0.3,
            across: 0.3,
        };
        let s = DVec3::new(0.1, -0.2, 0.0);
        let (ours, plain) = (
            at(&same, s, AXES).traction,
            Traction::new(Weight::Tanh, 0.3, s, 0.3),
        );
        assert!((ours.value - plain.value).length() < 1e-15);
        // In the plane of contact.
        for axis in AXES {
            assert!((ours.slope * axis - plain.slope * axis).length() < 1e-14);
        }
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let mut random = Random(8);
        let step = 1e-5;
        for _ in 0..50 {
            let s = DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), 0.0) * 0.4;
            let here = at(&SCALES, s, AXES);
            for axis in AXES {
                let by = |f: &dyn Fn(f64) -> DVec3| (f(step) - f(-step)) / (2.0 * step);
                let slope = by(&|h| at(&SCALES, s + h * axis, AXES).traction.value);
                assert!((slope - here.traction.slope * axis).length() < 1e-5);
                for k in 0..2 {
                    let turned = by(&|h| {
                        let mut axes = AXES;
                        axes[k] += h * axis;
                        at(&SCALES, s, axes).traction.value
                    });
                    assert!((turned - here.by_axes[k] * axis).length() < 1e-8);
                }
            }
        }
    }
}
