//! A rod pressed on a floor buckles; its foot sticks until |V|/N exceeds mu (catalogue 1.9).

use glam::DVec3;
use writhe::contact::obstacle::Obstacle;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::integrate::StepSettings;
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::rod::{Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;

/// Lowering of the clamp over the length at which the foot begins to slide, and |V|/N of the floor there.
fn onset(mu: f64) -> (f64, f64) {
    const EDGES: u32 = 100;
    const H: f64 = 1e-3;
    let speed = 0.04;
    let section = Section {
        ea: 1e5,
        ei1: 1.0,
        ei2: 1.0,
        gj: 1.0,
        mass_per_length: 0.01,
        inertia_per_length: 0.01 * H * H,
        radius: H,
    };
    // The first mode of a rod clamped above and pinned below, with the compression that holds it: it starts in equilibrium.
    const ROOT: f64 = 4.493_409_458;
    let mode =
        |down: f64| 0.01 * ((ROOT * down).sin() - ROOT * (ROOT * down).cos() + ROOT * (1.0 - down));
    let edge = 1.0 / (f64::from(EDGES) - 0.5);
    let node = |i: u32| {
        let down = edge * (f64::from(i) - 0.5);
        DVec3::new(mode(down.max(0.0)), 0.0, 1.0 - down + H)
    };
    let mut nodes: Vec<DVec3> = (0..=EDGES).map(node).collect();
    nodes[1].x = 0.0;
    let mut rod = Rod::open(nodes, section)
        .unwrap()
        .straight_at_rest()
        .unwrap();
    for rest in &mut rod.rest_lengths {
        *rest *= 1.0 + ROOT * ROOT / section.ea;
    }
    // The rod behaves as clamped at the middle of its first edge.
    let length = rod.rest_lengths.iter().sum::<f64>() - 0.5 * rod.rest_lengths[0];
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .contact(ContactModel::Imc(ImcSettings {
            friction: Friction {
                coefficient: mu,
                slip_tolerance: 1e-3 * speed,
                ..Friction::default()
            },
            ..ImcSettings::default()
        }))
        .obstacle(Obstacle::half_space(DVec3::ZERO, DVec3::Z))
        .viscous_damping(0.1)
        .clamp(0, 0, Motion::Velocity(DVec3::NEG_Z * speed))
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
        let x = run.model.positions(&run.state);
        let height = 0.5 * (x[0].z + x[1].z) - x[x.len() - 1].z;
        found = (1.0 - height / length, load.truncate().length() / -load.z);
        // What sticks creeps a thousand times slower than the clamp.
        run.state.velocity[foot].abs() < 0.1 * speed || run.state.time < 0.3
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
