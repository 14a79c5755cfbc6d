//! Times of the direct solvers on matrices shaped like those of rods.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use writhe::solve::band::{BandLu, BandMatrix};

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

criterion_group!(benches, band);
criterion_main!(benches);
