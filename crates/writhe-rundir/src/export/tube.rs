//! Rods as tubes: rings of points around the centreline, turned with the material frame.
//!
//! The centreline is the one that was simulated, straight from node to node, and an end is round
//! where the run knows contact, as the capsules are that touch: a tube is then thinner than these
//! only at bends, by the cosine of half the angle. Or it is a Catmull-Rom curve through the nodes.

use std::ops::Range;

use glam::{DMat3, DQuat, DVec3};
use writhe::rod::geometry::{any_normal, orthonormalize};

use crate::layout::RunLayout;
use crate::spans::Span;

/// Points of a ring.
pub(super) const SIDES: usize = 12;
/// Pieces of a smooth curve between two nodes.
const PIECES: usize = 4;
/// Angles from the side of a round end to rings on it, as parts of the right angle to its pole.
const CAP: [f64; 2] = [1.0 / 3.0, 2.0 / 3.0];

/// What the file says of the centreline of tubes.
pub(super) fn centreline(smooth: bool) -> &'static str {
    match smooth {
        true => {
            "smooth: a uniform Catmull-Rom curve through the nodes, not the straight edges that were simulated"
        }
        false => "straight edges between nodes, as simulated",
    }
}

/// Places along the rods where the frames of a tube stand, and the points around them.
#[derive(Debug, Clone)]
pub(super) struct Tubes {
    pub rods: Vec<Tube>,
    /// Those of all rods, one after the other.
    pub stations: Vec<Station>,
    /// Points of the surfaces of all rods.
    pub points: Vec<Point>,
    /// Radius at each node, m, `(nodes)`.
    pub radius: Vec<f64>,
    smooth: bool,
}

/// The tube of a rod.
#[derive(Debug, Clone)]
pub(super) struct Tube {
    pub span: Span,
    /// Its stations and points among those of all rods.
    pub stations: Range<usize>,
    pub points: Range<usize>,
    /// Its faces, as indices of points of all rods, counter-clockwise from outside.
    pub faces: Vec<Vec<usize>>,
}

/// A place between two nodes, or at one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Station {
    nodes: [usize; 2],
    /// How far it is from the first to the second, 0 to 1.
    part: f64,
}

/// A point of the surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub station: usize,
    /// Its place and its unit normal in the frame of its station, m.
    pub local: DVec3,
    pub normal: DVec3,
}

/// Position, m, and rotation of a station: z along the rod, x the material director m1.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeFrame {
    pub position: DVec3,
    pub rotation: DQuat,
}

impl Station {
    /// The value there of what is given at nodes.
    pub fn value(&self, at_nodes: &[f64]) -> f64 {
        let [a, b] = self.nodes.map(|node| at_nodes[node]);
        if self.part == 0.0 {
            a
        } else {
            a + self.part * (b - a)
        }
    }
}

impl Tubes {
    pub fn new(layout: &RunLayout, smooth: bool) -> Self {
        let mut tubes = Self {
            rods: Vec::new(),
            stations: Vec::new(),
            points: Vec::new(),
            radius: Vec::new(),
            smooth,
        };
        for span in Span::all(layout) {
            let radii = (0..span.rod.nodes).map(|node| span.radius(node, &layout.radius));
            tubes.radius.extend(radii);
            let first = tubes.stations.len();
            let pieces = if smooth { PIECES } else { 1 };
            for node in 0..span.rod.nodes {
                let next = (node + 1) % span.rod.nodes;
                let ends = node + 1 == span.rod.nodes && !span.rod.closed;
                tubes
                    .stations
                    .extend((0..if ends { 1 } else { pieces }).map(|k| Station {
                        nodes: [node, next].map(|node| span.first_node + node),
                        part: k as f64 / pieces as f64,
                    }));
            }
            let stations = first..tubes.stations.len();
            let tube = tubes.surround(span, stations, layout.contacts);
            tubes.rods.push(tube);
        }
        tubes
    }

