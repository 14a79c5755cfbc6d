use crate::kernels::ccd::*;
use crate::kernels::testing::*;
use proptest::prelude::*;

fn at(start: &Nodes, end: &Nodes, time: f64) -> Nodes {
    std::array::from_fn(|k| start[k].lerp(end[k], time))
}

fn distance([a0, a1, b0, b1]: Nodes) -> f64 {
    closest_points(a0, a1, b0, b1).distance
}

/// Smallest distance on the way by sampling, refined around the best sample.
fn sampled_minimum(start: &Nodes, end: &Nodes) -> (f64, f64) {
    let here = |t: f64| distance(at(start, end, t));
    let mut best = (here(0.0), 0.0);
    let (mut centre, mut width) = (0.5, 0.5);
    for _ in 0..6 {
        for i in 0..=400 {
            let t = (centre + width * (i as f64 / 200.0 - 1.0)).clamp(0.0, 1.0);
            let d = here(t);
            if d < best.0 {
                best = (d, t);
            }
        }
        centre = best.1;
        width /= 50.0;
    }
    best
}

fn moved(nodes: Nodes, a: DVec3, b: DVec3) -> Nodes {
    [nodes[0] + a, nodes[1] + a, nodes[2] + b, nodes[3] + b]
}

/// Edges of one rod that fall far together, and turn a little, are told without their nearest points;
/// those that go to each other's places are not.
#[test]
fn edges_that_go_together_plainly_stay_apart() {
    let start: Nodes = [0.0, 0.01, 0.02, 0.03].map(|x| DVec3::X * x);
    let turn = glam::DMat3::from_rotation_z(0.2);
    let end = start.map(|x| turn * x + DVec3::new(3.0, -5.0, 1.0));
    assert!(stay_apart(&start, &end, TOUCHING));
    let [a0, a1, b0, b1] = start;
    assert!(!stay_apart(&start, &[b0, b1, a0, a1], TOUCHING));
    let mut lost = end;
    lost[1].x = f64::NAN;
    assert!(!stay_apart(&start, &lost, TOUCHING));
}

