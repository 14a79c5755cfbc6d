use proptest::prelude::*;

use crate::kernels::distance::pair_distance;
use crate::kernels::friction::directions::Directions;
use crate::kernels::friction::law::Stick;
use crate::kernels::friction::pair::*;
use crate::kernels::testing::*;
use crate::lanes::COLUMN;
use crate::rod::Frames;
use crate::rod::Topology;
use crate::rod::kinematics::Kinematics;

const MU: f64 = 0.3;
const RADII: [f64; 2] = [0.12, 0.08];

const CREEP: SlipLaw = SlipLaw {
    coefficient: MU,
    of: SlipOf::Surfaces,
    directions: [None; 2],
    stick: Stick::Creep { tolerance: 0.05 },
};
const ANCHOR: SlipLaw = SlipLaw {
    stick: Stick::Anchor {
        length: 0.01,
        dt: 0.2,
        rest: 0.0,
    },
    ..CREEP
};
const AXES: SlipLaw = SlipLaw {
    of: SlipOf::Axes,
    ..CREEP
};
/// The first rod has scales, the second bristles.
const DIRECTED: SlipLaw = SlipLaw {
    directions: [
        Some(Directions {
            forward: 0.11,
            backward: 0.34,
            across: 0.2,
        }),
        Some(Directions {
            forward: 0.4,
            backward: 0.1,
            across: 0.25,
        }),
    ],
    ..CREEP
};
/// Only the second has any.
const HALF_DIRECTED: SlipLaw = SlipLaw {
    directions: [None, DIRECTED.directions[1]],
    ..ANCHOR
};
const DIRECTED_AXES: SlipLaw = SlipLaw {
    of: SlipOf::Axes,
    ..DIRECTED
};
const LAWS: [SlipLaw; 6] = [CREEP, ANCHOR, AXES, DIRECTED, HALF_DIRECTED, DIRECTED_AXES];

/// Two edges with the directions that they had at the start of the step, and what moves them.
#[derive(Clone)]
struct Case {
    start: [DVec3; 2],
    nodes: Nodes,
    velocities: Nodes,
    spins: [f64; 2],
    anchor: Anchor,
}

/// A normal force, N, and its slope: any will do.
fn normal_force(distance: f64) -> (f64, f64) {
    let depth = 0.3 - distance;
    (40.0 * depth * depth, 80.0 * depth)
}

fn with<T>(case: &Case, law: &SlipLaw, result: impl Fn(&PairFriction) -> T) -> T {
    with_radii(case, law, RADII, result)
}

fn with_mut(case: &Case, law: &SlipLaw, result: impl FnMut(&PairFriction)) {
    with_radii(case, law, RADII, result);
}

fn with_radii<T>(
    case: &Case,
    law: &SlipLaw,
    radii: [f64; 2],
    mut result: impl FnMut(&PairFriction) -> T,
) -> T {
    let [a0, a1, b0, b1] = case.nodes;
    let distance = pair_distance(a0, a1, b0, b1);
    let (force, stiffness) = normal_force(distance.closest.distance);
    let contact = NormalContact {
        distance,
        force,
        stiffness,
    };
    let mut topology = Topology::default();
    topology.push(2, false);
    topology.push(2, false);
    let mut q = Vec::new();
    for pair in case.nodes.chunks(2) {
        q.extend(pair[0].to_array());
        q.push(0.0);
        q.extend(pair[1].to_array());
    }
    let frames = Frames {
        tangent: case.start.to_vec(),
        director: case.start.map(|t| t.any_orthonormal_vector()).to_vec(),
        twist: Vec::new(),
        orientation: Vec::new(),
    };
    let mut kinematics = Kinematics::default();
    kinematics.update(&topology, &frames, &q).unwrap();
    let edge = |k: usize| EdgeMotion {
        radius: radii[k],
        velocities: [case.velocities[2 * k], case.velocities[2 * k + 1]],
        spin: case.spins[k],
        edge: kinematics.axis(k),
    };
    result(&PairFriction::new(
        law,
        contact,
        [edge(0), edge(1)],
        Some(case.anchor),
    ))
}

