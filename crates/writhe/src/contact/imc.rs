//! Normal contact energy of the Implicit Contact Model (T22 Eq. 9), in the scaled form of its appendix (Eq. B.1, B.2).
//!
//! With the contact distance r = h_i + h_j of two edges and the scale h = r/2, the energy of a pair at distance D is
//! k E(D/h, delta/h), in joules. The force k |E'|/h acts along the normal. T22's unscaled energy k' E(D) of Eq. 9 has
//! k = k' h^2.

use super::distance::{Matrix12, PairDistance, flatten, pair_distance_within};
use glam::DVec3;

/// K1 times the tolerance (T22 Eq. 9): how sharply the energy turns on.
const SHARPNESS: f64 = 15.0;

/// Scaled distance at which surfaces touch.
const CONTACT: f64 = 2.0;

/// Scaled contact energy and its first two derivatives by the scaled distance (T22 Eq. B.1), dimensionless.
///
/// The three branches of the paper, which meet to 4e-8, 3e-7 and 4e-6 of the value, slope and curvature at
/// 2 - `delta_tol_bar` (catalogue 4.1). Requires `delta_tol_bar` > 0.
pub fn energy(delta_bar: f64, delta_tol_bar: f64) -> (f64, f64, f64) {
    let depth = CONTACT - delta_bar;
    if delta_bar >= CONTACT + delta_tol_bar {
        (0.0, 0.0, 0.0)
    } else if delta_bar <= CONTACT - delta_tol_bar {
        (depth * depth, -2.0 * depth, 2.0)
    } else {
        softplus_squared(depth, SHARPNESS / delta_tol_bar)
    }
}

/// (log(1 + exp(K1 depth))/K1)^2 with derivatives by the distance; |K1 depth| <= 15, so the exponential is tame.
fn softplus_squared(depth: f64, k1: f64) -> (f64, f64, f64) {
    let exponential = (k1 * depth).exp();
    let softplus = exponential.ln_1p();
    let sigmoid = exponential / (1.0 + exponential);
    let length = softplus / k1;
    (
        length * length,
        -2.0 * length * sigmoid,
        2.0 * sigmoid * (sigmoid + softplus / (1.0 + exponential)),
    )
}

/// What a pair of edges needs to know about its contact.
#[derive(Clone, Copy, Debug)]
pub struct ContactLaw {
    /// Radii h_i, h_j of the two rods, in metres.
    pub radii: [f64; 2],
    /// Distance delta beyond touching where forces begin, in metres; positive.
    pub tolerance: f64,
    /// k, in joules: the pair's energy is k E.
    pub stiffness: f64,
}

impl ContactLaw {
    /// h = (h_i + h_j)/2, in metres: T22's radius where both are equal.
    pub fn scale(&self) -> f64 {
        0.5 * (self.radii[0] + self.radii[1])
    }

    /// Distance of the centrelines where forces begin, in metres (T22 Eq. B.3).
    pub fn range(&self) -> f64 {
        self.radii[0] + self.radii[1] + self.tolerance
    }
}

/// How much of the Hessian to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HessianPart {
    /// k (E'' grad D grad D^T/h^2 + E' Hess D/h): symmetric, indefinite.
    Exact,
    /// k E'' grad D grad D^T/h^2: positive semidefinite, since E'' >= 0. What is left out carries E' <= 0.
    GaussNewton,
}

/// A pair in contact.
#[derive(Clone, Copy, Debug)]
pub struct PairContact {
    pub distance: PairDistance,
    /// k E, in joules.
    pub energy: f64,
    /// Normal force k |E'|/h, in newtons, at least 0.
    pub normal_force: f64,
    /// Its growth with approach, k E''/h^2, in N/m, at least 0.
    pub normal_stiffness: f64,
}

impl PairContact {
    /// Gradient of the energy by the nodes (a0, a1, b0, b1), in newtons; the contact force is its negative.
    pub fn gradient(&self) -> [f64; 12] {
        flatten(self.distance.gradient().map(|g| -self.normal_force * g))
    }

    /// Hessian of the energy, 12 x 12, symmetric, in N/m.
    pub fn hessian(&self, part: HessianPart) -> Matrix12 {
        let slope = match part {
            HessianPart::Exact => -self.normal_force,
            HessianPart::GaussNewton => 0.0,
        };
        self.distance.chain_hessian(slope, self.normal_stiffness)
    }
}

