//! What varies along rods in a stored frame: curvature, twist, stretch, speed, contact force; and
//! where contacts are.
//!
//! A trajectory holds positions and directors; these are the strains of the same discrete rod that
//! was simulated, per unit length.

use glam::DVec3;
use writhe::rod::geometry::{orthonormalize, parallel_transport, signed_angle};

use crate::contacts::{Contact, Touched};
use crate::error::Result;
use crate::layout::RunLayout;
use crate::reader::RunReader;

/// The rods of a run, ready to be measured frame by frame.
#[derive(Debug, Clone)]
pub struct Rods {
    /// Nodes at both ends of each edge, `(edges)`.
    edge_nodes: Vec<[usize; 2]>,
    /// The edges before and after each node, where there are both, `(nodes)`.
    joints: Vec<Option<[usize; 2]>>,
    /// First edge and number of edges of each rod, `(rods)`.
    rod_edges: Vec<(usize, usize)>,
    /// Rest length of each edge, m, `(edges)`.
    rest: Vec<f64>,
}

/// Values at the nodes of all rods in one frame, each `(nodes)`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NodeFields {
    /// Length of the curvature binormal over the Voronoi length (Bergou et al. 2008, Eq. 1), 1/m; 0
    /// at free ends.
    pub curvature: Vec<f64>,
    /// Angle between the directors of two successive edges, one carried to the other, over the
    /// Voronoi length, rad/m; positive for a right-handed turn; 0 at free ends. More than half a
    /// turn between two edges does not show.
    pub twist: Vec<f64>,
    /// Length over rest length less one, the mean of the edges at the node, dimensionless.
    pub stretch: Vec<f64>,
}

/// Where a rod touches something.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// The point of its centreline, m.
    pub point: DVec3,
    /// The node that is nearest, of all nodes.
    pub node: usize,
}

impl Rods {
    /// The rods of a run with the rest length of each edge, m, `(edges)`.
    ///
    /// # Panics
    /// When there are more or fewer lengths than edges.
    pub fn new(layout: &RunLayout, rest: Vec<f64>) -> Self {
        assert_eq!(rest.len(), layout.edges(), "a rest length for each edge");
        let mut rods = Self {
            edge_nodes: Vec::new(),
            joints: Vec::new(),
            rod_edges: Vec::new(),
            rest,
        };
        for rod in &layout.rods {
            let (node, edge, count) = (rods.joints.len(), rods.edge_nodes.len(), rod.edges());
            rods.rod_edges.push((edge, count));
            rods.edge_nodes
                .extend((0..count).map(|i| [node + i, node + (i + 1) % rod.nodes]));
            rods.joints.extend((0..rod.nodes).map(|i| match i {
                0 if rod.closed => Some([edge + count - 1, edge]),
                i if i == 0 || i == count => None,
                i => Some([edge + i - 1, edge + i]),
            }));
        }
        rods
    }

    /// The same with the lengths of this frame as those at rest, for a run whose scene cannot be
    /// read.
    pub fn at_rest_in(layout: &RunLayout, positions: &[[f64; 3]]) -> Self {
        let mut rods = Self::new(layout, vec![1.0; layout.edges()]);
        rods.rest = (0..rods.rest.len())
            .map(|edge| rods.edge(positions, edge).length())
            .collect();
        rods
    }

    /// Nodes at both ends of each edge, `(edges)`.
    pub fn edge_nodes(&self) -> &[[usize; 2]] {
        &self.edge_nodes
    }

    /// Rest length of each edge, m, `(edges)`.
    pub fn rest_lengths(&self) -> &[f64] {
        &self.rest
    }

