//! The lowest mode of `K u = lambda M u`.

use crate::solve::SolveError;
use crate::step::Variation;

/// Growth of the shift until all pivots are positive.
const GROWTH: f64 = 8.0;
/// Halvings of the shift's interval, in logarithms.
const HALVINGS: usize = 6;
/// Iterations of a mode.
const ITERATIONS: usize = 40;
/// Relative change of the distance between shift and eigenvalue at which a mode is found.
const FOUND: f64 = 1e-6;
/// Modes that are taken out before nothing is found.
const TAKEN: usize = 60;

/// A mode and its eigenvalue.
pub(super) struct Mode {
    /// 1/s^2.
    pub eigenvalue: f64,
    /// The mode u, scaled so that `u.M u` = 1, `(dofs)`.
    pub mode: Vec<f64>,
}

/// The mode of the lowest eigenvalue below `-bound`, 1/s^2, that is not to be `taken_out`; `None`
/// if there is none. The matrix of `variation` plus `bound` times the masses is not positive
/// definite.
pub(super) fn lowest(
    variation: &mut Variation,
    bound: f64,
    taken_out: impl Fn(f64, &[f64]) -> bool,
) -> Result<Option<Mode>, SolveError> {
    let shift = shift(variation, bound)?;
    let mut out: Vec<Vec<f64>> = Vec::new();
    for seed in 0..TAKEN as u64 {
        let (eigenvalue, mode) = iterate(variation, shift, &out, seed)?;
        // What is left lies above the bound.
        if eigenvalue > -bound {
            return Ok(None);
        }
        if !taken_out(eigenvalue, &mode) {
            return Ok(Some(Mode { eigenvalue, mode }));
        }
        out.push(mode);
    }
    Ok(None)
}

/// A shift just beyond the lowest eigenvalue, with which the matrix is factorised.
fn shift(variation: &mut Variation, bound: f64) -> Result<f64, SolveError> {
    // Only positive definite matrices are trusted (decision 0044): up by factors until one is.
    let (mut low, mut high) = (bound, GROWTH * bound);
    while !variation.is_positive(high)? {
        (low, high) = (high, GROWTH * high);
        if !high.is_finite() {
            return Err(SolveError::NotFactored);
        }
    }
    // Then down to just above minus the lowest eigenvalue, where inverse iteration is fast.
    for _ in 0..HALVINGS {
        let middle = (low * high).sqrt();
        if variation.is_positive(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    // A little beyond, where the matrix is not nearly singular.
    let shift = 1.05 * high;
    variation.is_positive(shift)?;
    Ok(shift)
}

/// Inverse iteration without the modes that were taken `out`; eigenvalue and mode.
fn iterate(
    variation: &mut Variation,
    shift: f64,
    out: &[Vec<f64>],
    seed: u64,
) -> Result<(f64, Vec<f64>), SolveError> {
    let mass = variation.mass.clone();
    let dot = |a: &[f64], b: &[f64]| -> f64 {
        let products = a.iter().zip(b).zip(&mass).map(|((a, b), m)| a * b * m);
        products.sum()
    };
    // M-orthogonal to the modes that were taken out.
    let project = |x: &mut [f64]| {
        for mode in out {
            let part = dot(mode, x);
            x.iter_mut().zip(mode).for_each(|(x, u)| *x -= part * u);
        }
    };
    let mut x = start(&mass, seed);
    project(&mut x);
    let mut before = f64::INFINITY;
    for _ in 0..ITERATIONS {
        let length = dot(&x, &x).sqrt();
        if !(length.is_finite() && length > 0.0) {
            return Err(SolveError::NotFinite { place: "mode" });
        }
        x.iter_mut().for_each(|x| *x /= length);
        let mut y: Vec<f64> = x.iter().zip(&mass).map(|(x, m)| m * x).collect();
        variation.solve(&mut y)?;
        project(&mut y);
        // (K + shift M) y = M x, so that this is Rayleigh's quotient of y, plus the shift.
        let distance = dot(&x, &y) / dot(&y, &y);
        x = y;
        if (distance - before).abs() <= FOUND * distance.abs() {
            before = distance;
            break;
        }
        before = distance;
    }
    let length = dot(&x, &x).sqrt();
    x.iter_mut().for_each(|x| *x /= length);
    Ok((before - shift, x))
}

/// A vector without any symmetry, the same each time.
fn start(mass: &[f64], seed: u64) -> Vec<f64> {
    let mut bits = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed + 1);
    let mut next = || {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        (bits >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    // Equal velocities would leave heavy unknowns alone.
    let value = |m: &f64| if *m > 0.0 { next() / m.sqrt() } else { 0.0 };
    mass.iter().map(value).collect()
}
