//! Rods in tubes, funnels and cavities: nothing passes the wall, the wall carries the weight, what
//! does not fit is refused.

use glam::DVec3;
use writhe::bodies::Body;
use writhe::contact::{ContactModel, Friction, ImcSettings, ImcSmoothSettings, IpcSettings};
use writhe::model::{Model, ModelBuilder};
use writhe::observe::observe;
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::StepSettings;

const H: f64 = 0.005;
const TUBE: f64 = 0.03;

fn imc(mu: f64) -> ContactModel {
    ContactModel::Imc(ImcSettings {
        friction: Friction::coulomb(mu),
        ..ImcSettings::default()
    })
}

fn section() -> Section {
    Section::circle(Material::new(1e7, 0.5, 1000.0), H)
}

/// A rod of `edges` edges over 0.5 m along x through `at`.
fn rod(at: DVec3, edges: u32) -> Rod {
    let place = |i: u32| at + DVec3::X * (0.5 * f64::from(i) / f64::from(edges) - 0.25);
    Rod::open((0..=edges).map(place).collect(), section()).unwrap()
}

fn along_x(from: f64, to: f64, radius: f64) -> Obstacle {
    Obstacle::tube([DVec3::X * from, DVec3::X * to], radius)
}

fn simulation(obstacle: Obstacle, contact: ContactModel, speed: DVec3) -> Simulation {
    let (model, mut state) = ModelBuilder::new()
        .rod(rod(DVec3::ZERO, 10))
        .gravity(DVec3::NEG_Z * 9.81)
        .contact(contact)
        .obstacle(obstacle)
        .build()
        .unwrap();
    for dof in &model.topology.node_dof {
        for k in 0..3 {
            state.velocity[dof + k] = speed[k];
        }
    }
    let settings = StepSettings {
        dt: 2e-3,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

/// Whether all of the rod is on the inner side of the wall, and its least distance from it over
/// the radius, sampled without the contact code.
fn clearance(model: &Model, state: &State) -> f64 {
    let pose = model.obstacles[0].pose(state.time);
    let local = |x: DVec3| pose.rotation.inverse() * (x - pose.translation);
    let x = model.positions(state);
    let edges = x.windows(2);
    let points = edges.flat_map(|e| (0..=50).map(move |i| e[0].lerp(e[1], f64::from(i) / 50.0)));
    let distance = |x: DVec3| model.obstacles[0].body.distance(local(x));
    points.map(distance).fold(f64::INFINITY, f64::min) / H
}

/// Thrown at the inside of every wall, with and without friction, a rod stays inside, and at last
/// the wall carries its weight.
#[test]
fn rods_stay_inside_and_walls_carry_them() {
    let walls = [
        ("tube", along_x(-0.4, 0.4, TUBE)),
        (
            "funnel",
            Obstacle::funnel([DVec3::X * -0.5, DVec3::X * 0.5], [0.08, 0.02]),
        ),
        ("cavity", Obstacle::cavity(DVec3::Z * 0.05, 0.3)),
    ];
    for (name, wall) in walls {
        for (speed, mu) in [(0.0, 0.3), (5.0, 0.0), (5.0, 0.3)] {
            let thrown = DVec3::new(0.0, 0.3 * speed, -speed);
            let mut run = simulation(wall.clone(), imc(mu), thrown);
            let mut least = f64::INFINITY;
            let ends: DVec3 = DVec3::splat(0.6);
            run.run_until(0.2, |run, _| {
                least = least.min(clearance(&run.model, &run.state));
                let x = run.model.positions(&run.state);
                assert!(
                    x.iter().all(|x| x.abs().cmple(ends).all()),
                    "{name}: a node is outside"
                );
                true
            })
            .unwrap_or_else(|e| panic!("{name} at {speed} m/s: {e}"));
            println!("{name} at {speed} m/s, mu {mu}: {least:.5} radii");
            assert!(least > 0.996, "{name}: {least}");
        }
        // Braked until it rests.
        let mut run = simulation(wall, imc(0.3), DVec3::ZERO);
        run.settings.dt = 5e-3;
        run.run_until(6.0, |_, _| true).unwrap();
        let load = observe(&run.model, &run.state).unwrap().obstacles[0];
        let weight = 1000.0 * std::f64::consts::PI * H * H * 0.5 * 9.81;
        println!("{name}: {} of {weight}", load.force);
        assert!(
            (load.force + DVec3::Z * weight).length() < 2e-2 * weight,
            "{name}: {} of {weight}",
            load.force
        );
    }
}

/// A tube that moves takes the rod in it along, and one that comes down on its rim pushes it.
#[test]
fn moving_walls_push_rods() {
    let up = Motion::Velocity(DVec3::Z * 0.5);
    let mut run = simulation(
        along_x(-0.4, 0.4, TUBE).moving(up),
        imc(0.3),
        DVec3::Z * 0.5,
    );
    run.run_until(0.4, |run, _| {
        assert!(clearance(&run.model, &run.state) > 0.99);
        true
    })
    .unwrap();
    let middle = run.model.positions(&run.state)[5];
    // The bottom of the tube has risen by 0.2 m.
    let rest = 0.2 - TUBE + H;
    println!("{middle}, {rest}");
    assert!((middle.z - rest).abs() < 0.1 * H, "{middle}");
}

/// The mouth of a tube holds a rod that hangs out of it, and one that slides out is free.
#[test]
fn mouths_are_open_and_rims_hold() {
    let mut run = simulation(along_x(-0.4, 0.05, TUBE), imc(0.3), DVec3::ZERO);
    run.run_until(0.3, |run, _| {
        assert!(clearance(&run.model, &run.state) > 0.99);
        true
    })
    .unwrap();
    let x = run.model.positions(&run.state);
    println!("tip at {}", x[10]);
    assert!(
        x[10].z < -TUBE - H,
        "the free end hangs over the rim: {}",
        x[10]
    );
    let mut run = simulation(along_x(-0.3, 0.3, TUBE), imc(0.0), DVec3::X * 4.0);
    run.run_until(0.3, |run, _| {
        assert!(clearance(&run.model, &run.state) > 0.99);
        true
    })
    .unwrap();
    let x = run.model.positions(&run.state);
    assert!(x.iter().all(|x| x.x > 0.3 && x.z < -TUBE), "{x:?}");
}

#[test]
fn barriers_know_walls() {
    let ipc = ContactModel::Ipc(IpcSettings::default());
    let mut run = simulation(along_x(-0.4, 0.4, TUBE), ipc, DVec3::NEG_Z);
    run.run_until(0.1, |run, _| {
        assert!(clearance(&run.model, &run.state) > 1.0);
        true
    })
    .unwrap();
    assert!(run.statistics.first_contact.is_some());
}

/// A tube that is part of a free body takes the rod in it along; together they keep their momentum.
#[test]
fn a_tube_on_a_body_shares_its_momentum() {
    let body = Body {
        velocity: DVec3::new(0.0, 0.1, 0.8),
        angular_velocity: DVec3::new(0.0, 2.0, 1.0),
        ..Body::sphere(0.1, 0.05, DVec3::ZERO)
    };
    let (model, state) = ModelBuilder::new()
        .rod(rod(DVec3::ZERO, 10))
        .contact(imc(0.3))
        .body(body)
        .obstacle(along_x(-0.4, 0.4, TUBE).on_body(0))
        .build()
        .unwrap();
    let settings = StepSettings {
        dt: 5e-4,
        ..StepSettings::default()
    };
    let mut run = Simulation::new(model, state, settings);
    let first = observe(&run.model, &run.state).unwrap();
    let mut least = f64::INFINITY;
    run.run_until(0.15, |run, _| {
        let o = observe(&run.model, &run.state).unwrap();
        let body = &o.bodies[0];
        let nodes = run.model.positions(&run.state);
        let local = nodes
            .iter()
            .map(|x| body.orientation.inverse() * (*x - body.position));
        let wall = &run.model.obstacles[0].body;
        let place = run.model.obstacles[0].placement.rotation.inverse();
        least = local
            .map(|x| wall.distance(place * x))
            .fold(least, f64::min);
        true
    })
    .unwrap();
    let last = observe(&run.model, &run.state).unwrap();
    let given = 0.1 * (last.bodies[0].velocity - first.bodies[0].velocity);
    println!("given {given}, least {least}");
    assert!(given.length() > 0.01, "{given}");
    assert!((last.momentum - first.momentum).length() < 1e-6 * given.length());
    assert!(least > 0.99 * H, "{least}");
}

/// C21's contact has no friction on obstacles; without, it knows walls.
#[test]
fn contact_by_c21_knows_walls_without_friction() {
    let smooth = ContactModel::ImcSmooth(ImcSmoothSettings::default());
    let mut run = simulation(along_x(-0.4, 0.4, TUBE), smooth, DVec3::NEG_Z * 0.3);
    run.run_until(0.2, |run, _| {
        assert!(clearance(&run.model, &run.state) > 0.9);
        true
    })
    .unwrap();
    assert!(run.statistics.first_contact.is_some());
}

#[test]
fn what_does_not_fit_is_refused() {
    let build = |obstacle: Obstacle, at: DVec3| {
        let builder = ModelBuilder::new().rod(rod(at, 10)).contact(imc(0.0));
        let built = builder.obstacle(obstacle).build();
        built.map(|_| ()).unwrap_err().to_string()
    };
    for (message, words) in [
        (
            build(along_x(-1.0, 1.0, 0.9 * H), DVec3::ZERO),
            ["narrower than rod 0", "4.5000e-3"],
        ),
        (
            build(
                Obstacle::funnel([DVec3::X * -1.0, DVec3::X], [0.1, H]),
                DVec3::ZERO,
            ),
            ["narrower than rod 0", "contact needs"],
        ),
        (
            build(along_x(-1.0, 1.0, TUBE), DVec3::Z * (TUBE - 0.5 * H)),
            ["rod 0", "obstacle 0 overlap"],
        ),
        // Through the wall between two nodes.
        (
            build(
                Obstacle::tube([DVec3::Z * -1.0, DVec3::Z], 0.02),
                DVec3::X * 0.025,
            ),
            ["edge 4", "overlap"],
        ),
        (
            build(along_x(-1.0, 1.0, -TUBE), DVec3::ZERO),
            ["radius of a tube or funnel", "greater than zero"],
        ),
        (
            build(Obstacle::cavity(DVec3::ZERO, f64::NAN), DVec3::ZERO),
            ["radius of a cavity", "greater than zero"],
        ),
    ] {
        assert!(words.iter().all(|w| message.contains(w)), "{message}");
    }
    // Beside a tube a rod may lie as well.
    let outside = ModelBuilder::new().rod(rod(DVec3::Z * 0.1, 10));
    let built = outside.contact(imc(0.0)).obstacle(along_x(-1.0, 1.0, TUBE));
    assert!(built.build().is_ok());
}
