//! A rod pressed on a floor buckles; its foot sticks until |V|/N exceeds mu (catalogue 1.9).

use glam::DVec3;
use writhe::contact::obstacle::Obstacle;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::integrate::StepSettings;
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::rod::{Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;

/// Lowering of the clamp over the length at which the foot begins to slide, and |V|/N of the floor there.
fn onset(mu: f64) -> (f64, f64) {
    const EDGES: u32 = 100;
    const H: f64 = 1e-3;
    let speed = 0.02;
    let section = Section {
        ea: 1e5,
        ei1: 1.0,
        ei2: 1.0,
        gj: 1.0,
        mass_per_length: 0.01,
        inertia_per_length: 0.01 * H * H,
        radius: H,
    };
    // The rod behaves as clamped at the middle of its first edge: the length 1 is from there to the foot.
    let edge = 1.0 / (f64::from(EDGES) - 0.5);
    let nodes = (0..=EDGES).map(|i| DVec3::Z * (H + edge * f64::from(EDGES - i)));
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(nodes.collect(), section).unwrap())
        .contact(ContactModel::Imc(ImcSettings {
            friction: Friction {
                coefficient: mu,
                slip_tolerance: 1e-3 * speed,
                ..Friction::default()
            },
            ..ImcSettings::default()
        }))
        .obstacle(Obstacle::half_space(DVec3::ZERO, DVec3::Z))
        .clamp(0, 0, Motion::Velocity(DVec3::NEG_Z * speed))
        // Which way it buckles.
        .force(
            0,
            EDGES as usize / 2,
            DVec3::X * 1e-3,
            Schedule::Constant(1.0),
        )
        .build()
        .unwrap();
    let settings = StepSettings {
        dt: 0.02,
        ..StepSettings::default()
    };
    let mut run = Simulation::new(model, state, settings);
    let mut found = (f64::NAN, f64::NAN);
    let foot = *run.model.topology.node_dof.last().unwrap();
    run.run_until(0.3 / speed, |run, _| {
        let load = observe(&run.model, &run.state).unwrap().obstacles[0].force;
        found = (speed * run.state.time, load.truncate().length() / -load.z);
        // Ten times the speed of the clamp: what sticks creeps a thousand times slower.
        run.state.velocity[foot].abs() < 10.0 * speed
    })
    .unwrap();
    println!("{:?}", run.statistics);
    found
}

#[test]
fn a_foot_slips_when_the_elastica_says() {
    // From the clamped-pinned elastica (catalogue 1.9; at these coefficients by integrating its equation).
    for (mu, expected) in [(0.1, 0.046_874), (0.2, 0.154_867), (0.3, 0.271_563)] {
        let (eps, ratio) = onset(mu);
        println!("mu = {mu}: slips at {eps:.5}, {expected:.5} expected; V/N = {ratio:.4}");
        assert!((eps / expected - 1.0).abs() < 0.03);
        assert!((ratio / mu - 1.0).abs() < 0.01);
    }
}
