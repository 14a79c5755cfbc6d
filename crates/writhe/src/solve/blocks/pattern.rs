//! Which blocks a matrix and its factors have.

use super::dissection::rounds;
use super::order::{Limits, POLL_AFTER, minimum_degree};
use super::small::SIZE;
use super::tree::Tree;
use crate::solve::error::SolveError;
use crate::solve::poll::Poll;
use crate::threads;

/// Products of blocks in a factorisation from which on it goes front by front.
const FRONTS_FROM: usize = 1 << 20;
/// Products up to which minimum degree is followed where groups have places.
const FOLLOWED: usize = 1 << 22;

/// Groups from which on both orders are looked for at once.
const BOTH_FROM: usize = 1 << 13;

/// So often is a node of a rod that touches another one named in couplings.
const USUAL_NEIGHBOURS: usize = 32;

/// Marks a slot without unknown.
pub(super) const NONE: u32 = u32::MAX;

/// Places of the unknowns in blocks, and the blocks of all matrices with these couplings and of
/// their factors.
///
/// Blocks are counted in the order of elimination. A value is at `i` for the diagonal block `i`; at
/// `blocks + k` for the k-th block below the diagonal, column by column; and `blocks + below + k`
/// for its mirror image.
///
/// Where there is much to eliminate the places are those of the matrix alone, and a tree of fronts
/// has those of the factors.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockPattern {
    /// Block and slot of each unknown, `(unknowns)`.
    pub(super) place: Vec<(u32, u32)>,
    /// Unknown of each slot, `(blocks, 4)`.
    pub(super) slots: Vec<[u32; SIZE]>,
    /// Where each column begins in `rows`, `(blocks + 1)`.
    pub(super) start: Vec<usize>,
    /// Blocks below the diagonal, ascending within a column.
    pub(super) rows: Vec<u32>,
    /// Values that the elimination of a column changes: for the q-th and p-th of its rows, `p`
    /// fastest.
    pub(super) targets: Vec<u32>,
    /// The fronts of large matrices.
    pub(super) tree: Option<Tree>,
}

impl BlockPattern {
    /// The pattern of unknowns in the groups `group_of`, `(unknowns)`, counted from 0 on with at
    /// most 4 unknowns each, where the groups in each of `couplings` are coupled.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] for a group of more unknowns, [`SolveError::OutsidePattern`] for
    /// a coupling of a group that does not exist, [`SolveError::TooDense`] and
    /// [`SolveError::Symbolic`] when a factorisation would take too much memory, or more places
    /// than 32-bit indices have.
    pub fn new<C: AsRef<[u32]>>(
        group_of: &[u32],
        couplings: impl IntoIterator<Item = C>,
    ) -> Result<Self, SolveError> {
        Self::with_late(group_of, couplings, &[], None, &Poll::default())
    }

