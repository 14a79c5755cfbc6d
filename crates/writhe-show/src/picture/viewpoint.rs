//! From where a run is looked at when the user does not say.
//!
//! One looks along the directions about which rods bend and across which they move, so that both are
//! seen face on; along the shortest side of all that is visited; from a little above; and not
//! through obstacles.

use glam::{DMat3, DVec3};
use writhe_render::{Floor, Solid};

/// Turn of a rod, rad, and sweep of all rods, over the square of their size, that count half.
const SOME_BEND: f64 = 0.6;
const SOME_SWEEP: f64 = 0.02;
/// How much bend and motion face on count, beside spread.
const BEND: f64 = 0.9;
const MOTION: f64 = 0.8;
/// Angle above the horizon from which one likes to look, degrees, and how far from it costs 1.
const ABOVE: f64 = 16.0;
const TOO_FAR: f64 = 95.0;
/// What it costs to look through something solid, and from behind a floor.
const HIDDEN: f64 = 2.5;
const BEHIND: f64 = 3.0;
/// How much less than the best view of bend, motion and spread does: so much askew one sees depth;
/// more among bodies and obstacles. What the last of it costs.
const ENOUGH: f64 = 0.1;
const ENOUGH_AMONG: f64 = 0.3;
const ASKEW: f64 = 0.3;
/// What a run costs that is long and seen neither level nor upright; and the variance across over
/// that along from which on it is not long.
const SLANTED: f64 = 0.5;
const LONG: f64 = 0.25;
/// What it is worth if axes of the scene point right.
const RIGHT: f64 = 0.04;
/// Directions looked at, around and above.
const AROUND: usize = 48;
const HEIGHTS: [f64; 9] = [4.0, 10.0, 16.0, 22.0, 30.0, 38.0, 48.0, 60.0, 74.0];
/// Nodes of each frame that are looked for behind solids, at most.
const LOOKED_FOR: usize = 60;
/// Triangles that may be tried against lines of sight.
const TRIED: usize = 20_000_000;
/// Cosine below which two directions of the middle of a solid are different sides of it.
const GRAZING: f64 = 0.1;

/// What is known of a run.
#[derive(Debug)]
pub struct Seen<'a> {
    /// Rods at some moments, in the order of time: node positions, m.
    pub frames: &'a [Vec<Vec<DVec3>>],
    /// Whether each rod is closed.
    pub closed: &'a [bool],
    /// What may stand before the rods.
    pub solids: &'a [Solid],
    /// Whether there are bodies or obstacles, which look flat from straight ahead.
    pub among: bool,
    /// What one looks at from one side only.
    pub floor: Option<Floor>,
}

