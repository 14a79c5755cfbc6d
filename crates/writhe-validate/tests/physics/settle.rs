//! Properties of [`Simulation::settle`]: it finds stable equilibria, the same ones whatever the
//! step setting, bit for bit.

use crate::support::{settle, settle_from, straight_rod};
use glam::DVec3;
use writhe::model::{Model, ModelBuilder};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::StepSettings;
use writhe_validate::reference::elastica::{euler, postbuckled};
use writhe_validate::setup::polygons::{clamped_nodes, edge_length};
use writhe_validate::setup::random::Random;
use writhe_validate::setup::statics::{positions, section};

const STIFF: f64 = 1e7;

/// A rod of 50 edges along x between pins, the second of which slides, under a load over Euler's.
fn pinned_column(load: f64, perturbation: impl Fn(usize) -> DVec3) -> (Model, State) {
    let edges = 50;
    let l = edge_length(edges, 0);
    let nodes = (0..=edges).map(|i| DVec3::X * (l * i as f64)).collect();
    let mut rod = straight_rod(nodes, section(STIFF));
    for i in 1..edges {
        rod.positions[i] += perturbation(i);
    }
    let force = DVec3::NEG_X * (load * euler::PINNED_PINNED);
    ModelBuilder::new()
        .rod(rod)
        .hold_node(0, 0, [true; 3], Motion::Still)
        .hold_node(0, edges, [false, true, true], Motion::Still)
        .hold_angle(0, 0, Schedule::Constant(0.0))
        .force(0, edges, force, Schedule::Constant(1.0))
        .build()
        .expect("model")
}

fn end_distance(simulation: &Simulation) -> f64 {
    let x = positions(simulation);
    x[0].distance(x[x.len() - 1])
}

fn largest_distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    let pairs = a.iter().zip(b);
    pairs.fold(0.0, |most, (a, b)| a.distance(*b).max(most))
}

/// Perturbed by a twentieth of an edge at random, edge angles by half a radian.
#[test]
fn perturbed_straight_rod_returns() {
    for seed in 0..5 {
        let mut random = Random(seed);
        let nodes = clamped_nodes(40);
        let rod = straight_rod(nodes.clone(), section(STIFF));
        let builder = ModelBuilder::new().rod(rod).clamp(0, 0, Motion::Still);
        let (model, mut state) = builder.build().unwrap();
        let rest = model.directors(&state);
        for (dof, fixed) in model.constraints.fixed().iter().enumerate() {
            if !fixed {
                let angle = model.topology.angle[dof];
                state.q[dof] += random.signed() * if angle { 0.5 } else { 0.05 / 40.0 };
            }
        }
        let simulation = settle_from(model, state);
        let error = largest_distance(&positions(&simulation), &nodes);
        let directors = simulation.model.directors(&simulation.state);
        let twist = largest_distance(&directors, &rest);
        println!("seed {seed}: {error:e} m, {twist:e} rad");
        assert!(error < 1e-9 && twist < 1e-9, "{error:e} {twist:e}");
    }
}

/// The straight rod is a saddle above Euler's load; the smallest perturbation leads away from it,
/// to the elastica.
#[test]
fn perturbed_column_leaves_the_saddle() {
    for degrees in [20.0, 60.0, 110.0] {
        let exact = postbuckled(f64::to_radians(degrees));
        let mut ends: Vec<f64> = Vec::new();
        let mut check = |what: &str, (model, state)| {
            let end = end_distance(&settle_from(model, state));
            println!("{degrees} degrees, {what}: {:e}", end - exact.end_distance);
            // The critical load of 50 edges is 3.3e-4 below Euler's.
            assert!((end - exact.end_distance).abs() < 5e-3, "{what}: {end}");
            ends.push(end);
            assert!((end - ends[0]).abs() < 1e-8, "{what}: {ends:?}");
        };
        for size in [1e-2, 1e-4, 1e-6, 1e-9] {
            let bump =
                |i: usize| DVec3::Y * (size * (std::f64::consts::PI * i as f64 / 50.0).sin());
            check(
                &format!("sine of {size:e}"),
                pinned_column(exact.load, bump),
            );
        }
        for seed in 0..4 {
            let mut random = Random(seed);
            let bumps: Vec<DVec3> = (0..51).map(|_| random.vector() * 1e-6).collect();
            check(
                &format!("seed {seed}"),
                pinned_column(exact.load, |i| bumps[i]),
            );
        }
    }
}

