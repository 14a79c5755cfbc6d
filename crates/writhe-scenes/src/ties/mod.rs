//! Centrelines of knots: what rods look like before they are pulled or let go.
//!
//! One geometry a file: an overhand knot, and what is tied with the same braid, in one open rod;
//! torus knots and the figure-eight in closed rods; two bights through each other in two open rods.
//! Curves are drawn finely, scaled to the length of the rod, and cut into equal edges; all that
//! matters is their type and that no two strands touch. Equilibrium is found by the simulation.

mod bend;
mod closed;
mod overhand;
mod slip;

use glam::DVec3;
use writhe::kernels::distance::closest_points;

pub(crate) use bend::Bend;
pub(crate) use closed::{Closed, Kind as ClosedKind};
pub(crate) use overhand::Overhand;
pub(crate) use slip::{Slip, tip_of_bight};

/// Distance of strands that pass each other, over the thickness of the rod: they do not touch.
const STRAND: f64 = 1.2;
/// Points of each part of a smooth curve, by edge.
const FINE: usize = 4;
/// Edges that are looked at for clearance; of more, every so many are taken as one.
const LOOKED_AT: usize = 600;

/// Why a knot cannot be tied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Untied {
    /// Loops would be too small for the rod to pass, or the tails would have no length left.
    NoRoom,
    /// Edges are too long for the turns of the knot.
    TooCoarse {
        /// So many would do.
        edges: usize,
    },
}

/// Length of a polygon, m.
fn contour(nodes: &[DVec3]) -> f64 {
    nodes.windows(2).map(|e| e[0].distance(e[1])).sum()
}

/// Nodes on a fine open curve at equal distances along it, both ends among them.
fn equal_edges(curve: &[DVec3], edges: usize) -> Vec<DVec3> {
    let mut arc = vec![0.0];
    for e in curve.windows(2) {
        arc.push(arc[arc.len() - 1] + e[0].distance(e[1]));
    }
    let (last, whole) = (curve.len() - 1, arc[curve.len() - 1]);
    (0..=edges)
        .map(|i| {
            let wanted = whole * i as f64 / edges as f64;
            let k = arc.partition_point(|a| *a < wanted).clamp(1, last);
            let piece = arc[k] - arc[k - 1];
            let part = if piece > 0.0 {
                (wanted - arc[k - 1]) / piece
            } else {
                0.0
            };
            curve[k - 1].lerp(curve[k], part)
        })
        .collect()
}

/// The size in [0, `largest`] at which a curve cut by `cut`, which grows with it, has this contour:
/// the last that is too short when the interval is halved until no number is left in it.
fn size_of(length: f64, largest: f64, cut: impl Fn(f64) -> Vec<DVec3>) -> f64 {
    let excess = |size: f64| contour(&cut(size)) - length;
    // Outside of these two no curve is needed to know which half to take.
    let [low, high] = sizes_about(largest, excess);
    let (mut small, mut large) = (0.0, largest);
    for _ in 0..80 {
        let middle = 0.5 * (small + large);
        if middle <= small || middle >= large {
            break;
        }
        if middle <= low || (middle < high && excess(middle) < 0.0) {
            small = middle;
        } else {
            large = middle;
        }
    }
    small
}

/// Two sizes close together, the smaller too short and the larger too long, found by secants; [0,
/// `largest`] where secants find none.
fn sizes_about(largest: f64, excess: impl Fn(f64) -> f64) -> [f64; 2] {
    /// Distance of each from the size between them, as a part of it: so large that rounding does
    /// not decide which is too short.
    const APART: f64 = 1e-11;
    let (mut before, mut last) = (0.5 * largest, 0.25 * largest);
    let (mut excess_before, mut excess_last) = (excess(before), excess(last));
    for _ in 0..12 {
        let next = last - excess_last * (last - before) / (excess_last - excess_before);
        if !(next > 0.0 && next < largest) {
            break;
        }
        if (next - last).abs() < 0.1 * APART * next {
            let about = [next * (1.0 - APART), (next * (1.0 + APART)).min(largest)];
            if excess(about[0]) < 0.0 && excess(about[1]) > 0.0 {
                return about;
            }
            break;
        }
        (before, excess_before) = (last, excess_last);
        (last, excess_last) = (next, excess(next));
    }
    [0.0, largest]
}

