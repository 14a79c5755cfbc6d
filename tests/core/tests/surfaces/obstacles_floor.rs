//! Rods on slopes and on floors that move. Sticking, sliding and being pushed are cases of
//! `writhe-validate`.

use std::f64::consts::PI;

use glam::DVec3;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::step::StepSettings;

const G: f64 = 9.81;
/// Slip tolerance, m/s.
const NU: f64 = 1e-4;

fn contact(mu: f64) -> ContactModel {
    ContactModel::Imc(ImcSettings {
        friction: Friction {
            coefficient: mu,
            slip_tolerance: NU,
            ..Friction::default()
        },
        ..ImcSettings::default()
    })
}

/// Rod of 1 kg, 1 m long, 25 mm thick, lying on obstacle `floor` along x, with gravity `g`.
fn lying(floor: Obstacle, up: DVec3, along: DVec3, mu: f64) -> ModelBuilder {
    let (length, radius, nodes) = (1.0, 0.025, 26);
    let density = 1.0 / (length * PI * radius * radius);
    let section = Section::circle(Material::new(1e5, 0.5, density), radius);
    let place = |i: u32| {
        along * (length * f64::from(i) / f64::from(nodes - 1) - 0.5) + up * (radius * 1.001)
    };
    let rod = Rod::open((0..nodes).map(place).collect(), section).unwrap();
    ModelBuilder::new()
        .rod(rod)
        .gravity(DVec3::NEG_Z * G)
        .contact(contact(mu))
        .obstacle(floor)
}

fn momentum(run: &Simulation) -> DVec3 {
    observe(&run.model, &run.state).unwrap().momentum
}

/// Across a slope a rod rolls: a = g sin a/(1 + 1/2) for a solid cylinder, when friction suffices
/// (tan a < 3 mu).
#[test]
fn a_rod_rolls_down_a_slope() {
    let (a, mu) = (20_f64.to_radians(), 0.3);
    let normal = DVec3::new(-a.sin(), 0.0, a.cos());
    let down = DVec3::new(-a.cos(), 0.0, -a.sin());
    let (model, state) = lying(
        Obstacle::half_space(DVec3::ZERO, normal),
        normal,
        DVec3::Y,
        mu,
    )
    .build()
    .unwrap();
    let settings = StepSettings {
        dt: 0.01,
        ..StepSettings::default()
    };
    let mut run = Simulation::new(model, state, settings);
    run.run_until(0.5, |_, _| true).unwrap();
    let before = momentum(&run).dot(down);
    run.run_until(1.0, |_, _| true).unwrap();
    let ours = (momentum(&run).dot(down) - before) / 0.5;
    let expected = G * a.sin() / 1.5;
    println!("rolls at {ours:.6} m/s^2, {expected:.6} expected");
    assert!((ours / expected - 1.0).abs() < 1e-2);
}

/// A floor that turns and rises: what it feels is what changes the rod's momentum and angular
/// momentum.
#[test]
fn a_moving_floor_feels_what_the_rod_gains() {
    let floor = Obstacle::half_space(DVec3::ZERO, DVec3::Z).moving(Motion::Sequence(vec![
        Motion::spin(DVec3::new(0.1, 0.2, 0.0), DVec3::Z, 0.3),
        Motion::Velocity(DVec3::new(0.02, 0.0, 0.05)),
    ]));
    let (model, state) = lying(floor, DVec3::Z, DVec3::X, 0.5).build().unwrap();
    let settings = StepSettings {
        dt: 0.01,
        ..StepSettings::default()
    };
    let mut run = Simulation::new(model, state, settings);
    let (mut force, mut torque) = (0.0_f64, 0.0_f64);
    run.run_until(0.3, |run, _| {
        let load = observe(&run.model, &run.state).unwrap().obstacles[0];
        let (mut f, mut t) = (load.force, load.torque + load.at.cross(load.force));
        let topology = &run.model.topology;
        let positions = run.model.positions(&run.state);
        for (x, dof) in positions.iter().zip(&topology.node_dof) {
            let a = DVec3::from_slice(&run.state.acceleration[*dof..dof + 3]);
            let inertia = run.model.mass[*dof] * (a + DVec3::Z * G);
            f += inertia;
            t += x.cross(inertia);
        }
        for (tangent, dof) in run.state.frames.tangent.iter().zip(&topology.edge_dof) {
            t += *tangent * run.model.mass[*dof] * run.state.acceleration[*dof];
        }
        force = force.max(f.length() / G);
        torque = torque.max(t.length() / G);
        true
    })
    .unwrap();
    println!(
        "force off by {force:.1e} of the weight, torque by {torque:.1e} of weight times length"
    );
    // The inertia of an angle acts about the tangent up to what the edge turns within a step, here
    // 0.003.
    assert!(force < 1e-6 && torque < 1e-5);
}

/// Along its axis a rod is carried; across it it rolls, and a solid cylinder on a floor that moves
/// with v goes with v/3.
#[test]
fn a_moving_floor_carries_and_rolls_the_rod() {
    let floor = Obstacle::half_space(DVec3::ZERO, DVec3::Z)
        .moving(Motion::Velocity(DVec3::new(0.02, 0.03, 0.05)));
    let (model, state) = lying(floor, DVec3::Z, DVec3::X, 0.5).build().unwrap();
    let settings = StepSettings {
        dt: 0.01,
        ..StepSettings::default()
    };
    let mut run = Simulation::new(model, state, settings);
    run.run_until(0.5, |_, _| true).unwrap();
    let velocity = momentum(&run);
    println!("carried with {velocity}");
    assert!((velocity - DVec3::new(0.02, 0.01, 0.05)).length() < 1e-4);
}
