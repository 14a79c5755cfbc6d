//! How the curvature of a vertex is measured.

use writhe::model::BendingModel;

use crate::tree::words;

words! {
    /// How the curvature of a vertex is measured.
    pub enum BendingSpec {
        /// With the mean of its two edges' directors (Tong et al. 2022).
        Averaged = "averaged",
        /// With those of each edge, half of the energy each (Bergou et al. 2008): for rods that
        /// twist much from edge to edge.
        PerEdge = "per-edge",
        /// With the directors halfway, each vertex as compliant as its two half edges in series.
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
