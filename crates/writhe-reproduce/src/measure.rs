//! What is read off the node positions of a run.

use std::f64::consts::PI;

use glam::DVec3;
use writhe::kernels::distance::closest_points;
use writhe::knot::closure::{Closure, close};
use writhe::knot::gauss;
use writhe::rod::geometry::{parallel_transport, signed_angle};
use writhe_rundir::RunReader;

use crate::error::Result;

/// Smallest radius of a run, m.
pub fn radius(reader: &RunReader) -> f64 {
    reader
        .layout()
        .radius
        .iter()
        .copied()
        .fold(f64::INFINITY, f64::min)
}

/// The nodes of each rod of a frame, m.
///
/// # Errors
/// When the frame cannot be read.
pub fn rods(reader: &RunReader, frame: usize) -> Result<Vec<Vec<DVec3>>> {
    let positions = reader.positions(frame)?;
    let mut rest = positions.as_slice();
    let mut out = Vec::new();
    for rod in &reader.layout().rods {
        let (own, others) = rest.split_at(rod.nodes.min(rest.len()));
        out.push(own.iter().map(|x| DVec3::from_array(*x)).collect());
        rest = others;
    }
    Ok(out)
}

/// The directors m1 of the edges of the first rod of a frame.
///
/// # Errors
/// When the frame cannot be read.
pub fn directors(reader: &RunReader, frame: usize) -> Result<Vec<DVec3>> {
    let all = reader.directors(frame)?;
    let edges = reader.layout().rods.first().map_or(0, |rod| {
        if rod.closed {
            rod.nodes
        } else {
            rod.nodes.saturating_sub(1)
        }
    });
    Ok(all[..edges.min(all.len())]
        .iter()
        .map(|d| DVec3::from_array(*d))
        .collect())
}

/// How two or more rods lie along one another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bundle {
    /// Smallest and largest distance of a contact from the middle of the clamped edges along the
    /// axis +x, m; `None` without contact.
    pub contact: Option<(f64, f64)>,
    /// The same along the rods, from the middle of the clamped edge to the contact, mean of the two
    /// rods that touch, m.
    pub contact_along: Option<(f64, f64)>,
    /// Turns by which the first two rods wind about each other: their Gauss linking integral.
    pub turns: f64,
    /// Mean over the nodes of the first rod of the distance to the nearest point of the others, m.
    pub mean_distance: f64,
    /// Smallest distance of the centrelines of two rods, m.
    pub smallest_distance: f64,
}

/// The bundle that `rods` (open, at least two) form; two rods touch where their centrelines are
/// nearer than `touching`, m.
pub fn bundle(rods: &[Vec<DVec3>], touching: f64) -> Bundle {
    let clamp = rods.first().map_or(0.0, |rod| 0.5 * (rod[0].x + rod[1].x));
    let arcs: Vec<Vec<f64>> = rods.iter().map(|rod| arc_lengths(rod)).collect();
    let (mut contact, mut contact_along) = (None, None);
    let mut smallest_distance = f64::INFINITY;
    for (i, first) in rods.iter().enumerate() {
        for (j, second) in rods.iter().enumerate().skip(i + 1) {
            for (m, a) in first.windows(2).enumerate() {
                for (n, b) in second.windows(2).enumerate() {
                    let near = closest_points(a[0], a[1], b[0], b[1]);
                    smallest_distance = smallest_distance.min(near.distance);
                    if near.distance < touching {
                        let x = a[0].x + near.s * (a[1].x - a[0].x) - 0.5 * near.delta.x - clamp;
                        let s = arcs[i][m] + near.s * a[0].distance(a[1]);
                        let t = arcs[j][n] + near.t * b[0].distance(b[1]);
                        widen(&mut contact, x);
                        widen(&mut contact_along, 0.5 * (s + t));
                    }
                }
            }
        }
    }
    Bundle {
        contact,
        contact_along,
        turns: match rods {
            [first, second, ..] => linking(first, second),
            _ => 0.0,
        },
        mean_distance: mean_distance(rods),
        smallest_distance,
    }
}

