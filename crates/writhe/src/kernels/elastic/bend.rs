//! Bending energy of a vertex: `sum_c k_c/2 (kappa_c - rest_c)^2`.
//!
//! With the directors of both edges averaged, one such energy with `k_c = EI_c / dl` (T22 Eq. 5).
//! Or one for each of the two edges, with its own directors and `k_c = EI_c / 2 dl` (B08 Eq. 3,
//! where `l_i = 2 dl`).

use crate::rod::strain::{AVERAGED, Sides, VertexGeometry};

/// Which directors measure the curvature of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum BendingModel {
    /// The mean of those of its two edges (T22 Eq. 3, 5). Where twist turns them apart by an angle,
    /// their mean is shorter by the cosine of its half, and the rod that much softer: for rods with
    /// little twist from edge to edge.
    Averaged,
    /// The directors of each edge in turn, half of the energy each (B08 Eq. 2, 3): exact for any
    /// twist.
    PerEdge,
    /// The directors halfway between both edges, of the turning angle itself, and every vertex as
    /// compliant at rest as its two half edges in series: of second order at corners, in coils and
    /// at any twist ([`crate::kernels::elastic::half_edges`]).
    #[default]
    HalfEdges,
}

/// Stiffness and rest curvature of a vertex, or of one edge at it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bending {
    /// Whose directors measure the curvature.
    pub sides: Sides,
    /// `EI1/dl`, `EI2/dl`, N m.
    pub stiffness: [f64; 2],
    /// Integrated rest curvatures along m1 and m2, dimensionless.
    pub rest: [f64; 2],
}

impl Default for Bending {
    fn default() -> Self {
        Self {
            sides: AVERAGED,
            stiffness: [0.0; 2],
            rest: [0.0; 2],
        }
    }
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

    /// Whether the energy is the same at all angles: of one edge's directors, an isotropic section
    /// and no rest curvature.
    pub(crate) fn ignores_angles(&self) -> bool {
        // The mean of two directors gets shorter with the twist between them (decision 0023).
        self.sides != AVERAGED && self.stiffness[0] == self.stiffness[1] && self.rest == [0.0; 2]
    }

    /// Derivatives by the angles of both edges (B08 Eq. 7 and below it).
    pub(crate) fn by_angles(&self, vertex: &VertexGeometry) -> ByAngles {
        let moments = self.moments(vertex.curvature(self.sides));
        let mut out = ByAngles::default();
        for (c, moment) in moments.into_iter().enumerate() {
            // dE/dth = M_c dkappa_c/dth, d2E/dth^2 = EI_c/dl (dkappa_c/dth)^2 + M_c d2kappa_c/dth^2
            let first = vertex.curvature_by_theta(c, self.sides);
            let second = vertex.curvature_by_theta_twice(c, self.sides);
            for side in 0..2 {
                out.gradient[side] += moment * first[side];
                out.diagonal[side] +=
                    self.stiffness[c] * first[side] * first[side] + moment * second[side];
            }
            // No curvature depends on both angles at once: d2kappa_c/dth- dth+ = 0
            out.mixed += self.stiffness[c] * first[0] * first[1];
        }
        out
    }
}

/// Derivatives of an energy of a vertex by the angles of its two edges, N m.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ByAngles {
    /// First.
    pub gradient: [f64; 2],
    /// Second, each angle twice.
    pub diagonal: [f64; 2],
    /// Second, one angle and the other.
    pub mixed: f64,
}

impl std::ops::AddAssign for ByAngles {
    fn add_assign(&mut self, other: Self) {
        for side in 0..2 {
            self.gradient[side] += other.gradient[side];
            self.diagonal[side] += other.diagonal[side];
        }
        self.mixed += other.mixed;
    }
}
