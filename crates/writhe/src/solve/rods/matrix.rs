//! What is assembled.

use super::{GROUP, REACH};
use crate::solve::band::BandMatrix;
use crate::solve::error::{SolveError, expect_length};

/// Blocks of a row of groups.
const ROW: usize = 2 * REACH + 1;

/// Four by four numbers, column by column.
pub(super) type Block = [f64; GROUP * GROUP];

/// Square matrix of a rod: entries `(i, j)` with `i / 4` and `j / 4` at most 2 apart.
#[derive(Debug, Clone, PartialEq)]
pub struct RodMatrix {
    n: usize,
    /// Of each group of rows the blocks of the groups from two before it to two behind it. What
    /// sticks out of the matrix stays zero.
    rows: Vec<[Block; ROW]>,
}

impl RodMatrix {
    /// The zero matrix of shape `(n, n)`. Memory: about `20 n` numbers.
    pub fn new(n: usize) -> Self {
        Self {
            n,
            rows: vec![[[0.0; GROUP * GROUP]; ROW]; n.div_ceil(GROUP)],
        }
    }

    /// Number of unknowns.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Number of groups, the last of which may have fewer unknowns.
    pub(super) fn groups(&self) -> usize {
        self.rows.len()
    }

    /// Sets every entry to zero, keeping the storage.
    pub fn set_zero(&mut self) {
        self.rows.fill([[0.0; GROUP * GROUP]; ROW]);
    }

    /// Entry `(row, column)`; zero outside the pattern.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let (i, j) = (row / GROUP, column / GROUP);
        match row < self.n && column < self.n && i.abs_diff(j) <= REACH {
            true => self.rows[i][j + REACH - i][GROUP * (column % GROUP) + row % GROUP],
            false => 0.0,
        }
    }

    /// A block whose groups are at most two apart, with ones on the diagonal for unknowns that a last
    /// group does not have.
    #[inline(always)]
    pub(super) fn block(&self, i: usize, j: usize) -> Block {
        let mut block = self.rows[i][j + REACH - i];
        let unknowns = self.n - GROUP * i;
        if i == j && unknowns < GROUP {
            for k in unknowns..GROUP {
                block[(GROUP + 1) * k] = 1.0;
            }
        }
        block
    }

    /// Adds a dense block: entry `(p, q)` of the row-major `values`, shape `(m, m)`, goes to
    /// `(unknowns[p], unknowns[q])`.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when `values` is not `m * m` long,
    /// [`SolveError::OutsidePattern`] when groups of two unknowns are more than two apart; nothing is
    /// added in either case.
    pub fn add_block(&mut self, unknowns: &[u32], values: &[f64]) -> Result<(), SolveError> {
        let m = unknowns.len();
        expect_length(m * m, values.len())?;
        let (Some(&first), Some(&last)) = (unknowns.iter().min(), unknowns.iter().max()) else {
            return Ok(());
        };
        let (first, last) = (first as usize, last as usize);
        // The extremes decide: no pair is farther apart.
        if last >= self.n || last / GROUP - first / GROUP > REACH {
            return Err(SolveError::OutsidePattern {
                row: first,
                column: last,
            });
        }
        for (row, values) in unknowns.iter().zip(values.chunks_exact(m)) {
            let (i, r) = (*row as usize / GROUP, *row as usize % GROUP);
            for (column, value) in unknowns.iter().zip(values) {
                let (j, c) = (*column as usize / GROUP, *column as usize % GROUP);
                self.rows[i][j + REACH - i][GROUP * c + r] += value;
            }
        }
        Ok(())
    }

    /// Adds a symmetric stencil of three groups, from unknown `first` of a group on: that of the
    /// groups of rows i and of columns j in block `3 i + j`, each column by column.
    pub(crate) fn add_stencil(&mut self, first: usize, blocks: &[Block; 9]) {
        let group = first / GROUP;
        for (i, (row, blocks)) in (self.rows[group..].iter_mut())
            .zip(blocks.chunks_exact(3))
            .enumerate()
        {
            for (own, block) in row[REACH - i..].iter_mut().zip(blocks) {
                add(own, block);
            }
        }
    }

    /// Adds one of several symmetric stencils, as [`Self::add_stencil`] does. Side by side in
    /// `columns` are the blocks in rows and columns (0,0), (0,1), (0,2), (1,1), (1,2), (2,2).
    #[inline(always)]
    pub(crate) fn add_columns(&mut self, first: usize, columns: &[[[f64; 8]; 16]; 6], lane: usize) {
        let group = first / GROUP;
        let Some(rows) = self.rows[group..].first_chunk_mut::<3>() else {
            return;
        };
        let of = |columns: &[[f64; 8]; 16]| -> Block {
            let mut block = [0.0; GROUP * GROUP];
            for (value, column) in block.iter_mut().zip(columns) {
                *value = column[lane];
            }
            block
        };
        let [b00, b01, b02, b11, b12, b22] = columns;
        let (b01, b02, b12) = (of(b01), of(b02), of(b12));
        let [first, second, third] = rows;
        add(&mut first[REACH], &of(b00));
        add(&mut first[REACH + 1], &b01);
        add(&mut first[REACH + 2], &b02);
        add_mirrored(&mut second[REACH - 1], &b01);
        add(&mut second[REACH], &of(b11));
        add(&mut second[REACH + 1], &b12);
        add_mirrored(&mut third[REACH - 2], &b02);
        add_mirrored(&mut third[REACH - 1], &b12);
        add(&mut third[REACH], &of(b22));
    }

    /// Adds a matrix `h`, by rows, that belongs to the difference of the positions of two nodes, whose
    /// groups begin at these unknowns: h for each of them, -h for both.
    pub(crate) fn add_difference(&mut self, ends: [usize; 2], h: &[[f64; 3]; 3]) {
        let mut block = [0.0; GROUP * GROUP];
        for (r, row) in h.iter().enumerate() {
            for (c, value) in row.iter().enumerate() {
                block[GROUP * c + r] = *value;
            }
        }
        let [i, j] = ends.map(|end| end / GROUP);
        let other = block.map(|value| -value);
        add(&mut self.rows[i][REACH], &block);
        add(&mut self.rows[i][j + REACH - i], &other);
        add(&mut self.rows[j][i + REACH - j], &other);
        add(&mut self.rows[j][REACH], &block);
    }

    /// Adds to the diagonal entry of an unknown.
    #[inline(always)]
    pub(crate) fn add_at_diagonal(&mut self, unknown: usize, value: f64) {
        self.rows[unknown / GROUP][REACH][(GROUP + 1) * (unknown % GROUP)] += value;
    }

    /// Adds `scale * diagonal[i]` to every diagonal entry.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when `diagonal` does not have `n` entries.
    pub(crate) fn add_diagonal(&mut self, scale: f64, diagonal: &[f64]) -> Result<(), SolveError> {
        expect_length(self.n, diagonal.len())?;
        for (unknown, value) in diagonal.iter().enumerate() {
            self.add_at_diagonal(unknown, scale * value);
        }
        Ok(())
    }

    /// Largest diagonal entry in magnitude: no more than the largest sum of a row.
    pub(super) fn largest_diagonal(&self) -> f64 {
        let mut largest = [0.0; GROUP];
        for row in &self.rows {
            for (k, largest) in largest.iter_mut().enumerate() {
                let size = row[REACH][(GROUP + 1) * k].abs();
                *largest = if size > *largest { size } else { *largest };
            }
        }
        largest.into_iter().fold(0.0, f64::max)
    }

    /// The same as a matrix with a band.
    pub(super) fn to_band(&self) -> BandMatrix {
        // Unknowns of groups that are two apart.
        let width = (REACH + 1) * GROUP - 1;
        let mut band = BandMatrix::new(self.n, width.min(self.n.saturating_sub(1)));
        for row in 0..self.n {
            for column in row.saturating_sub(width)..(row + width + 1).min(self.n) {
                let value = self.get(row, column);
                if value != 0.0 {
                    // Within the band, which has a place for it.
                    let _ = band.add(row, column, value);
                }
            }
        }
        band
    }
}

