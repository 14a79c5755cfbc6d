//! Resistive-force theory: the drag on a piece of rod depends on its own velocity only.
//!
//! The force of the fluid on a rod, per length, is `-(c_t t t^T + c_n (I - t t^T)) u` with t the
//! tangent (Gray and Hancock 1955, J. Exp. Biol. 32, 802; Lighthill 1976, SIAM Rev. 18, 161). Cheap
//! and local, but wrong by a factor of three for the thrust and drag of tightly coiled helices
//! (Rodenborn et al. 2013, PNAS 110, E338): use [`crate::fluid::stokeslet_segments`] where
//! neighbouring pieces of rod matter.

use glam::{DMat3, DVec3};
use std::f64::consts::{LN_2, PI};

/// Smallest logarithm (less its constant) used by [`DragCoefficients::slender_body`], reached by
/// stubby rods.
const SMALLEST_LOG: f64 = 0.5;

/// How the drag coefficients of a rod are given.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum DragLaw {
    /// The coefficients themselves, which include the viscosity.
    Explicit(DragCoefficients),
    /// Gray and Hancock, for a rod bent into waves or a helix of the given wavelength (m).
    GrayHancock { wavelength: f64 },
    /// Lighthill, for a helix of wavelength (pitch) and helix radius (m).
    Lighthill { wavelength: f64, helix_radius: f64 },
}

impl DragLaw {
    /// Coefficients for a fluid of `viscosity` (Pa s) and a rod of `radius` (m).
    pub fn coefficients(&self, viscosity: f64, radius: f64) -> DragCoefficients {
        match *self {
            Self::Explicit(coefficients) => coefficients,
            Self::GrayHancock { wavelength } => {
                DragCoefficients::gray_hancock(viscosity, radius, wavelength)
            }
            Self::Lighthill {
                wavelength,
                helix_radius,
            } => DragCoefficients::lighthill(viscosity, radius, wavelength, helix_radius),
        }
    }
}

/// Drag force per length and velocity, Pa s (that is N s/m^2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DragCoefficients {
    /// c_t, for motion along the rod.
    pub tangential: f64,
    /// c_n, for motion across the rod.
    pub normal: f64,
}

impl DragCoefficients {
    /// Gray and Hancock 1955: `c_t = 2 pi mu / (ln(2 lambda/a) - 1/2)`,
    /// `c_n = 4 pi mu / (ln(2 lambda/a) + 1/2)`.
    pub fn gray_hancock(viscosity: f64, radius: f64, wavelength: f64) -> Self {
        let log = (2.0 * wavelength / radius).ln();
        Self {
            tangential: 2.0 * PI * viscosity / (log - 0.5),
            normal: 4.0 * PI * viscosity / (log + 0.5),
        }
    }

    /// Lighthill 1976: `c_t = 2 pi mu / ln q`, `c_n = 4 pi mu / (ln q + 1/2)`,
    /// `q = 0.18 lambda / (a cos theta)` with `tan theta = 2 pi R / lambda`.
    pub fn lighthill(viscosity: f64, radius: f64, wavelength: f64, helix_radius: f64) -> Self {
        // lambda/cos theta: the contour of one turn
        let turn = wavelength.hypot(2.0 * PI * helix_radius);
        let log = (0.18 * turn / radius).ln();
        Self {
            tangential: 2.0 * PI * viscosity / log,
            normal: 4.0 * PI * viscosity / (log + 0.5),
        }
    }

    /// Straight cylinder of length L and radius b: `c_t = 2 pi mu / (ln(2 L/b) - 3/2)`,
    /// `c_n = 4 pi mu / (ln(2 L/b) - 1/2)` (Batchelor 1970, J. Fluid Mech. 44, 419, to leading
    /// orders).
    ///
    /// The denominators are kept above 1/2, so that the coefficients are positive for any L/b.
    pub fn slender_body(viscosity: f64, length: f64, radius: f64) -> Self {
        let log = (length / radius).ln() + LN_2;
        Self {
            tangential: 2.0 * PI * viscosity / (log - 1.5).max(SMALLEST_LOG),
            normal: 4.0 * PI * viscosity / (log - 0.5).max(SMALLEST_LOG),
        }
    }

    /// Drag matrix of a straight piece of rod, integrated over its length:
    /// `l (c_t t t^T + c_n (I - t t^T))`, N s/m, for the edge vector `edge = l t` (m).
    pub fn integrated(&self, edge: DVec3) -> DMat3 {
        let length = edge.length();
        DMat3::from_diagonal(DVec3::splat(self.normal * length))
            + outer(edge, edge) * ((self.tangential - self.normal) / length)
    }
}

