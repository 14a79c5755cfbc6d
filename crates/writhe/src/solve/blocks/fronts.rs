//! Factorisation of large matrices front by front (Duff and Reid 1983): columns with the same
//! structure are eliminated at once, in dense matrices.
//!
//! Elimination makes a tree: each column hands what is left of it to the first column that it
//! couples. Columns in a row with nearly the same structure make a *front*, a dense matrix of the
//! front's own groups and of those later ones that they couple:
//!
//! ```text
//! [ A11 A12 ]   [ L11   ] [ U11 U12 ]
//! [ A21 A22 ] = [ L21 I ] [       S ],   S = A22 - L21 U12 for the front's parent.
//! ```
//!
//! L has blocks of identity on its diagonal, U the pivots of the groups; their inverses are kept.
//! What is done in which order follows from the pattern alone, and so do the bits, whatever the
//! number of threads.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::pattern::BlockPattern;
use super::small::{Block, Part, SIZE, inverse};
use super::tree::{Front, Tree};
use crate::solve::error::SolveError;
use crate::solve::poll::Poll;

/// Columns, by unknowns, that are eliminated group by group; wider ones are halved.
const NARROW: usize = 32;
/// Columns right of the pivots that one task does.
const TASK_COLUMNS: usize = 64;
/// Operations of a front from which on its columns are shared among threads.
const SHARED_FROM: usize = 1 << 22;

/// Factor of one front: n unknowns, p of them its own.
#[derive(Debug, Clone, Default)]
struct Panel {
    /// Columns of L, and of U11 above the diagonal with inverted pivots, `(n, p)` column by column.
    left: Vec<f64>,
    /// U12, `(p, n - p)` column by column.
    upper: Vec<f64>,
}

/// Factors front by front.
#[derive(Debug)]
pub(super) struct FrontFactor {
    tree: Tree,
    panels: Vec<Panel>,
    /// What each front hands to its parent, while the parent is still to come.
    updates: Vec<Vec<f64>>,
}

impl FrontFactor {
    /// Storage for matrices that the tree is of.
    pub fn new(tree: Tree) -> Self {
        Self {
            panels: vec![Panel::default(); tree.fronts.len()],
            updates: vec![Vec::new(); tree.fronts.len()],
            tree,
        }
    }

    /// Factorises the matrix of these values.
    ///
    /// # Errors
    /// [`SolveError::Singular`], [`SolveError::Interrupted`].
    pub fn factor(
        &mut self,
        pattern: &BlockPattern,
        values: &[Block],
        poll: &Poll,
    ) -> Result<(), SolveError> {
        let Self {
            tree,
            panels,
            updates,
        } = self;
        let work = Work {
            tree,
            pattern,
            values,
            poll,
        };
        // Subtrees side by side, each front after its children; then what is above them.
        let mut tasks = Vec::new();
        let (mut panels_left, mut updates_left) = (&mut panels[..], &mut updates[..]);
        let mut from = 0;
        for range in &tree.subtrees {
            let (skipped, own) = (range.start - from, range.len());
            let (_, rest) = std::mem::take(&mut panels_left).split_at_mut(skipped);
            let (own_panels, rest) = rest.split_at_mut(own);
            panels_left = rest;
            let (_, rest) = std::mem::take(&mut updates_left).split_at_mut(skipped);
            let (own_updates, rest) = rest.split_at_mut(own);
            updates_left = rest;
            from = range.end;
            tasks.push((range.clone(), own_panels, own_updates));
        }
        tasks
            .into_par_iter()
            .try_for_each(|(range, panels, updates)| {
                let first = range.start;
                work.eliminate_all(range, (panels, updates), first)
            })?;
        work.eliminate_all(tree.top(), (panels, updates), 0)
    }

    /// Solves in place, by groups in the order of elimination.
    pub fn solve(&self, vector: &mut [Part]) {
        pulp::Arch::new().dispatch(Substitute {
            factor: self,
            x: vector.as_flattened_mut(),
        });
    }

