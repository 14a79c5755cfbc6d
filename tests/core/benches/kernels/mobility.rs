//! Mobility of flagella in Stokes flow: assembly, product, preconditioners, and the dense
//! factorisation that products avoid.

use std::hint::black_box;

use divan::Bencher;
use glam::DVec3;
use writhe::fluid::stokeslet_segments::mobility::DenseMobility;
use writhe::fluid::stokeslet_segments::resistance::chain_resistance;
use writhe::fluid::stokeslet_segments::segments::StokesModel;
use writhe::fluid::{Coupling, StokesletSegments};
use writhe::model::Model;
use writhe_tests::flagella;

use crate::support;

/// Flagella, where they are, and how forces move them.
fn flagella(count: usize) -> (Model, StokesModel, Vec<DVec3>, DenseMobility) {
    let (model, state) = flagella::model(count, 1e4, 1.0, flagella::OMEGA, Coupling::Implicit);
    let fluid = StokesletSegments {
        viscosity: 1.0,
        regularisation: 1.02,
    };
    let stokes = fluid
        .stokes_model(&model.topology, &model.radius)
        .expect("rods in a fluid");
    let positions = model.positions(&state);
    let mobility = DenseMobility::new(&stokes, &positions).expect("a mobility");
    (model, stokes, positions, mobility)
}

fn force(positions: &[DVec3]) -> Vec<f64> {
    (0..3 * positions.len()).map(|i| (i as f64).sin()).collect()
}

#[divan::bench(args = support::FLAGELLA)]
fn assembly(bencher: Bencher, count: usize) {
    let (_, stokes, positions, mut mobility) = flagella(count);
    bencher.bench_local(|| mobility.assemble(&stokes, black_box(&positions)));
}

#[divan::bench(args = support::FLAGELLA)]
fn product(bencher: Bencher, count: usize) {
    let (_, _, positions, mobility) = flagella(count);
    let force = force(&positions);
    let mut velocity = vec![0.0; force.len()];
    bencher.bench_local(|| mobility.apply(black_box(&force), &mut velocity));
}

#[divan::bench(args = support::FLAGELLA)]
fn product_in_f32(bencher: Bencher, count: usize) {
    let (_, _, positions, mobility) = flagella(count);
    let force = force(&positions);
    let mut velocity = vec![0.0; force.len()];
    bencher.bench_local(|| mobility.apply_roughly(black_box(&force), &mut velocity));
}

#[divan::bench(args = support::FLAGELLA)]
fn resistance(bencher: Bencher, count: usize) {
    let (model, _, _, mobility) = flagella(count);
    let rods = model.topology.rods.iter();
    let rods: Vec<_> = rods
        .map(|r| (r.first_node..r.first_node + r.nodes, r.closed))
        .collect();
    bencher.bench_local(|| chain_resistance(black_box(&mobility), rods.iter().cloned()));
}

#[divan::bench(args = [2])]
fn dense_lu(bencher: Bencher, count: usize) {
    let dense = flagella(count).3.dense();
    bencher.bench_local(|| black_box(&dense).partial_piv_lu());
}
