//! Rods that touch rigid bodies: momentum, weight, rolling.

use glam::DVec3;
use writhe::bodies::Body;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::step::{Scheme, StepSettings};

const RADIUS: f64 = 2e-3;
const G: f64 = 9.81;

fn imc(friction: f64) -> ContactModel {
    ContactModel::Imc(ImcSettings {
        friction: Friction {
            coefficient: friction,
            ..Friction::default()
        },
        ..ImcSettings::default()
    })
}

fn rod(from: DVec3, to: DVec3, edges: usize) -> Rod {
    let node = |i: usize| from.lerp(to, i as f64 / edges as f64);
    let section = Section::circle(Material::new(1e6, 0.4, 1000.0), RADIUS);
    Rod::open((0..=edges).map(node).collect(), section).unwrap()
}

fn run(builder: ModelBuilder, dt: f64) -> Simulation {
    let (model, state) = builder.build().unwrap();
    let settings = StepSettings {
        dt,
        scheme: Scheme::BackwardEuler,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

/// A spinning ball hits a free rod off its middle: what one gains the other loses.
#[test]
fn a_ball_and_a_rod_share_their_momentum() {
    let (mass, radius) = (0.02, 0.015);
    let start = DVec3::new(0.02, 0.0, radius + 0.006);
    let body = Body {
        velocity: DVec3::new(0.0, 0.1, -0.8),
        angular_velocity: DVec3::new(20.0, 0.0, 5.0),
        ..Body::sphere(mass, radius, start)
    };
    let builder = ModelBuilder::new()
        .rod(rod(-0.1 * DVec3::X, 0.1 * DVec3::X, 20))
        .body(body)
        .obstacle(Obstacle::sphere(start, radius).on_body(0))
        .contact(imc(0.3));
    let mut run = run(builder, 2e-4);
    let first = observe(&run.model, &run.state).unwrap();
    let mut touched = false;
    run.run_until(0.05, |_, report| {
        touched |= report.contacts > 0;
        true
    })
    .unwrap();
    let last = observe(&run.model, &run.state).unwrap();
    assert!(touched);
    // The rod, of an eighth of the ball's mass, flies off.
    let given = mass * (last.bodies[0].velocity - first.bodies[0].velocity);
    assert!(given.z > 0.05 * mass * 0.8, "{given}");
    assert!((last.momentum - first.momentum).length() < 1e-6 * given.length());
    assert!((last.bodies[0].spin - first.bodies[0].spin).length() > 0.1);
}

/// A ball comes to rest in the crook of two held rods, which carry its weight.
#[test]
fn rods_carry_the_weight_of_a_ball() {
    let (mass, radius) = (0.01, 0.02);
    let apart = 0.012;
    let beam = |y: f64| rod(DVec3::new(-0.05, y, 0.0), DVec3::new(0.05, y, 0.0), 10);
    let height = ((radius + RADIUS).powi(2) - apart * apart).sqrt();
    let start = (height + 1e-4) * DVec3::Z;
    let mut builder = ModelBuilder::new();
    for (index, y) in [-apart, apart].into_iter().enumerate() {
        builder = builder.rod(beam(y));
        builder = builder.clamp(index, 0, Motion::Still);
        builder = builder.clamp(index, 9, Motion::Still);
    }
    let builder = builder
        .body(Body::sphere(mass, radius, start))
        .obstacle(Obstacle::sphere(start, radius).on_body(0))
        .gravity(-G * DVec3::Z)
        .contact(imc(0.5));
    let mut run = run(builder, 5e-3);
    run.run_until(2.0, |_, _| true).unwrap();
    let o = observe(&run.model, &run.state).unwrap();
    let load = o.obstacles[0].force;
    assert!((load.z / (mass * G) - 1.0).abs() < 1e-3, "{load}");
    assert!(
        o.bodies[0].velocity.length() < 1e-3,
        "{}",
        o.bodies[0].velocity
    );
    assert!(o.bodies[0].position.y.abs() < 1e-4);
}

#[test]
fn a_rod_that_grows_out_of_a_ball_does_not_touch_it() {
    let ball = DVec3::ZERO;
    let builder = ModelBuilder::new()
        .rod(rod(0.005 * DVec3::X, 0.105 * DVec3::X, 20))
        .body(Body::sphere(0.02, 0.02, ball))
        .weld(0, 0, 0)
        .obstacle(Obstacle::sphere(ball, 0.02).on_body(0))
        .gravity(-G * DVec3::Z)
        .contact(imc(0.3));
    let mut run = run(builder, 5e-3);
    run.run_until(0.1, |_, report| report.contacts == 0)
        .unwrap();
    assert_eq!(run.state.time, 0.1);
    let fall = -0.5 * G * 0.01;
    let o = observe(&run.model, &run.state).unwrap();
    assert!((o.bodies[0].position.z / fall - 1.0).abs() < 0.06);
}

#[test]
fn bodies_that_would_touch_each_other_are_told() {
    let at = [DVec3::ZERO, DVec3::new(0.06, 0.0, 0.0)];
    let mut builder = ModelBuilder::new().rod(rod(DVec3::Y, 1.1 * DVec3::Y, 3));
    for (index, x) in at.into_iter().enumerate() {
        let velocity = (0.5 - index as f64) * DVec3::X;
        let body = Body {
            velocity,
            ..Body::sphere(0.1, 0.02, x)
        };
        builder = builder.body(body);
        builder = builder.obstacle(Obstacle::sphere(x, 0.02).on_body(index));
    }
    let mut run = run(builder.contact(imc(0.0)), 5e-3);
    let error = run.run_until(0.1, |_, _| true).unwrap_err().to_string();
    assert!(error.contains("came near to obstacle"), "{error}");
    assert!(run.state.time > 0.015, "{}", run.state.time);
}

#[test]
fn pairings_that_are_not_known_are_refused() {
    let body = Body::sphere(0.1, 0.02, DVec3::ZERO);
    let builder = |contact| {
        ModelBuilder::new()
            .rod(rod(DVec3::Y, 1.1 * DVec3::Y, 3))
            .body(body.clone())
            .obstacle(Obstacle::sphere(DVec3::ZERO, 0.02).on_body(0))
            .contact(contact)
            .build()
    };
    let ipc = ContactModel::Ipc(writhe::contact::IpcSettings::default());
    let refused = builder(ipc).unwrap_err().to_string();
    assert!(refused.contains("imc"), "{refused}");
    assert!(builder(imc(0.0)).is_ok());
}
