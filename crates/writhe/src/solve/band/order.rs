//! An order of unknowns that keeps what couples near the diagonal (Cuthill and McKee 1969,
//! reversed): that of a chain for a chain, and for a ring one that goes along both halves at once.

use std::collections::VecDeque;

/// The place of each of `n` unknowns in the new order, where the pairs `coupled` have an entry.
pub fn narrow_order(n: usize, coupled: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut neighbours = vec![Vec::new(); n];
    for (a, b) in coupled.filter(|(a, b)| a != b) {
        neighbours[a].push(b);
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    let degree = |i: &usize| neighbours[*i].len();
    let mut place = vec![usize::MAX; n];
    let mut taken = 0;
    while taken < n {
        let free = (0..n).filter(|i| place[*i] == usize::MAX);
        let Some(any) = free.min_by_key(degree) else {
            break;
        };
        // What is farthest from anywhere is an end.
        let start = *levels(any, &neighbours, &place).last().unwrap_or(&any);
        for unknown in levels(start, &neighbours, &place) {
            place[unknown] = n - 1 - taken;
            taken += 1;
        }
    }
    place
}

/// What is reached from `start` and has no place yet, the nearest first.
fn levels(start: usize, neighbours: &[Vec<usize>], place: &[usize]) -> Vec<usize> {
    let mut seen = vec![false; neighbours.len()];
    let mut queue = VecDeque::from([start]);
    let mut order = Vec::new();
    seen[start] = true;
    while let Some(unknown) = queue.pop_front() {
        order.push(unknown);
        let mut next: Vec<usize> = neighbours[unknown].clone();
        next.retain(|i| !seen[*i] && place[*i] == usize::MAX);
        next.sort_by_key(|i| neighbours[*i].len());
        for i in next {
            seen[i] = true;
            queue.push_back(i);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_becomes_narrow() {
        let n = 60;
        let pairs = (0..n).flat_map(|i| [1, 2, n - 1, n - 2].map(|k| (i, (i + k) % n)));
        let pairs: Vec<_> = pairs.collect();
        let place = narrow_order(n, pairs.iter().copied());
        let mut sorted = place.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..n).collect::<Vec<_>>());
        let width = pairs
            .iter()
            .map(|(a, b)| place[*a].abs_diff(place[*b]))
            .max();
        assert!(width.unwrap() <= 6, "{width:?}");
    }
}
