//! The matrices of rods that nothing couples, each with a factor of its own.
//!
//! Parts are eliminated and substituted by several threads where there is enough to do. What is done
//! within a part does not depend on the others, so neither do its bits on the number of threads.

use super::{Lanes, RodLu, RodMatrix};
use crate::solve::error::{SolveError, expect_length};
use crate::solve::refine::SolveReport;
use crate::threads;

/// Unknowns below which one thread factorises all of them: some 20 us of work.
const FACTORED_ALONE: usize = 512;
/// Unknowns below which one thread substitutes, as soon as another would have begun.
const SUBSTITUTED_ALONE: usize = 1024;

/// Unknowns of a block for which no memory is asked.
const FEW: usize = 16;

/// Diagonal blocks one after the other, each the matrix of a rod.
#[derive(Debug)]
pub struct RodParts {
    n: usize,
    /// Index of the part that each unknown is in, `(n)`.
    part_of: Vec<u32>,
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    /// Its first unknown.
    first: usize,
    matrix: RodMatrix,
    lu: RodLu,
}

impl RodParts {
    /// The zero matrix of shape `(n, n)` whose parts begin at the unknowns `first`, in their order;
    /// the first of them at 0, whatever is said.
    pub fn new(n: usize, first: &[usize]) -> Self {
        let mut begin: Vec<usize> = first.iter().copied().filter(|f| *f < n).collect();
        begin.push(0);
        begin.sort_unstable();
        begin.dedup();
        let ends = begin.iter().skip(1).copied().chain([n]);
        let parts: Vec<Part> = (begin.iter().zip(ends))
            .map(|(&first, end)| Part {
                first,
                matrix: RodMatrix::new(end - first),
                lu: RodLu::new(end - first),
            })
            .collect();
        let part_of = parts.iter().zip(0..);
        let part_of = part_of.flat_map(|(part, i)| std::iter::repeat_n(i, part.matrix.n()));
        Self {
            n,
            part_of: part_of.collect(),
            parts,
        }
    }

    /// A copy of the part that begins at the unknown `first` and has `n` of them, not factorised; zero
    /// where there is none.
    pub fn window(&self, first: usize, n: usize) -> Self {
        let mut window = Self::new(n, &[]);
        let part = self.part_of.get(first).map(|i| &self.parts[*i as usize]);
        if let Some(part) = part.filter(|part| part.first == first && part.matrix.n() == n) {
            window.parts[0].matrix.clone_from(&part.matrix);
        }
        window
    }

    /// Sets every entry to zero; the factors stay.
    pub fn set_zero(&mut self) {
        self.parts
            .iter_mut()
            .for_each(|part| part.matrix.set_zero());
    }

    /// [`RodMatrix::add_block`], of unknowns that lie in one part.
    ///
    /// # Errors
    /// [`SolveError::OutsidePattern`] where they do not, and those of [`RodMatrix::add_block`].
    pub fn add_block(&mut self, unknowns: &[u32], values: &[f64]) -> Result<(), SolveError> {
        let (Some(&low), Some(&high)) = (unknowns.iter().min(), unknowns.iter().max()) else {
            return expect_length(0, values.len());
        };
        let (low, high) = (low as usize, high as usize);
        let (Some(i), Some(j)) = (self.part_of.get(low), self.part_of.get(high)) else {
            let (row, column) = (low, high);
            return Err(SolveError::OutsidePattern { row, column });
        };
        if i != j {
            let (row, column) = (low, high);
            return Err(SolveError::OutsidePattern { row, column });
        }
        let part = &mut self.parts[*i as usize];
        if part.first == 0 {
            return part.matrix.add_block(unknowns, values);
        }
        let first = part.first as u32;
        let mut few = [0; FEW];
        let many: Vec<u32>;
        let within = match few.get_mut(..unknowns.len()) {
            Some(few) => {
                let shifted = few.iter_mut().zip(unknowns);
                shifted.for_each(|(few, unknown)| *few = unknown - first);
                &*few
            }
            None => {
                many = unknowns.iter().map(|unknown| unknown - first).collect();
                &many
            }
        };
        part.matrix.add_block(within, values)
    }

    /// [`RodMatrix::add_stencil`].
    pub fn add_stencil(&mut self, first: usize, blocks: &[[f64; 16]; 9]) {
        if let Some(part) = self.part_of.get(first) {
            let part = &mut self.parts[*part as usize];
            part.matrix.add_stencil(first - part.first, blocks);
        }
    }

    /// [`RodMatrix::add_columns`].
    #[inline(always)]
    pub fn add_columns(&mut self, first: usize, columns: &[[[f64; 8]; 16]; 6], lane: usize) {
        if let Some(part) = self.part_of.get(first) {
            let part = &mut self.parts[*part as usize];
            part.matrix.add_columns(first - part.first, columns, lane);
        }
    }

    /// [`RodMatrix::add_difference`].
    pub fn add_difference(&mut self, ends: [usize; 2], h: &[[f64; 3]; 3]) {
        if let Some(part) = self.part_of.get(ends[0]) {
            let part = &mut self.parts[*part as usize];
            let within = ends.map(|end| end - part.first);
            part.matrix.add_difference(within, h);
        }
    }

