//! What rods are held by, what they touch and what they carry, as the page draws it.

use glam::DVec3;
use writhe::model::Model;
use writhe::obstacle::{Obstacle, Solid as Touched};
use writhe_render::Solid;
use writhe_results::bodies;
use writhe_rundir::RunReader;
use writhe_scenes::spec::{BodySpec, SolidSpec};
use writhe_session::failure::Result;
use writhe_viewer::{Collar, Fixture, Joint as Mark, Mesh, Obstacle as Drawn, Setting, Shape};

use crate::joints::{self, Joint};
use crate::{fixtures, obstacles};

/// Puts what holds the rods of a model into the setting of a run of it.
pub fn add_fixtures(model: &Model, setting: &mut Setting) {
    let rods = fixtures::Rods {
        edge_nodes: &model.topology.edge_nodes,
        radius: &model.radius,
        least: 0.0,
    };
    for held in fixtures::all(model) {
        let Some((solid, nodes)) = rods.solid(held).zip(rods.nodes(held)) else {
            continue;
        };
        let collar = rods.collar(held);
        let mesh = mesh(&mut setting.meshes, &solid);
        setting.fixtures.push(Fixture {
            mesh,
            nodes,
            collar: collar.map(|(lengths, part)| Collar { lengths, part }),
        });
    }
}

/// The place of a solid among the meshes of a page, once for all that look the same.
fn mesh(meshes: &mut Vec<Mesh>, solid: &Solid) -> usize {
    // Four digits of a normal are more than light shows.
    let rounded = |n: &DVec3| (n * 1e4).round().as_vec3() / 1e4;
    let mesh = Mesh {
        vertices: solid
            .vertices
            .iter()
            .map(|v| v.as_vec3().to_array())
            .collect(),
        normals: solid
            .normals
            .iter()
            .map(|n| rounded(n).to_array())
            .collect(),
        triangles: solid.triangles.clone(),
    };
    let there = meshes.iter().position(|other| *other == mesh);
    there.unwrap_or_else(|| {
        meshes.push(mesh);
        meshes.len() - 1
    })
}

/// What moves besides rods: obstacles, and bodies after them.
#[derive(Debug, Default)]
pub struct Moving {
    obstacles: Vec<Obstacle>,
    bodies: usize,
    joints: Vec<Joint>,
}

impl Moving {
    /// Puts the obstacles of a model, its bodies and joints into the setting of a run of it. Bodies
    /// that the run does not hold are left out.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub fn new(
        model: Model,
        bodies: &[BodySpec],
        reader: &RunReader,
        setting: &mut Setting,
    ) -> Result<Self> {
        let recorded = match reader.frames() {
            // A run that has just begun will hold them.
            0 => model.bodies.list.len(),
            _ => reader.bodies(0)?.len(),
        };
        let bodies = if recorded == bodies.len() {
            bodies
        } else {
            &[]
        };
        let joints = joints::all(&model, bodies);
        let obstacles = obstacles::standing(model.obstacles);
        let first = obstacles.len();
        let standing = obstacles.iter().enumerate().map(|(pose, o)| Drawn {
            shape: shape(o),
            body: false,
            hollow: o.body.hollow.is_some(),
            pose,
            pin: None,
        });
        let meshes = &mut setting.meshes;
        let moved = bodies.iter().enumerate().filter_map(|(body, spec)| {
            let shape = spec.shape()?;
            Some(Drawn {
                shape: of_body(&shape),
                body: true,
                hollow: false,
                pose: first + body,
                pin: bodies::pin(&shape).map(|pin| mesh(meshes, &pin)),
            })
        });
        setting.obstacles = standing.chain(moved).collect();
        let marks = joints.iter().map(|joint| Mark {
            mesh: mesh(&mut setting.meshes, &joints::solid(joint)),
            pose: joint.body.map(|body| first + body),
            at: joint.at.to_array(),
            turn: joint.turn().to_array(),
        });
        setting.joints = marks.collect();
        setting.poses = first + bodies.len();
        Ok(Self {
            obstacles,
            bodies: bodies.len(),
            joints,
        })
    }

    /// Lets obstacles move as these do, those of the same scene.
    pub fn put(&mut self, obstacles: Vec<Obstacle>) {
        let standing = obstacles::standing(obstacles);
        if standing.len() == self.obstacles.len() {
            self.obstacles = standing;
        }
    }

    /// Whether each joint of the setting holds in frame `index`.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub fn holding(&self, reader: &RunReader, index: usize) -> Result<Vec<bool>> {
        let broken = reader.broken_joints(index)?;
        Ok(self.joints.iter().map(|j| j.holds(&broken)).collect())
    }

    /// Where all of it is in frame `index`, at `time`, s: quaternion x, y, z, w and translation, m.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub fn poses(&self, reader: &RunReader, index: usize, time: f64) -> Result<Vec<[f64; 7]>> {
        let pose = |obstacle: &Obstacle| {
            let pose = obstacle.pose(time);
            together(pose.rotation.to_array(), pose.translation.to_array())
        };
        let mut poses: Vec<[f64; 7]> = self.obstacles.iter().map(pose).collect();
        if self.bodies > 0 {
            let bodies = reader.bodies(index)?;
            poses.extend(bodies.iter().map(|(x, turn)| together(*turn, *x)));
        }
        Ok(poses)
    }
}

fn together([x, y, z, w]: [f64; 4], [a, b, c]: [f64; 3]) -> [f64; 7] {
    [x, y, z, w, a, b, c]
}

fn of_body(solid: &SolidSpec) -> Shape {
    match solid {
        SolidSpec::Sphere { radius } => Shape::Sphere {
            radius: radius.si(),
        },
        SolidSpec::Cylinder { radius, length } => Shape::Cylinder {
            radius: radius.si(),
            half_length: 0.5 * length.si(),
        },
        SolidSpec::Box { size } => Shape::Box {
            half: size.map(|s| 0.5 * s.si()),
        },
    }
}

fn shape(obstacle: &Obstacle) -> Shape {
    if let Some(mesh) = &obstacle.body.mesh {
        return Shape::Mesh {
            vertices: mesh.vertices().iter().map(|v| v.to_array()).collect(),
            triangles: mesh.triangles().to_vec(),
        };
    }
    if let Some(wall) = obstacle.body.hollow {
        let drawn = crate::obstacles::wall(wall);
        return Shape::Mesh {
            vertices: drawn.vertices.iter().map(|v| v.to_array()).collect(),
            triangles: drawn.triangles,
        };
    }
    match obstacle.body.solid {
        None | Some(Touched::HalfSpace) => Shape::Plane,
        Some(Touched::Sphere { radius }) => Shape::Sphere { radius },
        Some(Touched::Capsule {
            radius,
            half_length,
        }) => Shape::Capsule {
            radius,
            half_length,
        },
        Some(Touched::Cylinder {
            radius,
            half_length,
        }) => Shape::Cylinder {
            radius,
            half_length,
        },
        Some(Touched::Box { half }) => Shape::Box {
            half: half.to_array(),
        },
    }
}
