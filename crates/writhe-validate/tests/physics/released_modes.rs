//! Modes of straight rods, released, swing at the frequencies of the discrete rod.

use std::f64::consts::PI;

use writhe::model::{Model, ModelBuilder};
use writhe::schedule::{Motion, Schedule};
use writhe::state::State;
use writhe::step::{Scheme, StepSettings, Workspace, implicit_step};
use writhe_validate::setup::modes::{
    Kind, LENGTH, RADIUS, from_mid_edge, pinned_frequency, straight, stretch_speed, torsion_speed,
    wave_frequency,
};
use writhe_validate::setup::oscillator::phase;

fn pinned(edges: usize) -> (Model, State) {
    ModelBuilder::new()
        .rod(straight(edges).unwrap())
        .hold_node(0, 0, [true; 3], Motion::Still)
        .hold_node(0, edges, [true; 3], Motion::Still)
        .build()
        .unwrap()
}

/// First node and angle held.
fn held(edges: usize) -> (Model, State) {
    ModelBuilder::new()
        .rod(straight(edges).unwrap())
        .hold_node(0, 0, [true; 3], Motion::Still)
        .hold_angle(0, 0, Schedule::Constant(0.0))
        .build()
        .unwrap()
}

fn assert_relative(name: &str, found: f64, wanted: f64, tolerance: f64) {
    let error = (found / wanted - 1.0).abs();
    assert!(
        error < tolerance,
        "{name}: {found} instead of {wanted}, off by {error:.2e}"
    );
}

/// Component of a motion on a mode: `(position, velocity / omega)` for a shape over all unknowns.
fn project(model: &Model, state: &State, rest: &[f64], shape: &[f64], omega: f64) -> (f64, f64) {
    let (mut a, mut b, mut norm) = (0.0, 0.0, 0.0);
    for dof in 0..rest.len() {
        let weight = model.mass[dof] * shape[dof];
        a += weight * (state.q[dof] - rest[dof]);
        b += weight * state.velocity[dof];
        norm += weight * shape[dof];
    }
    (a / norm, b / norm / omega)
}

/// Releases a rod in a mode and follows it with the implicit midpoint rule.
fn midpoint_frequency(model: &Model, start: &State, shape: &[f64], size: f64, wanted: f64) -> f64 {
    let settings = StepSettings {
        scheme: Scheme::ImplicitMidpoint,
        step_tolerance: 1e-13,
        residual_tolerance: 1e-10,
        ..StepSettings::default()
    };
    let dt = 0.3 / wanted;
    let mut ws = Workspace::new(model);
    let mut state = start.clone();
    for (q, s) in state.q.iter_mut().zip(shape) {
        *q += size * s;
    }
    let mut before = project(model, &state, &start.q, shape, wanted);
    let mut total = 0.0;
    let steps = 50;
    for _ in 0..steps {
        state = implicit_step(model, &state, dt, &settings, &mut ws)
            .unwrap()
            .0;
        let now = project(model, &state, &start.q, shape, wanted);
        total += phase(before, now);
        before = now;
    }
    // Phase 2 atan(omega dt / 2) a step.
    2.0 / dt * (0.5 * total / f64::from(steps)).tan()
}

#[test]
fn released_modes_swing_at_the_discrete_frequencies() {
    let edges = 16;
    let at = |kind: Kind, value: &dyn Fn(f64) -> f64, dofs: usize| -> Vec<f64> {
        let of = |dof: usize| {
            if dof % 4 == kind as usize {
                value((dof / 4) as f64)
            } else {
                0.0
            }
        };
        (0..dofs).map(of).collect()
    };
    for n in [1, 3] {
        let (model, state) = pinned(edges);
        let k = n as f64 * PI / edges as f64;
        let shape = at(Kind::Bend, &|i| (k * i).sin(), state.q.len());
        let wanted = pinned_frequency(edges, n);
        let found = midpoint_frequency(&model, &state, &shape, 1e-5 * RADIUS, wanted);
        assert_relative("bending", found, wanted, 1e-6);

        let (model, state) = held(edges);
        let k = (n as f64 - 0.5) * PI / edges as f64;
        let shape = at(Kind::Stretch, &|i| (k * i).sin(), state.q.len());
        let wanted = wave_frequency(stretch_speed(), edges, LENGTH, n);
        let found = midpoint_frequency(&model, &state, &shape, 1e-5 * RADIUS, wanted);
        assert_relative("stretching", found, wanted, 1e-6);

        let k = (n as f64 - 0.5) * PI / (edges as f64 - 0.5);
        let shape = at(Kind::Twist, &|i| (k * i).sin(), state.q.len());
        let wanted = wave_frequency(torsion_speed(), edges, from_mid_edge(edges), n);
        let found = midpoint_frequency(&model, &state, &shape, 1e-2, wanted);
        assert_relative("twisting", found, wanted, 1e-6);
    }
}
