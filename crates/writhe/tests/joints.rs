//! Joints and motors between bodies against closed forms.

use glam::DVec3;
use writhe::bodies::{Body, Joint, JointKind, Motor};
use writhe::integrate::{Scheme, StepSettings};
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;

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
    Joint {
        bodies,
        anchor,
        kind: JointKind::Hinge { axis, motor },
    }
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
    let joint = Joint {
        bodies: [Some(0), None],
        anchor: DVec3::ZERO,
        kind: JointKind::Ball,
    };
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
    // At a constant rate nothing must turn it but what BDF2 loses, (omega dt)^3 of the centripetal moment.
    let lost = (rate * 0.01_f64).powi(3) * inertia * rate * rate;
    assert!(load.torque.y.abs() < lost, "{load:?}");
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
}