/// The direction of view, from the eye to what is seen, with `up` up; a unit vector.
pub fn direction(seen: &Seen<'_>, up: DVec3) -> DVec3 {
    let up = up.normalize_or(DVec3::Z);
    let (bend, motion, spread) = (bend(seen), motion(seen), spread(seen.frames));
    let (e1, e2) = up.any_orthonormal_pair();
    let long = long(spread);
    let facing = |d: DVec3| BEND * d.dot(bend * d) + MOTION * d.dot(motion * d) - d.dot(spread * d);
    let all = directions(up, e1, e2);
    let faces = all.iter().map(|(_, d)| facing(*d));
    let enough = match (seen.among, seen.solids.is_empty()) {
        (false, _) => ENOUGH,
        (true, true) => ENOUGH_AMONG,
        // Of a thread that lies in a tube, say, one sees no depth from anywhere, only that it is
        // askew.
        (true, false) => ENOUGH_AMONG * (1.0 - long.1 * long.0.cross(up).length_squared()),
    };
    let enough = faces.fold(f64::NEG_INFINITY, f64::max) - enough;
    let score = |d: DVec3, height: f64| {
        let beyond = (facing(d) - enough).max(0.0);
        let facing = facing(d) - (1.0 + ASKEW) * beyond;
        let slanted = {
            let (axis, part) = long;
            let across = d.cross(up).normalize_or(e1);
            let seen = (axis - d * d.dot(axis)).normalize_or_zero();
            let level = seen.dot(across);
            // The sine of twice the angle: a little askew looks like a mistake.
            SLANTED * part * 2.0 * level.abs() * (1.0 - level * level).max(0.0).sqrt()
        };
        let tilt = ((height - ABOVE) / TOO_FAR).powi(2);
        let right = d.cross(up).normalize_or(e1);
        let axis = right.to_array().into_iter().max_by(|a, b| {
            let size = |c: &f64| c.abs();
            size(a).total_cmp(&size(b))
        });
        let pointing = RIGHT * axis.unwrap_or(0.0).signum();
        let behind = seen.floor.is_some_and(|floor| {
            let normal = floor.normal.normalize_or(up);
            d.dot(normal) > -GRAZING
        });
        facing - tilt - slanted + pointing - if behind { BEHIND } else { 0.0 }
    };
    let scored = all.into_iter().map(|(height, d)| (score(d, height), d));
    let mut all: Vec<(f64, DVec3)> = scored.collect();
    // The sort is stable, so that of equals always the same one comes first.
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let points = sampled(seen.frames);
    let mut best = all[0];
    best.0 = f64::NEG_INFINITY;
    let triangles: usize = seen.solids.iter().map(|s| s.triangles.len()).sum();
    let mut left = TRIED / (triangles * points.len()).max(1);
    for (score, d) in all {
        // What is hidden only costs: no direction that follows can be better.
        if score <= best.0 {
            break;
        }
        if left == 0 {
            break;
        }
        left -= 1;
        let score = score - HIDDEN * hidden(seen.solids, &points, d);
        if score > best.0 {
            best = (score, d);
        }
    }
    best.1
}

/// Directions to look along: the angle from above, degrees, and the unit vector.
fn directions(up: DVec3, e1: DVec3, e2: DVec3) -> Vec<(f64, DVec3)> {
    let around = |height: f64| {
        let (down, level) = height.to_radians().sin_cos();
        (0..AROUND).map(move |i| {
            let (sin, cos) = (std::f64::consts::TAU * i as f64 / AROUND as f64).sin_cos();
            (height, level * (e1 * cos + e2 * sin) - down * up)
        })
    };
    HEIGHTS.into_iter().flat_map(around).collect()
}

/// The longest axis of a covariance, and how long it is beside the others: from 0 to 1, a thread.
fn long(covariance: DMat3) -> (DVec3, f64) {
    // Power iteration: where no axis stands out, the part is 0.
    let mut axis = DVec3::new(0.6, 0.7, 0.5);
    for _ in 0..20 {
        axis = (covariance * axis).normalize_or_zero();
    }
    let along = axis.dot(covariance * axis);
    let ratio = (trace(covariance) - along) / along;
    match along > 0.0 && ratio.is_finite() {
        true => (axis, (1.0 - ratio / LONG).clamp(0.0, 1.0)),
        false => (axis, 0.0),
    }
}

/// Sum of axes about which rods bend, each by its angle: trace 1 if they turn much, less if they
/// are nearly straight.
fn bend(seen: &Seen<'_>) -> DMat3 {
    let mut sum = DMat3::ZERO;
    let mut rods = 0.0;
    for frame in seen.frames {
        for (rod, closed) in frame.iter().zip(seen.closed) {
            rods += 1.0;
            let n = rod.len();
            let nodes = if *closed { 0..n } else { 1..n.max(2) - 1 };
            for i in nodes {
                let (a, b) = (rod[i] - rod[(i + n - 1) % n], rod[(i + 1) % n] - rod[i]);
                let axis = a.cross(b).normalize_or_zero();
                let angle = a.angle_between(b);
                if angle.is_finite() {
                    sum += square(axis) * angle;
                }
            }
        }
    }
    let turn = trace(sum) / f64::max(rods, 1.0);
    weighted(sum, turn / (turn + SOME_BEND))
}

