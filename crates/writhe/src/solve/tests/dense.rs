use super::*;
use crate::solve::SolveError;
use crate::solve::dense::DenseLu;

fn random(n: usize, noise: &mut Noise) -> Mat<f64> {
    // No diagonal to speak of: rows must be exchanged.
    Mat::from_fn(n, n, |i, j| if i == j { 1e-9 } else { noise.next() })
}

#[test]
fn systems_are_solved() {
    let mut noise = Noise(21);
    for n in [1, 2, 3, 24, 200] {
        let matrix = random(n, &mut noise);
        let expected = noise.vector(n);
        let b = dense_mul(&matrix, &expected);
        let lu = DenseLu::factor(matrix).unwrap();
        let mut x = b.clone();
        lu.solve_unchecked(&mut x).unwrap();
        assert!(largest_difference(&x, &expected) < 1e-9, "{n}");
    }
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let wrong = |expected, found| Some(SolveError::WrongLength { expected, found });
    assert_eq!(DenseLu::factor(Mat::zeros(3, 2)).err(), wrong(3, 2));
    let lu = DenseLu::factor(Mat::identity(3, 3)).unwrap();
    assert_eq!(lu.solve_unchecked(&mut [1.0; 2]).err(), wrong(3, 2));
}

/// A zero pivot shows in what is solved.
#[test]
fn a_singular_matrix_gives_nothing_finite() {
    let lu = DenseLu::factor(Mat::zeros(2, 2)).unwrap();
    let mut x = [1.0, 2.0];
    lu.solve_unchecked(&mut x).unwrap();
    assert!(x.iter().any(|x| !x.is_finite()), "{x:?}");
}

#[test]
fn number_of_threads_changes_no_bit() {
    let mut noise = Noise(22);
    let matrix = random(300, &mut noise);
    let b = noise.vector(300);
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let mut x = b.clone();
            let lu = DenseLu::factor(matrix.clone()).unwrap();
            lu.solve_unchecked(&mut x).unwrap();
            x
        })
    };
    let one = solve(1);
    assert!(one == solve(2) && one == solve(3));
}
