//! Where rods grow out of one body: edges there overlap from the start, so contact and the crossing
//! check leave them out.
//!
//! As along one rod, what is near on the way through the material is no contact: two edges do not
//! touch when the way from one middle to the other through the body is shorter than half a circle
//! of their radius, nor, in branches that part at an acute angle, until they are clear of each
//! other where they begin. Bodies that a joint connects are one junction.

use glam::DVec3;

use crate::bodies::{Assemblies, Joint};
use crate::kernels::distance::closest_points;
use crate::rod::Topology;

/// Over the sum of radii: how long the way through a junction is at most on which edges may overlap
/// at the start.
const NEAR: f64 = 12.0;
/// Over the sum of radii: the gap at the start from which such edges are clear of each other.
const CLEAR: f64 = 0.25;

/// Pairs of edges that never touch, because they grow out of one body.
#[derive(Debug, Clone, Default)]
pub struct Junctions {
    /// Flat edge indices, the smaller first; sorted.
    pairs: Vec<[u32; 2]>,
}

/// The rods as they lie at the start.
pub(crate) struct AtStart<'a> {
    pub topology: &'a Topology,
    /// Positions of the nodes, m.
    pub positions: &'a [DVec3],
    /// Radius of each edge, m.
    pub radius: Vec<f64>,
    /// Rest length of each edge, m.
    pub rest_length: Vec<f64>,
    /// Rest arc length to the middle of each edge, m.
    pub edge_arc: Vec<f64>,
    /// Rest length of each rod, m.
    pub rod_length: Vec<f64>,
}

impl Junctions {
    /// The junctions of rods welded to `bodies`, which `joints` connect.
    pub(crate) fn new(bodies: &Assemblies, joints: &[Joint], rods: &AtStart) -> Self {
        let welds = |body: usize| bodies.list[body].welds.iter().map(|w| w.edge);
        let mut pairs = Vec::new();
        for body in 0..bodies.list.len() {
            let own: Vec<usize> = welds(body).collect();
            for (k, a) in own.iter().enumerate() {
                own[k + 1..]
                    .iter()
                    .for_each(|b| rods.join([*a, *b], &mut pairs));
            }
        }
        for joint in joints {
            if let [Some(first), Some(second)] = joint.bodies {
                for a in welds(first) {
                    welds(second).for_each(|b| rods.join([a, b], &mut pairs));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Self { pairs }
    }

    /// Whether these edges, flat indices, never touch.
    pub fn part(&self, i: usize, j: usize) -> bool {
        let pair = [i.min(j) as u32, i.max(j) as u32];
        !self.pairs.is_empty() && self.pairs.binary_search(&pair).is_ok()
    }
}

impl AtStart<'_> {
    /// Adds the pairs of edges around the welded edges `a` and `b` of one body.
    fn join(&self, [a, b]: [usize; 2], pairs: &mut Vec<[u32; 2]>) {
        let thickest = |edge: usize| {
            let rod = &self.topology.rods[self.topology.edge_rod[edge]];
            let radii = &self.radius[rod.first_edge..rod.first_edge + rod.edges];
            radii.iter().copied().fold(0.0, f64::max)
        };
        // No edge farther along its rod than this can be part of the junction.
        let reach = NEAR * (thickest(a) + thickest(b));
        let around = |edge: usize| {
            let rod = &self.topology.rods[self.topology.edge_rod[edge]];
            let all = rod.first_edge..rod.first_edge + rod.edges;
            let ways = all.map(move |i| (i, self.way(i, edge)));
            ways.filter(move |(_, way)| *way <= reach)
        };
        for (i, here) in around(a) {
            for (j, there) in around(b) {
                if i != j && self.overlap([i, j], here + there) {
                    pairs.push([i.min(j) as u32, i.max(j) as u32]);
                }
            }
        }
    }

    /// Rest arc between the middles of two edges of one rod, m.
    fn way(&self, i: usize, j: usize) -> f64 {
        let rod = self.topology.edge_rod[i];
        let arc = (self.edge_arc[i] - self.edge_arc[j]).abs();
        if self.topology.rods[rod].closed {
            arc.min(self.rod_length[rod] - arc)
        } else {
            arc
        }
    }

    /// Whether two edges that are so far apart through the junction, m, are part of it.
    fn overlap(&self, edges: [usize; 2], way: f64) -> bool {
        let touching: f64 = edges.iter().map(|e| self.radius[*e]).sum();
        let lengths: f64 = edges.iter().map(|e| 0.5 * self.rest_length[*e]).sum();
        // As along one rod (decision 0005).
        if way < 0.5 * std::f64::consts::PI * touching || way - lengths <= touching {
            return true;
        }
        let [[a0, a1], [b0, b1]] =
            edges.map(|e| self.topology.edge_nodes[e].map(|n| self.positions[n]));
        // Branches that part at an acute angle, until they are clear of each other.
        let gap = closest_points(a0, a1, b0, b1).distance - touching;
        way <= NEAR * touching && gap < CLEAR * touching
    }
}
