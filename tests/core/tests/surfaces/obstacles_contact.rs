//! Obstacles of every shape: derivatives, no passing through, what is caught between nodes, what is
//! refused.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use writhe::assembly::Trial;
use writhe::contact::obstacle::frame::Instant;
use writhe::contact::pair::HessianPart;
use writhe::contact::{
    Beginning, ContactFrame, ContactModel, ContactSet, Directions, Friction, FrictionSolve,
    ImcSettings, Stiffness,
};
use writhe::model::{Model, ModelBuilder, ModelError};
use writhe::observe::observe;
use writhe::obstacle::surface::Instants;
use writhe::obstacle::{Mesh, Obstacle};
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Pose};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::StepSettings;
use writhe_tests::support::{Dense, Random, differences, kinematics, relative_error};

const H: f64 = 0.005;

fn imc(mu: f64) -> ImcSettings {
    ImcSettings {
        friction: Friction::coulomb(mu),
        ..ImcSettings::default()
    }
}

fn section() -> Section {
    Section::circle(Material::new(1e7, 0.5, 1000.0), H)
}

/// Square pyramid with its tip at the origin, pointing up.
fn pyramid() -> Arc<Mesh> {
    let corners = [
        DVec3::ZERO,
        DVec3::new(1.0, 1.0, -1.5),
        DVec3::new(-1.0, 1.0, -1.5),
        DVec3::new(-1.0, -1.0, -1.5),
        DVec3::new(1.0, -1.0, -1.5),
    ];
    let triangles = [
        [0, 1, 2],
        [0, 2, 3],
        [0, 3, 4],
        [0, 4, 1],
        [1, 4, 3],
        [1, 3, 2],
    ];
    Arc::new(Mesh::new(&corners.map(|v| 0.03 * v), &triangles).unwrap())
}

/// The box with these half sides, of triangles.
fn box_of_triangles(half: DVec3) -> Arc<Mesh> {
    let corner = |i: usize| {
        let side = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        half * DVec3::new(side(0), side(1), side(2))
    };
    let faces = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles: Vec<[u32; 3]> = faces
        .iter()
        .flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]])
        .collect();
    let corners: Vec<DVec3> = (0..8).map(corner).collect();
    Arc::new(Mesh::new(&corners, &triangles).unwrap())
}

fn at(place: DVec3) -> Pose {
    Pose {
        translation: place,
        ..Pose::IDENTITY
    }
}

/// One obstacle of every shape with its highest point at `top`; all but the first smaller than an
/// edge of 0.1 m.
fn all(top: DVec3) -> Vec<(&'static str, Obstacle)> {
    let below = |depth: f64| top - DVec3::Z * depth;
    let turned = |half: DVec3, turn: DQuat, depth: f64| {
        Obstacle::cuboid(
            half,
            Pose {
                rotation: turn,
                translation: below(depth),
            },
        )
    };
    let edge_up = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let root = std::f64::consts::SQRT_2;
    vec![
        ("floor", Obstacle::half_space(top, DVec3::Z)),
        ("sphere", Obstacle::sphere(below(0.01), 0.01)),
        (
            "capsule",
            Obstacle::capsule(
                [below(0.01) - DVec3::Y * 0.03, below(0.01) + DVec3::Y * 0.03],
                0.01,
            ),
        ),
        (
            "needle",
            Obstacle::capsule([below(0.03), below(1e-4)], 1e-4),
        ),
        (
            "cylinder",
            Obstacle::cylinder(
                [below(0.01) - DVec3::Y * 0.03, below(0.01) + DVec3::Y * 0.03],
                0.01,
            ),
        ),
        ("post", Obstacle::cylinder([below(0.05), top], 0.01)),
        (
            "box",
            turned(DVec3::new(0.02, 0.03, 0.01), DQuat::IDENTITY, 0.01),
        ),
        (
            "box on its edge",
            turned(
                DVec3::splat(0.01),
                DQuat::from_rotation_z(1.3) * edge_up,
                0.01 * root,
            ),
        ),
        ("mesh", Obstacle::mesh(pyramid(), at(top))),
        (
            "outside of a tube",
            Obstacle::tube(
                [below(0.01) - DVec3::Y * 0.03, below(0.01) + DVec3::Y * 0.03],
                0.01,
            ),
        ),
        ("rim of a tube", Obstacle::tube([below(0.05), top], 0.01)),
        (
            "rim of a funnel",
            Obstacle::funnel([below(0.05), top], [0.03, 0.01]),
        ),
        ("outside of a cavity", Obstacle::cavity(below(0.01), 0.01)),
    ]
}

