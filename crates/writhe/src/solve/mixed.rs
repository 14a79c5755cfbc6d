//! Iterative refinement whose inner solves know the matrix only roughly.
//!
//! The residual `r = b - A x` is taken with the exact product; flexible GMRES solves `A d = r` with
//! a rough and cheaper one, to no more digits than the rough product has; `x + d` is the next
//! iterate. The error of an inner solve is that of its matrix times `d`, so every round gains the
//! digits of the rough product, and the last residual is as exact as if it had been used
//! throughout. Where the residual is so small to begin with that the rough product knows all of its
//! digits that matter, what the inner solve leaves is the residual, and no product is taken for it.

use super::error::SolveError;
use super::krylov::{KrylovOptions, KrylovOutcome, KrylovReport, KrylovWorkspace, fgmres};
use super::krylov::{begin, norm, residual};

/// A round that leaves more than this of the residual is not worth another.
const PROGRESS: f64 = 0.1;
/// Share of what is wanted that an inner solve aims at: the rough product takes the rest.
const SAFETY: f64 = 0.5;
/// Share of what is wanted that the error of the rough product may have where it is not looked at.
const UNSEEN: f64 = 0.1;

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MixedOptions {
    /// Wanted `|b - A x|_2 / |b|_2`.
    pub tolerance: f64,
    /// Smallest relative residual asked of an inner solve: what the rough product is good for.
    pub inner_tolerance: f64,
    /// Basis vectors of an inner solve before it starts again.
    pub restart: usize,
    /// Largest number of inner iterations over all rounds.
    pub max_iterations: usize,
}

/// Solves `A x = b` from the start `x`, whose product `A x` is given, or from zero when that is
/// nearer.
///
/// `exact(v, y)` sets `y = A v`, `rough(v, y)` nearly so; `preconditioner` is that of [`fgmres`].
/// Sums have a fixed order.
///
/// An iteration that does not converge is not an error: `x` then holds the best iterate and the
/// report says why, with the products counted that were exact. A zero right-hand side gives zero at
/// once.
///
/// # Errors
/// Those of [`fgmres`].
pub(crate) fn refined_fgmres(
    exact: &mut impl FnMut(&[f64], &mut [f64]),
    rough: &mut impl FnMut(&[f64], &mut [f64]),
    preconditioner: &mut impl FnMut(&[f64], &mut [f64]),
    b: &[f64],
    (x, product): (&mut [f64], &[f64]),
    options: &MixedOptions,
    workspace: &mut KrylovWorkspace,
) -> Result<KrylovReport, SolveError> {
    let (norm_b, mut report) = begin(b, x)?;
    if norm_b == 0.0 {
        return Ok(report);
    }
    let mut r = b.to_vec();
    let mut norm_r = norm_b;
    if x.iter().any(|&value| value != 0.0) {
        r.iter_mut().zip(product).for_each(|(r, ax)| *r -= ax);
        match norm(&r) {
            started if started < norm_b => norm_r = started,
            // A start that is no better than none.
            _ => {
                x.fill(0.0);
                r.copy_from_slice(b);
            }
        }
    }
    let mut d = vec![0.0; b.len()];
    loop {
        report.relative_residual = norm_r / norm_b;
        if report.relative_residual <= options.tolerance {
            report.outcome = KrylovOutcome::Converged;
            return Ok(report);
        }
        let left = options.max_iterations.saturating_sub(report.iterations);
        if left == 0 {
            report.outcome = KrylovOutcome::IterationLimit;
            return Ok(report);
        }
        // As far as the tolerance needs from here, but no further than the rough product knows.
        let wanted = SAFETY * options.tolerance / report.relative_residual;
        let inner = KrylovOptions {
            tolerance: wanted.max(options.inner_tolerance),
            restart: options.restart,
            max_iterations: left,
            confirm: false,
        };
        d.fill(0.0);
        let solved = fgmres(rough, preconditioner, &r, &mut d, &inner, workspace)?;
        report.iterations += solved.iterations;
        x.iter_mut().zip(&d).for_each(|(x, d)| *x += d);
        // A d is about as long as the residual was.
        let unseen = options.inner_tolerance * report.relative_residual;
        if solved.converged() && unseen <= UNSEEN * options.tolerance {
            report.relative_residual *= solved.relative_residual;
            report.outcome = KrylovOutcome::Converged;
            return Ok(report);
        }
        report.products += 1;
        let before = norm_r;
        norm_r = residual(exact, b, x, &mut r)?;
        if norm_r > PROGRESS * before && norm_r > options.tolerance * norm_b {
            // It got worse: back to what was there.
            if norm_r >= before {
                x.iter_mut().zip(&d).for_each(|(x, d)| *x -= d);
                norm_r = before;
            }
            report.relative_residual = norm_r / norm_b;
            report.outcome = KrylovOutcome::Stagnated;
            return Ok(report);
        }
    }
}