/// Contact of the edges [a0, a1] and [b0, b1], or `None` beyond the range of forces.
pub fn contact(
    law: &ContactLaw,
    a0: DVec3,
    a1: DVec3,
    b0: DVec3,
    b1: DVec3,
) -> Option<PairContact> {
    let distance = pair_distance_within(law.range(), a0, a1, b0, b1)?;
    let h = law.scale();
    let (value, first, second) = energy(distance.closest.distance / h, law.tolerance / h);
    Some(PairContact {
        distance,
        energy: law.stiffness * value,
        normal_force: -law.stiffness * first / h,
        normal_stiffness: law.stiffness * second / (h * h),
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use proptest::prelude::*;

    const LAW: ContactLaw = ContactLaw {
        radii: [0.09, 0.11],
        tolerance: 0.02,
        stiffness: 3.0,
    };

    fn pair_contact(law: &ContactLaw, [a0, a1, b0, b1]: Nodes) -> Option<PairContact> {
        contact(law, a0, a1, b0, b1)
    }

    fn close(ours: f64, reference: f64, tolerance: f64) -> bool {
        (ours - reference).abs() <= tolerance * reference.abs()
    }

    /// Catalogue 4.1: closed form, h = 1e-3 m, delta = 0.01 h; (D - 2h)/delta, then E, dE/dD, d2E/dD2 in SI for k' = 1.
    #[test]
    fn catalogue_table() {
        let table = [
            (-2.0, 4.0e-10, -4.0e-5, 2.0),
            (
                -0.5,
                2.500368634571717e-11,
                -9.995209048066302e-6,
                2.006077203630783,
            ),
            (
                -0.1,
                1.286580952220451e-12,
                -1.854709426047545e-6,
                1.844375556079587,
            ),
            (
                0.0,
                2.13534672852534e-13,
                -4.620981203732969e-7,
                0.8465735902799727,
            ),
            (
                0.1,
                1.802991491011444e-14,
                -4.899056365007849e-8,
                0.1266382950940134,
            ),
            (
                0.5,
                1.358814295309631e-19,
                -4.075316096827945e-13,
                1.222087945250861e-6,
            ),
            (
                0.9,
                8.353449954600944e-25,
                -2.506033268546528e-18,
                7.518092075394163e-12,
            ),
        ];
        let h = 1e-3_f64;
        for (offset, value, first, second) in table {
            let (e, e1, e2) = energy(2.0 + offset * 0.01, 0.01);
            assert!(close(e * h * h, value, 1e-12), "{offset}: E {e:e}");
            assert!(close(e1 * h, first, 1e-12), "{offset}: E' {e1:e}");
            assert!(close(e2, second, 1e-12), "{offset}: E'' {e2:e}");
        }
    }

    #[test]
    fn closed_form_at_touching() {
        let (tolerance, ln2) = (0.01, std::f64::consts::LN_2);
        let (e, e1, e2) = energy(2.0, tolerance);
        assert!(close(e, (tolerance * ln2 / 15.0).powi(2), 1e-15));
        assert!(close(e1, -tolerance * ln2 / 15.0, 1e-15));
        assert!(close(e2, (1.0 + ln2) / 2.0, 1e-15));
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

    /// Pairs through the range of the law, edge against edge and against ends, away from switches.
    fn samples() -> Vec<Nodes> {
        let mut random = Random(21);
        let mut samples = Vec::new();
        for gap in [0.05, 0.17, 0.185, 0.195, 0.2, 0.21, 0.217] {
            for angle in [0.1, 0.6, 1.5] {
                samples.push(random.crossing([1.0, 0.8], angle, [0.4, 0.7], gap));
                samples.push(random.crossing([1.0, 0.8], angle, [0.4, -0.05], 0.9 * gap));
                samples.push(random.crossing([1.0, 0.8], angle, [1.03, -0.03], 0.9 * gap));
            }
        }
        samples.retain(|x| {
            let d = pair_contact(&LAW, *x).map_or(0.0, |c| c.distance.closest.distance);
            d > 0.0 && (d - 0.18).abs() > 1e-3
        });
        samples
    }

    #[test]
    fn gradient_matches_differences() {
        for nodes in samples() {
            let reference = differences(nodes, 2e-5, |x| {
                [pair_contact(&LAW, x).map_or(0.0, |c| c.energy)]
            });
            let gradient = pair_contact(&LAW, nodes).unwrap().gradient();
            let error = relative_error(&gradient, reference.as_flattened());
            assert!(error < 1e-6, "{error:e}");
        }
    }

    #[test]
    fn hessian_matches_differences() {
        let samples = samples();
        assert!(samples.len() > 50, "{}", samples.len());
        for nodes in samples {
            let reference = differences(nodes, 2e-5, |x| {
                pair_contact(&LAW, x).map_or([0.0; 12], |c| c.gradient())
            });
            let hessian = pair_contact(&LAW, nodes)
                .unwrap()
                .hessian(HessianPart::Exact);
            let error = matrix_error(&hessian, &reference);
            assert!(error < 1e-6, "{error:e}");
        }
    }

    /// x . H x >= 0 for any x, and only the part with Hess D is missing.
    #[test]
    fn gauss_newton_part_is_semidefinite() {
        let mut random = Random(5);
        let mut exact_was_indefinite = false;
        for nodes in samples() {
            let contact = pair_contact(&LAW, nodes).unwrap();
            let (part, exact) = (
                contact.hessian(HessianPart::GaussNewton),
                contact.hessian(HessianPart::Exact),
            );
            let curvature = contact.distance.hessian();
            for _ in 0..20 {
                let x = flat(random.nodes());
                let form = |m: &Matrix12| {
                    (0..144)
                        .map(|i| x[i / 12] * m[i / 12][i % 12] * x[i % 12])
                        .sum::<f64>()
                };
                let size = contact.normal_stiffness + contact.normal_force;
                assert!(form(&part) >= -1e-13 * size);
                let rest = -contact.normal_force * form(&curvature);
                assert!((form(&exact) - form(&part) - rest).abs() <= 1e-12 * (size + rest.abs()));
                exact_was_indefinite |= form(&exact) < -1e-3 * size;
            }
        }
        assert!(
            exact_was_indefinite,
            "the samples should show why the part is offered"
        );
    }

    #[test]
    fn force_is_balanced_and_repels() {
        for nodes in samples() {
            let force = unflat(pair_contact(&LAW, nodes).unwrap().gradient().map(|g| -g));
            let size = force.iter().map(|f| f.length()).sum::<f64>();
            let torque: DVec3 = nodes.iter().zip(&force).map(|(x, f)| x.cross(*f)).sum();
            assert!(force.iter().sum::<DVec3>().length() <= 1e-15 * size);
            assert!(torque.length() <= 1e-14 * size);
            assert!(
                (force[0] + force[1])
                    .dot(pair_contact(&LAW, nodes).unwrap().distance.closest.delta)
                    > 0.0
            );
        }
    }

    /// Only D/h and delta/h matter: gradient and Hessian scale as 1/h and 1/h^2 (T22 appendix B.1).
    #[test]
    fn scales_with_the_radius() {
        let nodes = samples()[0];
        let size = 1e-3;
        let small_law = ContactLaw {
            radii: LAW.radii.map(|r| size * r),
            tolerance: size * LAW.tolerance,
            ..LAW
        };
        let (large, small) = (
            pair_contact(&LAW, nodes).unwrap(),
            pair_contact(&small_law, nodes.map(|x| size * x)).unwrap(),
        );
        assert!(close(small.energy, large.energy, 1e-11));
        let scaled = small.gradient().map(|x| size * x);
        assert!(relative_error(&scaled, &large.gradient()) < 1e-11);
        let scaled = small
            .hessian(HessianPart::Exact)
            .map(|row| row.map(|x| size * size * x));
        assert!(matrix_error(&scaled, &large.hessian(HessianPart::Exact)) < 1e-10);
    }

    #[test]
    fn nothing_beyond_the_range() {
        let mut random = Random(2);
        let apart =
            |gap: f64, random: &mut Random| random.crossing([1.0, 1.0], 1.0, [0.5, 0.5], gap);
        assert!(pair_contact(&LAW, apart(0.2201, &mut random)).is_none());
        assert!(pair_contact(&LAW, apart(0.2199, &mut random)).is_some());
    }
}
