//! Which boxes overlap, by a sweep along one axis: less work than cells for the hundreds or few
//! thousands of edges of a curve, most of which are apart along some axis.

use glam::DVec3;

use super::Aabb;

/// All pairs (i, j), i < j, of boxes that overlap and pass `filter`; sorted, each pair once.
///
/// Boxes with a NaN, an infinity or a negative side overlap nothing. At most 2^32 boxes. Work grows like
/// the pairs that overlap along the axis on which boxes are shortest beside all of them.
pub(crate) fn sweep(boxes: &[Aabb], filter: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32)> {
    let axis = thinnest_axis(boxes);
    let mut along: Vec<(f64, f64, u32)> = (0_u32..)
        .zip(boxes)
        .filter(|(_, b)| b.is_valid())
        .map(|(i, b)| (b.min[axis], b.max[axis], i))
        .collect();
    along.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut out = Vec::new();
    for (n, &(_, end, i)) in along.iter().enumerate() {
        let first = &boxes[i as usize];
        let reached = along[n + 1..].iter().take_while(|(min, ..)| *min <= end);
        for &(.., j) in reached {
            if first.overlaps(&boxes[j as usize]) && filter(i.min(j), i.max(j)) {
                out.push((i.min(j), i.max(j)));
            }
        }
    }
    out.sort_unstable();
    out
}

/// The axis on which the sum of the boxes' sides is least over the extent of all.
fn thinnest_axis(boxes: &[Aabb]) -> usize {
    let valid = || boxes.iter().filter(|b| b.is_valid());
    let sides: DVec3 = valid().map(|b| b.max - b.min).sum();
    let nowhere = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = valid().fold(nowhere, |(low, high), b| (low.min(b.min), high.max(b.max)));
    let part = |axis: usize| match high[axis] - low[axis] {
        extent if extent > 0.0 => sides[axis] / extent,
        _ => f64::INFINITY,
    };
    (0..3).fold(
        0,
        |best, axis| if part(axis) < part(best) { axis } else { best },
    )
}
