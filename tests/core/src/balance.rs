//! Shared by the tests of the balance of energy: rods, settings and runs.

use glam::DVec3;
use writhe::ledger::Ledger;
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Material, Rod, Section};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::{Scheme, StepSettings};

pub const G: f64 = 9.81;

pub fn rod(length: f64, edges: usize, youngs: f64, radius: f64) -> Rod {
    let node = |i: usize| DVec3::X * (length * i as f64 / edges as f64);
    let section = Section::circle(Material::new(youngs, 0.5, 1000.0), radius);
    Rod::open((0..=edges).map(node).collect(), section).unwrap()
}

pub fn settings(scheme: Scheme, dt: f64) -> StepSettings {
    StepSettings {
        dt,
        scheme,
        adaptive: false,
        step_tolerance: 1e-9,
        residual_tolerance: 1e-9,
        ..StepSettings::default()
    }
}

pub fn ledger(builder: ModelBuilder, settings: StepSettings, end: f64) -> Ledger {
    let (model, state) = builder.build().unwrap();
    run(model, state, settings, end).state.ledger
}

pub fn run(model: Model, state: State, settings: StepSettings, end: f64) -> Simulation {
    let mut simulation = Simulation::new(model, state, settings);
    simulation.run_until(end, |_, _| true).unwrap();
    simulation
}

pub const SCHEMES: [Scheme; 3] = [
    Scheme::BackwardEuler,
    Scheme::Bdf2,
    Scheme::ImplicitMidpoint,
];
