//! Times of the direct solvers on matrices shaped like those of rods.

use crate::support;
use criterion::{BenchmarkId, Criterion, criterion_group};
use std::hint::black_box;
use std::sync::Arc;
use writhe::solve::band::{BandLu, BandMatrix};
use writhe::solve::blocks::{BlockLu, BlockMatrix, BlockPattern};

/// A reproducible number in [-1, 1).
fn noise(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// Symmetric positive definite blocks on each 11 consecutive unknowns, one every fourth.
fn chain(nodes: usize) -> BandMatrix {
    let n = 4 * nodes - 1;
    let mut seed = 1;
    let mut matrix = BandMatrix::new(n, 10);
    for start in (0..n - 10).step_by(4) {
        let dofs: Vec<u32> = (start as u32..start as u32 + 11).collect();
        let vector: Vec<f64> = dofs.iter().map(|_| noise(&mut seed)).collect();
        let block: Vec<f64> = (0..121)
            .map(|at| vector[at / 11] * vector[at % 11] + f64::from(u8::from(at % 12 == 0)))
            .collect();
        matrix.add_block(&dofs, &block).expect("inside the band");
    }
    matrix
}

fn band(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("band");
    for nodes in [68, 300, 1000] {
        let matrix = chain(nodes);
        let n = matrix.n();
        let mut lu = BandLu::new(n, 10);
        group.bench_function(BenchmarkId::new("factor", n), |bencher| {
            bencher.iter(|| lu.factor(black_box(&matrix)));
        });
        let mut x = vec![0.0; n];
        group.bench_function(BenchmarkId::new("solve unchecked", n), |bencher| {
            bencher.iter(|| {
                x.fill(1.0);
                lu.solve_unchecked(black_box(&mut x))
            });
        });
        group.bench_function(BenchmarkId::new("factor and checked solve", n), |bencher| {
            bencher.iter(|| {
                x.fill(1.0);
                lu.factor(black_box(&matrix))?;
                lu.solve(&matrix, black_box(&mut x))
            });
        });
    }
    group.finish();
}

/// Groups of a chain and of 200 pairs of edges far apart, in runs of 20 neighbouring pairs.
fn cliques(nodes: u32) -> Vec<Vec<u32>> {
    let mut cliques: Vec<Vec<u32>> = (0..nodes - 2).map(|g| vec![g, g + 1, g + 2]).collect();
    for run in 0..10 {
        let (first, second) = (run * nodes / 25, nodes - 25 - run * nodes / 25);
        cliques.extend((0..20).map(|pair| {
            let (a, b) = (first + pair, second + pair);
            vec![a, a + 1, b, b + 1]
        }));
    }
    cliques
}

fn blocks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("blocks");
    for nodes in [300_u32, 1000] {
        let n = 4 * nodes as usize - 1;
        let group_of: Vec<u32> = (0..n as u32).map(|unknown| unknown / 4).collect();
        let cliques = cliques(nodes);
        let analyse = || BlockPattern::new(&group_of, &cliques).map(Arc::new);
        let pattern = analyse().expect("groups of four");
        let mut seed = 1;
        let added: Vec<(Vec<u32>, Vec<f64>)> = cliques
            .iter()
            .map(|clique| {
                let unknowns: Vec<u32> = (clique.iter())
                    .flat_map(|g| (4 * g..4 * g + 4).filter(|u| (*u as usize) < n))
                    .collect();
                let vector: Vec<f64> = unknowns.iter().map(|_| noise(&mut seed)).collect();
                let m = unknowns.len();
                let unit = |at: usize| f64::from(u8::from(at.is_multiple_of(m + 1)));
                let dense = (0..m * m).map(|at| vector[at / m] * vector[at % m] + unit(at));
                let values = dense.collect();
                (unknowns, values)
            })
            .collect();
        let mut matrix = BlockMatrix::new(pattern.clone());
        let mut assemble = || {
            matrix.set_zero();
            for (unknowns, values) in &added {
                matrix.add_block(unknowns, values).expect("in the pattern");
            }
            matrix.clone()
        };
        let assembled = assemble();
        group.bench_function(BenchmarkId::new("analysis", n), |bencher| {
            bencher.iter(analyse)
        });
        group.bench_function(BenchmarkId::new("assembly and a copy", n), |bencher| {
            bencher.iter(&mut assemble);
        });
        let mut lu = BlockLu::new(pattern.clone());
        group.bench_function(BenchmarkId::new("factor", n), |bencher| {
            bencher.iter(|| lu.factor(black_box(&assembled)));
        });
        let mut x = vec![0.0; n];
        group.bench_function(BenchmarkId::new("solve unchecked", n), |bencher| {
            bencher.iter(|| {
                x.fill(1.0);
                lu.solve_unchecked(black_box(&mut x))
            });
        });
        group.bench_function(BenchmarkId::new("checked solve", n), |bencher| {
            bencher.iter(|| {
                x.fill(1.0);
                lu.solve(black_box(&mut x))
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = support::criterion();
    targets = band, blocks
}
