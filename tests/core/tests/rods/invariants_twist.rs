//! What must not change where rods turn many times: their twist, and the linking number of a ring.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use writhe::forces::twist;
use writhe::model::{BendingModel, Model, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::Rod;
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::{StepSettings, Workspace, implicit_step};
use writhe_tests::support::modes::{section, straight};
use writhe_tests::support::writhe_number::{linking_number, total_twist, writhe_number};
use writhe_tests::support::{Random, kinematics};

/// More than half a turn at every vertex: uniform twist, `E = GJ (2 pi n)^2 / 2L` between the
/// middles of the clamped edges.
#[test]
fn twist_of_many_turns_is_not_wrapped() {
    let (edges, turns) = (40, 27.0);
    let rate = TAU * turns;
    for held_angle in [true, false] {
        let mut builder = ModelBuilder::new()
            .rod(straight(edges))
            .clamp(0, 0, Motion::Still);
        builder = if held_angle {
            builder
                .hold_node(0, edges - 1, [true; 3], Motion::Still)
                .hold_node(0, edges, [true; 3], Motion::Still)
                .hold_angle(0, edges - 1, Schedule::Rate { value: 0.0, rate })
        } else {
            builder.clamp(0, edges - 1, Motion::spin(DVec3::ZERO, DVec3::X, rate))
        };
        let (model, mut state) = builder.build().unwrap();
        let mut ws = Workspace::new(&model);
        // Steps of a quarter turn.
        let steps = 108;
        for _ in 0..steps {
            let dt = 1.0 / f64::from(steps);
            state = implicit_step(&model, &state, dt, &StepSettings::default(), &mut ws)
                .unwrap()
                .0;
        }
        let k = kinematics(&model, &state.frames, &state.q);
        assert!((total_twist(&model, &state) - turns).abs() < 1e-12);
        let each = TAU * turns / 39.0;
        assert!(each > PI);
        // Steady turning of one end needs no acceleration: the twist is uniform once waves have
        // died.
        for v in 0..39 {
            let off = twist(&model, &k, &state.q, v) / each - 1.0;
            assert!(off.abs() < 1e-12, "vertex {v}: {off:e}");
        }
        let mut simulation = Simulation::new(model, state, StepSettings::default());
        simulation.settle().unwrap();
        let energy = observe(&simulation.model, &simulation.state)
            .unwrap()
            .elastic;
        let length = 0.2 * 39.0 / 40.0;
        let wanted = 0.5 * section().gj * rate * rate / length;
        assert!(
            (energy.twist / wanted - 1.0).abs() < 1e-9,
            "{energy:?} instead of {wanted}"
        );
        assert!(energy.bend == 0.0 && energy.stretch == 0.0);
    }
}

/// Reference twist of an edge that moves round a cone beside a fixed one: minus the solid angle,
/// every time round.
#[test]
fn reference_twist_accumulates_the_solid_angle() {
    let (rounds, steps, half_angle) = (25, 24, 1.1_f64);
    let rod = Rod::open(vec![DVec3::ZERO, DVec3::X, DVec3::X * 2.0], section()).unwrap();
    let (model, state) = ModelBuilder::new().rod(rod).build().unwrap();
    let mut frames = state.frames.clone();
    let mut q = state.q.clone();
    let mut twist = Vec::new();
    for i in 0..=rounds * steps {
        let a = TAU * f64::from(i) / f64::from(steps);
        let across = DVec3::new(0.0, a.cos(), a.sin());
        let tip = DVec3::X + DVec3::X * half_angle.cos() + across * half_angle.sin();
        q[8..11].copy_from_slice(&tip.to_array());
        frames = kinematics(&model, &frames, &q).frames();
        if i % steps == 0 {
            twist.push(frames.twist[0]);
        }
    }
    // Spherical triangle with two sides `half_angle` and the angle `step` between them.
    let (h, step) = ((0.5 * half_angle).tan().powi(2), TAU / f64::from(steps));
    let area = 2.0 * (h * step.sin() / (1.0 + h * step.cos())).atan() * f64::from(steps);
    for (round, found) in twist.iter().enumerate() {
        let wanted = area * round as f64;
        assert!(
            (found.abs() - wanted).abs() < 1e-11 * (1.0 + wanted),
            "{round}: {found} {wanted}"
        );
    }
    assert!(twist[rounds as usize].abs() > 10.0 * TAU);
}

fn circle(nodes: usize, radius: f64) -> Vec<DVec3> {
    let node = |i: usize| {
        let a = TAU * i as f64 / nodes as f64;
        DVec3::new(radius * a.cos(), radius * a.sin(), 0.0)
    };
    (0..nodes).map(node).collect()
}

/// A ring twisted by `turns`, spread evenly, also where that is more than half a turn a vertex.
fn twisted_ring(nodes: usize, turns: f64, bending: BendingModel) -> (Model, State) {
    let rod = Rod::closed(circle(nodes, 0.05), section()).unwrap();
    let builder = ModelBuilder::new().rod(rod).bending(bending);
    let (model, mut state) = builder.build().unwrap();
    for (i, dof) in model.topology.edge_dof.iter().enumerate() {
        state.q[*dof] = TAU * turns * i as f64 / nodes as f64;
    }
    // The vertex that closes the ring.
    state.frames.twist[nodes - 1] += TAU * turns;
    (model, state)
}

#[test]
fn twisted_ring_has_its_energy_and_keeps_its_turns() {
    for (nodes, turns) in [(40, 3.0), (40, -27.0), (41, 1.0)] {
        let (model, state) = twisted_ring(nodes, turns, BendingModel::Averaged);
        let length: f64 = model.rod_length[0];
        let wanted = 0.5 * section().gj * (TAU * turns).powi(2) / length;
        let energy = observe(&model, &state).unwrap().elastic.twist;
        assert!((energy / wanted - 1.0).abs() < 1e-12, "{energy} {wanted}");
        // Half edges in series: one moment along the tangent halfway turns each of them about its
        // own tangent and across it, tan^2(phi/2) GJ/EI beside 1.
        let (model, state) = twisted_ring(nodes, turns, BendingModel::HalfEdges);
        let across = (PI / nodes as f64).tan().powi(2) * section().gj / section().ei1;
        let energy = observe(&model, &state).unwrap().elastic.twist * (1.0 + across);
        assert!((energy / wanted - 1.0).abs() < 1e-12, "{energy} {wanted}");
        // The same from directors, as a user gives them, where a vertex turns by less than half a
        // turn.
        if turns.abs() < 0.5 * nodes as f64 {
            let mut rod = Rod::closed(circle(nodes, 0.05), section()).unwrap();
            rod.twist_directors(&vec![TAU * turns / nodes as f64; nodes - 1]);
            let builder = ModelBuilder::new().rod(rod).bending(BendingModel::Averaged);
            let (model, state) = builder.build().unwrap();
            let energy = observe(&model, &state).unwrap().elastic.twist;
            assert!((energy / wanted - 1.0).abs() < 1e-12, "{energy} {wanted}");
        }
    }
}

/// A twisted ring buckles out of its plane: twist becomes writhe, their sum stays what it was at
/// the start.
#[test]
fn linking_number_of_a_ring_is_conserved() {
    let mut random = Random(3);
    for turns in [5.0, -27.0] {
        let (model, mut state) = twisted_ring(40, turns, BendingModel::HalfEdges);
        for dof in &model.topology.node_dof {
            let bump = random.vector() * 1e-4;
            for k in 0..3 {
                state.q[dof + k] += bump[k];
            }
        }
        let start = state.frames.clone();
        state.frames = kinematics(&model, &start, &state.q).frames();
        let dt = if turns > 0.0 { 2e-3 } else { 2e-4 };
        let mut ws = Workspace::new(&model);
        let mut largest = 0.0_f64;
        // Without contact it would pass through itself from a writhe of 1 on.
        while largest < 0.8 && state.step < 500 {
            let next = implicit_step(&model, &state, dt, &StepSettings::default(), &mut ws);
            state = next.unwrap().0;
            let off = (linking_number(&model, &state) - turns).abs();
            assert!(off < 1e-10, "linking number off by {off:e}");
            largest = largest.max(writhe_number(&model.positions(&state)).abs());
        }
        assert!(largest > 0.8, "the ring must buckle: writhe {largest}");
    }
}

/// A loop that does not lie in a plane: frames without twist miss the first one by its holonomy.
/// Bent from a straight rod it has that as twist everywhere, as much per length, and it is the same
/// rod wherever one begins to count.
#[test]
fn a_closed_rod_begins_with_the_same_twist_everywhere() {
    let trefoil = |first: usize, edges: usize| {
        let node = |i: usize| {
            let t = TAU * (i + first) as f64 / edges as f64;
            let out = 2.0 + (3.0 * t).cos();
            DVec3::new(
                out * (2.0 * t).cos(),
                out * (2.0 * t).sin(),
                (3.0 * t).sin(),
            )
        };
        let nodes: Vec<DVec3> = (0..edges).map(node).collect();
        Rod::closed(nodes, section()).unwrap().straight_at_rest()
    };
    let energies = [0, 17].map(|first| {
        let (model, state) = ModelBuilder::new()
            .rod(trefoil(first, 90).unwrap())
            .build()
            .unwrap();
        let k = kinematics(&model, &state.frames, &state.q);
        let rates: Vec<f64> = (0..90)
            .map(|v| {
                let [before, after] = [v, (v + 1) % 90].map(|edge| k.edge(edge).length);
                twist(&model, &k, &state.q, v) / (0.5 * (before + after))
            })
            .collect();
        // By White's theorem twist and writhe come to a whole number of turns.
        let turns = linking_number(&model, &state);
        assert!((turns - turns.round()).abs() < 1e-9, "{turns}");
        assert!(rates[0].abs() > 1e-3, "{}", rates[0]);
        for rate in &rates {
            assert!((rate - rates[0]).abs() < 1e-11, "{rate} {}", rates[0]);
        }
        observe(&model, &state).unwrap().elastic.twist
    });
    let change = (energies[1] - energies[0]).abs() / energies[0];
    assert!(change < 1e-9, "{energies:?}");
}