    /// Adds to the diagonal entries of all unknowns but those that are `fixed`.
    pub fn add_to_diagonal(&mut self, values: &[f64], fixed: &[bool]) {
        for Part { first, matrix, .. } in &mut self.parts {
            let own = *first..*first + matrix.n();
            let unknowns = values[own.clone()].iter().zip(&fixed[own]).enumerate();
            for (unknown, (value, fixed)) in unknowns {
                matrix.add_at_diagonal(unknown, if *fixed { 0.0 } else { *value });
            }
        }
    }

    /// Factorises all parts.
    ///
    /// # Errors
    /// Those of [`RodLu::factor`], of the first part that has one.
    pub fn factor(&mut self) -> Result<(), SolveError> {
        factor(&mut self.parts, None)
    }

    /// Factorises the matrix plus `shift` times the diagonal `weights`, `(n)`.
    ///
    /// # Errors
    /// As [`Self::factor`], and [`SolveError::WrongLength`].
    pub fn factor_shifted(&mut self, shift: f64, weights: &[f64]) -> Result<(), SolveError> {
        expect_length(self.n, weights.len())?;
        factor(&mut self.parts, Some((shift, weights)))
    }

    /// Solves `A x = b` in place and checks each part as [`RodLu::solve`] does; reports the part
    /// with the largest residual.
    ///
    /// # Errors
    /// Those of [`RodLu::solve`], of the first part that has one.
    pub fn solve(&mut self, x: &mut [f64]) -> Result<SolveReport, SolveError> {
        expect_length(self.n, x.len())?;
        solve(&mut self.parts, x)
    }

    /// Solves `A x = b` in place without looking at the residual.
    ///
    /// # Errors
    /// [`SolveError::NotFactored`] and [`SolveError::WrongLength`].
    pub fn solve_unchecked(&self, x: &mut [f64]) -> Result<(), SolveError> {
        expect_length(self.n, x.len())?;
        substitute(&self.parts, x)
    }

    /// Solves for several right-hand sides at once, `(n)`, in place, which are zero before row
    /// `first`.
    ///
    /// # Errors
    /// [`SolveError::NotFactored`] and [`SolveError::WrongLength`].
    pub fn solve_lanes(&self, first: usize, x: &mut [Lanes]) -> Result<(), SolveError> {
        expect_length(self.n, x.len())?;
        for part in &self.parts {
            let n = part.matrix.n();
            // A part before that row has zeros alone.
            if first < part.first + n {
                let own = &mut x[part.first..][..n];
                part.lu.solve_lanes(first.saturating_sub(part.first), own)?;
            }
        }
        Ok(())
    }
}

/// Number of unknowns of parts that follow each other.
fn unknowns(parts: &[Part]) -> usize {
    parts.iter().map(|part| part.matrix.n()).sum()
}

/// Where parts are halved among two threads; `None` where one has them all.
fn halves(parts: &[Part], alone: usize) -> Option<usize> {
    (parts.len() > 1 && unknowns(parts) >= alone).then_some(parts.len() / 2)
}

fn factor(parts: &mut [Part], shift: Option<(f64, &[f64])>) -> Result<(), SolveError> {
    if let Some(middle) = halves(parts, FACTORED_ALONE) {
        let (left, right) = parts.split_at_mut(middle);
        let (a, b) = threads::join(|| factor(left, shift), || factor(right, shift));
        return a.and(b);
    }
    for Part { first, matrix, lu } in parts {
        let outcome = match shift {
            None => lu.factor(matrix),
            Some((shift, weights)) => {
                // Shifted in place, and back again, to rounding.
                let weights = &weights[*first..*first + matrix.n()];
                matrix.add_diagonal(shift, weights)?;
                let outcome = lu.factor(matrix);
                matrix.add_diagonal(-shift, weights)?;
                outcome
            }
        };
        outcome.map_err(|error| match error {
            SolveError::Singular { row } => SolveError::Singular { row: *first + row },
            other => other,
        })?;
    }
    Ok(())
}

fn solve(parts: &mut [Part], x: &mut [f64]) -> Result<SolveReport, SolveError> {
    if let Some(middle) = halves(parts, FACTORED_ALONE) {
        let (left, right) = parts.split_at_mut(middle);
        let (y, z) = x.split_at_mut(unknowns(left));
        let (a, b) = threads::join(|| solve(left, y), || solve(right, z));
        return Ok(worse(a?, b?));
    }
    let mut report = SolveReport {
        relative_residual: 0.0,
        refined: false,
    };
    let mut rest = x;
    for Part { matrix, lu, .. } in parts {
        let (own, others) = rest.split_at_mut(matrix.n());
        report = worse(report, lu.solve(matrix, own)?);
        rest = others;
    }
    Ok(report)
}

fn worse(a: SolveReport, b: SolveReport) -> SolveReport {
    SolveReport {
        relative_residual: a.relative_residual.max(b.relative_residual),
        refined: a.refined || b.refined,
    }
}

fn substitute(parts: &[Part], x: &mut [f64]) -> Result<(), SolveError> {
    if let Some(middle) = halves(parts, SUBSTITUTED_ALONE) {
        let (left, right) = parts.split_at(middle);
        let (y, z) = x.split_at_mut(unknowns(left));
        let (a, b) = threads::join(|| substitute(left, y), || substitute(right, z));
        return a.and(b);
    }
    let mut rest = x;
    for Part { matrix, lu, .. } in parts {
        let (own, others) = rest.split_at_mut(matrix.n());
        lu.solve_unchecked(own)?;
        rest = others;
    }
    Ok(())
}
