use super::*;
use crate::solve::SolveError;
use crate::solve::pattern::{BlockList, SparsePattern};
use crate::solve::sparse::{Inertia, Ldlt, SparseSymmetric};
use faer::Side;
use proptest::prelude::*;
use std::sync::Arc;

/// Blocks of 11 along a chain, and blocks of 12 or 16 that join distant groups of 4.
fn cliques(nodes: usize, contacts: usize, noise: &mut Noise) -> Vec<Vec<u32>> {
    let n = 4 * nodes - 1;
    let mut blocks: Vec<Vec<u32>> = (0..nodes.saturating_sub(2))
        .map(|node| (4 * node as u32..4 * node as u32 + 11).collect())
        .collect();
    for _ in 0..contacts {
        let (a, b) = (noise.below(nodes - 1), noise.below(nodes - 1));
        let mut block: Vec<u32> = [a, a + 1, b, b + 1]
            .iter()
            .flat_map(|node| (0..3).map(move |d| (4 * node + d) as u32))
            .filter(|&dof| (dof as usize) < n)
            .collect();
        block.dedup();
        let mut unique = Vec::new();
        for dof in block {
            if !unique.contains(&dof) {
                unique.push(dof);
            }
        }
        blocks.push(unique);
    }
    blocks
}

fn pattern(n: usize, blocks: &[Vec<u32>]) -> Arc<SparsePattern> {
    Arc::new(SparsePattern::from_blocks(n, blocks.iter().map(Vec::as_slice)).unwrap())
}

/// Random symmetric blocks, `definite` of them times the unit matrix added.
fn assemble(
    pattern: &Arc<SparsePattern>,
    blocks: &[Vec<u32>],
    definite: f64,
    noise: &mut Noise,
) -> (SparseSymmetric, Mat<f64>) {
    let mut matrix = SparseSymmetric::new(pattern.clone());
    let mut dense = Mat::zeros(pattern.n(), pattern.n());
    for dofs in blocks {
        let m = dofs.len();
        let mut block = vec![0.0; m * m];
        for p in 0..m {
            for q in 0..=p {
                let value = noise.next() + if p == q { definite } else { 0.0 };
                block[p * m + q] = value;
                block[q * m + p] = value;
            }
        }
        matrix
            .add_block(&pattern.block_map(dofs).unwrap(), &block)
            .unwrap();
        for p in 0..m {
            for q in 0..m {
                dense[(dofs[p] as usize, dofs[q] as usize)] += block[p * m + q];
            }
        }
    }
    (matrix, dense)
}

fn true_inertia(dense: &Mat<f64>) -> Inertia {
    let values = dense.self_adjoint_eigenvalues(Side::Lower).unwrap();
    let negative = values.iter().filter(|&&value| value < 0.0).count();
    Inertia {
        positive: values.len() - negative,
        negative,
    }
}

#[test]
fn assembly_product_and_lookup_agree_with_dense() {
    let mut noise = Noise(1);
    let blocks = cliques(12, 9, &mut noise);
    let pattern = pattern(47, &blocks);
    let (matrix, dense) = assemble(&pattern, &blocks, 0.0, &mut noise);
    for i in 0..47 {
        for j in 0..47 {
            assert!((matrix.get(i, j) - dense[(i, j)]).abs() < 1e-14);
        }
    }
    let x = noise.vector(47);
    let mut y = vec![f64::NAN; 47];
    matrix.mul(&x, &mut y).unwrap();
    assert!(largest_difference(&y, &dense_mul(&dense, &x)) < 1e-12);
}

#[test]
fn definite_systems_are_solved() {
    let mut noise = Noise(2);
    for (nodes, contacts) in [(3, 0), (5, 2), (40, 0), (40, 30), (100, 60)] {
        let n = 4 * nodes - 1;
        let blocks = cliques(nodes, contacts, &mut noise);
        let pattern = pattern(n, &blocks);
        let (matrix, dense) = assemble(&pattern, &blocks, 8.0, &mut noise);
        let mut ldlt = Ldlt::new(pattern).unwrap();
        assert_eq!(
            ldlt.factor(&matrix),
            Ok(Inertia {
                positive: n,
                negative: 0
            })
        );
        let expected = noise.vector(n);
        let mut x = dense_mul(&dense, &expected);
        let report = ldlt.solve(&mut x).unwrap();
        assert!(report.relative_residual < 1e-14, "{report:?}");
        assert!(largest_difference(&x, &expected) < 1e-11);
    }
}

