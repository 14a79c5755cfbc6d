//! Edges that lie on each other in parallel: which of their points are the nearest turns over
//! within the last digits of where they are, and steps are made all the same (decision 0057).

use glam::DVec3;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::model::ModelBuilder;
use writhe::observe::{Observables, observe};
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::step::StepSettings;

const RADIUS: f64 = 4e-3;
const EDGE: f64 = 5e-3;
const DT: f64 = 2e-3;
const END: f64 = 0.4;

/// A stiff rod of five edges that can only move up and down, a little above a held one along which
/// it lies, half an edge farther on.
fn resting(coefficient: f64) -> Simulation {
    let section = Section::circle(Material::new(1e8, 0.5, 1000.0), RADIUS);
    let line = |from: f64, z: f64| -> Vec<DVec3> {
        let node = |i: usize| DVec3::new(from + EDGE * i as f64, 0.0, z);
        (0..6).map(node).collect()
    };
    let above = 2.0 * RADIUS * 1.001;
    let mut builder = ModelBuilder::new()
        .rod(Rod::open(line(0.0, 0.0), section).unwrap())
        .rod(Rod::open(line(0.5 * EDGE, above), section).unwrap())
        .contact(ContactModel::Imc(ImcSettings {
            friction: Friction {
                coefficient,
                ..Friction::default()
            },
            ..ImcSettings::default()
        }))
        .gravity(-9.81 * DVec3::Z)
        .viscous_damping(1.0);
    for node in 0..6 {
        builder = builder
            .hold_node(0, node, [true; 3], Motion::Still)
            .hold_node(1, node, [true, true, false], Motion::Still);
    }
    let (model, state) = builder.build().unwrap();
    let settings = StepSettings {
        dt: DT,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

#[test]
fn a_rod_rests_on_a_parallel_one_in_steps_of_the_size_asked_for() {
    for friction in [0.0, 0.5] {
        let mut simulation = resting(friction);
        let mut stalled = 0;
        simulation
            .run_until(END, |_, report| {
                stalled += u32::from(report.stalled_iterations > 0);
                true
            })
            .unwrap();
        let statistics = simulation.statistics;
        println!("{stalled} steps stalled; {statistics:?}");
        assert!(stalled > 0, "nothing was to be tested");
        assert_eq!(statistics.rejected_steps, 0);
        assert_eq!(statistics.steps, (END / DT).round() as u64);

        let seen = observe(&simulation.model, &simulation.state).unwrap();
        let weight = 9.81 * 1000.0 * std::f64::consts::PI * RADIUS * RADIUS * 5.0 * EDGE;
        println!(
            "contact bears {} of the weight",
            seen.contact_force / weight
        );
        assert!((seen.contact_force / weight - 1.0).abs() < 0.01);
        // What changes from step to step, as some stall and others do not, is far below a radius.
        let fastest = simulation
            .state
            .velocity
            .iter()
            .fold(0.0_f64, |a, v| a.max(v.abs()));
        println!("nodes move by {} radii a step", fastest * DT / RADIUS);
        assert!(fastest * DT < 1e-3 * RADIUS, "{fastest} m/s");
        let ledger = &simulation.state.ledger;
        println!("{ledger:?}");
    }
}

/// Rods of `edges` edges that lie on a floor or on each other along all of their length, touching at no
/// gap but `gap`, m, each turned by so much against its neighbours, rad.
fn along(
    (layers, side_by_side): (usize, usize),
    edges: usize,
    coefficient: f64,
    gap: f64,
    turn: f64,
) -> Simulation {
    let section = Section::circle(Material::new(1e6, 0.5, 1200.0), 1e-3);
    let apart = 2e-3 + gap;
    let mut builder = ModelBuilder::new()
        .obstacle(Obstacle::half_space(DVec3::ZERO, DVec3::Z).with_friction(coefficient))
        .contact(ContactModel::Imc(ImcSettings {
            friction: Friction {
                coefficient,
                ..Friction::default()
            },
            ..ImcSettings::default()
        }))
        .gravity(-9.81 * DVec3::Z)
        .viscous_damping(0.01);
    for (layer, row) in (0..layers).flat_map(|l| (0..side_by_side).map(move |r| (l, r))) {
        let shift = 0.5 * (layer % 2) as f64;
        let y = apart * (row as f64 + if side_by_side > 1 { shift } else { 0.0 });
        let higher = if side_by_side > 1 {
            0.75_f64.sqrt()
        } else {
            1.0
        };
        let z = 1e-3 + gap + apart * higher * layer as f64;
        let tilt = if (layer + row) % 2 == 0 { turn } else { -turn };
        let node = |i: usize| {
            let x = 2e-3 * (i as f64 - 0.5 * edges as f64);
            DVec3::new(x, y + tilt * x, z)
        };
        builder =
            builder.rod(Rod::open((0..=edges).map(node).collect::<Vec<_>>(), section).unwrap());
    }
    let (model, state) = builder.build().unwrap();
    let settings = StepSettings {
        dt: DT,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

fn energy(seen: &Observables) -> f64 {
    seen.elastic.total() + seen.kinetic + seen.load_potential + seen.contact_energy
}

/// Many parallel contacts are spread before the first correction: no step stalls or is halved, none
/// makes energy, and nothing sinks in (decision 0097). Without that two rods of fifty edges on each
/// other did not get through their first step.
#[test]
fn rods_that_lie_along_each_other_take_steps_of_the_size_asked_for() {
    let cases = [
        ((2, 1), 50, 0.5, 0.0, 0.0),
        ((2, 1), 50, 0.9, 0.0, 0.0),
        ((2, 1), 50, 0.0, 0.0, 0.0),
        ((2, 1), 50, 0.5, 1e-6, 0.0),
        ((2, 1), 50, 0.5, 0.0, 1e-6),
        ((2, 1), 50, 0.5, 0.0, 1e-3),
        // Fewer parallel contacts than are spread at once, with enough on the floor for rounds.
        ((2, 1), 30, 0.5, 0.0, 0.0),
        ((5, 1), 10, 0.5, 0.0, 0.0),
        ((2, 4), 19, 0.5, 0.0, 0.0),
    ];
    for case @ (count, edges, friction, gap, turn) in cases {
        let mut simulation = along(count, edges, friction, gap, turn);
        let started = observe(&simulation.model, &simulation.state).unwrap();
        simulation.run_until(5.0 * DT, |_, _| true).unwrap();
        let statistics = simulation.statistics;
        println!("{case:?}: {statistics:?}");
        assert_eq!(statistics.steps, 5, "{case:?}");
        assert!(statistics.rejected_steps <= 3, "{case:?}: {statistics:?}");
        assert!(statistics.deepest_penetration < 3.2e-3, "{case:?}");
        let ended = observe(&simulation.model, &simulation.state).unwrap();
        let [before, after] = [&started, &ended].map(energy);
        let raised = ended.ledger.works.contact.max(0.0);
        println!("  {before:e} J, {after:e} J after, {raised:e} J by stiffer contacts");
        assert!(after <= before + raised + 1e-9 * before, "{case:?}");
    }
}
