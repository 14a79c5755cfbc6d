//! What is assembled.

use crate::solve::error::{SolveError, expect_length};

/// Square matrix with entries only within `half_bandwidth` of the diagonal.
///
/// Row `i` is stored as `2 b + 1` contiguous numbers, for columns `i - b ..= i + b`; the corners
/// that stick out of the matrix are stored too and stay zero.
#[derive(Debug, Clone, PartialEq)]
pub struct BandMatrix {
    pub(super) n: usize,
    pub(in crate::solve) half_bandwidth: usize,
    pub(super) values: Vec<f64>,
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

    /// Half-bandwidth b.
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
        // The extremes decide: no pair is farther apart.
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
            // Unknowns in a row are neighbours in the storage.
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

    fn position(&self, row: usize, column: usize) -> Option<usize> {
        let inside = row < self.n && column < self.n && row.abs_diff(column) <= self.half_bandwidth;
        // row (2 b + 1) + (column - row + b)
        inside.then(|| row * 2 * self.half_bandwidth + column + self.half_bandwidth)
    }
}

/// Scalar product in four interleaved partial sums.
#[inline(always)]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
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

/// The residual `y = b - A x`.
pub(super) struct Residual<'a> {
    pub(super) matrix: &'a BandMatrix,
    pub(super) x: &'a [f64],
    pub(super) b: &'a [f64],
    pub(super) y: &'a mut [f64],
}

impl pulp::WithSimd for Residual<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
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
            *y = dot(&stored[from + b - row..][..x.len()], x);
        }
        y.iter_mut()
            .zip(right_hand_side)
            .for_each(|(y, b)| *y = b - *y);
    }
}

/// Upper bound of the largest row sum of `|A|`: row sums are kept in four parts, each part's
/// largest value is found apart, and the four are added.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NormBound {
    largest: [f64; 4],
    /// Zero, or NaN once a row held a NaN or an infinity.
    poison: [f64; 4],
}

impl NormBound {
    // By index: the same loop over zipped arrays is not vectorised.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    pub(super) fn add_row(&mut self, row: &[f64]) {
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

    pub(super) fn bound(&self) -> f64 {
        self.largest.iter().sum::<f64>() + self.poison.iter().sum::<f64>()
    }
}