    /// Curvature, twist and stretch in a frame: positions in m, `(nodes, 3)`, and material
    /// directors m1, `(edges, 3)`.
    pub fn fields(&self, positions: &[[f64; 3]], directors: &[[f64; 3]]) -> NodeFields {
        let nodes = self.joints.len();
        let strain: Vec<f64> = (0..self.rest.len())
            .map(|edge| self.edge(positions, edge).length() / self.rest[edge] - 1.0)
            .collect();
        let mut fields = NodeFields {
            curvature: vec![0.0; nodes],
            twist: vec![0.0; nodes],
            stretch: vec![0.0; nodes],
        };
        for (edge, ends) in self.edge_nodes.iter().enumerate() {
            for node in ends {
                let share = if self.joints[*node].is_some() {
                    0.5
                } else {
                    1.0
                };
                fields.stretch[*node] += share * strain[edge];
            }
        }
        for (node, joint) in self.joints.iter().enumerate() {
            let Some([before, after]) = *joint else {
                continue;
            };
            let edges = [before, after].map(|edge| self.edge(positions, edge).normalize_or_zero());
            let [m, p] = edges;
            let voronoi = 0.5 * (self.rest[before] + self.rest[after]);
            fields.curvature[node] = 2.0 * m.cross(p).length() / ((1.0 + m.dot(p)) * voronoi);
            let [d, e] = [before, after].map(|edge| DVec3::from_array(directors[edge]));
            let carried = parallel_transport(orthonormalize(d, m), m, p);
            fields.twist[node] = signed_angle(carried, orthonormalize(e, p), p) / voronoi;
        }
        fields
    }

    /// Where a contact is in a frame: on its rod and, if it touches one, on the other.
    pub fn touches(&self, positions: &[[f64; 3]], contact: &Contact) -> (Touch, Option<Touch>) {
        let at = |rod: usize, arc: f64| {
            let (point, node) = self.at_arc(positions, rod, arc);
            Touch { point, node }
        };
        let other = match contact.with {
            Touched::Rod { rod, arc } => Some(at(rod, arc)),
            Touched::Obstacle(_) | Touched::Body(_) => None,
        };
        (at(contact.rod, contact.arc), other)
    }

    /// Normal force of all contacts at each node, N, `(nodes)`: that of a contact counts at the
    /// nearest node of each rod.
    pub fn contact_force(&self, positions: &[[f64; 3]], contacts: &[Contact]) -> Vec<f64> {
        let mut force = vec![0.0; self.joints.len()];
        for contact in contacts {
            let (touch, other) = self.touches(positions, contact);
            for touch in std::iter::once(touch).chain(other) {
                force[touch.node] += contact.force;
            }
        }
        force
    }

    /// The point of a rod at this arc length at rest, and the node nearest to it.
    fn at_arc(&self, positions: &[[f64; 3]], rod: usize, arc: f64) -> (DVec3, usize) {
        let (first, count) = self.rod_edges.get(rod).copied().unwrap_or((0, 0));
        let mut left = arc;
        for edge in first..first + count {
            if left <= self.rest[edge] || edge + 1 == first + count {
                let part = (left / self.rest[edge]).clamp(0.0, 1.0);
                let [a, b] = self.edge_nodes[edge];
                let point = DVec3::from_array(positions[a]) + self.edge(positions, edge) * part;
                return (point, if part < 0.5 { a } else { b });
            }
            left -= self.rest[edge];
        }
        (DVec3::NAN, 0)
    }

    fn edge(&self, positions: &[[f64; 3]], edge: usize) -> DVec3 {
        let [a, b] = self.edge_nodes[edge];
        DVec3::from_array(positions[b]) - DVec3::from_array(positions[a])
    }
}

/// Speed of each node in frame `index` of a run whose frames are at `times`, s, m/s, `(nodes)`:
/// that of the simulation where the run recorded it, else the node's way from the frame before to
/// the frame after over the time between.
///
/// # Errors
/// When a frame cannot be read.
pub fn speeds(reader: &RunReader, times: &[f64], index: usize) -> Result<Vec<f64>> {
    if let Some(velocities) = reader.velocities(index)? {
        let length = |v: &[f64; 3]| DVec3::from_array(*v).length();
        return Ok(velocities.iter().map(length).collect());
    }
    let [a, b] = [index.saturating_sub(1), (index + 1).min(times.len() - 1)];
    let (before, after) = (reader.positions(a)?, reader.positions(b)?);
    Ok(mean_speed((times[a], &before), (times[b], &after)))
}

