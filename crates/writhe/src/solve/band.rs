//! Banded matrices and their LU factorisation.
//!
//! A chain of nodes with interleaved unknowns couples an unknown only to its neighbours, so the
//! matrix has entries `(i, j)` with `|i - j| <= b` alone, `b` the *half-bandwidth*. Elimination
//! keeps the band: row exchanges widen the upper half to at most `2 b`.
//!
//! [`BandMatrix`] is what is assembled, [`BandLu`] its factor; the two are apart so that the
//! matrix is still there when the residual of a solve is checked.

use super::error::{SolveError, expect_length};
use super::refine::{Factored, RefineScratch, SolveReport, solve_checked};

/// A pivot on the diagonal is kept when it is at least this fraction of the largest entry below
/// it. Keeping it avoids the fill of a row exchange, which halves the work on matrices that are
/// near positive definite; the growth this allows is caught by the residual check.
const DIAGONAL_THRESHOLD: f64 = 0.1;

/// Square matrix with entries only within `half_bandwidth` of the diagonal.
///
/// Row `i` is stored as `2 b + 1` contiguous numbers, for columns `i - b ..= i + b`; the corners
/// that stick out of the matrix are stored too and stay zero.
#[derive(Debug, Clone, PartialEq)]
pub struct BandMatrix {
    n: usize,
    half_bandwidth: usize,
    values: Vec<f64>,
}

impl BandMatrix {
    /// The zero matrix of shape `(n, n)`. Memory: `n (2 b + 1)` numbers.
    pub fn new(n: usize, half_bandwidth: usize) -> Self {
        Self {
            n,
            half_bandwidth,
            values: vec![0.0; n * (2 * half_bandwidth + 1)],
        }
    }

    /// Number of unknowns.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Number of diagonals on each side of the main one.
    pub fn half_bandwidth(&self) -> usize {
        self.half_bandwidth
    }

    /// Sets every entry to zero, keeping the storage.
    pub fn set_zero(&mut self) {
        self.values.fill(0.0);
    }

    /// Entry `(row, column)`; zero outside the band.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.position(row, column).map_or(0.0, |at| self.values[at])
    }

    /// Adds `value` to the entry `(row, column)`.
    ///
    /// # Errors
    /// [`SolveError::OutsidePattern`] when the entry lies outside the band or the matrix.
    pub fn add(&mut self, row: usize, column: usize, value: f64) -> Result<(), SolveError> {
        let at = self
            .position(row, column)
            .ok_or(SolveError::OutsidePattern { row, column })?;
        self.values[at] += value;
        Ok(())
    }

    /// Adds a dense block: entry `(p, q)` of the row-major `values`, shape `(m, m)`, goes to
    /// `(dofs[p], dofs[q])`. Unknowns in consecutive order are added row by row.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when `values` is not `m * m` long,
    /// [`SolveError::OutsidePattern`] when two unknowns are further apart than the half-bandwidth;
    /// nothing is added in either case.
    pub fn add_block(&mut self, dofs: &[u32], values: &[f64]) -> Result<(), SolveError> {
        let m = dofs.len();
        expect_length(m * m, values.len())?;
        let (Some(&first), Some(&last)) = (dofs.iter().min(), dofs.iter().max()) else {
            return Ok(());
        };
        let (first, last) = (first as usize, last as usize);
        if last >= self.n || last - first > self.half_bandwidth {
            return Err(SolveError::OutsidePattern {
                row: first,
                column: last,
            });
        }
        let (b, width) = (self.half_bandwidth, 2 * self.half_bandwidth + 1);
        let consecutive = dofs.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        for (&dof, block_row) in dofs.iter().zip(values.chunks_exact(m)) {
            let row = dof as usize;
            let stored = &mut self.values[row * width..(row + 1) * width];
            if consecutive {
                let from = first + b - row;
                for (entry, value) in stored[from..from + m].iter_mut().zip(block_row) {
                    *entry += value;
                }
            } else {
                for (&column, value) in dofs.iter().zip(block_row) {
                    stored[column as usize + b - row] += value;
                }
            }
        }
        Ok(())
    }

    /// Adds `scale * diagonal[i]` to every diagonal entry.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when `diagonal` does not have `n` entries.
    pub fn add_diagonal(&mut self, scale: f64, diagonal: &[f64]) -> Result<(), SolveError> {
        expect_length(self.n, diagonal.len())?;
        let (b, width) = (self.half_bandwidth, 2 * self.half_bandwidth + 1);
        for (row, value) in self.values.chunks_exact_mut(width).zip(diagonal) {
            row[b] += scale * value;
        }
        Ok(())
    }

    /// Replaces row and column `dof` by zeros and `diagonal` where they meet. Cost: O(b).
    ///
    /// # Errors
    /// [`SolveError::OutsidePattern`] when there is no such unknown.
    pub fn fix_dof(&mut self, dof: usize, diagonal: f64) -> Result<(), SolveError> {
        if dof >= self.n {
            return Err(SolveError::OutsidePattern {
                row: dof,
                column: dof,
            });
        }
        let (b, width) = (self.half_bandwidth, 2 * self.half_bandwidth + 1);
        for row in dof.saturating_sub(b)..(dof + b + 1).min(self.n) {
            self.values[row * width + dof + b - row] = 0.0;
        }
        let stored = &mut self.values[dof * width..(dof + 1) * width];
        stored.fill(0.0);
        stored[b] = diagonal;
        Ok(())
    }

    /// `y = A x`. Cost: O(n b).
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when `x` or `y` does not have `n` entries.
    pub fn mul(&self, x: &[f64], y: &mut [f64]) -> Result<(), SolveError> {
        expect_length(self.n, x.len())?;
        expect_length(self.n, y.len())?;
        pulp::Arch::new().dispatch(Product {
            matrix: self,
            x,
            b: None,
            y,
        });
        Ok(())
    }

    fn position(&self, row: usize, column: usize) -> Option<usize> {
        let inside = row < self.n && column < self.n && row.abs_diff(column) <= self.half_bandwidth;
        inside.then(|| row * 2 * self.half_bandwidth + column + self.half_bandwidth)
    }
}

