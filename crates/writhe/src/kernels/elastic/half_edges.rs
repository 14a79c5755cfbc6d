//! Bending and twisting of a vertex that yields as its two half edges do, one after the other.
//!
//! The strains are `(kappa_1, kappa_2, tau)`. The curvatures are components of
//!
//! ```text
//! f(phi) b,   f(phi) = 2/3 tan(phi/2) + 4/3 sin(phi/2) = phi + phi^5/320 + ..
//! ```
//!
//! with b the unit binormal and phi the turning angle, where T22 and B08 have `2 tan(phi/2) b`,
//! which is too stiff by `phi^2/4`. Like theirs, f grows without bound where an edge folds flat.
//! Directors are those halfway between the edges: of the edge before the vertex, turned by half of
//! the twist. The energy is `1/2 e^T K e` with e the strains less those at rest.
//!
//! K makes a vertex at its rest shape exactly as compliant as its half edges in series, in all
//! directions, however sharp the corner: a moment M turns one edge against the other by `S M`,
//!
//! ```text
//! S = sum of both halves  l/2 R diag(1/EI2, 1/EI1, 1/GJ) R^T,      K = (J S J^T)^-1
//! ```
//!
//! with R the directors of the half edge in the frame halfway, and J the derivative of the strains
//! by the turn (decision 0056).

use glam::{DMat3, DVec3};

use crate::kernels::elastic::bend::ByAngles;
use crate::rod::strain::{PER_EDGE, VertexGeometry};

/// Half of an edge at a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HalfEdge {
    /// Length of the half, m.
    pub length: f64,
    /// EI1, EI2 and GJ, N m^2.
    pub stiffness: [f64; 3],
}

/// Stiffness and rest shape of a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfEdges {
    /// K, N m: second derivatives of the energy by the strains.
    pub stiffness: [[f64; 3]; 3],
    /// Strains at rest: both curvatures and the twist, rad.
    pub rest: [f64; 3],
}

impl HalfEdges {
    /// The vertex between two half edges, with the curvatures that `2 tan(phi/2)` gives at rest
    /// along the directors halfway, and the twist at rest, rad.
    pub(crate) fn new(halves: [HalfEdge; 2], tangent_curvature: [f64; 2], twist: f64) -> Self {
        let [a, b] = tangent_curvature;
        let size = a.hypot(b);
        // The normal halfway, the way in which the rod turns; any where it is straight.
        let (cos, sin) = match size > 0.0 {
            true => (a / size, b / size),
            false => (1.0, 0.0),
        };
        // tan(phi/2), then f'(phi) and f/(2 sin(phi/2))
        let half = (0.5 * size).atan();
        let measure = measure(2.0 * half.cos().powi(2));
        let along = 1.0 / (3.0 * half.cos().powi(2)) + 2.0 / 3.0 * half.cos();
        let across = measure / half.cos();
        // J: a turn about the binormal bends, about the normal turns the plane of bending, about
        // the tangent halfway twists.
        let binormal = DVec3::new(-sin, cos, 0.0);
        let normal = DVec3::new(cos, sin, 0.0);
        let by_turn = DMat3::from_cols(
            binormal * (along * cos) + normal * (across * sin),
            binormal * (along * sin) - normal * (across * cos),
            DVec3::Z / half.cos(),
        )
        .transpose();
        let compliance = [(0, -1.0), (1, 1.0)]
            .map(|(side, sign)| {
                let HalfEdge { length, stiffness } = halves[side];
                let [ei1, ei2, gj] = stiffness.map(|k| length / k);
                let frame = DMat3::from_axis_angle(binormal, sign * half)
                    * DMat3::from_rotation_z(sign * 0.5 * twist);
                // A turn about m2 is curvature along m1.
                frame * DMat3::from_diagonal(DVec3::new(ei2, ei1, gj)) * frame.transpose()
            })
            .into_iter()
            .fold(DMat3::ZERO, |sum, half| sum + half);
        let stiffness = (by_turn * compliance * by_turn.transpose()).inverse();
        let symmetric = (stiffness + stiffness.transpose()) * 0.5;
        Self {
            stiffness: symmetric.to_cols_array_2d(),
            rest: [measure * a, measure * b, twist],
        }
    }

