//! Tests of the linear solvers against dense algebra.

mod band;
mod blocks;
mod dense;
mod krylov;
mod mixed;
mod refine;
mod rods;

use faer::Mat;
use faer::linalg::solvers::Solve;

/// A reproducible source of numbers in [-1, 1).
pub(crate) struct Noise(pub u64);

impl Noise {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (((self.next() + 1.0) * 0.5 * n as f64) as usize).min(n - 1)
    }
}

pub(crate) fn dense_solve(a: &Mat<f64>, b: &[f64]) -> Vec<f64> {
    let right = Mat::from_fn(b.len(), 1, |i, _| b[i]);
    let x = a.full_piv_lu().solve(right);
    (0..b.len()).map(|i| x[(i, 0)]).collect()
}

pub(crate) fn dense_mul(a: &Mat<f64>, x: &[f64]) -> Vec<f64> {
    (0..a.nrows())
        .map(|i| (0..x.len()).map(|j| a[(i, j)] * x[j]).sum())
        .collect()
}

pub(crate) fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max)
}
