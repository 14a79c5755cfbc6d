//! Barrier of Incremental Potential Contact (Li et al. 2020), in the gap between surfaces.
//!
//! With the gap g = D - (h_i + h_j) and its range d, the energy of a pair is k B(g, d)/h^2, in
//! joules, with
//!
//! ```text
//! B(g, d) = -(g - d)^2 ln(g/d)    for 0 < g < d,    0 beyond.
//! ```
//!
//! T22 Eq. 8 prints the distance in place of the gap, which is finite at contact and so no barrier
//! (decision 0004); this form grows without bound as g falls to zero. Li et al. use squared
//! distances. B, B' and B'' meet zero at g = d.
//!
//! How stiff the barrier is decides where in its range a pair rests, not how large its force is.
//! The relative stiffness d |B''/B'| is what Newton's method feels: it is least, 5.1, at g = 0.4 d,
//! doubles at 0.1 d and quadruples at 0.9 d. Automatic stiffness puts a force at 0.3 d
//! (`stiffness_for`).

use crate::contact_model::law::{NormalLaw, Response};
use crate::contact_model::settings::{Stiffness, check_tolerance};
use crate::error::ModelError;
use crate::kernels::friction::Friction;

/// Gap, over the range, at which the stiffness chosen for a force lets it rest.
pub(crate) const RESTING_GAP: f64 = 0.3;

/// Gap at the start of a run, over that at [`RESTING_GAP`], below which surfaces count as touching:
/// rounding of a start in contact.
pub(crate) const LEAST_GAP: f64 = 1e-6;

/// B in m^2, dB/dg in m and d2B/dg2, at the gap `gap` for the range `range`, both in metres
/// (catalogue 4.2).
///
/// A gap that is not positive has infinite energy, force and stiffness.
pub fn barrier(gap: f64, range: f64) -> (f64, f64, f64) {
    let x = gap / range;
    if x >= 1.0 {
        return (0.0, 0.0, 0.0);
    }
    // Negated, to hold for NaN too.
    let apart = x > 0.0;
    if !apart {
        return (f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY);
    }
    // ln x = ln(1 + (x - 1)) keeps its digits near the end of the range.
    let (y, log) = (x - 1.0, (x - 1.0).ln_1p());
    // B = -d^2 y^2 ln x, B' = -d (2 y ln x + y^2/x), B'' = -2 ln x - 4 y/x + y^2/x^2, y = x - 1
    let steep = y / x;
    (
        -range * range * y * y * log,
        -range * (2.0 * y * log + y * steep),
        -2.0 * log - 4.0 * steep + steep * steep,
    )
}

/// k, in joules, with which a pair of mean radius `scale` and barrier `range`, both in metres,
/// carries `force`, N, at [`RESTING_GAP`] of its range.
pub(crate) fn stiffness_for(force: f64, scale: f64, range: f64) -> f64 {
    // F = -k B'(g, d)/h^2, and B'(0.3 d, d) = d B'(0.3, 1)
    let (_, slope, _) = barrier(RESTING_GAP, 1.0);
    force * scale * scale / (-slope * range)
}

/// Parameters of Incremental Potential Contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IpcSettings {
    /// Range of the barrier over the radius h: forces act from this gap on.
    pub tolerance: f64,
    /// Stiffness of the barrier. `Automatic` chooses where in its range rods rest; it is no matter
    /// of accuracy.
    pub stiffness: Stiffness,
    /// Friction.
    pub friction: Friction,
}

impl Default for IpcSettings {
    /// Frictionless, from a gap of 0.01 h on, automatic stiffness; friction would be lagged.
    fn default() -> Self {
        Self {
            tolerance: 0.01,
            stiffness: Stiffness::Automatic,
            friction: Friction::lagged(0.0),
        }
    }
}

impl IpcSettings {
    pub(crate) fn check(&self) -> Result<(), ModelError> {
        check_tolerance(self.tolerance)?;
        self.stiffness.check()?;
        self.friction.check()
    }

    /// The law between surfaces of mean radius `radius`, m.
    pub(crate) fn law(&self, radius: f64, stiffness: f64) -> NormalLaw {
        NormalLaw::Ipc(IpcLaw {
            scale: radius,
            range: self.tolerance * radius,
            stiffness,
        })
    }
}