const RADIUS: f64 = 0.1;
const TOUCHING: f64 = 2.0 * RADIUS;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Sides of the crossing change sign: it passes through, in any direction and spin, at any
    /// angle.
    #[test]
    fn passing_through_is_found(
        seed: u64, angle_exponent in -6.0..0.0_f64, s in 0.01..0.99_f64, t in 0.01..0.99_f64,
        before in 1e-6..0.5_f64, after in 1e-6..0.5_f64, drift in 0.0..3.0_f64,
    ) {
        let mut random = Random(seed);
        let nodes = random.crossing([1.0, 0.8], 10_f64.powf(angle_exponent), [s, t], 0.0);
        let normal = (nodes[1] - nodes[0]).cross(nodes[3] - nodes[2]).normalize();
        // Tilted by the spin of each edge about its crossing point, which stays a crossing at half
        // time.
        let spin = random.vector() * drift;
        let common = random.vector() * drift;
        let shift = |x: DVec3, about: DVec3, along: f64, sign: f64| {
            x + sign * (along * normal + 0.3 * spin.cross(x - about)) + sign * common
        };
        let a_point = nodes[0].lerp(nodes[1], s);
        let b_point = nodes[2].lerp(nodes[3], t);
        let time = before / (before + after);
        let along = [before, after];
        let state = |side: usize| -> Nodes {
            let sign = if side == 0 { -time } else { 1.0 - time };
            std::array::from_fn(|k| {
                if k < 2 { shift(nodes[k], a_point, along[0] + along[1], sign) }
                else { nodes[k] + sign * common + 0.2 * sign * (nodes[k] - b_point) }
            })
        };
        let (start, end) = (state(0), state(1));
        let found = crosses(&start, &end, TOUCHING);
        prop_assert!(found.is_some());
        prop_assert!(found.is_some_and(|found| found <= time + 1e-9), "{found:?} after {time}");
    }

    /// Agreement with dense sampling: none missed, and none reported but where the distance is
    /// tiny.
    #[test]
    fn agrees_with_sampling(seed: u64, size in 0.1..4.0_f64) {
        let mut random = Random(seed);
        let start = random.nodes();
        let end = std::array::from_fn(|k| start[k] + size * random.vector());
        let (minimum, _) = sampled_minimum(&start, &end);
        let found = crosses(&start, &end, TOUCHING);
        // What is plain is so.
        prop_assert!(found.is_none() || !stay_apart(&start, &end, TOUCHING));
        match found {
            // Between two advances a tenth of the distance is left.
            None => {
                let floor = 0.1 * CROSSING * distance(start).min(TOUCHING);
                prop_assert!(minimum >= 0.999 * floor, "missed {minimum}");
            }
            Some(time) => {
                let d = distance(at(&start, &end, time));
                prop_assert!(d <= 1.01e-3 * TOUCHING, "{d} at {time}");
            }
        }
    }

    /// Edges that come as near as 0.9 of touching, sliding, rolling or receding, are not flagged.
    #[test]
    fn grazing_is_not_crossing(
        seed: u64, angle in 0.0..1.57_f64, s in -0.5..1.5_f64, t in -0.5..1.5_f64,
        slide_a in -5.0..5.0_f64, slide_b in -5.0..5.0_f64, press in 0.0..0.1_f64,
    ) {
        let nodes = Random(seed).crossing([1.0, 0.8], angle, [s, t], TOUCHING);
        let up = Random(seed).crossing([1.0, 0.8], angle, [s, t], 0.0);
        let normal = (nodes[0] - up[0]).normalize();
        let (u, v) = (nodes[1] - nodes[0], nodes[3] - nodes[2]);
        let end = moved(nodes, slide_a * u - press * TOUCHING * normal, slide_b * v);
        prop_assert!(sampled_minimum(&nodes, &end).0 >= 0.9 * TOUCHING - 1e-12);
        prop_assert_eq!(crosses(&nodes, &end, TOUCHING), None);
    }

    /// The step keeps the distance, at every moment, and is not needlessly short.
    #[test]
    fn max_step_keeps_the_distance(seed: u64, size in 0.1..4.0_f64, separation in 0.0..0.3_f64) {
        let mut random = Random(seed);
        let start = random.nodes();
        let end: Nodes = std::array::from_fn(|k| start[k] + size * random.vector());
        let gap = distance(start) - separation;
        let step = max_step(&start, &end, separation);
        if gap <= 0.0 {
            prop_assert_eq!(step, 0.0);
        } else {
            prop_assert!(step > 0.0);
            let (minimum, _) = sampled_minimum(&start, &at(&start, &end, step));
            prop_assert!(minimum >= separation + 0.0999 * gap, "{minimum} {gap}");
            if step < 1.0 {
                let d = distance(at(&start, &end, step));
                prop_assert!(d <= separation + 0.1201 * gap, "stopped early: {d}");
            }
        }
    }

    /// Coplanar motion: an edge swept sideways through another in one plane, its end first or
    /// broadside on.
    #[test]
    fn coplanar_crossing_is_found(seed: u64, angle in 0.0..3.1_f64, place in 0.05..0.95_f64, far in 0.1..2.0_f64) {
        let mut random = Random(seed);
        let q = random.rotation();
        let turn = DVec3::new(angle.cos(), angle.sin(), 0.0);
        let a = [DVec3::ZERO, DVec3::X];
        let b = [place * DVec3::X - 0.5 * turn, place * DVec3::X + 0.5 * turn];
        let start = [a[0], a[1], b[0] + far * DVec3::Y * 2.0, b[1] + far * DVec3::Y * 2.0].map(|x| q * x);
        let end = [a[0], a[1], b[0] - far * DVec3::Y * 2.0, b[1] - far * DVec3::Y * 2.0].map(|x| q * x);
        prop_assert!(crosses(&start, &end, TOUCHING).is_some());
    }
}

#[test]
fn parallel_edges_pass_through_broadside() {
    let start = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Y + DVec3::X];
    let end = moved(start, DVec3::ZERO, -2.0 * DVec3::Y);
    let time = crosses(&start, &end, TOUCHING).unwrap();
    assert!((time - 0.5).abs() < 1e-3 && time <= 0.5, "{time}");
    // Turned by a rounding error, at the end too.
    let mut tilted = end;
    tilted[3].z += 1e-16;
    assert!(crosses(&start, &tilted, TOUCHING).is_some());
}

