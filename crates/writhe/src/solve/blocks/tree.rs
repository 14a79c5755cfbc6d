//! The tree of fronts: which columns are eliminated together, and after which others.

use std::ops::Range;

use super::small::SIZE;

/// Part by which joining a front to its parent may add to the work of both: zeros are multiplied
/// where they are taken together.
const MORE_WORK: f64 = 0.05;
/// Products of blocks that a front less is worth: it is assembled, and its matrices are short.
const WORTH: f64 = 200.0;
/// Parts of all work up to which a subtree is done by one thread.
const SHARES: f64 = 32.0;

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

    /// Its own unknowns.
    pub fn own(&self) -> usize {
        SIZE * self.columns.len()
    }

    /// Products of blocks in its elimination.
    fn work(&self) -> f64 {
        work(self.columns.len() + self.rows.len(), self.columns.len())
    }
}

/// Products of blocks in the elimination of p groups among n.
fn work(n: usize, p: usize) -> f64 {
    let cube = |x: usize| (x as f64).powi(3);
    (cube(n) - cube(n - p)) / 3.0
}

/// Fronts in a row: those of subtrees that threads may do side by side, then what is above them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Branch {
    /// All of its fronts.
    pub fronts: Range<usize>,
    /// Subtrees that share nothing, ascending.
    pub below: Vec<Branch>,
}

impl Branch {
    /// Fronts that are in no subtree below, ascending.
    pub fn own(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..=self.below.len()).flat_map(|gap| {
            let start =
                (gap.checked_sub(1)).map_or(self.fronts.start, |b| self.below[b].fronts.end);
            let end = (self.below.get(gap)).map_or(self.fronts.end, |b| b.fronts.start);
            start..end
        })
    }
}

/// All fronts, each after its children.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree {
    /// In the order of elimination.
    pub fronts: Vec<Front>,
    /// How threads share them.
    pub whole: Branch,
}

impl Tree {
    /// The tree of columns which, in the order of elimination, couple the later groups `rows`,
    /// ascending; each column after those whose first such group it is.
    pub fn new(rows: &[Vec<u32>]) -> Self {
        let mut fronts = joined(rows);
        let owner = owners(&fronts, rows.len());
        let parents: Vec<Option<usize>> = fronts
            .iter()
            .map(|front| front.rows.first().map(|row| owner[*row as usize]))
            .collect();
        for (index, parent) in parents.iter().enumerate() {
            let Some(parent) = *parent else { continue };
            let above = fronts[parent].clone();
            let front = &mut fronts[index];
            front.in_parent = front.rows.iter().map(|r| above.place(*r) as u32).collect();
            fronts[parent].children.push(index);
        }
        let whole = Subtrees::new(&fronts, &parents).whole();
        Self { fronts, whole }
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
        // The front before, if this column is its parent, while that makes little more work.
        while let Some(before) = fronts.last() {
            if before.rows.first() != Some(&(front.columns.start as u32)) {
                break;
            }
            let (own, joins) = (front.columns.len(), before.columns.len());
            let (n, before_n) = (own + front.rows.len(), joins + before.rows.len());
            let apart = work(n, own) + work(before_n, joins);
            let few = work(n + joins, own + joins) <= (1.0 + MORE_WORK) * apart + WORTH;
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

/// What is below each front.
struct Subtrees<'a> {
    fronts: &'a [Front],
    roots: Vec<usize>,
    /// First front of the subtree below each front, and the work there: children come before it, in
    /// a row.
    first: Vec<usize>,
    work: Vec<f64>,
    /// Work from which on a subtree is cut into branches.
    large: f64,
}

impl<'a> Subtrees<'a> {
    fn new(fronts: &'a [Front], parents: &[Option<usize>]) -> Self {
        let mut work: Vec<f64> = fronts.iter().map(Front::work).collect();
        let mut first: Vec<usize> = (0..fronts.len()).collect();
        for (index, parent) in parents.iter().enumerate() {
            if let Some(parent) = *parent {
                work[parent] += work[index];
                first[parent] = first[parent].min(first[index]);
            }
        }
        let roots: Vec<usize> = (0..fronts.len())
            .filter(|f| parents[*f].is_none())
            .collect();
        let large = roots.iter().map(|root| work[*root]).sum::<f64>() / SHARES;
        Self {
            fronts,
            roots,
            first,
            work,
            large,
        }
    }

    fn whole(&self) -> Branch {
        Branch {
            fronts: 0..self.fronts.len(),
            below: self.below(&self.roots),
        }
    }

    /// The subtrees of these fronts, ascending.
    fn below(&self, tops: &[usize]) -> Vec<Branch> {
        tops.iter().map(|top| self.branch(*top)).collect()
    }

    /// The subtree of a front: whole if it is small. Otherwise the fronts from there down that have
    /// but one large child each are one after the other, and all else is below them: so branches lie
    /// within branches no deeper than there are shares.
    fn branch(&self, top: usize) -> Branch {
        let fronts = self.first[top]..top + 1;
        let is_large = |front: &usize| self.work[*front] > self.large;
        if !is_large(&top) {
            let below = Vec::new();
            return Branch { fronts, below };
        }
        let (mut below, mut front) = (Vec::new(), top);
        loop {
            let children = &self.fronts[front].children;
            let mut large = children.iter().filter(|child| is_large(child));
            let (first, second) = (large.next(), large.next());
            match (first, second) {
                (Some(only), None) => {
                    below.extend(children.iter().filter(|child| *child != only));
                    front = *only;
                }
                _ => break below.extend(children),
            }
        }
        below.sort_unstable();
        let below = self.below(&below);
        Branch { fronts, below }
    }
}

#[cfg(test)]
mod tests;
