//! Times of the direct solvers on matrices shaped like those of rods.

use writhe::solve::rods::RodMatrix;

/// A reproducible number in [-1, 1).
fn noise(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// Symmetric positive definite blocks on each 11 consecutive unknowns, one every fourth.
fn chain(nodes: usize) -> RodMatrix {
    let n = 4 * nodes - 1;
    let mut seed = 1;
    let mut matrix = RodMatrix::new(n);
    for start in (0..n - 10).step_by(4) {
        let dofs: Vec<u32> = (start as u32..start as u32 + 11).collect();
        let vector: Vec<f64> = dofs.iter().map(|_| noise(&mut seed)).collect();
        let block: Vec<f64> = (0..121)
            .map(|at| vector[at / 11] * vector[at % 11] + f64::from(u8::from(at % 12 == 0)))
            .collect();
        matrix.add_block(&dofs, &block).expect("along the rod");
    }
    matrix
}

mod rod {
    use std::hint::black_box;

    use divan::Bencher;
    use writhe::solve::rods::RodLu;

    use super::chain;

    const NODES: [usize; 3] = [68, 300, 1000];

    #[divan::bench(args = NODES)]
    fn factor(bencher: Bencher, nodes: usize) {
        let matrix = chain(nodes);
        let mut lu = RodLu::new(matrix.n());
        bencher.bench_local(|| lu.factor(black_box(&matrix)));
    }

    #[divan::bench(args = NODES)]
    fn solve_unchecked(bencher: Bencher, nodes: usize) {
        let matrix = chain(nodes);
        let mut lu = RodLu::new(matrix.n());
        lu.factor(&matrix).expect("a positive definite matrix");
        let mut x = vec![0.0; matrix.n()];
        bencher.bench_local(|| {
            x.fill(1.0);
            lu.solve_unchecked(black_box(&mut x))
        });
    }

    #[divan::bench(args = NODES)]
    fn factor_and_checked_solve(bencher: Bencher, nodes: usize) {
        let matrix = chain(nodes);
        let mut lu = RodLu::new(matrix.n());
        let mut x = vec![0.0; matrix.n()];
        bencher.bench_local(|| {
            x.fill(1.0);
            lu.factor(black_box(&matrix))?;
            lu.solve(&matrix, black_box(&mut x))
        });
    }
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

mod blocks {
    use std::hint::black_box;
    use std::sync::Arc;

    use divan::Bencher;
    use writhe::solve::blocks::{BlockLu, BlockMatrix, BlockPattern};

    use super::{cliques, noise};

    const NODES: [u32; 2] = [300, 1000];

    /// The pattern of a matrix, and blocks with their unknowns that add up to it.
    struct Added {
        pattern: Arc<BlockPattern>,
        blocks: Vec<(Vec<u32>, Vec<f64>)>,
    }

    fn pattern(n: usize, cliques: &[Vec<u32>]) -> Arc<BlockPattern> {
        let group_of: Vec<u32> = (0..n as u32).map(|unknown| unknown / 4).collect();
        Arc::new(BlockPattern::new(&group_of, cliques).expect("groups of four"))
    }

    fn unknowns(nodes: u32) -> usize {
        4 * nodes as usize - 1
    }

    impl Added {
        fn new(nodes: u32) -> Self {
            let (n, cliques) = (unknowns(nodes), cliques(nodes));
            let mut seed = 1;
            let blocks = cliques
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
            Self {
                pattern: pattern(n, &cliques),
                blocks,
            }
        }

        fn assemble(&self, matrix: &mut BlockMatrix) {
            matrix.set_zero();
            for (unknowns, values) in &self.blocks {
                matrix.add_block(unknowns, values).expect("in the pattern");
            }
        }

        /// The matrix, and its factors.
        fn factored(&self) -> (BlockMatrix, BlockLu) {
            let mut matrix = BlockMatrix::new(self.pattern.clone());
            self.assemble(&mut matrix);
            let mut lu = BlockLu::new(self.pattern.clone());
            lu.factor(&matrix).expect("a positive definite matrix");
            (matrix, lu)
        }
    }

    #[divan::bench(args = NODES)]
    fn analysis(bencher: Bencher, nodes: u32) {
        let cliques = cliques(nodes);
        bencher.bench_local(|| pattern(unknowns(nodes), &cliques));
    }

    #[divan::bench(args = NODES)]
    fn assembly_and_a_copy(bencher: Bencher, nodes: u32) {
        let added = Added::new(nodes);
        let mut matrix = BlockMatrix::new(added.pattern.clone());
        bencher.bench_local(|| {
            added.assemble(&mut matrix);
            matrix.clone()
        });
    }

    #[divan::bench(args = NODES)]
    fn factor(bencher: Bencher, nodes: u32) {
        let (matrix, mut lu) = Added::new(nodes).factored();
        bencher.bench_local(|| lu.factor(black_box(&matrix)));
    }

    #[divan::bench(args = NODES)]
    fn solve_unchecked(bencher: Bencher, nodes: u32) {
        let (_, mut lu) = Added::new(nodes).factored();
        let mut x = vec![0.0; unknowns(nodes)];
        bencher.bench_local(|| {
            x.fill(1.0);
            lu.solve_unchecked(black_box(&mut x))
        });
    }

    #[divan::bench(args = NODES)]
    fn checked_solve(bencher: Bencher, nodes: u32) {
        let (_, mut lu) = Added::new(nodes).factored();
        let mut x = vec![0.0; unknowns(nodes)];
        bencher.bench_local(|| {
            x.fill(1.0);
            lu.solve(black_box(&mut x))
        });
    }
}
