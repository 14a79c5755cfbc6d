//! Where a run is bent that would otherwise look like a thread: a tight knot in a long rod, or a piece
//! of what is bent all along, such as a rod in a long tube.

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
/// Extent across over that along of what is so thin that all of it is a few pixels high.
const HAIRLINE: f64 = 1.0 / 40.0;
/// Length of the piece of it that is shown, over its extent across, and the part of it that is left
/// at both ends around what bends most.
const PIECE: f64 = 14.0;
const MARGIN: f64 = 0.04;

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

/// The piece in which rods bend most of something so long and thin that all of it would be a few
/// pixels high: rods and what surrounds them within `all`, m; `None` if it is not so thin, or the
/// rods are straight.
pub fn piece(frames: &[Vec<Vec<DVec3>>], closed: &[bool], all: &Bounds) -> Option<Bounds> {
    let (low, high) = all.corners()?;
    let sides = high - low;
    let axis = sides.max_position();
    let long = sides[axis];
    let across = (sides.length_squared() - long * long).max(0.0).sqrt();
    let length = PIECE * across;
    if !(across > 0.0 && across < HAIRLINE * long) {
        return None;
    }
    // Where along it, and by how much, rods turn.
    let mut turned = Vec::new();
    for (rod, closed) in frames.iter().flat_map(|frame| frame.iter().zip(closed)) {
        let turns = turns(rod, *closed);
        let places = rod.iter().map(|node| node[axis]);
        turned.extend(
            places
                .zip(turns)
                .filter(|(at, turn)| (at + turn).is_finite()),
        );
    }
    let total: f64 = turned.iter().map(|(_, turn)| turn).sum();
    if total < STRAIGHT {
        return None;
    }
    turned.sort_by(|a, b| a.0.total_cmp(&b.0));
    let bent = (1.0 - 2.0 * MARGIN) * length;
    let (mut best, mut within, mut last) = ((0.0, low[axis]), 0.0, 0);
    for (at, turn) in &turned {
        while let Some((_, next)) = turned.get(last).filter(|(end, _)| *end <= at + bent) {
            within += next;
            last += 1;
        }
        if within > best.0 {
            best = (within, *at);
        }
        within -= turn;
    }
    let start = best.1 - MARGIN * length;
    let start = start.clamp(low[axis], high[axis] - length);
    let mut bounds = Bounds::default();
    for corner in 0..8 {
        let mut point = DVec3::select(
            glam::BVec3::new(corner & 1 == 0, corner & 2 == 0, corner & 4 == 0),
            low,
            high,
        );
        let end = if point[axis] == low[axis] {
            0.0
        } else {
            length
        };
        point[axis] = start + end;
        bounds.add_ball(point, 0.0);
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
    fn of_a_long_tube_the_piece_is_shown_in_which_its_rod_bends_most() {
        // 6 m along x, a wave of 20 mm whose bends are sharper about x = 4 m.
        let node = |i: i32| {
            let x = f64::from(i) / 100.0;
            let wave = 0.02 + 0.02 * (-(x - 4.0).powi(2)).exp();
            DVec3::new(x, wave * (10.0 * x).sin(), 0.0)
        };
        let rod: Vec<DVec3> = (0..=600).map(node).collect();
        let mut all = Bounds::default();
        for x in [0.0, 6.0] {
            all.add_ball(DVec3::new(x, 0.0, 0.0), 0.045);
        }
        let frames = [vec![rod.clone()]];
        let (low, high) = piece(&frames, &[false], &all).unwrap().corners().unwrap();
        let across = 0.09 * std::f64::consts::SQRT_2;
        assert!(
            (high.x - low.x - PIECE * across).abs() < 1e-9,
            "{low} {high}"
        );
        assert!((0.5 * (low.x + high.x) - 4.0).abs() < 0.2, "{low} {high}");
        assert!(low.y < -0.0449 && high.y > 0.0449, "all of its width");
        // As thick as it is long, or straight: all of it.
        all.add_ball(DVec3::Y, 0.0);
        assert!(piece(&frames, &[false], &all).is_none());
        let straight = [vec![vec![DVec3::ZERO, DVec3::X, DVec3::X * 6.0]]];
        let mut all = Bounds::default();
        for x in [0.0, 6.0] {
            all.add_ball(DVec3::X * x, 0.01);
        }
        assert!(piece(&straight, &[false], &all).is_none());
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
