//! Writhe of a closed polygon from one picture of it, by work that grows like its edges.
//!
//! Seen along u, a polygon has so many right-handed crossings more than left-handed ones: its
//! directional writhe DWr(u). Writhe is the mean of DWr over all directions, and DWr changes only
//! where u passes the arcs between the directions t of edges that follow each other, or their
//! opposites. So what u has to be passed by is the difference (Cimasoni 2001; Agarwal, Edelsbrunner
//! and Wang 2004, theorem 1; Fuller 1978 for smooth curves):
//!
//! ```text
//! Wr = DWr(u) + 1/(4 pi) sum_i [ A(u, t_i, t_i+1) - A(u, -t_i, -t_i+1) ]
//! ```
//!
//! with A the signed area of a spherical triangle, between -2 pi and 2 pi. It is exact. Crossings are
//! counted by determinants whose signs are certain; where rounding hides one, or u is next to an arc,
//! another direction is taken.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::AngleSum;
use crate::kernels::candidates::{Aabb, sweep};

/// Directions that are tried.
const DIRECTIONS: usize = 6;
/// Angle of the first one about the axis of all, rad: none is along an axis or in a plane of them.
const TURN: f64 = 0.7;
/// Sines below this are too near to an arc.
const ON_AN_ARC: f64 = 1e-12;
/// Bound of what rounding moves a coordinate of the picture by, over the size of the polygon: five
/// roundings of half an epsilon, and more.
const MOVED: f64 = 8.0 * f64::EPSILON;
/// Bound of what rounding makes of a determinant of three vectors, over the product of their lengths.
const ROUNDED: f64 = 32.0 * f64::EPSILON;

/// Writhe of the closed polygon through `points`; `None` if no direction shows it clearly, as where
/// it touches itself or has an edge without length.
pub(super) fn closed_writhe(points: &[DVec3]) -> Option<f64> {
    let tangents: Vec<DVec3> = (0..points.len())
        .map(|i| (points[(i + 1) % points.len()] - points[i]).try_normalize())
        .collect::<Option<_>>()?;
    (0..DIRECTIONS).find_map(|index| {
        let along = direction(index);
        let areas = areas(along, &tangents)?;
        Some(f64::from(crossings(along, points)?) + areas / TAU)
    })
}

fn direction(index: usize) -> DVec3 {
    let z = 1.0 - (2 * index + 1) as f64 / (2 * DIRECTIONS) as f64;
    let (sin, cos) = (TURN + index as f64 * PI * (3.0 - 5.0_f64.sqrt())).sin_cos();
    let across = (1.0 - z * z).sqrt();
    DVec3::new(across * cos, across * sin, z)
}

/// Half the sum of A(u, t_i, t_i+1) - A(u, -t_i, -t_i+1), rad.
fn areas(u: DVec3, tangents: &[DVec3]) -> Option<f64> {
    let mut sum = AngleSum::new();
    let last = tangents.last()?;
    let before = std::iter::once(last).chain(tangents);
    for (s, t) in before.zip(tangents) {
        // tan(A / 2) = u . (s x t) / (1 + u . s + s . t + t . u)
        let (volume, cos) = (u.dot(s.cross(*t)), s.dot(*t));
        let (of_u, both) = (u.dot(*s) + u.dot(*t), 1.0 + cos);
        for (re, im) in [(both + of_u, volume), (both - of_u, -volume)] {
            // On the arc, next to an end of it, or the polygon is folded there.
            if !(im.abs() > ON_AN_ARC || re > ON_AN_ARC) {
                return None;
            }
            sum.add(re, im);
        }
    }
    Some(sum.total())
}

/// Right-handed crossings less left-handed ones, seen along `u`.
fn crossings(u: DVec3, points: &[DVec3]) -> Option<i32> {
    let (low, high) = (points.iter()).fold((points[0], points[0]), |(low, high), x| {
        (low.min(*x), high.max(*x))
    });
    let (middle, size) = (0.5 * low + 0.5 * high, (high - low).length());
    let across = u.any_orthonormal_vector();
    let up = u.cross(across);
    let spots: Vec<DVec3> = (points.iter())
        .map(|x| x - middle)
        .map(|x| DVec3::new(across.dot(x), up.dot(x), 0.0))
        .collect();
    let moved = MOVED * size;
    if !moved.is_normal() {
        return None;
    }
    let count = points.len();
    let edge = |i: usize| [i, (i + 1) % count];
    let boxes: Vec<Aabb> = (0..count)
        .map(|i| edge(i).map(|k| spots[k]))
        .map(|[a, b]| Aabb::of_edge(a, b, moved))
        .collect();
    let neighbours = |i: u32, j: u32| j - i == 1 || j - i == count as u32 - 1;
    let pairs = sweep(&boxes, |i, j| !neighbours(i, j));
    let mut sum = 0;
    for (i, j) in pairs {
        let ([a, b], [c, d]) = (edge(i as usize), edge(j as usize));
        let side = |a: usize, b: usize, c: usize| side([a, b, c].map(|k| spots[k]), moved);
        let of_second = [side(a, b, c), side(a, b, d)];
        // Both ends of one edge on one side of the other's line.
        if of_second[0] * of_second[1] > 0 {
            continue;
        }
        let of_first = [side(c, d, a), side(c, d, b)];
        if of_first[0] * of_first[1] > 0 {
            continue;
        }
        if of_first.contains(&0) || of_second.contains(&0) {
            return None;
        }
        sum += handedness([a, b, c, d].map(|k| points[k]))?;
    }
    Some(sum)
}

