//! Assembly, LU factorisation and solution.

use std::sync::Arc;

use super::fronts::FrontFactor;
use super::order::POLL_AFTER;
use super::pattern::{BlockPattern, NONE};
use super::pivot::{self, Rows};
use super::small::{Block, Part, SIZE, add_sizes, subtract_image, subtract_product};
use crate::solve::error::{SolveError, expect_length};
use crate::solve::poll::Poll;
use crate::solve::refine::{Factored, RefineScratch, SolveReport, solve_checked};
use crate::threads;

/// A matrix of small blocks on a fixed pattern.
#[derive(Debug, Clone)]
pub struct BlockMatrix {
    pattern: Arc<BlockPattern>,
    values: Vec<Block>,
    /// The block being added: its groups, and of each unknown the group there and the slot.
    groups: Vec<u32>,
    places: Vec<(usize, usize)>,
    found: Vec<usize>,
}

impl BlockMatrix {
    /// Zero.
    pub fn new(pattern: Arc<BlockPattern>) -> Self {
        Self {
            values: vec![[0.0; SIZE * SIZE]; pattern.stored()],
            pattern,
            groups: Vec::new(),
            places: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Becomes zero on another pattern, in the storage at hand.
    pub(crate) fn renew(&mut self, pattern: Arc<BlockPattern>) {
        self.values.resize(pattern.stored(), [0.0; SIZE * SIZE]);
        self.pattern = pattern;
        self.set_zero();
    }

    /// Sets every value to zero.
    pub fn set_zero(&mut self) {
        self.values.fill([0.0; SIZE * SIZE]);
    }

    /// Adds entry `(p, q)` of the row-major `values`, shape `(m, m)`, at
    /// `(unknowns[p], unknowns[q])`.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when `values` is not `m * m` long,
    /// [`SolveError::OutsidePattern`] for a place that is not stored; nothing is added then.
    pub fn add_block(&mut self, unknowns: &[u32], values: &[f64]) -> Result<(), SolveError> {
        expect_length(unknowns.len() * unknowns.len(), values.len())?;
        self.groups.clear();
        self.places.clear();
        for &unknown in unknowns {
            let outside = SolveError::OutsidePattern {
                row: unknown as usize,
                column: unknown as usize,
            };
            let (block, slot) = *self.pattern.place.get(unknown as usize).ok_or(outside)?;
            let known = self.groups.iter().position(|g| *g == block);
            let local = known.unwrap_or_else(|| {
                self.groups.push(block);
                self.groups.len() - 1
            });
            self.places.push((local, slot as usize));
        }
        // All places first, so that nothing is added if one is missing.
        self.found.clear();
        for &i in &self.groups {
            for &j in &self.groups {
                let at = self.pattern.find(i, j).ok_or(SolveError::OutsidePattern {
                    row: self.pattern.slots[i as usize][0] as usize,
                    column: self.pattern.slots[j as usize][0] as usize,
                })?;
                self.found.push(at);
            }
        }
        let count = self.groups.len();
        for (&(i, r), row) in self
            .places
            .iter()
            .zip(values.chunks_exact(unknowns.len().max(1)))
        {
            for (&(j, c), value) in self.places.iter().zip(row) {
                self.values[self.found[i * count + j]][c * SIZE + r] += value;
            }
        }
        Ok(())
    }

    /// Adds blocks at the places that [`BlockPattern::places`] gave.
    pub(crate) fn add_at(&mut self, places: &[u32], blocks: &[Block]) {
        for (at, block) in places.iter().zip(blocks) {
            for (entry, value) in self.values[*at as usize].iter_mut().zip(block) {
                *entry += value;
            }
        }
    }

    /// Adds one of several symmetric stencils of three groups at its places. Side by side in
    /// `columns` are the blocks in rows and columns (0,0), (0,1), (0,2), (1,1), (1,2), (2,2).
    pub(crate) fn add_columns(
        &mut self,
        places: &[u32; 9],
        columns: &[[[f64; 8]; SIZE * SIZE]; 6],
        lane: usize,
    ) {
        let upper = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
        for ((i, j), columns) in upper.into_iter().zip(columns) {
            // A map over the array would be compiled as a call.
            let mut block = [0.0; SIZE * SIZE];
            for (value, column) in block.iter_mut().zip(columns) {
                *value = column[lane];
            }
            let place = places[3 * i + j] as usize;
            for (entry, value) in self.values[place].iter_mut().zip(&block) {
                *entry += value;
            }
            if i != j {
                let mirror = &mut self.values[places[3 * j + i] as usize];
                for c in 0..SIZE {
                    for r in 0..SIZE {
                        mirror[SIZE * r + c] += block[SIZE * c + r];
                    }
                }
            }
        }
    }

    /// Adds to diagonal entries.
    pub(crate) fn add_to_diagonal<'a>(&mut self, values: impl Iterator<Item = (usize, &'a f64)>) {
        for (unknown, value) in values {
            let (block, slot) = self.pattern.place[unknown];
            self.values[block as usize][slot as usize * (SIZE + 1)] += value;
        }
    }
}

