//! Contact of two rods wound around each other: candidates, forces, derivatives, and the crossing check of a step.

mod support;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use writhe::assembly::Trial;
use writhe::contact::ContactStep;
use writhe::contact::obstacle::surface::Instants;
use writhe::contact::pair::HessianPart;
use writhe::contact::sweep::Sweep;
use writhe::rod::Kinematics;

fn contact(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("contact");
    for nodes in support::NODES {
        for (name, friction) in [("", 0.0), (" with friction", 0.3)] {
            let (model, state) = support::double_helix(nodes, friction);
            let mut kinematics = Kinematics::default();
            kinematics
                .update(&model.topology, &state.frames, &state.q)
                .expect("edges with a direction");
            let velocity: Vec<f64> = (0..state.q.len()).map(|i| (i as f64).sin()).collect();
            let at = Trial {
                topology: &model.topology,
                kinematics: &kinematics,
                time: 0.0,
                q: &state.q,
                velocity: &velocity,
                rate: 1e3,
            };
            let stiffness = state.contact.stiffness;
            let mut step = ContactStep::default();
            let mut force = vec![0.0; state.q.len()];
            step.begin(&model, &state, &state.q, &Instants::still(0.0));
            step.evaluate(&model, &at, stiffness, &mut force);
            let pairs = step.active().len();
            assert!(pairs * 3 > nodes, "only {pairs} pairs touch");
            let id = |part: &str| BenchmarkId::new(format!("{part}{name}"), nodes);
            group.bench_function(id("forces"), |bencher| {
                bencher.iter(|| step.evaluate(&model, black_box(&at), stiffness, &mut force));
            });
            let mut sum = support::Sum::default();
            group.bench_function(id("derivatives"), |bencher| {
                bencher.iter(|| {
                    step.add_stiffness(&model, black_box(&at), HessianPart::Exact, &mut sum)
                });
            });
            black_box(sum.0);
        }
        let (model, state) = support::double_helix(nodes, 0.0);
        let mut step = ContactStep::default();
        group.bench_function(BenchmarkId::new("candidates", nodes), |bencher| {
            bencher.iter(|| step.begin(&model, black_box(&state), &state.q, &Instants::still(0.0)));
        });
        // Turned about the common axis, which keeps the rods apart.
        let (sin, cos) = 0.05_f64.sin_cos();
        let mut end = state.q.clone();
        for dof in &model.topology.node_dof {
            let (y, z) = (state.q[dof + 1], state.q[dof + 2]);
            end[dof + 1] = cos * y - sin * z;
            end[dof + 2] = sin * y + cos * z;
        }
        let mut sweep = Sweep::default();
        group.bench_function(BenchmarkId::new("crossing check", nodes), |bencher| {
            bencher.iter(|| sweep.crossing(&model, black_box(&state.q), &end));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = support::criterion();
    targets = contact
}
criterion_main!(benches);
