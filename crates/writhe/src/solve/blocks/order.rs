//! In which order groups are eliminated.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::solve::error::SolveError;
use crate::solve::poll::Poll;

/// Products of blocks in a factorisation beyond which its plan takes more than 1 GiB, and each
/// factorisation half a minute.
const MAX_PRODUCTS: usize = 1 << 28;
/// Products of blocks, or places of them, between two polls: milliseconds.
pub(super) const POLL_AFTER: usize = 1 << 16;

/// Groups in the order of their elimination, and for each of them those later ones that its
/// elimination couples, in the caller's numbering: always next one with the fewest neighbours left,
/// the first of several (minimum degree), but those of a later `round` after all of the earlier ones.
///
/// # Errors
/// [`SolveError::TooDense`] where a factorisation would take more than [`MAX_PRODUCTS`] products of
/// blocks; [`SolveError::Interrupted`].
pub(super) fn minimum_degree(
    mut neighbours: Vec<Vec<u32>>,
    round: &[u32],
    poll: &Poll,
) -> Result<(Vec<u32>, Vec<Vec<u32>>), SolveError> {
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    // Rounds one after the other, equal degrees by number: one order for one graph.
    let entry = |degree: usize, group: usize| Reverse((round[group], degree, group as u32));
    let degrees = neighbours.iter().enumerate();
    let mut heap: BinaryHeap<_> = degrees.map(|(g, list)| entry(list.len(), g)).collect();
    let mut done = vec![false; neighbours.len()];
    let mut order = Vec::with_capacity(neighbours.len());
    let mut merged = Vec::new();
    let (mut products, mut polled) = (0, 0);
    while let Some(Reverse((_, degree, group))) = heap.pop() {
        let g = group as usize;
        // The heap keeps entries of degrees that have changed since.
        if done[g] || degree != neighbours[g].len() {
            continue;
        }
        done[g] = true;
        order.push(group);
        let left = std::mem::take(&mut neighbours[g]);
        products += left.len() * left.len();
        if products - polled >= POLL_AFTER {
            poll.check()?;
            polled = products;
        }
        if products > MAX_PRODUCTS {
            return Err(SolveError::TooDense {
                blocks: neighbours.len(),
            });
        }
        for &other in &left {
            let list = &mut neighbours[other as usize];
            // Elimination couples all that the group was coupled with.
            merge(list, &left, |x| x != group && x != other, &mut merged);
            std::mem::swap(list, &mut merged);
            heap.push(entry(list.len(), other as usize));
        }
        neighbours[g] = left;
    }
    Ok((order, neighbours))
}

/// The union of two sorted lists, of what `keep` keeps.
fn merge(a: &[u32], b: &[u32], keep: impl Fn(u32) -> bool, out: &mut Vec<u32>) {
    out.clear();
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(&&x), Some(&&y)) => x.min(y),
            (Some(&&x), None) | (None, Some(&&x)) => x,
            (None, None) => return,
        };
        a.next_if(|x| **x == next);
        b.next_if(|y| **y == next);
        if keep(next) {
            out.push(next);
        }
    }
}
