use crate::kernels::distance::*;
use crate::kernels::testing::*;
use proptest::prelude::*;

fn closest([a0, a1, b0, b1]: Nodes) -> ClosestPoints {
    closest_points(a0, a1, b0, b1)
}

fn pair([a0, a1, b0, b1]: Nodes) -> PairDistance {
    pair_distance(a0, a1, b0, b1)
}

/// Upper bound of D^2/2 - min D^2/2: the linear model of a convex function bounds it from below.
fn optimality_gap([a0, a1, b0, b1]: Nodes, c: &ClosestPoints) -> f64 {
    let by_s = c.delta.dot(a1 - a0);
    let by_t = -c.delta.dot(b1 - b0);
    (by_s * c.s).max(by_s * (c.s - 1.0)) + (by_t * c.t).max(by_t * (c.t - 1.0))
}

#[test]
fn parallel_edges_meet_in_the_middle_of_their_overlap() {
    let y = DVec3::Y;
    let c = closest_points(
        DVec3::ZERO,
        DVec3::X,
        y + 0.25 * DVec3::X,
        y + 1.75 * DVec3::X,
    );
    assert!(
        (c.s - 0.625).abs() < 1e-15 && (c.t - 0.25).abs() < 1e-15,
        "{c:?}"
    );
    let c = closest_points(
        DVec3::ZERO,
        DVec3::X,
        y - 2.0 * DVec3::X,
        y - 1.0 * DVec3::X,
    );
    assert_eq!((c.s, c.t), (0.0, 1.0));
}

#[test]
fn an_overlap_ends_where_either_edge_does() {
    // The second edge begins beside .4 of the first, at its height, rises and goes on beyond.
    let (height, rise) = (0.1, 1e-4);
    let start = DVec3::new(0.4, 0.0, height);
    let nodes = [
        DVec3::ZERO,
        DVec3::X,
        start,
        start + DVec3::new(1.2, 0.0, rise),
    ];
    let [first, last] = overlap_distances_within(1.0, nodes).map(Option::unwrap);
    assert_eq!(first.closest.feature, Feature::EdgePoint);
    assert!((first.closest.s - 0.4).abs() < 1e-15 && first.closest.t == 0.0);
    assert!((first.closest.distance - height).abs() < 1e-15);
    assert_eq!(last.closest.feature, Feature::PointEdge);
    assert!(last.closest.s == 1.0 && (last.closest.t - 0.5).abs() < 1e-4);
    assert!((last.closest.distance - (height + 0.5 * rise)).abs() < 1e-8);
    assert!(nearly_parallel(nodes));

    // Beyond the range one of them remains.
    let [first, last] = overlap_distances_within(height + 0.2 * rise, nodes);
    assert!(first.is_some() && last.is_none());
    // Without an overlap both are the nearest points.
    let apart = nodes.map(|x| if x.z > 0.0 { x + 2.0 * DVec3::X } else { x });
    let nearest = closest(apart);
    for end in overlap_distances_within(5.0, apart).map(Option::unwrap) {
        assert_eq!(
            (end.closest.s, end.closest.t),
            (nearest.s, nearest.t),
            "{end:?}"
        );
    }
}

#[test]
fn derivatives_at_the_ends_of_an_overlap_match_differences() {
    let nodes = [
        DVec3::new(0.0, 0.01, 0.0),
        DVec3::new(1.0, 0.0, 2e-4),
        DVec3::new(0.4, 3e-4, 0.1),
        DVec3::new(1.6, 0.01, 0.1001),
    ];
    for end in 0..2 {
        let at = |x: Nodes| overlap_distances_within(1.0, x)[end].unwrap();
        let reference = differences(nodes, 1e-6, |x| [at(x).closest.distance]);
        let error = relative_error(&flatten(at(nodes).gradient()), reference.as_flattened());
        assert!(error < 1e-7, "{end}: {error:e}");
        let reference = differences(nodes, 1e-6, |x| flatten(at(x).gradient()));
        let error = matrix_error(&at(nodes).hessian(), &reference);
        assert!(error < 1e-6, "{end}: {error:e}");
    }
}