#[test]
fn collinear_edges_run_into_each_other() {
    let start = [DVec3::ZERO, DVec3::X, 2.0 * DVec3::X, 3.0 * DVec3::X];
    let time = crosses(
        &start,
        &moved(start, DVec3::ZERO, -1.5 * DVec3::X),
        TOUCHING,
    )
    .unwrap();
    assert!((time - 2.0 / 3.0).abs() < 1e-3, "{time}");
    assert_eq!(
        crosses(
            &start,
            &moved(start, DVec3::ZERO, -0.99 * DVec3::X),
            TOUCHING
        ),
        None
    );
}

#[test]
fn crossing_just_before_the_end_of_the_step() {
    let start = Random(4).crossing([1.0, 1.0], 1.0, [0.5, 0.5], 0.2);
    let normal = (start[0].lerp(start[1], 0.5) - start[2].lerp(start[3], 0.5)).normalize();
    let through = moved(start, -0.2000001 * normal, DVec3::ZERO);
    assert!(crosses(&start, &through, TOUCHING).is_some());
    let short_of_it = moved(start, -0.1997 * normal, DVec3::ZERO);
    assert_eq!(crosses(&start, &short_of_it, TOUCHING), None);
}

/// Deep in penetration, yet on its own side: no crossing, at once.
#[test]
fn nearly_touching_centrelines_slide_without_crossing() {
    for gap in [1e-3, 1e-6, 1e-9] {
        let start = Random(9).crossing([1.0, 1.0], 1.0, [0.5, 0.5], gap);
        let (u, v) = (start[1] - start[0], start[3] - start[2]);
        assert_eq!(
            crosses(&start, &moved(start, 0.3 * u, 3.0 * v), TOUCHING),
            None
        );
    }
}

#[test]
fn touching_at_the_start() {
    let crossing = Random(2).crossing([1.0, 1.0], 1.0, [0.5, 0.5], 0.0);
    let [_, a1, b0, b1] = crossing;
    let shared = [a1, b0, b0, b1];
    for start in [crossing, shared, [DVec3::ZERO; 4]] {
        for end in [start, moved(start, DVec3::X, DVec3::Y)] {
            assert_eq!(
                crosses(&start, &end, TOUCHING).map(|t| t < 1e-6),
                Some(true)
            );
            assert_eq!(max_step(&start, &end, 1e-9), 0.0);
        }
    }
}

#[test]
fn at_rest() {
    let start = Random(2).crossing([1.0, 1.0], 1.0, [0.5, 0.5], 0.01);
    assert_eq!(crosses(&start, &start, TOUCHING), None);
    assert_eq!(max_step(&start, &start, 0.005), 1.0);
    let nowhere = [DVec3::NAN; 4];
    assert!(crosses(&start, &nowhere, TOUCHING).is_some());
    assert_eq!(max_step(&nowhere, &start, 0.005), 0.0);
}

/// Common translation costs nothing and hides nothing.
#[test]
fn common_translation_does_not_matter() {
    let start = Random(6).crossing([1.0, 1.0], 1.0, [0.5, 0.5], 0.2);
    let far = 100.0 * DVec3::ONE;
    assert_eq!(crosses(&start, &moved(start, far, far), TOUCHING), None);
    let normal = (start[0].lerp(start[1], 0.5) - start[2].lerp(start[3], 0.5)).normalize();
    assert!(crosses(&start, &moved(start, far - normal, far), TOUCHING).is_some());
}

/// The bound along the normal is what makes sliding cheap.
#[test]
fn few_advances_while_sliding() {
    let start = Random(8).crossing([1.0, 1.0], 1.0, [0.5, 0.5], 1e-4);
    let u = start[1] - start[0];
    let motion = Motion::new(&start, &moved(start, 5.0 * u, DVec3::ZERO));
    let advance = motion.safe_advance(0.0, &motion.gap(0.0), 0.0);
    assert!(advance > 1.0, "{advance}");
}
