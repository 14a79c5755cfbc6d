use super::*;
use crate::solve::SolveError;
use crate::solve::band::{BandLu, BandMatrix};
use proptest::prelude::*;

/// Random entries within the band; `dominance` times the bandwidth is added to the diagonal.
fn random(n: usize, b: usize, dominance: f64, noise: &mut Noise) -> BandMatrix {
    let mut matrix = BandMatrix::new(n, b);
    for i in 0..n {
        for j in i.saturating_sub(b)..(i + b + 1).min(n) {
            matrix.add(i, j, noise.next()).unwrap();
        }
        matrix.add(i, i, dominance * (2 * b) as f64).unwrap();
    }
    matrix
}

fn dense(matrix: &BandMatrix) -> Mat<f64> {
    Mat::from_fn(matrix.n(), matrix.n(), |i, j| matrix.get(i, j))
}

fn solve(matrix: &BandMatrix, b: &[f64]) -> Vec<f64> {
    let mut lu = BandLu::new(matrix.n(), matrix.half_bandwidth);
    let mut x = b.to_vec();
    lu.factor(matrix).unwrap();
    let report = lu.solve(matrix, &mut x).unwrap();
    assert!(report.relative_residual < 1e-11, "{report:?}");
    x
}

#[test]
fn agrees_with_dense_elimination() {
    let mut noise = Noise(3);
    for b in [0, 1, 3, 10, 14] {
        for n in [1, 2, 9, 10, 11, 13, 14, 15, 23, 24, 25, 40, 97, 131] {
            for dominance in [0.0, 0.3, 1.0] {
                let matrix = random(n, b, dominance + if b == 0 { 2.0 } else { 0.0 }, &mut noise);
                let expected = noise.vector(n);
                let right = dense_mul(&dense(&matrix), &expected);
                let x = solve(&matrix, &right);
                let reference = dense_solve(&dense(&matrix), &right);
                // Errors of the two grow alike with the condition number.
                let allowed = 1e-9 + 1e3 * largest_difference(&reference, &expected);
                let error = largest_difference(&x, &expected);
                assert!(
                    error < allowed,
                    "n {n} b {b} dominance {dominance}: {error}"
                );
            }
        }
    }
}

#[test]
fn zeros_on_the_diagonal_are_pivoted_away() {
    let mut noise = Noise(5);
    for every in [1, 2, 5, 17] {
        let mut matrix = random(120, 10, 0.4, &mut noise);
        for i in (0..120).step_by(every) {
            matrix.add(i, i, -matrix.get(i, i)).unwrap();
        }
        let expected = noise.vector(120);
        let x = solve(&matrix, &dense_mul(&dense(&matrix), &expected));
        assert!(largest_difference(&x, &expected) < 1e-8, "every {every}");
    }
}

#[test]
fn a_cyclic_shift_within_the_band_is_solved_by_exchanges_alone() {
    // Rows 0..=10 permuted cyclically: every pivot lies ten rows down, the fill is the largest.
    let n = 55;
    let mut matrix = BandMatrix::new(n, 10);
    for i in 0..n {
        let column = if i % 11 == 0 { i + 10 } else { i - 1 };
        matrix.add(i, column, 1.0 + i as f64).unwrap();
    }
    let expected: Vec<f64> = (0..n).map(|i| i as f64 - 20.0).collect();
    let right = dense_mul(&dense(&matrix), &expected);
    assert!(largest_difference(&solve(&matrix, &right), &expected) < 1e-12);
}

#[test]
fn blocks_in_any_order_add_up() {
    let mut matrix = BandMatrix::new(8, 4);
    let values: Vec<f64> = (1..=9).map(f64::from).collect();
    matrix.add_block(&[2, 3, 4], &values).unwrap();
    matrix.add_block(&[4, 7, 5], &values).unwrap();
    assert_eq!(matrix.get(2, 3), 2.0);
    assert_eq!(matrix.get(4, 4), 10.0);
    assert_eq!(matrix.get(4, 7), 2.0);
    assert_eq!(matrix.get(7, 5), 6.0);
    assert_eq!(matrix.get(0, 7), 0.0);
    matrix.set_zero();
    assert_eq!(matrix, BandMatrix::new(8, 4));
}