/// Walls that a rod over `bottom` lies in.
fn around(bottom: DVec3) -> Vec<(&'static str, Obstacle)> {
    let over = |radius: f64| bottom + radius * DVec3::Z;
    let along = |from: f64| [from, 0.35].map(|x| over(0.05) + x * DVec3::X);
    let across = [-0.3, 0.3].map(|y| over(10.0) + y * DVec3::Y);
    vec![
        ("along a tube", Obstacle::tube(along(-0.35), 0.05)),
        ("across a tube", Obstacle::tube(across, 10.0)),
        (
            "in a funnel",
            Obstacle::funnel(along(-0.35), [0.0502, 0.05]),
        ),
        ("in the mouth of a tube", Obstacle::tube(along(-0.03), 0.05)),
        ("in a cavity", Obstacle::cavity(over(10.0), 10.0)),
    ]
}

/// A rod of five edges of 0.1 m along x, the middle of one over the origin, at height `z`.
fn rod(z: f64) -> Rod {
    let place = |i: u32| DVec3::new(0.1 * f64::from(i) - 0.25, 0.0, z);
    Rod::open((0..6).map(place).collect(), section()).unwrap()
}

#[test]
fn stiffness_agrees_with_differences() {
    derivatives(FrictionSolve::Implicit, None);
}

/// Friction along, against and across a rod.
#[test]
fn derivatives_of_friction_by_direction_agree_with_differences() {
    let scales = Directions {
        forward: 0.1,
        backward: 0.4,
        across: 0.25,
    };
    derivatives(FrictionSolve::Implicit, Some(scales));
}

/// Lagged friction has a potential besides.
#[test]
fn derivatives_of_lagged_friction_agree_with_differences() {
    derivatives(FrictionSolve::Lagged { rounds: 1 }, None);
}

