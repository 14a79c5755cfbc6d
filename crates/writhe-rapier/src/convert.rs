//! Vectors and turns of the core in Rapier's types, which come from another version of the same
//! crate, and back.

use glam::{DMat3, DQuat, DVec3};
use rapier3d_f64::math::{Matrix, Pose, Rotation, Vector};

pub(crate) fn vector(v: DVec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

pub(crate) fn back(v: Vector) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

pub(crate) fn rotation(q: DQuat) -> Rotation {
    Rotation::from_xyzw(q.x, q.y, q.z, q.w)
}

pub(crate) fn rotation_back(q: Rotation) -> DQuat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w)
}

pub(crate) fn pose(x: DVec3, r: DQuat) -> Pose {
    Pose::from_parts(vector(x), rotation(r))
}

pub(crate) fn matrix(m: DMat3) -> Matrix {
    Matrix::from_cols(vector(m.x_axis), vector(m.y_axis), vector(m.z_axis))
}
