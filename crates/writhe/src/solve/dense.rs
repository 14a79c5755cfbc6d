//! LU of a dense matrix with partial pivoting, on the calling thread: the same bits whatever the
//! number of threads.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::{factor, solve};
use faer::perm::PermRef;
use faer::{Mat, MatMut, Par, Spec};

use super::error::{SolveError, expect_length};

/// Factor `P A = L U`.
#[derive(Debug, Clone)]
pub(crate) struct DenseLu {
    /// L below the diagonal of ones, U on and above the diagonal.
    factors: Mat<f64>,
    rows: Vec<usize>,
    rows_inverse: Vec<usize>,
}

impl DenseLu {
    /// Factorises a square matrix in its own memory. Cost: 2/3 n^3 operations.
    ///
    /// A singular matrix is not noticed here: what is solved with it is not finite, or leaves a
    /// residual.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when the matrix is not square.
    pub(crate) fn factor(mut matrix: Mat<f64>) -> Result<Self, SolveError> {
        let n = matrix.nrows();
        expect_length(n, matrix.ncols())?;
        let (mut rows, mut rows_inverse) = (vec![0; n], vec![0; n]);
        let scratch = factor::lu_in_place_scratch::<usize, f64>(n, n, Par::Seq, Spec::default());
        factor::lu_in_place(
            matrix.as_mut(),
            &mut rows,
            &mut rows_inverse,
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(scratch)),
            Spec::default(),
        );
        Ok(Self {
            factors: matrix,
            rows,
            rows_inverse,
        })
    }

    /// `x <- A^-1 x`, not checked.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when `x` does not have `n` entries.
    pub(crate) fn solve_unchecked(&self, x: &mut [f64]) -> Result<(), SolveError> {
        let n = self.factors.nrows();
        expect_length(n, x.len())?;
        // L and U share one matrix: each solve takes its own triangle.
        let scratch = solve::solve_in_place_scratch::<usize, f64>(n, 1, Par::Seq);
        solve::solve_in_place(
            self.factors.as_ref(),
            self.factors.as_ref(),
            self.permutation(),
            MatMut::from_column_major_slice_mut(x, n, 1),
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(scratch)),
        );
        Ok(())
    }

    fn permutation(&self) -> PermRef<'_, usize> {
        PermRef::new_checked(&self.rows, &self.rows_inverse, self.rows.len())
    }
}