/// From 0 to 1 as `u` does, flat at both ends.
fn smooth(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

/// `n` parts of a unit interval, without its end.
fn parts(n: usize) -> impl Iterator<Item = f64> {
    (0..n).map(move |k| k as f64 / n as f64)
}

/// Whether all strands of some polygons keep further from each other than rods of this radius that
/// just touch. Along one polygon, edges count as two strands if the rod can turn around between
/// them.
fn is_clear(polygons: &[&[DVec3]], closed: bool, radius: f64) -> bool {
    let strands: Vec<(Vec<DVec3>, usize)> = polygons
        .iter()
        .map(|nodes| thinned(nodes, radius))
        .collect();
    let edges = |nodes: &[DVec3]| if closed { nodes.len() } else { nodes.len() - 1 };
    let far = |[a, b]: [&[DVec3]; 2], i: usize, j: usize| {
        let edge = |x: &[DVec3], k: usize| (x[k], x[(k + 1) % x.len()]);
        let ((p, q), (r, s)) = (edge(a, i), edge(b, j));
        closest_points(p, q, r, s).distance > 2.0 * radius
    };
    strands.iter().enumerate().all(|(k, (a, apart))| {
        let count = edges(a);
        let within = (0..count).all(|i| {
            let last = if closed {
                (count + i).saturating_sub(*apart)
            } else {
                count
            };
            (i + apart..last.min(count)).all(|j| far([a, a], i, j))
        });
        let with_others = strands[k + 1..]
            .iter()
            .all(|(b, _)| (0..count).all(|i| (0..edges(b)).all(|j| far([a, b], i, j))));
        within && with_others
    })
}

/// At most so many nodes as are looked at, and how many edges apart two of them are when the rod
/// can turn around between them: on half a circle of twice its radius.
fn thinned(nodes: &[DVec3], radius: f64) -> (Vec<DVec3>, usize) {
    let every = nodes.len().div_ceil(LOOKED_AT);
    let kept: Vec<DVec3> = nodes.iter().step_by(every).copied().collect();
    let edge = contour(&kept) / (kept.len() - 1).max(1) as f64;
    let apart = (std::f64::consts::TAU * radius / edge).ceil() as usize;
    (kept, apart + 1)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn sizes_are_those_of_plain_halving_and_take_few_curves() {
        let looked = Cell::new(0);
        for (edges, length, thickness) in [(40, 1.0, 0.0), (300, 0.7, 0.01), (301, 13.0, 0.2)] {
            // A circle between two straight parts, bent up as it grows.
            let cut = |size: f64| {
                looked.set(looked.get() + 1);
                let round = parts(400).map(|u| {
                    let (sin, cos) = (std::f64::consts::TAU * u).sin_cos();
                    let high = thickness * (size * u).sqrt();
                    DVec3::new(size * sin, size * (1.0 - cos), high)
                });
                let curve: Vec<DVec3> = std::iter::once(DVec3::X * (-0.2 * length))
                    .chain(round)
                    .chain([DVec3::X * (0.2 * length)])
                    .collect();
                equal_edges(&curve, edges)
            };
            let (mut small, mut large) = (0.0, length);
            loop {
                let middle = 0.5 * (small + large);
                if middle <= small || middle >= large {
                    break;
                }
                if contour(&cut(middle)) < length {
                    small = middle;
                } else {
                    large = middle;
                }
            }
            let plain = looked.replace(0);
            assert_eq!(size_of(length, length, cut).to_bits(), f64::to_bits(small));
            assert!(2 * looked.get() < plain, "{} for {plain}", looked.get());
            // No such size: all are too short, or all too long.
            assert_eq!(size_of(100.0 * length, length, cut), length.next_down());
            assert_eq!(size_of(0.1 * length, length, cut), 0.0);
            looked.set(0);
        }
    }
}
