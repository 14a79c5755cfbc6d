//! Small vibrations of straight rods: exact relations of the discrete rod, and beam theory as the limit.

mod support;

use std::f64::consts::{PI, TAU};

use support::modes::{Kind, LENGTH, RADIUS, frequencies, phase, project, section, straight};
use writhe::integrate::{Scheme, StepSettings, Workspace, implicit_step};
use writhe::model::{Model, ModelBuilder};
use writhe::schedule::Motion;
use writhe::state::State;

/// Euler-Bernoulli: cos(x) cosh(x) = -1.
const CANTILEVER: [f64; 4] = [1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349];
/// Euler-Bernoulli: cos(x) cosh(x) = 1.
const FREE_FREE: [f64; 3] = [4.7300407449, 7.8532046241, 10.9956078380];

/// `sqrt(EI / rho A)`, m^2/s.
fn bending_speed() -> f64 {
    (section().ei1 / section().mass_per_length).sqrt()
}

fn torsion_speed() -> f64 {
    (section().gj / section().inertia_per_length).sqrt()
}

fn stretch_speed() -> f64 {
    (section().ea / section().mass_per_length).sqrt()
}

fn pinned(edges: usize) -> (Model, State) {
    ModelBuilder::new()
        .rod(straight(edges))
        .hold_node(0, 0, [true; 3], Motion::Still)
        .hold_node(0, edges, [true; 3], Motion::Still)
        .build()
        .unwrap()
}

fn clamped(edges: usize) -> (Model, State) {
    let builder = ModelBuilder::new().rod(straight(edges));
    builder.clamp(0, 0, Motion::Still).build().unwrap()
}

/// First node and angle held: a wave meets a fixed end at the node, or at the middle of the edge.
fn held(edges: usize) -> (Model, State) {
    ModelBuilder::new()
        .rod(straight(edges))
        .hold_node(0, 0, [true; 3], Motion::Still)
        .hold_angle(0, 0, writhe::schedule::Schedule::Constant(0.0))
        .build()
        .unwrap()
}

/// omega_n = (4/l^2) sqrt(EI / rho A) sin^2(n pi / 2N).
fn pinned_frequency(edges: usize, n: usize) -> f64 {
    let l = LENGTH / edges as f64;
    4.0 / (l * l) * bending_speed() * (n as f64 * PI / (2 * edges) as f64).sin().powi(2)
}

/// omega = (2c/l) sin(k l/2) with k of the n-th fixed-free mode (n from 1) of a rod `length` long.
fn wave_frequency(speed: f64, edges: usize, length: f64, n: usize) -> f64 {
    let l = LENGTH / edges as f64;
    let k = (n as f64 - 0.5) * PI / length;
    2.0 * speed / l * (0.5 * k * l).sin()
}

/// Effective length of a rod held at the middle of its first edge.
fn from_mid_edge(edges: usize) -> f64 {
    LENGTH * (1.0 - 0.5 / edges as f64)
}

fn assert_relative(name: &str, found: f64, wanted: f64, tolerance: f64) {
    let error = (found / wanted - 1.0).abs();
    assert!(
        error < tolerance,
        "{name}: {found} instead of {wanted}, off by {error:.2e}"
    );
}

#[test]
fn pinned_rod_has_the_discrete_bending_frequencies() {
    for edges in [5, 16, 41] {
        let (model, state) = pinned(edges);
        let found = frequencies(&model, &state, Kind::Bend);
        assert_eq!(found.len(), edges - 1);
        for (i, omega) in found.iter().enumerate() {
            // The Hessian's largest entry is rounded, so the lowest squares lose digits.
            assert_relative("bending", *omega, pinned_frequency(edges, i + 1), 1e-9);
        }
    }
}

#[test]
fn twisting_and_stretching_waves_have_the_discrete_frequencies() {
    for edges in [5, 16, 41] {
        let (model, state) = held(edges);
        for (i, omega) in frequencies(&model, &state, Kind::Twist).iter().enumerate() {
            let wanted = wave_frequency(torsion_speed(), edges, from_mid_edge(edges), i + 1);
            assert_relative("twisting", *omega, wanted, 1e-9);
        }
        for (i, omega) in frequencies(&model, &state, Kind::Stretch)
            .iter()
            .enumerate()
        {
            let wanted = wave_frequency(stretch_speed(), edges, LENGTH, i + 1);
            assert_relative("stretching", *omega, wanted, 1e-9);
        }
    }
    // Speeds and continuum frequencies of the example: c/4L.
    assert_relative("torsion speed", torsion_speed(), 57.735027, 1e-7);
    assert_relative("stretch speed", stretch_speed(), 100.0, 1e-12);
    let (model, state) = held(40);
    let first = |kind| frequencies(&model, &state, kind)[0] / TAU;
    let shortened = LENGTH / from_mid_edge(40);
    assert_relative(
        "torsion, Hz",
        first(Kind::Twist),
        72.168784 * shortened,
        1e-3,
    );
    assert_relative("stretch, Hz", first(Kind::Stretch), 125.0, 1e-3);
}

/// Ratio to beam theory with the length from the middle of the clamped edge; the table is an independent dense computation with
/// so many edges beside the clamped one.
#[test]
fn cantilever_frequencies_converge_with_the_length_from_the_middle_of_the_clamped_edge() {
    let ratios = |edges: usize| -> Vec<f64> {
        let (model, state) = clamped(edges);
        let found = frequencies(&model, &state, Kind::Bend);
        let theory = |beta: &f64| (beta / from_mid_edge(edges)).powi(2) * bending_speed();
        CANTILEVER
            .iter()
            .zip(found)
            .map(|(beta, omega)| omega / theory(beta))
            .collect()
    };
    for (free, wanted) in [(10, 0.99856), (20, 0.99962), (40, 0.99990), (80, 0.99998)] {
        let found = ratios(free + 1)[0];
        assert!(
            (found - wanted).abs() < 0.6e-5,
            "{free} free edges: {found}"
        );
    }
    let (coarse, fine) = (ratios(40), ratios(80));
    for mode in 0..4 {
        let order = (1.0 - coarse[mode]) / (1.0 - fine[mode]);
        assert!(
            (3.5..4.5).contains(&order),
            "mode {mode}: error falls by {order}"
        );
    }
    let (model, state) = clamped(40);
    let nominal = frequencies(&model, &state, Kind::Bend)[0] / TAU;
    let shift = (LENGTH / from_mid_edge(40)).powi(2);
    assert_relative("first mode, Hz", nominal, 1.398978 * shift, 1e-2);
}

#[test]
fn free_rod_has_the_free_free_frequencies() {
    let found = |edges: usize| {
        let (model, state) = ModelBuilder::new().rod(straight(edges)).build().unwrap();
        let all = frequencies(&model, &state, Kind::Bend);
        // A translation and a rotation cost nothing.
        assert!(all[1] < 1e-4 * all[2], "rigid modes: {} {}", all[0], all[1]);
        all[2..5].to_vec()
    };
    let (coarse, fine) = (found(40), found(80));
    for (mode, beta) in FREE_FREE.iter().enumerate() {
        let theory = (beta / LENGTH).powi(2) * bending_speed();
        let errors = [&coarse, &fine].map(|f| f[mode] / theory - 1.0);
        let order = errors[0] / errors[1];
        assert!(
            (3.5..4.5).contains(&order),
            "mode {mode}: error falls by {order}"
        );
    }
    for (omega, hertz) in coarse.iter().zip([8.902047, 24.538837, 48.105931]) {
        assert_relative("free-free, Hz", omega / TAU, hertz, 1e-2);
    }
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
