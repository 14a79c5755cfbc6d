//! Factor of the matrix of a rod.

use pulp::Arch;

use super::elimination::Factor;
use super::matrix::{Residual, RodMatrix};
use super::middle::Middle;
use super::substitution::Substitute;
use super::{GROUP, REACH};
use crate::solve::band::BandLu;
use crate::solve::error::{SolveError, expect_length};
use crate::solve::refine::{Factored, RefineScratch, SolveReport, solve_checked};

/// Numbers of a group: a column of rows, or values.
pub(super) type Quad = [f64; GROUP];

/// LU factorisation of a [`RodMatrix`].
///
/// The rod is eliminated from both ends at once, group by group, towards its middle (a *twisted*
/// factorisation): that costs no more operations than from one end, but half of them never wait for
/// the other half. Where a diagonal does not serve as pivot, all is done anew by a [`BandLu`], which
/// exchanges rows.
///
/// Every elementary operation, fused products included, is the same on every machine, so factors are
/// reproducible bit for bit.
#[derive(Debug, Clone)]
pub struct RodLu {
    n: usize,
    /// The groups that the eliminations from the front and from the back take, one of each at a time.
    pub(super) steps: Vec<[Step; 2]>,
    pub(super) middle: Middle,
    /// In place of all of it where rows have to be exchanged.
    pub(super) exchanging: Option<Box<BandLu>>,
    /// No more than the largest sum of a row.
    norm: f64,
    pub(super) factored: bool,
    scratch: RefineScratch,
}

/// A group of pivots of either elimination.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Step {
    /// Multipliers within the group, column by column; the last column has none.
    pub(super) inner: [Quad; GROUP - 1],
    /// Multipliers of the rows of the two groups that follow, column by column.
    pub(super) below: [[Quad; REACH]; GROUP],
    /// Reciprocals of pivots.
    pub(super) reciprocals: Quad,
    /// Columns of U within the group, over its pivots; the first has none.
    pub(super) upper: [Quad; GROUP - 1],
    /// Columns of U in the two groups that follow, over its pivots.
    pub(super) right: [[Quad; GROUP]; REACH],
}

impl RodLu {
    /// Storage for the factor of an `(n, n)` matrix. Memory: about `23 n` numbers.
    pub fn new(n: usize) -> Self {
        let groups = n.div_ceil(GROUP);
        Self {
            n,
            steps: vec![[Step::default(); 2]; groups.saturating_sub(REACH) / 2],
            middle: Middle::default(),
            exchanging: None,
            norm: 0.0,
            factored: false,
            scratch: RefineScratch::new(n),
        }
    }

    /// Factorises `matrix` into the kept storage. Cost: about `35 n` fused operations.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] for a matrix of another shape, [`SolveError::NotFinite`] when it
    /// holds a NaN or an infinity, [`SolveError::Singular`] when a column offers no pivot.
    pub fn factor(&mut self, matrix: &RodMatrix) -> Result<(), SolveError> {
        expect_length(self.n, matrix.n())?;
        self.factored = false;
        self.norm = matrix.largest_diagonal();
        self.exchanging = None;
        let sound = Arch::new().dispatch(Factor { lu: self, matrix });
        if !sound {
            let band = matrix.to_band();
            let mut lu = BandLu::new(band.n(), band.half_bandwidth());
            lu.factor(&band)?;
            self.exchanging = Some(Box::new(lu));
        }
        self.factored = true;
        Ok(())
    }

    /// Solves `A x = b` in place and checks the result against `matrix`, which must be the one
    /// that was factorised; refines once if the relative residual exceeds 1e-12.
    ///
    /// # Errors
    /// [`SolveError::NotFactored`], [`SolveError::WrongLength`], [`SolveError::NotFinite`], and
    /// [`SolveError::ResidualTooLarge`] above 1e-6; `x` is then not a solution.
    pub fn solve(&mut self, matrix: &RodMatrix, x: &mut [f64]) -> Result<SolveReport, SolveError> {
        expect_length(self.n, matrix.n())?;
        self.expect_ready(x.len())?;
        let mut scratch = std::mem::take(&mut self.scratch);
        let outcome = solve_checked(&mut Checked { lu: self, matrix }, x, &mut scratch);
        self.scratch = scratch;
        outcome
    }

    /// Solves `A x = b` in place without looking at the residual, as a preconditioner does.
    /// Cost: about `20 n` fused operations.
    ///
    /// # Errors
    /// [`SolveError::NotFactored`] and [`SolveError::WrongLength`].
    pub fn solve_unchecked(&self, x: &mut [f64]) -> Result<(), SolveError> {
        self.expect_ready(x.len())?;
        self.substitute(x);
        Ok(())
    }

    /// Whether rows had to be exchanged.
    #[cfg(test)]
    pub(crate) fn exchanges(&self) -> bool {
        self.exchanging.is_some()
    }

    pub(super) fn expect_ready(&self, length: usize) -> Result<(), SolveError> {
        expect_length(self.n, length)?;
        if self.factored {
            Ok(())
        } else {
            Err(SolveError::NotFactored)
        }
    }

    /// Number of groups.
    pub(super) fn groups(&self) -> usize {
        self.n.div_ceil(GROUP)
    }

    fn substitute(&self, x: &mut [f64]) {
        match &self.exchanging {
            // Factorised, and of this size.
            Some(lu) => lu.substitute(x),
            None => Arch::new().dispatch(Substitute { lu: self, x }),
        }
    }
}

/// `to - a by`.
#[inline(always)]
pub(super) fn subtracted(a: &Quad, by: f64, to: &Quad) -> Quad {
    [
        (-a[0]).mul_add(by, to[0]),
        (-a[1]).mul_add(by, to[1]),
        (-a[2]).mul_add(by, to[2]),
        (-a[3]).mul_add(by, to[3]),
    ]
}

#[inline(always)]
pub(super) fn product(a: &Quad, b: &Quad) -> Quad {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]]
}

/// A factor and the matrix it came from.
struct Checked<'a> {
    lu: &'a RodLu,
    matrix: &'a RodMatrix,
}

impl Factored for Checked<'_> {
    fn residual(&mut self, b: &[f64], x: &[f64], residual: &mut [f64]) {
        let matrix = self.matrix;
        Arch::new().dispatch(Residual {
            matrix,
            x,
            b,
            y: residual,
        });
    }

    fn solve_unchecked(&mut self, x: &mut [f64]) {
        self.lu.substitute(x);
    }

    fn norm(&self) -> f64 {
        self.lu.norm
    }
}
