//! A matrix at hand that learns from the corrections made with it: Broyden's method.
//!
//! After a step s the matrix B is changed by a matrix of rank one so that it tells what the residual
//! did, and nothing is changed across s: `B += (g_new - g - B s) s^T / s.s`. Its inverse is kept as
//! that of the first matrix and the steps since, by Sherman and Morrison's formula (Kelley, Iterative
//! Methods for Linear and Nonlinear Equations, 1995, section 7.3). Steps are compared in radii, so
//! that angles count by what they move.

use super::pool::Pool;

/// Corrections that may be made with one matrix, beside the first.
pub(super) const MOST: usize = 8;

/// Steps s since the matrix was made.
pub(super) struct Broyden<'a> {
    /// How far a unit of each unknown moves something, `(dofs)`.
    lever: &'a [f64],
    /// The first `made` are steps, `(dofs)` each.
    steps: [Vec<f64>; MOST + 1],
    /// Their squares, m^2.
    squares: [f64; MOST + 1],
    made: usize,
}

impl<'a> Broyden<'a> {
    /// After a first step, which the matrix itself told.
    pub fn new(lever: &'a [f64], first: Vec<f64>) -> Self {
        let mut broyden = Self {
            lever,
            steps: Default::default(),
            squares: [0.0; MOST + 1],
            made: 0,
        };
        broyden.push(first);
        broyden
    }

    /// Whether there is room for no further step.
    pub fn is_full(&self) -> bool {
        self.made > MOST
    }

    /// Makes of the correction by the first matrix that by all that is known.
    pub fn correct(&self, dq: &mut [f64]) {
        let pairs = self.steps[..self.made].windows(2).zip(&self.squares);
        for (pair, square) in pairs {
            let by = self.dot(&pair[0], dq) / square;
            add(dq, by, &pair[1]);
        }
        let last = self.made - 1;
        let along = self.dot(&self.steps[last], dq) / self.squares[last];
        dq.iter_mut().for_each(|d| *d /= 1.0 - along);
    }

    /// Length of a correction over that of the last step.
    pub fn growth(&self, dq: &[f64]) -> f64 {
        (self.dot(dq, dq) / self.squares[self.made - 1]).sqrt()
    }

    /// Adds a step that was made.
    pub fn push(&mut self, step: Vec<f64>) {
        self.squares[self.made] = self.dot(&step, &step);
        self.steps[self.made] = step;
        self.made += 1;
    }

    /// Gives the vectors back.
    pub fn give_back(self, pool: &mut Pool) {
        let made = self.steps.into_iter().take(self.made);
        made.for_each(|step| pool.give_back(step));
    }

    fn dot(&self, a: &[f64], b: &[f64]) -> f64 {
        let products = a.iter().zip(b).zip(self.lever);
        products.map(|((a, b), lever)| a * b * lever * lever).sum()
    }
}

fn add(to: &mut [f64], by: f64, what: &[f64]) {
    to.iter_mut().zip(what).for_each(|(t, w)| *t += by * w);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x + u (u.x) c = b` by the unit matrix, which leaves the second part out: alone it takes off
    /// a factor of c each time. Along u alone Broyden's method is the secant method, which is exact.
    #[test]
    fn what_a_matrix_leaves_out_is_learnt() {
        let (u, b, c) = ([0.6, 0.0, 0.8], [1.0, -2.0, 3.0], 0.4);
        let lever = [1.0, 0.5, 2.0];
        let residual = |x: &[f64]| -> Vec<f64> {
            let along: f64 = u.iter().zip(x).map(|(u, x)| u * x).sum();
            (0..3).map(|i| x[i] + c * along * u[i] - b[i]).collect()
        };
        let minus = |r: Vec<f64>| -> Vec<f64> { r.iter().map(|r| -r).collect() };
        let size = |r: &[f64]| r.iter().map(|r| r * r).sum::<f64>().sqrt();
        let mut x = minus(residual(&[0.0; 3]));
        let mut broyden = Broyden::new(&lever, x.clone());
        let mut left = vec![size(&residual(&x))];
        for _ in 0..3 {
            let mut dq = minus(residual(&x));
            broyden.correct(&mut dq);
            add(&mut x, 1.0, &dq);
            broyden.push(dq);
            left.push(size(&residual(&x)));
        }
        // The error of the matrix has rank one, and so has what is left of the residual.
        assert!(left[1] < 0.3 * left[0], "{left:?}");
        assert!(left[2] < 1e-12, "{left:?}");
    }
}