fn force(case: &Case, law: &SlipLaw) -> PairForce {
    with(case, law, |f| f.force())
}

/// Pairs in contact, edge against edge, against ends and nearly parallel, from rest to fast
/// sliding; edges that turned by up to a radian since the start of the step.
fn samples() -> Vec<Case> {
    let mut random = Random(31);
    let mut samples = Vec::new();
    for speed in [0.0, 1e-4, 4e-3, 0.02, 0.3] {
        for angle in [0.02, 0.1, 0.7, 1.5] {
            for place in [
                [0.4, 0.7],
                [0.4, -0.05],
                [1.06, 0.3],
                [1.04, -0.03],
                [0.03, 0.97],
            ] {
                // Where edges are nearly parallel the contact point runs fast: keep it inside.
                let place = if angle < 0.05 { [0.5, 0.4] } else { place };
                let nodes = random.crossing([1.0, 0.8], angle, place, 0.17);
                let turned = |e: DVec3, random: &mut Random| {
                    (e.normalize() + 0.6 * random.vector()).normalize()
                };
                let start = [
                    turned(nodes[1] - nodes[0], &mut random),
                    turned(nodes[3] - nodes[2], &mut random),
                ];
                samples.push(Case {
                    start,
                    nodes,
                    velocities: random.nodes().map(|u| speed * u),
                    spins: [0, 1].map(|_| 6.0 * speed * random.range(-1.0, 1.0)),
                    anchor: Anchor {
                        slip: [0, 1].map(|_| 0.006 * random.range(-1.0, 1.0)),
                        carrier: u8::from(random.range(0.0, 1.0) > 0.5),
                    },
                });
            }
        }
    }
    samples
}

/// Derivatives by one number of a case, fourth order.
fn difference(case: &Case, law: &SlipLaw, step: f64, change: impl Fn(&mut Case, f64)) -> PairForce {
    let at = |m: f64| {
        let mut moved = case.clone();
        change(&mut moved, m * step);
        force(&moved, law)
    };
    let [far_minus, minus, plus, far_plus] = [-2.0, -1.0, 1.0, 2.0].map(at);
    std::array::from_fn(|i| {
        (8.0 * (plus[i] - minus[i]) - (far_plus[i] - far_minus[i])) / (12.0 * step)
    })
}

/// So many times the derivatives by velocities and by positions of a pair in one place or another,
/// with the slope of its traction.
fn add(f: &PairFriction, slope: DMat3, factors: [f64; 2], out: &mut PairDerivatives) {
    let mut columns = PairColumns::default();
    let lane = (f.surfaces[0].along.to_bits() % COLUMN as u64) as usize;
    columns.put(lane, f, slope);
    take_derivatives(&differentiated(&columns, factors), lane, out);
}

fn differentiated(columns: &PairColumns, factors: [f64; 2]) -> DerivativeColumns {
    struct Differentiate<'a>(&'a PairColumns, [f64; 2]);
    impl pulp::WithSimd for Differentiate<'_> {
        type Output = DerivativeColumns;

        #[inline(always)]
        fn with_simd<S: pulp::Simd>(self, simd: S) -> DerivativeColumns {
            let mut out = DerivativeColumns::default();
            self.0.differentiate(simd, self.1, &mut out);
            out
        }
    }
    pulp::Arch::new().dispatch(Differentiate(columns, factors))
}

/// Whoever else is in the registers, and was there before, what comes of a pair is the same.
#[test]
fn pairs_in_lanes_do_not_see_each_other() {
    let samples = samples();
    let mut columns = PairColumns::default();
    for (cases, law) in samples.chunks(COLUMN).zip(LAWS.into_iter().cycle()) {
        columns.begin();
        for (lane, case) in cases.iter().enumerate() {
            // Every second one remembers nothing.
            let law = if lane % 2 == 0 { law } else { CREEP };
            with_mut(case, &law, |f| columns.put(lane, f, f.traction.slope));
        }
        let together = differentiated(&columns, [0.7, -1.3]);
        for (lane, case) in cases.iter().enumerate() {
            let law = if lane % 2 == 0 { law } else { CREEP };
            let mut both = [[[0.0; 16]; 16]; 2];
            take_derivatives(&together, lane, &mut both[0]);
            let [_, alone] = &mut both;
            with_mut(case, &law, |f| add(f, f.traction.slope, [0.7, -1.3], alone));
            assert_eq!(both[0], both[1]);
        }
    }
}

