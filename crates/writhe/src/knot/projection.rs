//! Crossings of closed polygons seen from a direction.
//!
//! A view shears the lattice by whole numbers, so what it shows is exact again: seen along (-a, -b,
//! 1), a point (x, y, z) is at (x + a z, y + b z), with a and b in units of 2^-20. Coordinates of
//! the picture are below 2^59, the doubled area of a triangle below 2^123. Where a vertex lies on
//! another edge of the picture, or two crossings on an edge are too near to be told apart, the view
//! is *unclear* and another one is taken.
//!
//! A crossing is right-handed (+1) when the upper strand is turned counterclockwise, by less than
//! half a turn, onto the lower one. That is the sign of (t1 x t2) . (p1 - p2), which depends
//! neither on the direction of view nor on which strand is above.

use std::cmp::Ordering;

use glam::DVec3;

use super::lattice::{Point, mix, orientation};
use crate::kernels::candidates::{Aabb, sweep};

/// Bits of a shear's fraction.
const SHEAR_BITS: u32 = 20;

/// A direction to look from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    /// Axis that is nearest to the direction.
    axis: usize,
    shear: [i64; 2],
}

/// A point of a picture.
type Spot = [i64; 2];

impl View {
    /// A sequence of directions in all octants that looks random.
    pub(crate) fn nth(index: usize) -> Self {
        let bits = mix(index as u64);
        let shear =
            |shift: u32| ((bits >> shift) & ((2 << SHEAR_BITS) - 1)) as i64 - (1 << SHEAR_BITS);
        Self {
            axis: index % 3,
            shear: [shear(0), shear(32)],
        }
    }

    fn spot(&self, p: Point) -> Spot {
        // Cyclic, so that right-handed axes stay right-handed.
        let [x, y, z] = [1, 2, 3].map(|k| p[(self.axis + k) % 3]);
        [
            (x << SHEAR_BITS) + self.shear[0] * z,
            (y << SHEAR_BITS) + self.shear[1] * z,
        ]
    }
}

/// Where a curve passes a crossing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Passage {
    /// The curve.
    pub curve: usize,
    /// Its edge.
    pub edge: usize,
    /// Where on the edge, from 0 to 1.
    pub along: f64,
}

/// Two edges that cross in a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Crossing {
    /// The strand that is nearer to the viewer.
    pub over: Passage,
    /// The other.
    pub under: Passage,
    /// +1 when right-handed, -1 when left-handed.
    pub sign: i32,
}

/// All crossings of closed polygons; `None` if the view is unclear.
pub(crate) fn crossings(curves: &[&[Point]], view: View) -> Option<Vec<Crossing>> {
    let edges: Vec<Edge> = curves
        .iter()
        .enumerate()
        .flat_map(|(curve, points)| {
            (0..points.len()).map(move |edge| Edge::new(view, curve, points, edge))
        })
        .collect();
    let mut found = Vec::new();
    for [i, j] in overlapping(&edges) {
        let (p, q) = (&edges[i], &edges[j]);
        match p.neighbour(q) {
            // Neighbours meet at their vertex, and nowhere else unless one lies on the other.
            Some([before, after]) if folded(before, after) => return None,
            Some(_) => {}
            None => found.extend(p.crossing(q)?),
        }
    }
    Some(found)
}

struct Edge {
    curve: usize,
    index: usize,
    /// Number of edges of the curve.
    of: usize,
    ends: [Point; 2],
    spots: [Spot; 2],
}

impl Edge {
    fn new(view: View, curve: usize, points: &[Point], index: usize) -> Self {
        let ends = [points[index], points[(index + 1) % points.len()]];
        Self {
            curve,
            index,
            of: points.len(),
            ends,
            spots: ends.map(|p| view.spot(p)),
        }
    }

    fn is_before(&self, other: &Self) -> bool {
        self.curve == other.curve && (self.index + 1) % self.of == other.index
    }

