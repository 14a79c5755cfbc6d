use super::super::distance::pair_distance;
use super::super::testing::*;
use super::*;
use proptest::prelude::*;

/// A pair with its friction, velocities and spins at random; slip from deep inside the tolerance to far beyond.
struct Sample {
    nodes: Nodes,
    friction: LaggedFriction,
    velocities: Nodes,
    spins: [f64; 2],
}

fn sample(seed: u64, on_surfaces: bool) -> Sample {
    let mut random = Random(seed);
    let nodes = random.nodes();
    let [a0, a1, b0, b1] = nodes;
    let distance = pair_distance(a0, a1, b0, b1);
    let radii = [random.range(0.1, 0.5), random.range(0.1, 0.5)];
    let map = if on_surfaces {
        SlipMap::of_surfaces(&distance, [a1 - a0, b1 - b0], radii)
    } else {
        SlipMap::of_centrelines(&distance)
    };
    let speed = random.range(-3.0, 3.0).exp2();
    let mut velocities = random.nodes().map(|u| speed * u);
    let mut spins = [
        speed * random.range(-1.0, 1.0),
        speed * random.range(-1.0, 1.0),
    ];
    if seed.is_multiple_of(5) {
        velocities = [DVec3::ZERO; 4];
        spins = [0.0; 2];
    }
    Sample {
        nodes,
        friction: LaggedFriction {
            map,
            limit: random.range(0.1, 2.0),
            slip_tolerance: 1.0,
        },
        velocities,
        spins,
    }
}

fn flat14(velocities: &Nodes, spins: [f64; 2]) -> [f64; 14] {
    std::array::from_fn(|i| {
        if i < 12 {
            velocities[i / 3][i % 3]
        } else {
            spins[i - 12]
        }
    })
}

fn unflat14(x: [f64; 14]) -> (Nodes, [f64; 2]) {
    (
        std::array::from_fn(|k| DVec3::from_slice(&x[3 * k..3 * k + 3])),
        [x[12], x[13]],
    )
}

/// Central differences of `f` by the fourteen velocities.
fn differences14<const M: usize>(
    sample: &Sample,
    f: impl Fn(&Nodes, [f64; 2]) -> [f64; M],
) -> [[f64; M]; 14] {
    let step = 1e-3;
    let moved = |c: usize, by: f64| {
        let mut x = flat14(&sample.velocities, sample.spins);
        x[c] += by;
        let (velocities, spins) = unflat14(x);
        f(&velocities, spins)
    };
    std::array::from_fn(|c| {
        let [far_minus, minus, plus, far_plus] = [-2.0, -1.0, 1.0, 2.0].map(|m| moved(c, m * step));
        std::array::from_fn(|i| {
            (8.0 * (plus[i] - minus[i]) - (far_plus[i] - far_minus[i])) / (12.0 * step)
        })
    })
}

