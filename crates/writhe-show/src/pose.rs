//! Where solids are.

use glam::{DQuat, DVec3};
use writhe_render::Solid;
use writhe_rundir::surroundings::Pose;

/// Here, m, turned so.
pub fn at(position: DVec3, rotation: DQuat) -> Pose {
    Pose {
        position,
        rotation,
        ..Pose::IDENTITY
    }
}

/// Where a body is: its centre of mass, m, and the quaternion x, y, z, w of its axes.
pub fn of_body((centre, turn): &([f64; 3], [f64; 4])) -> Pose {
    at(DVec3::from_array(*centre), DQuat::from_array(*turn))
}

/// A solid at its place.
pub fn placed(mut solid: Solid, pose: &Pose) -> Solid {
    let vertices = solid.vertices.iter_mut();
    vertices.for_each(|vertex| *vertex = pose.place(*vertex));
    let normals = solid.normals.iter_mut();
    normals.for_each(|normal| *normal = pose.turn(*normal));
    solid
}