type PairJacobian = [[f64; UNKNOWNS]; UNKNOWNS];

/// By rows, with both angles last.
fn dense(add: impl Fn(&mut PairDerivatives)) -> PairJacobian {
    let mut blocks = [[0.0; 16]; 16];
    add(&mut blocks);
    // Group and slot of an unknown.
    let place = |i: usize| {
        if i < 12 {
            (i / 3, i % 3)
        } else {
            (2 * (i - 12), 3)
        }
    };
    let matrix: PairJacobian = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let ((row, r), (column, c)) = (place(i), place(j));
            blocks[4 * row + column][4 * c + r]
        })
    });
    let all = |values: &[f64]| values.iter().map(|v| v.abs()).sum::<f64>();
    let (inside, whole) = (all(matrix.as_flattened()), all(blocks.as_flattened()));
    assert!(
        (inside - whole).abs() <= 1e-12 * whole,
        "something in slots of nothing"
    );
    matrix
}

/// Small enough for a law by direction, which changes from forward to backward in a hundredth of its
/// slip.
fn step(law: &SlipLaw) -> f64 {
    if law.is_directed() { 2e-6 } else { 1e-5 }
}

fn matrix_error(ours: &PairJacobian, reference: &PairJacobian) -> f64 {
    relative_error(ours.as_flattened(), reference.as_flattened())
}

fn by_column(column: impl Fn(usize) -> PairForce) -> PairJacobian {
    let columns: PairJacobian = std::array::from_fn(column);
    std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]))
}

#[test]
fn velocity_jacobian_matches_differences() {
    for case in samples() {
        for law in LAWS {
            let step = step(&law);
            let reference = by_column(|j| match j {
                12.. => difference(&case, &law, step, |c, h| c.spins[j - 12] += h),
                _ => difference(&case, &law, step, |c, h| {
                    c.velocities[j / 3] += h * DVec3::AXES[j % 3];
                }),
            });
            let ours = with(&case, &law, |f| {
                dense(|out| add(f, f.traction.slope, [1.0, 0.0], out))
            });
            let error = matrix_error(&ours, &reference);
            assert!(error < 1e-6, "{law:?} {error:e}");
        }
    }
}

#[test]
fn position_jacobian_matches_differences() {
    for case in samples() {
        for law in LAWS {
            if law.stick == CREEP.stick && case.velocities == [DVec3::ZERO; 4] {
                continue;
            }
            let reference = by_column(|j| match j {
                12.. => [0.0; UNKNOWNS],
                _ => difference(&case, &law, step(&law), |c, h| {
                    c.nodes[j / 3] += h * DVec3::AXES[j % 3];
                }),
            });
            let ours = with(&case, &law, |f| {
                dense(|out| add(f, f.traction.slope, [0.0, 1.0], out))
            });
            let error = matrix_error(&ours, &reference);
            let closest = with(&case, &law, |f| f.contact.distance.closest);
            assert!(error < 1e-6, "{law:?} {error:e} {closest:?}");
        }
    }
}

