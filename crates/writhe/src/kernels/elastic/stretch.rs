//! Stretching energy of one edge (T22 Eq. 1 and 5).

use glam::{DMat3, DVec3};

use crate::rod::geometry::outer;

/// Energy `EA/2 (|e|/l - 1)^2 l`, J, for edge vector of length `length` and rest length `rest`, m.
#[inline]
pub(crate) fn energy(ea: f64, rest: f64, length: f64) -> f64 {
    // eps = |e|/l - 1 (T22 Eq. 1)
    let strain = length / rest - 1.0;
    0.5 * ea * strain * strain * rest
}

/// Gradient with respect to the edge vector, N: the axial force times the tangent.
#[inline]
pub(crate) fn gradient(ea: f64, rest: f64, length: f64, tangent: DVec3) -> DVec3 {
    tangent * (ea * (length / rest - 1.0))
}

/// Hessian with respect to the edge vector, N/m: `EA [t t^T / l + (1/l - 1/|e|) (I - t t^T)]`.
#[inline]
pub(crate) fn hessian(ea: f64, rest: f64, length: f64, tangent: DVec3) -> DMat3 {
    let across = 1.0 / rest - 1.0 / length;
    outer(tangent, tangent) * (ea * (1.0 / rest - across))
        + DMat3::from_diagonal(DVec3::splat(ea * across))
}