/// Scalar product in four interleaved partial sums.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a_chunks, a_rest) = a.as_chunks::<4>();
    let (b_chunks, b_rest) = b.as_chunks::<4>();
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..4 {
            sums[lane] = a[lane].mul_add(b[lane], sums[lane]);
        }
    }
    for (lane, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        sums[lane] = a.mul_add(*b, sums[lane]);
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

/// LU factorisation of a [`BandMatrix`] with row exchanges.
///
/// A row is exchanged when the diagonal is below a tenth of the largest entry under it
/// (threshold partial pivoting). Every elementary operation, fused products included, is the same on
/// every machine, so factors are reproducible bit for bit.
///
/// Rows of the working array are skewed: row `i` starts `stride` numbers after row `i - 1` *in the
/// same column*, which makes the active window of the elimination an ordinary dense array, and
/// rows are padded by zeros so that its width can be fixed at compile time.
#[derive(Debug, Clone)]
pub struct BandLu {
    n: usize,
    half_bandwidth: usize,
    /// Distance between an entry and the one below it.
    stride: usize,
    /// Working rows; on exit row `k` holds `U(k, k..)`.
    rows: Vec<f64>,
    /// Shape `(n, b)`: multipliers of step `k`, after its row exchange.
    multipliers: Vec<f64>,
    /// `1 / U(k, k)`.
    reciprocals: Vec<f64>,
    /// How far below `k` the pivot row of step `k` was found.
    exchanges: Vec<u32>,
    /// Number of stored entries right of the diagonal in `U` that may differ from zero.
    upper_width: usize,
    norm: NormBound,
    factored: bool,
    scratch: RefineScratch,
}

/// Zeros kept beyond the widest row, for kernels of fixed width to overrun into.
const PADDING: usize = 8;

impl BandLu {
    /// Storage for the factor of an `(n, n)` matrix. Memory: about `n (4 b + 10)` numbers.
    pub fn new(n: usize, half_bandwidth: usize) -> Self {
        let b = half_bandwidth;
        let stride = 3 * b + PADDING;
        Self {
            n,
            half_bandwidth: b,
            stride,
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
    fn diagonal(&self, row: usize) -> usize {
        row * (self.stride + 1) + self.half_bandwidth
    }

    /// Copies rows `from .. to` into the working array and takes their norm into account.
    #[inline(always)]
    fn load(&mut self, matrix: &BandMatrix, from: usize, to: usize) {
        let width = 2 * self.half_bandwidth + 1;
        let working = self.rows[from * (self.stride + 1)..].chunks_exact_mut(self.stride + 1);
        let stored = matrix.values[from * width..to * width].chunks_exact(width);
        for (row, stored) in working.zip(stored) {
            for (entry, value) in row.iter_mut().zip(stored) {
                *entry = *value;
            }
            row[width..].fill(0.0);
            self.norm.add_row(stored);
        }
    }

    /// [`Self::load`] with rows of `STORED` entries and `WORKING` places.
    #[inline(always)]
    fn load_fixed<const STORED: usize, const WORKING: usize>(
        &mut self,
        matrix: &BandMatrix,
        from: usize,
        to: usize,
    ) {
        let (working, _) = self.rows[from * WORKING..].as_chunks_mut::<WORKING>();
        let (stored, _) = matrix.values[from * STORED..to * STORED].as_chunks::<STORED>();
        let mut norm = self.norm;
        for (row, stored) in working.iter_mut().zip(stored) {
            row[..STORED].copy_from_slice(stored);
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
            if loaded < self.n && loaded < k + PANEL_ROWS {
                let to = (loaded + 32).min(self.n);
                self.load_fixed::<{ 2 * BLOCKED + 1 }, { STRIDE + 1 }>(matrix, loaded, to);
                loaded = to;
            }
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
        *reach = (*reach).max(k + b + offset);
        let width = *reach - k;
        if offset > 0 {
            self.exchange(k, offset, width + 1);
        }
        self.upper_width = self.upper_width.max(width);
        let diagonal = self.diagonal(k);
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

/// Upper bound of the largest row sum of `|A|`: row sums are kept in four parts, each part's
/// largest value is found apart, and the four are added.
#[derive(Debug, Clone, Copy, Default)]
struct NormBound {
    largest: [f64; 4],
    /// Zero, or NaN once a row held a NaN or an infinity.
    poison: [f64; 4],
}

impl NormBound {
    // By index: the same loop over zipped arrays is not vectorised.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    fn add_row(&mut self, row: &[f64]) {
        let mut sums = [0.0; 4];
        let (chunks, rest) = row.as_chunks::<4>();
        for chunk in chunks {
            for lane in 0..4 {
                sums[lane] += chunk[lane].abs();
            }
        }
        for (sum, value) in sums.iter_mut().zip(rest) {
            *sum += value.abs();
        }
        for lane in 0..4 {
            let (sum, largest) = (sums[lane], self.largest[lane]);
            self.largest[lane] = if sum > largest { sum } else { largest };
            self.poison[lane] += sum * 0.0;
        }
    }

    fn bound(&self) -> f64 {
        self.largest.iter().sum::<f64>() + self.poison.iter().sum::<f64>()
    }
}

/// Half-bandwidth for which elimination is blocked.
const BLOCKED: usize = 10;
/// Distance between an entry and the one below it, for that half-bandwidth.
const STRIDE: usize = 3 * BLOCKED + PADDING;
/// Columns eliminated at once.
const PANEL: usize = 4;
/// Rows that those columns reach.
const PANEL_ROWS: usize = BLOCKED + PANEL;
/// The same, rounded up to whole vectors.
const PANEL_LANES: usize = 16;

type Panel = [[f64; PANEL_LANES]; PANEL];

/// LU without row exchanges of four columns, `panel[column][row]`, the diagonal at equal indices.
/// False when a diagonal is too small to serve as pivot.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // By index: the same loops over zipped arrays are slower.
fn factor_panel(
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
fn subtract(target: &mut [f64], multiplier: f64, pivot: &[f64]) {
    for (target, pivot) in target.iter_mut().zip(pivot) {
        *target = (-multiplier).mul_add(*pivot, *target);
    }
}

// Each of the following is compiled once per instruction set and chosen at run time.

/// `y = A x`, or `y = b - A x`.
struct Product<'a> {
    matrix: &'a BandMatrix,
    x: &'a [f64],
    b: Option<&'a [f64]>,
    y: &'a mut [f64],
}

impl pulp::WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        const STORED: usize = 2 * BLOCKED + 1;
        let Self {
            matrix,
            x,
            b: right_hand_side,
            y,
        } = self;
        let (b, width) = (matrix.half_bandwidth, 2 * matrix.half_bandwidth + 1);
        for (row, (stored, y)) in matrix.values.chunks_exact(width).zip(&mut *y).enumerate() {
            let from = row.saturating_sub(b);
            let x = &x[from..(row + b + 1).min(matrix.n)];
            *y = match (
                <&[f64; STORED]>::try_from(stored),
                <&[f64; STORED]>::try_from(x),
            ) {
                (Ok(stored), Ok(x)) => dot(stored, x),
                _ => dot(&stored[from + b - row..][..x.len()], x),
            };
        }
        if let Some(right) = right_hand_side {
            y.iter_mut().zip(right).for_each(|(y, b)| *y = b - *y);
        }
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
        let outcome = match lu.half_bandwidth {
            BLOCKED => lu.eliminate_blocked(matrix),
            _ => {
                lu.load(matrix, 0, lu.n);
                lu.eliminate_by_columns()
            }
        };
        if lu.norm.bound().is_finite() {
            outcome
        } else {
            Err(SolveError::NotFinite { place: "matrix" })
        }
    }
}

/// Both substitutions.
struct Substitute<'a> {
    lu: &'a BandLu,
    x: &'a mut [f64],
}

impl pulp::WithSimd for Substitute<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self { lu, x } = self;
        match lu.half_bandwidth {
            BLOCKED => lu.substitute_forward_fixed::<BLOCKED>(x),
            _ => lu.substitute_forward(x),
        }
        match (lu.half_bandwidth, lu.upper_width) {
            (BLOCKED, BLOCKED) => lu.substitute_backward_fixed(x),
            _ => lu.substitute_backward(x),
        }
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
        pulp::Arch::new().dispatch(Product {
            matrix,
            x,
            b: Some(b),
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
