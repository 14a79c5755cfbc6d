//! Sparse symmetric matrices on a fixed pattern and their LDLᵀ factorisation.

use super::error::{SolveError, expect_length};
use super::pattern::SparsePattern;
use super::refine::{Factored, RefineScratch, SolveReport, solve_checked};
use faer::Par;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::{LdltError, LdltParams, LdltRegularization};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::supernodal::{
    SupernodalLdltRef, SymbolicSupernodalCholesky, factorize_supernodal_numeric_ldlt,
};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Side, Spec};
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

struct SparsePatternColumns<'a> {
    starts: &'a [u32],
    rows: &'a [u32],
}

fn columns(pattern: &SparsePattern) -> SparsePatternColumns<'_> {
    SparsePatternColumns {
        starts: pattern.column_start(),
        rows: pattern.row_index(),
    }
}

/// `y += scale A x` for a lower triangle whose columns begin with the diagonal.
fn symmetric_mul_add(
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

/// Signs of the pivots, which by Sylvester's law are those of the eigenvalues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Inertia {
    /// Number of positive pivots.
    pub positive: usize,
    /// Number of negative pivots; the matrix is positive definite when there is none.
    pub negative: usize,
}

/// LDLᵀ factorisation `P A Pᵀ = L D Lᵀ` of matrices that share a pattern.
///
/// The elimination is supernodal on an approximate minimum degree ordering, with a diagonal `D`:
/// there is *no* pivoting and *no* regularisation of small pivots, so that the inertia is that of
/// the matrix. An indefinite matrix can therefore lose accuracy or meet a zero pivot; the
/// residual check of [`Ldlt::solve`] tells. One thread, hence reproducible bit for bit.
pub struct Ldlt {
    pattern: Arc<SparsePattern>,
    symbolic: SymbolicCholesky<u32>,
    /// Original unknown of each eliminated one, shape `(n)`.
    order: Vec<u32>,
    /// Lower triangle of the permuted matrix, columns beginning with the diagonal.
    permuted_pattern: SymbolicSparseColMat<u32>,
    permuted_values: Vec<f64>,
    /// Where each stored entry goes in `permuted_values`, shape `(entries)`.
    destination: Vec<u32>,
    factor_values: Vec<f64>,
    stack: MemBuffer,
    inertia: Inertia,
    norm: f64,
    factored: bool,
    permuted_vector: Vec<f64>,
    scratch: RefineScratch,
}

impl std::fmt::Debug for Ldlt {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Ldlt")
            .field("n", &self.pattern.n())
            .field("entries", &self.pattern.entries())
            .field("factor_len", &self.factor_values.len())
            .field("factored", &self.factored)
            .field("inertia", &self.inertia)
            .finish_non_exhaustive()
    }
}

impl Ldlt {
    /// Orders and analyses the pattern and allocates all storage. For 1200 unknowns in a chain
    /// with 200 distant blocks this costs about as much as two to four numeric factorisations.
    ///
    /// # Errors
    /// [`SolveError::Symbolic`] when memory or 32-bit indices do not suffice.
    pub fn new(pattern: Arc<SparsePattern>) -> Result<Self, SolveError> {
        let n = pattern.n();
        let failed = SolveError::Symbolic { unknowns: n };
        let structure = SymbolicSparseColMatRef::new_checked(
            n,
            n,
            pattern.column_start(),
            None,
            pattern.row_index(),
        );
        let symbolic = factorize_symbolic_cholesky(
            structure,
            Side::Lower,
            SymmetricOrdering::Amd,
            CholeskySymbolicParams {
                supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
                ..CholeskySymbolicParams::default()
            },
        )
        .map_err(|_| failed)?;
        let Some(permutation) = symbolic.perm() else {
            return Err(failed);
        };
        let (order, place) = permutation.arrays();
        let order = order.to_vec();
        let (permuted_pattern, destination) = permute(&pattern, place);
        let memory = symbolic
            .factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Spec::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        Ok(Self {
            permuted_values: vec![0.0; pattern.entries()],
            factor_values: vec![0.0; symbolic.len_val()],
            stack: MemBuffer::try_new(memory).map_err(|_| failed)?,
            inertia: Inertia::default(),
            norm: 0.0,
            factored: false,
            permuted_vector: vec![0.0; n],
            scratch: RefineScratch::new(n),
            pattern,
            symbolic,
            order,
            permuted_pattern,
            destination,
        })
    }