    /// The pattern of [`BlockPattern::new`] where the groups `late`, whose own blocks are zero
    /// (multipliers), are eliminated after all others. Where there is much to eliminate, the
    /// `places` of the groups, in space, tell how to cut them into parts.
    ///
    /// # Errors
    /// See [`BlockPattern::new`]; [`SolveError::Interrupted`] when `poll` says stop.
    pub(crate) fn with_late<C: AsRef<[u32]>>(
        group_of: &[u32],
        couplings: impl IntoIterator<Item = C>,
        late: &[u32],
        places: Option<&[[f64; 3]]>,
        poll: &Poll,
    ) -> Result<Self, SolveError> {
        let groups = group_of.iter().map(|g| *g as usize + 1).max().unwrap_or(0);
        let mut neighbours: Vec<Vec<u32>> = Vec::new();
        neighbours.resize_with(groups, || Vec::with_capacity(USUAL_NEIGHBOURS));
        for coupling in couplings {
            let coupled = coupling.as_ref();
            if let Some(outside) = coupled.iter().find(|g| **g as usize >= groups) {
                let outside = *outside as usize;
                return Err(SolveError::OutsidePattern {
                    row: outside,
                    column: outside,
                });
            }
            for &g in coupled {
                let others = coupled.iter().filter(|other| **other != g);
                neighbours[g as usize].extend(others);
            }
        }
        // The order of elimination, and what each elimination couples.
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        let (order, later) = elimination(&neighbours, late, places, Limits::default(), poll)?;
        let by_fronts = products(&later) >= FRONTS_FROM;
        let order = match by_fronts {
            true => children_first(&order, &later),
            false => leaves_first(&order, &later),
        };
        let mut rank = vec![0; groups];
        for (r, group) in order.iter().enumerate() {
            rank[*group as usize] = r as u32;
        }
        // Unknowns take the slots of their group's block in their own order.
        let mut slots = vec![[NONE; SIZE]; groups];
        let mut filled = vec![0; groups];
        let mut place = Vec::with_capacity(group_of.len());
        for (unknown, group) in group_of.iter().enumerate() {
            let block = rank[*group as usize] as usize;
            let slot = filled[block];
            filled[block] += 1;
            if slot == SIZE {
                return Err(SolveError::WrongLength {
                    expected: SIZE,
                    found: SIZE + 1,
                });
            }
            slots[block][slot] = unknown as u32;
            place.push((block as u32, slot as u32));
        }
        // Columns of the factor, fill included, in the new numbering.
        let ranked = |lists: &[Vec<u32>], group: u32, rows: &mut Vec<u32>| {
            let (own, from) = (rank[group as usize], rows.len());
            let others = lists[group as usize].iter().map(|g| rank[*g as usize]);
            rows.extend(others.filter(|r| *r > own));
            rows[from..].sort_unstable();
        };
        let (mut start, mut rows) = (vec![0], Vec::new());
        for group in &order {
            let lists = if by_fronts { &neighbours } else { &later };
            ranked(lists, *group, &mut rows);
            start.push(rows.len());
        }
        let tree = by_fronts.then(|| {
            let columns: Vec<_> = order
                .iter()
                .map(|group| {
                    let mut column = Vec::new();
                    ranked(&later, *group, &mut column);
                    column
                })
                .collect();
            Tree::new(&columns)
        });
        let mut pattern = Self {
            place,
            slots,
            start,
            rows,
            targets: Vec::new(),
            tree,
        };
        if pattern.tree.is_none() {
            pattern.find_targets(poll)?;
        }
        Ok(pattern)
    }

    fn find_targets(&mut self, poll: &Poll) -> Result<(), SolveError> {
        let unknowns = self.unknowns();
        let symbolic = || SolveError::Symbolic { unknowns };
        if u32::try_from(self.stored()).is_err() {
            return Err(symbolic());
        }
        let columns = (0..self.blocks()).map(|block| self.column(block).len());
        let mut targets = vec![0; columns.map(|rows| rows * rows).sum()];
        let (mut from, mut polled) = (0, 0);
        for block in 0..self.blocks() {
            let rows = self.column(block);
            let count = rows.len();
            if from - polled >= POLL_AFTER {
                poll.check()?;
                polled = from;
            }
            // In the order in which elimination asks: upper blocks outside, lower ones inside.
            let these = &mut targets[from..from + count * count];
            for (q, j) in rows.iter().enumerate() {
                these[count * q + q] = *j;
                // All rows below this one are rows of its column, both ascending.
                let mut column = self.below(*j as usize);
                for (p, i) in rows.iter().enumerate().skip(q + 1) {
                    let (k, _) = column.find(|(_, row)| row == i).ok_or_else(symbolic)?;
                    let [lower, upper] = self.mirrored(k);
                    these[count * q + p] = lower as u32;
                    these[count * p + q] = upper as u32;
                }
            }
            from += count * count;
        }
        self.targets = targets;
        Ok(())
    }