    /// Energies of bending and of twisting, J; of the first with all that couples both.
    #[inline]
    pub(crate) fn energy(&self, vertex: &VertexGeometry, twist: f64) -> [f64; 2] {
        let e = self.strains(&Halfway::new(vertex, twist));
        let moments = self.moments(e);
        let both: f64 = (0..3).map(|k| 0.5 * moments[k] * e[k]).sum();
        let twisting = 0.5 * self.stiffness[2][2] * e[2] * e[2];
        [both - twisting, twisting]
    }

    /// Strains less those at rest: curvatures, and twist, rad.
    #[inline]
    pub(crate) fn strain(&self, vertex: &VertexGeometry, twist: f64) -> [f64; 3] {
        self.strains(&Halfway::new(vertex, twist))
    }

    /// Moments conjugate to strains, N m.
    #[inline]
    pub(crate) fn moments(&self, e: [f64; 3]) -> [f64; 3] {
        self.stiffness
            .map(|row| row[0] * e[0] + row[1] * e[1] + row[2] * e[2])
    }

    #[inline]
    fn strains(&self, at: &Halfway) -> [f64; 3] {
        let [a, b] = at.curvature.map(|k| at.measure * k);
        [a - self.rest[0], b - self.rest[1], at.twist - self.rest[2]]
    }

    /// Whether the energy of bending is the same at all angles: an isotropic section and no rest
    /// curvature.
    pub(crate) fn ignores_angles(&self) -> bool {
        let [[a, c, d], [_, b, e], _] = self.stiffness;
        a == b && [c, d, e, self.rest[0], self.rest[1]] == [0.0; 5]
    }

    /// Derivatives by the angles of both edges.
    pub(crate) fn by_angles(&self, vertex: &VertexGeometry, twist: f64) -> ByAngles {
        let at = Halfway::new(vertex, twist);
        let [m1, m2, torque] = self.moments(self.strains(&at));
        let [a, b] = at.curvature.map(|k| at.measure * k);
        // Either angle turns the directors halfway by half of its change.
        let turned = [0.5 * b, -0.5 * a];
        let bend = m1 * turned[0] + m2 * turned[1];
        let strain = [-1.0, 1.0].map(|side| [turned[0], turned[1], side]);
        let second = |i: usize, k: usize| -> f64 {
            let along = self.moments(strain[k]);
            let stiff: f64 = (0..3).map(|c| strain[i][c] * along[c]).sum();
            stiff - 0.25 * (m1 * a + m2 * b)
        };
        ByAngles {
            gradient: [bend - torque, bend + torque],
            diagonal: [second(0, 0), second(1, 1)],
            mixed: second(0, 1),
        }
    }
}

/// `f/(2 tan(phi/2)) = 1/3 + 2/3 cos(phi/2)`, by `chi = 1 + t- . t+`: `cos(phi/2) = sqrt(chi/2)`.
fn measure(chi: f64) -> f64 {
    (1.0 + 2.0 * (0.5 * chi).sqrt()) / 3.0
}

/// A vertex seen from the directors halfway between its edges.
struct Halfway {
    /// Components of the curvature binormal.
    curvature: [f64; 2],
    twist: f64,
    /// What makes the curvature binormal f(phi) b.
    measure: f64,
}

impl Halfway {
    #[inline]
    fn new(vertex: &VertexGeometry, twist: f64) -> Self {
        let (sin, cos) = (0.5 * twist).sin_cos();
        let [a, b] = vertex.curvature(PER_EDGE[0]);
        Self {
            curvature: [cos * a + sin * b, cos * b - sin * a],
            twist,
            measure: measure(vertex.chi()),
        }
    }
}
