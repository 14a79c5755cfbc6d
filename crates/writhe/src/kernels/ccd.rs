//! Swept collision detection of two edges whose nodes move on straight lines during a step.
//!
//! Additive continuous collision detection (Li, Kaufman, Jiang 2021, "Codimensional Incremental
//! Potential Contact", Algorithm 1): from the distance and a bound on its rate follows a time
//! through which the edges cannot meet; advance by it and repeat. Distances only, so parallel and
//! coplanar motions are no special case, and no rounding loses a root, as it does for the
//! coplanarity cubic.
//!
//! Besides their bound, gap/(greatest relative speed), each advance uses a sharper one that is as
//! safe: the gap along the current normal, min over nodes of n . (a_k - b_l), is a minimum of
//! linear functions of time, so the time at which it closes is known exactly. Edges sliding past
//! each other, which cost their bound many small steps, are done in one or two.

use crate::kernels::distance::{Feature, closest_points};
use glam::DVec3;

/// Nodes (a0, a1, b0, b1) of two edges.
pub(crate) type EdgePair = [DVec3; 4];

/// Part of the gap that an advance leaves (s of Li et al. 2021).
const KEEP: f64 = 0.1;

/// Part of the gap at which the largest step may end.
const NEAR_ENOUGH: f64 = 0.12;

/// Centrelines closer than this fraction of their first distance, or of the contact distance, count
/// as crossing.
const CROSSING: f64 = 1e-3;

/// Centrelines closer than this fraction of the edges' lengths touch, to rounding.
const ROUNDING: f64 = 1e-14;

/// Relative error of lengths that are compared roughly, far more than they have.
const PLAIN: f64 = 1e-6;

/// Advances after which the answer is "cannot rule it out". Ordinary pairs take fewer than ten.
const MAX_ADVANCES: usize = 10_000;

/// First time in [0, 1] at which the centrelines of two edges may cross, or `None` if they do not.
///
/// Nodes move linearly from `start` to `end`; `contact_distance` (h_i + h_j, in metres) sets what
/// counts as crossing: a distance below 1e-3 of it, or of the first distance if that is less. Never
/// late, and missing no crossing. Centrelines that touch at the start give 0: on which side they
/// are can no longer be told.
pub(crate) fn crosses(start: &EdgePair, end: &EdgePair, contact_distance: f64) -> Option<f64> {
    let motion = Motion::new(start, end);
    if motion.boxes_apart(0.0) {
        return None;
    }
    let first = motion.gap(0.0).distance;
    let crossing = CROSSING * first.min(contact_distance);
    // Below rounding of the positions nothing tells on which side of each other edges are.
    motion.time_of_approach(0.0, crossing.max(ROUNDING * motion.size()))
}

/// Whether it is plain that the centrelines do not cross on the way, as [`crosses`] tells: the balls
/// around both edges are farther apart than these move against each other. "No" says nothing.
#[inline]
pub(crate) fn stay_apart(start: &EdgePair, end: &EdgePair, contact_distance: f64) -> bool {
    let [a0, a1, b0, b1] = start;
    // Differences first: places far from the origin have few digits to spare.
    let between = 0.5 * ((*a0 - *b0) + (*a1 - *b1)).length();
    let halves = 0.5 * ((*a1 - *a0).length() + (*b1 - *b0).length());
    // Points of edges are means of their nodes, so the distance falls by no more than the largest
    // of the four relative motions.
    let moved = |k: usize| end[k] - start[k];
    let (a0, a1, b0, b1) = (moved(0), moved(1), moved(2), moved(3));
    let by = |a: DVec3, b: DVec3| (a - b).length_squared();
    let all = [by(a0, b0), by(a0, b1), by(a1, b0), by(a1, b1)];
    let relative_sq = (all[0].max(all[1])).max(all[2].max(all[3]));
    // A maximum passes over what is no number.
    let known = all[0] + all[1] + all[2] + all[3] < f64::INFINITY;
    // What counts as crossing, at most.
    let crossing = CROSSING * contact_distance.min(between);
    let nearest = between - (1.0 + PLAIN) * (halves + relative_sq.sqrt());
    known && nearest > crossing.max(PLAIN * (between + halves))
}

/// Largest fraction in [0, 1] of the way from `start` to `end` that keeps the centrelines more than
/// `min_distance` apart, and more than a tenth of the gap that they have at `start` beyond it;
/// conservative (Li et al. 2021). Zero for a pair that is not farther apart than `min_distance` to
/// begin with.
pub(crate) fn max_step(start: &EdgePair, end: &EdgePair, min_distance: f64) -> f64 {
    let motion = Motion::new(start, end);
    let gap = motion.gap(0.0).distance - min_distance;
    // Too near already, or not a number: no way at all is safe.
    if gap.is_nan() || gap <= 0.0 {
        return 0.0;
    }
    // Each advance leaves a part of its gap, so the target is only neared: a little more is enough.
    let (target, stop) = (min_distance + KEEP * gap, min_distance + NEAR_ENOUGH * gap);
    if motion.boxes_apart(target) {
        return 1.0;
    }
    motion.time_of_approach(target, stop).unwrap_or(1.0)
}

