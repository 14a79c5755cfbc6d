//! The way of an edge beside a thin wall.
//!
//! A node is kept by three bounds, the best of which counts: the distance falls no faster than the
//! node moves; on the inner side it is concave along the way, so it stays above the chord to its
//! end; on the outer side a plane bounds it from below. Between its nodes an edge is no nearer than
//! they are as long as all four ends of its motion are on the inner side. Otherwise it is kept from
//! the shell as from a ball, and from the wall of a funnel by the lines along it and its rims.

use glam::DVec3;

use super::{EdgeMotion, KEEP, MAX_ADVANCES, NEAR_ENOUGH, approach, edge_distance, pair, stop_at};
use crate::kernels::ccd;
use crate::kernels::distance::closest_points;
use crate::obstacle::body::{Body, Feature};
use crate::obstacle::hollow::Hollow;
use crate::obstacle::solid::Solid;

/// As `enters` of the parent, for the wall of the body.
pub(super) fn enters(body: &Body, wall: &Hollow, motion: &EdgeMotion, h: f64) -> bool {
    if depth(wall, motion) >= stop_at(h, h) {
        return false;
    }
    let crossed = |k: usize| {
        let way = [motion.start[k], motion.end[k]];
        approach_wall(wall, way, 0.0, stop_at(wall.at(way[0]).distance, h)).is_some()
    };
    if crossed(0) || crossed(1) {
        return true;
    }
    let mut found = false;
    body.near(&motion.bounds(h), |_, feature| {
        found = found
            || match feature {
                Feature::Shell { radius } if !is_within(wall, motion) => {
                    let ball = Solid::Sphere { radius: *radius };
                    let distance = |edge| edge_distance(&ball, edge);
                    let least = stop_at(distance(motion.start).distance, h);
                    approach(distance, motion, 0.0, least).is_some()
                }
                Feature::Segment { ends, .. } | Feature::Line { ends, .. } => {
                    let (start, end) = (pair(motion.start, *ends), pair(motion.end, *ends));
                    let [a, b, p, q] = start;
                    let first = closest_points(a, b, p, q).distance;
                    ccd::comes_within(&start, &end, stop_at(first, h))
                }
                _ => false,
            };
    });
    found
}

/// As `max_step` of the parent, for the wall of the body.
pub(super) fn max_step(
    body: &Body,
    wall: &Hollow,
    motion: &EdgeMotion,
    [h0, h1, h]: [f64; 3],
) -> f64 {
    let mut alpha = 1.0_f64;
    let mut least = f64::INFINITY;
    for (k, h) in [h0, h1].into_iter().enumerate() {
        let gap = wall.at(motion.start[k]).distance - h;
        if gap.is_nan() || gap <= 0.0 {
            return 0.0;
        }
        least = least.min(gap);
        let way = [motion.start[k], motion.end[k]];
        let step = approach_wall(wall, way, h + KEEP * gap, h + NEAR_ENOUGH * gap);
        alpha = alpha.min(step.unwrap_or(1.0));
    }
    if depth(wall, motion) >= h + NEAR_ENOUGH * least {
        return alpha;
    }
    body.near(&motion.bounds(h), |_, feature| match feature {
        Feature::Shell { radius } if !is_within(wall, motion) => {
            let ball = Solid::Sphere { radius: *radius };
            let distance = |edge| edge_distance(&ball, edge);
            alpha = alpha.min(super::step_that_keeps_gap(distance, motion, h));
        }
        Feature::Segment { ends, .. } | Feature::Line { ends, .. } => {
            let step = ccd::max_step(&pair(motion.start, *ends), &pair(motion.end, *ends), h);
            alpha = alpha.min(step);
        }
        _ => {}
    });
    alpha
}

/// How deep on the inner side the whole motion stays, m; negative if it may leave it.
fn depth(wall: &Hollow, motion: &EdgeMotion) -> f64 {
    let ends = motion.start.iter().chain(&motion.end);
    ends.map(|x| wall.inside(*x).0)
        .fold(f64::INFINITY, f64::min)
}

/// Whether the edge is in a cavity at the start: its nodes then keep all of it there.
fn is_within(wall: &Hollow, motion: &EdgeMotion) -> bool {
    motion.start.iter().all(|x| wall.inside(*x).0 > 0.0)
}

