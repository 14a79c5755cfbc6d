//! Normal contact energy of the Implicit Contact Model (T22 Eq. 9), in the scaled form of its
//! appendix (Eq. B.1, B.2).
//!
//! With the contact distance r = h_i + h_j of two edges and the scale h = r/2, the energy of a pair
//! at distance D is k E(D/h, delta/h), in joules. The force k |E'|/h acts along the normal. T22's
//! unscaled energy k' E(D) of Eq. 9 has k = k' h^2. By the gap g = D - r the scaled distance is 2 +
//! g/h.

use crate::contact_model::law::{NormalLaw, Response};
use crate::contact_model::settings::{Stiffness, check_tolerance};
use crate::error::ModelError;
use crate::kernels::friction::Friction;

/// K1 times the tolerance (T22 Eq. 9): how sharply the energy turns on.
const SHARPNESS: f64 = 15.0;

/// Scaled distance at which surfaces touch.
const CONTACT: f64 = 2.0;

/// Scaled contact energy and its first two derivatives by the scaled distance (T22 Eq. B.1),
/// dimensionless.
///
/// The three branches of the paper, which meet to 4e-8, 3e-7 and 4e-6 of the value, slope and
/// curvature at 2 - `delta_tol_bar` (catalogue 4.1). Requires `delta_tol_bar` > 0.
pub fn energy(delta_bar: f64, delta_tol_bar: f64) -> (f64, f64, f64) {
    let depth = CONTACT - delta_bar;
    if delta_bar >= CONTACT + delta_tol_bar {
        // 0 from a gap of delta on, (2 - d)^2 deeper than delta, and in between what joins both.
        (0.0, 0.0, 0.0)
    } else if delta_bar <= CONTACT - delta_tol_bar {
        (depth * depth, -2.0 * depth, 2.0)
    } else {
        softplus_squared(depth, SHARPNESS / delta_tol_bar)
    }
}

/// (log(1 + exp(K1 depth))/K1)^2 with derivatives by the distance; |K1 depth| <= 15, so the
/// exponential is tame.
fn softplus_squared(depth: f64, k1: f64) -> (f64, f64, f64) {
    let exponential = (k1 * depth).exp();
    let softplus = exponential.ln_1p();
    let sigmoid = exponential / (1.0 + exponential);
    // E = length^2, length' = -sigma: E' = -2 length sigma,
    // E'' = 2 sigma (sigma + K1 length (1 - sigma))
    let length = softplus / k1;
    (
        length * length,
        -2.0 * length * sigmoid,
        2.0 * sigmoid * (sigmoid + softplus / (1.0 + exponential)),
    )
}

/// Parameters of the Implicit Contact Model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImcSettings {
    /// Contact tolerance delta over the radius h: forces act from a gap of `delta` on (T22 Eq. 9).
    pub tolerance: f64,
    /// Penalty stiffness.
    pub stiffness: Stiffness,
    /// Friction.
    pub friction: Friction,
}

impl Default for ImcSettings {
    /// Frictionless, delta = 0.01 h, automatic stiffness.
    fn default() -> Self {
        Self {
            tolerance: 0.01,
            stiffness: Stiffness::Automatic,
            friction: Friction::default(),
        }
    }
}

impl ImcSettings {
    pub(crate) fn check(&self) -> Result<(), ModelError> {
        check_tolerance(self.tolerance)?;
        self.stiffness.check()?;
        self.friction.check()
    }

    /// The law between surfaces of mean radius `radius`, m.
    pub(crate) fn law(&self, radius: f64, stiffness: f64) -> NormalLaw {
        NormalLaw::Imc(ImcLaw {
            scale: radius,
            tolerance: self.tolerance * radius,
            stiffness,
        })
    }
}

/// The law of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ImcLaw {
    /// h = (h_i + h_j)/2, in metres: T22's radius where both are equal.
    pub scale: f64,
    /// Gap delta where forces begin, in metres; positive.
    pub tolerance: f64,
    /// k, in joules: the energy is k E.
    pub stiffness: f64,
}

impl ImcLaw {
    /// Energy, force and stiffness at `gap`, m; negative where surfaces penetrate.
    pub(crate) fn evaluate(&self, gap: f64) -> Response {
        let h = self.scale;
        // By the gap: F_n = -k E'/h and k E''/h^2, at d = 2 + g/h
        let (value, first, second) = energy(CONTACT + gap / h, self.tolerance / h);
        Response {
            energy: self.stiffness * value,
            force: -self.stiffness * first / h,
            stiffness: self.stiffness * second / (h * h),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(ours: f64, reference: f64, tolerance: f64) -> bool {
        (ours - reference).abs() <= tolerance * reference.abs()
    }

    /// Catalogue 4.1: the paper's branches do not quite meet.
    #[test]
    fn jumps_between_the_branches() {
        let d = 0.01;
        let jump = |at: f64| {
            let (left, right) = (energy(at - 1e-15, d), energy(at + 1e-15, d));
            [left.0 - right.0, left.1 - right.1, left.2 - right.2].map(f64::abs)
        };
        let inner = jump(2.0 - d);
        assert!(
            close(inner[0], 4.0787e-8 * d * d, 1e-3) && close(inner[1], 5.7102e-7 * d, 1e-3),
            "{inner:?}"
        );
        assert!(close(inner[2], 7.9535e-6, 1e-3), "{inner:?}");
        let outer = jump(2.0 + d);
        assert!(
            outer[0] < 5e-16 * d * d && outer[1] < 2e-14 * d && outer[2] < 4e-13,
            "{outer:?}"
        );
        assert_eq!(energy(2.0 + d, d), (0.0, 0.0, 0.0));
        assert_eq!(energy(7.0, d), (0.0, 0.0, 0.0));
    }

    #[test]
    fn curvature_peaks_inside_the_tolerance() {
        let d = 0.01;
        let (_, _, peak) = energy(2.0 - 3.0977 / 15.0 * d, d);
        assert!(close(peak, 2.09066678, 1e-8), "{peak}");
    }

    proptest! {
        #[test]
        fn energy_derivatives_match_differences(offset in -3.0..0.9_f64, tolerance in 0.001..0.5_f64) {
            prop_assume!((offset + 1.0).abs() > 0.01);
            let (step, at) = (1e-3 * tolerance, 2.0 + offset * tolerance);
            let difference = |f: &dyn Fn(f64) -> f64| {
                (8.0 * (f(at + step) - f(at - step)) - (f(at + 2.0 * step) - f(at - 2.0 * step))) / (12.0 * step)
            };
            let (_, first, second) = energy(at, tolerance);
            let first_reference = difference(&|x| energy(x, tolerance).0);
            let second_reference = difference(&|x| energy(x, tolerance).1);
            prop_assert!(close(first, first_reference, 1e-7), "{first:e} {first_reference:e}");
            prop_assert!(close(second, second_reference, 1e-7), "{second:e} {second_reference:e}");
        }

        #[test]
        fn force_repels_and_stiffens(distance in 0.0..2.1_f64, tolerance in 0.001..0.5_f64) {
            let (value, first, second) = energy(distance, tolerance);
            prop_assert!(value >= 0.0 && first <= 0.0 && second >= 0.0);
            prop_assert!(energy(distance + 0.01, tolerance).0 <= value);
        }
    }
}