#[test]
fn mollifier_closed_form() {
    // f1: 0 at rest, 3/4 at half the tolerance, 1 from the tolerance on; f0 = e/3 at rest and meets v at v = e.
    let e = 1e-3;
    for (x, f0, f1) in [
        (0.0, 1.0 / 3.0, 0.0),
        (0.5, 0.25 - 1.0 / 24.0 + 1.0 / 3.0, 0.75),
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

proptest! {
    #[test]
    fn force_is_minus_the_gradient_of_the_potential(seed: u64, on_surfaces: bool) {
        let s = sample(seed, on_surfaces);
        let gradient = differences14(&s, |u, w| [s.friction.potential(u, w)]);
        let force = s.friction.force(&s.velocities, s.spins);
        let ours = flat14(&force.nodes, force.spins).map(|f| -f);
        let gradient = gradient.map(|[g]| g);
        prop_assert!(ours.iter().zip(&gradient).all(|(a, b)| (a - b).abs() < 1e-5 * s.friction.limit), "{ours:?} {gradient:?}");
    }

    #[test]
    fn hessian_agrees_with_differences(seed: u64, on_surfaces: bool) {
        let s = sample(seed, on_surfaces);
        let speed = s.friction.map.slip(&s.velocities, s.spins).length();
        // The third derivative jumps at rest and at the tolerance.
        prop_assume!(speed > 0.02 && (speed - 1.0).abs() > 0.02);
        let reference = differences14(&s, |u, w| {
            let force = s.friction.force(u, w);
            flat14(&force.nodes, force.spins).map(|f| -f)
        });
        let whole = s.friction.hessian_with_spins(&s.velocities, s.spins);
        prop_assert!(relative_error(whole.as_flattened(), reference.as_flattened()) < 1e-6);
        let nodes = s.friction.hessian(&s.velocities, s.spins);
        for i in 0..12 {
            for j in 0..12 {
                prop_assert!((nodes[i][j] - whole[i][j]).abs() < 1e-12 * s.friction.limit);
            }
        }
    }

    #[test]
    fn hessian_is_semidefinite(seed: u64, on_surfaces: bool) {
        let s = sample(seed, on_surfaces);
        let whole = s.friction.hessian_with_spins(&s.velocities, s.spins);
        let mut random = Random(seed ^ 3);
        for _ in 0..20 {
            let x: [f64; 14] = std::array::from_fn(|_| random.range(-1.0, 1.0));
            let quadratic: f64 = (0..14).flat_map(|i| (0..14).map(move |j| (i, j))).map(|(i, j)| x[i] * whole[i][j] * x[j]).sum();
            prop_assert!(quadratic > -1e-12 * s.friction.limit);
        }
    }

    /// Friction takes energy out, never more than the limit allows, and acts against the slip.
    #[test]
    fn dissipates_within_the_cone(seed: u64, on_surfaces: bool) {
        let s = sample(seed, on_surfaces);
        let slip = s.friction.map.slip(&s.velocities, s.spins);
        let f = s.friction.contact_force(&s.velocities, s.spins);
        prop_assert!(f.length() <= s.friction.limit * (1.0 + 1e-14));
        prop_assert!(f.dot(slip) <= 0.0);
        let force = s.friction.force(&s.velocities, s.spins);
        let power: f64 = force.nodes.iter().zip(&s.velocities).map(|(f, u)| f.dot(*u)).sum::<f64>()
            + force.spins[0] * s.spins[0] + force.spins[1] * s.spins[1];
        prop_assert!((power - f.dot(slip)).abs() < 1e-12 * s.friction.limit * (1.0 + slip.length()));
    }

    #[test]
    fn linear_momentum_is_kept(seed: u64, on_surfaces: bool) {
        let s = sample(seed, on_surfaces);
        let force = s.friction.force(&s.velocities, s.spins);
        let total: DVec3 = force.nodes.iter().sum();
        prop_assert!(total.length() < 1e-12 * s.friction.limit / s.nodes[0].distance(s.nodes[1]).min(s.nodes[2].distance(s.nodes[3])));
    }

    /// Touching edges that turn together as one body do not slip; the surface form alone knows that.
    #[test]
    fn rigid_motion_of_a_touching_pair_has_no_slip(seed: u64, angle in 0.2..1.5_f64) {
        let mut random = Random(seed);
        let radii = [0.1, 0.2];
        let nodes = random.crossing([1.0, 1.3], angle, [0.4, 0.7], 0.3);
        let [a0, a1, b0, b1] = nodes;
        let distance = pair_distance(a0, a1, b0, b1);
        let edges = [a1 - a0, b1 - b0];
        let (translation, rotation) = (random.vector(), random.vector());
        let velocities = nodes.map(|x| translation + rotation.cross(x));
        // theta' is the part of the rotation about the edge.
        let spins = edges.map(|e| rotation.dot(e.normalize()));
        let surfaces = SlipMap::of_surfaces(&distance, edges, radii);
        prop_assert!(surfaces.slip(&velocities, spins).length() < 1e-13);
        let centrelines = SlipMap::of_centrelines(&distance);
        let expected = 0.3 * (rotation - rotation.dot(distance.normal) * distance.normal).length();
        prop_assert!((centrelines.slip(&velocities, spins).length() - expected).abs() < 1e-12);
    }

    /// Force and moment at the surface points: no net moment on a touching pair.
    #[test]
    fn angular_momentum_is_kept_on_surfaces(seed: u64, angle in 0.2..1.5_f64) {
        let mut random = Random(seed);
        let nodes = random.crossing([1.0, 1.3], angle, [0.4, 0.7], 0.3);
        let [a0, a1, b0, b1] = nodes;
        let distance = pair_distance(a0, a1, b0, b1);
        let edges = [a1 - a0, b1 - b0];
        let friction = LaggedFriction {
            map: SlipMap::of_surfaces(&distance, edges, [0.1, 0.2]),
            limit: 1.0,
            slip_tolerance: 1.0,
        };
        let velocities = random.nodes();
        let spins = [random.range(-1.0, 1.0), random.range(-1.0, 1.0)];
        let force = friction.force(&velocities, spins);
        let of_nodes: DVec3 = nodes.iter().zip(&force.nodes).map(|(x, f)| x.cross(*f)).sum();
        let of_spins: DVec3 = edges.iter().zip(force.spins).map(|(e, m)| m * e.normalize()).sum();
        prop_assert!((of_nodes + of_spins).length() < 1e-12);
    }
}