    /// The pattern that was analysed.
    pub fn pattern(&self) -> &Arc<SparsePattern> {
        &self.pattern
    }

    /// Number of values in the factor, fill included.
    pub fn factor_len(&self) -> usize {
        self.factor_values.len()
    }

    /// Factorises `matrix`, which must have the analysed pattern. No allocation.
    ///
    /// # Errors
    /// [`SolveError::PatternMismatch`], [`SolveError::NotFinite`], and [`SolveError::Singular`]
    /// for a pivot that is exactly zero.
    pub fn factor(&mut self, matrix: &SparseSymmetric) -> Result<Inertia, SolveError> {
        self.load(matrix)?;
        self.eliminate()
    }

    /// Factorises `matrix + shift * diag(weights)` without touching the matrix; solves and
    /// residuals then belong to the shifted matrix. No allocation.
    ///
    /// # Errors
    /// As [`Ldlt::factor`], and [`SolveError::WrongLength`] when there are not `n` weights.
    pub fn factor_shifted(
        &mut self,
        matrix: &SparseSymmetric,
        shift: f64,
        weights: &[f64],
    ) -> Result<Inertia, SolveError> {
        expect_length(self.pattern.n(), weights.len())?;
        self.load(matrix)?;
        let starts = self.permuted_pattern.col_ptr();
        for (&start, &original) in starts.iter().zip(&self.order) {
            self.permuted_values[start as usize] += shift * weights[original as usize];
        }
        self.eliminate()
    }

    /// Signs of the pivots of the last factorisation.
    ///
    /// # Errors
    /// [`SolveError::NotFactored`] when it did not succeed.
    pub fn inertia(&self) -> Result<Inertia, SolveError> {
        if self.factored {
            Ok(self.inertia)
        } else {
            Err(SolveError::NotFactored)
        }
    }

    /// Solves `A x = b` in place, `A` as last factorised, and checks the residual; refines once
    /// if it exceeds 1e-12 relatively. No allocation.
    ///
    /// # Errors
    /// [`SolveError::NotFactored`], [`SolveError::WrongLength`], [`SolveError::NotFinite`], and
    /// [`SolveError::ResidualTooLarge`] above 1e-6; `x` is then unchanged.
    pub fn solve(&mut self, x: &mut [f64]) -> Result<SolveReport, SolveError> {
        self.expect_ready(x)?;
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut permuted = std::mem::take(&mut self.permuted_vector);
        gather(&self.order, x, &mut permuted);
        let outcome = solve_checked(self, &mut permuted, &mut scratch);
        if outcome.is_ok() {
            scatter(&self.order, &permuted, x);
        }
        self.scratch = scratch;
        self.permuted_vector = permuted;
        outcome
    }

    /// Solves in place without looking at the residual, as a preconditioner does. No allocation.
    ///
    /// # Errors
    /// [`SolveError::NotFactored`] and [`SolveError::WrongLength`].
    pub fn solve_unchecked(&mut self, x: &mut [f64]) -> Result<(), SolveError> {
        self.expect_ready(x)?;
        let mut permuted = std::mem::take(&mut self.permuted_vector);
        gather(&self.order, x, &mut permuted);
        Factored::solve_unchecked(self, &mut permuted);
        scatter(&self.order, &permuted, x);
        self.permuted_vector = permuted;
        Ok(())
    }

    fn expect_ready(&self, x: &[f64]) -> Result<(), SolveError> {
        expect_length(self.pattern.n(), x.len())?;
        if self.factored {
            Ok(())
        } else {
            Err(SolveError::NotFactored)
        }
    }

    fn load(&mut self, matrix: &SparseSymmetric) -> Result<(), SolveError> {
        self.factored = false;
        if !Arc::ptr_eq(&self.pattern, &matrix.pattern) && self.pattern != matrix.pattern {
            return Err(SolveError::PatternMismatch);
        }
        for (value, &at) in matrix.values.iter().zip(&self.destination) {
            self.permuted_values[at as usize] = *value;
        }
        Ok(())
    }

