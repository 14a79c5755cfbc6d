use crate::contact::mollified_friction::*;
use crate::kernels::testing::Random;
use proptest::prelude::*;

/// Any linear map to a plane, with slips from deep inside the tolerance to far beyond.
fn sample(seed: u64) -> (MollifiedFriction<UNKNOWNS>, [f64; UNKNOWNS]) {
    let mut random = Random(seed);
    let n = random.unit();
    let columns = [DVec3::ZERO; UNKNOWNS].map(|_| random.vector());
    let speed = random.range(-3.0, 2.0).exp2();
    let velocities = [0.0; UNKNOWNS].map(|_| speed * random.range(-1.0, 1.0));
    let friction = MollifiedFriction {
        columns: columns.map(|w| w - w.dot(n) * n),
        drift: DVec3::ZERO,
        limit: random.range(0.1, 2.0),
        slip_tolerance: 1.0,
    };
    (friction, velocities)
}

/// Central differences of `f` by the velocities, of fourth order.
fn differences<const M: usize>(
    at: &[f64; UNKNOWNS],
    f: impl Fn(&[f64; UNKNOWNS]) -> [f64; M],
) -> [[f64; M]; UNKNOWNS] {
    let step = 1e-3;
    std::array::from_fn(|c| {
        let [far_minus, minus, plus, far_plus] = [-2.0, -1.0, 1.0, 2.0].map(|m| {
            let mut x = *at;
            x[c] += m * step;
            f(&x)
        });
        std::array::from_fn(|i| {
            (8.0 * (plus[i] - minus[i]) - (far_plus[i] - far_minus[i])) / (12.0 * step)
        })
    })
}

#[test]
fn mollifier_closed_form() {
    // f1: 0 at rest, 3/4 at half the tolerance, 1 from the tolerance on; f0 = e/3 at rest and meets
    // v at v = e.
    let e = 1e-3;
    let half = 0.25 - 1.0 / 24.0 + 1.0 / 3.0;
    for (x, f0, f1) in [
        (0.0, 1.0 / 3.0, 0.0),
        (0.5, half, 0.75),
        (1.0, 1.0, 1.0),
        (7.0, 7.0, 1.0),
    ] {
        let (potential, force, _) = mollifier(x * e, e);
        assert!((potential - f0 * e).abs() < 1e-15 * e, "{x}: {potential:e}");
        assert!((force - f1).abs() < 1e-15, "{x}: {force}");
    }
    let (_, f1, ratio) = mollifier(0.3 * e, e);
    assert!((f1 / (0.3 * e) - ratio).abs() < 1e-12 * ratio);
}

#[test]
fn at_rest_there_is_no_force_and_the_steepest_drag() {
    let (friction, _) = sample(3);
    let rest = [0.0; UNKNOWNS];
    assert_eq!(friction.force(&rest), [0.0; UNKNOWNS]);
    // f1/v = 2/e at rest.
    let g = friction.columns[0];
    let expected = friction.limit * 2.0 * g.dot(g);
    assert!((friction.hessian(&rest)[0][0] - expected).abs() < 1e-14 * expected);
}

proptest! {
    #[test]
    fn force_is_minus_the_gradient_of_the_potential(seed: u64) {
        let (friction, u) = sample(seed);
        let speed = friction.slip(&u).length();
        prop_assume!((speed - 1.0).abs() > 0.02);
        let gradient = differences(&u, |u| [friction.potential(u)]);
        for (f, [g]) in friction.force(&u).iter().zip(&gradient) {
            prop_assert!((f + g).abs() < 1e-6 * friction.limit, "{f} {g}");
        }
    }

    #[test]
    fn hessian_agrees_with_differences(seed: u64) {
        let (friction, u) = sample(seed);
        let speed = friction.slip(&u).length();
        // The third derivative jumps at rest and at the tolerance.
        prop_assume!(speed > 0.02 && (speed - 1.0).abs() > 0.02);
        let reference = differences(&u, |u| friction.force(u).map(|f| -f));
        let ours = friction.hessian(&u);
        for (a, b) in ours.as_flattened().iter().zip(reference.as_flattened()) {
            prop_assert!((a - b).abs() < 1e-6 * friction.limit, "{a} {b}");
        }
    }

    #[test]
    fn hessian_is_semidefinite(seed: u64) {
        let (friction, u) = sample(seed);
        let hessian = friction.hessian(&u);
        let mut random = Random(seed ^ 3);
        for _ in 0..20 {
            let x = [0.0; UNKNOWNS].map(|_| random.range(-1.0, 1.0));
            let quadratic: f64 = hessian.iter().zip(&x).map(|(row, xi)| xi * row.iter().zip(&x).map(|(h, x)| h * x).sum::<f64>()).sum();
            prop_assert!(quadratic > -1e-12 * friction.limit);
        }
    }

    /// Friction takes energy out, never more than the limit allows, and acts against the slip.
    #[test]
    fn dissipates_within_the_cone(seed: u64) {
        let (friction, u) = sample(seed);
        let (slip, f) = (friction.slip(&u), friction.contact_force(&u));
        prop_assert!(f.length() <= friction.limit * (1.0 + 1e-14));
        prop_assert!(f.dot(slip) <= 0.0);
        let power: f64 = friction.force(&u).iter().zip(&u).map(|(f, u)| f * u).sum();
        prop_assert!((power - f.dot(slip)).abs() < 1e-12 * friction.limit * (1.0 + slip.length()));
    }
}
