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

mod dense;
mod substitution;

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use self::dense::{Watch, eliminate_columns, eliminate_right};
use super::pattern::BlockPattern;
use super::small::{Block, Part, SIZE};
use super::tree::{Branch, Front, Tree};
use crate::solve::error::SolveError;
use crate::solve::poll::Poll;
use crate::threads;

/// Columns right of the pivots that one task does.
const TASK_COLUMNS: usize = 64;
/// Operations of a front from which on its columns are shared among threads.
const SHARED_FROM: usize = 1 << 22;

/// Factors front by front. Of a front of n unknowns, p of them its own, there are the columns of L,
/// and of U11 above the diagonal with inverted pivots, `(n, p)` column by column; then U12,
/// `(p, n - p)` column by column.
#[derive(Debug)]
pub(super) struct FrontFactor {
    tree: Tree,
    /// The factors of all fronts.
    values: Vec<f64>,
    /// Where those of each front begin, and where the last end.
    start: Vec<usize>,
    /// The unknowns of all fronts while they are solved for, and where those of each begin.
    vectors: Vec<f64>,
    vector_start: Vec<usize>,
    positive: bool,
}

impl FrontFactor {
    /// Storage for matrices that the tree is of.
    pub fn new(tree: Tree) -> Self {
        let empty = Tree::new(&[]);
        let mut factor = Self {
            tree: empty,
            values: Vec::new(),
            start: Vec::new(),
            vectors: Vec::new(),
            vector_start: Vec::new(),
            positive: false,
        };
        factor.renew(tree);
        factor
    }

    /// Goes over to another tree, in the storage at hand.
    pub fn renew(&mut self, tree: Tree) {
        let sizes = |size: fn(&Front) -> usize, start: &mut Vec<usize>| {
            start.clear();
            start.push(0);
            start.extend(tree.fronts.iter().scan(0, |sum, front| {
                *sum += size(front);
                Some(*sum)
            }));
            start.last().copied().unwrap_or(0)
        };
        let stored = |front: &Front| front.own() * (2 * front.unknowns() - front.own());
        // What these hold is written before it is read.
        self.values.resize(sizes(stored, &mut self.start), 0.0);
        let unknowns = sizes(Front::unknowns, &mut self.vector_start);
        self.vectors.resize(unknowns, 0.0);
        self.tree = tree;
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
        let positive = AtomicBool::new(true);
        let work = Work {
            tree: &self.tree,
            start: &self.start,
            pattern,
            values,
            watch: Watch {
                poll,
                positive: &positive,
            },
        };
        let mut updates = vec![Vec::new(); self.tree.fronts.len()];
        let done = work.eliminate_all(&self.tree.whole, &mut self.values, &mut updates);
        self.positive = done.is_ok() && positive.into_inner();
        done
    }

    /// Solves in place, by groups in the order of elimination.
    pub fn solve(&mut self, vector: &mut [Part]) {
        self.substitute(vector.as_flattened_mut());
    }

    /// Whether all pivots of the matrix last factorised, if they are symmetric, are positive definite.
    pub fn has_positive_pivots(&self) -> bool {
        self.positive
    }
}

/// What all fronts of a factorisation share.
#[derive(Clone, Copy)]
struct Work<'a> {
    tree: &'a Tree,
    start: &'a [usize],
    pattern: &'a BlockPattern,
    values: &'a [Block],
    watch: Watch<'a>,
}

/// A front while it is assembled: the columns of its own p unknowns; of the others the first p
/// rows, and those below.
struct Dense<'a> {
    n: usize,
    p: usize,
    left: &'a mut [f64],
    upper: &'a mut [f64],
    update: &'a mut [f64],
}

impl Dense<'_> {
    /// A column from `row` on, as far as its entries are stored one after the other.
    fn column(&mut self, column: usize, row: usize) -> &mut [f64] {
        let (n, p) = (self.n, self.p);
        if column < p {
            return &mut self.left[column * n..(column + 1) * n][row..];
        }
        let (column, m) = (column - p, n - p);
        match row < p {
            true => &mut self.upper[column * p..(column + 1) * p][row..],
            false => &mut self.update[column * m..(column + 1) * m][row - p..],
        }
    }
}

