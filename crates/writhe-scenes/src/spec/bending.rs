//! How the curvature of a vertex is measured.

use writhe::model::BendingModel;

use crate::tree::words;

words! {
    /// How the curvature of a vertex is measured.
    pub enum BendingSpec {
        /// By the mean of the directors of its two edges (Tong et al. 2022).
        Averaged = "averaged",
        /// By the directors of each edge, with half of the energy each, for rods that twist much
        /// from edge to edge (Bergou et al. 2008).
        PerEdge = "per-edge",
        /// By the directors halfway between, where the two half edges bend one after the other.
        HalfEdges = "half-edges",
    }
}

impl From<BendingSpec> for BendingModel {
    fn from(spec: BendingSpec) -> Self {
        match spec {
            BendingSpec::Averaged => Self::Averaged,
            BendingSpec::PerEdge => Self::PerEdge,
            BendingSpec::HalfEdges => Self::HalfEdges,
        }
    }
}
