//! The fixed sparsity pattern of a symmetric matrix assembled from dense blocks.

use super::error::{SolveError, expect_length};

/// Positions of the lower triangle of a symmetric sparse matrix, compressed by columns.
///
/// The diagonal is always part of it; rows are ascending within a column. Two patterns that
/// compare equal have the same factorisation structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SparsePattern {
    n: usize,
    /// Shape `(n + 1)`: where each column starts in `row_index`.
    column_start: Vec<u32>,
    /// Shape `(entries)`: row of each stored entry; the first of a column is the diagonal.
    row_index: Vec<u32>,
}

impl SparsePattern {
    /// Pattern of the sum of dense blocks, each given by the unknowns that it couples with one
    /// another. Cost: linear in the sum of the squared block sizes.
    ///
    /// # Errors
    /// [`SolveError::OutsidePattern`] when a block names an unknown that is not below `n`,
    /// [`SolveError::Symbolic`] when the entries cannot be counted by 32 bits.
    pub fn from_blocks<'a>(
        n: usize,
        blocks: impl Iterator<Item = &'a [u32]>,
    ) -> Result<Self, SolveError> {
        let blocks: Vec<&[u32]> = blocks.collect();
        let too_large = SolveError::Symbolic { unknowns: n };
        if let Some(&dof) = blocks
            .iter()
            .copied()
            .flatten()
            .find(|&&dof| dof as usize >= n)
        {
            let dof = dof as usize;
            return Err(SolveError::OutsidePattern {
                row: dof,
                column: dof,
            });
        }
        // Which blocks touch each column.
        let mut start = vec![0_usize; n + 1];
        for &dof in blocks.iter().copied().flatten() {
            start[dof as usize + 1] += 1;
        }
        for column in 0..n {
            start[column + 1] += start[column];
        }
        let mut next = start.clone();
        let mut touching = vec![0_u32; start[n]];
        for (index, block) in blocks.iter().enumerate() {
            for &dof in *block {
                touching[next[dof as usize]] = index as u32;
                next[dof as usize] += 1;
            }
        }
        // Union of their rows, column by column.
        let mut seen_in_column = vec![u32::MAX; n];
        let mut column_start = Vec::with_capacity(n + 1);
        let mut row_index = Vec::new();
        column_start.push(0);
        for column in 0..n {
            let first = row_index.len();
            let mark = column as u32;
            seen_in_column[column] = mark;
            row_index.push(mark);
            for &block in &touching[start[column]..start[column + 1]] {
                for &row in blocks[block as usize] {
                    if row > mark && seen_in_column[row as usize] != mark {
                        seen_in_column[row as usize] = mark;
                        row_index.push(row);
                    }
                }
            }
            row_index[first..].sort_unstable();
            column_start.push(u32::try_from(row_index.len()).map_err(|_| too_large)?);
        }
        Ok(Self {
            n,
            column_start,
            row_index,
        })
    }

    /// Number of unknowns.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Number of stored entries, those of the lower triangle with the diagonal.
    pub fn entries(&self) -> usize {
        self.row_index.len()
    }

    /// Where each column starts, shape `(n + 1)`.
    pub fn column_start(&self) -> &[u32] {
        &self.column_start
    }

    /// Row of each stored entry, shape `(entries)`.
    pub fn row_index(&self) -> &[u32] {
        &self.row_index
    }

    /// Position of the diagonal entry of `column`, which must be below `n`.
    pub(super) fn diagonal(&self, column: usize) -> usize {
        self.column_start[column] as usize
    }

    /// Position of the entry `(row, column)`, or of its mirror image above the diagonal.
    /// Cost: a binary search in one column.
    pub fn position(&self, row: usize, column: usize) -> Option<usize> {
        let (row, column) = (row.max(column), row.min(column));
        if row >= self.n {
            return None;
        }
        let (from, to) = (
            self.column_start[column] as usize,
            self.column_start[column + 1] as usize,
        );
        let found = self.row_index[from..to].binary_search(&(row as u32)).ok()?;
        Some(from + found)
    }

    /// Positions of a dense symmetric block, to be kept as long as the pattern is: the lower
    /// triangle of the block row by row, `m (m + 1) / 2` numbers for `m` unknowns.
    ///
    /// # Errors
    /// [`SolveError::OutsidePattern`] when the pattern lacks an entry,
    /// [`SolveError::RepeatedDof`] when an unknown appears twice.
    pub fn block_map(&self, dofs: &[u32]) -> Result<Vec<u32>, SolveError> {
        let mut map = Vec::with_capacity(dofs.len() * (dofs.len() + 1) / 2);
        self.append_block_map(dofs, &mut map)?;
        Ok(map)
    }

    /// [`Self::block_map`] appended to `map`, so that the maps of many blocks share a vector.
    ///
    /// # Errors
    /// As [`Self::block_map`]; `map` is then as it was.
    pub fn append_block_map(&self, dofs: &[u32], map: &mut Vec<u32>) -> Result<(), SolveError> {
        let before = map.len();
        let outcome = self.try_append(dofs, map);
        if outcome.is_err() {
            map.truncate(before);
        }
        outcome
    }

    fn try_append(&self, dofs: &[u32], map: &mut Vec<u32>) -> Result<(), SolveError> {
        for (index, &row) in dofs.iter().enumerate() {
            if dofs[..index].contains(&row) {
                return Err(SolveError::RepeatedDof { dof: row as usize });
            }
            for &column in &dofs[..=index] {
                let (row, column) = (row as usize, column as usize);
                let at = self
                    .position(row, column)
                    .ok_or(SolveError::OutsidePattern { row, column })?;
                map.push(at as u32);
            }
        }
        Ok(())
    }
}

