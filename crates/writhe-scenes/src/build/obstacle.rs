//! Obstacles of the core.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use writhe::contact::Directions;
use writhe::obstacle::{Mesh, Obstacle};
use writhe::schedule::Pose;

use super::motion::motion;
use crate::error::{Problem, SceneError};
use crate::scene::Scene;
use crate::spec::centreline::vector;
use crate::spec::{Direction, DirectionsSpec, MeshSpec, ObstacleShapeSpec, ObstacleSpec, Point};
use crate::units::{Angle, Length, Number};

/// All obstacles of a scene.
pub(super) fn all(scene: &Scene) -> Result<Vec<Obstacle>, SceneError> {
    let specs = scene.spec.obstacles.iter().enumerate();
    specs
        .map(|(i, spec)| obstacle(scene, &format!("obstacles[{i}]"), spec))
        .collect()
}

fn obstacle(scene: &Scene, key: &str, spec: &ObstacleSpec) -> Result<Obstacle, SceneError> {
    let shape = match &spec.shape {
        ObstacleShapeSpec::HalfSpace(s) => {
            Obstacle::half_space(vector(&s.point), vector(&s.normal))
        }
        ObstacleShapeSpec::Sphere(s) => Obstacle::sphere(vector(&s.center), s.radius.si()),
        ObstacleShapeSpec::Capsule(s) => {
            Obstacle::capsule([vector(&s.from), vector(&s.to)], s.radius.si())
        }
        ObstacleShapeSpec::Cylinder(s) => {
            Obstacle::cylinder([vector(&s.from), vector(&s.to)], s.radius.si())
        }
        ObstacleShapeSpec::Box(s) => {
            let half = vector(&s.size) * 0.5;
            Obstacle::cuboid(half, pose(&s.center, &s.axis, s.angle))
        }
        ObstacleShapeSpec::Tube(s) => {
            Obstacle::tube([vector(&s.from), vector(&s.to)], s.radius.si())
        }
        ObstacleShapeSpec::Funnel(s) => {
            let radii = s.radii.map(Length::si);
            Obstacle::funnel([vector(&s.from), vector(&s.to)], radii)
        }
        ObstacleShapeSpec::Cavity(s) => Obstacle::cavity(vector(&s.center), s.radius.si()),
        ObstacleShapeSpec::Mesh(s) => {
            let mesh = mesh(s).map_err(|e| {
                scene.error(
                    &format!("{key}.shape.mesh"),
                    Problem::MeshFile {
                        path: "mesh".to_owned(),
                        message: e,
                    },
                )
            })?;
            Obstacle::mesh(Arc::new(mesh), pose(&s.center, &s.axis, s.angle))
        }
    };
    let moving = shape.moving(motion(&spec.motion));
    let by = spec.friction_by_direction.map(directions);
    Ok(match (by, spec.friction.map(Number::si)) {
        (Some(by), _) => moving.with_directions(by),
        (None, Some(mu)) => moving.with_friction(mu),
        (None, None) => moving,
    })
}

/// Friction by direction, of an obstacle or a rod.
pub(super) fn directions(by: DirectionsSpec) -> Directions {
    Directions {
        forward: by.forward.si(),
        backward: by.backward.si(),
        across: by.across.si(),
    }
}

fn pose(center: &Point, axis: &Direction, angle: Angle) -> Pose {
    Pose {
        rotation: DQuat::from_axis_angle(vector(axis).normalize_or(DVec3::Z), angle.si()),
        translation: vector(center),
    }
}

/// The mesh of a spec, or why it cannot be used.
pub(crate) fn mesh(spec: &MeshSpec) -> Result<Mesh, String> {
    let vertices: Vec<DVec3> = spec.vertices.iter().map(vector).collect();
    let narrow = |t: &[usize; 3]| t.map(|v| u32::try_from(v).unwrap_or(u32::MAX));
    let triangles: Vec<[u32; 3]> = spec.triangles.iter().map(narrow).collect();
    Mesh::new(&vertices, &triangles).map_err(|e| e.to_string())
}