fn derivatives(solve: FrictionSolve, directions: Option<Directions>) {
    let mut random = Random(21);
    let contact = ContactModel::Imc(ImcSettings {
        tolerance: 0.4,
        stiffness: Stiffness::Given(1.0),
        ..imc(0.3)
    });
    // A rod that touches with its first node, one that touches with an edge.
    let node = |i: u32| {
        let i = f64::from(i);
        DVec3::new(0.006 + 0.1 * i, 0.004, H + 0.02 * i)
    };
    let edge = |i: u32| {
        let i = f64::from(i);
        DVec3::new(0.13 - 0.08 * i, 0.008 * i - 0.012, H + 0.001 * i - 5e-4)
    };
    let (mut touched, mut tested) = (0, 0);
    let places: [&dyn Fn(u32) -> DVec3; 2] = [&node, &edge];
    let obstacles = [all(DVec3::ZERO), around(DVec3::Z * -1.4e-3)].concat();
    for ((name, obstacle), place) in obstacles
        .into_iter()
        .flat_map(|o| places.map(|p| (o.clone(), p)))
    {
        let motion = Motion::Sequence(vec![
            Motion::spin(DVec3::new(0.02, -0.01, 0.0), DVec3::new(0.1, 0.2, 1.0), 0.4),
            Motion::Velocity(DVec3::new(0.03, 0.02, 0.0)),
        ]);
        let rod = Rod::open(
            (0..4).map(|i| place(i) + DVec3::Z * 1e-3).collect(),
            section(),
        );
        let mut obstacle = obstacle.moving(motion);
        if let Some(directions) = directions {
            obstacle = obstacle.with_directions(directions);
        }
        let builder = ModelBuilder::new()
            .contact(contact)
            .obstacle(obstacle)
            .rod(rod.unwrap());
        let (model, state) = builder.build().unwrap();
        let (rate, dt) = (100.0, 0.01);
        let instants = Instants {
            start: 0.0,
            stage: dt,
            end: dt,
            rate,
            span: [dt, 0.0],
        };
        let q: Vec<f64> = state
            .q
            .iter()
            .map(|q| q - 1e-3 + 2e-4 * random.next())
            .collect();
        let history: Vec<f64> = q.iter().map(|q| -rate * q + 1e-4 * random.next()).collect();
        let at_start = |state: &State| {
            let beginning = Beginning {
                friction: solve,
                ..Beginning::new(&model, state, instants)
            };
            ContactFrame::new(&model, &beginning)
        };
        let mut frame = at_start(&state);
        let mut contact = ContactSet::default();
        let mut force = |q: &[f64], stiffness: Option<&mut Dense>| {
            let k = kinematics(&model, &state.frames, q);
            let velocity: Vec<f64> = q.iter().zip(&history).map(|(q, h)| rate * q + h).collect();
            let at = Trial {
                topology: &model.topology,
                kinematics: &k,
                time: dt,
                q,
                velocity: &velocity,
                rate,
            };
            if stiffness.is_some() {
                // What lags is kept from here.
                let here = State {
                    q: q.to_vec(),
                    ..state.clone()
                };
                frame = at_start(&here);
                frame.lag_normal_forces(&model, &at, 1.0, Instant::Stage);
            }
            let mut force = vec![0.0; q.len()];
            contact.find(&mut frame, &model, &at, 1.0, &mut force);
            if let Some(matrix) = stiffness {
                contact.add_stiffness(&frame, &model, &at, HessianPart::Exact, matrix);
            }
            let touching = contact.obstacles().contacts().to_vec();
            (force, touching, contact.potential())
        };
        let mut matrix = Dense::new(q.len());
        let (at_q, active, potential) = force(&q, Some(&mut matrix));
        assert!(active.is_empty() || potential.is_some() == (solve != FrictionSolve::Implicit));
        if !active.is_empty() && potential.is_some() {
            let slope = differences(&q, 1e-7, |q| vec![force(q, None).2.unwrap()]);
            let minus: Vec<f64> = slope.iter().map(|v| -v).collect();
            let error = relative_error(&at_q, &minus);
            assert!(error < 1e-6, "{name}: force off by {error:.2e}");
        }
        let slope = differences(&q, 1e-7, |q| force(q, None).0);
        let minus: Vec<f64> = slope.iter().map(|v| -v).collect();
        let error = relative_error(&matrix.values, &minus);
        println!(
            "{name}: {} contacts, stiffness off by {error:.1e}",
            active.len()
        );
        touched += usize::from(!active.is_empty());
        tested += 1;
        assert!(
            active.is_empty() || error < 1e-6,
            "{name}: stiffness off by {error:.2e}"
        );
    }
    assert!(touched + 2 >= tested, "{touched} of {tested} touch");
}

