//! Finite rotations by Cayley vectors: `w = 2 tan(a/2) axis` for a turn by the angle a.
//!
//! With `R = cay(w)` the displacement of an arm is `R r - r = w x (R r + r) / 2` exactly, which is
//! why steps that conserve energy and momentum want this vector and not the rotation vector (Simo
//! and Wong 1991). It knows turns of less than half a revolution, more than an edge may turn in a
//! step.

use glam::{DMat3, DQuat, DVec3};

use super::geometry::{outer, skew};

/// The rotation of the Cayley vector w.
pub(crate) fn cayley(w: DVec3) -> DQuat {
    let half = 0.5 * w;
    // tan(a/2) = |w|/2: the quaternion (w/2, 1) but for its length
    DQuat::from_xyzw(half.x, half.y, half.z, 1.0).normalize()
}

/// The Cayley vector of a rotation; not finite for half a revolution.
pub(crate) fn cayley_vector(rotation: DQuat) -> DVec3 {
    rotation.xyz() * (2.0 / rotation.w)
}

/// T(w): a change dw of the Cayley vector turns what is rotated by the spin `T dw`, in fixed axes.
pub(crate) fn spin_of_change(w: DVec3) -> DMat3 {
    (DMat3::IDENTITY + skew(0.5 * w)) * (1.0 / (1.0 + 0.25 * w.length_squared()))
}

/// Derivative of `T(w)^T m` by w for a constant m.
pub(crate) fn transposed_spin_gradient(w: DVec3, m: DVec3) -> DMat3 {
    // T^T m = (m + m x w/2)/c with c = 1 + w^2/4, dc/dw = w/2
    let c = 1.0 + 0.25 * w.length_squared();
    skew(m) * (0.5 / c) - outer(m + 0.5 * m.cross(w), w) * (0.5 / (c * c))
}

#[cfg(test)]
mod tests {
    use super::*;

    const W: DVec3 = DVec3::new(0.7, -0.4, 0.9);
    const M: DVec3 = DVec3::new(-0.3, 1.1, 0.5);
    const STEP: f64 = 1e-6;

    #[test]
    fn displacements_are_the_vector_times_the_mean_arm() {
        let r = DVec3::new(0.2, 0.5, -1.0);
        let turned = cayley(W) * r;
        assert!((turned - r - W.cross(0.5 * (turned + r))).length() < 1e-15);
        assert!((cayley_vector(cayley(W)) - W).length() < 1e-15);
    }

    #[test]
    fn derivatives_agree_with_differences() {
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let [before, after] = [-STEP, STEP].map(|s| W + s * axis);
            let turn = cayley_vector(cayley(after) * cayley(before).conjugate()) / (2.0 * STEP);
            assert!((turn - spin_of_change(W) * axis).length() < 1e-9);
            let [before, after] = [before, after].map(|w| spin_of_change(w).transpose() * M);
            let change = (after - before) / (2.0 * STEP);
            assert!((change - transposed_spin_gradient(W, M) * axis).length() < 1e-9);
        }
    }
}
