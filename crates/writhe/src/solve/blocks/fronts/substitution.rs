//! Forward and backward substitution, branch by branch.
//!
//! Each front has its own unknowns and those that they couple side by side in a vector. Forwards a
//! front takes from its children what they do to its unknowns; backwards it hands them its own. So
//! no two subtrees write in one place.

use std::ops::Range;

use rayon::prelude::*;

use super::dense::{columns, subtract_scaled};
use super::{FrontFactor, part};
use crate::solve::blocks::small::{Part, SIZE};
use crate::solve::blocks::tree::{Branch, Front, Tree};
use crate::threads;

impl FrontFactor {
    /// Solves in place, by unknowns in the order of elimination.
    pub(super) fn substitute(&mut self, x: &mut [f64]) {
        let own = |front: &Front| SIZE * front.columns.start..SIZE * front.columns.end;
        for (front, start) in self.tree.fronts.iter().zip(&self.vector_start) {
            self.vectors[*start..][..front.own()].copy_from_slice(&x[own(front)]);
        }
        let factors = Factors {
            tree: &self.tree,
            values: &self.values,
            start: &self.start,
            vector_start: &self.vector_start,
        };
        factors.forwards(&self.tree.whole, &mut self.vectors);
        factors.backwards(&self.tree.whole, &mut self.vectors);
        for (front, start) in self.tree.fronts.iter().zip(&self.vector_start) {
            x[own(front)].copy_from_slice(&self.vectors[*start..][..front.own()]);
        }
    }
}

/// What is read.
#[derive(Clone, Copy)]
struct Factors<'a> {
    tree: &'a Tree,
    values: &'a [f64],
    start: &'a [usize],
    vector_start: &'a [usize],
}

impl Factors<'_> {
    /// `x1 <- L11^-1 x1, x2 <- -L21 x1`, with what children did to both; `vectors` are those of the
    /// branch's fronts.
    fn forwards(&self, branch: &Branch, vectors: &mut [f64]) {
        let below = self.split(branch, vectors);
        let grain = threads::grain(below.len(), 1);
        (below.into_par_iter().with_min_len(grain))
            .for_each(|(branch, vectors)| self.forwards(branch, vectors));
        pulp::Arch::new().dispatch(Pass {
            factors: *self,
            branch,
            vectors,
            direction: Direction::Forwards,
        });
    }

    /// `x1 <- U11^-1 (x1 - U12 x2)`, and of both to the children what they couple.
    fn backwards(&self, branch: &Branch, vectors: &mut [f64]) {
        pulp::Arch::new().dispatch(Pass {
            factors: *self,
            branch,
            vectors: &mut *vectors,
            direction: Direction::Backwards,
        });
        let below = self.split(branch, vectors);
        let grain = threads::grain(below.len(), 1);
        (below.into_par_iter().with_min_len(grain))
            .for_each(|(branch, vectors)| self.backwards(branch, vectors));
    }

    /// The branches below, and their vectors.
    fn split<'b, 'v>(
        &self,
        branch: &'b Branch,
        vectors: &'v mut [f64],
    ) -> Vec<(&'b Branch, &'v mut [f64])> {
        let (mut left, mut from) = (vectors, self.vector_start[branch.fronts.start]);
        let split = branch.below.iter().map(|branch| {
            let Range { start, end } = self.vectors_of(&branch.fronts);
            let own = part(&mut left, start - from..end - from);
            from = end;
            (branch, own)
        });
        split.collect()
    }

    /// Where the vectors of some fronts are.
    fn vectors_of(&self, fronts: &Range<usize>) -> Range<usize> {
        self.vector_start[fronts.start]..self.vector_start[fronts.end]
    }

    /// The factors of a front.
    fn of(&self, front: usize) -> &[f64] {
        &self.values[self.start[front]..self.start[front + 1]]
    }
}

#[derive(Clone, Copy)]
enum Direction {
    Forwards,
    Backwards,
}

