//! A whole step: one rod, two rods in contact, flagella in Stokes flow. The same start each time.

use std::hint::black_box;

use divan::Bencher;
use writhe::contact::ContactModel;
use writhe::model::Model;
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::{Scheme, StepSettings, Workspace, implicit_step};

use crate::support::{self, warmed_up};

fn step(bencher: Bencher, simulation: &Simulation) {
    let Simulation {
        model,
        state,
        settings,
        ..
    } = simulation;
    let mut workspace = Workspace::new(model);
    let dt = state.control.dt;
    let (_, report) =
        implicit_step(model, state, dt, settings, &mut workspace).expect("a step that is accepted");
    // What is named after contact has some, all along.
    let pairs = model.topology.edges() / 3;
    assert!(
        model.fluid.is_some() || model.contact == ContactModel::None || report.contacts > pairs
    );
    bencher.bench_local(|| implicit_step(model, black_box(state), dt, settings, &mut workspace));
}

/// By BDF2, in motion.
fn moving((model, state): (Model, State)) -> Simulation {
    let settings = StepSettings {
        scheme: Scheme::Bdf2,
        ..StepSettings::default()
    };
    warmed_up(Simulation::new(model, state, settings))
}

#[divan::bench(args = support::NODES)]
fn cantilever(bencher: Bencher, nodes: usize) {
    step(bencher, &moving(support::cantilever(nodes)));
}

#[divan::bench(args = support::NODES)]
fn contact(bencher: Bencher, nodes: usize) {
    step(bencher, &moving(support::double_helix(nodes, 0.0)));
}

#[divan::bench(args = support::FLAGELLA)]
fn flagella(bencher: Bencher, count: usize) {
    step(bencher, &support::swimming(count));
}

#[divan::bench(args = support::FLAGELLA)]
fn flagella_lagged(bencher: Bencher, count: usize) {
    step(bencher, &support::swimming_lagged(count));
}
