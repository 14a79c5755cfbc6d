use crate::kernels::distance::closest_points;
use crate::kernels::smooth_distance::*;
use crate::kernels::testing::*;
use proptest::prelude::*;

/// C21's k.
const K: f64 = 50.0;

/// Of differences: the clamps turn within angle/K of an edge.
const STEP: f64 = 3e-6;

fn smooth([a0, a1, b0, b1]: Nodes) -> SmoothDistance {
    smooth_distance(K, a0, a1, b0, b1)
}

fn sharp([a0, a1, b0, b1]: Nodes) -> f64 {
    closest_points(a0, a1, b0, b1).distance
}

/// Pairs that cross inside, near and beyond the ends of one edge or of both, at angles down to .1
/// rad.
fn samples() -> Vec<Nodes> {
    let mut random = Random(41);
    let mut samples = Vec::new();
    for angle in [0.1, 0.5, 1.5, 2.9] {
        for s in [-0.4, -0.02, 0.01, 0.3, 0.97, 1.02, 1.6] {
            for t in [-0.5, -0.01, 0.02, 0.6, 0.99, 1.3] {
                samples.push(random.crossing([1.0, 0.8], angle, [s, t], 0.7));
            }
        }
    }
    samples.extend((0..60).map(|_| random.nodes()));
    samples
}

fn difference(f: impl Fn(f64) -> f64, x: f64, step: f64) -> f64 {
    (8.0 * (f(x + step) - f(x - step)) - (f(x + 2.0 * step) - f(x - 2.0 * step))) / (12.0 * step)
}

#[test]
fn clamp_and_switch_match_their_definitions() {
    let exp = |y: f64| (1.0 + y.exp()).ln();
    for x in [-0.3, -0.02, 0.0, 0.1, 0.5, 0.77, 1.0, 1.05, 1.4] {
        let h = (exp(K * x) - exp(K * (x - 1.0))) / K;
        let b = 1.0 / (1.0 + (-K * x).exp()) - 1.0 / (1.0 + (-K * (x - 1.0)).exp());
        assert!((clamp(K, x)[0] - h).abs() < 1e-14, "H({x})");
        assert!((inside(K, x)[0] - b).abs() < 1e-14, "B({x})");
    }
    // Eq. 9 far away, where exponentials overflow.
    assert_eq!(clamp(K, 1e9), [1.0, 0.0, 0.0]);
    assert_eq!(clamp(K, -1e9), [0.0, 0.0, 0.0]);
    let at_end = std::f64::consts::LN_2 / K;
    assert!((clamp(K, 0.0)[0] - at_end).abs() < 1e-15);
    assert!((clamp(K, 1.0)[0] - (1.0 - at_end)).abs() < 1e-15);
}

proptest! {
    #[test]
    fn clamp_and_switch_match_differences(x in -0.5..1.5_f64) {
        for function in [clamp, inside] {
            let [_, first, second] = function(K, x);
            let step = 1e-4;
            let reference = difference(|x| function(K, x)[0], x, step);
            prop_assert!((first - reference).abs() < 1e-7 * K, "{first} {reference}");
            let reference = difference(|x| function(K, x)[1], x, step);
            prop_assert!((second - reference).abs() < 1e-7 * K * K, "{second} {reference}");
        }
    }

    /// Never less than the sharp distance; where both closest points are inside by 0.3, equal to
    /// it.
    #[test]
    fn bounds_the_sharp_distance(seed: u64, inside in prop::bool::ANY) {
        let mut random = Random(seed);
        let nodes = if inside {
            let at = [random.range(0.3, 0.7), random.range(0.3, 0.7)];
            let angle = random.range(0.2, 2.9);
            random.crossing([1.0, 1.3], angle, at, 0.5)
        } else {
            random.nodes()
        };
        let (smooth, sharp) = (smooth(nodes).distance, sharp(nodes));
        // Edges are about 1 m long: so much is the rounding of their difference, however near they
        // come.
        prop_assert!(smooth >= sharp - 1e-14, "{smooth} {sharp}");
        if inside {
            prop_assert!(smooth - sharp < 1e-11, "{smooth} {sharp}");
        }
    }
}