/// Sum of normals of the areas that rods sweep, each by its area: trace 1 if they move far, less if
/// they hardly move.
fn motion(seen: &Seen<'_>) -> DMat3 {
    let mut sum = DMat3::ZERO;
    let size = size(seen.frames);
    for pair in seen.frames.windows(2) {
        for (before, after) in pair[0].iter().zip(&pair[1]) {
            for i in 1..before.len().min(after.len()) {
                let along = after[i] - after[i - 1];
                let moved = 0.5 * (after[i] + after[i - 1] - before[i] - before[i - 1]);
                let area = moved.cross(along);
                if area.is_finite() {
                    sum += square(area.normalize_or_zero()) * area.length();
                }
            }
        }
    }
    let swept = trace(sum) / (size * size).max(f64::MIN_POSITIVE);
    weighted(sum, swept / (swept + SOME_SWEEP))
}

/// Covariance of all nodes over that along its longest axis, about: large along directions that
/// should not be seen end on.
fn spread(frames: &[Vec<Vec<DVec3>>]) -> DMat3 {
    let nodes = || frames.iter().flatten().flatten().filter(|x| x.is_finite());
    let count = nodes().count().max(1) as f64;
    let mean = nodes().sum::<DVec3>() / count;
    let sum = nodes().fold(DMat3::ZERO, |sum, x| sum + square(*x - mean));
    weighted(sum, 1.0) * 1.5
}

