//! Mobility of flagella in Stokes flow: assembly, product, preconditioners, and the dense
//! factorisation that products avoid.

use crate::support;
use criterion::{BenchmarkId, Criterion, criterion_group};
use std::hint::black_box;
use writhe::fluid::stokeslet_segments::mobility::DenseMobility;
use writhe::fluid::stokeslet_segments::resistance::chain_resistance;
use writhe::fluid::{Coupling, StokesletSegments};
use writhe_tests::flagella;

fn mobility(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("mobility");
    for count in support::FLAGELLA {
        let (model, state) = flagella::model(count, 1e4, 1.0, flagella::OMEGA, Coupling::Implicit);
        let fluid = StokesletSegments {
            viscosity: 1.0,
            regularisation: 1.02,
        };
        let stokes = fluid
            .stokes_model(&model.topology, &model.radius)
            .expect("rods in a fluid");
        let positions = model.positions(&state);
        let mut mobility = DenseMobility::new(&stokes, &positions).expect("a mobility");
        group.bench_function(BenchmarkId::new("assembly", count), |bencher| {
            bencher.iter(|| mobility.assemble(&stokes, black_box(&positions)));
        });
        let force: Vec<f64> = (0..3 * positions.len()).map(|i| (i as f64).sin()).collect();
        let mut velocity = vec![0.0; force.len()];
        group.bench_function(BenchmarkId::new("product", count), |bencher| {
            bencher.iter(|| mobility.apply(black_box(&force), &mut velocity));
        });
        group.bench_function(BenchmarkId::new("product in f32", count), |bencher| {
            bencher.iter(|| mobility.apply_roughly(black_box(&force), &mut velocity));
        });
        let rods = model.topology.rods.iter();
        let rods: Vec<_> = rods
            .map(|r| (r.first_node..r.first_node + r.nodes, r.closed))
            .collect();
        group.bench_function(BenchmarkId::new("resistance", count), |bencher| {
            bencher.iter(|| chain_resistance(black_box(&mobility), rods.iter().cloned()));
        });
        if count <= 2 {
            let dense = mobility.dense();
            group.bench_function(BenchmarkId::new("dense LU", count), |bencher| {
                bencher.iter(|| black_box(&dense).partial_piv_lu());
            });
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = support::criterion();
    targets = mobility
}