/// Length along a chain from the middle of its first edge to each node, m.
fn arc_lengths(rod: &[DVec3]) -> Vec<f64> {
    let mut arc = -0.5 * rod[0].distance(rod[1]);
    let rest = rod.windows(2).map(|edge| edge[0].distance(edge[1]));
    let mut out = vec![arc];
    out.extend(rest.map(|length| {
        arc += length;
        arc
    }));
    out
}

/// Makes the range hold `value`.
fn widen(range: &mut Option<(f64, f64)>, value: f64) {
    let (low, high) = range.get_or_insert((value, value));
    (*low, *high) = (low.min(value), high.max(value));
}

fn mean_distance(rods: &[Vec<DVec3>]) -> f64 {
    let Some((first, others)) = rods.split_first() else {
        return f64::NAN;
    };
    let to_others = |x: &DVec3| {
        let edges = others.iter().flat_map(|rod| rod.windows(2));
        edges
            .map(|e| closest_points(*x, *x, e[0], e[1]).distance)
            .fold(f64::INFINITY, f64::min)
    };
    first.iter().map(to_others).sum::<f64>() / first.len() as f64
}

/// Gauss linking integral of two open chains, the sum over pairs of edges of the signed solid angle
/// over 4 pi.
pub fn linking(a: &[DVec3], b: &[DVec3]) -> f64 {
    let edges = a.windows(2);
    let angles = edges.flat_map(|e| b.windows(2).map(|f| solid_angle(e[0], e[1], f[0], f[1])));
    angles.sum::<f64>() / (4.0 * PI)
}

/// Signed solid angle of all directions in which the edge `p0 p1` is seen to cross the edge `q0 q1`
/// (Klenin and Langowski 2000, method 1a).
fn solid_angle(p0: DVec3, p1: DVec3, q0: DVec3, q1: DVec3) -> f64 {
    let corners = [q0 - p0, q1 - p0, q1 - p1, q0 - p1];
    let normal = |i: usize| corners[i].cross(corners[(i + 1) % 4]).normalize_or_zero();
    let normals = [0, 1, 2, 3].map(normal);
    let area: f64 = (0..4)
        .map(|i| normals[i].dot(normals[(i + 1) % 4]).clamp(-1.0, 1.0).asin())
        .sum();
    let sign = (q1 - q0).cross(p1 - p0).dot(q0 - p0);
    area.abs() * if sign == 0.0 { 0.0 } else { sign.signum() }
}

/// Twist of an open rod and writhe of the same closed up along its end tangents, turns, from its
/// nodes and directors m1. Their sum follows the turns of its ends where these keep their tangents,
/// unless the rod passes through itself.
pub fn twist_and_writhe(nodes: &[DVec3], directors: &[DVec3]) -> [f64; 2] {
    let tangents: Vec<DVec3> = nodes
        .windows(2)
        .map(|e| (e[1] - e[0]).normalize())
        .collect();
    let pairs = tangents.windows(2).zip(directors.windows(2));
    let twist: f64 = pairs
        .map(|(t, m)| signed_angle(parallel_transport(m[0], t[0], t[1]), m[1], t[1]))
        .sum();
    let closed = close(nodes, Closure::Tangents);
    let writhe = closed.map_or(f64::NAN, |points| gauss::writhe(&points, true));
    [twist / (2.0 * PI), writhe]
}

/// The largest of `values`; NaN if one of them is.
pub fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    let larger = |a: f64, b: f64| if a.is_nan() || a > b { a } else { b };
    values.into_iter().fold(f64::NEG_INFINITY, larger)
}

