use super::*;
use crate::assembly::{UPPER, of_difference};
use crate::solve::SolveError;
use crate::solve::rods::{GROUP, LANES, Lanes, REACH, RodLu, RodMatrix, RodParts};
use proptest::prelude::*;

/// Numbers of unknowns: rods of a few nodes, and others that end in the middle of a group.
const SIZES: [usize; 21] = [
    1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 19, 23, 27, 31, 40, 67, 131, 203,
];

/// Whether an entry is in the pattern.
fn within(i: usize, j: usize) -> bool {
    (i / GROUP).abs_diff(j / GROUP) <= REACH
}

fn add(matrix: &mut RodMatrix, i: usize, j: usize, value: f64) {
    let (i, j) = (i as u32, j as u32);
    match i == j {
        true => matrix.add_block(&[i], &[value]).unwrap(),
        false => matrix.add_block(&[i, j], &[0.0, value, 0.0, 0.0]).unwrap(),
    }
}

/// Random entries in the pattern; `dominance` times 20 is added to the diagonal.
fn random(n: usize, dominance: f64, noise: &mut Noise) -> RodMatrix {
    let mut matrix = RodMatrix::new(n);
    for i in 0..n {
        for j in (0..n).filter(|j| within(i, *j)) {
            add(&mut matrix, i, j, noise.next());
        }
        add(&mut matrix, i, i, 20.0 * dominance);
    }
    matrix
}

fn dense(matrix: &RodMatrix) -> Mat<f64> {
    Mat::from_fn(matrix.n(), matrix.n(), |i, j| matrix.get(i, j))
}

/// Rows and columns times `size`, so that units are as different as those of lengths and angles.
fn scaled(matrix: &RodMatrix, size: impl Fn(usize) -> f64) -> RodMatrix {
    let n = matrix.n();
    let mut result = RodMatrix::new(n);
    for i in 0..n {
        for j in (0..n).filter(|j| within(i, *j)) {
            add(&mut result, i, j, size(i) * matrix.get(i, j) * size(j));
        }
    }
    result
}

fn factored(matrix: &RodMatrix) -> RodLu {
    let mut lu = RodLu::new(matrix.n());
    lu.factor(matrix).unwrap();
    lu
}

fn solve(matrix: &RodMatrix, b: &[f64]) -> Vec<f64> {
    let mut x = b.to_vec();
    let report = factored(matrix).solve(matrix, &mut x).unwrap();
    assert!(report.relative_residual < 1e-11, "{report:?}");
    x
}

#[test]
fn agrees_with_dense_elimination() {
    let mut noise = Noise(3);
    for n in SIZES {
        for dominance in [0.0, 0.3, 1.0] {
            let matrix = random(n, dominance, &mut noise);
            let expected = noise.vector(n);
            let right = dense_mul(&dense(&matrix), &expected);
            let x = solve(&matrix, &right);
            let reference = dense_solve(&dense(&matrix), &right);
            // Errors of the two grow alike with the condition number.
            let allowed = 1e-9 + 1e3 * largest_difference(&reference, &expected);
            let error = largest_difference(&x, &expected);
            assert!(error < allowed, "n {n} dominance {dominance}: {error}");
            let mut unchecked = right.clone();
            factored(&matrix).solve_unchecked(&mut unchecked).unwrap();
            assert!(largest_difference(&unchecked, &expected) < allowed);
        }
    }
}

/// Rows are exchanged where diagonals do not serve as pivots, and not because of units.
#[test]
fn units_call_for_no_exchanges_and_zeros_on_the_diagonal_do() {
    let mut noise = Noise(5);
    for n in SIZES.into_iter().filter(|n| *n > 12) {
        let matrix = random(n, 1.0, &mut noise);
        assert!(!factored(&matrix).exchanges());
        let unit = |i: usize| if i % 4 == 3 { 1e-5 } else { 1e4 };
        let other = scaled(&matrix, unit);
        assert!(!factored(&other).exchanges());
        let expected = noise.vector(n);
        let right = dense_mul(&dense(&matrix), &expected);
        let own: Vec<f64> = (0..n).map(|i| unit(i) * right[i]).collect();
        let x = solve(&other, &own);
        let x: Vec<f64> = (0..n).map(|i| unit(i) * x[i]).collect();
        assert!(largest_difference(&x, &expected) < 1e-10, "n {n}");
    }
    for every in [1, 2, 5, 17] {
        let mut matrix = random(120, 0.4, &mut noise);
        for i in (0..120).step_by(every) {
            let entry = matrix.get(i, i);
            add(&mut matrix, i, i, -entry);
        }
        assert!(factored(&matrix).exchanges());
        let expected = noise.vector(120);
        let x = solve(&matrix, &dense_mul(&dense(&matrix), &expected));
        assert!(largest_difference(&x, &expected) < 1e-8, "every {every}");
    }
}