impl Work<'_> {
    /// Eliminates the fronts of a branch, those of subtrees side by side; `factors` are theirs, and
    /// `updates` is what each hands to its parent, while the parent is still to come.
    fn eliminate_all(
        &self,
        branch: &Branch,
        factors: &mut [f64],
        updates: &mut [Vec<f64>],
    ) -> Result<(), SolveError> {
        let (first, at) = (branch.fronts.start, self.start[branch.fronts.start]);
        let mut below = Vec::with_capacity(branch.below.len());
        let (mut factors_left, mut updates_left, mut from) = (&mut *factors, &mut *updates, first);
        for branch in &branch.below {
            let range = &branch.fronts;
            let place = |front: usize| self.start[front] - self.start[from];
            let own = part(&mut factors_left, place(range.start)..place(range.end));
            let handed = part(&mut updates_left, range.start - from..range.end - from);
            from = range.end;
            below.push((branch, own, handed));
        }
        let grain = threads::grain(below.len(), 1);
        (below.into_par_iter().with_min_len(grain))
            .try_for_each(|(branch, own, handed)| self.eliminate_all(branch, own, handed))?;
        for front in branch.own() {
            let own = &mut factors[self.start[front] - at..self.start[front + 1] - at];
            self.eliminate(front, own, updates, first)?;
        }
        Ok(())
    }

    /// Assembles a front from the matrix and from what its children left, and eliminates its groups.
    /// `updates` are those from front `first` on.
    fn eliminate(
        &self,
        index: usize,
        factors: &mut [f64],
        updates: &mut [Vec<f64>],
        first: usize,
    ) -> Result<(), SolveError> {
        let front = &self.tree.fronts[index];
        let (n, p) = (front.unknowns(), front.own());
        factors.fill(0.0);
        let (left, upper) = factors.split_at_mut(n * p);
        let mut update = vec![0.0; (n - p) * (n - p)];
        let mut dense = Dense {
            n,
            p,
            left,
            upper,
            update: &mut update,
        };
        self.assemble(front, &mut dense);
        for child in &front.children {
            let handed = std::mem::take(&mut updates[child - first]);
            add_update(&self.tree.fronts[*child], &handed, &mut dense);
        }
        let shared = n * n * p >= SHARED_FROM && threads::count() > 1;
        eliminate_columns(left, n, 0..p, shared, self.watch).map_err(|error| match error {
            SolveError::Singular { row: at } => SolveError::Singular {
                row: (self.pattern).unknown_at(front.columns.start + at / SIZE, at % SIZE),
            },
            other => other,
        })?;
        let (left, m) = (&*left, n - p);
        let columns = |(upper, update): (&mut [f64], &mut [f64])| {
            self.watch.poll.check()?;
            eliminate_right(left, n, p, upper, update);
            Ok(())
        };
        let [uppers, lowers] = [p, m].map(|rows| (TASK_COLUMNS * rows).max(1));
        match shared {
            true => (upper.par_chunks_mut(uppers))
                .zip(update.par_chunks_mut(lowers))
                .try_for_each(columns)?,
            false => (upper.chunks_mut(uppers))
                .zip(update.chunks_mut(lowers))
                .try_for_each(columns)?,
        }
        updates[index - first] = update;
        Ok(())
    }

    /// Adds the matrix's own blocks.
    fn assemble(&self, front: &Front, dense: &mut Dense) {
        let mut put = |row: usize, column: usize, block: &Block| {
            for (c, values) in block.chunks_exact(SIZE).enumerate() {
                let part = dense.column(SIZE * column + c, SIZE * row);
                part[..SIZE].copy_from_slice(values);
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

/// The part `range` of what is left; what comes after it is left then.
fn part<'a, T>(left: &mut &'a mut [T], range: Range<usize>) -> &'a mut [T] {
    let (before, rest) = std::mem::take(left).split_at_mut(range.end);
    *left = rest;
    &mut before[range.start..]
}

/// Adds what a child left to the front of its parent.
fn add_update(child: &Front, update: &[f64], dense: &mut Dense) {
    let m = SIZE * child.rows.len();
    // Places ascend: first come the parent's own groups.
    let own = (child.in_parent).partition_point(|place| SIZE * (*place as usize) < dense.p);
    let (own, others) = child.in_parent.split_at(own);
    for (column, values) in update.chunks_exact(m.max(1)).enumerate() {
        let to = SIZE * child.in_parent[column / SIZE] as usize + column % SIZE;
        let (to_own, to_others) = values.split_at(SIZE * own.len());
        for (places, values) in [(own, to_own), (others, to_others)] {
            let Some(first) = places.first() else {
                continue;
            };
            let target = dense.column(to, SIZE * *first as usize);
            for (place, part) in places.iter().zip(values.chunks_exact(SIZE)) {
                let at = SIZE * (place - first) as usize;
                for (sum, value) in target[at..at + SIZE].iter_mut().zip(part) {
                    *sum += value;
                }
            }
        }
    }
}