    /// Adds points around the stations of a rod, and the faces between them.
    fn surround(&mut self, span: Span, stations: Range<usize>, round: bool) -> Tube {
        let first = self.points.len();
        let open = !span.rod.closed && span.rod.edges() > 0;
        let mut rings = Vec::new();
        let cap = |ring: f64| (ring * std::f64::consts::FRAC_PI_2).sin_cos();
        let mut poles = [None; 2];
        if open && round {
            poles[0] = Some(self.add_pole(stations.start, -1.0));
            for (out, across) in CAP.into_iter().rev().map(cap) {
                rings.push(self.add_ring(stations.start, -out, across));
            }
        }
        for station in stations.clone() {
            rings.push(self.add_ring(station, 0.0, 1.0));
        }
        if open && round {
            for (out, across) in CAP.into_iter().map(cap) {
                rings.push(self.add_ring(stations.end - 1, out, across));
            }
            poles[1] = Some(self.add_pole(stations.end - 1, 1.0));
        }
        let mut faces = Vec::new();
        let mut join = |a: usize, b: usize| {
            faces.extend((0..SIDES).map(|k| {
                let next = (k + 1) % SIDES;
                vec![a + k, a + next, b + next, b + k]
            }));
        };
        rings.windows(2).for_each(|pair| join(pair[0], pair[1]));
        if let (true, [start, .., end]) = (span.rod.closed, rings.as_slice()) {
            join(*end, *start);
        }
        if let (true, [start, .., end]) = (open, rings.as_slice()) {
            match poles {
                [Some(south), Some(north)] => faces.extend((0..SIDES).flat_map(|k| {
                    let next = (k + 1) % SIDES;
                    [
                        vec![south, start + next, start + k],
                        vec![north, end + k, end + next],
                    ]
                })),
                _ => {
                    faces.push((0..SIDES).rev().map(|k| start + k).collect());
                    faces.push((0..SIDES).map(|k| end + k).collect());
                }
            }
        }
        Tube {
            span,
            stations,
            points: first..self.points.len(),
            faces,
        }
    }

    /// Adds a ring; its first point. It stands `out` of the station along the rod and has `across`
    /// its radius, in radii.
    fn add_ring(&mut self, station: usize, out: f64, across: f64) -> usize {
        let radius = self.stations[station].value(&self.radius);
        let normals = directions().map(|d| d * across + DVec3::Z * out);
        self.points.extend(normals.map(|normal| Point {
            station,
            local: radius * normal,
            normal,
        }));
        self.points.len() - SIDES
    }

    /// Adds the outermost point of a round end, behind or before its station.
    fn add_pole(&mut self, station: usize, out: f64) -> usize {
        let normal = DVec3::Z * out;
        self.points.push(Point {
            station,
            local: self.stations[station].value(&self.radius) * normal,
            normal,
        });
        self.points.len() - 1
    }

    /// Values at the points from those at nodes, `(nodes)`.
    pub fn at_points<'a>(&'a self, at_nodes: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let of_point = |point: &Point| self.stations[point.station].value(at_nodes);
        self.points.iter().map(of_point)
    }

    /// The frame of each station from positions, `(nodes, 3)`, and directors, `(edges, 3)`. At a
    /// node, tangent and director are means of those of both edges.
    pub fn frames(&self, positions: &[[f64; 3]], directors: &[[f64; 3]]) -> Vec<NodeFrame> {
        let mut frames = Vec::with_capacity(self.stations.len());
        for tube in &self.rods {
            let span = &tube.span;
            let curve = Curve { span, positions };
            let director = |node: usize, tangent: DVec3| {
                let [a, b] = span
                    .edges(node)
                    .map(|edge| DVec3::from_array(directors[edge]));
                let m1 = orthonormalize(a + b, tangent);
                if m1.is_finite() {
                    m1
                } else {
                    any_normal(tangent)
                }
            };
            for station in &self.stations[tube.stations.clone()] {
                let [node, next] = station.nodes.map(|node| node - span.first_node);
                let (position, tangent) = match self.smooth {
                    true => curve.smooth(node, station.part),
                    false => (curve.at(node as isize), curve.mean_tangent(node)),
                };
                let mut m1 = director(node, tangent);
                if station.part > 0.0 {
                    let mixed = m1.lerp(director(next, tangent), station.part);
                    let mixed = orthonormalize(mixed, tangent);
                    m1 = if mixed.is_finite() { mixed } else { m1 };
                }
                let axes = DMat3::from_cols(m1, tangent.cross(m1), tangent);
                frames.push(NodeFrame {
                    position,
                    rotation: DQuat::from_mat3(&axes),
                });
            }
        }
        frames
    }

    /// Each point of the surfaces and its unit normal from the frames of the stations.
    pub fn surface<'a>(
        &'a self,
        frames: &'a [NodeFrame],
    ) -> impl Iterator<Item = (DVec3, DVec3)> + 'a {
        self.points.iter().map(|point| {
            let NodeFrame { position, rotation } = frames[point.station];
            (position + rotation * point.local, rotation * point.normal)
        })
    }

    /// All faces.
    pub fn faces(&self) -> impl Iterator<Item = &Vec<usize>> {
        self.rods.iter().flat_map(|tube| &tube.faces)
    }
}