/// The error falls with k^-2 where a closest point is at an end, and faster inside.
#[test]
fn approaches_the_sharp_distance() {
    let error = |k: f64| {
        samples()
            .into_iter()
            .map(|nodes| {
                let [a0, a1, b0, b1] = nodes;
                smooth_distance(k, a0, a1, b0, b1).distance - sharp(nodes)
            })
            .fold(0.0, f64::max)
    };
    let errors = [50.0, 500.0, 5000.0, 50000.0].map(error);
    for pair in errors.windows(2) {
        assert!(pair[1] < 0.2 * pair[0], "{errors:?}");
    }
    assert!(errors[3] < 1e-4, "{errors:?}");
}

#[test]
fn gradient_matches_differences() {
    for nodes in samples() {
        let reference = differences(nodes, STEP, |x| [smooth(x).distance]);
        let error = relative_error(&smooth(nodes).flat_gradient(), reference.as_flattened());
        assert!(error < 1e-6, "{error:e} {nodes:?}");
    }
}

#[test]
fn hessian_matches_differences() {
    for nodes in samples() {
        let reference = differences(nodes, STEP, |x| smooth(x).flat_gradient());
        let hessian = smooth(nodes).chain_hessian(1.0, 0.0);
        let error = matrix_error(&hessian, &reference);
        assert!(error < 1e-6, "{error:e} {nodes:?}");
    }
}

#[test]
fn chain_rule_matches_differences() {
    let phi = |d: f64| (d * d * d, 3.0 * d * d, 6.0 * d);
    for nodes in samples().into_iter().step_by(3) {
        let reference = differences(nodes, STEP, |x| {
            let smooth = smooth(x);
            let (_, first, _) = phi(smooth.distance);
            smooth.flat_gradient().map(|g| first * g)
        });
        let at = smooth(nodes);
        let (_, first, second) = phi(at.distance);
        let error = matrix_error(&at.chain_hessian(first, second), &reference);
        assert!(error < 1e-6, "{error:e}");
    }
}

/// Where both closest points are well inside, gradient and Hessian are those of the sharp distance.
#[test]
fn derivatives_inside_are_those_of_the_sharp_distance() {
    let mut random = Random(8);
    for angle in [0.3, 1.0, 2.5] {
        let nodes = random.crossing([1.0, 0.8], angle, [0.45, 0.55], 0.4);
        let [a0, a1, b0, b1] = nodes;
        let reference = crate::kernels::distance::pair_distance(a0, a1, b0, b1);
        let ours = smooth(nodes);
        assert!(relative_error(&ours.flat_gradient(), &flatten(reference.gradient())) < 1e-6);
        assert!(matrix_error(&ours.chain_hessian(1.0, 0.0), &reference.hessian()) < 1e-3);
    }
}

/// Energy by distance alone cannot push or turn the pair as a whole.
#[test]
fn gradient_is_balanced() {
    for nodes in samples() {
        let g = smooth(nodes).gradient;
        let size: f64 = g.iter().map(|g| g.length()).sum();
        let torque: DVec3 = nodes.iter().zip(g).map(|(x, g)| x.cross(g)).sum();
        assert!(g.iter().sum::<DVec3>().length() < 1e-14 * size);
        assert!(
            torque.length() < 1e-12 * size,
            "{:e}",
            torque.length() / size
        );
    }
}

/// Swapping the edges changes nothing where the paper's formulas treat them alike, and little where
/// they do not.
#[test]
fn swapping_the_edges_changes_little() {
    for nodes in samples() {
        let [a0, a1, b0, b1] = nodes;
        let (ours, swapped) = (smooth(nodes).distance, smooth([b0, b1, a0, a1]).distance);
        assert!((ours - swapped).abs() < 0.02, "{ours} {swapped}");
    }
}

/// Parallel and touching pairs have finite values and derivatives.
#[test]
fn special_pairs_are_finite() {
    let x = DVec3::X;
    let y = DVec3::Y;
    let pairs = [
        ([DVec3::ZERO, x, 0.3 * y, x + 0.3 * y], 0.3),
        ([DVec3::ZERO, x, x + 0.3 * y, 0.3 * y], 0.3),
        ([DVec3::ZERO, x, 2.0 * x + y, 3.0 * x + y], 2.0_f64.sqrt()),
        ([-x, x, -y, y], 0.0),
        ([DVec3::ZERO, x, x, x + y], 0.0),
    ];
    for (nodes, distance) in pairs {
        let at = smooth(nodes);
        assert!(
            (at.distance - distance).abs() < 0.02,
            "{} {distance}",
            at.distance
        );
        let values = at.chain_hessian(1.0, 1.0);
        let finite = values.as_flattened().iter().all(|v| v.is_finite());
        assert!(finite && at.flat_gradient().iter().all(|v| v.is_finite()));
    }
}