    /// Inverses of the groups' pivots, in the order of elimination.
    pub fn inverse_pivots(&self) -> impl Iterator<Item = Block> + '_ {
        let fronts = self.tree.fronts.iter().zip(&self.panels);
        fronts.flat_map(|(front, panel)| {
            let n = front.unknowns();
            let groups = 0..front.columns.len();
            groups.map(move |g| {
                let k = SIZE * g;
                std::array::from_fn(|at| panel.left[(k + at / SIZE) * n + k + at % SIZE])
            })
        })
    }
}

/// What all fronts of a factorisation share.
#[derive(Clone, Copy)]
struct Work<'a> {
    tree: &'a Tree,
    pattern: &'a BlockPattern,
    values: &'a [Block],
    poll: &'a Poll,
}

/// A front while it is assembled: the columns of its own p unknowns, and the others.
struct Dense<'a> {
    n: usize,
    p: usize,
    left: &'a mut [f64],
    right: &'a mut [f64],
}

impl Dense<'_> {
    fn column(&mut self, k: usize) -> &mut [f64] {
        let (part, k) = match k < self.p {
            true => (&mut *self.left, k),
            false => (&mut *self.right, k - self.p),
        };
        &mut part[k * self.n..(k + 1) * self.n]
    }
}

/// So many zeros, in the memory that is there.
fn clear(values: &mut Vec<f64>, count: usize) {
    values.clear();
    values.resize(count, 0.0);
}

impl Work<'_> {
    /// Eliminates fronts one after the other; `panels` and `updates` are those from front `first` on.
    fn eliminate_all(
        &self,
        fronts: impl Iterator<Item = usize>,
        (panels, updates): (&mut [Panel], &mut [Vec<f64>]),
        first: usize,
    ) -> Result<(), SolveError> {
        // One place for the columns that each hands on: to ask for it anew would cost more than to
        // clear it.
        let mut right = Vec::new();
        for front in fronts {
            self.eliminate(front, (panels, updates), first, &mut right)?;
        }
        Ok(())
    }

    /// Assembles a front from the matrix and from what its children left, and eliminates its groups.
    fn eliminate(
        &self,
        index: usize,
        (panels, updates): (&mut [Panel], &mut [Vec<f64>]),
        first: usize,
        right: &mut Vec<f64>,
    ) -> Result<(), SolveError> {
        let front = &self.tree.fronts[index];
        let (n, p) = (front.unknowns(), SIZE * front.columns.len());
        let Panel { left, upper } = &mut panels[index - first];
        clear(left, n * p);
        clear(right, n * (n - p));
        let mut dense = Dense { n, p, left, right };
        self.assemble(front, &mut dense);
        for child in &front.children {
            let update = std::mem::take(&mut updates[child - first]);
            add_update(&self.tree.fronts[*child], &update, &mut dense);
        }
        eliminate_columns(left, n, 0..p, self.poll).map_err(|error| match error {
            SolveError::Singular { row: at } => SolveError::Singular {
                row: (self.pattern).unknown_at(front.columns.start + at / SIZE, at % SIZE),
            },
            other => other,
        })?;
        let left = &*left;
        let columns = |columns: &mut [f64]| {
            self.poll.check()?;
            eliminate_right(left, n, p, columns);
            Ok(())
        };
        match n * n * p >= SHARED_FROM {
            true => (right.par_chunks_mut(TASK_COLUMNS * n)).try_for_each(columns)?,
            false => (right.chunks_mut(TASK_COLUMNS * n)).try_for_each(columns)?,
        }
        let update = &mut updates[index - first];
        upper.clear();
        upper.reserve_exact(p * (n - p));
        update.clear();
        update.reserve_exact((n - p) * (n - p));
        for column in right.chunks_exact(n) {
            upper.extend_from_slice(&column[..p]);
            update.extend_from_slice(&column[p..]);
        }
        Ok(())
    }

    /// Adds the matrix's own blocks.
    fn assemble(&self, front: &Front, dense: &mut Dense) {
        let mut put = |row: usize, column: usize, block: &Block| {
            for (c, values) in block.chunks_exact(SIZE).enumerate() {
                dense.column(SIZE * column + c)[SIZE * row..][..SIZE].copy_from_slice(values);
            }
        };
        for (local, column) in front.columns.clone().enumerate() {
            put(local, local, &self.values[column]);
            for (at, row) in self.pattern.below(column) {
                let row = front.place(row);
                let [lower, upper] = self.pattern.mirrored(at).map(|at| &self.values[at]);
                put(row, local, lower);
                put(local, row, upper);
            }
        }
    }
}