/// The nodes of a rod in a frame.
struct Curve<'a> {
    span: &'a Span,
    positions: &'a [[f64; 3]],
}

impl Curve<'_> {
    /// A node, m; beyond an open end, as far out as the one before is in.
    fn at(&self, node: isize) -> DVec3 {
        let count = self.span.rod.nodes as isize;
        let x =
            |node: isize| DVec3::from_array(self.positions[self.span.first_node + node as usize]);
        if self.span.rod.closed {
            x(node.rem_euclid(count))
        } else if node < 0 {
            2.0 * x(0) - x(1.min(count - 1))
        } else if node >= count {
            2.0 * x(count - 1) - x((count - 2).max(0))
        } else {
            x(node)
        }
    }

    fn mean_tangent(&self, node: usize) -> DVec3 {
        let node = node as isize;
        let before = (self.at(node) - self.at(node - 1)).normalize_or_zero();
        let after = (self.at(node + 1) - self.at(node)).normalize_or_zero();
        (before + after).try_normalize().unwrap_or(after)
    }

    /// Position and tangent of the uniform Catmull-Rom curve.
    fn smooth(&self, node: usize, t: f64) -> (DVec3, DVec3) {
        let node = node as isize;
        let [a, b, c, d] = [node - 1, node, node + 1, node + 2].map(|i| self.at(i));
        // x = b + (c - a) t / 2 + (2 a - 5 b + 4 c - d) t^2 / 2 + (3 (b - c) + d - a) t^3 / 2
        let linear = 0.5 * (c - a);
        let square = a - 2.5 * b + 2.0 * c - 0.5 * d;
        let cube = 1.5 * (b - c) + 0.5 * (d - a);
        let position = b + t * (linear + t * (square + t * cube));
        let slope = linear + t * (2.0 * square + 3.0 * t * cube);
        let tangent = slope.try_normalize();
        (
            position,
            tangent.unwrap_or_else(|| self.mean_tangent(node as usize)),
        )
    }
}

