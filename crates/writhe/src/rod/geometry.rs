//! Parallel transport, signed angles and rotations of unit vectors.

use glam::{DMat3, DVec3};

/// Transports `v` along the shortest rotation that takes the unit vector `from` to the unit vector
/// `to`.
///
/// Undefined for `to = -from`; callers reject edges that turn that far (`MAX_TURN_COSINE`).
#[inline]
pub fn parallel_transport(v: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let axis = from.cross(to);
    let cos = from.dot(to);
    // Rodrigues' formula, where (1 - cos)/sin^2 = 1/(1 + cos)
    cos * v + axis.cross(v) + axis * (axis.dot(v) / (1.0 + cos))
}

/// Angle from `a` to `b` about `axis`, rad, in (-pi, pi].
#[inline]
pub fn signed_angle(a: DVec3, b: DVec3, axis: DVec3) -> f64 {
    a.cross(b).dot(axis).atan2(a.dot(b))
}

/// The value congruent to `angle` modulo 2 pi that is nearest to `near`, rad.
///
/// This is what lets reference twist grow past pi between two edges.
#[inline]
pub(crate) fn unwrap_angle(angle: f64, near: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    let apart = angle - near;
    // Nearly always so; to round is a call of a library.
    if apart.abs() < PI {
        return angle;
    }
    angle - TAU * (apart / TAU).round()
}

/// Any unit vector normal to the unit vector `t`; deterministic.
pub fn any_normal(t: DVec3) -> DVec3 {
    let a = t.abs();
    // The coordinate axis that is farthest from t: never along it.
    let axis = if a.x <= a.y && a.x <= a.z {
        DVec3::X
    } else if a.y <= a.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    (axis - t * axis.dot(t)).normalize()
}

/// `v` made orthogonal to the unit vector `t` and normalised.
#[inline]
pub fn orthonormalize(v: DVec3, t: DVec3) -> DVec3 {
    (v - t * t.dot(v)).normalize()
}

/// Outer product `a b^T`.
#[inline]
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Matrix of the cross product: `skew(a) v = a x v`.
#[inline]
pub(crate) fn skew(a: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, a.z, -a.y),
        DVec3::new(-a.z, 0.0, a.x),
        DVec3::new(a.y, -a.x, 0.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transport_keeps_lengths_angles_and_the_tangent() {
        let from = DVec3::new(0.3, -0.5, 0.8).normalize();
        let to = DVec3::new(-0.2, 0.9, 0.4).normalize();
        let v = any_normal(from);
        let w = parallel_transport(v, from, to);
        assert!((w.length() - 1.0).abs() < 1e-15 && w.dot(to).abs() < 1e-15);
        assert!((parallel_transport(from, from, to) - to).length() < 1e-15);
    }

    #[test]
    fn angles_unwrap_to_the_nearest_turn() {
        assert!((unwrap_angle(0.1, 12.6) - (0.1 + 4.0 * std::f64::consts::PI)).abs() < 1e-14);
    }

    #[test]
    fn skew_is_the_cross_product() {
        let (a, b) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(-0.5, 0.7, 0.2));
        assert_eq!(skew(a) * b, a.cross(b));
    }
}
