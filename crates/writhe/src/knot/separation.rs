//! Are the parts of curves far enough apart that their nodes can move without changing how they are
//! knotted?
//!
//! If nodes move straight, points that move with two edges change their difference by at most the
//! largest difference between motions of a node of one and a node of the other: `m`. Edges that
//! share no node and are further apart than m never meet on the way. Neither do edges between which a
//! plane fits, of one normal at both ends of the way: how far nodes of one are beyond nodes of the
//! other along it is linear in time. Neighbours overlap only if the far end of one comes to lie on
//! the other, so it is enough that it starts further away than m, or that a plane through their joint
//! stays between them. Then the motion is an isotopy: the type is the same.
//!
//! Two motions are asked about: onto a lattice, by up to d in any direction, for which m is 2 d; and
//! with the nodes' own motion from an earlier time before it.

use glam::DVec3;

use super::ball::Ball;
use super::error::KnotError;
use crate::kernels::candidates::{Aabb, sweep};
use crate::kernels::distance::closest_points;

/// A curve, and where its nodes were before.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moved<'a> {
    /// Its nodes, m.
    pub now: &'a [DVec3],
    /// The same at the earlier time, m.
    pub before: &'a [DVec3],
}

impl<'a> Moved<'a> {
    /// A curve that stays.
    pub(crate) fn still(points: &'a [DVec3]) -> Self {
        Self {
            now: points,
            before: points,
        }
    }

    fn node(&self, index: usize) -> Node {
        Node {
            at: self.now[index],
            motion: self.now[index] - self.before[index],
        }
    }

    fn nodes(&self) -> impl Iterator<Item = Node> {
        (0..self.now.len()).map(|index| self.node(index))
    }
}

/// Checks that closed polygons had their type before they moved, and keep it when every node moves
/// on by up to `displacement`, m.
///
/// # Errors
/// [`KnotError::Touching`].
pub(crate) fn check(curves: &[Moved], displacement: f64) -> Result<(), KnotError> {
    let edges: Vec<Edge> = (curves.iter().enumerate())
        .flat_map(|(curve, points)| {
            let of = points.now.len();
            (0..of).map(move |index| {
                let ends = [points.node(index), points.node((index + 1) % of)];
                Edge::new(curve, index, of, ends)
            })
        })
        .collect();
    let pairs = near(&edges, displacement);
    pairs
        .into_iter()
        .try_for_each(|[i, j]| edges[i].check(&edges[j], displacement))
}

/// The same of the closed polygons that an open curve makes with each of `ways`, which go from its
/// last node to its first.
pub(crate) fn check_ways(
    curve: Moved,
    ways: &[Moved],
    displacement: f64,
) -> Vec<Result<(), KnotError>> {
    let own: Vec<Node> = curve.nodes().collect();
    let last = own.len() - 1;
    // The curve's own edges are followed by none of their own, so that they are never the last.
    let edges = own.windows(2).enumerate();
    let edges: Vec<Edge> = edges
        .map(|(index, ends)| Edge::new(0, index, usize::MAX, [ends[0], ends[1]]))
        .collect();
    let alone = near(&edges, displacement)
        .into_iter()
        .try_for_each(|[i, j]| edges[i].check(&edges[j], displacement));
    if let Err(error) = alone {
        return vec![Err(error); ways.len()];
    }
    let bundles: Vec<Option<Bundle>> = edges.chunks(BLOCK).map(Bundle::of).collect();
    let all = Bundle::of(&edges);
    let check_way = |way: &Moved| {
        let beside = way.nodes();
        let nodes: Vec<Node> = (std::iter::once(own[last]).chain(beside))
            .chain(std::iter::once(own[0]))
            .collect();
        let of = own.len() + way.now.len();
        let way: Vec<Edge> = (nodes.windows(2).enumerate())
            .map(|(k, ends)| Edge::new(0, last + k, of, [ends[0], ends[1]]))
            .collect();
        for (k, edge) in way.iter().enumerate() {
            let is_far = |bundle: &Option<Bundle>| {
                (bundle.as_ref()).is_none_or(|bundle| bundle.is_far(edge, displacement))
            };
            // Most of a way is far from all of the curve.
            let count = if is_far(&all) { 0 } else { bundles.len() };
            let blocks = edges.chunks(BLOCK).zip(&bundles[..count]);
            let near = blocks.filter(|(_, bundle)| !is_far(bundle));
            for other in near.flat_map(|(block, _)| block) {
                other.check(edge, displacement)?;
            }
            for other in &way[k + 1..] {
                edge.check(other, displacement)?;
            }
        }
        Ok(())
    };
    ways.iter().map(check_way).collect()
}

/// Successive edges that are asked together whether they are near.
const BLOCK: usize = 16;
/// Balls and boxes are taken as larger by this part, for rounding.
const ROUNDING: f64 = 1e-9;

/// Edges that are asked together whether they are near.
struct Bundle {
    around: Ball,
    /// Largest motion of their nodes, m.
    motion: f64,
}

impl Bundle {
    fn of(edges: &[Edge]) -> Option<Self> {
        Some(Self {
            around: Ball::around(edges.iter().flat_map(|edge| edge.ends.map(|node| node.at)))?,
            motion: edges.iter().map(|edge| edge.motion).fold(0.0, f64::max),
        })
    }