#[test]
fn degenerate_edges() {
    let p = DVec3::new(0.3, 0.4, 0.0);
    let c = closest_points(p, p, DVec3::ZERO, DVec3::X);
    assert_eq!((c.distance, c.t, c.feature), (0.4, 0.3, Feature::PointEdge));
    let c = closest_points(DVec3::ZERO, DVec3::X, p, p);
    assert_eq!((c.distance, c.s, c.feature), (0.4, 0.3, Feature::EdgePoint));
    let c = closest_points(p, p, DVec3::ZERO, DVec3::ZERO);
    assert_eq!((c.distance, c.feature), (0.5, Feature::PointPoint));
    let touching = pair([p, p, p, p]);
    assert!(
        touching
            .hessian()
            .as_flattened()
            .iter()
            .all(|x| x.is_finite())
    );
    assert!((touching.normal.length() - 1.0).abs() < 1e-15);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// The certificate needs no reference: it bounds the error from the result itself.
    #[test]
    fn closest_points_are_optimal(
        seed: u64, tilt_exponent in -17.0..0.5_f64, size_exponent in -6.0..6.0_f64,
        s in -0.5..1.5_f64, t in -0.5..1.5_f64, gap in 0.0..2.0_f64,
    ) {
        let long = 10_f64.powf(size_exponent);
        let nodes = Random(seed).crossing([1.0, long], 10_f64.powf(tilt_exponent), [s, t], gap);
        let c = closest(nodes);
        prop_assert!((0.0..=1.0).contains(&c.s) && (0.0..=1.0).contains(&c.t));
        let size = long.max(1.0);
        let slack = 1e-13 * c.distance.powi(2) + 1e-15 * size * (c.distance + size);
        prop_assert!(optimality_gap(nodes, &c) <= slack, "{c:?} gap {}", optimality_gap(nodes, &c));
    }

    /// Known interior minimum at any angle above rounding.
    #[test]
    fn interior_distance_is_exact(
        seed: u64, tilt_exponent in -6.0..0.0_f64, s in 0.05..0.95_f64, t in 0.05..0.95_f64, gap in 0.01..1.0_f64,
    ) {
        let nodes = Random(seed).crossing([1.0, 2.0], 10_f64.powf(tilt_exponent), [s, t], gap);
        let c = closest(nodes);
        prop_assert!((c.distance - gap).abs() < 2e-14 * (1.0 + gap), "{c:?}");
    }

    #[test]
    fn swapping_the_edges_swaps_the_result(seed: u64) {
        let [a0, a1, b0, b1] = Random(seed).nodes();
        let (one, two) = (closest_points(a0, a1, b0, b1), closest_points(b0, b1, a0, a1));
        prop_assert!((one.distance - two.distance).abs() <= 1e-14 * one.distance.max(0.1));
        prop_assert!((one.delta + two.delta).length() < 1e-12);
    }

    #[test]
    fn rigid_motion_changes_nothing(seed: u64) {
        let mut random = Random(seed);
        let nodes = random.nodes();
        let (q, shift) = (random.rotation(), random.vector());
        let (before, after) = (pair(nodes), pair(nodes.map(|x| q * x + shift)));
        prop_assume!(before.closest.distance > 1e-3);
        prop_assert!((before.closest.distance - after.closest.distance).abs() < 1e-13);
        prop_assert!((q * before.normal - after.normal).length() < 1e-10);
    }

    /// No net force, no net torque.
    #[test]
    fn gradient_is_balanced(seed: u64) {
        let nodes = Random(seed).nodes();
        let gradient = pair(nodes).gradient();
        let torque: DVec3 = nodes.iter().zip(&gradient).map(|(x, g)| x.cross(*g)).sum();
        prop_assert!(gradient.iter().sum::<DVec3>().length() < 1e-15);
        prop_assert!(torque.length() < 1e-14, "{torque:?}");
    }
}

