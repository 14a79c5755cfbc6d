//! Stiffness and rest shape of all rods: those of the model, or those that stand for them at one
//! instant.

use crate::kernels::elastic::bend::Bending;
use crate::kernels::elastic::half_edges::HalfEdges;
use crate::kernels::elastic::twist::Twisting;
use crate::kernels::elastic::vertex::Elasticity;
use crate::model::Model;
use crate::rod::Topology;

/// What elastic forces are made of.
#[derive(Debug, Clone, Copy)]
pub struct Elastic<'a> {
    pub(crate) topology: &'a Topology,
    /// EA, N, `(edges)`.
    pub(crate) stretching: &'a [f64],
    /// Rest length, m, `(edges)`.
    pub(crate) rest_length: &'a [f64],
    pub(crate) bending: &'a [Bending],
    pub(crate) twisting: &'a [Twisting],
    pub(crate) half_edges: &'a [HalfEdges],
    /// Energy of stretching, bending and twisting that springs in series with dashpots hold beyond
    /// what these strains tell, J.
    pub(crate) besides: [f64; 3],
}

impl<'a> From<&'a Model> for Elastic<'a> {
    fn from(model: &'a Model) -> Self {
        Self {
            topology: &model.topology,
            stretching: &model.stretching,
            rest_length: &model.rest_length,
            bending: &model.bending,
            twisting: &model.twisting,
            half_edges: &model.half_edges,
            besides: [0.0; 3],
        }
    }
}

impl<'a> Elastic<'a> {
    /// What bends and twists at a vertex.
    pub(crate) fn elasticity(&self, vertex: usize) -> Elasticity<'a> {
        if let Some(halves) = self.half_edges.get(vertex) {
            return Elasticity::Series(halves);
        }
        // One energy of bending, or one for each edge.
        let parts = self.bending.len() / self.topology.vertices();
        let bending = &self.bending[parts * vertex..parts * (vertex + 1)];
        Elasticity::Apart(bending, &self.twisting[vertex])
    }
}
