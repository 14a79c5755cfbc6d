//! Continuous properties of rods lumped on nodes, edges and vertices.

use crate::kernels::elastic::bend::{Bending, BendingModel};
use crate::kernels::elastic::half_edges::{HalfEdge, HalfEdges};
use crate::kernels::elastic::twist::Twisting;
use crate::model::ModelError;
use crate::rod::strain::{AVERAGED, PER_EDGE};
use crate::rod::{Rod, RodError, Topology};

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

/// Two half edges in series: `dl / k = l-/2k- + l+/2k+`, so a moment that is continuous across the
/// vertex bends each as it should.
fn in_series(l: [f64; 2], k: [f64; 2]) -> f64 {
    1.0 / (0.5 * l[0] / k[0] + 0.5 * l[1] / k[1])
}

fn vertex_edges(rod: &Rod, vertex: usize) -> [usize; 2] {
    [vertex, (vertex + 1) % rod.edges()]
}

/// Bending energies of all vertices.
pub(super) fn all_bending(rods: &[Rod], model: BendingModel) -> Result<Vec<Bending>, ModelError> {
    let mut all = Vec::new();
    for (rod, r) in rods.iter().enumerate() {
        all.extend(bending(r, model).map_err(|source| ModelError::Rod { rod, source })?);
    }
    Ok(all)
}

fn bending(rod: &Rod, model: BendingModel) -> Result<Vec<Bending>, RodError> {
    let vertices = 0..rod.vertices();
    match model {
        BendingModel::HalfEdges => Ok(Vec::new()),
        BendingModel::Averaged => Ok(vertices.map(|vertex| averaged(rod, vertex)).collect()),
        BendingModel::PerEdge => {
            let pairs: Vec<[Bending; 2]> = vertices
                .map(|vertex| per_edge(rod, vertex))
                .collect::<Result<_, _>>()?;
            Ok(pairs.into_iter().flatten().collect())
        }
    }
}

fn averaged(rod: &Rod, vertex: usize) -> Bending {
    let edges = vertex_edges(rod, vertex);
    let l = edges.map(|e| rod.rest_lengths[e]);
    Bending {
        sides: AVERAGED,
        stiffness: [
            in_series(l, edges.map(|e| rod.sections[e].ei1)),
            in_series(l, edges.map(|e| rod.sections[e].ei2)),
        ],
        rest: rod.rest_curvature[vertex],
    }
}

/// Vertices that yield as their half edges in series; none with another model.
pub(super) fn all_half_edges(
    rods: &[Rod],
    model: BendingModel,
) -> Result<Vec<HalfEdges>, ModelError> {
    if model != BendingModel::HalfEdges {
        return Ok(Vec::new());
    }
    let mut all = Vec::new();
    for (rod, r) in rods.iter().enumerate() {
        for vertex in 0..r.vertices() {
            let found = half_edges(r, vertex);
            all.push(found.map_err(|source| ModelError::Rod { rod, source })?);
        }
    }
    Ok(all)
}

fn half_edges(rod: &Rod, vertex: usize) -> Result<HalfEdges, RodError> {
    let halves = vertex_edges(rod, vertex).map(|edge| {
        let section = &rod.sections[edge];
        HalfEdge {
            length: 0.5 * rod.rest_lengths[edge],
            stiffness: [section.ei1, section.ei2, section.gj],
        }
    });
    let halfway = halfway_curvature(rod, vertex)?;
    Ok(HalfEdges::new(halves, halfway, rod.rest_twist[vertex]))
}

/// Curvature at rest along the directors halfway: the mean of those of both edges, which the rod
/// has, is shorter by cos(tau/2).
fn halfway_curvature(rod: &Rod, vertex: usize) -> Result<[f64; 2], RodError> {
    let (mean, twist) = (rod.rest_curvature[vertex], rod.rest_twist[vertex]);
    let cos = (0.5 * twist).cos();
    if cos.abs() < MIN_MEAN && mean != [0.0; 2] {
        return Err(RodError::RestTwist { vertex, twist });
    }
    Ok(mean.map(|w| if w == 0.0 { 0.0 } else { w / cos }))
}

/// Below this cosine of half the rest twist, the mean of two directors says nothing of either.
const MIN_MEAN: f64 = 1e-3;

/// B08 Eq. 3. With rest twist tau the curvature (w1, w2) of the edge after the vertex is that of
/// the edge before it turned by -tau; their mean, which the rod has, is turned by -tau/2 and
/// shorter by cos(tau/2).
fn per_edge(rod: &Rod, vertex: usize) -> Result<[Bending; 2], RodError> {
    let edges = vertex_edges(rod, vertex);
    let length: f64 = edges.iter().map(|e| rod.rest_lengths[*e]).sum();
    let (sin, cos) = (0.5 * rod.rest_twist[vertex]).sin_cos();
    // The directors of either edge are turned from it by tau/2.
    let [a, b] = halfway_curvature(rod, vertex)?;
    let turned = [
        [cos * a - sin * b, sin * a + cos * b],
        [cos * a + sin * b, cos * b - sin * a],
    ];
    Ok([0, 1].map(|side| {
        let section = &rod.sections[edges[side]];
        Bending {
            sides: PER_EDGE[side],
            // EI/(l- + l+), half of EI/dl: each edge has half of the energy (B08 Eq. 3).
            stiffness: [section.ei1 / length, section.ei2 / length],
            rest: turned[side],
        }
    }))
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
