use super::*;
use crate::solve::SolveError;
use crate::solve::krylov::{KrylovOptions, KrylovOutcome, KrylovReport, KrylovWorkspace, fgmres};

fn random(n: usize, dominance: f64, noise: &mut Noise) -> Mat<f64> {
    let mut matrix = Mat::from_fn(n, n, |_, _| noise.next() / (n as f64).sqrt());
    for i in 0..n {
        matrix[(i, i)] += dominance;
    }
    matrix
}

fn copy(from: &[f64], to: &mut [f64]) {
    to.copy_from_slice(from);
}

fn solve(
    matrix: &Mat<f64>,
    b: &[f64],
    x: &mut [f64],
    options: &KrylovOptions,
) -> Result<KrylovReport, SolveError> {
    let mut operator = |v: &[f64], y: &mut [f64]| y.copy_from_slice(&dense_mul(matrix, v));
    fgmres(
        &mut operator,
        &mut copy,
        b,
        x,
        options,
        &mut KrylovWorkspace::new(),
    )
}

const TIGHT: KrylovOptions = KrylovOptions {
    tolerance: 1e-12,
    restart: 60,
    max_iterations: 400,
    confirm: true,
};

#[test]
fn non_symmetric_systems_are_solved() {
    let mut noise = Noise(1);
    for n in [1, 2, 7, 50] {
        for dominance in [0.0, 1.0, 3.0] {
            let matrix = random(n, dominance, &mut noise);
            let expected = noise.vector(n);
            let b = dense_mul(&matrix, &expected);
            let mut x = vec![0.0; n];
            let report = solve(&matrix, &b, &mut x, &TIGHT).unwrap();
            assert!(
                report.converged() && report.iterations <= n,
                "{n} {dominance} {report:?}"
            );
            assert!(largest_difference(&x, &expected) < 1e-8);
            assert!(largest_difference(&dense_mul(&matrix, &x), &b) < 1e-11);
        }
    }
}

#[test]
fn restarts_and_a_start_value_reach_the_same_solution() {
    let mut noise = Noise(2);
    let matrix = random(60, 3.0, &mut noise);
    let expected = noise.vector(60);
    let b = dense_mul(&matrix, &expected);
    let mut x = noise.vector(60);
    let report = solve(
        &matrix,
        &b,
        &mut x,
        &KrylovOptions {
            restart: 5,
            ..TIGHT
        },
    )
    .unwrap();
    assert!(report.converged() && report.iterations > 5);
    assert!(report.products > report.iterations);
    assert!(largest_difference(&x, &expected) < 1e-10);
    let again = solve(
        &matrix,
        &b,
        &mut x,
        &KrylovOptions {
            tolerance: 1e-10,
            ..TIGHT
        },
    )
    .unwrap();
    assert_eq!((again.iterations, again.products), (0, 1));
}

#[test]
fn the_preconditioner_may_change_in_every_iteration() {
    let mut noise = Noise(3);
    let n = 80;
    let mut matrix = random(n, 0.0, &mut noise);
    let scale: Vec<f64> = (0..n).map(|i| 10_f64.powi((i % 7) as i32)).collect();
    for i in 0..n {
        matrix[(i, i)] += 4.0 * scale[i];
    }
    let expected = noise.vector(n);
    let b = dense_mul(&matrix, &expected);
    let mut calls = 0;
    let mut preconditioner = |v: &[f64], z: &mut [f64]| {
        calls += 1;
        for i in 0..n {
            let wobble = 1.0 + 0.3 * f64::from((calls + i as i32) % 3);
            z[i] = v[i] / (4.0 * scale[i] * wobble);
        }
    };
    let mut operator = |v: &[f64], y: &mut [f64]| y.copy_from_slice(&dense_mul(&matrix, v));
    let mut workspace = KrylovWorkspace::new();
    let mut x = vec![0.0; n];
    let report = fgmres(
        &mut operator,
        &mut preconditioner,
        &b,
        &mut x,
        &TIGHT,
        &mut workspace,
    )
    .unwrap();
    assert!(report.converged() && report.iterations < 40, "{report:?}");
    assert!(largest_difference(&x, &expected) < 1e-6);

    // A workspace that served a larger system gives the bits of a fresh one.
    let small = random(20, 2.0, &mut noise);
    let b = noise.vector(20);
    let mut operator = |v: &[f64], y: &mut [f64]| y.copy_from_slice(&dense_mul(&small, v));
    let (mut x, mut y) = (vec![0.0; 20], vec![0.0; 20]);
    fgmres(&mut operator, &mut copy, &b, &mut x, &TIGHT, &mut workspace).unwrap();
    fgmres(
        &mut operator,
        &mut copy,
        &b,
        &mut y,
        &TIGHT,
        &mut KrylovWorkspace::new(),
    )
    .unwrap();
    assert_eq!(x, y);
}

#[test]
fn an_exact_preconditioner_needs_one_iteration() {
    let mut noise = Noise(4);
    let matrix = random(30, 2.0, &mut noise);
    let b = noise.vector(30);
    let mut operator = |v: &[f64], y: &mut [f64]| y.copy_from_slice(&dense_mul(&matrix, v));
    let mut exact = |v: &[f64], z: &mut [f64]| z.copy_from_slice(&dense_solve(&matrix, v));
    let mut x = vec![0.0; 30];
    let report = fgmres(
        &mut operator,
        &mut exact,
        &b,
        &mut x,
        &TIGHT,
        &mut KrylovWorkspace::new(),
    )
    .unwrap();
    assert_eq!(
        (report.iterations, report.outcome),
        (1, KrylovOutcome::Converged)
    );
}

