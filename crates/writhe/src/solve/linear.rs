//! Linear systems that are assembled block by block, factorised and solved, whatever their storage.

use std::fmt::Debug;
use std::sync::Arc;

use super::blocks::{BlockLu, BlockMatrix, BlockPattern};
use super::rods::{Lanes, RodParts};
use super::{Poll, SolveError, SolveReport};

/// A matrix and its factor.
pub(crate) trait LinearSolver: Debug {
    /// Makes all entries zero; the factor stays.
    fn set_zero(&mut self);

    /// Adds a dense block, row-major, on the rows and columns `unknowns`.
    ///
    /// # Errors
    /// [`SolveError::OutsidePattern`] where there is no place for it, [`SolveError::WrongLength`].
    fn add_block(&mut self, unknowns: &[u32], values: &[f64]) -> Result<(), SolveError>;

    /// Factorises the matrix.
    ///
    /// # Errors
    /// [`SolveError::Singular`], [`SolveError::NotFinite`], [`SolveError::Interrupted`].
    fn factor(&mut self) -> Result<(), SolveError>;

    /// Factorises the matrix plus `shift` times the diagonal `weights`.
    ///
    /// # Errors
    /// As [`LinearSolver::factor`], and [`SolveError::WrongLength`].
    fn factor_shifted(&mut self, shift: f64, weights: &[f64]) -> Result<(), SolveError>;

    /// Solves in place with the last factor, and checks the residual in the matrix without a shift:
    /// after [`LinearSolver::factor_shifted`] take [`LinearSolver::solve_unchecked`].
    ///
    /// # Errors
    /// [`SolveError::NotFactored`], [`SolveError::WrongLength`], [`SolveError::NotFinite`],
    /// [`SolveError::ResidualTooLarge`].
    fn solve(&mut self, x: &mut [f64]) -> Result<SolveReport, SolveError>;

    /// Solves in place without looking at the residual, as a preconditioner does.
    ///
    /// # Errors
    /// [`SolveError::NotFactored`] and [`SolveError::WrongLength`].
    fn solve_unchecked(&mut self, x: &mut [f64]) -> Result<(), SolveError>;

    /// Whether a symmetric matrix, as last factorised, is known to be positive definite.
    fn has_positive_pivots(&self) -> bool;
}

/// The matrices of open rods that nothing couples.
#[derive(Debug)]
pub(crate) struct Rods {
    parts: RodParts,
}

impl Rods {
    /// The zero matrix of shape `(n, n)` whose parts begin at the unknowns `first`.
    pub(crate) fn new(n: usize, first: &[usize]) -> Self {
        Self {
            parts: RodParts::new(n, first),
        }
    }

    /// The matrix of the rod whose unknowns are `first .. first + n`, not factorised.
    pub(crate) fn window(&self, first: usize, n: usize) -> Self {
        Self {
            parts: self.parts.window(first, n),
        }
    }

    /// Solves for several right-hand sides at once, in place, `(n)`, which are zero before row `first`,
    /// with the last factor.
    ///
    /// # Errors
    /// [`SolveError::NotFactored`] and [`SolveError::WrongLength`].
    pub(crate) fn solve_lanes(&self, first: usize, x: &mut [Lanes]) -> Result<(), SolveError> {
        self.parts.solve_lanes(first, x)
    }

    /// Adds a symmetric stencil of three groups of unknowns, from `first` on: that of rows and columns
    /// `4 i ..` and `4 j ..` in block `3 i + j`, each column by column.
    pub(crate) fn add_stencil(&mut self, first: usize, blocks: &[[f64; 16]; 9]) {
        self.parts.add_stencil(first, blocks);
    }

    /// The same of one of several stencils, whose blocks (0,0), (0,1), (0,2), (1,1), (1,2), (2,2)
    /// are side by side.
    pub(crate) fn add_columns(&mut self, first: usize, columns: &[[[f64; 8]; 16]; 6], lane: usize) {
        self.parts.add_columns(first, columns, lane);
    }

    /// Adds a symmetric matrix `h` that belongs to the difference of the positions of two nodes, whose
    /// groups begin at these unknowns: h for each of them, -h for both.
    pub(crate) fn add_difference(&mut self, ends: [usize; 2], h: &[[f64; 3]; 3]) {
        self.parts.add_difference(ends, h);
    }

    /// Adds to the diagonal entries of all unknowns but those that are `fixed`.
    pub(crate) fn add_diagonal(&mut self, values: &[f64], fixed: &[bool]) {
        self.parts.add_to_diagonal(values, fixed);
    }
}