/// Pairs away from a switch of feature, where the distance is smooth.
fn smooth_samples() -> Vec<(&'static str, Nodes, f64)> {
    let mut random = Random(7);
    let mut samples = Vec::new();
    for _ in 0..300 {
        samples.push(("random", random.nodes(), 1e-4));
    }
    for _ in 0..50 {
        let [s, t] = [random.range(0.2, 0.8), random.range(0.2, 0.8)];
        samples.push((
            "edge-edge",
            random.crossing([1.0, 0.4], 1.1, [s, t], 0.2),
            1e-4,
        ));
        samples.push((
            "small angle",
            random.crossing([1.0, 0.7], 0.05, [s, t], 0.2),
            1e-4,
        ));
        samples.push((
            "nearly parallel",
            random.crossing([1.0, 1.3], 2e-3, [s, t], 0.02),
            4e-6,
        ));
        samples.push((
            "near an end",
            random.crossing([1.0, 0.7], 0.8, [2e-3, t], 0.2),
            1e-4,
        ));
        samples.push((
            "beyond an end",
            random.crossing([1.0, 0.7], 0.8, [-2e-3, t], 0.2),
            1e-4,
        ));
        samples.push((
            "ends",
            random.crossing([1.0, 0.7], 0.8, [1.3, -0.4], 0.2),
            1e-4,
        ));
        samples.push((
            "almost touching",
            random.crossing([1.0, 0.7], 0.8, [s, t], 1e-3),
            1e-4,
        ));
        samples.push((
            "long and short",
            random.crossing([1000.0, 0.1], 0.8, [s, t], 0.05),
            1e-4,
        ));
    }
    samples.retain(|(_, nodes, step)| feature_is_stable(*nodes, *step));
    samples
}

fn feature_is_stable(nodes: Nodes, step: f64) -> bool {
    let here = closest(nodes);
    let stays = |c: usize, by: f64| {
        let mut x = flat(nodes);
        x[c] += by;
        let there = closest(unflat(x));
        there.feature == here.feature && there.delta.dot(here.delta) > 0.0
    };
    here.distance > 8.0 * step && (0..12).all(|c| stays(c, 2.0 * step) && stays(c, -2.0 * step))
}

#[test]
fn gradient_matches_differences() {
    for (name, nodes, step) in smooth_samples() {
        let reference = differences(nodes, step, |x| [closest(x).distance]);
        let error = relative_error(&flatten(pair(nodes).gradient()), reference.as_flattened());
        assert!(error < 1e-7, "{name}: {error:e}");
    }
}

#[test]
fn hessian_matches_differences() {
    let samples = smooth_samples();
    assert!(samples.len() > 600, "{}", samples.len());
    for (name, nodes, step) in samples {
        let hessian = pair(nodes).hessian();
        let reference = differences(nodes, step, |x| flatten(pair(x).gradient()));
        let error = matrix_error(&hessian, &reference);
        assert!(error < 1e-6, "{name}: {error:e} {:?}", closest(nodes));
        assert_eq!(hessian, transposed(hessian), "{name}");
    }
}

#[test]
fn parameter_gradients_match_differences() {
    for (name, nodes, step) in smooth_samples() {
        if matches!(closest(nodes).feature, Feature::PointPoint) {
            continue;
        }
        let [by_s, by_t] = pair(nodes).parameter_gradients().map(flatten);
        let reference = differences(nodes, step, |x| [closest(x).s, closest(x).t]);
        let ours: [[f64; 2]; 12] = std::array::from_fn(|c| [by_s[c], by_t[c]]);
        let error = relative_error(ours.as_flattened(), reference.as_flattened());
        assert!(error < 1e-6, "{name}: {error:e}");
    }
}

#[test]
fn normal_derivative_matches_differences() {
    for (name, nodes, step) in smooth_samples() {
        let ours: [[f64; 3]; 12] =
            std::array::from_fn(|c| pair(nodes).normal_derivative(c / 3).col(c % 3).to_array());
        let reference = differences(nodes, step, |x| pair(x).normal.to_array());
        let error = relative_error(ours.as_flattened(), reference.as_flattened());
        assert!(error < 1e-6, "{name}: {error:e}");
    }
}