/// Whether the centrelines may come as near as `distance`, m, on the way from `start` to `end`.
/// Never wrong about "no".
pub(crate) fn comes_within(start: &EdgePair, end: &EdgePair, distance: f64) -> bool {
    let motion = Motion::new(start, end);
    !motion.boxes_apart(distance) && motion.time_of_approach(0.0, distance).is_some()
}

/// Unit normal and distance of two edges.
struct Gap {
    normal: DVec3,
    distance: f64,
}

/// Linear motion of two edges, without their common translation, seen from b0: no digits are lost
/// far from the origin.
struct Motion {
    start: EdgePair,
    displacement: EdgePair,
    /// Bound on the decrease of the distance by unit time.
    speed: f64,
}

impl Motion {
    fn new(start: &EdgePair, end: &EdgePair) -> Self {
        let moved: EdgePair = std::array::from_fn(|k| end[k] - start[k]);
        // A common translation changes no distance; without it the bound on the speed is sharper.
        let mean = 0.25 * moved.iter().sum::<DVec3>();
        let displacement = moved.map(|d| d - mean);
        let [a0, a1, b0, b1] = displacement.map(|d| d.length());
        Self {
            start: start.map(|x| x - start[2]),
            displacement,
            // Points of edges are means of their nodes: |dD/dt| <= max |a'| + max |b'|
            speed: a0.max(a1) + b0.max(b1),
        }
    }

    fn nodes(&self, time: f64) -> EdgePair {
        std::array::from_fn(|k| self.start[k] + time * self.displacement[k])
    }

    fn gap(&self, time: f64) -> Gap {
        let [a0, a1, b0, b1] = self.nodes(time);
        let closest = closest_points(a0, a1, b0, b1);
        let normal = match closest.feature {
            // Exact even where delta is small and mostly rounding.
            Feature::EdgeEdge => {
                let common = (a1 - a0).cross(b1 - b0).normalize();
                common * common.dot(closest.delta).signum()
            }
            _ => closest.delta / closest.distance,
        };
        Gap {
            normal,
            distance: closest.distance,
        }
    }

    /// Scale of the edges, in metres.
    fn size(&self) -> f64 {
        let [a0, a1, b0, b1] = self.start;
        a0.distance(a1) + b0.distance(b1)
    }

    /// Whether the boxes swept by the two edges are more than `margin` apart: the cheap rejection.
    fn boxes_apart(&self, margin: f64) -> bool {
        let end = self.nodes(1.0);
        let bounds = |first: usize, second: usize| {
            let [p, q, r, s] = [
                self.start[first],
                self.start[second],
                end[first],
                end[second],
            ];
            (p.min(q).min(r.min(s)), p.max(q).max(r.max(s)))
        };
        let ((a_low, a_high), (b_low, b_high)) = (bounds(0, 1), bounds(2, 3));
        // The largest gap along any axis.
        (b_low - a_high).max(a_low - b_high).max_element() > margin
    }

    /// A time before which the distance does not fall to `stop`, or `None` if it stays above during
    /// [0, 1].
    ///
    /// Advances aim at `target` < `stop` and leave a part of the gap to it, so they never jump
    /// across.
    fn time_of_approach(&self, target: f64, stop: f64) -> Option<f64> {
        let mut time = 0.0;
        for _ in 0..MAX_ADVANCES {
            let gap = self.gap(time);
            // Negated, to hold for NaN too: what cannot be computed cannot be ruled out.
            let apart = gap.distance > stop;
            if !apart {
                return Some(time);
            }
            let advance = self.safe_advance(time, &gap, target);
            if time + advance > 1.0 {
                return None;
            }
            time += advance;
        }
        // Not done after so many advances: safe until here, and not ruled out beyond.
        Some(time)
    }

    /// Time during which the distance keeps a tenth of its excess over `target`.
    fn safe_advance(&self, time: f64, gap: &Gap, target: f64) -> f64 {
        let excess = gap.distance - target;
        // D falls by at most `speed` a unit of time (Li et al. 2021, Algorithm 1).
        let by_speed = (1.0 - KEEP) * excess / self.speed;
        by_speed.max(self.separated_along(gap.normal, time, target + KEEP * excess))
    }

    /// Time until the gap along `normal`, which the distance cannot be less than, falls to `keep`.
    fn separated_along(&self, normal: DVec3, time: f64, keep: f64) -> f64 {
        // n . (a_k - b_l) is linear in time, and D at least the smallest of the four.
        let place = self.nodes(time).map(|x| normal.dot(x));
        let rate = self.displacement.map(|d| normal.dot(d));
        let until = |k: usize, l: usize| {
            let closing = rate[l] - rate[k];
            let room = place[k] - place[l] - keep;
            if closing > 0.0 {
                (room / closing).max(0.0)
            } else if room > 0.0 {
                f64::INFINITY
            } else {
                0.0
            }
        };
        until(0, 2)
            .min(until(0, 3))
            .min(until(1, 2))
            .min(until(1, 3))
    }
}

#[cfg(test)]
mod tests;
