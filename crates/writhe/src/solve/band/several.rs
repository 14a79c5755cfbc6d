//! Several right-hand sides at once, side by side in lanes.

use super::BLOCKED;
use super::lu::BandLu;
use crate::solve::error::{SolveError, expect_length};

/// Right-hand sides that are solved at once.
pub(crate) const LANES: usize = 8;
/// One number of each.
pub(crate) type Lanes = [f64; LANES];

impl BandLu {
    /// As [`BandLu::solve_unchecked`] for [`LANES`] right-hand sides, `(n)`, which are zero before row
    /// `first`.
    ///
    /// # Errors
    /// [`SolveError::NotFactored`] and [`SolveError::WrongLength`].
    pub(crate) fn solve_lanes(&self, first: usize, x: &mut [Lanes]) -> Result<(), SolveError> {
        expect_length(self.n, x.len())?;
        if !self.factored {
            return Err(SolveError::NotFactored);
        }
        pulp::Arch::new().dispatch(SubstituteLanes { lu: self, first, x });
        Ok(())
    }

    /// `x <- L^-1 P x`, for any half-bandwidth.
    #[inline(always)]
    fn lanes_forward(&self, first: usize, x: &mut [Lanes]) {
        let b = self.half_bandwidth;
        // Rows are exchanged with later ones alone, so that nothing happens before the first.
        for k in first.saturating_sub(b)..self.n {
            let offset = self.exchanges[k] as usize;
            if offset > 0 {
                x.swap(k, k + offset);
            }
            let pivot = x[k];
            for (entry, multiplier) in x[k + 1..].iter_mut().zip(&self.multipliers[k * b..][..b]) {
                subtract(entry, *multiplier, &pivot);
            }
        }
    }

    /// The same for half-bandwidth `B` without exchanges, with the entries that are still to change
    /// held in registers.
    #[inline(always)]
    fn lanes_forward_fixed<const B: usize>(&self, first: usize, x: &mut [Lanes]) {
        let mut window = [[0.0; LANES]; B];
        for (entry, value) in window.iter_mut().zip(&x[first..]) {
            *entry = *value;
        }
        let (multipliers, _) = self.multipliers.as_chunks::<B>();
        for (k, multipliers) in multipliers.iter().enumerate().skip(first) {
            let incoming = x.get(k + B).copied().unwrap_or_default();
            let pivot = window[0];
            x[k] = pivot;
            for index in 0..B - 1 {
                let mut next = window[index + 1];
                subtract(&mut next, multipliers[index], &pivot);
                window[index] = next;
            }
            window[B - 1] = incoming;
            subtract(&mut window[B - 1], multipliers[B - 1], &pivot);
        }
    }

    /// `x <- U^-1 x`, for any half-bandwidth.
    #[inline(always)]
    fn lanes_backward(&self, x: &mut [Lanes]) {
        for k in (0..self.n).rev() {
            let width = self.upper_width.min(self.n - 1 - k);
            let at = self.diagonal(k) + 1;
            let mut value = x[k];
            for (entry, other) in self.rows[at..at + width].iter().zip(&x[k + 1..]) {
                subtract(&mut value, *entry, other);
            }
            x[k] = value.map(|v| v * self.reciprocals[k]);
        }
    }

    /// The same for half-bandwidth `B` without fill, with the entries above in registers.
    #[inline(always)]
    fn lanes_backward_fixed<const B: usize>(&self, x: &mut [Lanes]) {
        // Those of the B rows below the one that is found next, nearest first.
        let mut window = [[0.0; LANES]; B];
        for k in (0..self.n).rev() {
            let at = self.diagonal(k) + 1;
            let Some(upper) = self.rows[at..].first_chunk::<B>() else {
                return;
            };
            // The nearest last: it is the one that was found last.
            let mut value = x[k];
            for index in (0..B).rev() {
                subtract(&mut value, upper[index], &window[index]);
            }
            let value = value.map(|v| v * self.reciprocals[k]);
            for index in (1..B).rev() {
                window[index] = window[index - 1];
            }
            window[0] = value;
            x[k] = value;
        }
    }
}

/// `value -= factor * by`.
#[inline(always)]
fn subtract(value: &mut Lanes, factor: f64, by: &Lanes) {
    for (value, by) in value.iter_mut().zip(by) {
        *value = (-factor).mul_add(*by, *value);
    }
}

/// The forward and the backward substitution.
struct SubstituteLanes<'a> {
    lu: &'a BandLu,
    first: usize,
    x: &'a mut [Lanes],
}

impl pulp::WithSimd for SubstituteLanes<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self { lu, first, x } = self;
        let scale = |x: &mut [Lanes]| {
            for (x, s) in x.iter_mut().zip(&lu.scale) {
                x.iter_mut().for_each(|x| *x *= s);
            }
        };
        scale(x);
        // Only without exchanges does U keep the bandwidth.
        match (lu.half_bandwidth, lu.upper_width) {
            (BLOCKED, BLOCKED) => {
                lu.lanes_forward_fixed::<BLOCKED>(first, x);
                lu.lanes_backward_fixed::<BLOCKED>(x);
            }
            _ => {
                lu.lanes_forward(first, x);
                lu.lanes_backward(x);
            }
        }
        scale(x);
    }
}