/// Right-hand sides side by side, which begin with zeros, have the solutions that they have one by
/// one, with and without row exchanges.
#[test]
fn lanes_are_solved_as_one_by_one() {
    let mut noise = Noise(29);
    for n in SIZES {
        for dominance in [0.0, 1.0] {
            let lu = factored(&random(n, dominance, &mut noise));
            for first in [0, 1, n / 2, n - 1] {
                let first = first.min(n - 1);
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
                        assert!(error <= 1e-9 * largest, "n {n} from {first}: {error:e}");
                    }
                }
            }
        }
    }
    let unready = RodLu::new(5).solve_lanes(0, &mut [Lanes::default(); 5]);
    assert_eq!(unready, Err(SolveError::NotFactored));
}

#[test]
fn misuse_is_refused() {
    let mut matrix = RodMatrix::new(15);
    let outside = SolveError::OutsidePattern { row: 3, column: 12 };
    assert_eq!(matrix.add_block(&[12, 3], &[1.0; 4]), Err(outside));
    assert!(matrix.add_block(&[14, 15], &[1.0; 4]).is_err());
    assert!(matrix.add_block(&[1, 2], &[1.0; 3]).is_err());
    assert_eq!(matrix, RodMatrix::new(15));

    let mut lu = RodLu::new(15);
    let unready = lu.solve(&matrix, &mut [0.0; 15]);
    assert_eq!(unready, Err(SolveError::NotFactored));
    let unready = lu.solve_unchecked(&mut [0.0; 15]);
    assert_eq!(unready, Err(SolveError::NotFactored));
    assert!(matches!(
        lu.factor(&matrix),
        Err(SolveError::Singular { .. })
    ));
    assert!(lu.factor(&RodMatrix::new(16)).is_err());
}

#[test]
fn the_singular_row_is_named() {
    for row in [0, 3, 29, 30, 37, 58] {
        let mut matrix = random(59, 1.0, &mut Noise(6));
        for k in (0..59).filter(|k| within(row, *k)) {
            let (entry, other) = (matrix.get(row, k), matrix.get(k, row));
            add(&mut matrix, row, k, -entry);
            if k != row {
                add(&mut matrix, k, row, -other);
            }
        }
        let outcome = RodLu::new(59).factor(&matrix);
        assert_eq!(outcome, Err(SolveError::Singular { row }));
    }
}

#[test]
fn nan_and_infinity_are_found_wherever_they_are() {
    for bad in [f64::NAN, f64::INFINITY] {
        for (i, j) in [(0, 0), (30, 33), (33, 30), (58, 58), (55, 58), (58, 56)] {
            let mut matrix = random(59, 1.0, &mut Noise(7));
            add(&mut matrix, i, j, bad);
            let outcome = RodLu::new(59).factor(&matrix);
            assert_eq!(outcome, Err(SolveError::NotFinite { place: "matrix" }));
        }
    }
    let matrix = random(59, 1.0, &mut Noise(7));
    let outcome = factored(&matrix).solve(&matrix, &mut [f64::NAN; 59]);
    let place = "right-hand side";
    assert_eq!(outcome, Err(SolveError::NotFinite { place }));
}

#[test]
fn a_used_factor_gives_the_bits_of_a_fresh_one() {
    let mut noise = Noise(8);
    let mut used = RodLu::new(91);
    for dominance in [0.0, 1.0, 0.2, 0.0, 1.0] {
        let matrix = random(91, dominance, &mut noise);
        let right = noise.vector(91);
        let (mut x, mut y) = (right.clone(), right);
        used.factor(&matrix).unwrap();
        used.solve(&matrix, &mut x).unwrap();
        factored(&matrix).solve(&matrix, &mut y).unwrap();
        assert_eq!(x, y);
    }
}