/// Adds what a child left to the front of its parent.
fn add_update(child: &Front, update: &[f64], dense: &mut Dense) {
    let m = SIZE * child.rows.len();
    for (column, values) in update.chunks_exact(m.max(1)).enumerate() {
        let to = SIZE * child.in_parent[column / SIZE] as usize + column % SIZE;
        let target = dense.column(to);
        for (place, part) in child.in_parent.iter().zip(values.chunks_exact(SIZE)) {
            for (sum, value) in target[SIZE * *place as usize..].iter_mut().zip(part) {
                *sum += value;
            }
        }
    }
}

/// `L U` of the columns `range` of a front of n unknowns, all rows from there on. The row of a
/// singular group is that in the front.
fn eliminate_columns(
    left: &mut [f64],
    n: usize,
    range: Range<usize>,
    poll: &Poll,
) -> Result<(), SolveError> {
    let Range { start, end } = range;
    if end - start <= NARROW {
        poll.check()?;
        return pulp::Arch::new().dispatch(Narrow {
            left,
            n,
            start,
            end,
        });
    }
    // Half of them, what they do to the other half, and that.
    let middle = start + (end - start) / 2 / SIZE * SIZE;
    eliminate_columns(left, n, start..middle, poll)?;
    let (done, rest) = left.split_at_mut(middle * n);
    solve_lower(done, n, start..middle, &mut rest[..(end - middle) * n]);
    subtract_product(
        &done[start * n..],
        n,
        (start..middle, middle),
        &mut rest[..(end - middle) * n],
    );
    eliminate_columns(left, n, middle..end, poll)
}

/// What the eliminated columns do to others: their rows of U, and what is left below.
fn eliminate_right(left: &[f64], n: usize, p: usize, columns: &mut [f64]) {
    solve_lower(left, n, 0..p, columns);
    subtract_product(left, n, (0..p, p), columns);
}

/// The rows `range` of whole columns become those of U: `L^-1` of what stands there.
fn solve_lower(left: &[f64], n: usize, range: Range<usize>, columns: &mut [f64]) {
    let Range { start, end } = range;
    if end - start <= NARROW {
        return pulp::Arch::new().dispatch(SolveLower {
            left,
            n,
            start,
            end,
            columns,
        });
    }
    let middle = start + (end - start) / 2 / SIZE * SIZE;
    solve_lower(left, n, start..middle, columns);
    let count = columns.len() / n;
    let l = MatRef::from_column_major_slice(&left[start * n..middle * n], n, middle - start);
    let all = MatMut::from_column_major_slice_mut(columns, n, count);
    let (upper, lower) = all.split_at_row_mut(middle);
    matmul(
        lower.subrows_mut(0, end - middle),
        Accum::Add,
        l.subrows(middle, end - middle),
        upper.as_ref().subrows(start, middle - start),
        -1.0,
        Par::Seq,
    );
    solve_lower(left, n, middle..end, columns);
}

/// Subtracts from the rows `from ..` of whole columns the product of L, columns `range` which begin
/// in `left`, with their rows of U.
fn subtract_product(
    left: &[f64],
    n: usize,
    (range, from): (Range<usize>, usize),
    columns: &mut [f64],
) {
    let (count, width) = (columns.len() / n, range.len());
    let l = MatRef::from_column_major_slice(&left[..width * n], n, width);
    let all = MatMut::from_column_major_slice_mut(columns, n, count);
    let (upper, lower) = all.split_at_row_mut(from);
    matmul(
        lower,
        Accum::Add,
        l.subrows(from, n - from),
        upper.as_ref().subrows(range.start, width),
        -1.0,
        Par::Seq,
    );
}