/// The fronts of a branch that are in none below, one after the other.
struct Pass<'a> {
    factors: Factors<'a>,
    branch: &'a Branch,
    /// Of all fronts of the branch.
    vectors: &'a mut [f64],
    direction: Direction,
}

impl pulp::WithSimd for Pass<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        match self.direction {
            Direction::Forwards => self.forwards(),
            Direction::Backwards => self.backwards(),
        }
    }
}

impl Pass<'_> {
    #[inline(always)]
    fn forwards(self) {
        let Self {
            factors,
            branch,
            vectors,
            ..
        } = self;
        let first = factors.vector_start[branch.fronts.start];
        for index in branch.own() {
            let front = &factors.tree.fronts[index];
            let (n, p) = (front.unknowns(), front.own());
            // Children come before their parent.
            let (before, own) = vectors.split_at_mut(factors.vector_start[index] - first);
            let (own, below) = own[..n].split_at_mut(p);
            below.fill(0.0);
            for child in &front.children {
                let range = factors.vectors_of(&(*child..child + 1));
                let child = &factors.tree.fronts[*child];
                let handed = &before[range.start - first..range.end - first][child.own()..];
                for (place, values) in child.in_parent.iter().zip(handed.chunks_exact(SIZE)) {
                    let at = SIZE * *place as usize;
                    let target = match at < p {
                        true => &mut own[at..at + SIZE],
                        false => &mut below[at - p..at - p + SIZE],
                    };
                    for (sum, value) in target.iter_mut().zip(values) {
                        *sum += value;
                    }
                }
            }
            let left = &factors.of(index)[..n * p];
            for (k, group) in (0..p).step_by(SIZE).zip(left.chunks_exact(SIZE * n)) {
                let part: Part = std::array::from_fn(|i| own[k + i]);
                let columns = |from: usize, to: usize| columns(group, n, from..to);
                subtract_scaled(&mut own[k + SIZE..], part, columns(k + SIZE, p));
                subtract_scaled(below, part, columns(p, n));
            }
        }
    }

    #[inline(always)]
    fn backwards(self) {
        let Self {
            factors,
            branch,
            vectors,
            ..
        } = self;
        let first = factors.vector_start[branch.fronts.start];
        for index in branch.own().rev() {
            let front = &factors.tree.fronts[index];
            let (n, p) = (front.unknowns(), front.own());
            let (before, all) = vectors.split_at_mut(factors.vector_start[index] - first);
            let all = &mut all[..n];
            let (own, below) = all.split_at_mut(p);
            let (left, upper) = factors.of(index).split_at(n * p);
            for (group, part) in (upper.chunks_exact(SIZE * p)).zip(below.chunks_exact(SIZE)) {
                let part = std::array::from_fn(|i| part[i]);
                subtract_scaled(own, part, columns(group, p, 0..p));
            }
            for k in (0..p).step_by(SIZE).rev() {
                let mut solved = [0.0; SIZE];
                for (i, value) in own[k..k + SIZE].iter().enumerate() {
                    let column = &left[(k + i) * n + k..][..SIZE];
                    for (sum, pivot) in solved.iter_mut().zip(column) {
                        *sum += pivot * value;
                    }
                }
                own[k..k + SIZE].copy_from_slice(&solved);
                let group = &left[k * n..(k + SIZE) * n];
                subtract_scaled(&mut own[..k], solved, columns(group, n, 0..k));
            }
            for child in &front.children {
                let range = factors.vectors_of(&(*child..child + 1));
                let child = &factors.tree.fronts[*child];
                let handed = &mut before[range.start - first..range.end - first][child.own()..];
                for (place, values) in child.in_parent.iter().zip(handed.chunks_exact_mut(SIZE)) {
                    values.copy_from_slice(&all[SIZE * *place as usize..][..SIZE]);
                }
            }
        }
    }
}
