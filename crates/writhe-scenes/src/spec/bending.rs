//! How the curvature of a vertex is measured.

use serde::Serialize;
use writhe::model::BendingModel;

use crate::error::SceneError;
use crate::tree::{At, Read};

/// How the curvature of a vertex is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BendingSpec {
    /// With the mean of its two edges' directors (Tong et al. 2022).
    Averaged,
    /// With those of each edge, half of the energy each (Bergou et al. 2008): for rods that twist much from edge to edge.
    PerEdge,
}

impl From<BendingSpec> for BendingModel {
    fn from(spec: BendingSpec) -> Self {
        match spec {
            BendingSpec::Averaged => Self::Averaged,
            BendingSpec::PerEdge => Self::PerEdge,
        }
    }
}

impl Read for BendingSpec {
    fn wanted() -> String {
        "\"averaged\" or \"per-edge\"".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        at.word(&[("averaged", Self::Averaged), ("per-edge", Self::PerEdge)])
    }
}
