use std::sync::Arc;

use crate::kernels::testing::Random;
use crate::obstacle::mesh::Mesh;
use crate::obstacle::sweep::*;

const SOLIDS: [Solid; 5] = [
    Solid::HalfSpace,
    Solid::Sphere { radius: 0.3 },
    Solid::Capsule {
        radius: 0.2,
        half_length: 0.3,
    },
    Solid::Cylinder {
        radius: 0.3,
        half_length: 0.2,
    },
    Solid::Box {
        half: DVec3::new(0.2, 0.3, 0.25),
    },
];

const SAMPLES: i32 = 40;

/// Two tetrahedra over a common base.
fn bipyramid() -> Body {
    let corners = [
        DVec3::X,
        DVec3::new(-0.5, 0.8, 0.0),
        DVec3::new(-0.5, -0.8, 0.0),
        0.7 * DVec3::Z,
        -0.7 * DVec3::Z,
    ];
    let triangles = [
        [0, 1, 3],
        [1, 2, 3],
        [2, 0, 3],
        [1, 0, 4],
        [2, 1, 4],
        [0, 2, 4],
    ];
    let mesh = Mesh::new(&corners.map(|v| 0.5 * v), &triangles).unwrap();
    assert!(mesh.is_closed());
    Body::mesh(Arc::new(mesh))
}

fn bodies() -> Vec<Body> {
    SOLIDS
        .map(Body::solid)
        .into_iter()
        .chain([bipyramid()])
        .collect()
}

/// Least distance over the motion by brute force in time and along the edge.
fn least(body: &Body, motion: &EdgeMotion) -> f64 {
    let mut least = f64::INFINITY;
    let times = if motion.start == motion.end {
        0
    } else {
        SAMPLES
    };
    for i in 0..=times {
        let [a, b] = motion.at(f64::from(i) / f64::from(SAMPLES));
        for j in 0..=SAMPLES {
            least = least.min(body.distance(a.lerp(b, f64::from(j) / f64::from(SAMPLES))));
        }
    }
    least
}

fn random_motion(random: &mut Random) -> EdgeMotion {
    let start = random.vector();
    let end = random.vector();
    EdgeMotion {
        start: [start, start + 0.3 * random.vector()],
        end: [end, end + 0.3 * random.vector()],
    }
}

#[test]
fn finds_what_brute_force_finds() {
    let mut random = Random(12);
    let h = 0.02;
    for body in bodies() {
        let (mut through, mut free) = (0, 0);
        for _ in 0..80 {
            let motion = random_motion(&mut random);
            let before = least(
                &body,
                &EdgeMotion {
                    end: motion.start,
                    ..motion
                },
            );
            if before < 0.0 {
                continue;
            }
            let reached = least(&body, &motion);
            let enters = enters(&body, &motion, h);
            if reached < 0.0 {
                through += 1;
                assert!(enters, "missed {motion:?}");
            } else if reached > 0.03 {
                // Sampled 60 times; farther than that it cannot come in between.
                free += 1;
                assert!(!enters, "{motion:?} stays {reached} away");
            }
        }
        assert!(through > 4 && free > 10, "{through} through, {free} free");
    }
}

#[test]
fn largest_steps_keep_a_gap_and_are_not_too_short() {
    let mut random = Random(13);
    let h = 0.02;
    for body in bodies() {
        let (mut bounded, mut full) = (0, 0);
        for _ in 0..80 {
            let motion = random_motion(&mut random);
            let still = EdgeMotion {
                end: motion.start,
                ..motion
            };
            if least(&body, &still) < h + 1e-3 {
                continue;
            }
            let alpha = max_step(&body, &motion, [h; 3]);
            let part = EdgeMotion {
                end: motion.at(alpha),
                ..motion
            };
            assert!(
                alpha > 0.0 && least(&body, &part) > h,
                "{alpha} of {motion:?}"
            );
            if alpha < 1.0 {
                bounded += 1;
                // It stops where a gap is nearly used up, not before.
                assert!(least(&body, &part) < 0.2 * least(&body, &still) + h + 0.02);
            } else {
                full += 1;
            }
        }
        assert!(bounded > 4 && full > 5, "{bounded} bounded, {full} full");
    }
}

/// Sliding far along a wall costs one advance, and a node that flies at a wall stops before it.
#[test]
fn sliding_is_free() {
    let body = Body::solid(Solid::HalfSpace);
    let at = |x: f64, z: f64| [DVec3::new(x, 0.0, z), DVec3::new(x + 0.1, 0.0, z)];
    let slide = EdgeMotion {
        start: at(0.0, 0.0101),
        end: at(1e3, 0.0101),
    };
    assert_eq!(max_step(&body, &slide, [0.01; 3]), 1.0);
    assert!(!enters(&body, &slide, 0.01));
    let fall = EdgeMotion {
        start: at(0.0, 1.01),
        end: at(0.0, -0.99),
    };
    let alpha = max_step(&body, &fall, [0.01; 3]);
    assert!((alpha - 0.45).abs() < 0.011, "{alpha}");
    assert!(enters(&body, &fall, 0.01));
    let nan = EdgeMotion {
        start: at(0.0, 1.0),
        end: at(f64::NAN, 1.0),
    };
    assert!(enters(&body, &nan, 0.01));
    assert_eq!(max_step(&body, &nan, [0.01; 3]), 0.0);
}
