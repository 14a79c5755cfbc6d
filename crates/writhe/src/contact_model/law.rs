//! The law of normal contact: energy by the gap between two surfaces, one branch a model.
//!
//! A contact is a function of the gap g = D - (h_i + h_j) alone; where D comes from (edge against
//! edge, edge against obstacle) is another file's business. Forces are -dE/dg >= 0, so surfaces
//! never attract each other.

use crate::contact_model::imc::ImcLaw;
use crate::contact_model::imc_smooth::SmoothLaw;
use crate::contact_model::ipc::IpcLaw;

/// Energy of one contact with its derivatives by the gap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Response {
    /// E, J.
    pub energy: f64,
    /// Normal force -dE/dg, N, at least 0.
    pub force: f64,
    /// d2E/dg2, N/m, at least 0.
    pub stiffness: f64,
}

/// The law of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NormalLaw {
    /// Implicit Contact Model (T22 Eq. 9).
    Imc(ImcLaw),
    /// Barrier of Incremental Potential Contact (Li et al. 2020).
    Ipc(IpcLaw),
    /// Contact of C21 (Eq. 21).
    ImcSmooth(SmoothLaw),
    /// Forces are not given by the gap (Spillmann and Teschner 2008).
    Touching,
}

impl NormalLaw {
    /// Gap from which on there is no force, m.
    pub(crate) fn range(&self) -> f64 {
        match self {
            Self::Imc(law) => law.tolerance,
            Self::Ipc(law) => law.range,
            Self::ImcSmooth(law) => law.tolerance,
            Self::Touching => 0.0,
        }
    }

    /// Factor on the stiffness that brings a penetration of `depth` back to `wanted`, both over the
    /// radius, under the same force.
    pub(crate) fn raise(&self, depth: f64, wanted: f64) -> f64 {
        match self {
            Self::Imc(_) | Self::Ipc(_) | Self::Touching => (depth / wanted).min(100.0),
            // Squared: an impact needs more than the balance of forces.
            Self::ImcSmooth(law) => law.raise(depth, wanted).powi(2).max(1.25),
        }
    }

    /// Energy, force and stiffness at `gap`, m.
    pub(crate) fn evaluate(&self, gap: f64) -> Response {
        match self {
            Self::Imc(law) => law.evaluate(gap),
            Self::Ipc(law) => law.evaluate(gap),
            Self::ImcSmooth(law) => law.evaluate(gap),
            Self::Touching => Response::default(),
        }
    }
}