    fn eliminate(&mut self) -> Result<Inertia, SolveError> {
        self.norm = row_sum_norm(
            self.permuted_pattern.col_ptr(),
            self.permuted_pattern.row_idx(),
            &self.permuted_values,
            &mut self.permuted_vector,
        );
        if !self.norm.is_finite() {
            return Err(SolveError::NotFinite { place: "matrix" });
        }
        let SymbolicCholeskyRaw::Supernodal(symbolic) = self.symbolic.raw() else {
            return Err(SolveError::Symbolic {
                unknowns: self.pattern.n(),
            });
        };
        factorize_supernodal_numeric_ldlt(
            &mut self.factor_values,
            SparseColMatRef::new(self.permuted_pattern.as_ref(), &self.permuted_values),
            LdltRegularization::default(),
            symbolic,
            Par::Seq,
            MemStack::new(&mut self.stack),
            Spec::<LdltParams, f64>::default(),
        )
        .map_err(|LdltError::ZeroPivot { index }| SolveError::Singular {
            row: self.order.get(index).map_or(index, |&row| row as usize),
        })?;
        self.inertia = count_signs(symbolic, &self.factor_values);
        self.factored = true;
        Ok(self.inertia)
    }
}

impl Factored for Ldlt {
    fn residual(&mut self, b: &[f64], x: &[f64], residual: &mut [f64]) {
        residual.copy_from_slice(b);
        let pattern = &self.permuted_pattern;
        let values = &self.permuted_values;
        symmetric_mul_add(
            pattern.col_ptr(),
            pattern.row_idx(),
            values,
            -1.0,
            x,
            residual,
        );
    }

    fn solve_unchecked(&mut self, x: &mut [f64]) {
        let SymbolicCholeskyRaw::Supernodal(symbolic) = self.symbolic.raw() else {
            return;
        };
        let n = x.len();
        SupernodalLdltRef::new(symbolic, &self.factor_values).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(x, n, 1),
            Par::Seq,
            MemStack::new(&mut self.stack),
        );
    }

    fn norm(&self) -> f64 {
        self.norm
    }
}

/// Lower triangle of the permuted matrix, rows ascending, and where each entry of the original
/// one goes in it. `place` holds the new index of each unknown.
fn permute(pattern: &SparsePattern, place: &[u32]) -> (SymbolicSparseColMat<u32>, Vec<u32>) {
    let n = pattern.n();
    let SparsePatternColumns { starts, rows } = columns(pattern);
    let mut entries = Vec::with_capacity(pattern.entries());
    for (column, bounds) in starts.windows(2).enumerate() {
        for at in bounds[0]..bounds[1] {
            let (a, b) = (place[column], place[rows[at as usize] as usize]);
            entries.push((a.min(b), a.max(b), at));
        }
    }
    entries.sort_unstable();
    let mut new_starts = vec![0_u32; n + 1];
    let mut destination = vec![0; entries.len()];
    for (position, &(column, _, at)) in entries.iter().enumerate() {
        new_starts[column as usize + 1] = position as u32 + 1;
        destination[at as usize] = position as u32;
    }
    let new_rows = entries.into_iter().map(|(_, row, _)| row).collect();
    (
        SymbolicSparseColMat::new_checked(n, n, new_starts, None, new_rows),
        destination,
    )
}

fn gather(order: &[u32], from: &[f64], to: &mut [f64]) {
    to.iter_mut()
        .zip(order)
        .for_each(|(to, &index)| *to = from[index as usize]);
}

fn scatter(order: &[u32], from: &[f64], to: &mut [f64]) {
    from.iter()
        .zip(order)
        .for_each(|(from, &index)| to[index as usize] = *from);
}

/// Largest row sum of `|A|`, NaN if any entry is not finite; `sums` is scratch.
fn row_sum_norm(starts: &[u32], rows: &[u32], values: &[f64], sums: &mut [f64]) -> f64 {
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
    super::refine::max_abs(sums)
}

/// Signs of `D`, which the factor keeps on the diagonal of its supernodes.
fn count_signs(symbolic: &SymbolicSupernodalCholesky<u32>, values: &[f64]) -> Inertia {
    let factor = SupernodalLdltRef::new(symbolic, values);
    let mut inertia = Inertia::default();
    for index in 0..symbolic.n_supernodes() {
        let block = factor.supernode(index).val();
        for pivot in 0..block.ncols() {
            if block[(pivot, pivot)] < 0.0 {
                inertia.negative += 1;
            } else {
                inertia.positive += 1;
            }
        }
    }
    inertia
}