#[test]
fn inertia_of_indefinite_systems_is_that_of_the_eigenvalues() {
    let mut noise = Noise(9);
    for contacts in [0, 10, 25] {
        for definite in [-6.0, 0.0, 0.5, 2.0] {
            let blocks = cliques(25, contacts, &mut noise);
            let pattern = pattern(99, &blocks);
            let (matrix, dense) = assemble(&pattern, &blocks, definite, &mut noise);
            let mut ldlt = Ldlt::new(pattern).unwrap();
            assert_eq!(ldlt.factor(&matrix), Ok(true_inertia(&dense)));
            let right = noise.vector(99);
            let mut x = right.clone();
            ldlt.solve(&mut x).unwrap();
            assert!(largest_difference(&x, &dense_solve(&dense, &right)) < 1e-7);
        }
    }
}

#[test]
fn a_shift_makes_an_indefinite_matrix_definite_and_leaves_it_untouched() {
    let mut noise = Noise(10);
    let blocks = cliques(20, 12, &mut noise);
    let pattern = pattern(79, &blocks);
    let (matrix, mut dense) = assemble(&pattern, &blocks, 0.0, &mut noise);
    let before = matrix.values().to_vec();
    let mut ldlt = Ldlt::new(pattern).unwrap();
    assert!(ldlt.factor(&matrix).unwrap().negative > 0);
    let weights: Vec<f64> = (0..79).map(|i| 1.0 + 0.01 * f64::from(i)).collect();
    assert_eq!(
        ldlt.factor_shifted(&matrix, 40.0, &weights)
            .unwrap()
            .negative,
        0
    );
    assert_eq!(matrix.values(), before);
    let right = noise.vector(79);
    let mut x = right.clone();
    ldlt.solve(&mut x).unwrap();
    for (i, weight) in weights.iter().enumerate() {
        dense[(i, i)] += 40.0 * weight;
    }
    assert!(largest_difference(&dense_mul(&dense, &x), &right) < 1e-12);
}

#[test]
fn a_reused_analysis_gives_the_bits_of_a_fresh_one() {
    let mut noise = Noise(11);
    let blocks = cliques(60, 40, &mut noise);
    let pattern = pattern(239, &blocks);
    let mut used = Ldlt::new(pattern.clone()).unwrap();
    for definite in [8.0, 0.0, 3.0, 8.0] {
        let (matrix, _) = assemble(&pattern, &blocks, definite, &mut noise);
        let mut fresh = Ldlt::new(pattern.clone()).unwrap();
        let right = noise.vector(239);
        let (mut x, mut y) = (right.clone(), right);
        assert_eq!(used.factor(&matrix), fresh.factor(&matrix));
        assert_eq!(used.solve(&mut x), fresh.solve(&mut y));
        assert_eq!(x, y);
    }
}

#[test]
fn fixed_unknowns_leave_the_rest_alone() {
    let mut noise = Noise(12);
    let blocks = cliques(15, 8, &mut noise);
    let pattern = pattern(59, &blocks);
    let (mut matrix, dense) = assemble(&pattern, &blocks, 8.0, &mut noise);
    let fixed: Vec<bool> = (0..59).map(|i| i < 7 || i == 30).collect();
    matrix.fix_dofs(&fixed, 5.0).unwrap();
    for i in 0..59 {
        for j in 0..59 {
            let unit = if i == j { 5.0 } else { 0.0 };
            let expected = if fixed[i] || fixed[j] {
                unit
            } else {
                dense[(i, j)]
            };
            assert!((matrix.get(i, j) - expected).abs() < 1e-14);
        }
    }
}

#[test]
fn misuse_is_refused() {
    let blocks = vec![vec![0, 1, 2], vec![2, 3]];
    let first = pattern(5, &blocks);
    assert_eq!(first.entries(), 9);
    let outside = SolveError::OutsidePattern { row: 3, column: 0 };
    assert_eq!(first.block_map(&[0, 3]), Err(outside));
    assert_eq!(
        first.block_map(&[1, 1]),
        Err(SolveError::RepeatedDof { dof: 1 })
    );
    assert!(SparsePattern::from_blocks(2, blocks.iter().map(Vec::as_slice)).is_err());

    let mut matrix = SparseSymmetric::new(first.clone());
    assert!(matrix.add_block(&[0, 1], &[1.0; 4]).is_err());
    assert!(matrix.add_block(&[0, 1, 99], &[1.0; 4]).is_err());
    let mut ldlt = Ldlt::new(first.clone()).unwrap();
    assert_eq!(ldlt.inertia(), Err(SolveError::NotFactored));
    assert_eq!(ldlt.solve(&mut [1.0; 5]), Err(SolveError::NotFactored));
    assert!(matches!(
        ldlt.factor(&matrix),
        Err(SolveError::Singular { .. })
    ));
    matrix.add_diagonal(f64::NAN, &[1.0; 5]).unwrap();
    assert_eq!(
        ldlt.factor(&matrix),
        Err(SolveError::NotFinite { place: "matrix" })
    );
    let other = SparseSymmetric::new(pattern(5, &blocks[..1]));
    assert_eq!(ldlt.factor(&other), Err(SolveError::PatternMismatch));
}