impl LinearSolver for Rods {
    fn set_zero(&mut self) {
        self.parts.set_zero();
    }

    fn add_block(&mut self, unknowns: &[u32], values: &[f64]) -> Result<(), SolveError> {
        self.parts.add_block(unknowns, values)
    }

    fn factor(&mut self) -> Result<(), SolveError> {
        self.parts.factor()
    }

    fn factor_shifted(&mut self, shift: f64, weights: &[f64]) -> Result<(), SolveError> {
        self.parts.factor_shifted(shift, weights)
    }

    fn solve(&mut self, x: &mut [f64]) -> Result<SolveReport, SolveError> {
        self.parts.solve(x)
    }

    fn solve_unchecked(&mut self, x: &mut [f64]) -> Result<(), SolveError> {
        self.parts.solve_unchecked(x)
    }

    /// False, since it is not known: rows may be exchanged.
    fn has_positive_pivots(&self) -> bool {
        false
    }
}

/// A matrix of sparse blocks.
#[derive(Debug)]
pub(crate) struct SparseBlocks {
    matrix: BlockMatrix,
    lu: BlockLu,
    /// Whether the factorisation has the values of the matrix, which a copy would double.
    taken: bool,
}

impl SparseBlocks {
    /// The zero matrix of a pattern, whose factorisations `poll` may stop.
    pub(crate) fn new(pattern: BlockPattern, poll: &Poll) -> Self {
        let pattern = Arc::new(pattern);
        Self {
            lu: BlockLu::new(Arc::clone(&pattern)).with_poll(poll),
            matrix: BlockMatrix::new(pattern),
            taken: false,
        }
    }

    /// Becomes the zero matrix of another pattern, in the storage at hand.
    pub(crate) fn renew(&mut self, pattern: BlockPattern, poll: &Poll) {
        let pattern = Arc::new(pattern);
        self.lu.renew(Arc::clone(&pattern), poll);
        self.matrix.renew(pattern);
        self.taken = false;
    }

    /// Whether factorisations go front by front.
    pub(crate) fn has_fronts(&self) -> bool {
        self.lu.has_fronts()
    }

    /// Adds blocks, each column by column, at the places that [`BlockPattern::places`] gave.
    pub(crate) fn add_at(&mut self, places: &[u32], blocks: &[[f64; 16]]) {
        debug_assert!(!self.taken);
        self.matrix.add_at(places, blocks);
    }

    /// Adds the blocks of one of several symmetric stencils of three groups at its places. Side by
    /// side in `columns` are those in rows and columns (0,0), (0,1), (0,2), (1,1), (1,2), (2,2).
    pub(crate) fn add_columns(
        &mut self,
        places: &[u32; 9],
        columns: &[[[f64; 8]; 16]; 6],
        lane: usize,
    ) {
        debug_assert!(!self.taken);
        self.matrix.add_columns(places, columns, lane);
    }

    /// Adds to diagonal entries.
    pub(crate) fn add_diagonal<'a>(&mut self, values: impl Iterator<Item = (usize, &'a f64)>) {
        debug_assert!(!self.taken);
        self.matrix.add_to_diagonal(values);
    }

    /// Has the values of the matrix again, if the factorisation took them; what it solves is no more
    /// the matrix.
    fn take_back(&mut self) {
        if self.taken {
            self.lu.give_back(&mut self.matrix);
            self.taken = false;
        }
    }
}

impl LinearSolver for SparseBlocks {
    fn set_zero(&mut self) {
        self.matrix.set_zero();
        self.taken = false;
    }

    fn add_block(&mut self, unknowns: &[u32], values: &[f64]) -> Result<(), SolveError> {
        self.take_back();
        self.matrix.add_block(unknowns, values)
    }

    fn factor(&mut self) -> Result<(), SolveError> {
        if self.taken {
            return self.lu.factor_again();
        }
        self.taken = true;
        self.lu.factor_taken(&mut self.matrix)
    }

    fn factor_shifted(&mut self, shift: f64, weights: &[f64]) -> Result<(), SolveError> {
        self.take_back();
        self.lu.factor_shifted(&self.matrix, shift, weights)
    }

    fn solve(&mut self, x: &mut [f64]) -> Result<SolveReport, SolveError> {
        self.lu.solve(x)
    }

    fn solve_unchecked(&mut self, x: &mut [f64]) -> Result<(), SolveError> {
        self.lu.solve_unchecked(x)
    }

    fn has_positive_pivots(&self) -> bool {
        self.lu.has_positive_pivots()
    }
}
