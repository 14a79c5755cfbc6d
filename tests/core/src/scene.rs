//! What tests of explicit steps share.
#![allow(dead_code, reason = "tests of another engine use a part, too")]

use glam::DVec3;
use writhe::model::Model;
use writhe::rod::Section;
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::{Integrator, Scheme, StepSettings};

pub const G: f64 = 9.81;

pub fn section(ei1: f64, ei2: f64, gj: f64) -> Section {
    Section {
        ea: 1e5,
        ei1,
        ei2,
        gj,
        mass_per_length: 0.1,
        inertia_per_length: 1e-12,
        radius: 1e-3,
    }
}

pub fn explicit(dt: f64) -> StepSettings {
    StepSettings {
        dt,
        integrator: Integrator::SymplecticProjected,
        adaptive: false,
        ..StepSettings::default()
    }
}

pub fn line(edges: usize, length: f64) -> Vec<DVec3> {
    let node = |i: usize| DVec3::X * (length * i as f64 / edges as f64);
    (0..=edges).map(node).collect()
}

pub fn stretch(model: &Model, state: &State) -> f64 {
    let x = model.positions(state);
    let of_edge = |(edge, [a, b]): (usize, &[usize; 2])| {
        ((x[*b] - x[*a]).length_squared() / model.rest_length[edge].powi(2) - 1.0).abs()
    };
    model
        .topology
        .edge_nodes
        .iter()
        .enumerate()
        .map(of_edge)
        .fold(0.0, f64::max)
}

/// Runs with steps of `dt` for `steps` and returns the simulation.
pub fn run(built: (Model, State), settings: StepSettings, time: f64) -> Simulation {
    let mut simulation = Simulation::new(built.0, built.1, settings);
    let steps = (time / settings.dt).round() as u32;
    for _ in 0..steps {
        simulation.step(settings.dt).unwrap();
    }
    simulation
}

/// Largest distance of nodes between the two integrators at `time`, as the explicit steps fall; the
/// implicit path steps finely.
pub fn gaps(build: &dyn Fn() -> (Model, State), time: f64, steps: [f64; 3], fine: f64) -> [f64; 3] {
    let implicit = StepSettings {
        dt: fine,
        scheme: Scheme::Bdf2,
        ..StepSettings::default()
    };
    let reference = run(build(), implicit, time);
    let wanted = reference.model.positions(&reference.state);
    steps.map(|dt| {
        let s = run(build(), explicit(dt), time);
        assert!(stretch(&s.model, &s.state) < 1e-8);
        let x = s.model.positions(&s.state);
        let apart = x.iter().zip(&wanted).map(|(a, b)| (*a - *b).length());
        apart.fold(0.0, f64::max)
    })
}

/// Runs `steps` of `dt`, s, with and without restarts from a file, and with new workspaces: the
/// same bit for bit.
pub fn restarts(build: &dyn Fn() -> (Model, State), dt: f64, steps: u32) {
    let [mut plain, mut broken] = [0, 1].map(|_| {
        let (model, state) = build();
        Simulation::new(model, state, explicit(dt))
    });
    for step in 0..steps {
        if step % 7 == 3 {
            let text = serde_json::to_string(&broken.state).unwrap();
            broken.state = serde_json::from_str(&text).unwrap();
            broken.drop_workspace();
        }
        plain.step(dt).unwrap();
        broken.step(dt).unwrap();
        assert!(plain.state == broken.state, "differs after step {step}");
    }
}

/// `phi'' = -k sin phi` from rest, by Runge-Kutta in steps that leave an error far below.
pub fn pendulum(k: f64, start: f64, time: f64) -> f64 {
    let (mut phi, mut omega, h) = (start, 0.0, 1e-5);
    let slope = |phi: f64| -k * f64::sin(phi);
    for _ in 0..(time / h).round() as u32 {
        let (k1, l1) = (omega, slope(phi));
        let (k2, l2) = (omega + 0.5 * h * l1, slope(phi + 0.5 * h * k1));
        let (k3, l3) = (omega + 0.5 * h * l2, slope(phi + 0.5 * h * k2));
        let (k4, l4) = (omega + h * l3, slope(phi + h * k3));
        phi += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        omega += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    phi
}
