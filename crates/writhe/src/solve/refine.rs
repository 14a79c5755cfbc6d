//! Residual check and iterative refinement shared by the direct solvers.

use super::error::SolveError;

/// Above this relative residual a solve is refined once.
pub(crate) const REFINE_ABOVE: f64 = 1e-12;

/// Above this relative residual, after refinement, a solve is an error.
pub(crate) const REFUSE_ABOVE: f64 = 1e-6;

/// How well a direct solve solved its system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveReport {
    /// `|b - A x| / (|A| |x| + |b|)`, largest-entry norm for vectors, an upper bound of the
    /// largest row sum for `|A|`.
    pub relative_residual: f64,
    /// Whether a step of iterative refinement was made and kept.
    pub refined: bool,
}

/// Largest entry in magnitude; NaN if any entry is NaN.
///
/// Cost: O(n).
pub(crate) fn max_abs(values: &[f64]) -> f64 {
    let mut largest = [0.0_f64; 8];
    let mut poison = [0.0_f64; 8];
    let (chunks, rest) = values.as_chunks::<8>();
    for chunk in chunks {
        for lane in 0..8 {
            largest[lane] = largest[lane].max(chunk[lane].abs());
            // `max` passes over a NaN; NaN or infinity times zero stays to tell of it.
            poison[lane] += chunk[lane] * 0.0;
        }
    }
    for (lane, value) in rest.iter().enumerate() {
        largest[lane] = largest[lane].max(value.abs());
        poison[lane] += value * 0.0;
    }
    let norm = largest.into_iter().fold(0.0, f64::max);
    if poison.iter().any(|p| p.is_nan()) && norm.is_finite() {
        f64::NAN
    } else {
        norm
    }
}

/// A factorised matrix together with its product, as the residual check needs it.
pub(super) trait Factored {
    /// `residual = b - A x`.
    fn residual(&mut self, b: &[f64], x: &[f64], residual: &mut [f64]);
    /// `x <- A^-1 x` by the factor as it is.
    fn solve_unchecked(&mut self, x: &mut [f64]);
    /// An upper bound of the largest row sum of `|A|`.
    fn norm(&self) -> f64;
}

/// Scratch vectors of the checked solve, each of the length of the system.
#[derive(Debug, Clone, Default)]
pub(super) struct RefineScratch {
    right_hand_side: Vec<f64>,
    residual: Vec<f64>,
    correction: Vec<f64>,
}

impl RefineScratch {
    pub(super) fn new(n: usize) -> Self {
        Self {
            right_hand_side: vec![0.0; n],
            residual: vec![0.0; n],
            correction: vec![0.0; n],
        }
    }
}

/// Solves `A x = b` in place, measures the residual, refines once when it is above
/// [`REFINE_ABOVE`], and refuses the result above [`REFUSE_ABOVE`].
///
/// `x` holds `b` on entry. On error `x` holds the rejected solution.
pub(super) fn solve_checked(
    factored: &mut impl Factored,
    x: &mut [f64],
    scratch: &mut RefineScratch,
) -> Result<SolveReport, SolveError> {
    let RefineScratch {
        right_hand_side: b,
        residual: r,
        correction,
    } = scratch;
    b.copy_from_slice(x);
    let norm_b = max_abs(b);
    if !norm_b.is_finite() {
        return Err(SolveError::NotFinite {
            place: "right-hand side",
        });
    }
    let norm_a = factored.norm();
    factored.solve_unchecked(x);
    factored.residual(b, x, r);
    let mut relative = relative_residual(norm_a, norm_b, x, r)?;
    let mut refined = false;
    if relative > REFINE_ABOVE {
        // x + A^-1 (b - A x), kept if the residual is smaller
        correction.copy_from_slice(r);
        factored.solve_unchecked(correction);
        x.iter_mut()
            .zip(correction.iter())
            .for_each(|(x, d)| *x += d);
        factored.residual(b, x, r);
        match relative_residual(norm_a, norm_b, x, r) {
            Ok(better) if better < relative => (relative, refined) = (better, true),
            _ => x
                .iter_mut()
                .zip(correction.iter())
                .for_each(|(x, d)| *x -= d),
        }
    }
    if relative > REFUSE_ABOVE {
        return Err(SolveError::ResidualTooLarge { relative });
    }
    Ok(SolveReport {
        relative_residual: relative,
        refined,
    })
}

/// `|r| / (|A| |x| + |b|)`; zero for a zero right-hand side solved by zero.
fn relative_residual(norm_a: f64, norm_b: f64, x: &[f64], r: &[f64]) -> Result<f64, SolveError> {
    let (norm_x, norm_r) = (max_abs(x), max_abs(r));
    if !(norm_x.is_finite() && norm_r.is_finite()) {
        return Err(SolveError::NotFinite { place: "solution" });
    }
    // Also zero over zero.
    if norm_r == 0.0 {
        return Ok(0.0);
    }
    Ok(norm_r / (norm_a * norm_x + norm_b))
}
