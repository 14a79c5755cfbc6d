//! The LDLᵀ factorisation of a sparse symmetric matrix.

use super::matrix::{SparseSymmetric, row_sum_norm, symmetric_mul_add};
use super::permute::{gather, permute, scatter};
use crate::solve::error::{SolveError, expect_length};
use crate::solve::pattern::SparsePattern;
use crate::solve::refine::{Factored, RefineScratch, SolveReport, solve_checked};
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
        if !Arc::ptr_eq(&self.pattern, matrix.pattern()) && self.pattern != *matrix.pattern() {
            return Err(SolveError::PatternMismatch);
        }
        for (value, &at) in matrix.values().iter().zip(&self.destination) {
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