/// LU factorisation of matrices that share a pattern: group by group, rows exchanged only within a
/// group.
///
/// Nothing guards against a group whose block is nearly singular although the matrix is not; the
/// residual check of [`BlockLu::solve`] tells. The bits are the same on any number of threads.
#[derive(Debug)]
pub struct BlockLu {
    pattern: Arc<BlockPattern>,
    matrix: Vec<Block>,
    /// Factors of the pivots on the diagonal, L below and the numerators of U above.
    factor: Vec<Block>,
    /// Rows of the pivots' factors, `(blocks)`.
    rows: Vec<Rows>,
    /// In place of it, with a pattern that has fronts.
    fronts: Option<FrontFactor>,
    norm: f64,
    factored: bool,
    vector: Vec<Part>,
    product: Vec<Part>,
    scratch: RefineScratch,
    poll: Poll,
}

impl BlockLu {
    /// Allocates all storage.
    pub fn new(pattern: Arc<BlockPattern>) -> Self {
        let fronts = pattern.tree.clone().map(FrontFactor::new);
        let stored = if fronts.is_some() {
            0
        } else {
            pattern.stored()
        };
        Self {
            matrix: vec![[0.0; SIZE * SIZE]; pattern.stored()],
            factor: vec![[0.0; SIZE * SIZE]; stored],
            rows: vec![Rows::default(); pattern.blocks()],
            fronts,
            norm: 0.0,
            factored: false,
            vector: vec![[0.0; SIZE]; pattern.blocks()],
            product: vec![[0.0; SIZE]; pattern.blocks()],
            scratch: RefineScratch::new(pattern.unknowns()),
            poll: Poll::default(),
            pattern,
        }
    }

    /// Forgets its matrix and goes over to another pattern, in the storage at hand.
    pub(crate) fn renew(&mut self, pattern: Arc<BlockPattern>, poll: &Poll) {
        self.poll = poll.clone();
        let zero = [0.0; SIZE * SIZE];
        self.fronts = match (self.fronts.take(), pattern.tree.clone()) {
            (Some(mut fronts), Some(tree)) => {
                fronts.renew(tree);
                Some(fronts)
            }
            (_, tree) => tree.map(FrontFactor::new),
        };
        // What these hold is written before it is read.
        self.matrix.resize(pattern.stored(), zero);
        let stored = if self.fronts.is_some() {
            0
        } else {
            pattern.stored()
        };
        self.factor.resize(stored, zero);
        self.rows.resize(pattern.blocks(), Rows::default());
        for vector in [&mut self.vector, &mut self.product] {
            vector.clear();
            vector.resize(pattern.blocks(), [0.0; SIZE]);
        }
        if self.pattern.unknowns() != pattern.unknowns() {
            self.scratch = RefineScratch::new(pattern.unknowns());
        }
        self.factored = false;
        self.pattern = pattern;
    }

    /// This factor, whose factorisations `poll` may stop.
    #[must_use]
    pub(crate) fn with_poll(self, poll: &Poll) -> Self {
        Self {
            poll: poll.clone(),
            ..self
        }
    }

    /// Whether factorisations go front by front.
    pub(crate) fn has_fronts(&self) -> bool {
        self.fronts.is_some()
    }