fn fall(obstacle: Obstacle, from: f64, speed: f64, mu: f64) -> Simulation {
    let (model, mut state) = ModelBuilder::new()
        .rod(rod(from))
        .gravity(DVec3::NEG_Z * 9.81)
        .contact(ContactModel::Imc(imc(mu)))
        .obstacle(obstacle)
        .build()
        .unwrap();
    for dof in &model.topology.node_dof {
        state.velocity[dof + 2] = -speed;
    }
    let settings = StepSettings {
        dt: 5e-3,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

/// Smallest distance of the axes from the obstacle's surface over the radius, sampled without the
/// contact code.
fn clearance(model: &Model, state: &State) -> f64 {
    let pose = model.obstacles[0].pose(state.time);
    let local = |x: DVec3| pose.rotation.inverse() * (x - pose.translation);
    let x = model.positions(state);
    let edges = x
        .windows(2)
        .flat_map(|e| (0..=200).map(move |i| e[0].lerp(e[1], f64::from(i) / 200.0)));
    edges
        .map(|x| model.obstacles[0].body.distance(local(x)))
        .fold(f64::INFINITY, f64::min)
        / H
}

/// Whatever touches the rod between two nodes holds it, falling with friction and thrown without.
#[test]
fn rods_are_caught_between_nodes() {
    for (speed, mu) in [(0.0, 0.3), (2.0, 0.3), (5.0, 0.3), (20.0, 0.0), (20.0, 0.3)] {
        for (name, obstacle) in all(DVec3::new(0.004, 0.001, 0.0)) {
            let mut run = fall(obstacle, 0.03, speed, mu);
            let mut least = f64::INFINITY;
            run.run_until(0.1, |run, _| {
                least = least.min(clearance(&run.model, &run.state));
                true
            })
            .unwrap_or_else(|e| panic!("{name} at {speed} m/s: {e}"));
            println!(
                "{name} at {speed} m/s: {least:.5} radii, {:?}",
                run.statistics
            );
            assert!(
                run.statistics.first_contact.is_some(),
                "{name} is not touched"
            );
            // The rim of a cylinder stands 0.03 % of its radius out; penetration is 0.3 % of the
            // rod's.
            assert!(least > 0.995, "{name}: {least}");
        }
    }
}

/// A plate thinner than a hundredth of the way of one step.
#[test]
fn thin_plates_stop_fast_rods() {
    let half = DVec3::new(0.5, 0.5, 1e-4);
    for plate in [
        Obstacle::cuboid(half, at(DVec3::ZERO)),
        Obstacle::mesh(box_of_triangles(half), at(DVec3::ZERO)),
    ] {
        let mut run = fall(plate, 0.07, 30.0, 0.0);
        run.run_until(0.02, |run, _| {
            assert!(clearance(&run.model, &run.state) > 0.99);
            run.model.positions(&run.state).iter().all(|x| x.z > 0.0)
        })
        .unwrap();
        assert!(run.statistics.first_contact.is_some());
        assert!(
            run.model.positions(&run.state).iter().all(|x| x.z > 0.0),
            "passed through"
        );
    }
}

/// A box and the same box of triangles do the same to a rod that hangs over the table's edge.
#[test]
fn a_box_of_triangles_is_a_box() {
    let half = DVec3::new(0.1, 0.2, 0.05);
    let place = at(DVec3::new(-0.12, 0.0, -0.05));
    let run = |obstacle: Obstacle| {
        let mut run = fall(obstacle, H, 0.0, 0.4);
        run.run_until(0.1, |_, _| true).unwrap();
        let load = observe(&run.model, &run.state).unwrap().obstacles[0];
        (run.model.positions(&run.state), load.force, run.statistics)
    };
    let (a, force_a, statistics) = run(Obstacle::cuboid(half, place));
    let (b, force_b, others) = run(Obstacle::mesh(box_of_triangles(half), place));
    println!("{statistics:?}\n{others:?}\n{force_a} {force_b}");
    for (a, b) in a.iter().zip(&b) {
        assert!(a.distance(*b) < 1e-3 * H, "{a} {b}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let build = |obstacle: Obstacle, contact| {
        let builder = ModelBuilder::new()
            .rod(rod(0.0))
            .contact(contact)
            .obstacle(obstacle);
        builder.build().map(|_| ()).unwrap_err().to_string()
    };
    let with = |obstacle| build(obstacle, ContactModel::Imc(imc(0.0)));
    let far = DVec3::Z * -1.0;
    for (message, words) in [
        (
            with(Obstacle::half_space(DVec3::Z * 0.001, DVec3::Z)),
            ["rod 0", "obstacle 0 overlap"],
        ),
        (
            with(Obstacle::mesh(box_of_triangles(DVec3::ONE), Pose::IDENTITY)),
            ["rod 0", "-9.5"],
        ),
        (
            with(Obstacle::sphere(DVec3::X * 0.05, 0.004)),
            ["edge 2", "overlap"],
        ),
        (
            with(Obstacle::sphere(far, -1.0)),
            ["radius of a sphere is -1", "greater than zero"],
        ),
        (
            with(Obstacle::half_space(far, DVec3::ZERO)),
            ["direction", "not zero"],
        ),
        (
            with(Obstacle::capsule([far, far], 0.1)),
            ["direction", "must differ"],
        ),
        (
            with(Obstacle::sphere(far, 0.1).with_friction(-0.1)),
            ["friction", "-0.1"],
        ),
        (
            build(Obstacle::sphere(far, 0.1), ContactModel::None),
            ["obstacles (1)", "contact model"],
        ),
    ] {
        assert!(words.iter().all(|w| message.contains(w)), "{message}");
    }
    let error = ModelError::ObstaclesWithoutContact(1);
    assert!(error.to_string().contains("leave the obstacles out"));
}
