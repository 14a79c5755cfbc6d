//! A rod swims by a wave of its rest curvature: the speed of Gray and Hancock.

use std::f64::consts::TAU;

use glam::DVec3;
use writhe::loads::resistive_force::{DragCoefficients, DragLaw};
use writhe::model::ModelBuilder;
use writhe::rest_shape::{RestLaw, RestStrain, RestWave};
use writhe::rod::{Rod, Section};
use writhe::simulation::Simulation;
use writhe::step::{Scheme, StepSettings};

const WAVES: f64 = 8.0;
const RATIO: f64 = 2.0;

/// Speed over that of the wave, with a wave of the amplitude `b`, `bk` its slope.
fn speed(bk: f64, edges_per_wave: usize, steps_per_period: usize) -> f64 {
    let edges = edges_per_wave * WAVES as usize;
    let k = TAU;
    let length = WAVES;
    let omega = TAU;
    // Drag moves the shape by nothing beside the stiffness: C omega/(EI k^4) = 1e-6/(kL)^4.
    let ei = omega / k.powi(4) * (k * length).powi(4) * 1e-2;
    let section = Section {
        ea: ei * 1e6,
        ei1: ei,
        ei2: ei,
        gj: ei,
        mass_per_length: 1e-9,
        inertia_per_length: 1e-9,
        radius: 1e-2,
    };
    let node = |i: usize| DVec3::X * (length * i as f64 / edges as f64);
    let rod = Rod::open((0..=edges).map(node).collect(), section).unwrap();
    let m1 = rod.directors[0];
    // y = b sin(k s - omega t) has the curvature -b k^2 sin(..): the sign is that of the phase.
    let strain = if m1.y.abs() > 0.5 {
        RestStrain::Curvature1
    } else {
        RestStrain::Curvature2
    };
    let wave = RestWave {
        amplitude: bk * k,
        wavenumber: k,
        rate: omega,
        phase: 0.0,
        envelope: Vec::new(),
        ramp: 1.0,
    };
    let drag = DragLaw::Explicit(DragCoefficients {
        tangential: 1.0,
        normal: RATIO,
    });
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .drive_rest(0, strain, RestLaw::Wave(wave))
        .resistive_drag(1.0, drag)
        .build()
        .unwrap();
    let settings = StepSettings {
        dt: 1.0 / steps_per_period as f64,
        scheme: Scheme::Bdf2,
        step_tolerance: 1e-9,
        ..StepSettings::default()
    };
    let mut simulation = Simulation::new(model, state, settings);
    let mut place = |end: f64| {
        simulation.run_until(end, |_, _| true).unwrap();
        let nodes = simulation.model.positions(&simulation.state);
        // The mean over the rod, by the trapezoidal rule.
        let inner: DVec3 = nodes[1..nodes.len() - 1].iter().sum();
        (inner + (nodes[0] + nodes[nodes.len() - 1]) * 0.5) / edges as f64
    };
    // From after the wave has grown, over whole periods.
    let (first, last) = (place(3.0), place(5.0));
    -(last - first).x / 2.0
}

/// Gray and Hancock 1955, J. Exp. Biol. 32, 802: with the drag coefficients C_T along and C_N across, a
/// wave `b sin(k (x - V t))` swims against its direction at
/// `U/V = (C_N/C_T - 1) b^2 k^2/2 / (1 + (C_N/C_T) b^2 k^2/2)`.
#[test]
fn a_wave_swims_as_gray_and_hancock_say() {
    let bk = 0.1;
    let half = 0.5 * bk * bk;
    let expected = (RATIO - 1.0) * half / (1.0 + RATIO * half);
    let found = [(12, 24), (24, 48)].map(|(edges, steps)| speed(bk, edges, steps) / expected - 1.0);
    println!("Gray and Hancock: off by {found:?}");
    assert!(found[1].abs() < 0.02, "{found:?}");
    assert!((found[0] - found[1]).abs() < 0.02, "{found:?}");
}