    /// Whether an edge is so far that none of the bundle can come near it.
    fn is_far(&self, edge: &Edge, displacement: f64) -> bool {
        let [a, b] = edge.ends.map(|node| node.at);
        let along = b - a;
        let Ball { center, radius } = self.around;
        let at = ((center - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let distance = (a + at * along).distance(center) * (1.0 - ROUNDING);
        // Not where a number is none.
        distance > radius * (1.0 + ROUNDING) + self.motion + edge.motion + 2.0 * displacement
    }
}

/// Pairs of edges whose boxes come as near as their motions with `displacement`, m.
fn near(edges: &[Edge], displacement: f64) -> Vec<[usize; 2]> {
    let boxes: Vec<Aabb> = (edges.iter())
        .map(|edge| {
            let [a, b] = edge.ends;
            Aabb::of_edge(a.at, b.at, (edge.motion + displacement) * (1.0 + ROUNDING))
        })
        .collect();
    let pairs = sweep(&boxes, |_, _| true);
    let index = |(i, j): (u32, u32)| [i as usize, j as usize];
    pairs.into_iter().map(index).collect()
}

/// A node that has come from elsewhere.
#[derive(Debug, Clone, Copy)]
struct Node {
    at: DVec3,
    motion: DVec3,
}

impl Node {
    fn before(self) -> DVec3 {
        self.at - self.motion
    }
}

/// An edge of a closed polygon.
struct Edge {
    curve: usize,
    index: usize,
    /// Number of edges of the polygon.
    of: usize,
    ends: [Node; 2],
    /// Largest motion of an end, m.
    motion: f64,
}

impl Edge {
    fn new(curve: usize, index: usize, of: usize, ends: [Node; 2]) -> Self {
        Self {
            curve,
            index,
            of,
            ends,
            motion: ends
                .map(|node| node.motion.length())
                .into_iter()
                .fold(0.0, f64::max),
        }
    }

    fn is_before(&self, other: &Self) -> bool {
        self.curve == other.curve && (self.index + 1) % self.of == other.index
    }

    /// Largest difference between motions of a node of this edge and of one of another, m.
    fn relative_motion(&self, other: &Self) -> f64 {
        let [a, b] = self.ends.map(|node| node.motion);
        let differences = other.ends.map(|node| {
            let of = [a - node.motion, b - node.motion];
            of.map(DVec3::length_squared)
                .into_iter()
                .fold(0.0, f64::max)
        });
        differences[0].max(differences[1]).sqrt()
    }

    /// Whether one normal shows these edges more than `apart`, m, from each other at both ends of their
    /// way.
    fn is_beside(&self, other: &Self, apart: f64) -> bool {
        let pair = |place: fn(Node) -> DVec3| [self.ends.map(place), other.ends.map(place)];
        let ways = [pair(Node::before), pair(|node| node.at)];
        let beyond = |normal: DVec3| {
            ways.iter().all(|[first, second]| {
                first
                    .iter()
                    .all(|a| second.iter().all(|b| normal.dot(*a - *b) > apart))
            })
        };
        ways.iter().any(|[[a0, a1], [b0, b1]]| {
            let normal = closest_points(*a0, *a1, *b0, *b1).delta;
            normal.try_normalize().is_some_and(beyond)
        })
    }

    /// Whether the edges are further apart than they may come nearer to each other, also by
    /// `displacement`, m, of each; neighbours touch always, of them the distance of their outer ends
    /// counts.
    fn check(&self, other: &Self, displacement: f64) -> Result<(), KnotError> {
        let needed = self.relative_motion(other) + 2.0 * displacement;
        let apart = 2.0 * displacement;
        let ([a0, a1], [b0, b1]) = (self.ends, other.ends);
        let joined = match (self.is_before(other), other.is_before(self)) {
            (true, _) => Some([a0, a1, b1]),
            (_, true) => Some([b0, b1, a1]),
            _ => None,
        };
        let (distance, at) = if let Some(nodes) = joined {
            fold(nodes.map(|x| x.at))
        } else {
            let closest = closest_points(a0.at, a1.at, b0.at, b1.at);
            (closest.distance, a0.at + closest.s * (a1.at - a0.at))
        };
        // Not of a number that is none.
        if distance > needed {
            return Ok(());
        }
        let is_parted = joined.map_or_else(
            || self.is_beside(other, apart),
            |nodes| is_open(nodes, apart),
        );
        if !is_parted {
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

/// Whether a plane through the joint of two neighbouring edges has the end of one more than `apart`, m,
/// on one side and that of the other on the other side, at both ends of their way.
fn is_open(nodes: [Node; 3], apart: f64) -> bool {
    let ways = [nodes.map(Node::before), nodes.map(|node| node.at)];
    let parts = |normal: DVec3| {
        ways.iter().all(|[before, joint, after]| {
            normal.dot(*before - *joint) > apart && normal.dot(*joint - *after) > apart
        })
    };
    ways.iter().any(|[before, joint, after]| {
        let [back, on] = [*before - *joint, *after - *joint].map(DVec3::normalize_or_zero);
        (back - on).try_normalize().is_some_and(parts)
    })
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