/// A sum of small dense blocks, not necessarily symmetric, known only through its product with a
/// vector: what an assembled symmetric matrix leaves out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BlockList {
    /// End of each block in `dofs`.
    ends: Vec<u32>,
    dofs: Vec<u32>,
    /// Row-major blocks, one after another.
    values: Vec<f64>,
}

impl BlockList {
    /// A list without blocks.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes every block, keeping the storage.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.dofs.clear();
        self.values.clear();
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no block.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Appends the block with entry `(p, q)` of the row-major `values`, shape `(m, m)`, at
    /// `(dofs[p], dofs[q])`.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when `values` is not `m * m` long.
    pub fn push(&mut self, dofs: &[u32], values: &[f64]) -> Result<(), SolveError> {
        expect_length(dofs.len() * dofs.len(), values.len())?;
        self.dofs.extend_from_slice(dofs);
        self.values.extend_from_slice(values);
        self.ends.push(self.dofs.len() as u32);
        Ok(())
    }

    /// `y += A x`. Cost: linear in the number of stored values; blocks are added in the order of
    /// their insertion.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when `x` and `y` differ in length,
    /// [`SolveError::OutsidePattern`] when a block reaches beyond them; `y` may then hold a part
    /// of the sum.
    pub fn mul_add(&self, x: &[f64], y: &mut [f64]) -> Result<(), SolveError> {
        expect_length(x.len(), y.len())?;
        let (mut from, mut values) = (0, self.values.as_slice());
        for &end in &self.ends {
            let dofs = &self.dofs[from..end as usize];
            from = end as usize;
            if let Some(&dof) = dofs.iter().find(|&&dof| dof as usize >= x.len()) {
                let dof = dof as usize;
                return Err(SolveError::OutsidePattern {
                    row: dof,
                    column: dof,
                });
            }
            let (block, rest) = values.split_at(dofs.len() * dofs.len());
            values = rest;
            for (&row, block_row) in dofs.iter().zip(block.chunks_exact(dofs.len().max(1))) {
                let product: f64 = dofs
                    .iter()
                    .zip(block_row)
                    .map(|(&dof, value)| value * x[dof as usize])
                    .sum();
                y[row as usize] += product;
            }
        }
        Ok(())
    }
}
