//! Twisting energy of a vertex (T22 Eq. 4 and 5): `k/2 (th+ - th- + m_ref - rest)^2`,
//! `k = GJ / dl`.

use crate::kernels::elastic::bend::ByAngles;

/// Stiffness and rest twist of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Twisting {
    /// `GJ/dl`, N m.
    pub stiffness: f64,
    /// Rest twist, rad.
    pub rest: f64,
}

impl Twisting {
    /// Twisting moment, N m, at twist `tau`, rad.
    #[inline]
    pub fn moment(&self, tau: f64) -> f64 {
        self.stiffness * (tau - self.rest)
    }

    /// Energy, J.
    #[inline]
    pub fn energy(&self, tau: f64) -> f64 {
        0.5 * self.stiffness * (tau - self.rest).powi(2)
    }

    /// Derivatives by the angles of both edges.
    #[inline]
    pub(crate) fn by_angles(&self, tau: f64) -> ByAngles {
        let moment = self.moment(tau);
        ByAngles {
            // dtau/dth- = -1, dtau/dth+ = 1 (T22 Eq. 4)
            gradient: [-moment, moment],
            diagonal: [self.stiffness; 2],
            mixed: -self.stiffness,
        }
    }
}
