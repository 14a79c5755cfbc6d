//! The figures of the book's page on time steps, each measured with the program:
//! `docs/book/src/time-step.md`.

use std::f64::consts::TAU;
use std::path::Path;

use glam::DVec3;
use writhe::bodies::{Body, FreeBodies};
use writhe::model::{BendingModel, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::step::{Scheme, StepSettings};
use writhe_tests::scene::{explicit, line, section};

const STEPS_A_PERIOD: [f64; 4] = [12.0, 24.0, 48.0, 96.0];

/// The numbers in the row of the book that begins with `label`, each with half a unit of its last
/// digit.
fn row(label: &str) -> Vec<(f64, f64)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/time-step.md");
    let text = std::fs::read_to_string(page).unwrap();
    let start = format!("| {label} | ");
    let found = text.lines().find_map(|line| line.strip_prefix(&start));
    let found = found.unwrap_or_else(|| panic!("no row `{label}`"));
    let cells = found.trim_end_matches('|').split('|').map(|cell| {
        let cell = cell.trim();
        let digits = cell.split_once('.').map_or(0, |(_, d)| d.len());
        let half = 0.5001 * 0.1_f64.powi(digits as i32);
        (cell.parse::<f64>().unwrap(), half)
    });
    cells.collect()
}

fn compare(label: &str, measured: &[f64]) {
    println!("{label}: {measured:?}");
    let row = row(label);
    assert_eq!(row.len(), measured.len(), "{label}");
    for ((printed, half), measured) in row.into_iter().zip(measured) {
        assert!(
            (printed - measured).abs() <= half,
            "{label}: {measured}, the book says {printed}"
        );
    }
}

/// Energy left after a period and degrees by which it comes late, of a mode whose coordinate is
/// sampled: three samples in a row obey `q2 = 2 g cos(phi) q1 - g^2 q0`, and four tell g and phi.
fn figures(q: [f64; 4], steps: f64) -> [f64; 2] {
    let [q0, q1, q2, q3] = q;
    let gain_sq = (q2 * q2 - q1 * q3) / (q1 * q1 - q0 * q2);
    let twice_cosine = (q0 * q3 - q1 * q2) / (q0 * q2 - q1 * q1);
    let phase = (0.5 * twice_cosine / gain_sq.sqrt()).acos();
    [gain_sq.powf(steps), 360.0 - steps * phase.to_degrees()]
}

/// An edge's angle between two that are held: `I th'' = -(GJ/l) th` for any amplitude.
fn implicit(scheme: impl Fn(f64) -> Scheme, steps: f64) -> [f64; 2] {
    const THETA: usize = 7;
    let length = 0.01;
    let section = Section::circle(Material::new(1e7, 0.5, 1000.0), 2e-3);
    let nodes = (0..3).map(|i| DVec3::X * (length * f64::from(i)));
    let (model, mut state) = ModelBuilder::new()
        .rod(Rod::open(nodes.collect(), section).unwrap())
        .clamp(0, 0, Motion::Still)
        .hold_node(0, 2, [true; 3], Motion::Still)
        .build()
        .unwrap();
    let omega = (section.gj / section.inertia_per_length).sqrt() / length;
    state.q[THETA] = 1.0;
    let dt = TAU / omega / steps;
    let settings = StepSettings {
        dt,
        scheme: scheme(omega),
        adaptive: false,
        step_tolerance: 1e-13,
        residual_tolerance: 1e-11,
        ..StepSettings::default()
    };
    let mut run = Simulation::new(model, state, settings);
    // The second root of a two-step rule is 1/3: its part fades.
    for _ in 0..24 {
        run.step(dt).unwrap();
    }
    let q = [(); 4].map(|()| {
        run.step(dt).unwrap();
        run.state.q[THETA]
    });
    figures(q, steps)
}