#[inline(always)]
fn add(to: &mut Block, block: &Block) {
    for (to, value) in to.iter_mut().zip(block) {
        *to += value;
    }
}

/// Adds rows as columns.
#[inline(always)]
fn add_mirrored(to: &mut Block, block: &Block) {
    for c in 0..GROUP {
        for r in 0..GROUP {
            to[GROUP * c + r] += block[GROUP * r + c];
        }
    }
}

/// The residual `y = b - A x`.
pub(super) struct Residual<'a> {
    pub(super) matrix: &'a RodMatrix,
    pub(super) x: &'a [f64],
    pub(super) b: &'a [f64],
    pub(super) y: &'a mut [f64],
}

impl pulp::WithSimd for Residual<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self { matrix, x, b, y } = self;
        let groups = matrix.groups();
        // Five groups around the row: what sticks out is zero.
        let mut around = [[0.0; GROUP]; ROW];
        for (j, own) in around[REACH..].iter_mut().enumerate() {
            *own = group(x, j);
        }
        for (i, row) in matrix.rows.iter().enumerate() {
            let mut sums = group(b, i);
            for (block, x) in row.iter().zip(&around) {
                for c in 0..GROUP {
                    for r in 0..GROUP {
                        sums[r] = (-block[GROUP * c + r]).mul_add(x[c], sums[r]);
                    }
                }
            }
            set_group(y, i, &sums);
            around = [around[1], around[2], around[3], around[4], [0.0; GROUP]];
            if i + REACH + 1 < groups {
                around[ROW - 1] = group(x, i + REACH + 1);
            }
        }
    }
}

/// Values of a group, zero for unknowns that a last group does not have.
#[inline(always)]
pub(super) fn group(x: &[f64], group: usize) -> [f64; GROUP] {
    let own = x.get(GROUP * group..).unwrap_or_default();
    match own.first_chunk() {
        Some(whole) => *whole,
        None => {
            let mut values = [0.0; GROUP];
            for (value, own) in values.iter_mut().zip(own) {
                *value = *own;
            }
            values
        }
    }
}

#[inline(always)]
pub(super) fn set_group(x: &mut [f64], group: usize, values: &[f64; GROUP]) {
    let own = &mut x[GROUP * group..];
    match own.first_chunk_mut() {
        Some(whole) => *whole = *values,
        None => own
            .iter_mut()
            .zip(values)
            .for_each(|(own, value)| *own = *value),
    }
}