/// Elimination of a few columns, group by group.
struct Narrow<'a> {
    left: &'a mut [f64],
    n: usize,
    start: usize,
    end: usize,
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
        } = self;
        for k in (start..end).step_by(SIZE) {
            let (group, rest) = left[k * n..end * n].split_at_mut(SIZE * n);
            let mut pivot = [0.0; SIZE * SIZE];
            for (c, column) in group.chunks_exact(n).enumerate() {
                pivot[SIZE * c..SIZE * (c + 1)].copy_from_slice(&column[k..k + SIZE]);
            }
            let pivot = inverse(&pivot).map_err(|slot| SolveError::Singular { row: k + slot })?;
            // L = A D^-1 below the pivot D, whose inverse is kept.
            for row in k + SIZE..n {
                let mut sums = [0.0; SIZE];
                for (c, sum) in sums.iter_mut().enumerate() {
                    for j in 0..SIZE {
                        *sum = group[j * n + row].mul_add(pivot[SIZE * c + j], *sum);
                    }
                }
                for (c, sum) in sums.into_iter().enumerate() {
                    group[c * n + row] = sum;
                }
            }
            for c in 0..SIZE {
                group[c * n + k..][..SIZE].copy_from_slice(&pivot[SIZE * c..SIZE * (c + 1)]);
            }
            for column in rest.chunks_exact_mut(n) {
                subtract_group(group, n, k, n, column);
            }
        }
        Ok(())
    }
}

/// Rows of U in some columns, by a few columns of L.
struct SolveLower<'a> {
    left: &'a [f64],
    n: usize,
    start: usize,
    end: usize,
    columns: &'a mut [f64],
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
        } = self;
        for column in columns.chunks_exact_mut(n) {
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
fn columns(group: &[f64], n: usize, rows: Range<usize>) -> [&[f64]; SIZE] {
    std::array::from_fn(|i| &group[i * n..(i + 1) * n][rows.clone()])
}

/// Forward and backward substitution.
struct Substitute<'a> {
    factor: &'a FrontFactor,
    x: &'a mut [f64],
}

impl pulp::WithSimd for Substitute<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self { factor, x } = self;
        let (mut own, mut below) = (Vec::new(), Vec::new());
        for (front, panel) in factor.tree.fronts.iter().zip(&factor.panels) {
            front.gather(x, &mut own, &mut below);
            // x1 <- L11^-1 x1, x2 <- x2 - L21 x1
            let (p, n) = (own.len(), own.len() + below.len());
            for k in (0..p).step_by(SIZE) {
                let part: Part = std::array::from_fn(|i| own[k + i]);
                let group = &panel.left[k * n..(k + SIZE) * n];
                let columns = |from: usize, to: usize| columns(group, n, from..to);
                subtract_scaled(&mut own[k + SIZE..], part, columns(k + SIZE, p));
                subtract_scaled(&mut below, part, columns(p, n));
            }
            front.scatter(x, &own, &below);
        }
        for (front, panel) in factor.tree.fronts.iter().zip(&factor.panels).rev() {
            front.gather(x, &mut own, &mut below);
            // x1 <- U11^-1 (x1 - U12 x2)
            let (p, n) = (own.len(), own.len() + below.len());
            for (group, part) in panel
                .upper
                .chunks_exact(SIZE * p)
                .zip(below.chunks_exact(SIZE))
            {
                let part = std::array::from_fn(|i| part[i]);
                subtract_scaled(&mut own, part, columns(group, p, 0..p));
            }
            for k in (0..p).step_by(SIZE).rev() {
                let mut solved = [0.0; SIZE];
                for (i, value) in own[k..k + SIZE].iter().enumerate() {
                    let column = &panel.left[(k + i) * n + k..][..SIZE];
                    for (sum, pivot) in solved.iter_mut().zip(column) {
                        *sum += pivot * value;
                    }
                }
                own[k..k + SIZE].copy_from_slice(&solved);
                let group = &panel.left[k * n..(k + SIZE) * n];
                subtract_scaled(&mut own[..k], solved, columns(group, n, 0..k));
            }
            front.scatter_own(x, &own);
        }
    }
}

/// `y -= s_0 x_0 + .. + s_3 x_3`: what is read and written is read and written once for four
/// columns.
#[inline(always)]
fn subtract_scaled(y: &mut [f64], s: Part, [a, b, c, d]: [&[f64]; SIZE]) {
    for ((((y, a), b), c), d) in y.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        let sum = (-s[1]).mul_add(*b, (-s[0]).mul_add(*a, *y));
        *y = (-s[3]).mul_add(*d, (-s[2]).mul_add(*c, sum));
    }
}