proptest! {
    #[test]
    fn every_solve_is_accurate_or_refused(
        n in 1_usize..70,
        seed in any::<u64>(),
        dominance in 0.0..1.0,
        exponent in 0_i32..12,
    ) {
        // Rows of very different size, some of them sparse.
        let mut noise = Noise(seed);
        let mut matrix = RodMatrix::new(n);
        for i in 0..n {
            let size = 10_f64.powi(noise.below(exponent as usize + 1) as i32);
            for j in (0..n).filter(|j| within(i, *j)) {
                if noise.next() > -0.5 {
                    add(&mut matrix, i, j, size * noise.next());
                }
            }
            add(&mut matrix, i, i, size * dominance);
        }
        let right = noise.vector(n);
        let mut lu = RodLu::new(n);
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

/// All ways in: blocks of stencils, columns of several of them, dense blocks, and differences of the
/// positions of nodes.
#[test]
fn stencils_are_added_as_dense_blocks_are() {
    let mut noise = Noise(11);
    // Symmetric, and nothing of the twelfth unknown, which is none.
    let mut columns = [[[0.0; 8]; 16]; 6];
    for ((i, j), block) in UPPER.into_iter().zip(&mut columns) {
        for (c, r) in (0..4).flat_map(|c| (0..4).map(move |r| (c, r))) {
            if (j == 2 && c == 3) || (i == 2 && r == 3) {
                continue;
            }
            block[4 * c + r] = std::array::from_fn(|_| noise.next());
        }
        if i == j {
            for (c, r) in [(1, 0), (2, 0), (3, 0), (2, 1), (3, 1), (3, 2)] {
                block[4 * c + r] = block[4 * r + c];
            }
        }
    }
    for (first, lane) in [(0, 0), (4, 7), (20, 3)] {
        let stencil = crate::assembly::VertexBlocks::of(&columns, lane);
        let dofs: Vec<u32> = (first..first + 12).collect();
        let dense_block: [f64; 144] = std::array::from_fn(|k| stencil.get(k / 12, k % 12));
        let [mut a, mut b, mut c] = [0; 3].map(|_| RodMatrix::new(40));
        a.add_stencil(first as usize, &stencil.blocks);
        b.add_columns(first as usize, &columns, lane);
        c.add_block(&dofs, &dense_block).unwrap();
        assert_eq!(dense(&a), dense(&c));
        assert_eq!(dense(&b), dense(&a));
    }
    let mut h = [[0.0; 3]; 3];
    for (r, c) in (0..3).flat_map(|r| (0..=r).map(move |c| (r, c))) {
        h[r][c] = noise.next();
        h[c][r] = h[r][c];
    }
    for [first, second] in [[0, 4], [8, 12], [16, 24]] {
        let [mut a, mut b] = [0; 2].map(|_| RodMatrix::new(31));
        a.add_difference([first, second], &h);
        let [own, other] = [first, second].map(|at| [0, 1, 2].map(|k| (at + k) as u32));
        b.add_block(&[own, other].concat(), &of_difference(&h))
            .unwrap();
        assert_eq!(dense(&a), dense(&b), "{first} {second}");
    }
}

/// Parts are solved each as it is alone, checked or not, by any number of threads with the same bits;
/// what couples parts has no place.
#[test]
fn parts_agree_with_single_rods() {
    let mut noise = Noise(8);
    let sizes = [271, 271, 7, 403, 31, 271];
    let n: usize = sizes.iter().sum();
    let first: Vec<usize> = (sizes.iter())
        .scan(0, |at, size| {
            *at += size;
            Some(*at - size)
        })
        .collect();
    let rods: Vec<RodMatrix> = sizes.map(|size| random(size, 1.0, &mut noise)).to_vec();
    let mut parts = RodParts::new(n, &first);
    let mut diagonal = vec![0.0; n];
    let mut fixed = vec![false; n];
    fixed[3] = true;
    for (begin, rod) in first.iter().zip(&rods) {
        for i in 0..rod.n() {
            diagonal[begin + i] = rod.get(i, i);
            for j in (0..rod.n()).filter(|j| within(i, *j) && i != *j) {
                let block = [0.0, rod.get(i, j), 0.0, 0.0];
                let unknowns = [begin + i, begin + j].map(|k| k as u32);
                parts.add_block(&unknowns, &block).unwrap();
            }
        }
    }
    parts.add_to_diagonal(&diagonal, &fixed);
    // The one that was left out.
    parts.add_block(&[3], &[diagonal[3]]).unwrap();
    let outside = parts.add_block(&[270, 271], &[0.0; 4]);
    let (row, column) = (270, 271);
    assert_eq!(outside, Err(SolveError::OutsidePattern { row, column }));
    let right = noise.vector(n);
    let unready = parts.solve_unchecked(&mut right.clone());
    assert_eq!(unready, Err(SolveError::NotFactored));
    let single = |shift: f64, weights: &[f64]| -> Vec<f64> {
        let mut whole = Vec::new();
        for (begin, rod) in first.iter().zip(&rods) {
            let mut rod = rod.clone();
            let own = *begin..begin + rod.n();
            rod.add_diagonal(shift, &weights[own.clone()]).unwrap();
            whole.extend(solve(&rod, &right[own]));
        }
        whole
    };
    let weights: Vec<f64> = (0..n).map(|i| 1.0 + i as f64 / n as f64).collect();
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
    assert!(largest_difference(&alone.0, &single(0.0, &weights)) < 1e-12);
    assert!(largest_difference(&alone.0, &alone.1) < 1e-12);
    // A shift belongs to the unknowns of the whole.
    parts.factor_shifted(2.0, &weights).unwrap();
    let mut shifted = right.clone();
    parts.solve_unchecked(&mut shifted).unwrap();
    assert!(largest_difference(&shifted, &single(2.0, &weights)) < 1e-12);
    // A column without a pivot is told by its place in the whole.
    let mut empty = RodParts::new(20, &[0, 12]);
    let fixed: Vec<bool> = (0..20).map(|row| row == 15).collect();
    empty.add_to_diagonal(&[1.0; 20], &fixed);
    assert_eq!(empty.factor(), Err(SolveError::Singular { row: 15 }));
    // One part alone.
    let mut window = parts.window(271, 271);
    window.factor().unwrap();
    let mut x = right[271..542].to_vec();
    window.solve_unchecked(&mut x).unwrap();
    assert!(largest_difference(&x, &solve(&rods[1], &right[271..542])) < 1e-11);
}
