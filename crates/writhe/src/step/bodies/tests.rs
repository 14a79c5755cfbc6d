//! The equation of a step with bodies against differences.

use glam::{DMat3, DQuat, DVec3};

use crate::assembly::Blocks;
use crate::bodies::{Body, Joint, JointKind, Motor};
use crate::contact::pair::HessianPart;
use crate::contact::{Beginning, ContactFrame};
use crate::contact_model::{ContactModel, ImcSettings};
use crate::forces::Acting;
use crate::kernels::friction::Friction;
use crate::model::{Model, ModelBuilder};
use crate::obstacle::Obstacle;
use crate::obstacle::surface::Instants;
use crate::response::StepMaterial;
use crate::rod::{Material, Rod, Section};
use crate::schedule::{Motion, Schedule};
use crate::state::{History, State};
use crate::step::problem::{Evaluation, Problem};
use crate::step::scheme::{Scheme, Stage};

/// SplitMix64, in [-1, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Two rods on one body, one of them ending on another body, one held at its other end.
fn model(joints: bool) -> (Model, State) {
    let section = Section::rectangle(Material::new(1e5, 0.3, 1000.0), 0.03, 0.02);
    let bent = |from: DVec3, along: DVec3, across: DVec3| {
        let nodes = (0..5).map(|i| {
            let s = f64::from(i);
            from + along * (0.2 * s) + across * (0.02 * s * s)
        });
        let mut rod = Rod::open(nodes.collect(), section).unwrap();
        rod.rest_curvature
            .iter_mut()
            .enumerate()
            .for_each(|(i, k)| *k = [k[0] + 0.2, k[1] - 0.1 * i as f64]);
        rod
    };
    let first = bent(DVec3::ZERO, DVec3::X, DVec3::Z);
    let second = bent(DVec3::new(-0.1, 0.0, 0.05), DVec3::Y, DVec3::X);
    let end = first.positions[4];
    let inertia = DMat3::from_cols(
        DVec3::new(0.05, 0.01, 0.0),
        DVec3::new(0.01, 0.06, 0.01),
        DVec3::new(0.0, 0.01, 0.04),
    );
    let heavy = Body {
        inertia,
        orientation: DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.7),
        ..Body::new(2.0, DVec3::ONE, DVec3::new(-0.05, -0.02, 0.1))
    };
    let mut builder = ModelBuilder::new().body(heavy).body(Body::sphere(
        1.0,
        0.2,
        end + DVec3::new(0.05, 0.0, 0.02),
    ));
    if joints {
        let hinge = |bodies, anchor, motor| {
            Joint::new(
                bodies,
                anchor,
                JointKind::Hinge {
                    axis: DVec3::new(0.3, 0.5, 1.0),
                    motor,
                },
            )
        };
        let rising = |rate| Schedule::Rate { value: 0.2, rate };
        builder = builder
            .body(Body::sphere(0.5, 0.1, DVec3::new(0.2, -0.4, 0.0)))
            .body(Body::sphere(0.7, 0.2, DVec3::new(-0.3, -0.6, 0.2)))
            .joint(hinge(
                [Some(2), Some(0)],
                DVec3::new(0.1, -0.2, 0.0),
                Motor::Torque(rising(2.0)),
            ))
            .joint(hinge(
                [Some(3), Some(2)],
                DVec3::new(-0.1, -0.5, 0.0),
                Motor::Angle(rising(3.0)),
            ))
            .joint(Joint::new(
                [Some(3), None],
                DVec3::new(-0.5, -0.6, 0.3),
                JointKind::Ball,
            ))
            .body(Body::sphere(0.3, 0.2, DVec3::new(0.1, -0.7, 0.1)))
            .joint(Joint::new(
                [Some(2), Some(4)],
                DVec3::new(0.2, -0.6, 0.1),
                JointKind::Weld,
            ));
    }
    builder
        .rod(first)
        .rod(second)
        .weld(0, 0, 0)
        .weld(0, 1, 0)
        .weld(1, 0, 3)
        .clamp(1, 3, Motion::Still)
        .gravity(DVec3::new(0.0, 1.0, -9.0))
        .viscous_damping(0.3)
        .build()
        .unwrap()
}

struct Dense {
    n: usize,
    values: Vec<f64>,
    fixed: Vec<bool>,
    asymmetry: f64,
}

