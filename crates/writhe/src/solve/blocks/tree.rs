//! The tree of fronts: which columns are eliminated together, and after which others.

use std::ops::Range;

use super::small::SIZE;

/// Part of a front's entries that may be zeros which its parent's columns bring.
const ZEROS: f64 = 0.2;
/// Columns up to which a front joins its parent whatever zeros that brings.
const ALWAYS: usize = 4;
/// Parts of all work up to which a subtree is done by one thread.
const SHARES: f64 = 16.0;

/// Columns that are eliminated together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Front {
    /// Its own groups, in the order of elimination.
    pub columns: Range<usize>,
    /// Later groups that they couple, ascending.
    pub rows: Vec<u32>,
    /// Fronts that hand what is left to it, ascending.
    pub children: Vec<usize>,
    /// Where its rows are among the groups of its parent.
    pub in_parent: Vec<u32>,
}

impl Front {
    /// Unknowns of its groups.
    pub fn unknowns(&self) -> usize {
        SIZE * (self.columns.len() + self.rows.len())
    }

    /// Place of a group among its own and those that they couple.
    pub fn place(&self, group: u32) -> usize {
        match self.columns.contains(&(group as usize)) {
            true => group as usize - self.columns.start,
            // A group that is not there has no place: the tree was made of this matrix.
            false => self.columns.len() + self.rows.partition_point(|row| *row < group),
        }
    }

    /// Copies its own unknowns and those that they couple.
    pub fn gather(&self, x: &[f64], own: &mut Vec<f64>, below: &mut Vec<f64>) {
        own.clear();
        own.extend_from_slice(&x[SIZE * self.columns.start..SIZE * self.columns.end]);
        below.clear();
        for row in &self.rows {
            below.extend_from_slice(&x[SIZE * *row as usize..][..SIZE]);
        }
    }

    /// Writes its own unknowns.
    pub fn scatter_own(&self, x: &mut [f64], own: &[f64]) {
        x[SIZE * self.columns.start..SIZE * self.columns.end].copy_from_slice(own);
    }

    /// Writes its own unknowns and those that they couple.
    pub fn scatter(&self, x: &mut [f64], own: &[f64], below: &[f64]) {
        self.scatter_own(x, own);
        for (row, part) in self.rows.iter().zip(below.chunks_exact(SIZE)) {
            x[SIZE * *row as usize..][..SIZE].copy_from_slice(part);
        }
    }

    /// Multiplications of its elimination.
    fn work(&self) -> f64 {
        let (n, p) = (self.unknowns() as f64, (SIZE * self.columns.len()) as f64);
        n * n * p
    }
}

/// All fronts, each after its children.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree {
    /// In the order of elimination.
    pub fronts: Vec<Front>,
    /// Whole subtrees that share nothing, ascending.
    pub subtrees: Vec<Range<usize>>,
}

impl Tree {
    /// The tree of columns which, in the order of elimination, couple the later groups `rows`,
    /// ascending; each column after those whose first such group it is.
    pub fn new(rows: &[Vec<u32>]) -> Self {
        let mut fronts = joined(rows);
        let owner = owners(&fronts, rows.len());
        let parent: Vec<Option<usize>> = fronts
            .iter()
            .map(|front| front.rows.first().map(|row| owner[*row as usize]))
            .collect();
        for (index, parent) in parent.iter().enumerate() {
            let Some(parent) = *parent else { continue };
            let above = fronts[parent].clone();
            let front = &mut fronts[index];
            front.in_parent = front.rows.iter().map(|r| above.place(*r) as u32).collect();
            fronts[parent].children.push(index);
        }
        let subtrees = subtrees(&fronts, &parent);
        Self { fronts, subtrees }
    }

    /// Fronts that are in no subtree.
    pub fn top(&self) -> impl Iterator<Item = usize> + '_ {
        let mut subtrees = self.subtrees.iter().peekable();
        (0..self.fronts.len()).filter(move |front| {
            while subtrees.next_if(|range| range.end <= *front).is_some() {}
            subtrees.peek().is_none_or(|range| !range.contains(front))
        })
    }
}

/// Columns of equal or nearly equal structure, together.
fn joined(rows: &[Vec<u32>]) -> Vec<Front> {
    let mut fronts: Vec<Front> = Vec::new();
    for (column, below) in rows.iter().enumerate() {
        let mut front = Front {
            columns: column..column + 1,
            rows: below.clone(),
            children: Vec::new(),
            in_parent: Vec::new(),
        };
        // The front before, if this column is its parent, while that brings few zeros.
        while let Some(before) = fronts.last() {
            if before.rows.first() != Some(&(front.columns.start as u32)) {
                break;
            }
            let (own, joins) = (front.columns.len(), before.columns.len());
            // Each of its columns would have all of this front's groups.
            let zeros = joins * (own + front.rows.len() - before.rows.len());
            let all = (own + joins) * (own + joins + front.rows.len());
            let few = own + joins <= ALWAYS || (zeros as f64) <= ZEROS * all as f64;
            if !few {
                break;
            }
            front.columns.start = before.columns.start;
            fronts.pop();
        }
        fronts.push(front);
    }
    fronts
}

/// Front of each column.
fn owners(fronts: &[Front], columns: usize) -> Vec<usize> {
    let mut owner = vec![0; columns];
    for (index, front) in fronts.iter().enumerate() {
        owner[front.columns.clone()].fill(index);
    }
    owner
}

/// The largest subtrees with at most a small part of all work.
fn subtrees(fronts: &[Front], parent: &[Option<usize>]) -> Vec<Range<usize>> {
    // Work and first front of the subtree below each front: children come before it, in a row.
    let mut work: Vec<f64> = fronts.iter().map(Front::work).collect();
    let mut first: Vec<usize> = (0..fronts.len()).collect();
    for (index, parent) in parent.iter().enumerate() {
        if let Some(parent) = *parent {
            work[parent] += work[index];
            first[parent] = first[parent].min(first[index]);
        }
    }
    let roots = parent
        .iter()
        .zip(&work)
        .filter(|(parent, _)| parent.is_none());
    let share = roots.map(|(_, work)| work).sum::<f64>() / SHARES;
    let small = |index: usize| work[index] <= share;
    (0..fronts.len())
        .filter(|index| small(*index) && !parent[*index].is_some_and(small))
        .map(|index| first[index]..index + 1)
        .collect()
}
