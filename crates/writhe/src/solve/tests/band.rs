use super::*;
use crate::solve::SolveError;
use crate::solve::band::{BandLu, BandMatrix, BandParts, LANES, Lanes};
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

/// Right-hand sides side by side, which begin with zeros, have the solutions that they have one by
/// one, with and without row exchanges.
#[test]
fn lanes_are_solved_as_one_by_one() {
    let mut noise = Noise(29);
    for (b, n) in [(10, 9), (10, 40), (10, 131), (3, 50), (14, 77)] {
        for dominance in [0.0, 1.0] {
            let matrix = random(n, b, dominance, &mut noise);
            let mut lu = BandLu::new(n, b);
            lu.factor(&matrix).unwrap();
            for first in [0, 1, n / 2, n - 1] {
                let mut lanes = vec![Lanes::default(); n];
                for row in &mut lanes[first..] {
                    row.fill_with(|| noise.next());
                }
                let mut columns: [Vec<f64>; LANES] =
                    std::array::from_fn(|lane| lanes.iter().map(|row| row[lane]).collect());
                lu.solve_lanes(first, &mut lanes).unwrap();
                for (lane, x) in columns.iter_mut().enumerate() {
                    lu.solve_unchecked(x).unwrap();
                    let largest = x.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
                    for (x, row) in x.iter().zip(&lanes) {
                        let error = (x - row[lane]).abs();
                        assert!(
                            error <= 1e-9 * largest,
                            "n {n} b {b} from {first}: {error:e}"
                        );
                    }
                }
            }
        }
    }
    let unready = BandLu::new(5, 2).solve_lanes(0, &mut [Lanes::default(); 5]);
    assert_eq!(unready, Err(SolveError::NotFactored));
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
    matrix.add_diagonal(2.0, &[1.0; 8]).unwrap();
    assert_eq!(matrix.get(4, 4), 12.0);
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

#[test]
fn a_difference_of_triples_is_added_as_its_dense_block_is() {
    let mut noise = Noise(11);
    let mut h = [[0.0; 3]; 3];
    for (r, c) in (0..3).flat_map(|r| (0..=r).map(move |c| (r, c))) {
        h[r][c] = noise.next();
        h[c][r] = h[r][c];
    }
    for [first, second] in [[0, 4], [3, 7], [5, 8], [17, 25]] {
        let (mut by_rows, mut by_block) = (BandMatrix::new(30, 10), BandMatrix::new(30, 10));
        by_rows.add_difference([first, second], &h);
        let dofs = [0, 1, 2].map(|k| (first + k) as u32);
        let others = [0, 1, 2].map(|k| (second + k) as u32);
        let block = crate::assembly::of_difference(&h);
        by_block
            .add_block(&[dofs, others].concat(), &block)
            .unwrap();
        assert_eq!(dense(&by_rows), dense(&by_block), "{first} {second}");
        assert_ne!(by_rows.get(second + 2, first), 0.0);
    }
}

/// Parts of a matrix are solved as the whole is, checked or not, by any number of threads with the
/// same bits; what couples parts has no place.
#[test]
fn parts_agree_with_the_whole() {
    let mut noise = Noise(8);
    let sizes = [271, 271, 7, 400, 31, 271];
    let n: usize = sizes.iter().sum();
    let b = 10;
    let mut first = vec![0];
    first.extend(sizes.iter().scan(0, |at, size| {
        *at += size;
        Some(*at)
    }));
    let mut whole = BandMatrix::new(n, b);
    let mut parts = BandParts::new(n, b, &first);
    for (begin, size) in first.iter().zip(sizes) {
        for i in 0..size {
            for j in i.saturating_sub(b)..(i + b + 1).min(size) {
                let value = noise.next() + if i == j { 9.0 } else { 0.0 };
                let (i, j) = (begin + i, begin + j);
                whole.add(i, j, value).unwrap();
                // Both ways in: single entries, and diagonals.
                match i == j {
                    true => parts.add_to_diagonal(std::iter::once((i, &value))),
                    false => {
                        let block = [0.0, value, 0.0, 0.0];
                        parts.add_block(&[i as u32, j as u32], &block).unwrap();
                    }
                }
            }
        }
    }
    let outside = parts.add_block(&[270, 271], &[0.0; 4]);
    let (row, column) = (270, 271);
    assert_eq!(outside, Err(SolveError::OutsidePattern { row, column }));
    let right = noise.vector(n);
    assert_eq!(
        parts.solve_unchecked(&mut right.clone()),
        Err(SolveError::NotFactored)
    );
    let mut by = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        let (mut checked, mut unchecked) = (right.clone(), right.clone());
        pool.install(|| {
            parts.factor().unwrap();
            let report = parts.solve(&mut checked).unwrap();
            assert!(report.relative_residual < 1e-12);
            parts.solve_unchecked(&mut unchecked).unwrap();
        });
        (checked, unchecked)
    };
    let alone = by(1);
    assert_eq!(alone, by(3));
    assert!(largest_difference(&alone.0, &solve(&whole, &right)) < 1e-12);
    assert!(largest_difference(&alone.0, &alone.1) < 1e-12);
    // A shift belongs to the unknowns of the whole.
    let weights: Vec<f64> = (0..n).map(|i| 1.0 + i as f64 / n as f64).collect();
    parts.factor_shifted(2.0, &weights).unwrap();
    let mut shifted = right.clone();
    parts.solve_unchecked(&mut shifted).unwrap();
    whole.add_diagonal(2.0, &weights).unwrap();
    assert!(largest_difference(&shifted, &solve(&whole, &right)) < 1e-12);
    // A column without a pivot is told by its place in the whole.
    let mut empty = BandParts::new(20, 2, &[0, 12]);
    let ones = [1.0; 20];
    empty.add_to_diagonal(ones.iter().enumerate().filter(|(row, _)| *row != 15));
    assert_eq!(empty.factor(), Err(SolveError::Singular { row: 15 }));
    // Windows of one part, and across two.
    for (from, size) in [(271, 271), (260, 30)] {
        let mut window = parts.window(from, size);
        window.factor().unwrap();
        let mut x = right[from..from + size].to_vec();
        window.solve_unchecked(&mut x).unwrap();
        let mut part = whole.window(from, size);
        part.add_diagonal(-2.0, &weights[from..from + size])
            .unwrap();
        let part = dense(&part);
        assert!(largest_difference(&x, &dense_solve(&part, &right[from..from + size])) < 1e-11);
    }
}
