//! Elimination within a front, by products of dense matrices.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::TASK_COLUMNS;
use crate::solve::blocks::pivot::{self, Rows};
use crate::solve::blocks::small::{Block, Part, SIZE};
use crate::solve::error::SolveError;
use crate::solve::poll::Poll;

/// Columns, by unknowns, that are eliminated group by group; wider ones are halved.
const NARROW: usize = 32;

const IDENTITY: Block = {
    let mut block = [0.0; SIZE * SIZE];
    let mut k = 0;
    while k < SIZE {
        block[k * (SIZE + 1)] = 1.0;
        k += 1;
    }
    block
};

/// What asks an elimination to stop, and what is told of its pivots.
#[derive(Clone, Copy)]
pub(super) struct Watch<'a> {
    pub poll: &'a Poll,
    /// Becomes false where a pivot, if it is symmetric, is not positive definite.
    pub positive: &'a AtomicBool,
}

/// `L U` of the columns `range` of a front of n unknowns, all rows from there on; by several
/// threads if they are `shared`. The row of a singular group is that in the front.
pub(super) fn eliminate_columns(
    left: &mut [f64],
    n: usize,
    range: Range<usize>,
    shared: bool,
    watch: Watch,
) -> Result<(), SolveError> {
    let Range { start, end } = range;
    if end - start <= NARROW {
        watch.poll.check()?;
        return pulp::Arch::new().dispatch(Narrow {
            left,
            n,
            start,
            end,
            positive: watch.positive,
        });
    }
    // Half of them, what they do to the other half, and that.
    let middle = start + (end - start) / 2 / SIZE * SIZE;
    eliminate_columns(left, n, start..middle, shared, watch)?;
    let (done, rest) = left.split_at_mut(middle * n);
    let half = &mut rest[..(end - middle) * n];
    let columns = |columns: &mut [f64]| {
        solve_lower(done, n, start..middle, columns, n);
        subtract_within(done, n, (start..middle, middle..n), columns, n);
    };
    match shared && end - middle > TASK_COLUMNS {
        true => half.par_chunks_mut(TASK_COLUMNS * n).for_each(columns),
        false => columns(half),
    }
    eliminate_columns(left, n, middle..end, shared, watch)
}

/// What the p eliminated columns do to others: their rows of U, `(p, ..)`, and what is left below,
/// `(n - p, ..)`.
pub(super) fn eliminate_right(
    left: &[f64],
    n: usize,
    p: usize,
    upper: &mut [f64],
    lower: &mut [f64],
) {
    solve_lower(left, n, 0..p, upper, p);
    let (count, m) = (upper.len() / p, n - p);
    let l = MatRef::from_column_major_slice(&left[..n * p], n, p);
    let u = MatRef::from_column_major_slice(upper, p, count);
    let below = MatMut::from_column_major_slice_mut(lower, m, count);
    matmul(below, Accum::Add, l.subrows(p, m), u, -1.0, Par::Seq);
}

/// The rows `range` of columns of so many `rows` become those of U: `L^-1` of what stands there.
fn solve_lower(left: &[f64], n: usize, range: Range<usize>, columns: &mut [f64], rows: usize) {
    let Range { start, end } = range;
    if end - start <= NARROW {
        return pulp::Arch::new().dispatch(SolveLower {
            left,
            n,
            start,
            end,
            columns,
            rows,
        });
    }
    let middle = start + (end - start) / 2 / SIZE * SIZE;
    solve_lower(left, n, start..middle, columns, rows);
    subtract_within(left, n, (start..middle, middle..end), columns, rows);
    solve_lower(left, n, middle..end, columns, rows);
}

/// Subtracts from the rows `below` of columns of so many `rows` the product of L, of which these are
/// the columns `range`, with their rows of U.
fn subtract_within(
    left: &[f64],
    n: usize,
    (range, below): (Range<usize>, Range<usize>),
    columns: &mut [f64],
    rows: usize,
) {
    let (count, width) = (columns.len() / rows, range.len());
    let l = MatRef::from_column_major_slice(&left[range.start * n..range.end * n], n, width);
    let all = MatMut::from_column_major_slice_mut(columns, rows, count);
    let (upper, lower) = all.split_at_row_mut(below.start);
    matmul(
        lower.subrows_mut(0, below.len()),
        Accum::Add,
        l.subrows(below.start, below.len()),
        upper.as_ref().subrows(range.start, width),
        -1.0,
        Par::Seq,
    );
}

