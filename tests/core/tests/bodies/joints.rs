//! Joints and motors between bodies against closed forms.

use glam::DVec3;
use writhe::bodies::{Body, Joint, JointKind, Motor};
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::step::{Scheme, StepSettings};

const G: f64 = 9.81;

/// What every model must have, out of the way.
fn idle_rod() -> Rod {
    let node = |i: usize| DVec3::new(0.1 * i as f64, 50.0, 0.0);
    let section = Section::circle(Material::new(1e6, 0.3, 1.0), 0.01);
    Rod::open((0..3).map(node).collect(), section).unwrap()
}

fn run(builder: ModelBuilder, dt: f64, scheme: Scheme) -> Simulation {
    let builder = builder.rod(idle_rod()).clamp(0, 0, Motion::Still);
    let (model, state) = builder.build().unwrap();
    let settings = StepSettings {
        dt,
        scheme,
        adaptive: false,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

fn hinge(bodies: [Option<usize>; 2], anchor: DVec3, motor: Motor) -> Joint {
    let axis = DVec3::Y;
    Joint::new(bodies, anchor, JointKind::Hinge { axis, motor })
}

/// A box that hangs from a hinge at the origin, let go at `angle` from the vertical.
fn pendulum(angle: f64) -> (Body, f64, f64) {
    let (mass, arm) = (1.5, 0.4);
    let direction = DVec3::new(angle.sin(), 0.0, -angle.cos());
    let body = Body {
        orientation: glam::DQuat::from_rotation_y(-angle),
        ..Body::cuboid(mass, DVec3::new(0.1, 0.2, 0.3), arm * direction)
    };
    let about_pivot = mass * (0.01 + 0.09) / 12.0 + mass * arm * arm;
    (body, mass * G * arm, about_pivot)
}

#[test]
fn a_pendulum_swings_at_the_closed_form_and_keeps_its_energy() {
    let (amplitude, dt) = (1.0_f64, 5e-3);
    let (body, moment, inertia) = pendulum(amplitude);
    let builder = ModelBuilder::new()
        .body(body)
        .gravity(-G * DVec3::Z)
        .joint(hinge([Some(0), None], DVec3::ZERO, Motor::Free));
    let mut run = run(builder, dt, Scheme::ImplicitMidpoint);
    // The idle rod sags and has energy of its own.
    let energy = |run: &Simulation| {
        let o = observe(&run.model, &run.state).unwrap();
        o.bodies[0].kinetic + 1.5 * G * o.bodies[0].position.z
    };
    let first = energy(&run);
    let (mut crossings, mut before, mut drift) = (Vec::new(), -1e-9, 0.0_f64);
    for _ in 0..2000 {
        run.step(dt).unwrap();
        let o = observe(&run.model, &run.state).unwrap();
        assert!((o.bodies[0].position.length() - 0.4).abs() < 1e-9);
        assert!(o.bodies[0].position.y.abs() < 1e-9);
        let spin = o.bodies[0].spin.y;
        if before < 0.0 && spin >= 0.0 {
            crossings.push(run.state.time - dt * spin / (spin - before));
        }
        before = spin;
        drift = drift.max((energy(&run) - first).abs());
    }
    let found = (crossings.last().unwrap() - crossings[0]) / (crossings.len() - 1) as f64;
    // T = 2 pi sqrt(I/mgl) / agm(1, cos(a/2)).
    let (mut a, mut g) = (1.0, (0.5 * amplitude).cos());
    for _ in 0..6 {
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
    }
    let exact = std::f64::consts::TAU * (inertia / moment).sqrt() / a;
    assert!(
        (found / exact - 1.0).abs() < 3e-4,
        "{found} against {exact}"
    );
    assert!(drift < 2e-3 * moment, "energy drifts by {drift}");
}

#[test]
fn a_hanging_body_pulls_its_joint_by_its_weight() {
    let body = Body::sphere(2.0, 0.1, -0.3 * DVec3::Z);
    let joint = Joint::new([Some(0), None], DVec3::ZERO, JointKind::Ball);
    let builder = ModelBuilder::new().body(body).gravity(-G * DVec3::Z);
    let mut run = run(builder.joint(joint), 0.01, Scheme::BackwardEuler);
    for _ in 0..5 {
        run.step(0.01).unwrap();
    }
    let load = observe(&run.model, &run.state).unwrap().joints[0];
    assert!((load.force - 2.0 * G * DVec3::Z).length() < 1e-7);
    assert!(load.torque.length() < 1e-9);
}

/// A rotor on a frame that may slide, turned by a motor.
fn driven(motor: Motor, scheme: Scheme) -> (Simulation, f64) {
    let inertia = 0.5 * 0.8 * 0.2_f64.powi(2);
    let rotor = Body {
        orientation: glam::DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2),
        ..Body::cylinder(0.8, 0.2, 0.1, DVec3::ZERO)
    };
    let frame = Body::cuboid(3.0, DVec3::splat(0.5), DVec3::new(0.0, -0.5, 0.0));
    let builder = ModelBuilder::new()
        .body(rotor)
        .body(frame)
        .guide_body(1, [true, true, true], [true, true, true])
        .joint(hinge([Some(0), Some(1)], DVec3::new(0.0, -0.2, 0.0), motor));
    (run(builder, 0.01, scheme), inertia)
}

#[test]
fn a_motor_turns_a_rotor_by_its_torque() {
    let torque = 0.05;
    let motor = Motor::Torque(Schedule::Constant(torque));
    let (mut run, inertia) = driven(motor, Scheme::ImplicitMidpoint);
    for _ in 0..200 {
        run.step(0.01).unwrap();
    }
    let o = observe(&run.model, &run.state).unwrap();
    let exact = torque / inertia * run.state.time;
    assert!((o.bodies[0].spin.y / exact - 1.0).abs() < 1e-6);
    // What turns the rotor is held by what holds the frame.
    assert!((o.reactions.last().unwrap().torque.y - torque).abs() < 1e-6 * torque);
}

#[test]
fn a_motor_follows_its_angle_through_many_turns() {
    let rate = 7.0;
    let motor = Motor::Angle(Schedule::Rate { value: 0.0, rate });
    let (mut run, inertia) = driven(motor, Scheme::Bdf2);
    let mut turned = 0.0;
    let mut before = run.state.frames.orientation[0];
    for _ in 0..300 {
        run.step(0.01).unwrap();
        let now = run.state.frames.orientation[0];
        turned += (now * before.conjugate()).to_scaled_axis().y;
        before = now;
    }
    assert!((turned - rate * run.state.time).abs() < 1e-7, "{turned}");
    let load = observe(&run.model, &run.state).unwrap().joints[0];
    // At a constant rate nothing must turn it but what BDF2 loses, (omega dt)^3 of the centripetal
    // moment.
    let lost = (rate * 0.01_f64).powi(3) * inertia * rate * rate;
    assert!(load.torque.y.abs() < lost, "{load:?}");
}

/// Two blocks in a row that reach out of a third, which is held; the joint in the middle may break.
fn row_of_blocks(strength: Option<f64>) -> ModelBuilder {
    let block = |i: usize| Body::cuboid(1.0, DVec3::new(0.2, 0.1, 0.1), DVec3::X * 0.2 * i as f64);
    let weld = |i: usize, strength| Joint {
        bodies: [Some(i + 1), Some(i)],
        anchor: DVec3::X * (0.2 * i as f64 + 0.1),
        kind: JointKind::Weld,
        strength,
    };
    (0..3)
        .fold(ModelBuilder::new(), |builder, i| builder.body(block(i)))
        .move_body(0, Motion::Still)
        .gravity(-G * DVec3::Z)
        .joint(weld(0, None))
        .joint(weld(1, strength))
}

#[test]
fn welded_blocks_hold_each_other_by_force_and_moment() {
    for scheme in [
        Scheme::BackwardEuler,
        Scheme::Bdf2,
        Scheme::ImplicitMidpoint,
    ] {
        let mut run = run(row_of_blocks(None), 0.01, scheme);
        for _ in 0..20 {
            run.step(0.01).unwrap();
        }
        let o = observe(&run.model, &run.state).unwrap();
        assert!((o.bodies[2].position - 0.4 * DVec3::X).length() < 1e-9);
        // Weights at arms of .1 and .3 m from the first joint, .1 m from the second.
        for (load, weight, moment) in [(o.joints[0], 2.0, 0.4), (o.joints[1], 1.0, 0.1)] {
            assert!((load.force - weight * G * DVec3::Z).length() < 1e-6);
            assert!((load.torque + moment * G * DVec3::Y).length() < 1e-6);
        }
    }
}

#[test]
fn a_joint_of_too_little_strength_lets_go_at_once_and_for_good() {
    let builder = row_of_blocks(Some(0.99 * G));
    let mut run = run(builder, 1e-3, Scheme::ImplicitMidpoint);
    for _ in 0..100 {
        run.step(1e-3).unwrap();
    }
    let o = observe(&run.model, &run.state).unwrap();
    assert_eq!(
        (run.state.broken.as_slice(), o.joints_broken),
        (&[false, true][..], 1)
    );
    assert_eq!(o.joints[1].force, DVec3::ZERO);
    // It was held for the first step.
    let fallen = 0.5 * G * 0.099_f64.powi(2);
    let z = o.bodies[2].position.z;
    assert!((z + fallen).abs() < 1e-9, "{z}, not {fallen}");
    assert!((o.joints[0].force - G * DVec3::Z).length() < 1e-6);
}

/// Let go from the horizontal, a mass on a bar of length l pulls it with 3 m g cos(angle from the
/// vertical), and a bar that bears 2 m g breaks at the cosine of two thirds.
#[test]
fn a_swinging_mass_breaks_its_bar_where_the_closed_form_says_and_flies_on() {
    let length = 0.5;
    let bob = Body::sphere(1.0, 1e-3, length * DVec3::X);
    let joint = Joint {
        bodies: [Some(0), None],
        anchor: DVec3::ZERO,
        kind: JointKind::Ball,
        strength: Some(2.0 * G),
    };
    let fresh = || {
        let builder = ModelBuilder::new().body(bob.clone());
        let builder = builder.gravity(-G * DVec3::Z).joint(joint.clone());
        run(builder, 5e-4, Scheme::ImplicitMidpoint)
    };
    let mut run = fresh();
    while run.state.broken.is_empty() {
        run.step(5e-4).unwrap();
        assert!(run.state.time < 1.0);
    }
    let motion = |run: &Simulation| observe(&run.model, &run.state).unwrap().bodies[0];
    let at = motion(&run);
    assert!((-at.position.z / length - 2.0 / 3.0).abs() < 2e-3, "{at:?}");
    let speed_sq = 2.0 * G * -at.position.z;
    assert!((at.velocity.length_squared() / speed_sq - 1.0).abs() < 1e-3);
    let (start, kept) = (run.state.time, run.state.clone());
    for _ in 0..200 {
        run.step(5e-4).unwrap();
    }
    let t = run.state.time - start;
    let thrown = at.position + at.velocity * t - DVec3::Z * (0.5 * G * t * t);
    assert!((motion(&run).position - thrown).length() < 1e-6);
    // A restart in between changes no bit: what is broken is part of the state.
    let mut again = fresh();
    again.state = kept;
    for _ in 0..200 {
        again.step(5e-4).unwrap();
    }
    assert_eq!(again.state, run.state);
}

#[test]
fn what_cannot_be_joined_is_refused() {
    let body = || Body::sphere(1.0, 0.1, DVec3::ZERO);
    let joint = |bodies| hinge(bodies, DVec3::ZERO, Motor::Free);
    let message = |b: ModelBuilder| b.rod(idle_rod()).build().unwrap_err().to_string();
    let missing = message(
        ModelBuilder::new()
            .body(body())
            .joint(joint([Some(0), Some(1)])),
    );
    assert!(missing.contains("no body 1"), "{missing}");
    let same = message(
        ModelBuilder::new()
            .body(body())
            .joint(joint([Some(0), Some(0)])),
    );
    assert!(same.contains("two different bodies"), "{same}");
    let held = ModelBuilder::new().body(body()).move_body(0, Motion::Still);
    let held = message(held.joint(joint([Some(0), None])));
    assert!(held.contains("free to move"), "{held}");
    let mut weak = joint([Some(0), None]);
    weak.strength = Some(0.0);
    let weak = message(ModelBuilder::new().body(body()).joint(weak));
    assert!(weak.contains("strength"), "{weak}");
}

/// A motor that stops at once stops an asymmetric rotor, and no momentum goes on alternating.
#[test]
fn a_rotor_that_is_stopped_stands_still() {
    for scheme in [Scheme::BackwardEuler, Scheme::Bdf2] {
        let (dt, rate, stop) = (0.01, 8.0, 0.5);
        let angle = Schedule::Table(vec![(0.0, 0.0), (stop, rate * stop)]);
        let (mut run, _) = driven(Motor::Angle(angle), scheme);
        for _ in 0..60 {
            run.step(dt).unwrap();
        }
        // Ten steps on, a two-step rule remembers 3^-10 of the stop.
        let spin = observe(&run.model, &run.state).unwrap().bodies[0].spin;
        assert!(spin.length() < 1e-3 * rate, "{scheme:?}: {spin}");
    }
}

/// A long thin body is turned about an axis that is none of its own, by up to a radian a
/// step: its momentum stays bounded.
#[test]
fn a_body_that_is_turned_fast_by_a_motor_keeps_a_bounded_momentum() {
    for turn in [0.1, 0.5, 1.0] {
        let dt = 0.01;
        let tilt = glam::DQuat::from_rotation_x(0.7);
        let needle = Body {
            orientation: tilt,
            ..Body::new(1.0, DVec3::new(0.02, 0.02, 1e-5), DVec3::ZERO)
        };
        let rate = turn / dt;
        let angle = Schedule::Rate { value: 0.0, rate };
        let builder = ModelBuilder::new().body(needle).joint(hinge(
            [Some(0), None],
            DVec3::ZERO,
            Motor::Angle(angle),
        ));
        let mut run = run(builder, dt, Scheme::Bdf2);
        let mut largest = 0.0_f64;
        for _ in 0..300 {
            run.step(dt).unwrap();
            let o = observe(&run.model, &run.state).unwrap();
            largest = largest.max(o.bodies[0].kinetic);
        }
        // The inertia about the axis of the hinge.
        let exact = 0.5 * (0.02 * 0.7_f64.cos().powi(2) + 1e-5 * 0.7_f64.sin().powi(2));
        println!("{turn}: {largest} J of {}", exact * rate * rate);
        assert!(largest < 1.2 * exact * rate * rate, "{turn}: {largest} J");
    }
}

#[test]
fn two_joints_that_hold_the_same_are_told() {
    let at = DVec3::new(0.1, 0.0, 0.0);
    let builder = || {
        ModelBuilder::new()
            .body(Body::cuboid(1.0, DVec3::splat(0.1), DVec3::ZERO))
            .body(Body::cuboid(1.0, DVec3::splat(0.1), 2.0 * at))
            .joint(hinge([Some(0), Some(1)], at, Motor::Free))
    };
    let mut once = run(builder(), 1e-3, Scheme::Bdf2);
    once.step(1e-3).unwrap();
    let twice = builder().joint(hinge([Some(0), Some(1)], at, Motor::Free));
    let error = run(twice, 1e-3, Scheme::Bdf2).step(1e-3).unwrap_err();
    let told = "joint 1 holds what supports or other joints hold already";
    assert!(error.to_string().contains(told), "{error}");
}
