//! Its factor.

use super::matrix::{BandMatrix, NormBound, Residual, dot};
use crate::solve::error::{SolveError, expect_length};
use crate::solve::refine::{Factored, RefineScratch, SolveReport, solve_checked};

/// A pivot on the diagonal is kept when it is at least this fraction of the largest entry below
/// it. Keeping it avoids the fill of a row exchange, which halves the work on matrices that are
/// near positive definite; the growth this allows is caught by the residual check.
const DIAGONAL_THRESHOLD: f64 = 0.1;

/// LU factorisation of a [`BandMatrix`] with row exchanges.
///
/// A row is exchanged when the diagonal is below a tenth of the largest entry under it (threshold
/// partial pivoting). Every elementary operation, fused products included, is the same on every
/// machine, so factors are reproducible bit for bit.
///
/// Rows and columns are scaled by powers of two that make the diagonal nearly one, which rounds
/// nothing: unknowns of different units (lengths and angles) would otherwise call for exchanges that
/// nothing but their units asks for, and exchanges cost a third of a factorisation and half of a
/// substitution.
///
/// Rows of the working array are skewed: row `i` starts `stride` numbers after row `i - 1` *in the
/// same column*, which makes the active window of the elimination an ordinary dense array.
#[derive(Debug, Clone)]
pub struct BandLu {
    pub(super) n: usize,
    pub(super) half_bandwidth: usize,
    /// Distance between an entry and the one below it.
    stride: usize,
    /// Powers of two: what is factorised is `scale_i A_ij scale_j`.
    pub(super) scale: Vec<f64>,
    /// Working rows; on exit row `k` holds `U(k, k..)`.
    pub(super) rows: Vec<f64>,
    /// Shape `(n, b)`: multipliers of step `k`, after its row exchange.
    pub(super) multipliers: Vec<f64>,
    /// `1 / U(k, k)`.
    pub(super) reciprocals: Vec<f64>,
    /// Rows by which the pivot row of step `k` was found below `k`.
    pub(super) exchanges: Vec<u32>,
    /// Number of stored entries right of the diagonal in `U` that may differ from zero.
    pub(super) upper_width: usize,
    norm: NormBound,
    pub(super) factored: bool,
    scratch: RefineScratch,
}

impl BandLu {
    /// Storage for the factor of an `(n, n)` matrix. Memory: about `n (4 b + 10)` numbers.
    pub fn new(n: usize, half_bandwidth: usize) -> Self {
        let b = half_bandwidth;
        let stride = 3 * b + 1;
        Self {
            n,
            half_bandwidth: b,
            stride,
            scale: vec![1.0; n],
            rows: vec![0.0; (n + 1) * (stride + 1) + b],
            multipliers: vec![0.0; n * b],
            reciprocals: vec![0.0; n],
            exchanges: vec![0; n],
            upper_width: b,
            norm: NormBound::default(),
            factored: false,
            scratch: RefineScratch::new(n),
        }
    }

    /// Factorises `matrix` into the kept storage. Cost: `2 n b^2` to `4 n b^2` operations, no
    /// allocation.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] for a matrix of another shape, [`SolveError::NotFinite`] when
    /// it holds a NaN or an infinity, [`SolveError::Singular`] when a column offers no pivot.
    pub fn factor(&mut self, matrix: &BandMatrix) -> Result<(), SolveError> {
        expect_length(self.n, matrix.n)?;
        expect_length(self.half_bandwidth, matrix.half_bandwidth)?;
        self.factored = false;
        let (b, width) = (self.half_bandwidth, 2 * self.half_bandwidth + 1);
        for (scale, row) in self.scale.iter_mut().zip(matrix.values.chunks_exact(width)) {
            *scale = inverse_root(row[b]);
        }
        pulp::Arch::new().dispatch(Factor { lu: self, matrix })?;
        self.factored = true;
        Ok(())
    }

    /// Solves `A x = b` in place and checks the result against `matrix`, which must be the one
    /// that was factorised; refines once if the relative residual exceeds 1e-12.
    /// Cost: about `12 n b` operations, no allocation.
    ///
    /// # Errors
    /// [`SolveError::NotFactored`], [`SolveError::WrongLength`], [`SolveError::NotFinite`], and
    /// [`SolveError::ResidualTooLarge`] above 1e-6; `x` is then not a solution.
    pub fn solve(&mut self, matrix: &BandMatrix, x: &mut [f64]) -> Result<SolveReport, SolveError> {
        expect_length(self.n, matrix.n)?;
        expect_length(self.half_bandwidth, matrix.half_bandwidth)?;
        self.expect_ready(x)?;
        let mut scratch = std::mem::take(&mut self.scratch);
        let outcome = solve_checked(&mut CheckedBand { lu: self, matrix }, x, &mut scratch);
        self.scratch = scratch;
        outcome
    }