/// Largest stiffness that is chosen for a barrier, N m: what carries several times the force EA
/// where pairs should rest. Of rods with these stretching stiffnesses EA, N, and radii, m, both
/// `(edges)`.
pub(crate) fn largest_stiffness(stretching: &[f64], radius: &[f64]) -> f64 {
    let sections = stretching.iter().zip(radius);
    // With d = 0.01 h this is F = k |B'(0.3 d, d)|/h^2 = 3.3 EA.
    sections.map(|(ea, h)| 1e2 * ea * h).fold(0.0, f64::max)
}

/// The law of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct IpcLaw {
    /// h = (h_i + h_j)/2, in metres.
    pub scale: f64,
    /// Gap d where forces begin, in metres; positive.
    pub range: f64,
    /// k, in joules: the energy is k B/h^2.
    pub stiffness: f64,
}

impl IpcLaw {
    /// Energy, force and stiffness at `gap`, m; infinite where surfaces touch.
    pub(crate) fn evaluate(&self, gap: f64) -> Response {
        let (value, first, second) = barrier(gap, self.range);
        // k B/h^2
        let unit = self.stiffness / (self.scale * self.scale);
        Response {
            energy: unit * value,
            force: -unit * first,
            stiffness: unit * second,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(ours: f64, reference: f64) -> bool {
        (ours - reference).abs() <= 1e-12 * reference.abs()
    }

    /// T22 Eq. 8 as printed is finite at contact (catalogue, trap 2); the gap form is not.
    #[test]
    fn grows_without_bound_at_contact() {
        for gap in [0.0, -1e-9, f64::NAN] {
            let (b, b1, b2) = barrier(gap, 1e-5);
            assert_eq!(
                (b, b1, b2),
                (f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY)
            );
        }
        let (b, b1, _) = barrier(1e-300, 1e-5);
        assert!(b > 6e-8 && b1 < -1e280, "{b:e} {b1:e}");
    }

    #[test]
    fn meets_zero_smoothly() {
        // Leading terms at the end of the range: B = (1-x)^3, B' = -3 (1-x)^2, B'' = 6 (1-x).
        let y = 1e-9;
        let (b, b1, b2) = barrier(1.0 - y, 1.0);
        for (ours, lead) in [(b, y.powi(3)), (b1, -3.0 * y * y), (b2, 6.0 * y)] {
            assert!((ours - lead).abs() < 1e-6 * lead.abs(), "{ours:e} {lead:e}");
        }
    }

    #[test]
    fn stiffness_puts_a_force_at_the_resting_gap() {
        let (force, scale, range) = (0.02, 1.5e-3, 1.5e-5);
        let k = stiffness_for(force, scale, range);
        let (_, slope, _) = barrier(RESTING_GAP * range, range);
        assert!(close(-k * slope / (scale * scale), force));
    }

    /// The header's claim: d |B''/B'| is 5.1 at 0.4 d and least there.
    #[test]
    fn softest_at_two_fifths_of_the_range() {
        let relative = |x: f64| {
            let (_, b1, b2) = barrier(x, 1.0);
            -b2 / b1
        };
        let least = (1..100)
            .map(|i| 0.01 * f64::from(i))
            .min_by(|a, b| relative(*a).total_cmp(&relative(*b)));
        let least = least.unwrap();
        assert!((0.35..0.45).contains(&least), "least at {least}");
        assert!((relative(least) - 5.1).abs() < 0.1, "{}", relative(least));
        assert!(relative(0.1) > 1.9 * relative(least) && relative(0.9) > 3.9 * relative(least));
    }

    proptest! {
        #[test]
        fn derivatives_agree_with_differences(x in 0.02..0.98_f64) {
            let step = 1e-5 * x;
            let at = |x: f64| barrier(x, 1.0);
            let difference = |f: &dyn Fn(f64) -> f64| (8.0 * (f(x + step) - f(x - step)) - (f(x + 2.0 * step) - f(x - 2.0 * step))) / (12.0 * step);
            let (_, b1, b2) = at(x);
            prop_assert!((difference(&|x| at(x).0) - b1).abs() < 1e-8 * b1.abs());
            prop_assert!((difference(&|x| at(x).1) - b2).abs() < 1e-8 * b2.abs());
        }
    }
}