#[test]
fn column_below_the_load_stays_straight() {
    for load in [0.5, 0.98] {
        let bump = |i: usize| DVec3::Y * (1e-3 * (std::f64::consts::PI * i as f64 / 50.0).sin());
        let (model, state) = pinned_column(load, bump);
        let x = positions(&settle_from(model, state));
        let bent = x.iter().fold(0.0_f64, |a, x| a.max(x.y.hypot(x.z)));
        println!("{load}: {bent:e}");
        assert!(bent < 1e-9, "{load}: {bent:e}");
    }
}

#[test]
fn step_setting_does_not_matter() {
    let settled = |dt: f64, length: f64| {
        let rod = straight_rod(
            clamped_nodes(50).iter().map(|x| *x * length).collect(),
            section(STIFF / (length * length)),
        );
        let builder = ModelBuilder::new().rod(rod).clamp(0, 0, Motion::Still);
        let gravity = DVec3::NEG_Y * (10.0 / length.powi(3));
        let (model, state) = builder.gravity(gravity).build().unwrap();
        let settings = StepSettings {
            dt,
            ..StepSettings::default()
        };
        let mut simulation = Simulation::new(model, state, settings);
        let report = simulation.settle();
        println!("{dt:e} {length}: {report:?}");
        report.unwrap();
        positions(&simulation)
    };
    // The second rod is a thousand times slower.
    for length in [1.0, 30.0] {
        let reference = settled(1e-3, length);
        for dt in [1e-9, 1e-6, 1e-2, 1.0, 1e3] {
            let error = largest_distance(&settled(dt, length), &reference) / length;
            println!("dt {dt:e}: {error:e}");
            assert!(error < 1e-8, "{dt}: {error:e}");
        }
    }
}

/// Settling again moves nothing, time stays, the velocity is zero.
#[test]
fn settling_twice_changes_nothing() {
    let rod = straight_rod(clamped_nodes(30), section(STIFF));
    let builder = ModelBuilder::new().rod(rod).clamp(0, 0, Motion::Still);
    let mut simulation = settle(builder.gravity(DVec3::NEG_Y * 10.0));
    let before = positions(&simulation);
    simulation.settle().unwrap();
    let moved = largest_distance(&positions(&simulation), &before);
    println!("moved {moved:e}");
    assert!(moved < 1e-10);
    assert_eq!(simulation.state.time, 0.0);
    assert!(simulation.state.velocity.iter().all(|v| *v == 0.0));
}

/// A rod that nothing holds settles to its rest shape.
#[test]
fn free_rod_settles() {
    let mut random = Random(3);
    let nodes = clamped_nodes(30);
    let mut rod = straight_rod(nodes.clone(), section(1e5));
    rod.positions
        .iter_mut()
        .for_each(|x| *x += random.vector() * 2e-3);
    let simulation = settle(ModelBuilder::new().rod(rod));
    let x = positions(&simulation);
    let l = edge_length(30, 1);
    println!("{:e}", end_distance(&simulation) / (30.0 * l) - 1.0);
    assert!((end_distance(&simulation) / (30.0 * l) - 1.0).abs() < 1e-9);
    assert!(largest_distance(&x, &nodes) < 0.1);
}

/// What falls freely has no equilibrium, and settling says so.
#[test]
fn falling_rod_does_not_settle() {
    let rod = straight_rod(clamped_nodes(10), section(1e5));
    let builder = ModelBuilder::new().rod(rod).gravity(DVec3::NEG_Y);
    let (model, state) = builder.build().unwrap();
    let outcome = Simulation::new(model, state, StepSettings::default()).settle();
    assert!(outcome.is_err(), "{outcome:?}");
}

/// The workspace is disposable: results have the same bits without it.
#[test]
fn dropping_the_workspace_changes_no_bit() {
    let run = |drop: bool| {
        let bump = |i: usize| DVec3::new(0.0, 1e-3 * (i as f64).sin(), 1e-3 * (i as f64).cos());
        let (model, state) = pinned_column(1.3, bump);
        let mut simulation = Simulation::new(model, state, StepSettings::default());
        for _ in 0..20 {
            simulation.step(1e-3).unwrap();
            if drop {
                simulation.drop_workspace();
            }
        }
        simulation.settle().unwrap();
        if drop {
            simulation.drop_workspace();
        }
        simulation.step(1e-3).unwrap();
        simulation.state
    };
    let (kept, dropped) = (run(false), run(true));
    assert_eq!(kept, dropped);
    let bits = |q: &[f64]| q.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&kept.q), bits(&dropped.q));
}
