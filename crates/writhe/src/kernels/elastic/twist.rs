//! Twisting energy of a vertex (T22 Eq. 4 and 5): `k/2 (th+ - th- + m_ref - rest)^2`,
//! `k = GJ / dl`.

use crate::kernels::elastic::bend::ByAngles;
use crate::rod::strain::{Gradient, Hessian, VertexGeometry, add_outer};

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

    /// Adds the gradient in local coordinates and, if asked, the Hessian.
    pub(crate) fn add_derivatives(
        &self,
        vertex: &VertexGeometry,
        tau: f64,
        gradient: &mut Gradient,
        hessian: Option<&mut Hessian>,
    ) {
        // M = GJ/dl (tau - rest), dE/dq = M dtau/dq, d2E/dq2 = GJ/dl (dtau/dq)(dtau/dq)^T + M
        // d2tau/dq2
        let moment = self.moment(tau);
        let strain = vertex.twist_gradient();
        for (g, s) in gradient.iter_mut().zip(&strain) {
            *g += moment * s;
        }
        if let Some(hessian) = hessian {
            add_outer(hessian, self.stiffness, &strain);
            vertex.add_twist_hessian(moment, hessian);
        }
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
