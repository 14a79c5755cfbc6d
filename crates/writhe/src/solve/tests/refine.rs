use crate::solve::SolveError;
use crate::solve::refine::{Factored, RefineScratch, max_abs, solve_checked};

/// The unit matrix with a factor that is wrong by a relative error.
struct Sloppy {
    error: f64,
}

impl Factored for Sloppy {
    fn residual(&mut self, b: &[f64], x: &[f64], residual: &mut [f64]) {
        for ((r, b), x) in residual.iter_mut().zip(b).zip(x) {
            *r = b - x;
        }
    }

    fn solve_unchecked(&mut self, x: &mut [f64]) {
        x.iter_mut().for_each(|x| *x *= 1.0 + self.error);
    }

    fn norm(&self) -> f64 {
        1.0
    }
}

#[test]
fn a_slightly_wrong_factor_is_refined_and_a_wrong_one_refused() {
    let solve = |error| {
        let mut x = [1.0, -2.0, 4.0];
        let outcome = solve_checked(&mut Sloppy { error }, &mut x, &mut RefineScratch::new(3));
        (outcome, x)
    };
    let (exact, _) = solve(0.0);
    assert_eq!(exact.map(|report| report.refined), Ok(false));
    let (refined, x) = solve(1e-5);
    let report = refined.unwrap();
    assert!(report.refined && report.relative_residual < 1e-9);
    assert!((x[2] - 4.0).abs() < 1e-8);
    assert!(matches!(
        solve(0.5).0,
        Err(SolveError::ResidualTooLarge { .. })
    ));
    assert!(matches!(
        solve(f64::NAN).0,
        Err(SolveError::NotFinite { place: "solution" })
    ));
}

#[test]
fn max_abs_keeps_nan() {
    assert_eq!(max_abs(&[]), 0.0);
    for length in [1, 7, 8, 9, 30] {
        let mut values = vec![-1.0; length];
        values[length / 2] = -3.0;
        assert_eq!(max_abs(&values), 3.0);
        values[length - 1] = f64::NAN;
        assert!(max_abs(&values).is_nan());
        values[length - 1] = f64::NEG_INFINITY;
        assert_eq!(max_abs(&values), f64::INFINITY);
    }
}
