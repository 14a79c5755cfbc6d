//! What rods are held by and what they touch, as the page draws it.

use writhe::constraints::Constraint;
use writhe::contact::obstacle::{Obstacle, Solid};
use writhe::model::Model;
use writhe_viewer::{Fixture, FixtureKind, Obstacle as Drawn, Shape};

/// Where rods are held.
pub fn fixtures(model: &Model) -> Vec<Fixture> {
    let fixture = |constraint: &Constraint| {
        let (kind, index) = match constraint {
            Constraint::Clamp { edge, .. } => (FixtureKind::Clamp, *edge),
            Constraint::Node { node, .. } => (FixtureKind::Pin, *node),
            Constraint::Angle { edge, .. } => (FixtureKind::Angle, *edge),
            // These hold bodies and no rod.
            Constraint::Body { .. } | Constraint::BodyAxes { .. } => return None,
        };
        Some(Fixture { kind, index })
    };
    model
        .constraints
        .list()
        .iter()
        .filter_map(fixture)
        .collect()
}

/// The obstacles in their own frames.
pub fn obstacles(obstacles: &[Obstacle]) -> Vec<Drawn> {
    obstacles
        .iter()
        .map(|obstacle| Drawn {
            shape: shape(obstacle),
            body: false,
        })
        .collect()
}

/// Where they are at `time`, s: quaternion x, y, z, w and translation, m.
pub fn poses(obstacles: &[Obstacle], time: f64) -> Vec<[f64; 7]> {
    let pose = |obstacle: &Obstacle| {
        let pose = obstacle.pose(time);
        let [x, y, z, w] = pose.rotation.to_array();
        let [a, b, c] = pose.translation.to_array();
        [x, y, z, w, a, b, c]
    };
    obstacles.iter().map(pose).collect()
}

fn shape(obstacle: &Obstacle) -> Shape {
    if let Some(mesh) = &obstacle.body.mesh {
        return Shape::Mesh {
            vertices: mesh.vertices().iter().map(|v| v.to_array()).collect(),
            triangles: mesh.triangles().to_vec(),
        };
    }
    match obstacle.body.solid {
        None | Some(Solid::HalfSpace) => Shape::Plane,
        Some(Solid::Sphere { radius }) => Shape::Sphere { radius },
        Some(Solid::Capsule {
            radius,
            half_length,
        }) => Shape::Capsule {
            radius,
            half_length,
        },
        Some(Solid::Cylinder {
            radius,
            half_length,
        }) => Shape::Cylinder {
            radius,
            half_length,
        },
        Some(Solid::Box { half }) => Shape::Box {
            half: half.to_array(),
        },
    }
}
