//! Are the parts of curves far enough apart that moving every node a little cannot change how they
//! are knotted?
//!
//! If every node moves straight by at most d, two points that move with their edges come nearer to
//! each other by at most 2 d. Edges that share no node and are further apart than 2 d never meet on
//! the way. Neighbours overlap only if the far end of one comes to lie on the other, so it is
//! enough that it starts further away than 2 d. Then the motion is an isotopy: the type is the
//! same.

use glam::DVec3;

use super::error::KnotError;
use crate::kernels::candidates::{Aabb, sweep};
use crate::kernels::distance::closest_points;

/// Checks that closed polygons keep their type when every node moves by up to `displacement`, m.
///
/// # Errors
/// [`KnotError::Touching`].
pub(crate) fn check(curves: &[&[DVec3]], displacement: f64) -> Result<(), KnotError> {
    let needed = 2.0 * displacement;
    let edges: Vec<Edge> = (curves.iter().enumerate())
        .flat_map(|(curve, points)| {
            let of = points.len();
            (0..of).map(move |index| Edge {
                curve,
                index,
                of,
                ends: [points[index], points[(index + 1) % of]],
            })
        })
        .collect();
    let pairs = near(&edges, needed, |_, _| true);
    pairs
        .into_iter()
        .try_for_each(|[i, j]| edges[i].check(&edges[j], needed))
}

/// The same of the closed polygons that an open curve makes with each of `ways`, which go from its
/// last node to its first.
pub(crate) fn check_ways(
    curve: &[DVec3],
    ways: &[&[DVec3]],
    displacement: f64,
) -> Vec<Result<(), KnotError>> {
    let needed = 2.0 * displacement;
    let last = curve.len() - 1;
    // The curve's own edges are followed by none of their own, so that they are never the last.
    let own = curve.windows(2).enumerate().map(|(index, ends)| Edge {
        curve: 0,
        index,
        of: usize::MAX,
        ends: [ends[0], ends[1]],
    });
    let mut edges: Vec<Edge> = own.collect();
    let mut of_way = vec![None; edges.len()];
    for (k, way) in ways.iter().enumerate() {
        let nodes = [&curve[last..], way, &curve[..1]].concat();
        edges.extend(nodes.windows(2).enumerate().map(|(index, ends)| Edge {
            curve: 0,
            index: last + index,
            of: curve.len() + way.len(),
            ends: [ends[0], ends[1]],
        }));
        of_way.resize(edges.len(), Some(k));
    }
    let together = |i: usize, j: usize| match (of_way[i], of_way[j]) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    };
    let mut found = vec![Ok(()); ways.len()];
    for [i, j] in near(&edges, needed, together) {
        let Err(error) = edges[i].check(&edges[j], needed) else {
            continue;
        };
        match of_way[i].or(of_way[j]) {
            Some(way) => found[way] = found[way].and(Err(error)),
            None => found = vec![Err(error); ways.len()],
        }
    }
    found
}

/// Pairs of edges, among those that `wanted` lets pass, whose boxes come as near as `needed`, m.
fn near(edges: &[Edge], needed: f64, wanted: impl Fn(usize, usize) -> bool) -> Vec<[usize; 2]> {
    let boxes: Vec<Aabb> = (edges.iter())
        .map(|edge| Aabb::of_edge(edge.ends[0], edge.ends[1], needed))
        .collect();
    let pairs = sweep(&boxes, |i, j| wanted(i as usize, j as usize));
    let index = |(i, j): (u32, u32)| [i as usize, j as usize];
    pairs.into_iter().map(index).collect()
}

/// An edge of a closed polygon.
struct Edge {
    curve: usize,
    index: usize,
    /// Number of edges of the polygon.
    of: usize,
    ends: [DVec3; 2],
}

impl Edge {
    fn is_before(&self, other: &Self) -> bool {
        self.curve == other.curve && (self.index + 1) % self.of == other.index
    }

    /// Whether the edges are further apart than `needed`, m; neighbours touch always, of them the
    /// distance of their outer ends counts.
    fn check(&self, other: &Self, needed: f64) -> Result<(), KnotError> {
        let ([a0, a1], [b0, b1]) = (self.ends, other.ends);
        let (distance, at) = if self.is_before(other) {
            fold([a0, a1, b1])
        } else if other.is_before(self) {
            fold([b0, b1, a1])
        } else {
            let closest = closest_points(a0, a1, b0, b1);
            (closest.distance, a0 + closest.s * (a1 - a0))
        };
        if distance.is_nan() || distance <= needed {
            return Err(KnotError::Touching {
                curves: [self.curve, other.curve],
                edges: [self.index, other.index],
                distance,
                needed,
                at,
            });
        }
        Ok(())
    }
}

/// Smallest distance of the outer ends of two neighbouring edges from the other edge, and where.
fn fold([before, joint, after]: [DVec3; 3]) -> (f64, DVec3) {
    let to_edge = |x: DVec3, end: DVec3| {
        let e = end - joint;
        let along = ((x - joint).dot(e) / e.length_squared()).clamp(0.0, 1.0);
        (x.distance(joint + along * e), x)
    };
    let (first, second) = (to_edge(before, after), to_edge(after, before));
    if first.0 < second.0 { first } else { second }
}