/// Mean over time of `values` given at `times`, s, from the first to `until`, s, by the trapezoidal
/// rule.
pub fn time_mean(times: &[f64], values: &[f64], until: f64) -> f64 {
    let pairs = times.windows(2).zip(values.windows(2));
    let mut sum = (0.0, 0.0);
    for (t, v) in pairs.filter(|(t, _)| t[1] <= until * (1.0 + 1e-9)) {
        sum.0 += t[1] - t[0];
        sum.1 += 0.5 * (t[1] - t[0]) * (v[0] + v[1]);
    }
    sum.1 / sum.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two strands that wind `turns` times about the x axis, `radius` from it, over the length 1.
    fn strands(turns: f64, radius: f64) -> Vec<Vec<DVec3>> {
        let strand = |phase: f64| {
            let node = |i: usize| {
                let x = i as f64 / 400.0;
                let (sin, cos) = (2.0 * PI * turns * x + phase).sin_cos();
                DVec3::new(x, radius * cos, radius * sin)
            };
            (0..=400).map(node).collect()
        };
        vec![strand(0.0), strand(PI)]
    }

    #[test]
    fn turns_of_a_double_helix() {
        for turns in [3.0, -2.0] {
            // Chords of the other strand seen from the ends are missing: a part of radius over
            // length.
            let bundle = bundle(&strands(turns, 2e-3), 3.99e-3);
            assert!((bundle.turns - turns).abs() < 0.02, "{}", bundle.turns);
            assert!((bundle.smallest_distance - 4e-3).abs() < 1e-5);
            assert!((bundle.mean_distance - 4e-3).abs() < 1e-5);
        }
    }

    #[test]
    fn linked_rings() {
        let ring = |center: DVec3, u: DVec3, v: DVec3| -> Vec<DVec3> {
            let node = |i: usize| {
                let (sin, cos) = (2.0 * PI * i as f64 / 60.0).sin_cos();
                center + u * cos + v * sin
            };
            (0..=60).map(node).collect()
        };
        let a = ring(DVec3::ZERO, DVec3::X, DVec3::Y);
        let linked = ring(DVec3::X, DVec3::X, DVec3::Z);
        let apart = ring(4.0 * DVec3::X, DVec3::X, DVec3::Z);
        assert!((linking(&a, &linked).abs() - 1.0).abs() < 1e-9);
        assert!(linking(&a, &apart).abs() < 1e-9);
    }

    #[test]
    fn contact_is_where_rods_are_near() {
        // Rods along x that approach each other between x = 0.4 and 0.6 of a length 1; clamped edge
        // from 0 to 0.01.
        let rod = |side: f64| -> Vec<DVec3> {
            let y = |x: f64| if (0.4..=0.6).contains(&x) { 1e-3 } else { 5e-3 };
            (0..=100)
                .map(|i| 0.01 * f64::from(i))
                .map(|x| DVec3::new(x, side * y(x), 0.0))
                .collect()
        };
        let bundle = bundle(&[rod(1.0), rod(-1.0)], 2.01e-3);
        let (low, high) = bundle.contact.unwrap();
        assert!(
            (low - 0.395).abs() < 0.02 && (high - 0.595).abs() < 0.02,
            "{low} {high}"
        );
        assert!(bundle.turns.abs() < 1e-9);
        // Along the rods: 39 edges of 10 mm and one that turns in, less half of the first.
        let (low, _) = bundle.contact_along.unwrap();
        assert!(
            (low - (0.39 + 0.01_f64.hypot(4e-3) - 0.005)).abs() < 1e-4,
            "{low}"
        );
    }

    #[test]
    fn twist_and_writhe_of_a_twisted_helix() {
        // Turning the last director changes the twist by as much, and the writhe by nothing.
        let nodes = strands(3.0, 2e-2).swap_remove(0);
        let mut directors: Vec<DVec3> = nodes
            .windows(2)
            .map(|e| (e[1] - e[0]).cross(DVec3::Y).normalize())
            .collect();
        let [twist, writhe] = twist_and_writhe(&nodes, &directors);
        let last = directors.len() - 1;
        let t = (nodes[last + 1] - nodes[last]).normalize();
        directors[last] =
            directors[last] * 0.3_f64.cos() + t.cross(directors[last]) * 0.3_f64.sin();
        let [more, same] = twist_and_writhe(&nodes, &directors);
        assert!((more - twist - 0.3 / (2.0 * PI)).abs() < 1e-12 && same == writhe);
        assert!(largest([1.0, f64::NAN, 0.0]).is_nan() && largest([1.0, 2.0]) == 2.0);
    }

    #[test]
    fn mean_over_time() {
        let times = [0.0, 1.0, 3.0, 4.0];
        assert!((time_mean(&times, &[0.0, 2.0, 2.0, 9.0], 3.0) - 5.0 / 3.0).abs() < 1e-12);
    }
}
