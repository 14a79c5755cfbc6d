//! Rods as tubes: rings of points around the nodes, turned with the material frame.

use glam::{DMat3, DQuat, DVec3};
use writhe::rod::geometry::{any_normal, orthonormalize};

use crate::layout::RunLayout;
use crate::spans::Span;

/// Points of a ring.
pub(super) const SIDES: usize = 12;

/// The rods with the radius at each node, m.
#[derive(Debug, Clone)]
pub(super) struct Tubes {
    pub spans: Vec<Span>,
    /// `(nodes)`.
    pub radius: Vec<f64>,
}

/// Position, m, and rotation of a node: z along the rod, x the material director m1.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeFrame {
    pub position: DVec3,
    pub rotation: DQuat,
}

impl Tubes {
    pub fn new(layout: &RunLayout) -> Self {
        let spans = Span::all(layout);
        let of_rod = |span: &Span| {
            let span = *span;
            (0..span.rod.nodes).map(move |node| span.radius(node, &layout.radius))
        };
        Self {
            radius: spans.iter().flat_map(of_rod).collect(),
            spans,
        }
    }

    /// The frame of each node from positions, `(nodes, 3)`, and directors, `(edges, 3)`: tangent
    /// and director are means of those of both edges.
    pub fn frames(&self, positions: &[[f64; 3]], directors: &[[f64; 3]]) -> Vec<NodeFrame> {
        let x = |node: usize| DVec3::from_array(positions[node]);
        let mut frames = Vec::with_capacity(positions.len());
        for span in &self.spans {
            let edge = |edge: usize| {
                let local = edge - span.first_edge;
                let next = (local + 1) % span.rod.nodes;
                (x(span.first_node + next) - x(span.first_node + local)).normalize_or_zero()
            };
            for node in 0..span.rod.nodes {
                let [a, b] = span.edges(node);
                let tangent = (edge(a) + edge(b))
                    .try_normalize()
                    .unwrap_or_else(|| edge(b));
                let mean = DVec3::from_array(directors[a]) + DVec3::from_array(directors[b]);
                let m1 = orthonormalize(mean, tangent);
                let m1 = if m1.is_finite() {
                    m1
                } else {
                    any_normal(tangent)
                };
                let axes = DMat3::from_cols(m1, tangent.cross(m1), tangent);
                frames.push(NodeFrame {
                    position: x(span.first_node + node),
                    rotation: DQuat::from_mat3(&axes),
                });
            }
        }
        frames
    }

    /// The faces of the surface, as indices of ring points: quadrilaterals, and a lid at each open
    /// end.
    pub fn faces(&self) -> Vec<Vec<usize>> {
        let mut faces = Vec::new();
        for span in &self.spans {
            let ring = |i: usize| (span.first_node + i % span.rod.nodes) * SIDES;
            for i in 0..span.rod.edges() {
                let (a, b) = (ring(i), ring(i + 1));
                faces.extend((0..SIDES).map(|k| {
                    let next = (k + 1) % SIDES;
                    vec![a + k, a + next, b + next, b + k]
                }));
            }
            if !span.rod.closed && span.rod.edges() > 0 {
                faces.push((0..SIDES).rev().map(|k| ring(0) + k).collect());
                faces.push((0..SIDES).map(|k| ring(span.rod.nodes - 1) + k).collect());
            }
        }
        faces
    }
}

/// Around each node [`SIDES`] points, the first at m1, at its radius, m; their unit normals.
pub(super) fn rings<'a>(
    frames: &'a [NodeFrame],
    radius: &'a [f64],
) -> impl Iterator<Item = (DVec3, DVec3)> + 'a {
    frames.iter().zip(radius).flat_map(|(frame, radius)| {
        directions().map(move |direction| {
            let normal = frame.rotation * direction;
            (frame.position + *radius * normal, normal)
        })
    })
}

/// Directions of the points of a ring in the frame of its node.
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

    #[test]
    fn surfaces_are_closed_and_face_outwards() {
        for closed in [false, true] {
            let rod = RodLayout { nodes: 5, closed };
            let layout = RunLayout {
                rods: vec![rod],
                radius: vec![0.1; rod.edges()],
                ..RunLayout::default()
            };
            let tubes = Tubes::new(&layout);
            // A pentagon, or a straight rod of the same length of edges.
            let (half_turn, chord) = (std::f64::consts::PI / 5.0, 1.2);
            let corner = |i: u32| {
                let (sin, cos) = (2.0 * half_turn * f64::from(i)).sin_cos();
                [sin, cos].map(|x| 0.5 * chord * x / half_turn.sin())
            };
            let positions: Vec<[f64; 3]> = (0..5)
                .map(|i| match closed {
                    true => [corner(i)[0], corner(i)[1], 0.0],
                    false => [chord * f64::from(i), 0.0, 0.0],
                })
                .collect();
            let frames = tubes.frames(&positions, &vec![[0.0, 0.0, 1.0]; rod.edges()]);
            let points: Vec<DVec3> = rings(&frames, &tubes.radius)
                .map(|(point, _)| point)
                .collect();
            let mut edges = std::collections::BTreeMap::new();
            let mut volume = 0.0;
            for face in tubes.faces() {
                for (i, a) in face.iter().enumerate() {
                    let b = face[(i + 1) % face.len()];
                    *edges.entry((*a.min(&b), *a.max(&b))).or_insert(0) +=
                        if *a < b { 1 } else { -1 };
                }
                for i in 1..face.len() - 1 {
                    let [a, b, c] = [face[0], face[i], face[i + 1]].map(|k| points[k]);
                    volume += a.dot(b.cross(c)) / 6.0;
                }
            }
            assert!(
                edges.values().all(|sum| *sum == 0),
                "each edge is met once from each side"
            );
            // The area of a regular polygon of 12 corners is 3 r^2; at a corner of the rod it
            // stands across the mean tangent.
            let cut = if closed { half_turn.cos() } else { 1.0 };
            let expected = 3.0 * 0.01 * chord * rod.edges() as f64 * cut;
            assert!(
                (volume / expected - 1.0).abs() < 1e-12,
                "{volume} {expected}"
            );
        }
    }
}
