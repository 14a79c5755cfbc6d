//! Continuous properties of rods lumped on nodes, edges and vertices.

use crate::elastic::bend::Bending;
use crate::elastic::twist::Twisting;
use crate::rod::{Rod, Topology};

/// Half of each edge's mass on each of its nodes; each edge's rotational inertia on its angle.
pub(super) fn lumped_mass(rods: &[Rod], topology: &Topology) -> Vec<f64> {
    let mut mass = vec![0.0; topology.dofs];
    let sections = rods
        .iter()
        .flat_map(|r| r.sections.iter().zip(&r.rest_lengths));
    for (edge, (section, length)) in sections.enumerate() {
        for node in topology.edge_nodes[edge] {
            let dof = topology.node_dof[node];
            for m in &mut mass[dof..dof + 3] {
                *m += 0.5 * section.mass_per_length * length;
            }
        }
        mass[topology.edge_dof[edge]] = section.inertia_per_length * length;
    }
    mass
}

/// Rest Voronoi length of each node: half of each edge that it ends.
pub(super) fn voronoi_lengths(rods: &[Rod], topology: &Topology) -> Vec<f64> {
    let mut lengths = vec![0.0; topology.nodes()];
    for (edge, length) in rods.iter().flat_map(|r| &r.rest_lengths).enumerate() {
        for node in topology.edge_nodes[edge] {
            lengths[node] += 0.5 * length;
        }
    }
    lengths
}

/// Rest arc length of the middle of each edge, m.
pub(super) fn edge_arcs(rod: &Rod) -> Vec<f64> {
    let mut end = 0.0;
    let middle = |l: &f64| {
        end += l;
        end - 0.5 * l
    };
    rod.rest_lengths.iter().map(middle).collect()
}

/// Two half edges in series: `dl / k = l-/2k- + l+/2k+`, so a moment that is continuous across the vertex bends each as it should.
fn in_series(l: [f64; 2], k: [f64; 2]) -> f64 {
    1.0 / (0.5 * l[0] / k[0] + 0.5 * l[1] / k[1])
}

fn vertex_edges(rod: &Rod, vertex: usize) -> [usize; 2] {
    [vertex, (vertex + 1) % rod.edges()]
}

pub(super) fn bending(rod: &Rod) -> Vec<Bending> {
    (0..rod.vertices())
        .map(|vertex| {
            let edges = vertex_edges(rod, vertex);
            let l = edges.map(|e| rod.rest_lengths[e]);
            Bending {
                stiffness: [
                    in_series(l, edges.map(|e| rod.sections[e].ei1)),
                    in_series(l, edges.map(|e| rod.sections[e].ei2)),
                ],
                rest: rod.rest_curvature[vertex],
            }
        })
        .collect()
}

pub(super) fn twisting(rod: &Rod) -> Vec<Twisting> {
    (0..rod.vertices())
        .map(|vertex| {
            let edges = vertex_edges(rod, vertex);
            let l = edges.map(|e| rod.rest_lengths[e]);
            Twisting {
                stiffness: in_series(l, edges.map(|e| rod.sections[e].gj)),
                rest: rod.rest_twist[vertex],
            }
        })
        .collect()
}
