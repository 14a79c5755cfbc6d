//! Loads at which straight rods buckle, by the sign of the Hessian, and what they become.

#[path = "support/elastica.rs"]
mod elastica;
#[path = "support/statics.rs"]
mod statics;
mod support;

use std::f64::consts::{FRAC_PI_2, PI};

use elastica::{euler, postbuckled};
use glam::DVec3;
use statics::{
    arc_nodes, assert_second_order, edge_length, positions, section, settle, straight_rod,
};
use support::{Dense, kinematics};
use writhe::forces::add_elastic;
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::schedule::{Motion, Schedule};

/// Stretching stiffness: critical loads shift by the strain P/EA, 4e-7 at most.
const STIFF: f64 = 1e8;
/// Ends approached by 0.8 % only ask for less strain.
const STIFFER: f64 = 1e9;
const FIXED: [bool; 3] = [true; 3];
const ACROSS: [bool; 3] = [false, true, true];

/// A straight rod along x with the first end at the origin, compressed by the load `force(s)` at the arc length s.
fn compressed(edges: usize, clamps: [bool; 2], force: impl Fn(f64) -> f64) -> ModelBuilder {
    let count = clamps.iter().filter(|c| **c).count();
    let l = edge_length(edges, count);
    let first = if clamps[0] { -0.5 * l } else { 0.0 };
    let nodes = (0..=edges).map(|i| DVec3::X * (first + l * i as f64));
    let mut rod = straight_rod(nodes.collect(), section(STIFF));
    for i in 0..edges {
        let middle = first + l * (i as f64 + 0.5);
        let length = l * (1.0 - force(middle) / STIFF);
        rod.positions[i + 1] = rod.positions[i] + DVec3::X * length;
    }
    ModelBuilder::new().rod(rod)
}

/// Whether the Hessian of the free unknowns is positive definite: whether Cholesky's factorisation exists. Dead loads add nothing.
fn stable(builder: ModelBuilder) -> bool {
    let (model, state) = builder.build().expect("model");
    let mut hessian = Dense::new(model.topology.dofs);
    let k = kinematics(&model, &state.frames, &state.q);
    let mut gradient = vec![0.0; model.topology.dofs];
    add_elastic(&model, &k, &state.q, &mut gradient, Some(&mut hessian));
    let free: Vec<usize> = (0..hessian.n)
        .filter(|dof| !model.constraints.fixed()[*dof])
        .collect();
    let n = free.len();
    let mut factor = vec![0.0; n * n];
    for (i, row) in free.iter().enumerate() {
        // Rows couple to the ten unknowns before them at most.
        for j in i.saturating_sub(10)..=i {
            let known: f64 = (i.saturating_sub(10)..j)
                .map(|k| factor[i * n + k] * factor[j * n + k])
                .sum();
            let rest = hessian.values[row * hessian.n + free[j]] - known;
            if i == j && rest <= 0.0 {
                return false;
            }
            factor[i * n + j] = if i == j {
                rest.sqrt()
            } else {
                rest / factor[j * n + j]
            };
        }
    }
    true
}

