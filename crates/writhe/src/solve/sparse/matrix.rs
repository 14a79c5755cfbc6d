//! The lower triangle of a sparse symmetric matrix.

use crate::solve::error::{SolveError, expect_length};
use crate::solve::pattern::SparsePattern;
use crate::solve::refine::max_abs;
use std::sync::Arc;

/// Symmetric matrix: the values of the lower triangle on a [`SparsePattern`].
#[derive(Debug, Clone)]
pub struct SparseSymmetric {
    pattern: Arc<SparsePattern>,
    values: Vec<f64>,
}

impl SparseSymmetric {
    /// The zero matrix on `pattern`.
    pub fn new(pattern: Arc<SparsePattern>) -> Self {
        let values = vec![0.0; pattern.entries()];
        Self { pattern, values }
    }

    /// The pattern, shared.
    pub fn pattern(&self) -> &Arc<SparsePattern> {
        &self.pattern
    }

    /// Values of the lower triangle in the order of [`SparsePattern::row_index`].
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Sets every entry to zero, keeping the storage.
    pub fn set_zero(&mut self) {
        self.values.fill(0.0);
    }

    /// Entry `(row, column)`; zero outside the pattern.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.pattern
            .position(row, column)
            .map_or(0.0, |at| self.values[at])
    }

    /// Adds a dense symmetric block by its map of [`SparsePattern::block_map`]: only the lower
    /// triangle of the row-major `block`, shape `(m, m)`, is read. No search is made.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when map and block do not belong together,
    /// [`SolveError::PatternMismatch`] when the map points outside this matrix; a part of the
    /// block may then have been added.
    pub fn add_block(&mut self, map: &[u32], block: &[f64]) -> Result<(), SolveError> {
        let size = block.len().isqrt();
        expect_length(size * size, block.len())?;
        expect_length(size * (size + 1) / 2, map.len())?;
        let mut rest = map;
        for (row, values) in block.chunks_exact(size.max(1)).enumerate() {
            let (positions, later) = rest.split_at(row + 1);
            rest = later;
            for (&at, value) in positions.iter().zip(values) {
                *self
                    .values
                    .get_mut(at as usize)
                    .ok_or(SolveError::PatternMismatch)? += value;
            }
        }
        Ok(())
    }

    /// Adds `scale * diagonal[i]` to every diagonal entry.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when `diagonal` does not have `n` entries.
    pub fn add_diagonal(&mut self, scale: f64, diagonal: &[f64]) -> Result<(), SolveError> {
        expect_length(self.pattern.n(), diagonal.len())?;
        for (column, value) in diagonal.iter().enumerate() {
            self.values[self.pattern.diagonal(column)] += scale * value;
        }
        Ok(())
    }

    /// Replaces rows and columns marked in `fixed` by zeros, with `diagonal` on the diagonal.
    /// Cost: linear in the number of entries.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when `fixed` does not have `n` entries.
    pub fn fix_dofs(&mut self, fixed: &[bool], diagonal: f64) -> Result<(), SolveError> {
        expect_length(self.pattern.n(), fixed.len())?;
        let SparsePatternColumns { starts, rows } = columns(&self.pattern);
        for (column, &column_fixed) in fixed.iter().enumerate() {
            let (from, to) = (starts[column] as usize, starts[column + 1] as usize);
            for at in from..to {
                if column_fixed || fixed[rows[at] as usize] {
                    self.values[at] = 0.0;
                }
            }
            if column_fixed {
                self.values[from] = diagonal;
            }
        }
        Ok(())
    }

    /// `y += A x`. Cost: linear in the number of entries.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when `x` or `y` does not have `n` entries.
    pub fn mul_add(&self, x: &[f64], y: &mut [f64]) -> Result<(), SolveError> {
        expect_length(self.pattern.n(), x.len())?;
        expect_length(self.pattern.n(), y.len())?;
        let SparsePatternColumns { starts, rows } = columns(&self.pattern);
        symmetric_mul_add(starts, rows, &self.values, 1.0, x, y);
        Ok(())
    }

    /// `y = A x`. Cost: linear in the number of entries.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when `x` or `y` does not have `n` entries.
    pub fn mul(&self, x: &[f64], y: &mut [f64]) -> Result<(), SolveError> {
        y.fill(0.0);
        self.mul_add(x, y)
    }
}

pub(super) struct SparsePatternColumns<'a> {
    pub starts: &'a [u32],
    pub rows: &'a [u32],
}

pub(super) fn columns(pattern: &SparsePattern) -> SparsePatternColumns<'_> {
    SparsePatternColumns {
        starts: pattern.column_start(),
        rows: pattern.row_index(),
    }
}

/// `y += scale A x` for a lower triangle whose columns begin with the diagonal.
pub(super) fn symmetric_mul_add(
    starts: &[u32],
    rows: &[u32],
    values: &[f64],
    scale: f64,
    x: &[f64],
    y: &mut [f64],
) {
    for (column, bounds) in starts.windows(2).enumerate() {
        let (from, to) = (bounds[0] as usize, bounds[1] as usize);
        let factor = scale * x[column];
        let mut sum = 0.0;
        for (&row, value) in rows[from + 1..to].iter().zip(&values[from + 1..to]) {
            y[row as usize] += value * factor;
            sum += value * x[row as usize];
        }
        y[column] += values[from] * factor + scale * sum;
    }
}

/// Largest row sum of `|A|`, NaN if any entry is not finite; `sums` is scratch.
pub(super) fn row_sum_norm(starts: &[u32], rows: &[u32], values: &[f64], sums: &mut [f64]) -> f64 {
    sums.fill(0.0);
    for (column, bounds) in starts.windows(2).enumerate() {
        let (from, to) = (bounds[0] as usize, bounds[1] as usize);
        let mut sum = values[from].abs();
        for (&row, value) in rows[from + 1..to].iter().zip(&values[from + 1..to]) {
            sums[row as usize] += value.abs();
            sum += value.abs();
        }
        sums[column] += sum;
    }
    max_abs(sums)
}
