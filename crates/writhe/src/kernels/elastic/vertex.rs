//! What bends and twists at a vertex, whichever way its curvature is measured.

use crate::kernels::elastic::bend::{Bending, ByAngles};
use crate::kernels::elastic::half_edges::HalfEdges;
use crate::kernels::elastic::twist::Twisting;
use crate::rod::strain::VertexGeometry;

/// The elasticity of one vertex.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Elasticity<'a> {
    /// Bending, in one part or in one for each edge, and twisting, each for itself.
    Apart(&'a [Bending], &'a Twisting),
    /// Both at once.
    Series(&'a HalfEdges),
}

/// Length of a plane vector; strains are far from the ends of the range, for which `hypot` makes a
/// call of a library.
fn size(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

impl Elasticity<'_> {
    /// Energies of bending, in up to two parts, and of twisting, J, at a twist in rad.
    #[inline]
    pub fn energy(&self, vertex: &VertexGeometry, twist: f64) -> ([f64; 2], f64) {
        match self {
            Self::Apart(bending, twisting) => {
                let mut parts = [0.0; 2];
                for (part, b) in parts.iter_mut().zip(*bending) {
                    *part = b.energy(vertex.curvature(b.sides));
                }
                (parts, twisting.energy(twist))
            }
            Self::Series(halves) => {
                let [bend, twisting] = halves.energy(vertex, twist);
                ([bend, 0.0], twisting)
            }
        }
    }

    /// Derivatives of the energy by the angles of both edges.
    pub fn by_angles(&self, vertex: &VertexGeometry, twist: f64) -> ByAngles {
        match self {
            Self::Apart(bending, twisting) => {
                // dE/dth- and dE/dth+ of twisting and bending
                let mut sum = twisting.by_angles(twist);
                for part in *bending {
                    sum += part.by_angles(vertex);
                }
                sum
            }
            Self::Series(halves) => halves.by_angles(vertex, twist),
        }
    }

    /// Size of the curvature less that at rest, as the energy measures it, and the twist less that
    /// at rest, rad.
    #[inline]
    pub fn strain(&self, vertex: &VertexGeometry, twist: f64) -> [f64; 2] {
        self.strain_and_moments(vertex, twist).0
    }

    /// The angle by which a straight vertex of this curvature turns, rad.
    pub fn turn(&self, curvature: f64) -> f64 {
        match self {
            // kappa = 2 tan(angle / 2).
            Self::Apart(..) => 2.0 * (0.5 * curvature).atan(),
            // The angle but for its fifth power.
            Self::Series(_) => curvature,
        }
    }

    /// What [`Elasticity::strain`] says, with the bending and the twisting moment, N m.
    #[inline]
    pub fn strain_and_moments(&self, vertex: &VertexGeometry, twist: f64) -> ([f64; 2], [f64; 2]) {
        match self {
            Self::Apart(bending, twisting) => {
                let (mut bent, mut moment) = (0.0_f64, 0.0);
                for part in *bending {
                    let curvature = vertex.curvature(part.sides);
                    let [x, y] = curvature;
                    bent = bent.max(size(x - part.rest[0], y - part.rest[1]));
                    let [x, y] = part.moments(curvature);
                    moment += size(x, y);
                }
                (
                    [bent, twist - twisting.rest],
                    [moment, twisting.moment(twist)],
                )
            }
            Self::Series(halves) => {
                let strain = halves.strain(vertex, twist);
                let ([a, b, turned], [x, y, torque]) = (strain, halves.moments(strain));
                ([size(a, b), turned], [size(x, y), torque])
            }
        }
    }

    /// Twist at rest, rad.
    pub fn rest_twist(&self) -> f64 {
        match self {
            Self::Apart(_, twisting) => twisting.rest,
            Self::Series(halves) => halves.rest[2],
        }
    }

    /// Size of the curvature at rest, of two the larger one.
    pub fn largest_rest_curvature(&self) -> f64 {
        match self {
            Self::Apart(bending, _) => {
                let sizes = bending.iter().map(|part| size(part.rest[0], part.rest[1]));
                sizes.fold(0.0, f64::max)
            }
            Self::Series(halves) => size(halves.rest[0], halves.rest[1]),
        }
    }

    /// Upper bounds of the stiffness against bending and against twisting, N m.
    pub fn largest_stiffness(&self) -> [f64; 2] {
        match self {
            Self::Apart(bending, twisting) => {
                let parts = bending.iter();
                let bent = parts.map(|b| b.stiffness[0].max(b.stiffness[1])).sum();
                [bent, twisting.stiffness]
            }
            Self::Series(halves) => {
                // Rows of a symmetric matrix bound its eigenvalues.
                let rows = halves
                    .stiffness
                    .map(|row| row.map(f64::abs).iter().sum::<f64>());
                [rows[0].max(rows[1]), rows[2]]
            }
        }
    }

    /// Whether the mean of the directors of both edges measures the curvature, which twist between
    /// them makes shorter.
    pub fn is_averaged(&self) -> bool {
        matches!(self, Self::Apart([_], _))
    }

    /// Whether the energy of bending is the same at all angles.
    pub fn ignores_angles(&self) -> bool {
        match self {
            Self::Apart(bending, _) => bending.iter().all(Bending::ignores_angles),
            Self::Series(halves) => halves.ignores_angles(),
        }
    }
}