/// A body that twists a clamped rod to and fro, by explicit steps.
fn explicit_mode(steps: f64) -> [f64; 2] {
    let (gj, edges, edge) = (1e-3, 3, 0.1);
    let spinning = Body {
        angular_velocity: DVec3::X * 1e-3,
        ..Body::new(0.1, DVec3::splat(3e-10), DVec3::X * (edge * edges as f64))
    };
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(line(edges, edge * edges as f64), section(1e-3, 1e-3, gj)).unwrap())
        .bending(BendingModel::PerEdge)
        .engine(Box::new(FreeBodies::default()))
        .clamp(0, 0, Motion::Still)
        .body(spinning)
        .weld(0, 0, edges - 1)
        .guide_body(0, [true; 3], [false, true, true])
        .build()
        .unwrap();
    // Twist lives between the middles of the outer edges.
    let length = edge * (edges - 1) as f64;
    let omega = (gj / length / model.bodies.list[0].inertia.x_axis.x).sqrt();
    let dt = TAU / omega / steps;
    let mut run = Simulation::new(model, state, explicit(dt));
    let q = [(); 4].map(|()| {
        run.step(dt).unwrap();
        observe(&run.model, &run.state).unwrap().bodies[0].spin.x
    });
    figures(q, steps)
}

#[test]
fn one_linear_mode_loses_and_comes_late_as_the_book_says() {
    let schemes: [(&str, &dyn Fn(f64) -> Scheme); 4] = [
        ("`backward-euler`", &|_| Scheme::BackwardEuler),
        ("`bdf2`", &|_| Scheme::Bdf2),
        ("`fitted-bdf2` for half the rate", &|omega| {
            Scheme::FittedBdf2 { omega: 0.5 * omega }
        }),
        ("`implicit-midpoint`", &|_| Scheme::ImplicitMidpoint),
    ];
    let check = |name: &str, found: &[[f64; 2]]| {
        let column = |k: usize| found.iter().map(|f| f[k]).collect::<Vec<f64>>();
        compare(&format!("energy left after a period, {name}"), &column(0));
        compare(&format!("late by degrees a period, {name}"), &column(1));
    };
    for (name, scheme) in schemes {
        check(name, &STEPS_A_PERIOD.map(|steps| implicit(scheme, steps)));
    }
    // Larger steps are refused by the bound on stable ones.
    let fine = STEPS_A_PERIOD.map(|steps| 2.0 * steps);
    check("`symplectic-projected`", &fine.map(explicit_mode));
}

/// What is left of the energy of a straight rod after ten turns about its middle, which stretch it
/// by less than 1e-6.
fn spinning_rod(scheme: Scheme, steps: f64) -> f64 {
    let section = Section {
        ea: 100.0,
        ..Section::circle(Material::new(1e9, 0.5, 1000.0), 2e-3)
    };
    let node = |i: i32| DVec3::X * (0.05 * f64::from(i - 1));
    let rod = Rod::open((0..3).map(node).collect(), section).unwrap();
    let (model, mut state) = ModelBuilder::new().rod(rod).build().unwrap();
    let omega = 1.0;
    for dof in &model.topology.node_dof {
        state.velocity[dof + 1] = omega * state.q[*dof];
    }
    let dt = TAU / omega / steps;
    let settings = StepSettings {
        dt,
        scheme,
        adaptive: false,
        ..StepSettings::default()
    };
    let mut run = Simulation::new(model, state, settings);
    let energy = |run: &Simulation| observe(&run.model, &run.state).unwrap().kinetic;
    let first = energy(&run);
    for _ in 0..(10.0 * steps) as usize {
        run.step(dt).unwrap();
    }
    energy(&run) / first
}

#[test]
fn a_rod_that_spins_as_a_whole_loses_as_the_book_says() {
    for (name, scheme) in [
        ("`backward-euler`", Scheme::BackwardEuler),
        ("`bdf2`", Scheme::Bdf2),
    ] {
        let label = format!("energy left after ten turns, {name}");
        compare(
            &label,
            &STEPS_A_PERIOD.map(|steps| spinning_rod(scheme, steps)),
        );
    }
}