#[test]
fn misuse_is_refused() {
    let mut matrix = BandMatrix::new(8, 4);
    let outside = SolveError::OutsidePattern { row: 1, column: 6 };
    assert_eq!(matrix.add_block(&[1, 6], &[1.0; 4]), Err(outside));
    assert!(matrix.add_block(&[7, 8], &[1.0; 4]).is_err());
    assert!(matrix.add_block(&[1, 2], &[1.0; 3]).is_err());
    assert!(matrix.add(0, 5, 1.0).is_err());
    assert_eq!(matrix, BandMatrix::new(8, 4));

    let mut lu = BandLu::new(8, 4);
    assert_eq!(
        lu.solve(&matrix, &mut [0.0; 8]),
        Err(SolveError::NotFactored)
    );
    assert_eq!(lu.factor(&matrix), Err(SolveError::Singular { row: 0 }));
    assert_eq!(
        lu.solve_unchecked(&mut [0.0; 8]),
        Err(SolveError::NotFactored)
    );
    assert!(lu.factor(&BandMatrix::new(9, 4)).is_err());
}

#[test]
fn the_singular_row_is_named() {
    for b in [4, 10] {
        let mut matrix = random(60, b, 1.0, &mut Noise(6));
        for k in 37 - b..=37 + b {
            for (row, column) in [(37, k), (k, 37)] {
                let entry = matrix.get(row, column);
                matrix.add(row, column, -entry).unwrap();
            }
        }
        let mut lu = BandLu::new(60, b);
        assert_eq!(lu.factor(&matrix), Err(SolveError::Singular { row: 37 }));
    }
}

#[test]
fn nan_and_infinity_are_found_wherever_they_are() {
    for b in [4, 10] {
        for bad in [f64::NAN, f64::INFINITY] {
            for (i, j) in [(0, 0), (30, 33), (33, 30), (59, 59), (55, 59), (59, 56)] {
                let mut matrix = random(60, b, 1.0, &mut Noise(7));
                matrix.add(i, j, bad).unwrap();
                let outcome = BandLu::new(60, b).factor(&matrix);
                assert_eq!(outcome, Err(SolveError::NotFinite { place: "matrix" }));
            }
        }
    }
    let matrix = random(60, 10, 1.0, &mut Noise(7));
    let mut lu = BandLu::new(60, 10);
    lu.factor(&matrix).unwrap();
    let outcome = lu.solve(&matrix, &mut [f64::NAN; 60]);
    assert_eq!(
        outcome,
        Err(SolveError::NotFinite {
            place: "right-hand side"
        })
    );
}

#[test]
fn a_used_factor_gives_the_bits_of_a_fresh_one() {
    let mut noise = Noise(8);
    let mut used = BandLu::new(90, 10);
    for dominance in [0.0, 1.0, 0.2, 0.0, 1.0] {
        let matrix = random(90, 10, dominance, &mut noise);
        let right = noise.vector(90);
        let mut fresh = BandLu::new(90, 10);
        let (mut x, mut y) = (right.clone(), right);
        used.factor(&matrix).unwrap();
        fresh.factor(&matrix).unwrap();
        used.solve(&matrix, &mut x).unwrap();
        fresh.solve(&matrix, &mut y).unwrap();
        assert_eq!(x, y);
    }
}

proptest! {
    #[test]
    fn every_solve_is_accurate_or_refused(
        n in 1_usize..70,
        b in prop_oneof![Just(10_usize), 0_usize..13],
        seed in any::<u64>(),
        dominance in 0.0..1.0,
        exponent in 0_i32..12,
    ) {
        // Rows of very different size, some of them sparse.
        let mut noise = Noise(seed);
        let mut matrix = BandMatrix::new(n, b);
        for i in 0..n {
            let size = 10_f64.powi(noise.below(exponent as usize + 1) as i32);
            for j in i.saturating_sub(b)..(i + b + 1).min(n) {
                if noise.next() > -0.5 {
                    matrix.add(i, j, size * noise.next()).unwrap();
                }
            }
            matrix.add(i, i, size * dominance).unwrap();
        }
        let right = noise.vector(n);
        let mut lu = BandLu::new(n, b);
        let mut x = right.clone();
        if lu.factor(&matrix).is_ok() && let Ok(report) = lu.solve(&matrix, &mut x) {
            let product = dense_mul(&dense(&matrix), &x);
            let norm = (0..n)
                .map(|i| (0..n).map(|j| matrix.get(i, j).abs()).sum::<f64>())
                .fold(0.0, f64::max);
            let largest = |v: &[f64]| v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            let scale = norm * largest(&x) + largest(&right);
            prop_assert!(largest_difference(&product, &right) <= 1e-6 * 4.0 * scale);
            prop_assert!(report.relative_residual <= 1e-6);
        }
    }
}