/// On which side of the line from a to b c lies in the picture; 0 if rounding of coordinates by
/// `moved` hides it.
fn side([a, b, c]: [DVec3; 3], moved: f64) -> i32 {
    let (u, v) = (b - a, c - a);
    let area = u.x * v.y - u.y * v.x;
    let lengths = u.x.abs() + u.y.abs() + v.x.abs() + v.y.abs();
    if area.abs() > 4.0 * moved * (lengths + moved) {
        area.signum() as i32
    } else {
        0
    }
}

/// +1 if the edges ab and cd cross right-handed, -1 if left-handed.
fn handedness([a, b, c, d]: [DVec3; 4]) -> Option<i32> {
    let (u, v, w) = (b - a, d - c, a - c);
    let volume = u.cross(v).dot(w);
    let certain = volume.abs() > ROUNDED * u.length() * v.length() * w.length();
    certain.then_some(volume.signum() as i32)
}

#[cfg(test)]
mod tests {
    use super::super::direct_writhe;
    use super::*;
    use crate::kernels::testing::Random;

    /// Walks, coils, plane curves and those with straight parts.
    fn curves() -> Vec<Vec<DVec3>> {
        let mut random = Random(29);
        let mut curves = Vec::new();
        for case in 0..120_usize {
            let nodes = [4, 7, 20, 80, 200][case % 5];
            let mut at = DVec3::ZERO;
            let walk = |_| {
                at = 0.9 * at + random.vector();
                at
            };
            curves.push((0..nodes).map(walk).collect());
        }
        for turns in [3.0, 20.0] {
            let coil = |i: usize| {
                let s = TAU * i as f64 / 400.0;
                let r = 2.0 + 0.3 * (turns * s).cos();
                DVec3::new(r * s.cos(), r * s.sin(), 0.3 * (turns * s).sin())
            };
            curves.push((0..400).map(coil).collect());
        }
        let bend = |i: usize| {
            let s = TAU * i as f64 / 100.0;
            DVec3::new(s.cos() + 0.3 * (2.0 * s).cos(), s.sin(), 0.0)
        };
        curves.push((0..90).map(bend).collect());
        // Straight sides of many edges, in space.
        let corners = [
            DVec3::ZERO,
            DVec3::X,
            DVec3::new(1.0, 1.0, 0.0),
            DVec3::new(0.2, 0.4, 0.5),
            DVec3::new(0.4, 0.2, -0.5),
            DVec3::new(0.3, 0.9, 0.2),
        ];
        let side = |i: usize| {
            let (k, s) = (i / 30, (i % 30) as f64 / 30.0);
            corners[k].lerp(corners[(k + 1) % corners.len()], s)
        };
        curves.push((0..180).map(side).collect());
        curves
    }

    #[test]
    fn one_picture_gives_gausss_integral() {
        for (case, curve) in curves().into_iter().enumerate() {
            for moved in [
                |x: DVec3| x,
                |x: DVec3| 1e-6 * x,
                |x: DVec3| x + DVec3::new(40.0, -10.0, 3.0),
            ] {
                let curve: Vec<DVec3> = curve.iter().map(|x| moved(*x)).collect();
                let known = direct_writhe(&curve, true);
                let found = closed_writhe(&curve).expect("a clear direction");
                let scale = 1.0 + known.abs();
                assert!(
                    (found - known).abs() < 3e-12 * scale,
                    "{case}: {found} {known}"
                );
            }
        }
    }

    /// All directions are of one mind.
    #[test]
    fn the_direction_does_not_matter() {
        for curve in curves() {
            let tangents: Vec<DVec3> = (0..curve.len())
                .map(|i| (curve[(i + 1) % curve.len()] - curve[i]).normalize())
                .collect();
            let found: Vec<f64> = (0..DIRECTIONS)
                .filter_map(|k| {
                    let areas = areas(direction(k), &tangents)?;
                    Some(f64::from(crossings(direction(k), &curve)?) + areas / TAU)
                })
                .collect();
            assert!(found.len() > 2);
            let scale = 1.0 + found[0].abs();
            assert!(
                found.iter().all(|x| (x - found[0]).abs() < 1e-12 * scale),
                "{found:?}"
            );
        }
    }

    /// What touches itself, or has an edge without length, is left to Gauss's integral.
    #[test]
    fn what_is_not_clear_from_any_direction_is_not_told() {
        let mut curve: Vec<DVec3> = (0..50)
            .map(|i| TAU * f64::from(i) / 50.0)
            .map(|s| DVec3::new(s.cos(), s.sin(), (2.0 * s).cos()))
            .collect();
        assert!(closed_writhe(&curve).is_some());
        let there = curve[7];
        curve[30] = there;
        assert_eq!(closed_writhe(&curve), None);
        curve[8] = there;
        assert_eq!(closed_writhe(&curve), None);
        curve[8].x = f64::NAN;
        assert_eq!(closed_writhe(&curve), None);
    }
}