/// As `approach` of the parent, for a node from `from` to `to`.
fn approach_wall(wall: &Hollow, [from, to]: [DVec3; 2], target: f64, stop: f64) -> Option<f64> {
    let way = to - from;
    let speed = way.length();
    let (last, _) = wall.inside(to);
    let mut time = 0.0;
    for _ in 0..MAX_ADVANCES {
        let x = from + time * way;
        let here = wall.at(x).distance;
        // Negated, to hold for NaN too: what cannot be computed cannot be ruled out.
        let apart = here > stop;
        if !apart {
            return Some(time);
        }
        let keep = target + KEEP * (here - target);
        let over = |room: f64, rate: f64| {
            if rate > 0.0 {
                room / rate
            } else {
                f64::INFINITY
            }
        };
        let (depth, gradient) = wall.inside(x);
        let mut advance = over(here - keep, speed);
        if depth > keep {
            // Above the chord from here to the end.
            advance = advance.max(over(depth - keep, (depth - last) / (1.0 - time)));
        }
        if -depth > keep {
            advance = advance.max(over(-depth - keep, gradient.dot(way)));
        }
        if time + advance > 1.0 {
            return None;
        }
        time += advance;
    }
    Some(time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;

    const WALLS: [Hollow; 3] = [
        Hollow::Funnel {
            radii: [0.4, 0.4],
            half_length: 0.3,
        },
        Hollow::Funnel {
            radii: [0.2, 0.5],
            half_length: 0.3,
        },
        Hollow::Cavity { radius: 0.4 },
    ];
    const H: f64 = 0.02;
    const SAMPLES: i32 = 150;

    /// Least distance over the motion by brute force in time and along the edge.
    fn least(wall: &Hollow, motion: &EdgeMotion) -> f64 {
        let part = |i: i32| f64::from(i) / f64::from(SAMPLES);
        let places = (0..=SAMPLES).flat_map(|i| {
            let [a, b] = motion.at(part(i));
            (0..=SAMPLES).map(move |j| a.lerp(b, part(j)))
        });
        places
            .map(|x| wall.at(x).distance)
            .fold(f64::INFINITY, f64::min)
    }

    fn random_motion(random: &mut Random) -> EdgeMotion {
        let (start, end) = (0.7 * random.vector(), 0.7 * random.vector());
        EdgeMotion {
            start: [start, start + 0.3 * random.vector()],
            end: [end, end + 0.3 * random.vector()],
        }
    }

    #[test]
    fn finds_what_brute_force_finds() {
        let mut random = Random(12);
        for wall in WALLS {
            let body = Body::hollow(wall);
            let (mut through, mut free) = (0, 0);
            for _ in 0..400 {
                let motion = random_motion(&mut random);
                let before = EdgeMotion {
                    end: motion.start,
                    ..motion
                };
                if least(&wall, &before) < H {
                    continue;
                }
                let reached = least(&wall, &motion);
                let enters = enters(&body, &wall, &motion, H);
                if reached < 0.3 * H {
                    through += 1;
                    assert!(enters, "{wall:?}: missed {motion:?}, {reached}");
                } else if reached > 0.03 {
                    // Between samples it may come nearer by some 0.01.
                    free += 1;
                    assert!(!enters, "{wall:?}: {motion:?} stays {reached} away");
                }
            }
            assert!(through > 50 && free > 50, "{through} through, {free} free");
        }
    }

    #[test]
    fn largest_steps_keep_a_gap_and_are_not_too_short() {
        let mut random = Random(13);
        for wall in WALLS {
            let body = Body::hollow(wall);
            let (mut bounded, mut full) = (0, 0);
            for _ in 0..300 {
                let motion = random_motion(&mut random);
                let before = EdgeMotion {
                    end: motion.start,
                    ..motion
                };
                let gap = least(&wall, &before) - H;
                if gap < 0.02 {
                    continue;
                }
                let alpha = max_step(&body, &wall, &motion, [H; 3]);
                let taken = EdgeMotion {
                    end: motion.at(alpha),
                    ..motion
                };
                let left = least(&wall, &taken) - H;
                assert!(left > 0.0, "{wall:?}: {left} left of {gap}, {motion:?}");
                if alpha < 1.0 {
                    bounded += 1;
                    // At most 0.12 of the gap of what bounds it, which is below 1.5.
                    assert!(left < 0.12 * 1.5, "{wall:?}: {left} left of {gap}");
                } else {
                    full += 1;
                }
            }
            assert!(bounded > 50 && full > 50, "{bounded} bounded, {full} full");
        }
    }

    /// A barrier's gap of a thousandth of the radius does not hold up a rod that slides far along
    /// the wall of a tube or round a cavity by the chord.
    #[test]
    fn what_slides_along_the_inside_goes_all_the_way() {
        let tube = Hollow::Funnel {
            radii: [0.4, 0.4],
            half_length: 50.0,
        };
        let side = 0.4 - 1.001 * H;
        let place = |z: f64| DVec3::new(side, 0.0, z);
        let motion = EdgeMotion {
            start: [place(-40.0), place(-39.9)],
            end: [place(39.9), place(40.0)],
        };
        let body = Body::hollow(tube);
        assert_eq!(max_step(&body, &tube, &motion, [H; 3]), 1.0);
        assert!(!enters(&body, &tube, &motion, H));
    }
}
