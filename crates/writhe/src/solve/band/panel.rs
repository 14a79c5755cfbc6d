//! Elimination of a few columns at once, for the half-bandwidth of rods.

use super::BLOCKED;

/// A pivot on the diagonal is kept when it is at least this fraction of the largest entry below
/// it. Keeping it avoids the fill of a row exchange, which halves the work on matrices that are
/// near positive definite; the growth this allows is caught by the residual check.
pub(super) const DIAGONAL_THRESHOLD: f64 = 0.1;

/// Zeros kept beyond the widest row, for kernels of fixed width to overrun into.
pub(super) const PADDING: usize = 8;

/// Distance between an entry and the one below it, for that half-bandwidth.
pub(super) const STRIDE: usize = 3 * BLOCKED + PADDING;
/// Columns eliminated at once.
pub(super) const PANEL: usize = 4;
/// Rows that those columns reach.
pub(super) const PANEL_ROWS: usize = BLOCKED + PANEL;
/// The same, rounded up to whole vectors.
pub(super) const PANEL_LANES: usize = 16;

type Panel = [[f64; PANEL_LANES]; PANEL];

/// LU without row exchanges of four columns, `panel[column][row]`, the diagonal at equal indices.
/// False when a diagonal is too small to serve as pivot.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // By index: the same loops over zipped arrays are slower.
pub(super) fn factor_panel(
    panel: &mut Panel,
    multipliers: &mut Panel,
    reciprocals: &mut [f64; PANEL],
) -> bool {
    let mut largest = [0.0; PANEL_LANES];
    for step in 0..PANEL {
        let reciprocal = 1.0 / panel[step][step];
        reciprocals[step] = reciprocal;
        for row in 0..PANEL_LANES {
            let multiplier = if row > step {
                panel[step][row] * reciprocal
            } else {
                0.0
            };
            let size = multiplier.abs();
            largest[row] = if size > largest[row] {
                size
            } else {
                largest[row]
            };
            multipliers[step][row] = multiplier;
        }
        for right in step + 1..PANEL {
            let above = panel[right][step];
            for row in 0..PANEL_LANES {
                panel[right][row] = (-multipliers[step][row]).mul_add(above, panel[right][row]);
            }
        }
    }
    // A NaN cannot hide: it comes from an infinite reciprocal or from an infinite multiplier.
    let mut admissible = true;
    for row in 0..PANEL_LANES {
        admissible &= largest[row] <= 1.0 / DIAGONAL_THRESHOLD;
    }
    admissible && reciprocals.iter().all(|reciprocal| reciprocal.is_finite())
}

/// `target -= multiplier * pivot`.
#[inline(always)]
pub(super) fn subtract(target: &mut [f64], multiplier: f64, pivot: &[f64]) {
    for (target, pivot) in target.iter_mut().zip(pivot) {
        *target = (-multiplier).mul_add(*pivot, *target);
    }
}

// Each of the following is compiled once per instruction set and chosen at run time.
