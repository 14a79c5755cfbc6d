//! Trees of fronts.

use super::*;

/// Columns of a grid of so many groups, each coupled with the next in both directions, as elimination
/// from the first to the last leaves them.
fn grid(width: usize, length: usize) -> Vec<Vec<u32>> {
    let count = (width * length) as u32;
    let mut rows = vec![Vec::new(); count as usize];
    for column in 0..count {
        let list: &mut Vec<u32> = &mut rows[column as usize];
        list.extend(
            [column + 1, column + width as u32]
                .iter()
                .filter(|r| **r < count),
        );
        list.sort_unstable();
        list.dedup();
        let Some((parent, others)) = list.split_first() else {
            continue;
        };
        let (parent, others) = (*parent as usize, others.to_vec());
        rows[parent].extend(others);
    }
    rows
}

/// So many separate grids, and a group that is coupled with the last group of each.
fn grids_in_one(count: u32, width: usize, length: usize) -> Vec<Vec<u32>> {
    let one = grid(width, length);
    let size = one.len() as u32;
    let mut rows = Vec::new();
    for number in 0..count {
        let shifted = one
            .iter()
            .map(|list| list.iter().map(|r| r + number * size).collect());
        rows.extend(shifted);
        if let Some(last) = rows.last_mut() {
            *last = vec![count * size];
        }
    }
    rows.push(Vec::new());
    rows
}

fn depth(branch: &Branch) -> usize {
    1 + branch.below.iter().map(depth).max().unwrap_or(0)
}

/// Fronts as a thread comes to them.
fn visited(branch: &Branch, out: &mut Vec<usize>) {
    branch.below.iter().for_each(|below| visited(below, out));
    out.extend(branch.own());
}

#[test]
fn branches_have_each_front_once_and_after_its_children() {
    for rows in [
        grid(3, 400),
        grid(12, 12),
        grids_in_one(7, 4, 30),
        grids_in_one(90, 1, 3),
    ] {
        let tree = Tree::new(&rows);
        let mut order = Vec::new();
        visited(&tree.whole, &mut order);
        let mut place = vec![None; tree.fronts.len()];
        for (at, front) in order.iter().enumerate() {
            assert_eq!(place[*front].replace(at), None, "twice: {front}");
            for child in &tree.fronts[*front].children {
                assert!(place[*child].is_some(), "{child} is below {front}");
            }
        }
        assert!(place.iter().all(Option::is_some));
        // A long row of fronts is no tower of branches.
        assert!(
            depth(&tree.whole) <= SHARES as usize + 2,
            "{}",
            depth(&tree.whole)
        );
    }
}

#[test]
fn separate_parts_are_branches_of_their_own() {
    let tree = Tree::new(&grids_in_one(7, 4, 30));
    let widest = |branch: &Branch| branch.below.len();
    let top = &tree.whole.below[0];
    assert!(
        widest(&tree.whole).max(widest(top)) >= 7,
        "{:?}",
        tree.whole
    );
}

#[test]
fn fronts_join_where_that_makes_little_more_work() {
    let rows = grid(12, 12);
    let tree = Tree::new(&rows);
    let together: f64 = tree.fronts.iter().map(Front::work).sum();
    let apart: f64 = rows.iter().map(|list| work(1 + list.len(), 1)).sum();
    let saved = rows.len() - tree.fronts.len();
    assert!(tree.fronts.len() < rows.len() / 2, "{}", tree.fronts.len());
    assert!(
        together <= 1.1 * apart + WORTH * saved as f64,
        "{together} {apart}"
    );
    // Every column's rows are among those of its front.
    let owner = owners(&tree.fronts, rows.len());
    for (column, list) in rows.iter().enumerate() {
        let front = &tree.fronts[owner[column]];
        for row in list {
            let known = front.columns.contains(&(*row as usize)) || front.rows.contains(row);
            assert!(known, "{column} couples {row}");
        }
    }
}