#[test]
fn the_singular_row_is_named_in_the_numbering_of_the_caller() {
    let mut noise = Noise(13);
    let blocks = cliques(30, 15, &mut noise);
    let pattern = pattern(119, &blocks);
    for row in [0, 50, 118] {
        let (mut matrix, _) = assemble(&pattern, &blocks, 8.0, &mut noise);
        let fixed: Vec<bool> = (0..119).map(|i| i == row).collect();
        matrix.fix_dofs(&fixed, 0.0).unwrap();
        let outcome = Ldlt::new(pattern.clone()).unwrap().factor(&matrix);
        assert_eq!(outcome, Err(SolveError::Singular { row }));
    }
}

#[test]
fn a_pivot_that_ruins_the_factor_is_refined_away_or_refused() {
    // Zero pivots after the first elimination are certain to be tiny, not exactly zero.
    let blocks = vec![vec![0, 1]];
    let pattern = pattern(2, &blocks);
    let map = pattern.block_map(&[0, 1]).unwrap();
    for tiny in [1e-8, 1e-14, 1e-20] {
        let mut matrix = SparseSymmetric::new(pattern.clone());
        matrix.add_block(&map, &[tiny, 1.0, 1.0, tiny]).unwrap();
        let mut ldlt = Ldlt::new(pattern.clone()).unwrap();
        assert_eq!(ldlt.factor(&matrix).unwrap().negative, 1);
        let mut x = [1.0, 2.0];
        if let Ok(report) = ldlt.solve(&mut x) {
            assert!(report.relative_residual < 1e-6);
            assert!((x[0] - 2.0).abs() < 1e-5 && (x[1] - 1.0).abs() < 1e-5);
        }
    }
}

#[test]
fn block_lists_multiply_without_symmetry() {
    let mut list = BlockList::new();
    list.push(&[1, 3], &[1.0, 2.0, 3.0, 4.0]).unwrap();
    list.push(&[0], &[5.0]).unwrap();
    let mut y = [1.0; 4];
    list.mul_add(&[1.0, 10.0, 100.0, 1000.0], &mut y).unwrap();
    assert_eq!(y, [6.0, 2011.0, 1.0, 4031.0]);
    assert!(list.push(&[1, 2], &[1.0]).is_err());
    assert!(list.mul_add(&[0.0; 3], &mut [0.0; 3]).is_err());
    assert_eq!(list.len(), 2);
    list.clear();
    assert!(list.is_empty());
}

proptest! {
    #[test]
    fn any_blocks_solve_or_are_refused(
        n in 1_usize..40,
        raw in proptest::collection::vec(proptest::collection::hash_set(0_u32..40, 1..6), 0..30),
        seed in any::<u64>(),
        definite in 0.0..6.0,
    ) {
        let blocks: Vec<Vec<u32>> = raw
            .into_iter()
            .map(|set| set.into_iter().filter(|&dof| (dof as usize) < n).collect())
            .collect();
        let mut noise = Noise(seed);
        let pattern = pattern(n, &blocks);
        let (mut matrix, mut dense) = assemble(&pattern, &blocks, definite, &mut noise);
        matrix.add_diagonal(1.0, &vec![1.0; n]).unwrap();
        for i in 0..n {
            dense[(i, i)] += 1.0;
        }
        let right = noise.vector(n);
        let mut x = right.clone();
        let mut ldlt = Ldlt::new(pattern).unwrap();
        if ldlt.factor(&matrix).is_ok() && let Ok(report) = ldlt.solve(&mut x) {
            let largest = x.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
            let error = largest_difference(&dense_mul(&dense, &x), &right);
            prop_assert!(error <= 1e-4 * largest);
            prop_assert!(report.relative_residual <= 1e-6);
        }
    }
}