/// Drag force of the fluid on the two nodes of an edge and its derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeDrag {
    /// Force on node i of the edge, N.
    pub force: [DVec3; 2],
    /// `grad_f_x[i][j]`: derivative of the force on node i by the position of node j, N/m.
    pub grad_f_x: [[DMat3; 2]; 2],
    /// `grad_f_u[i]`: derivative of the force on node i by the velocity of node i, N s/m;
    /// symmetric, negative definite. The force on a node does not depend on the velocity of the
    /// other.
    pub grad_f_u: [DMat3; 2],
}

/// Drag on an edge with node `positions` (m) and `velocities` (m/s), lumped: half of the edge moves
/// with each node,
///
/// `F_i = -(l/2) (c_t t t^T + c_n (I - t t^T)) u_i`.
pub fn edge_drag(
    positions: [DVec3; 2],
    velocities: [DVec3; 2],
    drag: DragCoefficients,
) -> EdgeDrag {
    let edge = positions[1] - positions[0];
    let length = edge.length();
    let t = edge / length;
    // -(l/2) (c_t t t^T + c_n (I - t t^T))
    let half = -0.5 * drag.integrated(edge);
    let excess = drag.tangential - drag.normal;
    // dF_i/de = -1/2 (c_n u_i t^T + (c_t - c_n) (I (t.u_i) + t u_i^T - t t^T (t.u_i)))
    let grad_f_e = velocities.map(|u| {
        let along = t.dot(u);
        let turn = DMat3::from_diagonal(DVec3::splat(along)) + outer(t, u) - outer(t, t) * along;
        (outer(u, t) * drag.normal + turn * excess) * -0.5
    });
    EdgeDrag {
        force: velocities.map(|u| half * u),
        grad_f_x: grad_f_e.map(|grad| [-grad, grad]),
        grad_f_u: [half; 2],
    }
}

/// `a b^T`.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(scale: f64) -> impl Strategy<Value = DVec3> {
        [-scale..scale, -scale..scale, -scale..scale].prop_map(DVec3::from_array)
    }

    /// Forces with coordinate `k` of node `j` moved by `step`.
    fn moved(
        x: [DVec3; 2],
        u: [DVec3; 2],
        drag: DragCoefficients,
        (j, k): (usize, usize),
        step: f64,
    ) -> [DVec3; 2] {
        let mut x = x;
        x[j][k] += step;
        edge_drag(x, u, drag).force
    }

    proptest! {
        #[test]
        fn jacobians_agree_with_central_differences(
            x0 in vector(1.0), e in vector(1.0), u0 in vector(2.0), u1 in vector(2.0), ct in 0.1..2.0, cn in 0.1..3.0,
        ) {
            prop_assume!(e.length() > 0.1);
            let drag = DragCoefficients { tangential: ct, normal: cn };
            let (x, u) = ([x0, x0 + e], [u0, u1]);
            let exact = edge_drag(x, u, drag);
            let h = 1e-5;
            for j in 0..2 {
                for k in 0..3 {
                    let plus = moved(x, u, drag, (j, k), h);
                    let minus = moved(x, u, drag, (j, k), -h);
                    for i in 0..2 {
                        let difference = (plus[i] - minus[i]) / (2.0 * h);
                        prop_assert!((exact.grad_f_x[i][j].col(k) - difference).length() < 1e-7);
                        let mut v = u;
                        v[j][k] += 1.0;
                        // Linear in the velocities, so a unit step is exact.
                        let response = edge_drag(x, v, drag).force[i] - exact.force[i];
                        let expected = if i == j { exact.grad_f_u[i].col(k) } else { DVec3::ZERO };
                        prop_assert!((response - expected).length() < 1e-13);
                    }
                }
            }
        }
    }

    #[test]
    fn drag_along_and_across_has_its_own_coefficient() {
        let drag = DragCoefficients {
            tangential: 3.0,
            normal: 5.0,
        };
        let x = [DVec3::ZERO, DVec3::new(0.0, 2.0, 0.0)];
        let force = edge_drag(x, [DVec3::Y, DVec3::X], drag).force;
        assert_eq!(
            force,
            [DVec3::new(0.0, -3.0, 0.0), DVec3::new(-5.0, 0.0, 0.0)]
        );
    }
}