    /// Solves `A x = b` in place without looking at the residual, as a preconditioner does.
    /// Cost: `4 n b` to `6 n b` operations.
    ///
    /// # Errors
    /// [`SolveError::NotFactored`] and [`SolveError::WrongLength`].
    pub fn solve_unchecked(&self, x: &mut [f64]) -> Result<(), SolveError> {
        self.expect_ready(x)?;
        self.substitute(x);
        Ok(())
    }

    /// Substitutes in a vector of the right length with the last factor.
    pub(in crate::solve) fn substitute(&self, x: &mut [f64]) {
        pulp::Arch::new().dispatch(Substitute { lu: self, x });
    }

    fn expect_ready(&self, x: &[f64]) -> Result<(), SolveError> {
        expect_length(self.n, x.len())?;
        if self.factored {
            Ok(())
        } else {
            Err(SolveError::NotFactored)
        }
    }

    /// Position of `(row, row)` in the working array.
    #[inline(always)]
    pub(super) fn diagonal(&self, row: usize) -> usize {
        row * (self.stride + 1) + self.half_bandwidth
    }

    /// Copies the matrix into the working array and takes its norm.
    #[inline(always)]
    fn load(&mut self, matrix: &BandMatrix) {
        let width = 2 * self.half_bandwidth + 1;
        let working = self.rows.chunks_exact_mut(self.stride + 1);
        let stored = matrix.values.chunks_exact(width);
        let b = self.half_bandwidth;
        for ((row, stored), i) in working.zip(stored).zip(0_usize..) {
            for ((entry, value), column) in row.iter_mut().zip(stored).zip(i..) {
                // Column `i - b` comes first; corners that stick out are zero.
                let other = column.checked_sub(b).and_then(|j| self.scale.get(j));
                *entry = value * self.scale[i] * other.unwrap_or(&1.0);
            }
            row[width..].fill(0.0);
            self.norm.add_row(stored);
        }
    }

    /// Gaussian elimination, one column at a time.
    #[inline(always)]
    fn eliminate(&mut self) -> Result<(), SolveError> {
        let mut reach = 0;
        self.upper_width = self.half_bandwidth;
        (0..self.n).try_for_each(|k| self.eliminate_column(k, &mut reach))
    }

    /// Eliminates column `k`: exchanges rows if need be, then subtracts multiples of the pivot
    /// row from the `b` rows below. `reach` is the last column that the pivot row may fill.
    #[inline(always)]
    fn eliminate_column(&mut self, k: usize, reach: &mut usize) -> Result<(), SolveError> {
        let b = self.half_bandwidth;
        let below = b.min(self.n - 1 - k);
        let offset = self.choose_pivot(k, below);
        self.exchanges[k] = offset as u32;
        // A pivot row from further down reaches further right.
        *reach = (*reach).max(k + b + offset);
        let width = *reach - k;
        if offset > 0 {
            self.exchange(k, offset, width + 1);
        }
        self.upper_width = self.upper_width.max(width);
        let diagonal = self.diagonal(k);
        // A pivot of zero, or so small that its reciprocal overflows, is none.
        let reciprocal = 1.0 / self.rows[diagonal];
        if !reciprocal.is_finite() {
            return Err(SolveError::Singular { row: k });
        }
        self.reciprocals[k] = reciprocal;
        let (pivot, rest) = self.rows[diagonal..].split_at_mut(self.stride);
        let multipliers = &mut self.multipliers[k * b..k * b + below];
        for (multiplier, target) in multipliers.iter_mut().zip(rest.chunks_mut(self.stride)) {
            *multiplier = target[0] * reciprocal;
            subtract(&mut target[1..=width], *multiplier, &pivot[1..=width]);
        }
        Ok(())
    }