    /// Factorises `matrix`. No allocation, but of fronts.
    ///
    /// # Errors
    /// [`SolveError::PatternMismatch`], [`SolveError::NotFinite`], [`SolveError::Singular`] for a
    /// group without pivot, and [`SolveError::Interrupted`].
    pub fn factor(&mut self, matrix: &BlockMatrix) -> Result<(), SolveError> {
        self.load(matrix)?;
        self.eliminate()
    }

    /// Factorises `matrix` and keeps its values; `matrix` has others from here on, until it is given
    /// back or set to zero.
    ///
    /// # Errors
    /// As [`BlockLu::factor`].
    pub(crate) fn factor_taken(&mut self, matrix: &mut BlockMatrix) -> Result<(), SolveError> {
        self.expect_pattern(matrix)?;
        std::mem::swap(&mut self.matrix, &mut matrix.values);
        self.fill_slots();
        self.eliminate()
    }

    /// Factorises the same matrix again.
    ///
    /// # Errors
    /// As [`BlockLu::factor`].
    pub(crate) fn factor_again(&mut self) -> Result<(), SolveError> {
        self.eliminate()
    }

    /// Gives back what [`BlockLu::factor_taken`] took.
    pub(crate) fn give_back(&mut self, matrix: &mut BlockMatrix) {
        std::mem::swap(&mut self.matrix, &mut matrix.values);
    }

    /// Factorises `matrix + shift * diag(weights)` without touching the matrix; solves and
    /// residuals then belong to the shifted one.
    ///
    /// # Errors
    /// As [`BlockLu::factor`], and [`SolveError::WrongLength`] when there is not a weight for each
    /// unknown.
    pub(crate) fn factor_shifted(
        &mut self,
        matrix: &BlockMatrix,
        shift: f64,
        weights: &[f64],
    ) -> Result<(), SolveError> {
        expect_length(self.pattern.unknowns(), weights.len())?;
        self.load(matrix)?;
        for ((block, slot), weight) in self.pattern.place.iter().zip(weights) {
            self.matrix[*block as usize][*slot as usize * (SIZE + 1)] += shift * weight;
        }
        self.eliminate()
    }

    /// Whether the matrix as last factorised, if it is symmetric, is positive definite: elimination
    /// by groups is `A = L D L^T` with the groups' pivots in D, which has as many negative
    /// eigenvalues as A (Sylvester's law of inertia).
    pub(crate) fn has_positive_pivots(&self) -> bool {
        let positive = match &self.fronts {
            Some(fronts) => fronts.has_positive_pivots(),
            None => {
                (self.factor.iter().zip(&self.rows)).all(|(d, rows)| pivot::is_positive(d, *rows))
            }
        };
        self.factored && positive
    }

    /// Solves `A x = b` in place, `A` as last factorised, and checks the residual; refines once if
    /// it exceeds 1e-12 relatively.
    ///
    /// # Errors
    /// [`SolveError::NotFactored`], [`SolveError::WrongLength`], [`SolveError::NotFinite`], and
    /// [`SolveError::ResidualTooLarge`] above 1e-6; `x` is then not a solution.
    pub fn solve(&mut self, x: &mut [f64]) -> Result<SolveReport, SolveError> {
        self.expect_ready(x)?;
        let mut scratch = std::mem::take(&mut self.scratch);
        let outcome = solve_checked(self, x, &mut scratch);
        self.scratch = scratch;
        outcome
    }

    /// Solves in place without looking at the residual, as a preconditioner does.
    ///
    /// # Errors
    /// [`SolveError::NotFactored`] and [`SolveError::WrongLength`].
    pub fn solve_unchecked(&mut self, x: &mut [f64]) -> Result<(), SolveError> {
        self.expect_ready(x)?;
        Factored::solve_unchecked(self, x);
        Ok(())
    }

    fn expect_ready(&self, x: &[f64]) -> Result<(), SolveError> {
        expect_length(self.pattern.unknowns(), x.len())?;
        if self.factored {
            Ok(())
        } else {
            Err(SolveError::NotFactored)
        }
    }