fn square(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

fn trace(m: DMat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

/// The same matrix with another trace.
fn weighted(m: DMat3, wanted: f64) -> DMat3 {
    let own = trace(m);
    match own > 0.0 && own.is_finite() && wanted.is_finite() {
        true => m * (wanted / own),
        false => DMat3::ZERO,
    }
}

/// Diagonal of the box around all nodes, m.
fn size(frames: &[Vec<Vec<DVec3>>]) -> f64 {
    let nodes = || frames.iter().flatten().flatten().copied();
    let low = nodes().reduce(DVec3::min).unwrap_or_default();
    let high = nodes().reduce(DVec3::max).unwrap_or_default();
    (high - low).length()
}

/// Some nodes of all frames.
fn sampled(frames: &[Vec<Vec<DVec3>>]) -> Vec<DVec3> {
    let of = |frame: &Vec<Vec<DVec3>>| {
        let nodes: Vec<DVec3> = frame.iter().flatten().copied().collect();
        let step = nodes.len().div_ceil(LOOKED_FOR).max(1);
        nodes.into_iter().step_by(step).collect::<Vec<_>>()
    };
    frames.iter().flat_map(of).collect()
}

/// Part of the points that a viewer who looks along `d` sees a solid instead of.
fn hidden(solids: &[Solid], points: &[DVec3], d: DVec3) -> f64 {
    let covered = |point: &&DVec3| {
        let before = |solid: &Solid| {
            let corners = |t: &[u32; 3]| t.map(|v| solid.vertices[v as usize]);
            let normals = |t: &[u32; 3]| t.map(|v| solid.normals[v as usize]);
            solid.triangles.iter().any(|t| {
                // Of a wall around rods one sees what is beyond them.
                let away = solid.hollow && normals(t).iter().sum::<DVec3>().dot(d) >= 0.0;
                !away && is_before(corners(t), **point, -d)
            })
        };
        solids.iter().any(before)
    };
    points.iter().filter(covered).count() as f64 / points.len().max(1) as f64
}

/// Whether the ray from a point along `ray` meets a triangle (Möller and Trumbore 1997).
fn is_before([a, b, c]: [DVec3; 3], point: DVec3, ray: DVec3) -> bool {
    let (e1, e2) = (b - a, c - a);
    let p = ray.cross(e2);
    let determinant = e1.dot(p);
    if determinant == 0.0 {
        return false;
    }
    let s = (point - a) / determinant;
    let u = s.dot(p);
    let q = s.cross(e1);
    let (v, t) = (ray.dot(q), e2.dot(q));
    u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0
}

#[cfg(test)]
mod tests {
    use glam::DQuat;
    use std::f64::consts::{PI, TAU};
    use writhe_render::Color;

    use super::*;

    fn look(frames: &[Vec<Vec<DVec3>>], closed: bool, solids: &[Solid], up: DVec3) -> DVec3 {
        let closed = vec![closed; frames[0].len()];
        let seen = Seen {
            frames,
            closed: &closed,
            solids,
            among: !solids.is_empty(),
            floor: None,
        };
        direction(&seen, up)
    }

    fn arc(from: f64, to: f64, of: impl Fn(f64, f64) -> DVec3) -> Vec<DVec3> {
        let angle = |i: u32| from + (to - from) * f64::from(i) / 40.0;
        (0..=40)
            .map(|i| angle(i).sin_cos())
            .map(|(s, c)| of(c, s))
            .collect()
    }

    /// An arc around a drum whose axis is y: seen along the axis, from either side.
    #[test]
    fn an_arc_is_seen_face_on() {
        let rod = arc(0.0, PI, |c, s| DVec3::new(c, 0.0, s));
        let drum = Solid::cylinder(0.95, 0.4, Color::WHITE)
            .placed(DQuat::from_rotation_x(0.5 * PI), DVec3::ZERO);
        let d = look(&[vec![rod]], false, &[drum], DVec3::Z);
        assert!(d.y.abs() > 0.8 && d.z < 0.0, "{d}");
    }

    /// Bent in its middle only, in a plane that is neither level nor upright.
    #[test]
    fn a_thread_is_seen_level() {
        let node = |i: i32| {
            let s = f64::from(i) / 100.0;
            let out = 0.02 * (-2000.0 * s * s).exp();
            DVec3::new(out, s, 0.7 * out)
        };
        let rod = (-100..=100).map(node).collect();
        let d = look(&[vec![rod]], false, &[], DVec3::Z);
        assert!(d.y.abs() < 0.2, "{d}");
    }

    #[test]
    fn motion_is_seen_from_the_side() {
        // A straight rod along y that falls.
        let rod = |z: f64| vec![arc(0.0, PI, |c, _| DVec3::new(0.0, c, z))];
        let d = look(&[rod(0.0), rod(-1.0)], false, &[], DVec3::Z);
        assert!(d.x.abs() > 0.9, "{d}");
    }

    #[test]
    fn what_lies_flat_is_seen_from_above() {
        let ring = arc(0.0, TAU * 40.0 / 41.0, |c, s| DVec3::new(c, s, 0.0));
        let d = look(&[vec![ring]], true, &[], DVec3::Z);
        assert!(d.z < -0.5, "{d}");
    }

    #[test]
    fn nobody_looks_through_a_wall() {
        let rod = arc(0.0, PI, |c, s| DVec3::new(c, 0.0, s));
        let free = look(&[vec![rod.clone()]], false, &[], DVec3::Z);
        let wall = |side: f64| {
            let half = DVec3::new(3.0, 0.01, 3.0);
            let at = DVec3::Y * side;
            vec![Solid::cuboid(half, Color::WHITE).placed(DQuat::IDENTITY, at)]
        };
        for side in [-0.2, 0.2] {
            let d = look(&[vec![rod.clone()]], false, &wall(side), DVec3::Z);
            assert!(d.y * side.signum() > 0.3, "{d} for {side}, free {free}");
        }
        let behind = Seen {
            frames: &[vec![rod]],
            closed: &[false],
            solids: &[],
            among: false,
            floor: Some(Floor {
                center: DVec3::ZERO,
                normal: free,
                color: None,
                fade_radius: 1.0,
                grid: None,
            }),
        };
        assert!(direction(&behind, DVec3::Z).dot(free) < 0.0);
    }

    #[test]
    fn nothing_at_all_is_looked_at_from_somewhere() {
        for frames in [
            vec![],
            vec![vec![]],
            vec![vec![vec![DVec3::NAN; 3]]],
            vec![vec![vec![DVec3::X; 2]]],
        ] {
            let closed = [false];
            let seen = Seen {
                frames: &frames,
                closed: &closed,
                solids: &[],
                among: false,
                floor: None,
            };
            let d = direction(&seen, DVec3::Z);
            assert!((d.length() - 1.0).abs() < 1e-9, "{d}");
        }
    }
}