impl Blocks for Dense {
    fn general(&mut self, dofs: &[usize], values: &[f64]) {
        for (i, r) in dofs.iter().enumerate() {
            for (j, c) in dofs.iter().enumerate() {
                if !(self.fixed[*r] || self.fixed[*c]) {
                    self.values[r * self.n + c] += values[i * dofs.len() + j];
                }
            }
        }
    }

    fn symmetric(&mut self, dofs: &[usize], values: &[f64]) {
        let n = dofs.len();
        let size = values.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        for i in 0..n {
            for j in 0..i {
                let odd = (values[i * n + j] - values[j * n + i]).abs() / size;
                self.asymmetry = self.asymmetry.max(odd);
            }
        }
        self.general(dofs, values);
    }
}

/// A state in motion, with a past, and a stage at which edges and bodies have turned.
fn moving(model: &Model, state: &mut State, random: &mut Random) -> Vec<f64> {
    let mut before = state.q.clone();
    before.iter_mut().for_each(|q| *q += 0.01 * random.next());
    state.velocity.iter_mut().for_each(|v| *v = random.next());
    state.broken = (model.joints.iter()).map(|_| random.next() > 0.5).collect();
    state.history = Some(History {
        dt: 0.04,
        q: before,
        velocity: (0..model.topology.dofs).map(|_| random.next()).collect(),
    });
    let move_by = |(dof, q): (usize, &f64)| {
        let size = if model.topology.angle[dof] { 0.4 } else { 0.03 };
        match model.constraints.fixed()[dof] {
            true => *q,
            false => q + size * random.next(),
        }
    };
    state.q.iter().enumerate().map(move_by).collect()
}

fn check(scheme: Scheme, joints: bool, seed: u64) {
    let (model, mut state) = model(joints);
    let mut random = Random(seed);
    let y = moving(&model, &mut state, &mut random);
    compare(&model, &state, (scheme, Acting::All), y, false, 1e-7);
}

/// Residual, potential and stiffness at `y` against differences, to `tolerance` of the largest
/// entry.
fn compare(
    model: &Model,
    state: &State,
    (scheme, acting): (Scheme, Acting),
    mut y: Vec<f64>,
    has_potential: bool,
    tolerance: f64,
) {
    let stage = Stage::new(scheme, state, 0.05);
    let target = y.clone();
    let problem = Problem {
        model,
        start: state,
        stage: &stage,
        end_time: state.time + 0.05,
        length: model.length_scale(),
        contact_stiffness: 20.0,
        target: &target,
        acting,
        material: &StepMaterial::Own,
    };
    let instants = Instants::ending(state.time + 0.05, 0.05);
    let mut contact = ContactFrame::new(model, &Beginning::new(model, state, instants));
    let mut at = Evaluation::default();
    let mut evaluate = |y: &[f64]| {
        let mut y = y.to_vec();
        problem.follow(&mut y);
        problem.evaluate(&y, None, &mut contact, &mut at).unwrap();
        (at.residual.clone(), at.potential)
    };
    let free: Vec<usize> = (0..model.topology.dofs)
        .filter(|dof| !model.constraints.fixed()[*dof])
        .collect();
    let step = 2e-7;
    let n = model.topology.dofs;
    let mut differences = vec![0.0; n * n];
    let (residual, potential) = evaluate(&y);
    let scale = residual.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
    for column in &free {
        let mut moved = [y.clone(), y.clone()];
        moved[0][*column] -= step;
        moved[1][*column] += step;
        let [(a, e), (b, f)] = moved.map(|y| evaluate(&y));
        for row in &free {
            differences[row * n + column] = (b[*row] - a[*row]) / (2.0 * step);
        }
        if let (Some(e), Some(f)) = (e, f) {
            let slope = (f - e) / (2.0 * step);
            assert!(
                (slope - residual[*column]).abs() < 1e-6 * scale,
                "{scheme:?}: slope {slope} of unknown {column}, not {}",
                residual[*column]
            );
        }
    }
    assert_eq!(potential.is_some(), has_potential);
    problem.follow(&mut y);
    problem.evaluate(&y, None, &mut contact, &mut at).unwrap();
    let mut dense = Dense {
        n,
        values: vec![0.0; n * n],
        fixed: model.constraints.fixed().to_vec(),
        asymmetry: 0.0,
    };
    let part = Some((&contact, HessianPart::Exact));
    problem.add_tangent(&y, &mut at, part, &mut dense);
    let size = differences.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
    for row in &free {
        for column in &free {
            let (exact, found) = (
                dense.values[row * n + column],
                differences[row * n + column],
            );
            assert!(
                (exact - found).abs() < tolerance * size,
                "{scheme:?}: row {row}, column {column}: {exact}, differences {found}"
            );
            if potential.is_some() {
                let mirror = dense.values[column * n + row];
                assert!((exact - mirror).abs() < 1e-11 * size);
            }
        }
    }
    // What the last digits of the unknowns change is what is called rounding.
    let rounding = std::mem::take(&mut at.rounding);
    let mut random = Random(1);
    let mut largest = 0.0_f64;
    for _ in 0..10 {
        let digit = |q: &f64| q * (1.0 + f64::EPSILON * random.next().signum());
        let mut moved: Vec<f64> = y.iter().map(digit).collect();
        problem.follow(&mut moved);
        problem
            .evaluate(&moved, None, &mut contact, &mut at)
            .unwrap();
        for dof in &free {
            let change = (at.residual[*dof] - residual[*dof]).abs();
            let allowed = rounding.of_others(*dof) + rounding.of_contact(*dof);
            assert!(
                change <= allowed,
                "{scheme:?}: {change:e} of unknown {dof}, not within {allowed:e}"
            );
            largest = largest.max(change / allowed);
        }
    }
    assert!(largest > 1e-2, "{scheme:?}: at most {largest:e} of it");
}