    fn load(&mut self, matrix: &BlockMatrix) -> Result<(), SolveError> {
        self.expect_pattern(matrix)?;
        self.matrix.copy_from_slice(&matrix.values);
        self.fill_slots();
        Ok(())
    }

    fn expect_pattern(&mut self, matrix: &BlockMatrix) -> Result<(), SolveError> {
        self.factored = false;
        if !Arc::ptr_eq(&self.pattern, &matrix.pattern) && self.pattern != matrix.pattern {
            return Err(SolveError::PatternMismatch);
        }
        Ok(())
    }

    /// Gives slots without an unknown a one on the diagonal: coupled with nothing.
    fn fill_slots(&mut self) {
        for (block, slots) in self.matrix.iter_mut().zip(&self.pattern.slots) {
            for (slot, _) in slots.iter().enumerate().filter(|(_, u)| **u == NONE) {
                block[slot * (SIZE + 1)] = 1.0;
            }
        }
    }

    fn eliminate(&mut self) -> Result<(), SolveError> {
        self.factored = false;
        let (pattern, matrix, poll) = (&*self.pattern, &self.matrix[..], &self.poll);
        let begin = Begin {
            pattern,
            matrix,
            factor: &mut self.factor,
            vector: &mut self.vector,
        };
        let sums = || pulp::Arch::new().dispatch(begin);
        let by_fronts = match &mut self.fronts {
            // Which need no copy of the matrix.
            Some(fronts) => threads::join(sums, || fronts.factor(pattern, matrix, poll)).1,
            None => {
                sums();
                Ok(())
            }
        };
        // A NaN or an infinity anywhere makes the norm one.
        self.norm = self.largest_row_sum();
        if !self.norm.is_finite() {
            return Err(SolveError::NotFinite { place: "matrix" });
        }
        by_fronts?;
        if self.fronts.is_none() {
            pulp::Arch::new().dispatch(Eliminate(self))?;
        }
        self.factored = true;
        Ok(())
    }

    /// The largest of the sums in `vector`.
    fn largest_row_sum(&self) -> f64 {
        // The largest of numbers and NaN would hide the NaN.
        let sums = self.vector.iter().flatten();
        sums.fold(0.0, |a: f64, s| if *s > a || s.is_nan() { *s } else { a })
    }

    fn gather(&mut self, x: &[f64]) {
        for (part, slots) in self.vector.iter_mut().zip(&self.pattern.slots) {
            for (value, unknown) in part.iter_mut().zip(slots) {
                *value = x.get(*unknown as usize).copied().unwrap_or(0.0);
            }
        }
    }
}

impl Factored for BlockLu {
    fn residual(&mut self, b: &[f64], x: &[f64], residual: &mut [f64]) {
        self.gather(x);
        pulp::Arch::new().dispatch(SubtractProduct(self));
        for ((r, b), (block, slot)) in residual.iter_mut().zip(b).zip(&self.pattern.place) {
            *r = b + self.product[*block as usize][*slot as usize];
        }
    }

    fn solve_unchecked(&mut self, x: &mut [f64]) {
        self.gather(x);
        match &mut self.fronts {
            Some(fronts) => fronts.solve(&mut self.vector),
            None => pulp::Arch::new().dispatch(Substitute(self)),
        }
        for (x, (block, slot)) in x.iter_mut().zip(&self.pattern.place) {
            *x = self.vector[*block as usize][*slot as usize];
        }
    }

    fn norm(&self) -> f64 {
        self.norm
    }
}

/// Compiled once per instruction set and chosen at run time.
struct Eliminate<'a>(&'a mut BlockLu);