    /// If the edges share a vertex, both in their order.
    fn neighbour<'a>(&'a self, other: &'a Self) -> Option<[&'a Self; 2]> {
        if self.is_before(other) {
            Some([self, other])
        } else if other.is_before(self) {
            Some([other, self])
        } else {
            None
        }
    }

    fn at(&self, along: f64) -> Passage {
        Passage {
            curve: self.curve,
            edge: self.index,
            along,
        }
    }

    /// `None` if it is unclear whether the edges cross, `Some(None)` if they do not.
    #[allow(clippy::option_option)]
    fn crossing(&self, other: &Self) -> Option<Option<Crossing>> {
        let ([a, b], [c, d]) = (self.spots, other.spots);
        let [of_c, of_d] = [area(a, b, c), area(a, b, d)];
        let [of_a, of_b] = [area(c, d, a), area(c, d, b)];
        // Both ends of one edge on one side of the other's line: no crossing.
        if of_c.signum() * of_d.signum() > 0 || of_a.signum() * of_b.signum() > 0 {
            return Some(None);
        }
        // An end on the other's line: unclear.
        if [of_a, of_b, of_c, of_d].contains(&0) {
            return None;
        }
        // (t1 x t2) . (p1 - p2): the orientation of the four ends is its negative.
        let sign = match orientation_of(self, other).cmp(&0) {
            Ordering::Less => 1,
            Ordering::Greater => -1,
            Ordering::Equal => return None,
        };
        // How self would have to turn onto other in the picture.
        let turn = if of_d > 0 { 1 } else { -1 };
        // Areas over one base are as the distances from it.
        let part = |from: i128, to: i128| from as f64 / (from as f64 - to as f64);
        let strands = [self.at(part(of_a, of_b)), other.at(part(of_c, of_d))];
        let [over, under] = if turn == sign {
            strands
        } else {
            [strands[1], strands[0]]
        };
        Some(Some(Crossing { over, under, sign }))
    }
}

/// (t1 x t2) . (p2 - p1), exactly, p1 and p2 points of the two edges.
fn orientation_of(first: &Edge, second: &Edge) -> i128 {
    let ([a, b], [c, d]) = (first.ends, second.ends);
    // (b - a) x (d - c) . (c - a) = (b - a) x (d - a) . (c - a), the c - a in the second factor
    // being redundant.
    orientation(a, b, d, c)
}

/// Twice the area of the triangle abc, positive when counterclockwise.
fn area(a: Spot, b: Spot, c: Spot) -> i128 {
    let [u, v] = [b, c].map(|p| [p[0] - a[0], p[1] - a[1]]);
    i128::from(u[0]) * i128::from(v[1]) - i128::from(u[1]) * i128::from(v[0])
}

/// Whether the second edge lies upon the first in the picture.
fn folded(before: &Edge, after: &Edge) -> bool {
    let ([a, b], [_, c]) = (before.spots, after.spots);
    let [u, v] = [[b[0] - a[0], b[1] - a[1]], [c[0] - b[0], c[1] - b[1]]];
    let product = |k: usize| i128::from(u[k]) * i128::from(v[k]);
    area(a, b, c) == 0 && product(0) + product(1) <= 0
}

/// Pairs of edges whose boxes in the picture overlap.
fn overlapping(edges: &[Edge]) -> Vec<[usize; 2]> {
    // Rounding keeps the order of coordinates, so boxes that overlap still do.
    let corner = |p: Spot| DVec3::new(p[0] as f64, p[1] as f64, 0.0);
    let boxes: Vec<Aabb> = edges
        .iter()
        .map(|e| Aabb::of_edge(corner(e.spots[0]), corner(e.spots[1]), 0.0))
        .collect();
    let pairs = sweep(&boxes, |_, _| true);
    let index = |(i, j): (u32, u32)| [i as usize, j as usize];
    pairs.into_iter().map(index).collect()
}