    /// Distance from row `k` down to the row that serves as pivot of column `k`.
    #[inline(always)]
    fn choose_pivot(&self, k: usize, below: usize) -> usize {
        let column = &self.rows[self.diagonal(k)..];
        let mut largest = 0.0;
        for entry in column.iter().step_by(self.stride).skip(1).take(below) {
            let magnitude = entry.abs();
            largest = if magnitude > largest {
                magnitude
            } else {
                largest
            };
        }
        // The diagonal stays pivot if it may: an exchange fills the band.
        if column[0].abs() >= DIAGONAL_THRESHOLD * largest {
            return 0;
        }
        let found = column
            .iter()
            .step_by(self.stride)
            .position(|entry| entry.abs() == largest);
        found.unwrap_or(0)
    }

    /// Swaps the first `length` numbers, from column `k` on, of row `k` with those `offset` below.
    fn exchange(&mut self, k: usize, offset: usize, length: usize) {
        let at = self.diagonal(k);
        let (upper, lower) = self.rows.split_at_mut(at + offset * self.stride);
        upper[at..at + length].swap_with_slice(&mut lower[..length]);
    }

    /// `x <- L^-1 P x`.
    #[inline(always)]
    fn substitute_forward(&self, x: &mut [f64]) {
        let b = self.half_bandwidth;
        for k in 0..self.n {
            let offset = self.exchanges[k] as usize;
            // What was exchanged in the matrix is exchanged on the right-hand side.
            if offset > 0 {
                x.swap(k, k + offset);
            }
            let pivot = -x[k];
            for (entry, multiplier) in x[k + 1..].iter_mut().zip(&self.multipliers[k * b..][..b]) {
                *entry = multiplier.mul_add(pivot, *entry);
            }
        }
    }

    /// `x <- U^-1 x`.
    #[inline(always)]
    fn substitute_backward(&self, x: &mut [f64]) {
        for k in (0..self.n).rev() {
            let width = self.upper_width.min(self.n - 1 - k);
            let at = self.diagonal(k) + 1;
            let sum = dot(&self.rows[at..at + width], &x[k + 1..k + 1 + width]);
            x[k] = (x[k] - sum) * self.reciprocals[k];
        }
    }
}

/// `target -= multiplier * pivot`.
#[inline(always)]
fn subtract(target: &mut [f64], multiplier: f64, pivot: &[f64]) {
    for (target, pivot) in target.iter_mut().zip(pivot) {
        *target = (-multiplier).mul_add(*pivot, *target);
    }
}

/// The power of two nearest to `1/sqrt(|a|)`, up to a factor of two; 1 where there is none.
#[inline(always)]
pub(in crate::solve) fn inverse_root(a: f64) -> f64 {
    let exponent = (a.to_bits() >> 52 & 0x7ff) as i64 - 1023;
    // Zero, subnormal, infinite or NaN.
    let power = f64::from_bits(((1023 - (exponent >> 1)) as u64) << 52);
    if exponent == -1023 || exponent == 1024 {
        1.0
    } else {
        power
    }
}

/// The whole factorisation.
struct Factor<'a> {
    lu: &'a mut BandLu,
    matrix: &'a BandMatrix,
}

impl pulp::WithSimd for Factor<'_> {
    type Output = Result<(), SolveError>;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Self::Output {
        let Self { lu, matrix } = self;
        lu.norm = NormBound::default();
        lu.load(matrix);
        let outcome = lu.eliminate();
        // A NaN in the matrix is the cause of whatever elimination came to.
        if lu.norm.bound().is_finite() {
            outcome
        } else {
            Err(SolveError::NotFinite { place: "matrix" })
        }
    }
}

/// The forward and the backward substitution.
struct Substitute<'a> {
    lu: &'a BandLu,
    x: &'a mut [f64],
}

impl pulp::WithSimd for Substitute<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self { lu, x } = self;
        x.iter_mut().zip(&lu.scale).for_each(|(x, s)| *x *= s);
        lu.substitute_forward(x);
        lu.substitute_backward(x);
        x.iter_mut().zip(&lu.scale).for_each(|(x, s)| *x *= s);
    }
}

/// A factor and the matrix it came from.
struct CheckedBand<'a> {
    lu: &'a BandLu,
    matrix: &'a BandMatrix,
}

impl Factored for CheckedBand<'_> {
    fn residual(&mut self, b: &[f64], x: &[f64], residual: &mut [f64]) {
        let matrix = self.matrix;
        pulp::Arch::new().dispatch(Residual {
            matrix,
            x,
            b,
            y: residual,
        });
    }

    fn solve_unchecked(&mut self, x: &mut [f64]) {
        pulp::Arch::new().dispatch(Substitute { lu: self.lu, x });
    }

    fn norm(&self) -> f64 {
        self.lu.norm.bound()
    }
}
