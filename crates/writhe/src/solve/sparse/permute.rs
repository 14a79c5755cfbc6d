//! The order of elimination.

use super::matrix::{SparsePatternColumns, columns};
use crate::solve::pattern::SparsePattern;
use faer::sparse::SymbolicSparseColMat;

/// Lower triangle of the permuted matrix, rows ascending, and where each entry of the original
/// one goes in it. `place` holds the new index of each unknown.
pub(super) fn permute(
    pattern: &SparsePattern,
    place: &[u32],
) -> (SymbolicSparseColMat<u32>, Vec<u32>) {
    let n = pattern.n();
    let SparsePatternColumns { starts, rows } = columns(pattern);
    let mut entries = Vec::with_capacity(pattern.entries());
    for (column, bounds) in starts.windows(2).enumerate() {
        for at in bounds[0]..bounds[1] {
            let (a, b) = (place[column], place[rows[at as usize] as usize]);
            entries.push((a.min(b), a.max(b), at));
        }
    }
    entries.sort_unstable();
    let mut new_starts = vec![0_u32; n + 1];
    let mut destination = vec![0; entries.len()];
    for (position, &(column, _, at)) in entries.iter().enumerate() {
        new_starts[column as usize + 1] = position as u32 + 1;
        destination[at as usize] = position as u32;
    }
    let new_rows = entries.into_iter().map(|(_, row, _)| row).collect();
    (
        SymbolicSparseColMat::new_checked(n, n, new_starts, None, new_rows),
        destination,
    )
}

/// `to[i] = from[order[i]]`.
pub(super) fn gather(order: &[u32], from: &[f64], to: &mut [f64]) {
    to.iter_mut()
        .zip(order)
        .for_each(|(to, &index)| *to = from[index as usize]);
}

/// `to[order[i]] = from[i]`.
pub(super) fn scatter(order: &[u32], from: &[f64], to: &mut [f64]) {
    from.iter()
        .zip(order)
        .for_each(|(from, &index)| to[index as usize] = *from);
}
