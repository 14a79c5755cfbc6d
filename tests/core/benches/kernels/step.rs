//! A whole step: one rod, two rods in contact, flagella in Stokes flow. The same start each time.

use crate::support::{self, warmed_up};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, criterion_group};
use std::hint::black_box;
use writhe::contact::ContactModel;
use writhe::simulation::Simulation;
use writhe::step::{Scheme, StepSettings, Workspace, implicit_step};

fn step(group: &mut BenchmarkGroup<WallTime>, id: BenchmarkId, simulation: &Simulation) {
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
    group.bench_function(id, |bencher| {
        bencher.iter(|| implicit_step(model, black_box(state), dt, settings, &mut workspace));
    });
}

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step");
    let settings = StepSettings {
        scheme: Scheme::Bdf2,
        ..StepSettings::default()
    };
    for nodes in support::NODES {
        let (model, state) = support::cantilever(nodes);
        let simulation = warmed_up(Simulation::new(model, state, settings));
        step(
            &mut group,
            BenchmarkId::new("cantilever", nodes),
            &simulation,
        );
        let (model, state) = support::double_helix(nodes, 0.0);
        let simulation = warmed_up(Simulation::new(model, state, settings));
        step(&mut group, BenchmarkId::new("contact", nodes), &simulation);
    }
    for count in support::FLAGELLA {
        let simulation = support::swimming(count);
        step(&mut group, BenchmarkId::new("flagella", count), &simulation);
        let simulation = support::swimming_lagged(count);
        step(
            &mut group,
            BenchmarkId::new("flagella, lagged", count),
            &simulation,
        );
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = support::criterion();
    targets = steps
}
