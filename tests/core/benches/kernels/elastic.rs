//! Kinematics, elastic gradient and Hessian of one rod.

use crate::support;
use criterion::{BenchmarkId, Criterion, criterion_group};
use std::hint::black_box;
use writhe::forces::add_elastic;
use writhe::rod::Kinematics;

fn elastic(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("elastic");
    for nodes in support::NODES {
        let (model, state) = support::cantilever(nodes);
        // Bent and twisted a little since the start of the step.
        let wiggled = state.q.iter().enumerate();
        let q: Vec<f64> = wiggled
            .map(|(i, q)| q + 5e-4 * (0.37 * i as f64).sin())
            .collect();
        let mut kinematics = Kinematics::default();
        group.bench_function(BenchmarkId::new("kinematics", nodes), |bencher| {
            bencher.iter(|| kinematics.update(&model.topology, &state.frames, black_box(&q)));
        });
        kinematics
            .update(&model.topology, &state.frames, &q)
            .expect("edges with a direction");
        let mut gradient = vec![0.0; q.len()];
        group.bench_function(BenchmarkId::new("gradient", nodes), |bencher| {
            bencher.iter(|| add_elastic(&model, &kinematics, black_box(&q), &mut gradient, None));
        });
        let mut band = support::Band::new(&model);
        group.bench_function(
            BenchmarkId::new("gradient and Hessian into a band", nodes),
            |bencher| {
                bencher.iter(|| {
                    band.0.set_zero();
                    add_elastic(
                        &model,
                        &kinematics,
                        black_box(&q),
                        &mut gradient,
                        Some(&mut band),
                    )
                });
            },
        );
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = support::criterion();
    targets = elastic
}
