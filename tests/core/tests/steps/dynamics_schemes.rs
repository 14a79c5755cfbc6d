//! Time schemes on one exactly linear mode, and what they do to momentum.

use std::f64::consts::TAU;

use glam::DVec3;
use writhe::model::{Model, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::{Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::state::{History, State};
use writhe::step::{LineSearch, Scheme, StepSettings, Workspace, implicit_step};
use writhe_tests::support;
use writhe_tests::support::Random;
use writhe_tests::support::modes::{phase, section};

/// Two edges on held nodes, one angle free: `I th'' = -(GJ/l) th` for any amplitude.
fn oscillator() -> (Model, State, f64) {
    let l = 0.01;
    let rod = Rod::open(
        (0..3).map(|i| DVec3::X * (l * f64::from(i))).collect(),
        section(),
    )
    .unwrap();
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .clamp(0, 0, Motion::Still)
        .hold_node(0, 2, [true; 3], Motion::Still)
        .build()
        .unwrap();
    let omega = (section().gj / section().inertia_per_length).sqrt() / l;
    (model, state, omega)
}

/// The free angle.
const THETA: usize = 7;

fn tight(scheme: Scheme) -> StepSettings {
    StepSettings {
        scheme,
        step_tolerance: 1e-13,
        residual_tolerance: 1e-11,
        ..StepSettings::default()
    }
}

/// Angle and angular velocity over omega after each of the steps `dt`, s, from `cos` at the start.
fn swing(scheme: Scheme, dt: &[f64], history: Option<f64>) -> Vec<(f64, f64)> {
    let (model, mut state, omega) = oscillator();
    state.q[THETA] = 1.0;
    if let Some(before) = history {
        let mut h = History {
            dt: before,
            q: state.q.clone(),
            velocity: state.velocity.clone(),
        };
        h.q[THETA] = (omega * before).cos();
        h.velocity[THETA] = omega * (omega * before).sin();
        state.history = Some(h);
    }
    let mut ws = Workspace::new(&model);
    let mut path = vec![(1.0, 0.0)];
    for dt in dt {
        state = implicit_step(&model, &state, *dt, &tight(scheme), &mut ws)
            .unwrap()
            .0;
        path.push((state.q[THETA], state.velocity[THETA] / omega));
    }
    path
}

fn amplitude_sq((a, b): (f64, f64)) -> f64 {
    a * a + b * b
}

#[test]
fn backward_euler_damps_and_slows_by_the_known_factors() {
    let omega = oscillator().2;
    for (x, factor) in [(0.1, 0.9900990099), (0.5, 0.8)] {
        let path = swing(Scheme::BackwardEuler, &[x / omega; 20], None);
        for pair in path.windows(2) {
            let energy = amplitude_sq(pair[1]) / amplitude_sq(pair[0]);
            assert!(
                (energy - 1.0 / (1.0 + x * x)).abs() < 1e-11,
                "energy factor {energy}"
            );
            assert!((energy - factor).abs() < 1e-10);
            assert!((phase(pair[0], pair[1]) - x.atan()).abs() < 1e-11);
        }
    }
}

#[test]
fn midpoint_keeps_the_amplitude_and_slows_by_the_known_phase() {
    let omega = oscillator().2;
    for (x, turn) in [(0.1, 0.0999167914), (0.5, 0.4899573263)] {
        let path = swing(Scheme::ImplicitMidpoint, &[x / omega; 20], None);
        for pair in path.windows(2) {
            assert!((amplitude_sq(pair[1]) - 1.0).abs() < 1e-11);
            let found = phase(pair[0], pair[1]);
            assert!((found - 2.0 * (0.5 * x).atan()).abs() < 1e-11);
            assert!((found - turn).abs() < 1e-10);
        }
    }
}

/// Error of a scheme after one radian in `n` repetitions of steps with the given ratios.
fn error(scheme: Scheme, ratios: &[f64], n: usize) -> f64 {
    let omega = oscillator().2;
    let sum: f64 = ratios.iter().sum::<f64>() * n as f64;
    let steps: Vec<f64> = (0..n)
        .flat_map(|_| ratios.iter().map(|r| r / sum / omega))
        .collect();
    let end = swing(scheme, &steps, None)[steps.len()];
    (end.0 - 1f64.cos()).hypot(end.1 + 1f64.sin())
}

#[test]
fn schemes_have_their_order_with_equal_and_changing_steps() {
    // All growths are below 2.4, above which a two-step scheme starts anew.
    for ratios in [&[1.0][..], &[1.0, 1.5, 0.6], &[0.5, 1.1, 0.25]] {
        for (scheme, wanted) in [
            (Scheme::BackwardEuler, 2.0),
            (Scheme::Bdf2, 4.0),
            (Scheme::ImplicitMidpoint, 4.0),
        ] {
            let (coarse, fine) = (error(scheme, ratios, 60), error(scheme, ratios, 120));
            let order = coarse / fine;
            assert!(
                (0.875 * wanted..1.125 * wanted).contains(&order),
                "{scheme:?} with steps {ratios:?}: error {coarse:.2e} falls by {order}"
            );
        }
    }
}

/// Beyond a growth of 1 + sqrt 2 a two-step scheme is not stable: such a step is one of backward
/// Euler, which turns by atan x.
#[test]
fn a_step_that_grows_too_much_is_one_of_backward_euler() {
    let omega = oscillator().2;
    let fitted = Scheme::FittedBdf2 { omega };
    for scheme in [Scheme::Bdf2, fitted] {
        for (growth, starts_anew) in [(2.3, false), (2.5, true), (20.0, true)] {
            let x = 0.01 * growth;
            let path = swing(scheme, &[0.01 / omega, x / omega], Some(0.01 / omega));
            let energy = amplitude_sq(path[2]) / amplitude_sq(path[1]);
            let of_euler = 1.0 / (1.0 + x * x);
            let is_euler = (energy - of_euler).abs() < 1e-9;
            assert_eq!(
                is_euler, starts_anew,
                "{scheme:?}, growth {growth}: {energy} {of_euler}"
            );
        }
    }
}

#[test]
fn fitted_bdf2_is_exact_at_its_rate() {
    let omega = oscillator().2;
    let scheme = Scheme::FittedBdf2 { omega };
    for ratios in [&[1.0][..], &[1.0, 1.5, 0.6]] {
        let steps: Vec<f64> = (0..60)
            .map(|i| 0.2 / omega * ratios[i % ratios.len()])
            .collect();
        let path = swing(scheme, &steps, Some(0.2 / omega));
        let mut angle = 0.0;
        for (dt, now) in steps.iter().zip(&path[1..]) {
            angle += omega * dt;
            assert!(
                (now.0 - angle.cos()).hypot(now.1 + angle.sin()) < 1e-10,
                "at {angle} rad"
            );
        }
        // The plain rule at these steps is not.
        let plain = swing(Scheme::Bdf2, &steps, Some(0.2 / omega))[60];
        assert!((plain.0 - angle.cos()).hypot(plain.1 + angle.sin()) > 1e-2);
    }
}

/// Two rods of random shape and velocity; `plane` keeps them in z = 0.
fn thrown(random: &mut Random, plane: bool) -> (Model, State) {
    let mut builder = ModelBuilder::new();
    for rod in 0..2 {
        let nodes = (0..8).map(|i| {
            let mut bump = random.vector() * 2e-3;
            if plane {
                bump.z = 0.0;
            }
            DVec3::new(0.01 * f64::from(i), 0.05 * f64::from(rod), 0.0) + bump
        });
        builder = builder.rod(
            Rod::open(nodes.collect(), section())
                .unwrap()
                .straight_at_rest()
                .unwrap(),
        );
    }
    let (model, mut state) = builder.build().unwrap();
    for dof in 0..state.q.len() {
        state.velocity[dof] = match dof {
            _ if model.topology.angle[dof] => {
                if plane {
                    0.0
                } else {
                    random.next() * 5.0
                }
            }
            _ => random.next(),
        };
    }
    if plane {
        for dof in &model.topology.node_dof {
            state.velocity[dof + 2] = 0.0;
        }
    }
    (model, state)
}

/// Changes of linear and angular momentum over a run, relative to the sums of their magnitudes.
fn drift(model: &Model, start: &State, scheme: Scheme, steps: usize) -> (f64, f64) {
    let settings = StepSettings {
        step_tolerance: 1e-11,
        residual_tolerance: 1e-9,
        // Differences of the potential are rounding at these tolerances.
        line_search: LineSearch::None,
        ..tight(scheme)
    };
    let mut ws = Workspace::new(model);
    let before = observe(model, start).unwrap();
    let nodes = model.topology.node_dof.iter();
    let scale: f64 = nodes
        .map(|dof| model.mass[*dof] * DVec3::from_slice(&start.velocity[*dof..]).length())
        .sum();
    let arm = 0.05;
    let mut state = start.clone();
    let (mut linear, mut angular) = (0.0_f64, 0.0_f64);
    for _ in 0..steps {
        state = implicit_step(model, &state, 2e-4, &settings, &mut ws)
            .unwrap()
            .0;
        let now = observe(model, &state).unwrap();
        linear = linear.max((now.momentum - before.momentum).length() / scale);
        let turned = now.angular_momentum - before.angular_momentum;
        angular = angular.max(turned.length() / (scale * arm));
    }
    (linear, angular)
}

#[test]
fn momentum_is_conserved_to_rounding() {
    let mut random = Random(1);
    for scheme in [
        Scheme::BackwardEuler,
        Scheme::Bdf2,
        Scheme::ImplicitMidpoint,
    ] {
        for plane in [true, false] {
            let (model, state) = thrown(&mut random, plane);
            let (linear, _) = drift(&model, &state, scheme, 50);
            println!("{scheme:?}: linear {linear:.1e}");
            assert!(
                linear < 1e-12,
                "{scheme:?}: momentum changes by {linear:.2e}"
            );
        }
    }
}

/// The midpoint rule conserves x cross p whenever forces have no net torque: rods in a plane, and
/// chains in space.
#[test]
fn angular_momentum_is_conserved_by_the_midpoint_rule_only() {
    let mut random = Random(2);
    for plane in [true, false] {
        let (mut model, mut state) = thrown(&mut random, plane);
        if !plane {
            // Springs only. The couple that turns a spinning edge about its tangent is not part of
            // the equations of motion.
            for vertex in &mut model.half_edges {
                vertex.stiffness = [[0.0; 3]; 3];
            }
        }
        for dof in &model.topology.edge_dof {
            state.velocity[*dof] = 0.0;
        }
        // Slow enough that no spring is pressed to nothing.
        state.velocity.iter_mut().for_each(|u| *u *= 0.3);
        let (_, midpoint) = drift(&model, &state, Scheme::ImplicitMidpoint, 50);
        let (_, euler) = drift(&model, &state, Scheme::BackwardEuler, 50);
        println!("angular: midpoint {midpoint:.1e}, backward Euler {euler:.1e}");
        assert!(midpoint < 1e-11, "midpoint: {midpoint:.2e}");
        assert!(euler > 1e-4, "backward Euler: {euler:.2e}");
    }
}

/// A rigid dumb-bell under backward Euler: the next edge lies along `2 r_n - r_{n-1}`, so
/// `tan a_{n+1} = sin a_n / (2 - cos a_n)` for the turns a_n, and its angular momentum is
/// proportional to `sin a`.
#[test]
fn backward_euler_slows_a_dumb_bell_by_its_law() {
    let stiff = Section {
        ea: 1e6,
        ..section()
    };
    let first: f64 = 0.1;
    let rod = Rod::open(vec![DVec3::X * -0.1, DVec3::X * 0.1], stiff).unwrap();
    let (model, mut state) = ModelBuilder::new().rod(rod).build().unwrap();
    // The edge came from the angle -0.1.
    let dt = 0.01;
    let come = (DVec3::X - DVec3::new(first.cos(), -first.sin(), 0.0)) * (0.1 / dt);
    for (dof, sign) in [(0, -1.0), (4, 1.0)] {
        state.velocity[dof..dof + 3].copy_from_slice(&(come * sign).to_array());
    }
    let mut ws = Workspace::new(&model);
    let table = [
        0.0990123171,
        0.0980533800,
        0.0971218196,
        0.0962163562,
        0.0953357926,
    ];
    let mut turn = first;
    let mut momentum = observe(&model, &state).unwrap().angular_momentum.z;
    for wanted in table {
        let edge = DVec3::from_slice(&state.q[4..7]) - DVec3::from_slice(&state.q[0..3]);
        state = implicit_step(&model, &state, dt, &tight(Scheme::BackwardEuler), &mut ws)
            .unwrap()
            .0;
        let next = DVec3::from_slice(&state.q[4..7]) - DVec3::from_slice(&state.q[0..3]);
        let found = edge.cross(next).z.atan2(edge.dot(next));
        let law = (turn.sin() / (2.0 - turn.cos())).atan();
        println!("turn {found:.10}, law {law:.10}");
        assert!(
            (found - law).abs() < 1e-8 && (found - wanted).abs() < 1e-8,
            "{found} {law}"
        );
        let spun = observe(&model, &state).unwrap().angular_momentum.z;
        assert!((spun / momentum - found.sin() / turn.sin()).abs() < 1e-6);
        (turn, momentum) = (found, spun);
    }
}

/// The rate of a held angle is that of its schedule for every scheme: midpoint stages and two-step
/// histories included.
#[test]
fn held_angles_follow_their_schedule() {
    for scheme in [
        Scheme::BackwardEuler,
        Scheme::Bdf2,
        Scheme::ImplicitMidpoint,
    ] {
        let rod = support::modes::straight(4);
        let (model, mut state) = ModelBuilder::new()
            .rod(rod)
            .clamp(0, 0, Motion::Still)
            .hold_angle(
                0,
                3,
                Schedule::Rate {
                    value: 0.0,
                    rate: TAU,
                },
            )
            .build()
            .unwrap();
        let last = model.topology.edge_dof[3];
        state.velocity[last] = TAU;
        let mut ws = Workspace::new(&model);
        for dt in [0.01, 0.015, 0.01, 0.008] {
            state = implicit_step(&model, &state, dt, &tight(scheme), &mut ws)
                .unwrap()
                .0;
            assert!((state.q[last] - TAU * state.time).abs() < 1e-14);
            assert!((state.velocity[last] - TAU).abs() < 1e-11, "{scheme:?}");
        }
    }
}