/// Where all coefficients are equal friction is plain; of two rods with scales its slope is not
/// symmetric.
#[test]
fn equal_coefficients_are_plain_friction() {
    let same = Directions {
        forward: MU,
        backward: MU,
        across: MU,
    };
    let mut skew = 0.0_f64;
    for case in samples() {
        for plain in [CREEP, ANCHOR, AXES] {
            if plain.stick == CREEP.stick && case.velocities == [DVec3::ZERO; 4] {
                continue;
            }
            let law = SlipLaw {
                directions: [Some(same); 2],
                ..plain
            };
            let both = |law| {
                with(&case, law, |f| {
                    (
                        dense(|out| add(f, f.traction.slope, [1.0, 0.0], out)),
                        dense(|out| add(f, f.traction.slope, [0.0, 1.0], out)),
                    )
                })
            };
            let (ours, theirs) = (both(&law), both(&plain));
            let scale = with(&case, &plain, |f| f.contact.force);
            for (a, b) in force(&case, &law).into_iter().zip(force(&case, &plain)) {
                assert!((a - b).abs() < 1e-15 * scale);
            }
            assert!(matrix_error(&ours.0, &theirs.0) < 1e-14);
            let error = matrix_error(&ours.1, &theirs.1);
            assert!(error < 1e-12, "{error:e}");
        }
        let j = with(&case, &DIRECTED, |f| {
            dense(|out| add(f, f.traction.slope, [1.0, 0.0], out))
        });
        let transposed = std::array::from_fn(|i| std::array::from_fn(|k| j[k][i]));
        skew = skew.max(matrix_error(&j, &transposed));
    }
    assert!(skew > 0.05, "{skew}");
}

/// The same friction, whichever edge of a pair is the first.
#[test]
fn names_do_not_matter() {
    for case in samples() {
        for law in [DIRECTED, HALF_DIRECTED, DIRECTED_AXES] {
            let [a, b] = law.directions;
            let other = SlipLaw {
                directions: [b, a],
                ..law
            };
            let [a0, a1, b0, b1] = case.nodes;
            let [u0, u1, v0, v1] = case.velocities;
            let swapped = Case {
                start: [case.start[1], case.start[0]],
                nodes: [b0, b1, a0, a1],
                velocities: [v0, v1, u0, u1],
                spins: [case.spins[1], case.spins[0]],
                // What is remembered is that of the second on the first: along tau as the reverse,
                // along n x tau, which turns round as well, as before.
                anchor: Anchor {
                    slip: [-case.anchor.slip[0], case.anchor.slip[1]],
                    carrier: 1 - case.anchor.carrier,
                },
            };
            let limit = with(&case, &law, |f| f.contact.force);
            let (here, there) = (force(&case, &law), exchanged(&swapped, &other));
            for (a, b) in here.into_iter().zip(there) {
                assert!((a - b).abs() < 1e-13 * limit, "{a} {b}");
            }
        }
    }
}

/// Forces of a pair with its edges exchanged, in their own order; radii are exchanged with the edges.
fn exchanged(swapped: &Case, law: &SlipLaw) -> PairForce {
    let f = with_radii(swapped, law, [RADII[1], RADII[0]], |f| f.force());
    std::array::from_fn(|i| match i {
        0..6 => f[i + 6],
        6..12 => f[i - 6],
        12 => f[13],
        _ => f[12],
    })
}

/// Steered by the exact direction the slope is the derivative.
#[test]
fn steering_by_the_exact_direction_changes_nothing() {
    for case in samples() {
        for law in [CREEP, DIRECTED, DIRECTED_AXES] {
            let exact = with(&case, &law, |f| {
                dense(|out| add(f, f.traction.slope, [1.0, 0.0], out))
            });
            let steered = with(&case, &law, |f| {
                let direction = Steering::exact(&law, f.slip());
                assert!(direction.is_some());
                let slope = f.slope(&law, direction.as_ref());
                dense(|out| add(f, slope, [1.0, 0.0], out))
            });
            assert!(matrix_error(&steered, &exact) < 1e-12);
        }
    }
}

/// Velocities of a pair that moves as one.
fn rigid(case: &Case, drift: DVec3, omega: DVec3) -> Case {
    let mut case = case.clone();
    case.velocities = case.nodes.map(|x| drift + omega.cross(x));
    // theta' + a . e' is the spin about t.
    case.spins = [0, 1].map(|k| {
        let e = case.nodes[2 * k + 1] - case.nodes[2 * k];
        let (t0, t) = (case.start[k], e.normalize());
        let a = -t0.cross(t) / (e.length() * (1.0 + t0.dot(t)));
        omega.dot(t) - a.dot(omega.cross(e))
    });
    case
}

