//! Its factor.

use super::BLOCKED;
use super::matrix::{BandMatrix, NormBound, Residual, dot};
use super::panel::{
    DIAGONAL_THRESHOLD, PADDING, PANEL, PANEL_LANES, PANEL_ROWS, STRIDE, factor_panel, subtract,
};
use crate::solve::error::{SolveError, expect_length};
use crate::solve::refine::{Factored, RefineScratch, SolveReport, solve_checked};

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
/// same column*, which makes the active window of the elimination an ordinary dense array, and
/// rows are padded by zeros so that its width can be fixed at compile time.
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
        let stride = 3 * b + PADDING;
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
        pulp::Arch::new().dispatch(Substitute { lu: self, x });
        Ok(())
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

    /// Copies rows `from .. to` into the working array and takes their norm into account.
    #[inline(always)]
    fn load(&mut self, matrix: &BandMatrix, from: usize, to: usize) {
        let width = 2 * self.half_bandwidth + 1;
        let working = self.rows[from * (self.stride + 1)..].chunks_exact_mut(self.stride + 1);
        let stored = matrix.values[from * width..to * width].chunks_exact(width);
        let b = self.half_bandwidth;
        for ((row, stored), i) in working.zip(stored).zip(from..) {
            for ((entry, value), column) in row.iter_mut().zip(stored).zip(i..) {
                // Column `i - b` comes first; corners that stick out are zero.
                let other = column.checked_sub(b).and_then(|j| self.scale.get(j));
                *entry = value * self.scale[i] * other.unwrap_or(&1.0);
            }
            row[width..].fill(0.0);
            self.norm.add_row(stored);
        }
    }

    /// [`Self::load`] with rows of `STORED` entries and `WORKING` places.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // Three arrays go together.
    fn load_fixed<const STORED: usize, const WORKING: usize>(
        &mut self,
        matrix: &BandMatrix,
        from: usize,
        to: usize,
    ) {
        let (working, _) = self.rows[from * WORKING..].as_chunks_mut::<WORKING>();
        let (stored, _) = matrix.values[from * STORED..to * STORED].as_chunks::<STORED>();
        let mut norm = self.norm;
        for ((row, stored), i) in working.iter_mut().zip(stored).zip(from..) {
            let scale = self.scale[i];
            match i
                .checked_sub(BLOCKED)
                .and_then(|j| self.scale[j..].first_chunk::<STORED>())
            {
                // All at once: nothing tells that what is written is not what is read.
                Some(others) => {
                    let scaled: [f64; STORED] =
                        std::array::from_fn(|k| stored[k] * scale * others[k]);
                    row[..STORED].copy_from_slice(&scaled);
                }
                // Near the corners, whose entries that stick out are zero.
                None => {
                    for k in 0..STORED {
                        let other = (i + k).checked_sub(BLOCKED).and_then(|j| self.scale.get(j));
                        row[k] = stored[k] * scale * other.unwrap_or(&1.0);
                    }
                }
            }
            row[STORED..].fill(0.0);
            norm.add_row(stored);
        }
        self.norm = norm;
    }

    /// Gaussian elimination for half-bandwidth [`BLOCKED`]: four columns at a time while no row
    /// exchange is called for, else one column.
    #[inline(always)]
    fn eliminate_blocked(&mut self, matrix: &BandMatrix) -> Result<(), SolveError> {
        let (mut reach, mut k, mut loaded) = (0, 0, 0);
        self.upper_width = self.half_bandwidth;
        while k < self.n {
            // Rows are loaded just before they are needed, to be in the cache then.
            if loaded < self.n && loaded < k + PANEL_ROWS {
                let to = (loaded + 32).min(self.n);
                self.load_fixed::<{ 2 * BLOCKED + 1 }, { STRIDE + 1 }>(matrix, loaded, to);
                loaded = to;
            }
            // The panel's rows reach 12 columns right of it at most, 20 after exchanges.
            let done = if k + PANEL_ROWS > self.n {
                false
            } else if reach < k + BLOCKED + PANEL {
                self.eliminate_panel::<12>(k)
            } else {
                self.eliminate_panel::<20>(k)
            };
            if done {
                k += PANEL;
            } else {
                self.eliminate_column(k, &mut reach)?;
                k += 1;
            }
        }
        Ok(())
    }

    /// Gaussian elimination one column at a time, for any half-bandwidth.
    #[inline(always)]
    fn eliminate_by_columns(&mut self) -> Result<(), SolveError> {
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

    /// Eliminates the columns `k .. k + 4` at once if their diagonals serve as pivots; otherwise
    /// changes nothing and returns false. `WIDTH` columns right of them are updated.
    ///
    /// The four columns are factorised in registers; the rest of the window is then read and
    /// written once instead of four times.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // Rows and columns of several arrays go together.
    fn eliminate_panel<const WIDTH: usize>(&mut self, k: usize) -> bool {
        let at = k * (STRIDE + 1) + BLOCKED;
        // The four columns, transposed, with all rows that they reach.
        let mut panel = [[0.0; PANEL_LANES]; PANEL];
        for row in 0..PANEL_ROWS {
            let Some(entries) = self.rows[at + row * STRIDE..].first_chunk::<PANEL>() else {
                return false;
            };
            for column in 0..PANEL {
                panel[column][row] = entries[column];
            }
        }
        let mut multipliers = [[0.0; PANEL_LANES]; PANEL];
        let mut reciprocals = [0.0; PANEL];
        if !factor_panel(&mut panel, &mut multipliers, &mut reciprocals) {
            return false;
        }
        for column in 0..PANEL {
            let from = (k + column) * BLOCKED;
            let Some(kept) = self.multipliers[from..].first_chunk_mut::<BLOCKED>() else {
                return false;
            };
            for below in 0..BLOCKED {
                kept[below] = multipliers[column][column + 1 + below];
            }
            self.reciprocals[k + column] = reciprocals[column];
            self.exchanges[k + column] = 0;
        }
        // Right of the panel, its own four rows: U = L^-1 of what stands there.
        let mut upper = [[0.0; WIDTH]; PANEL];
        for row in 0..PANEL {
            let stored = &mut self.rows[at + row * STRIDE..];
            for column in row..PANEL {
                stored[column] = panel[column][row];
            }
            let Some(right) = stored[PANEL..].first_chunk_mut::<WIDTH>() else {
                return false;
            };
            let mut values = *right;
            for above in 0..row {
                let multiplier = -multipliers[above][row];
                for column in 0..WIDTH {
                    values[column] = multiplier.mul_add(upper[above][column], values[column]);
                }
            }
            *right = values;
            upper[row] = values;
        }
        // The rows below: minus their multipliers times these rows of U.
        for row in PANEL..PANEL_ROWS {
            let stored = &mut self.rows[at + row * STRIDE + PANEL..];
            let Some(right) = stored.first_chunk_mut::<WIDTH>() else {
                return false;
            };
            let mut values = *right;
            for above in 0..PANEL {
                let multiplier = -multipliers[above][row];
                for column in 0..WIDTH {
                    values[column] = multiplier.mul_add(upper[above][column], values[column]);
                }
            }
            *right = values;
        }
        true
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

    /// [`Self::substitute_forward`] for half-bandwidth `B`, with the entries that are still to
    /// change held in registers: stores that are loaded again at once, at another alignment, are
    /// what makes the plain loop slow.
    #[inline(always)]
    fn substitute_forward_fixed<const B: usize>(&self, x: &mut [f64]) {
        let mut window = [0.0; B];
        let n = self.n;
        for (entry, value) in window.iter_mut().zip(&*x) {
            *entry = *value;
        }
        let (multipliers, _) = self.multipliers.as_chunks::<B>();
        for (k, multipliers) in multipliers.iter().enumerate() {
            let offset = self.exchanges[k] as usize;
            if offset > 0 {
                // An exchange needs the entries in memory.
                let last = (k + B).min(n);
                x[k..last]
                    .iter_mut()
                    .zip(&window)
                    .for_each(|(entry, value)| *entry = *value);
                x.swap(k, k + offset);
                window
                    .iter_mut()
                    .zip(&x[k..last])
                    .for_each(|(value, entry)| *value = *entry);
            }
            let incoming = if k + B < n { x[k + B] } else { 0.0 };
            let pivot = window[0];
            x[k] = pivot;
            for index in 0..B - 1 {
                window[index] = (-multipliers[index]).mul_add(pivot, window[index + 1]);
            }
            window[B - 1] = (-multipliers[B - 1]).mul_add(pivot, incoming);
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

    /// [`Self::substitute_backward`] for half-bandwidth [`BLOCKED`] without fill, column by
    /// column, with the entries that are still to change held in registers.
    #[inline(always)]
    fn substitute_backward_fixed(&self, x: &mut [f64]) {
        // Without fill U has the matrix's bandwidth, and a column of it lies at a fixed distance.
        const COLUMN: usize = BLOCKED * STRIDE;
        let mut window = [0.0; BLOCKED];
        for (entry, value) in window.iter_mut().zip(x.iter().rev()) {
            *entry = *value;
        }
        for k in (BLOCKED..self.n).rev() {
            let solution = window[0] * self.reciprocals[k];
            let Some(column) = self.rows[self.diagonal(k) - COLUMN..].first_chunk::<COLUMN>()
            else {
                return;
            };
            for above in 1..BLOCKED {
                let entry = column[(BLOCKED - above) * STRIDE];
                window[above - 1] = (-entry).mul_add(solution, window[above]);
            }
            window[BLOCKED - 1] = (-column[0]).mul_add(solution, x[k - BLOCKED]);
            x[k] = solution;
        }
        let first = BLOCKED.min(self.n);
        x[..first]
            .iter_mut()
            .rev()
            .zip(&window)
            .for_each(|(entry, value)| *entry = *value);
        for k in (0..first).rev() {
            let solution = x[k] * self.reciprocals[k];
            x[k] = solution;
            for above in 1..=k {
                let entry = self.rows[self.diagonal(k) - above * STRIDE];
                x[k - above] = (-entry).mul_add(solution, x[k - above]);
            }
        }
    }
}

/// The power of two nearest to `1/sqrt(|a|)`, up to a factor of two; 1 where there is none.
fn inverse_root(a: f64) -> f64 {
    let exponent = (a.to_bits() >> 52 & 0x7ff) as i64 - 1023;
    // Zero, subnormal, infinite or NaN.
    if exponent == -1023 || exponent == 1024 {
        return 1.0;
    }
    f64::from_bits(((1023 - exponent.div_euclid(2)) as u64) << 52)
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
        let outcome = match lu.half_bandwidth {
            BLOCKED => lu.eliminate_blocked(matrix),
            _ => {
                lu.load(matrix, 0, lu.n);
                lu.eliminate_by_columns()
            }
        };
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
        match lu.half_bandwidth {
            BLOCKED => lu.substitute_forward_fixed::<BLOCKED>(x),
            _ => lu.substitute_forward(x),
        }
        // Only without exchanges does U keep the bandwidth.
        match (lu.half_bandwidth, lu.upper_width) {
            (BLOCKED, BLOCKED) => lu.substitute_backward_fixed(x),
            _ => lu.substitute_backward(x),
        }
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
