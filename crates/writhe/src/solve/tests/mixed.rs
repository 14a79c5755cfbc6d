use super::*;
use crate::solve::SolveError;
use crate::solve::krylov::{KrylovOptions, KrylovOutcome, KrylovReport, KrylovWorkspace, fgmres};
use crate::solve::mixed::{MixedOptions, refined_fgmres};

const OPTIONS: MixedOptions = MixedOptions {
    tolerance: 1e-12,
    inner_tolerance: 1e-5,
    restart: 40,
    max_iterations: 200,
};

/// A matrix near twice the identity, and the same with relative errors of its entries.
fn matrices(n: usize, error: f64, noise: &mut Noise) -> (Mat<f64>, Mat<f64>) {
    let exact = Mat::from_fn(n, n, |i, j| {
        noise.next() / (n as f64).sqrt() + if i == j { 2.0 } else { 0.0 }
    });
    let rough = Mat::from_fn(n, n, |i, j| exact[(i, j)] * (1.0 + error * noise.next()));
    (exact, rough)
}

fn product(matrix: &Mat<f64>) -> impl FnMut(&[f64], &mut [f64]) + '_ {
    |v, y| y.copy_from_slice(&dense_mul(matrix, v))
}

fn solve(
    (exact, rough): (&Mat<f64>, &Mat<f64>),
    b: &[f64],
    x: &mut [f64],
    options: &MixedOptions,
) -> Result<KrylovReport, SolveError> {
    let mut start = x.to_vec();
    start.resize(exact.ncols(), 0.0);
    refined_fgmres(
        &mut product(exact),
        &mut product(rough),
        &mut |v: &[f64], z: &mut [f64]| z.copy_from_slice(v),
        b,
        (x, &dense_mul(exact, &start)),
        options,
        &mut KrylovWorkspace::new(),
    )
}

fn residual(matrix: &Mat<f64>, b: &[f64], x: &[f64]) -> f64 {
    largest_difference(&dense_mul(matrix, x), b) / b.iter().fold(0.0_f64, |a, b| a.max(b.abs()))
}

/// What the rough product does not know is made up for; alone it leaves its own error.
#[test]
fn the_solution_is_that_of_the_exact_product() {
    let mut noise = Noise(31);
    let (exact, rough) = matrices(60, 1e-6, &mut noise);
    let b = noise.vector(60);
    let mut x = vec![0.0; 60];
    let report = solve((&exact, &rough), &b, &mut x, &OPTIONS).unwrap();
    assert!(report.converged(), "{report:?}");
    assert!((2..=4).contains(&report.products), "{report:?}");
    assert!(residual(&exact, &b, &x) < 1e-11);

    let mut alone = vec![0.0; 60];
    let options = KrylovOptions {
        tolerance: 1e-12,
        ..KrylovOptions::default()
    };
    fgmres(
        &mut product(&rough),
        &mut |v: &[f64], z: &mut [f64]| z.copy_from_slice(v),
        &b,
        &mut alone,
        &options,
        &mut KrylovWorkspace::new(),
    )
    .unwrap();
    assert!(residual(&exact, &b, &alone) > 1e-8);
}

#[test]
fn a_near_start_saves_iterations_and_a_bad_one_costs_none() {
    let mut noise = Noise(32);
    let (exact, rough) = matrices(60, 1e-6, &mut noise);
    let solution = noise.vector(60);
    let b = dense_mul(&exact, &solution);
    let run = |mut x: Vec<f64>| {
        let report = solve((&exact, &rough), &b, &mut x, &OPTIONS).unwrap();
        assert!(report.converged() && largest_difference(&x, &solution) < 1e-10);
        report.iterations
    };
    let cold = run(vec![0.0; 60]);
    let near = run(solution.iter().map(|x| x * (1.0 + 1e-6)).collect());
    assert!(near < cold, "{near} {cold}");
    assert_eq!(run(vec![1e9; 60]), cold);
    assert_eq!(run(vec![f64::NAN; 60]), cold);
    assert_eq!(run(solution.clone()), 0);
}

/// Another matrix than the exact one: refinement would go away from the solution.
#[test]
fn a_product_that_is_too_rough_is_reported() {
    let mut noise = Noise(33);
    let (exact, _) = matrices(30, 0.0, &mut noise);
    let opposite = Mat::from_fn(30, 30, |i, j| -exact[(i, j)]);
    let b = noise.vector(30);
    let mut x = vec![0.0; 30];
    let report = solve((&exact, &opposite), &b, &mut x, &OPTIONS).unwrap();
    assert_eq!(report.outcome, KrylovOutcome::Stagnated);
    assert!(report.relative_residual <= 1.0, "{report:?}");
    assert!((residual(&exact, &b, &x) - 1.0).abs() < 1e-12, "{x:?}");
}

#[test]
fn too_few_iterations_are_reported() {
    let mut noise = Noise(34);
    let (exact, rough) = matrices(60, 1e-6, &mut noise);
    let b = noise.vector(60);
    let mut x = vec![0.0; 60];
    let options = MixedOptions {
        max_iterations: 8,
        ..OPTIONS
    };
    let report = solve((&exact, &rough), &b, &mut x, &options).unwrap();
    assert_eq!(report.outcome, KrylovOutcome::IterationLimit);
    assert_eq!(report.iterations, 8);
    assert!(report.relative_residual < 1.0 && report.relative_residual > 1e-12);
}

#[test]
fn zero_and_what_is_not_finite() {
    let mut noise = Noise(35);
    let (exact, rough) = matrices(5, 1e-6, &mut noise);
    let mut x = vec![1.0; 5];
    let report = solve((&exact, &rough), &[0.0; 5], &mut x, &OPTIONS).unwrap();
    assert!(report.converged() && x == [0.0; 5]);
    for bad in [f64::NAN, f64::INFINITY] {
        let refused = solve((&exact, &rough), &[bad; 5], &mut x, &OPTIONS);
        assert!(matches!(refused, Err(SolveError::NotFinite { .. })));
    }
    let broken = Mat::from_fn(5, 5, |_, _| f64::NAN);
    let refused = solve((&broken, &rough), &[1.0; 5], &mut x, &OPTIONS);
    assert!(matches!(refused, Err(SolveError::NotFinite { .. })));
    let short = solve((&exact, &rough), &[1.0; 5], &mut x[..4], &OPTIONS);
    assert!(matches!(short, Err(SolveError::WrongLength { .. })));
}

/// From a start that is good to six digits the last six take no exact product, and are right.
#[test]
fn a_good_start_takes_no_exact_product() {
    let mut noise = Noise(36);
    let (exact, rough) = matrices(60, 1e-6, &mut noise);
    let wanted = noise.vector(60);
    let b = dense_mul(&exact, &wanted);
    let mut x: Vec<f64> = wanted
        .iter()
        .map(|x| x * (1.0 + 1e-7 * noise.next()))
        .collect();
    let options = MixedOptions {
        tolerance: 1e-10,
        inner_tolerance: 1e-6,
        ..OPTIONS
    };
    let report = solve((&exact, &rough), &b, &mut x, &options).unwrap();
    assert!(report.converged() && report.iterations > 0, "{report:?}");
    assert_eq!(report.products, 0);
    assert!(residual(&exact, &b, &x) < 1e-10);
}
