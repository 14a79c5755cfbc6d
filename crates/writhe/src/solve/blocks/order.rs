//! In which order groups are eliminated.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::solve::error::SolveError;
use crate::solve::poll::Poll;

/// What a factorisation may take at most.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Blocks below the diagonal: with their mirror images 256 bytes each.
    pub blocks: usize,
    /// Products of blocks, of 128 operations each.
    pub products: usize,
}

impl Default for Limits {
    /// 1 GiB, and about a minute.
    fn default() -> Self {
        Self {
            blocks: 1 << 22,
            products: 1 << 33,
        }
    }
}
/// Products of blocks, or places of them, between two polls: milliseconds.
pub(super) const POLL_AFTER: usize = 1 << 16;

/// Groups in the order of their elimination, and for each of them those later ones that its
/// elimination couples, in the caller's numbering: always next one with the fewest neighbours left,
/// the first of several (minimum degree), but those of a later `round` after all of the earlier ones.
/// Lists of neighbours are sorted, and name each once. Groups that are `held` have no round: they wait
/// until their neighbours that are not have been eliminated.
///
/// Groups that an elimination leaves coupled with nothing but what it coupled come right after it, all
/// at once: so large parts where each is coupled with each cost no more than small ones.
///
/// # Errors
/// [`SolveError::TooDense`] where a factorisation would take more than `limits`;
/// [`SolveError::Interrupted`].
pub(super) fn minimum_degree(
    mut neighbours: Vec<Vec<u32>>,
    round: &[u32],
    held: &[u32],
    limits: Limits,
    poll: &Poll,
) -> Result<(Vec<u32>, Vec<Vec<u32>>), SolveError> {
    let mut done = vec![false; neighbours.len()];
    let mut order = Vec::with_capacity(neighbours.len());
    // Lists that are used again and again.
    let (mut left, mut next, mut merged) = (Vec::new(), Vec::new(), Vec::new());
    let (mut blocks, mut products, mut polled) = (0, 0, 0);
    let mut turns = Turns::new(&neighbours, round, held);
    for this in turns.rounds() {
        turns.this = this;
        // Equal degrees by number: one order for one graph.
        let mut heap: BinaryHeap<_> = (0..)
            .zip(&neighbours)
            .filter(|(group, _)| turns.has(*group) && !done[*group as usize])
            .map(|(group, list)| entry(list.len(), group))
            .collect();
        while let Some(Reverse(key)) = heap.pop() {
            let (degree, group) = ((key >> 32) as usize, key as u32);
            let g = group as usize;
            // The heap keeps entries of degrees that have changed since.
            if done[g] || degree != neighbours[g].len() {
                continue;
            }
            left.clone_from(&neighbours[g]);
            // Elimination couples all that the group was coupled with.
            for &other in &left {
                let list = &mut neighbours[other as usize];
                merge(list, &left, |x| x != group && x != other, &mut merged);
                std::mem::swap(list, &mut merged);
            }
            // Those coupled with nothing else now have the fewest neighbours: they come next, one
            // after the other, and couple nothing that is not coupled yet.
            let count = left.len();
            let alike = |other: &&u32| {
                turns.has(**other) && neighbours[**other as usize].len() + 1 == count
            };
            next.clear();
            next.extend(left.iter().filter(alike));
            let is_next = |other: &u32| next.binary_search(other).is_ok();
            for &other in left.iter().filter(|other| !is_next(other)) {
                let list = &mut neighbours[other as usize];
                if !next.is_empty() {
                    list.retain(|x| !is_next(x));
                }
                if turns.has(other) {
                    heap.push(entry(list.len(), other));
                }
            }
            for eliminated in std::iter::once(group).chain(next.iter().copied()) {
                left.retain(|x| *x != eliminated);
                done[eliminated as usize] = true;
                order.push(eliminated);
                blocks += left.len();
                products += left.len() * left.len();
                if products - polled >= POLL_AFTER {
                    poll.check()?;
                    polled = products;
                }
                if blocks > limits.blocks || products > limits.products {
                    return Err(SolveError::TooDense {
                        blocks: neighbours.len(),
                    });
                }
                neighbours[eliminated as usize].clone_from(&left);
            }
            for eliminated in std::iter::once(group).chain(next.iter().copied()) {
                let freed = turns.eliminated(eliminated);
                heap.extend(freed.map(|other| entry(neighbours[other as usize].len(), other)));
            }
        }
    }
    Ok((order, neighbours))
}

/// Whose turn it is.
struct Turns<'a> {
    round: &'a [u32],
    /// The round that goes on.
    this: u32,
    /// For how many others a group that is held waits, `(groups)`; `None` for those that are not.
    waits: Vec<Option<u32>>,
    /// The groups that wait for each, `(groups)`; empty where none is held.
    waiting: Vec<Vec<u32>>,
}

impl<'a> Turns<'a> {
    fn new(neighbours: &[Vec<u32>], round: &'a [u32], held: &[u32]) -> Self {
        let mut waits = vec![None; neighbours.len()];
        held.iter()
            .for_each(|group| waits[*group as usize] = Some(0));
        let mut waiting = match held {
            [] => Vec::new(),
            _ => vec![Vec::new(); neighbours.len()],
        };
        for group in held {
            let mut count = 0;
            for other in &neighbours[*group as usize] {
                if waits[*other as usize].is_none() {
                    waiting[*other as usize].push(*group);
                    count += 1;
                }
            }
            waits[*group as usize] = Some(count);
        }
        Self {
            round,
            this: 0,
            waits,
            waiting,
        }
    }

    /// All rounds, in order.
    fn rounds(&self) -> Vec<u32> {
        let free = self.round.iter().zip(&self.waits);
        let free = free.filter(|(_, waits)| waits.is_none());
        let mut rounds: Vec<u32> = free.map(|(round, _)| *round).collect();
        // For those that are held and wait for none: there may be no others.
        rounds.push(0);
        rounds.sort_unstable();
        rounds.dedup();
        rounds
    }

    /// Whether a group may be next.
    fn has(&self, group: u32) -> bool {
        match self.waits[group as usize] {
            Some(waits) => waits == 0,
            None => self.round[group as usize] == self.this,
        }
    }

    /// Groups that waited for this one, and wait no more.
    fn eliminated(&mut self, group: u32) -> impl Iterator<Item = u32> {
        let waiting = self.waiting.get_mut(group as usize);
        let mut freed = waiting.map(std::mem::take).unwrap_or_default();
        freed.retain(|other| {
            let waits = &mut self.waits[*other as usize];
            *waits = waits.map(|waits| waits - 1);
            *waits == Some(0)
        });
        freed.into_iter()
    }
}

/// What a heap has of a group: fewest neighbours first, then by number.
fn entry(degree: usize, group: u32) -> Reverse<u64> {
    Reverse(((degree as u64) << 32) | u64::from(group))
}

/// The union of two sorted lists, of what `keep` keeps.
fn merge(a: &[u32], b: &[u32], keep: impl Fn(u32) -> bool, out: &mut Vec<u32>) {
    out.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        // No group has this number.
        let [x, y] = [a.get(i), b.get(j)].map(|next| next.copied().unwrap_or(u32::MAX));
        let next = x.min(y);
        i += usize::from(x == next);
        j += usize::from(y == next);
        if keep(next) {
            out.push(next);
        }
    }
}