    /// Where the blocks between the groups of these unknowns, each the first of its group, are
    /// stored: that of row i and column j at `N i + j` of `M = N N` places.
    ///
    /// # Errors
    /// [`SolveError::OutsidePattern`] for groups that are not coupled.
    pub(crate) fn places<const N: usize, const M: usize>(
        &self,
        first: [u32; N],
    ) -> Result<[u32; M], SolveError> {
        let mut places = [0; M];
        for (a, row) in first.iter().enumerate() {
            let i = self.place[*row as usize].0;
            places[N * a + a] = i;
            for (b, column) in first.iter().enumerate().take(a) {
                let j = self.place[*column as usize].0;
                let outside = SolveError::OutsidePattern {
                    row: *row as usize,
                    column: *column as usize,
                };
                let [at, mirror] = self.find_both(i, j).ok_or(outside)?;
                places[N * a + b] = at as u32;
                places[N * b + a] = mirror as u32;
            }
        }
        Ok(places)
    }

    /// Whether factorisations go front by front.
    pub fn has_fronts(&self) -> bool {
        self.tree.is_some()
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.place.len()
    }

    /// Number of groups.
    pub fn blocks(&self) -> usize {
        self.slots.len()
    }

    /// Number of blocks that are stored, fill included.
    pub fn stored(&self) -> usize {
        self.blocks() + 2 * self.rows.len()
    }

    /// The blocks below the diagonal in a column.
    pub(super) fn column(&self, block: usize) -> &[u32] {
        &self.rows[self.start[block]..self.start[block + 1]]
    }

    /// The blocks below the diagonal in a column: their number, which [`BlockPattern::mirrored`]
    /// asks for, and row.
    pub(super) fn below(&self, column: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        (self.start[column]..self.start[column + 1]).map(|k| (k, self.rows[k]))
    }

    /// Where a block below the diagonal is stored, and its mirror image.
    pub(super) fn mirrored(&self, k: usize) -> [usize; 2] {
        let lower = self.blocks() + k;
        [lower, lower + self.rows.len()]
    }

    /// The unknown in a slot; any of the group's where there is none.
    pub(super) fn unknown_at(&self, block: usize, slot: usize) -> usize {
        let slots = self.slots[block];
        let unknown = if slots[slot] == NONE {
            slots[0]
        } else {
            slots[slot]
        };
        unknown as usize
    }

    /// Where the block in row i and column j is stored.
    pub(super) fn find(&self, i: u32, j: u32) -> Option<usize> {
        self.find_both(i, j).map(|[at, _]| at)
    }

    /// The same, and where its mirror image is.
    fn find_both(&self, i: u32, j: u32) -> Option<[usize; 2]> {
        if i == j {
            return Some([i as usize; 2]);
        }
        // Below the diagonal column by column; above it the mirror images, as many places further.
        let (column, row) = (i.min(j) as usize, i.max(j));
        let k = self.column(column).binary_search(&row).ok()? + self.start[column];
        let [lower, upper] = self.mirrored(k);
        Some(if i < j {
            [upper, lower]
        } else {
            [lower, upper]
        })
    }
}

/// Products of blocks that elimination takes.
fn products(later: &[Vec<u32>]) -> usize {
    later.iter().map(|l| l.len().pow(2)).sum()
}

