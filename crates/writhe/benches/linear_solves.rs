//! Times of the direct solvers on matrices shaped like those of rods.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;
use writhe::solve::band::{BandLu, BandMatrix};
use writhe::solve::pattern::SparsePattern;
use writhe::solve::sparse::{Ldlt, SparseSymmetric};

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

/// A chain and 200 blocks of 12 that couple nodes far apart, in runs of 20 neighbouring pairs.
fn cliques(nodes: u32) -> Vec<Vec<u32>> {
    let mut blocks: Vec<Vec<u32>> = (0..nodes - 2)
        .map(|node| (4 * node..4 * node + 11).collect())
        .collect();
    for run in 0..10 {
        let (first, second) = (run * nodes / 25, nodes - 25 - run * nodes / 25);
        for pair in 0..20 {
            let corners = [
                first + pair,
                first + pair + 1,
                second + pair,
                second + pair + 1,
            ];
            blocks.push(
                corners
                    .iter()
                    .flat_map(|node| (0..3).map(move |d| 4 * node + d))
                    .collect(),
            );
        }
    }
    blocks
}

fn ldlt(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ldlt");
    for nodes in [300_u32, 1000] {
        let n = 4 * nodes as usize - 1;
        let blocks = cliques(nodes);
        let analyse =
            || SparsePattern::from_blocks(n, blocks.iter().map(Vec::as_slice)).map(Arc::new);
        let pattern = analyse().expect("inside the matrix");
        let mut maps = Vec::new();
        let mut seed = 1;
        let mut values = Vec::new();
        for block in &blocks {
            let map = pattern.block_map(block).expect("part of the pattern");
            let vector: Vec<f64> = block.iter().map(|_| noise(&mut seed)).collect();
            let m = block.len();
            let unit = |at: usize| f64::from(u8::from(at.is_multiple_of(m + 1)));
            let dense: Vec<f64> = (0..m * m)
                .map(|at| vector[at / m] * vector[at % m] + unit(at))
                .collect();
            maps.push(map);
            values.push(dense);
        }
        let mut matrix = SparseSymmetric::new(pattern.clone());
        let mut assemble = || {
            matrix.set_zero();
            for (map, block) in maps.iter().zip(&values) {
                matrix.add_block(map, block).expect("map of this block");
            }
            matrix.clone()
        };
        let assembled = assemble();
        group.bench_function(BenchmarkId::new("pattern", n), |bencher| {
            bencher.iter(analyse)
        });
        group.bench_function(BenchmarkId::new("analysis", n), |bencher| {
            bencher.iter(|| Ldlt::new(pattern.clone()).map(|ldlt| ldlt.factor_len()));
        });
        group.bench_function(BenchmarkId::new("assembly and a copy", n), |bencher| {
            bencher.iter(&mut assemble);
        });
        let mut ldlt = Ldlt::new(pattern.clone()).expect("fits");
        group.bench_function(BenchmarkId::new("factor", n), |bencher| {
            bencher.iter(|| ldlt.factor(black_box(&assembled)));
        });
        let mut x = vec![0.0; n];
        group.bench_function(BenchmarkId::new("solve unchecked", n), |bencher| {
            bencher.iter(|| {
                x.fill(1.0);
                ldlt.solve_unchecked(black_box(&mut x))
            });
        });
        group.bench_function(BenchmarkId::new("checked solve", n), |bencher| {
            bencher.iter(|| {
                x.fill(1.0);
                ldlt.solve(black_box(&mut x))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, band, ldlt);
criterion_main!(benches);