impl pulp::WithSimd for Eliminate<'_> {
    type Output = Result<(), SolveError>;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Self::Output {
        let BlockLu {
            pattern,
            factor,
            rows,
            poll,
            ..
        } = self.0;
        let (blocks, below) = (pattern.blocks(), pattern.rows.len());
        let mut targets = &pattern.targets[..];
        let mut polled = targets.len();
        for column in 0..blocks {
            if polled - targets.len() >= POLL_AFTER {
                poll.check()?;
                polled = targets.len();
            }
            let mut own = factor[column];
            let order = pivot::factorise(&mut own).map_err(|slot| SolveError::Singular {
                row: pattern.slots[column][slot] as usize,
            })?;
            factor[column] = own;
            rows[column] = order;
            let (from, to) = (pattern.start[column], pattern.start[column + 1]);
            for k in from..to {
                // L = A D^-1 below the pivot D
                factor[blocks + k] = pivot::divide(&factor[blocks + k], &own, order);
            }
            for q in from..to {
                // Schur complement: A_pq - L_p A_q for all pairs of the column's rows
                let upper = factor[blocks + below + q];
                let (these, rest) = targets.split_at(to - from);
                targets = rest;
                for (p, target) in (from..to).zip(these) {
                    let lower = factor[blocks + p];
                    subtract_product(&mut factor[*target as usize], &lower, &upper);
                }
            }
        }
        Ok(())
    }
}

/// Copies the matrix to where it is eliminated, unless fronts have it, and finds `vector_i = sum over
/// j of |A_ij|` on the way. Compiled once per instruction set and chosen at run time.
struct Begin<'a> {
    pattern: &'a BlockPattern,
    matrix: &'a [Block],
    factor: &'a mut [Block],
    vector: &'a mut [Part],
}

impl pulp::WithSimd for Begin<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self {
            pattern,
            matrix,
            factor,
            vector,
        } = self;
        let (blocks, below) = (pattern.blocks(), pattern.rows.len());
        vector.fill([0.0; SIZE]);
        for column in 0..blocks {
            let mut own = vector[column];
            take(&mut own, column, matrix, factor);
            for k in pattern.start[column]..pattern.start[column + 1] {
                let row = pattern.rows[k] as usize;
                take(&mut vector[row], blocks + k, matrix, factor);
                take(&mut own, blocks + below + k, matrix, factor);
            }
            vector[column] = own;
        }
    }
}

/// Adds the sizes of a block's entries to `sums` and copies it to the factor, if that has a place for
/// it. A function: a closure that is called several times would be compiled without the instructions of
/// its caller.
#[inline(always)]
fn take(sums: &mut Part, at: usize, matrix: &[Block], factor: &mut [Block]) {
    add_sizes(sums, &matrix[at]);
    if let Some(place) = factor.get_mut(at) {
        *place = matrix[at];
    }
}

/// `product = -A vector`. Compiled once per instruction set and chosen at run time.
struct SubtractProduct<'a>(&'a mut BlockLu);

impl pulp::WithSimd for SubtractProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let BlockLu {
            pattern,
            matrix,
            vector,
            product: out,
            ..
        } = self.0;
        let (blocks, below) = (pattern.blocks(), pattern.rows.len());
        out.fill([0.0; SIZE]);
        for column in 0..blocks {
            let own = vector[column];
            subtract_image(&mut out[column], &matrix[column], &own);
            for k in pattern.start[column]..pattern.start[column + 1] {
                let row = pattern.rows[k] as usize;
                subtract_image(&mut out[row], &matrix[blocks + k], &own);
                // The block above the diagonal, in row `column`.
                let mirror = &matrix[blocks + below + k];
                subtract_image(&mut out[column], mirror, &vector[row]);
            }
        }
    }
}

/// Compiled once per instruction set and chosen at run time.
struct Substitute<'a>(&'a mut BlockLu);

impl pulp::WithSimd for Substitute<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let BlockLu {
            pattern,
            factor,
            rows,
            vector,
            ..
        } = self.0;
        let (blocks, below) = (pattern.blocks(), pattern.rows.len());
        for column in 0..blocks {
            let own = vector[column];
            for k in pattern.start[column]..pattern.start[column + 1] {
                subtract_image(
                    &mut vector[pattern.rows[k] as usize],
                    &factor[blocks + k],
                    &own,
                );
            }
        }
        // Then D^-1 of what U leaves, from the last block to the first.
        for column in (0..blocks).rev() {
            let mut own = vector[column];
            for k in pattern.start[column]..pattern.start[column + 1] {
                let row = pattern.rows[k] as usize;
                subtract_image(&mut own, &factor[blocks + below + k], &vector[row]);
            }
            vector[column] = pivot::solve(&factor[column], rows[column], &own);
        }
    }
}