/// The order of elimination, and which later groups each couples: by minimum degree with the groups
/// `late` after all others. Where that takes much, each late group as soon as what it is coupled with is
/// gone (a chain of bodies), or, where groups have places, part by part, whichever takes least. Minimum
/// degree that takes very much is not followed to its end, which would take longer than to cut.
fn elimination(
    neighbours: &[Vec<u32>],
    late: &[u32],
    places: Option<&[[f64; 3]]>,
    limits: Limits,
    poll: &Poll,
) -> Result<Elimination, SolveError> {
    // With room for what elimination couples.
    let copy = |list: &Vec<u32>| {
        let mut copy = Vec::with_capacity(list.len().max(USUAL_NEIGHBOURS));
        copy.extend_from_slice(list);
        copy
    };
    let by_degree = |round: &[u32], held: &[u32], limits| {
        let lists = neighbours.iter().map(copy).collect();
        minimum_degree(lists, round, held, limits, poll)
    };
    let mut late_last = vec![0; neighbours.len()];
    late.iter().for_each(|g| late_last[*g as usize] = u32::MAX);
    let followed = Limits {
        products: FOLLOWED.min(limits.products),
        ..limits
    };
    let whole = || match places {
        Some(_) => by_degree(&late_last, &[], followed),
        None => by_degree(&late_last, &[], limits),
    };
    let in_parts = || {
        let places = places?;
        let cuts = rounds(neighbours, places);
        let round: Vec<u32> = late_last.iter().zip(cuts).map(|(a, b)| b.max(*a)).collect();
        Some(by_degree(&round, &[], limits))
    };
    // Both at once where a thread would have nothing else to do, and both are likely to be asked for.
    let both = neighbours.len() >= BOTH_FROM && threads::count() > 1 && places.is_some();
    let (whole, parts) = match both {
        true => {
            let (whole, parts) = threads::join(whole, in_parts);
            (whole, Some(parts))
        }
        false => (whole(), None),
    };
    if is_little(&whole) {
        return whole;
    }
    let soon = match late {
        [] => None,
        _ => Some(by_degree(&vec![0; neighbours.len()], late, followed)),
    };
    if soon.as_ref().is_some_and(is_little) {
        return soon.unwrap_or(whole);
    }
    let parts = parts.unwrap_or_else(in_parts);
    let mut best = whole;
    for other in parts.into_iter().chain(soon) {
        best = better(best, other);
    }
    match best {
        // Each would take very much: the first, to its end.
        Err(SolveError::TooDense { .. }) if places.is_some() => by_degree(&late_last, &[], limits),
        best => best,
    }
}

/// An order, and which later groups each elimination couples.
type Elimination = (Vec<u32>, Vec<Vec<u32>>);

fn is_little(found: &Result<Elimination, SolveError>) -> bool {
    match found {
        Ok((_, later)) => products(later) < FRONTS_FROM,
        Err(error) => !matches!(error, SolveError::TooDense { .. }),
    }
}

/// The order that takes less; the first of two that take the same.
fn better(
    one: Result<Elimination, SolveError>,
    other: Result<Elimination, SolveError>,
) -> Result<Elimination, SolveError> {
    match (one, other) {
        (Ok(one), Ok(other)) if products(&other.1) < products(&one.1) => Ok(other),
        (Ok(one), Ok(_) | Err(SolveError::TooDense { .. })) => Ok(one),
        (Err(SolveError::TooDense { .. }), other) => other,
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

/// The order of elimination in which groups that wait for none come first, then those that wait for
/// these alone, and so on: what is eliminated, and what that couples, stays the same. Neighbours in
/// this order wait for each other as seldom as can be, and a processor works on several at once.
fn leaves_first(order: &[u32], later: &[Vec<u32>]) -> Vec<u32> {
    let mut height = vec![0_u32; order.len()];
    for group in order {
        let above = height[*group as usize] + 1;
        for other in &later[*group as usize] {
            let height = &mut height[*other as usize];
            *height = above.max(*height);
        }
    }
    let mut sorted = order.to_vec();
    sorted.sort_by_key(|group| height[*group as usize]);
    sorted
}

/// The order of elimination in which each group comes right after those that it is the first to be
/// coupled with, one after the other: what is eliminated, and what that couples, stays the same.
fn children_first(order: &[u32], later: &[Vec<u32>]) -> Vec<u32> {
    let mut rank = vec![0_usize; order.len()];
    for (r, group) in order.iter().enumerate() {
        rank[*group as usize] = r;
    }
    let mut children = vec![Vec::new(); order.len()];
    let mut roots = Vec::new();
    for (r, group) in order.iter().enumerate() {
        match later[*group as usize]
            .iter()
            .map(|g| rank[*g as usize])
            .min()
        {
            Some(parent) => children[parent].push(r),
            None => roots.push(r),
        }
    }
    // From the last root down, each before its children: the reverse.
    let mut reversed = Vec::with_capacity(order.len());
    let mut stack = roots;
    while let Some(r) = stack.pop() {
        reversed.push(order[r]);
        stack.append(&mut children[r]);
    }
    reversed.reverse();
    reversed
}

#[cfg(test)]
mod tests;
