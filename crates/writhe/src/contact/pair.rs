//! Normal contact of two edges: their distance, and what the contact law makes of the gap.

use glam::DVec3;

use crate::contact_model::law::{NormalLaw, Response};
use crate::kernels::distance::{
    Matrix12, PairDistance, flatten, overlap_distances_within, pair_distance_within,
};
use crate::kernels::semidefinite::positive_part;

/// Part of a Hessian to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HessianPart {
    /// `E'' grad D grad D^T + E' Hess D`: symmetric, indefinite.
    Exact,
    /// `E'' grad D grad D^T`: positive semidefinite, since E'' >= 0. What is left out carries E' <=
    /// 0.
    GaussNewton,
    /// The exact one with its negative eigenvalues set to zero (Li et al. 2020).
    Projected,
}

/// A pair in contact.
#[derive(Clone, Copy, Debug)]
pub struct PairContact {
    /// Distance of the centrelines.
    pub(crate) distance: PairDistance,
    /// Distance of the surfaces, m; negative where they penetrate.
    pub gap: f64,
    /// Energy, force and stiffness by the law.
    pub(crate) response: Response,
}

impl PairContact {
    /// Contact of the edges (a0, a1) and (b0, b1), m, whose surfaces meet at the distance
    /// `touching`, m; `None` beyond the range of forces.
    #[inline]
    pub(crate) fn find(
        law: &NormalLaw,
        touching: f64,
        [a0, a1, b0, b1]: [DVec3; 4],
    ) -> Option<Self> {
        let distance = pair_distance_within(touching + law.range(), a0, a1, b0, b1)?;
        Some(Self::at(law, touching, distance))
    }

    /// Contact at both ends of the stretch along which nearly parallel edges lie beside each other,
    /// by the whole law at each.
    pub(crate) fn at_ends_of_overlap(
        law: &NormalLaw,
        touching: f64,
        nodes: [DVec3; 4],
    ) -> [Option<Self>; 2] {
        overlap_distances_within(touching + law.range(), nodes)
            .map(|end| end.map(|distance| Self::at(law, touching, distance)))
    }

    #[inline]
    pub(crate) fn at(law: &NormalLaw, touching: f64, distance: PairDistance) -> Self {
        let gap = distance.closest.distance - touching;
        Self {
            distance,
            gap,
            response: law.evaluate(gap),
        }
    }

    /// Gradient of the energy by the nodes (a0, a1, b0, b1), in newtons; the contact force is its
    /// negative.
    pub fn gradient(&self) -> [f64; 12] {
        flatten(self.distance.gradient().map(|g| -self.response.force * g))
    }

    /// Hessian of the energy, 12 x 12, symmetric, in N/m.
    #[inline(always)]
    pub fn hessian(&self, part: HessianPart) -> Matrix12 {
        // E' <= 0 in E'' grad D grad D^T + E' Hess D.
        let slope = match part {
            HessianPart::GaussNewton => 0.0,
            HessianPart::Exact | HessianPart::Projected => -self.response.force,
        };
        let hessian = self.distance.chain_hessian(slope, self.response.stiffness);
        match part {
            HessianPart::Projected => positive_part(&hessian),
            HessianPart::Exact | HessianPart::GaussNewton => hessian,
        }
    }
}

#[cfg(test)]
mod tests;
