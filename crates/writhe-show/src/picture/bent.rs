//! Where a run is bent that would otherwise look like a thread: a tight knot in a long rod, say.

use glam::DVec3;
use writhe_render::Bounds;

/// Extent of a thread across over that along it, at most.
const THREAD: f64 = 0.08;
/// Turn of all rods in a frame, rad, below which it counts as straight.
const STRAIGHT: f64 = 0.8;
/// Part of the turn of a rod that is left out at both ends of what is bent.
const TAILS: f64 = 0.02;
/// Part of the turn of all rods from which one has a place in what is bent.
const SHARE: f64 = 0.1;
/// Size of what is bent over that of all, from which on all is shown.
const LARGE: f64 = 0.4;
/// Room around what is bent, over its size.
const ROOM: f64 = 0.12;

/// What is bent in frames of rods, node positions in m, closed or not, with so much `room`, m,
/// around the nodes and more; `None` if they are straight, no thread, or bent in most of their
/// length.
pub fn region(frames: &[Vec<Vec<DVec3>>], closed: &[bool], room: f64) -> Option<Bounds> {
    let mut bent: Vec<DVec3> = Vec::new();
    for frame in frames {
        let turns: Vec<Vec<f64>> = frame
            .iter()
            .zip(closed)
            .map(|(r, c)| turns(r, *c))
            .collect();
        let total: f64 = turns.iter().flatten().sum();
        if total.is_nan() || total < STRAIGHT {
            continue;
        }
        for (rod, turns) in frame.iter().zip(&turns) {
            let own: f64 = turns.iter().sum();
            if own >= SHARE * total {
                bent.extend(&rod[middle(turns, own)]);
            }
        }
    }
    let (low, high) = corners(bent.iter())?;
    let all = corners(frames.iter().flatten().flatten())?;
    let sides = all.1 - all.0;
    let long = sides.max_element();
    let across = (sides.length_squared() - long * long).max(0.0).sqrt();
    let size = (high - low).length();
    let thread = across < THREAD * long && size < LARGE * long;
    if !thread {
        return None;
    }
    let mut bounds = Bounds::default();
    for node in bent {
        bounds.add_ball(node, room + ROOM * size);
    }
    Some(bounds)
}

/// Angle by which a rod turns at each node, rad; 0 at free ends.
fn turns(rod: &[DVec3], closed: bool) -> Vec<f64> {
    let n = rod.len();
    let turn = |i: usize| {
        if !closed && (i == 0 || i + 1 == n) {
            return 0.0;
        }
        let (a, b) = (rod[i] - rod[(i + n - 1) % n], rod[(i + 1) % n] - rod[i]);
        a.angle_between(b)
    };
    (0..n).map(turn).collect()
}

/// The nodes between which all but the tails of the `total` turn is.
fn middle(turns: &[f64], total: f64) -> std::ops::RangeInclusive<usize> {
    let mut sum = 0.0;
    let sums = turns.iter().map(|turn| {
        sum += turn;
        sum
    });
    let sums: Vec<f64> = sums.collect();
    let first = sums.iter().position(|s| *s >= TAILS * total).unwrap_or(0);
    let last = sums.iter().position(|s| *s >= (1.0 - TAILS) * total);
    first..=last.unwrap_or(turns.len().saturating_sub(1)).max(first)
}

fn corners<'a>(nodes: impl Iterator<Item = &'a DVec3> + Clone) -> Option<(DVec3, DVec3)> {
    let low = nodes.clone().copied().reduce(DVec3::min)?;
    let high = nodes.copied().reduce(DVec3::max)?;
    Some((low, high)).filter(|(a, b)| a.is_finite() && b.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rod along y with a loop of this radius in its middle.
    fn looped(radius: f64) -> Vec<DVec3> {
        let tail = |i: i32| DVec3::Y * f64::from(i) / 100.0;
        let around = |i: i32| {
            let a = std::f64::consts::TAU * f64::from(i) / 40.0;
            radius * DVec3::new(0.0, a.sin(), 1.0 - a.cos())
        };
        let before = (-100..0).map(tail);
        let after = (1..=100).map(tail);
        before.chain((0..=40).map(around)).chain(after).collect()
    }

    #[test]
    fn a_small_loop_in_a_long_rod_is_found() {
        let bounds = region(&[vec![looped(0.02)]], &[false], 0.0).unwrap();
        let (low, high) = bounds.corners().unwrap();
        assert!(low.y > -0.08 && high.y < 0.08, "{low} {high}");
        assert!(high.z > 0.04 && low.z < 0.0);
    }

    #[test]
    fn what_is_no_thread_or_straight_is_shown_whole() {
        assert!(region(&[vec![looped(0.3)]], &[false], 0.0).is_none());
        let straight = (0..50).map(|i| DVec3::X * f64::from(i)).collect();
        assert!(region(&[vec![straight]], &[false], 0.0).is_none());
        assert!(region(&[], &[], 0.0).is_none());
        assert!(region(&[vec![vec![DVec3::NAN; 5]]], &[false], 0.0).is_none());
    }
}