/// Whether surfaces hover or penetrate, a rigid motion has no slip; that of the axes has.
#[test]
fn rigid_motion_has_no_slip() {
    let mut random = Random(8);
    for case in samples() {
        let (drift, omega) = (random.vector(), random.vector());
        let case = rigid(&case, drift, omega);
        let speed: f64 = case.velocities.iter().map(|u| u.length()).sum();
        let slip = with(&case, &CREEP, |f| f.slip_velocity().length());
        assert!(slip < 4e-15 * speed, "{slip:e}");
        let distance = with(&case, &CREEP, |f| f.contact.distance.closest.delta);
        let slip = with(&case, &AXES, |f| f.slip_velocity().length());
        assert!(
            (slip - omega.cross(distance).reject_from(distance).length()).abs() < 1e-14 * speed
        );
    }
}

/// A force along nodes and moments along tangents: sum, and moment about the origin with the
/// frame's own spin.
fn resultants(case: &Case, force: &PairForce) -> (DVec3, DVec3) {
    let nodes = unflat(std::array::from_fn(|i| force[i]));
    let mut moment: DVec3 = case
        .nodes
        .iter()
        .zip(&nodes)
        .map(|(x, f)| x.cross(*f))
        .sum();
    for k in 0..2 {
        let e = case.nodes[2 * k + 1] - case.nodes[2 * k];
        let (t0, t) = (case.start[k], e.normalize());
        let a = -t0.cross(t) / (e.length() * (1.0 + t0.dot(t)));
        // A turn by omega changes theta by omega . t - a . (omega x e).
        moment += force[12 + k] * (t - e.cross(a));
    }
    (nodes.iter().sum(), moment)
}

#[test]
fn momenta_are_conserved_and_work_is_that_of_the_slip() {
    for case in samples() {
        for law in [CREEP, ANCHOR, DIRECTED, HALF_DIRECTED] {
            let force = force(&case, &law);
            let (f, slip) = with(&case, &law, |f| (f.contact_force(), f.slip_velocity()));
            // No coefficient is above .4.
            let limit = with(&case, &law, |f| {
                f.contact.force * if law.is_directed() { 0.4 } else { MU }
            });
            let (sum, moment) = resultants(&case, &force);
            assert!(
                sum.length() < 1e-14 * limit && moment.length() < 1e-14 * limit,
                "{moment}"
            );
            assert!(f.length() <= limit * (1.0 + 1e-15));
            let n = with(&case, &law, |f| f.contact.distance.normal);
            assert!(f.dot(n).abs() <= 1e-14 * limit);
            let moved = flat(case.velocities).into_iter().chain(case.spins);
            let power: f64 = moved.zip(force).map(|(u, f)| u * f).sum();
            let size: f64 = case.velocities.iter().map(|u| u.length()).sum();
            assert!((power - f.dot(slip)).abs() <= 1e-13 * limit * size);
            if law.stick == CREEP.stick {
                assert!(power <= 1e-15 * limit * size);
            }
        }
    }
}

/// The form of T22 does not balance moments: friction acts on the axes, a diameter apart.
#[test]
fn friction_of_the_axes_leaves_a_moment() {
    let worst = samples()
        .iter()
        .map(|case| {
            let force = force(case, &AXES);
            assert_eq!(force[12..], [0.0, 0.0]);
            let limit = with(case, &AXES, |f| MU * f.contact.force);
            let (sum, moment) = resultants(case, &force);
            assert!(sum.length() <= 1e-15 * limit);
            moment.length() / limit
        })
        .fold(0.0, f64::max);
    assert!(worst > 0.1, "{worst}");
}