#[test]
fn stiffness_and_residual_agree_with_differences() {
    for seed in 0..4 {
        for joints in [false, true] {
            check(Scheme::BackwardEuler, joints, seed);
            check(Scheme::Bdf2, joints, seed);
            check(Scheme::ImplicitMidpoint, joints, seed);
        }
    }
}

#[test]
fn steps_towards_equilibrium_have_a_potential_with_bodies_but_without_joints() {
    for joints in [false, true] {
        let (model, mut state) = model(joints);
        let y = moving(&model, &mut state, &mut Random(5));
        let settling = rest(&mut state);
        compare(&model, &state, settling, y, !joints, 1e-7);
    }
}

/// Makes a state one that steps towards equilibrium start from; returns how they are made.
fn rest(state: &mut State) -> (Scheme, Acting) {
    state.velocity.fill(0.0);
    state.history = None;
    (Scheme::BackwardEuler, Acting::Conservative)
}

/// A rod that lies on a ball and against a box, each on a body of its own.
fn touching(friction: f64) -> (Model, State) {
    let section = Section::circle(Material::new(1e5, 0.3, 1000.0), 0.02);
    let rod = |offset: DVec3| {
        let node = |i: usize| offset + DVec3::new(0.1 * i as f64, 0.01 * (i * i) as f64, 0.0);
        Rod::open((0..5).map(node).collect(), section).unwrap()
    };
    let ball = DVec3::new(0.17, 0.04, -0.2215);
    let edge = crate::schedule::Pose {
        rotation: DQuat::from_rotation_x(0.7),
        translation: DVec3::new(0.23, 0.11, 0.136),
    };
    ModelBuilder::new()
        .rod(rod(DVec3::ZERO))
        .body(Body::sphere(0.5, 0.2, ball + DVec3::new(0.02, 0.01, 0.0)))
        .body(Body::cuboid(0.4, DVec3::splat(0.2), edge.translation))
        .obstacle(Obstacle::sphere(ball, 0.2).on_body(0))
        .obstacle(Obstacle::cuboid(DVec3::splat(0.08), edge).on_body(1))
        .contact(ContactModel::Imc(ImcSettings {
            tolerance: 0.4,
            friction: Friction {
                coefficient: friction,
                slip_tolerance: 0.5,
                ..Friction::default()
            },
            ..ImcSettings::default()
        }))
        .build()
        .unwrap()
}

#[test]
fn contact_with_bodies_agrees_with_differences() {
    let mut random = Random(3);
    for friction in [0.0, 0.4] {
        for _ in 0..4 {
            let (model, mut state) = touching(friction);
            state
                .velocity
                .iter_mut()
                .for_each(|v| *v = 0.2 * random.next());
            let y: Vec<f64> = state.q.iter().map(|q| q + 4e-3 * random.next()).collect();
            // Friction's derivative leaves out that velocities turn with the body.
            let tolerance = if friction > 0.0 { 1e-2 } else { 1e-6 };
            let way = match friction > 0.0 {
                true => (Scheme::BackwardEuler, Acting::All),
                false => rest(&mut state),
            };
            compare(&model, &state, way, y, friction == 0.0, tolerance);
        }
    }
}
