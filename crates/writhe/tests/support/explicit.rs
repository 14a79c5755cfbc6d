//! What tests of explicit steps share.
#![allow(dead_code)]

use glam::DVec3;
use writhe::integrate::{Integrator, StepSettings};
use writhe::model::Model;
use writhe::rod::Section;
use writhe::simulation::Simulation;
use writhe::state::State;

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