/// The paper's own order of operations: normal forces by node, beta as a ratio of forces (T22 Eq.
/// 14 to 20).
fn as_printed(gradient: Nodes, velocities: Nodes) -> Nodes {
    let n = (gradient[0] + gradient[1]).normalize();
    let share = |first: DVec3, second: DVec3| second.length() / (first.length() + second.length());
    let (beta_i, beta_j) = (
        share(gradient[0], gradient[1]),
        share(gradient[2], gradient[3]),
    );
    let point = |beta: f64, first: DVec3, second: DVec3| (1.0 - beta) * first + beta * second;
    let v =
        point(beta_i, velocities[0], velocities[1]) - point(beta_j, velocities[2], velocities[3]);
    let v_t = v - v.dot(n) * n;
    let gamma = 2.0 / (1.0 + (-15.0 / 0.05 * v_t.length()).exp()) - 1.0;
    let towards = |k: usize| if k < 2 { -1.0 } else { 1.0 };
    std::array::from_fn(|k| towards(k) * MU * gamma * gradient[k].length() * v_t.normalize())
}

#[test]
fn on_the_axes_it_equals_the_printed_equations() {
    for case in samples()
        .into_iter()
        .filter(|c| c.velocities != [DVec3::ZERO; 4])
    {
        let gradient = with(&case, &AXES, |f| {
            f.contact.distance.gradient().map(|g| -f.contact.force * g)
        });
        let reference = flat(as_printed(gradient, case.velocities));
        let error = relative_error(&force(&case, &AXES)[..12], &reference);
        assert!(error < 1e-11, "{error:e}");
    }
}

#[test]
fn nothing_is_singular_at_rest() {
    let case = &samples()[0];
    for law in LAWS {
        let still = Case {
            anchor: Anchor::default(),
            ..case.clone()
        };
        assert_eq!(force(&still, &law), [0.0; UNKNOWNS]);
        let finite = |m: PairJacobian| m.as_flattened().iter().all(|x| x.is_finite());
        assert!(with(&still, &law, |f| finite(dense(|out| add(
            f,
            f.traction.slope,
            [0.0, 1.0],
            out
        ))) && finite(dense(|out| add(
            f,
            f.traction.slope,
            [1.0, 0.0],
            out
        )))));
    }
}

/// What is remembered turns with the pair, and a rod that rolls leaves it behind.
#[test]
fn memory_turns_with_the_contact() {
    let mut random = Random(77);
    let (n, t) = (random.unit(), random.unit());
    let s = 0.007 * n.cross(random.unit()).normalize();
    let anchor = Anchor::remember(s, 0.01, n, &[t, n]);
    assert_eq!(anchor.carrier, 0);
    let q = random.rotation();
    assert!((anchor.slip(q * n, q * t) - q * s).length() < 1e-16);
    // Beyond the limit only the direction stays.
    let long = Anchor::remember(5.0 * s, 0.01, n, &[t, n]).slip(n, t);
    assert!((long - 0.01 * s.normalize()).length() < 1e-16);
}

proptest! {
    /// A rigid motion carries no slip of its own and turns the force with the pair.
    #[test]
    fn frame_does_not_matter(seed: u64) {
        let mut random = Random(seed);
        let nodes = random.crossing([1.0, 0.8], 0.9, [0.3, 0.6], 0.17);
        let case = Case {
            start: [nodes[1] - nodes[0], nodes[3] - nodes[2]].map(|e| (e.normalize() + 0.4 * random.vector()).normalize()),
            nodes,
            velocities: random.nodes().map(|u| 0.05 * u),
            spins: [0.3, -0.2],
            anchor: Anchor { slip: [0.004, -0.003], carrier: 1 },
        };
        let (q, shift, drift) = (random.rotation(), random.vector(), 0.1 * random.vector());
        let moved = Case {
            start: case.start.map(|t| q * t),
            nodes: case.nodes.map(|x| q * x + shift),
            velocities: case.velocities.map(|u| q * u + drift),
            ..case.clone()
        };
        for law in LAWS {
            let (here, there) = (force(&case, &law), force(&moved, &law));
            let limit = with(&case, &law, |f| MU * f.contact.force);
            for k in 0..4 {
                let at = |f: &PairForce| DVec3::from_slice(&f[3 * k..]);
                prop_assert!((q * at(&here) - at(&there)).length() < 1e-10 * limit);
            }
            prop_assert!((here[12] - there[12]).abs() < 1e-10 * limit && (here[13] - there[13]).abs() < 1e-10 * limit);
        }
    }
}