#[test]
fn a_cyclic_shift_stagnates_when_restarted_and_converges_otherwise() {
    let n = 12;
    let shift = Mat::from_fn(n, n, |i, j| if i == (j + 1) % n { 1.0 } else { 0.0 });
    let b: Vec<f64> = (0..n).map(|i| if i == 0 { 1.0 } else { 0.0 }).collect();
    let mut x = vec![0.0; n];
    let report = solve(
        &shift,
        &b,
        &mut x,
        &KrylovOptions {
            restart: 5,
            ..TIGHT
        },
    )
    .unwrap();
    assert_eq!(report.outcome, KrylovOutcome::Stagnated);
    assert!((report.relative_residual - 1.0).abs() < 1e-12);
    let report = solve(&shift, &b, &mut x, &TIGHT).unwrap();
    assert!(report.converged());
    assert_eq!(report.iterations, n);
    assert!((x[n - 1] - 1.0).abs() < 1e-12);
}

#[test]
fn the_iteration_limit_is_an_outcome_and_the_iterate_is_an_improvement() {
    let mut noise = Noise(5);
    let matrix = random(60, 1.2, &mut noise);
    let b = noise.vector(60);
    let mut x = vec![0.0; 60];
    let options = KrylovOptions {
        max_iterations: 7,
        restart: 4,
        ..TIGHT
    };
    let report = solve(&matrix, &b, &mut x, &options).unwrap();
    assert_eq!(
        (report.outcome, report.iterations),
        (KrylovOutcome::IterationLimit, 7)
    );
    let rest: Vec<f64> = dense_mul(&matrix, &x)
        .iter()
        .zip(&b)
        .map(|(y, b)| b - y)
        .collect();
    let length = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
    let relative = length(&rest) / length(&b);
    assert!((relative - report.relative_residual).abs() < 1e-13 && relative < 1.0);
}

#[test]
fn singular_systems_end_and_say_so() {
    let zero = Mat::zeros(5, 5);
    let mut x = vec![0.0; 5];
    let report = solve(&zero, &[1.0; 5], &mut x, &TIGHT).unwrap();
    assert_eq!(report.outcome, KrylovOutcome::Stagnated);
    assert_eq!(x, [0.0; 5]);
    // Inconsistent: the last equation reads 0 = 1. The least-squares residual remains.
    let matrix = Mat::from_fn(
        5,
        5,
        |i, j| if i == j && i < 4 { 1.0 + i as f64 } else { 0.0 },
    );
    let report = solve(&matrix, &[1.0; 5], &mut x, &TIGHT).unwrap();
    assert_eq!(report.outcome, KrylovOutcome::Stagnated);
    assert!((report.relative_residual - 0.2_f64.sqrt()).abs() < 1e-8);
    // Consistent: the solution is found.
    let report = solve(&matrix, &[1.0, 1.0, 1.0, 1.0, 0.0], &mut [0.0; 5], &TIGHT).unwrap();
    assert!(report.converged());
}

#[test]
fn zero_and_non_finite_right_hand_sides() {
    let matrix = random(6, 2.0, &mut Noise(6));
    let mut x = vec![3.0; 6];
    let report = solve(&matrix, &[0.0; 6], &mut x, &TIGHT).unwrap();
    assert_eq!((report.iterations, x.as_slice()), (0, [0.0; 6].as_slice()));
    assert!(solve(&matrix, &[f64::NAN; 6], &mut x, &TIGHT).is_err());
    assert!(solve(&matrix, &[1.0; 5], &mut x, &TIGHT).is_err());
    let nan = Mat::from_fn(6, 6, |_, _| f64::NAN);
    assert!(solve(&nan, &[1.0; 6], &mut x, &TIGHT).is_err());
}

/// By the recurrence, for a product less; in one cycle and over restarts.
#[test]
fn the_residual_that_is_foreseen_is_the_true_one() {
    let mut noise = Noise(7);
    let matrix = random(60, 2.0, &mut noise);
    let b = noise.vector(60);
    for restart in [60, 8] {
        let confirmed = KrylovOptions {
            tolerance: 1e-6,
            restart,
            ..TIGHT
        };
        let (mut x, mut y) = (vec![0.0; 60], vec![0.0; 60]);
        let report = solve(&matrix, &b, &mut x, &confirmed).unwrap();
        let options = KrylovOptions {
            confirm: false,
            ..confirmed
        };
        let mut workspace = KrylovWorkspace::new();
        let foreseen = fgmres(
            &mut |v: &[f64], y: &mut [f64]| y.copy_from_slice(&dense_mul(&matrix, v)),
            &mut |v: &[f64], z: &mut [f64]| z.copy_from_slice(v),
            &b,
            &mut y,
            &options,
            &mut workspace,
        )
        .unwrap();
        assert!(foreseen.converged());
        assert_eq!(x, y);
        assert_eq!(foreseen.iterations, report.iterations);
        assert_eq!(foreseen.products + 1, report.products);
        let product = dense_mul(&matrix, &y);
        let left: Vec<f64> = b.iter().zip(&product).map(|(b, p)| b - p).collect();
        assert!(largest_difference(workspace.residual(), &left) < 1e-13);
    }
}