/// The load at which `builder(load)` stops being stable, near `expected`.
fn critical(expected: f64, builder: impl Fn(f64) -> ModelBuilder) -> f64 {
    let (mut low, mut high) = (0.9 * expected, 1.1 * expected);
    assert!(stable(builder(low)) && !stable(builder(high)));
    while high - low > 1e-9 * expected {
        let middle = 0.5 * (low + high);
        if stable(builder(middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

fn check_load(what: &str, expected: f64, builder: impl Fn(usize, f64) -> ModelBuilder) -> [f64; 3] {
    let error =
        [25, 50, 100].map(|edges| critical(expected, |load| builder(edges, load)) / expected - 1.0);
    assert_second_order(what, 0.01, error);
    error
}

/// Where the buckled shape is a sine the discrete load is Euler's times `[sin(x)/x]^2`, `x = k l / 2`.
fn discrete_sine(edges: usize, clamps: usize, wave_number: f64) -> f64 {
    let x = 0.5 * wave_number * edge_length(edges, clamps);
    (x.sin() / x).powi(2) - 1.0
}

#[test]
fn buckling_loads_tabulated() {
    for (found, table) in [
        (euler::CLAMPED_FREE, 2.4674011003),
        (euler::PINNED_PINNED, 9.8696044011),
        (euler::clamped_pinned(), 20.1907285564),
        (euler::CLAMPED_CLAMPED, 39.4784176044),
        (euler::own_weight(), 7.8373474389),
    ] {
        assert!((found - table).abs() < 1e-9, "{found} {table}");
    }
}

#[test]
fn buckling_loads() {
    let still = || Motion::Still;
    let clamped_free = check_load("clamped-free", euler::CLAMPED_FREE, |edges, load| {
        compressed(edges, [true, false], |_| load).clamp(0, 0, still())
    });
    let pinned_pinned = check_load("pinned-pinned", euler::PINNED_PINNED, |edges, load| {
        compressed(edges, [false, false], |_| load)
            .hold_node(0, 0, FIXED, still())
            .hold_node(0, edges, ACROSS, still())
            .hold_angle(0, 0, Schedule::Constant(0.0))
    });
    check_load("clamped-pinned", euler::clamped_pinned(), |edges, load| {
        compressed(edges, [true, false], |_| load)
            .clamp(0, 0, still())
            .hold_node(0, edges, ACROSS, still())
    });
    let clamped_clamped = check_load("clamped-clamped", euler::CLAMPED_CLAMPED, |edges, load| {
        compressed(edges, [true, true], |_| load)
            .clamp(0, 0, still())
            .hold_node(0, edges - 1, ACROSS, still())
            .hold_node(0, edges, ACROSS, still())
    });
    check_load("own weight", euler::own_weight(), |edges, load| {
        compressed(edges, [true, false], |s| load * (1.0 - s)).clamp(0, 0, still())
    });
    for (errors, clamps, wave_number) in [
        (clamped_free, 1, FRAC_PI_2),
        (pinned_pinned, 0, PI),
        (clamped_clamped, 2, 2.0 * PI),
    ] {
        for (error, edges) in errors.iter().zip([25, 50, 100]) {
            let law = discrete_sine(edges, clamps, wave_number);
            // The strain P/EA shifts the load.
            assert!((error - law).abs() < 1e-6, "{edges}: {error:e} {law:e}");
        }
    }
}

/// End angle in degrees, P/Pc, end distance/L, mid height/L.
const POSTBUCKLED: [(f64, f64, f64, f64); 5] = [
    (10.0, 1.00381801365, 0.992396636342, 0.055379450078),
    (30.0, 1.03512066143, 0.932432155432, 0.161949967375),
    (60.0, 1.15171962047, 0.741019606076, 0.296603823082),
    (90.0, 1.39320392969, 0.456946581044, 0.381379881751),
    (120.0, 1.88480086898, 0.123159972405, 0.401585495004),
];

#[test]
fn postbuckling_reference_agrees_with_published_table() {
    for (degrees, load, end, mid) in POSTBUCKLED {
        let found = postbuckled(f64::to_radians(degrees));
        for (a, b) in [
            (found.load, load),
            (found.end_distance, end),
            (found.mid_height, mid),
        ] {
            assert!((a - b).abs() < 1e-11, "{degrees}: {a} {b}");
        }
    }
}

/// Pinned ends at a given distance: load, mid height and end angle.
#[test]
fn pinned_rod_with_approached_ends() {
    for (degrees, ..) in POSTBUCKLED {
        let exact = postbuckled(f64::to_radians(degrees));
        let found = [26, 50, 100].map(|edges| {
            let nodes = arc_nodes(edges, exact.end_distance);
            let simulation = settle(
                ModelBuilder::new()
                    .rod(straight_rod(nodes, section(STIFFER)))
                    .hold_node(0, 0, FIXED, Motion::Still)
                    .hold_node(0, edges, FIXED, Motion::Still)
                    .hold_node(0, edges / 2, [false, false, true], Motion::Still)
                    .hold_angle(0, 0, Schedule::Constant(0.0)),
            );
            let x = positions(&simulation);
            let load = observe(&simulation.model, &simulation.state)
                .unwrap()
                .reactions[0]
                .force
                .x;
            let first = x[1] - x[0];
            [
                load / euler::PINNED_PINNED / exact.load,
                x[edges / 2].y.abs() / exact.mid_height,
                f64::atan2(first.y.abs(), first.x) / f64::to_radians(degrees),
            ]
        });
        for (k, name) in ["load", "mid height", "end angle"].iter().enumerate() {
            let error = found.map(|f| f[k] - 1.0);
            assert_second_order(&format!("{name} at {degrees} degrees"), 0.01, error);
        }
    }
}
