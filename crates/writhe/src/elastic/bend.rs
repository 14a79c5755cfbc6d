//! Bending energy of a vertex (T22 Eq. 5): `sum_c k_c/2 (kappa_c - rest_c)^2`, `k_c = EI_c / dl`.

use super::strain::{Gradient, Hessian, VertexGeometry, add_outer};

/// Stiffness and rest curvature of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bending {
    /// `EI1/dl`, `EI2/dl`, N m.
    pub stiffness: [f64; 2],
    /// Integrated rest curvatures along m1 and m2, dimensionless.
    pub rest: [f64; 2],
}

impl Bending {
    /// Moments conjugate to the two curvatures, N m.
    #[inline]
    pub fn moments(&self, curvature: [f64; 2]) -> [f64; 2] {
        std::array::from_fn(|c| self.stiffness[c] * (curvature[c] - self.rest[c]))
    }

    /// Energy, J.
    #[inline]
    pub fn energy(&self, curvature: [f64; 2]) -> f64 {
        let moments = self.moments(curvature);
        (0..2)
            .map(|c| 0.5 * moments[c] * (curvature[c] - self.rest[c]))
            .sum()
    }

    /// Adds the gradient in local coordinates and, if asked, the Hessian.
    pub fn add_derivatives(
        &self,
        vertex: &VertexGeometry,
        gradient: &mut Gradient,
        hessian: Option<&mut Hessian>,
    ) {
        let moments = self.moments(vertex.curvature);
        let strain = [0, 1].map(|c| vertex.curvature_gradient(c));
        for (k, g) in gradient.iter_mut().enumerate() {
            *g += moments[0] * strain[0][k] + moments[1] * strain[1][k];
        }
        if let Some(hessian) = hessian {
            for c in 0..2 {
                add_outer(hessian, self.stiffness[c], &strain[c]);
                vertex.add_curvature_hessian(c, moments[c], hessian);
            }
        }
    }
}