/// T22 Eq. 13, generically over the scalar.
fn line_distance<D: num_dual::DualNum + Copy>(x: [D; 12]) -> D {
    let difference =
        |i: usize, j: usize| -> [D; 3] { std::array::from_fn(|c| x[3 * i + c] - x[3 * j + c]) };
    let (u, v, base) = (difference(1, 0), difference(3, 2), difference(0, 2));
    let n: [D; 3] = std::array::from_fn(|c| {
        let (d, e) = ((c + 1) % 3, (c + 2) % 3);
        u[d] * v[e] - u[e] * v[d]
    });
    let dot = |a: [D; 3], b: [D; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    (dot(base, n).powi(2) / dot(n, n)).sqrt()
}

#[test]
fn edge_edge_hessian_matches_dual_numbers() {
    let mut random = Random(11);
    for angle in [1.5, 0.4, 0.05, 2e-3] {
        for _ in 0..10 {
            let place = [random.range(0.1, 0.9), random.range(0.1, 0.9)];
            let nodes = random.crossing([1.0, 0.6], angle, place, 0.1);
            let second = |i: usize, j: usize| {
                let at = |y, z| {
                    let mut x = flat(nodes).map(num_dual::HyperDual64::from);
                    x[i] += y;
                    x[j] += z;
                    line_distance(x)
                };
                num_dual::second_partial_derivative(|(y, z)| at(y, z), (0.0, 0.0)).3
            };
            let reference: Matrix12 =
                std::array::from_fn(|i| std::array::from_fn(|j| second(i, j)));
            let error = matrix_error(&pair(nodes).hessian(), &reference);
            assert!(error < 1e-8, "angle {angle}: {error:e}");
        }
    }
}

/// Value and gradient do not jump where the feature changes, also into and out of the nearly
/// parallel.
#[test]
fn gradient_is_continuous_across_features() {
    type Path = fn(f64) -> ([f64; 2], f64);
    let paths: [(Path, usize); 4] = [
        (|x| ([x, 0.4], 0.7), 2),
        (|x| ([x, x], 0.7), 2),
        (|x| ([0.4, 1.0 + x], 1e-2), 2),
        (|x| ([0.4, 0.6], 1e-3 + 0.1 * x), 2),
    ];
    for (path, features) in paths {
        let at = |x: f64| {
            let (place, angle) = path(x);
            pair(Random(17).crossing([1.0, 0.8], angle, place, 0.1))
        };
        let mut seen = Vec::new();
        for i in -20..20 {
            let (one, two) = (at(1e-7 * f64::from(i)), at(1e-7 * f64::from(i + 1)));
            seen.push(one.closest.feature);
            let jump = flatten(std::array::from_fn(|k| {
                one.gradient()[k] - two.gradient()[k]
            }));
            let size = jump.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            assert!(size < 1e-5, "{i}: {size:e}");
            assert!((one.closest.distance - two.closest.distance).abs() < 1e-7);
        }
        seen.dedup();
        assert_eq!(seen.len(), features, "{seen:?}");
    }
}

/// Held parameter: bounded, where the exact second derivative grows as 1/sin^2.
#[test]
fn hessian_of_nearly_parallel_edges_is_bounded() {
    let mut random = Random(5);
    for exponent in 3..18 {
        let tilt = 0.999 * 10_f64.powi(-exponent);
        let nodes = random.crossing([1.0, 1.1], tilt, [0.4, 0.6], 0.1);
        let hessian = pair(nodes).hessian();
        let largest = hessian
            .as_flattened()
            .iter()
            .fold(0.0_f64, |m, x| m.max(x.abs()));
        assert!(largest < 20.0, "tilt {tilt:e}: {largest:e}");
    }
}

/// Crossing centrelines have no direction of delta: the common normal serves, and is continuous on
/// either side.
#[test]
fn touching_edges_have_the_common_normal() {
    let mut random = Random(3);
    for gap in [0.0, 1e-17, 1e-13, 1e-9] {
        let p = pair(random.crossing([1.0, 1.0], 0.7, [0.5, 0.3], gap));
        assert!((p.normal.length() - 1.0).abs() < 1e-12);
        assert!(p.hessian().as_flattened().iter().all(|x| x.abs() < 20.0));
    }
    let nodes = random.crossing([1.0, 1.0], 0.7, [0.5, 0.3], 0.0);
    let common = (nodes[1] - nodes[0]).cross(nodes[3] - nodes[2]).normalize();
    assert!((pair(nodes).normal.dot(common).abs() - 1.0).abs() < 1e-12);
}

#[test]
fn distance_within_agrees_and_rejects() {
    let [a0, a1, b0, b1] = Random(1).crossing([1.0, 1.0], 0.7, [0.5, 0.3], 0.2);
    let found = pair_distance_within(0.201, a0, a1, b0, b1).unwrap();
    assert!((found.closest.distance - 0.2).abs() < 1e-14);
    assert!(pair_distance_within(0.199, a0, a1, b0, b1).is_none());
}