/// Directions of the points of a ring in the frame of its station.
fn directions() -> impl Iterator<Item = DVec3> {
    (0..SIDES).map(|k| {
        let angle = std::f64::consts::TAU * k as f64 / SIDES as f64;
        DVec3::new(angle.cos(), angle.sin(), 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::RodLayout;

    fn layout(nodes: usize, closed: bool, contacts: bool) -> RunLayout {
        let rod = RodLayout { nodes, closed };
        RunLayout {
            rods: vec![rod],
            radius: vec![0.1; rod.edges()],
            contacts,
            ..RunLayout::default()
        }
    }

    /// A regular polygon, or a straight rod, whose edges are `chord` long.
    fn positions(nodes: u32, closed: bool, chord: f64) -> Vec<[f64; 3]> {
        let half_turn = std::f64::consts::PI / f64::from(nodes);
        let corner = |i: u32| {
            let (sin, cos) = (2.0 * half_turn * f64::from(i)).sin_cos();
            [sin, cos].map(|x| 0.5 * chord * x / half_turn.sin())
        };
        let node = |i: u32| match closed {
            true => [corner(i)[0], corner(i)[1], 0.0],
            false => [chord * f64::from(i), 0.0, 0.0],
        };
        (0..nodes).map(node).collect()
    }

    /// The volume inside, after a check that each edge is met once from each side.
    fn volume(tubes: &Tubes, points: &[DVec3]) -> f64 {
        let mut edges = std::collections::BTreeMap::new();
        let mut volume = 0.0;
        for face in tubes.faces() {
            for (i, a) in face.iter().enumerate() {
                let b = face[(i + 1) % face.len()];
                *edges.entry((*a.min(&b), *a.max(&b))).or_insert(0) += if *a < b { 1 } else { -1 };
            }
            for i in 1..face.len() - 1 {
                let [a, b, c] = [face[0], face[i], face[i + 1]].map(|k| points[k]);
                volume += a.dot(b.cross(c)) / 6.0;
            }
        }
        assert!(edges.values().all(|sum| *sum == 0));
        volume
    }

    #[test]
    fn surfaces_are_closed_and_face_outwards() {
        let chord = 1.2;
        for (closed, contacts) in [(false, false), (false, true), (true, true)] {
            let layout = layout(5, closed, contacts);
            let tubes = Tubes::new(&layout, false);
            let directors = vec![[0.0, 0.0, 1.0]; layout.edges()];
            let frames = tubes.frames(&positions(5, closed, chord), &directors);
            let points: Vec<DVec3> = tubes.surface(&frames).map(|(point, _)| point).collect();
            assert!(
                tubes
                    .surface(&frames)
                    .all(|(_, n)| (n.length() - 1.0).abs() < 1e-12)
            );
            // The area of a regular polygon of 12 corners is 3 r^2; at a corner of the rod it
            // stands across the mean tangent.
            let cut = if closed {
                (std::f64::consts::PI / 5.0).cos()
            } else {
                1.0
            };
            let sides = 3.0 * 0.01 * chord * layout.edges() as f64 * cut;
            // Of both ends, slices of the ball between rings and a pyramid up to the pole:
            // h (A + sqrt(A B) + B) / 3 with A = 3 r^2 cos^2.
            let slice = |[low, high]: [f64; 2]| {
                let [(s, c), (z, d)] = [low, high].map(|a: f64| a.to_radians().sin_cos());
                0.1 * (z - s) * 0.03 * (c * c + c * d + d * d) / 3.0
            };
            let ends = if closed || !contacts {
                0.0
            } else {
                2.0 * [[0.0, 30.0], [30.0, 60.0], [60.0, 90.0]]
                    .map(slice)
                    .iter()
                    .sum::<f64>()
            };
            let found = volume(&tubes, &points);
            assert!(
                (found / (sides + ends) - 1.0).abs() < 1e-12,
                "{found} {sides} {ends}"
            );
        }
    }

    #[test]
    fn smooth_tubes_go_through_the_nodes_and_stay_nearer_to_the_circle_between() {
        let chord = 1.2;
        let layout = layout(8, true, false);
        let tubes = Tubes::new(&layout, true);
        let nodes = positions(8, true, chord);
        let frames = tubes.frames(&nodes, &[[0.0, 0.0, 1.0]; 8]);
        assert_eq!(frames.len(), 8 * PIECES);
        let circle = 0.5 * chord / (std::f64::consts::PI / 8.0).sin();
        for (i, node) in nodes.iter().enumerate() {
            assert_eq!(frames[PIECES * i].position.to_array(), *node);
            // In the middle of an edge the curve is at (-a + 9 b + 9 c - d) / 16, nine times as near
            // to the circle as the chord.
            let half = std::f64::consts::PI / 8.0;
            let expected = circle * (9.0 * half.cos() - (3.0 * half).cos()) / 8.0;
            let found = frames[PIECES * i + 2].position.length();
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            assert!(circle - found < (circle - circle * half.cos()) / 8.9);
        }
        let points: Vec<DVec3> = tubes.surface(&frames).map(|(point, _)| point).collect();
        assert!(volume(&tubes, &points) > 0.0);
        // Values between nodes lie between those at nodes.
        let values: Vec<f64> = (0..8).map(f64::from).collect();
        assert_eq!(tubes.stations[1].value(&values), 0.25);
        assert_eq!(tubes.stations[PIECES * 7 + 2].value(&values), 3.5);
    }
}