/// Elimination of a few columns, group by group; `positive` becomes false where a pivot is not
/// positive definite.
struct Narrow<'a> {
    left: &'a mut [f64],
    n: usize,
    start: usize,
    end: usize,
    positive: &'a AtomicBool,
}

impl pulp::WithSimd for Narrow<'_> {
    type Output = Result<(), SolveError>;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Self::Output {
        let Self {
            left,
            n,
            start,
            end,
            positive,
        } = self;
        for k in (start..end).step_by(SIZE) {
            let (group, rest) = left[k * n..end * n].split_at_mut(SIZE * n);
            let mut pivot = [0.0; SIZE * SIZE];
            for (c, column) in group.chunks_exact(n).enumerate() {
                pivot[SIZE * c..SIZE * (c + 1)].copy_from_slice(&column[k..k + SIZE]);
            }
            let rows = pivot::factorise(&mut pivot)
                .map_err(|slot| SolveError::Singular { row: k + slot })?;
            if !pivot::is_positive(&pivot, rows) {
                positive.store(false, Ordering::Relaxed);
            }
            // L = A D^-1 below the pivot D, whose inverse is kept for substitution.
            divide_below(group, n, k, (&pivot, rows));
            let inverse = pivot::divide(&IDENTITY, &pivot, rows);
            for c in 0..SIZE {
                group[c * n + k..][..SIZE].copy_from_slice(&inverse[SIZE * c..SIZE * (c + 1)]);
            }
            for column in rest.chunks_exact_mut(n) {
                subtract_group(group, n, k, n, column);
            }
        }
        Ok(())
    }
}

/// `A D^-1` in the rows below the pivot D of the group k, as factorised.
#[inline(always)]
fn divide_below(group: &mut [f64], n: usize, k: usize, (d, rows): (&Block, Rows)) {
    let mut columns = group
        .chunks_exact_mut(n)
        .map(|column| &mut column[k + SIZE..]);
    let mut next = || columns.next().unwrap_or_default();
    let all = [next(), next(), next(), next()];
    let [a, b, c, e] = all;
    // Row by row, side by side.
    for (((a, b), c), e) in a.iter_mut().zip(&mut *b).zip(&mut *c).zip(&mut *e) {
        let mut x = [*a, *b, *c, *e];
        pivot::divide_row(&mut x, d);
        [*a, *b, *c, *e] = x;
    }
    if !rows.in_order() {
        for (((a, b), c), e) in a.iter_mut().zip(b).zip(c).zip(e) {
            [*a, *b, *c, *e] = rows.put_back([*a, *b, *c, *e]);
        }
    }
}

/// Rows of U in some columns, by a few columns of L.
struct SolveLower<'a> {
    left: &'a [f64],
    n: usize,
    start: usize,
    end: usize,
    columns: &'a mut [f64],
    rows: usize,
}

impl pulp::WithSimd for SolveLower<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self {
            left,
            n,
            start,
            end,
            columns,
            rows,
        } = self;
        for column in columns.chunks_exact_mut(rows) {
            for k in (start..end).step_by(SIZE) {
                subtract_group(&left[k * n..(k + SIZE) * n], n, k, end, column);
            }
        }
    }
}

/// Subtracts from the rows `k + 4 .. end` of a column L of the group k times its rows k of U.
#[inline(always)]
fn subtract_group(group: &[f64], n: usize, k: usize, end: usize, column: &mut [f64]) {
    let (upper, lower) = column[..end].split_at_mut(k + SIZE);
    let u = &upper[k..];
    let rows = k + SIZE..end;
    subtract_scaled(
        lower,
        std::array::from_fn(|i| u[i]),
        columns(group, n, rows),
    );
}

/// Four columns of n rows each, of which these rows.
#[inline(always)]
pub(super) fn columns(group: &[f64], n: usize, rows: Range<usize>) -> [&[f64]; SIZE] {
    std::array::from_fn(|i| &group[i * n..(i + 1) * n][rows.clone()])
}

/// `y -= s_0 x_0 + .. + s_3 x_3`: what is read and written is read and written once for four
/// columns.
#[inline(always)]
pub(super) fn subtract_scaled(y: &mut [f64], s: Part, [a, b, c, d]: [&[f64]; SIZE]) {
    for ((((y, a), b), c), d) in y.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        let sum = (-s[1]).mul_add(*b, (-s[0]).mul_add(*a, *y));
        *y = (-s[3]).mul_add(*d, (-s[2]).mul_add(*c, sum));
    }
}