/// Way from `before` to `after`, times in s, places in m, over the time between, m/s, `(nodes)`.
fn mean_speed(before: (f64, &[[f64; 3]]), after: (f64, &[[f64; 3]])) -> Vec<f64> {
    let time = after.0 - before.0;
    let way =
        |(a, b): (&[f64; 3], &[f64; 3])| DVec3::from_array(*a).distance(DVec3::from_array(*b));
    let rate = |way: f64| if time > 0.0 { way / time } else { 0.0 };
    before.1.iter().zip(after.1).map(way).map(rate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::RodLayout;

    fn layout(nodes: usize, closed: bool) -> RunLayout {
        RunLayout {
            rods: vec![RodLayout { nodes, closed }],
            ..RunLayout::default()
        }
    }

    /// A ring of radius 2 m whose directors turn `turns` times about the tangent, against the
    /// normal of its plane.
    fn ring(n: usize, turns: f64) -> (Vec<[f64; 3]>, Vec<[f64; 3]>) {
        let angle = |i: f64| std::f64::consts::TAU * i / n as f64;
        let node = |i: usize| {
            let (s, c) = angle(i as f64).sin_cos();
            [2.0 * c, 2.0 * s, 0.0]
        };
        let director = |i: usize| {
            let (s, c) = angle(i as f64 + 0.5).sin_cos();
            let (outward, tangent) = (DVec3::new(c, s, 0.0), DVec3::new(-s, c, 0.0));
            let turned = turns * angle(i as f64);
            (outward * turned.cos() + tangent.cross(outward) * turned.sin()).to_array()
        };
        ((0..n).map(node).collect(), (0..n).map(director).collect())
    }

    #[test]
    fn a_ring_has_its_curvature_twist_and_stretch() {
        let n = 200;
        let (positions, directors) = ring(n, 3.0);
        let chord = 4.0 * (std::f64::consts::PI / n as f64).sin();
        let fields =
            Rods::new(&layout(n, true), vec![chord / 1.01; n]).fields(&positions, &directors);
        // 2 tan(pi / n) over the rest length, and 3 turns over the length of the ring.
        let curvature = 2.0 * (std::f64::consts::PI / n as f64).tan() * 1.01 / chord;
        let twist = 3.0 * std::f64::consts::TAU / (n as f64 * chord / 1.01);
        for node in 0..n {
            assert!((fields.curvature[node] - curvature).abs() < 1e-12);
            assert!(
                (fields.twist[node] - twist).abs() < 1e-12,
                "{}",
                fields.twist[node]
            );
            assert!((fields.stretch[node] - 0.01).abs() < 1e-12);
        }
        assert!((curvature / 1.01 - 0.5).abs() < 1e-4);
    }

    #[test]
    fn contacts_are_found_by_their_arc_length_at_rest() {
        let positions = [[0.0; 3], [1.0, 0.0, 0.0], [3.0, 0.0, 0.0]];
        let rods = Rods::new(&layout(3, false), vec![1.0, 1.0]);
        let contact = Contact {
            rod: 0,
            arc: 0.25,
            with: Touched::Rod { rod: 0, arc: 1.75 },
            gap: 0.0,
            force: 2.0,
        };
        let (first, second) = rods.touches(&positions, &contact);
        assert_eq!((first.point, first.node), (DVec3::X * 0.25, 0));
        let second = second.unwrap();
        assert_eq!((second.point, second.node), (DVec3::X * 2.5, 2));
        let at_obstacle = Contact {
            with: Touched::Obstacle(3),
            ..contact
        };
        assert_eq!(rods.touches(&positions, &at_obstacle), (first, None));
        assert_eq!(
            rods.contact_force(&positions, &[contact, contact, at_obstacle]),
            [6.0, 0.0, 4.0]
        );
    }

    #[test]
    fn speed_is_the_way_over_the_time() {
        let (a, b) = ([[0.0; 3]], [[0.0, 3.0, 4.0]]);
        assert_eq!(mean_speed((1.0, &a), (3.0, &b)), [2.5]);
        assert_eq!(mean_speed((1.0, &a), (1.0, &b)), [0.0]);
    }
}
