//! What rods are held by, what they touch and what they carry, as the page draws it.

use writhe::model::Model;
use writhe::obstacle::{Obstacle, Solid};
use writhe_rundir::RunReader;
use writhe_scenes::spec::{BodySpec, SolidSpec};
use writhe_session::failure::Result;
use writhe_viewer::{
    Fixture, FixtureKind, Joint as Mark, JointKind, Obstacle as Drawn, Setting, Shape,
};

use crate::fixtures::{self, Fixture as Holder};
use crate::joints::{self, Joint, Kind};
use crate::obstacles;

/// Where rods are held.
pub fn fixtures(model: &Model) -> Vec<Fixture> {
    let mark = |held: Holder| {
        let (kind, index) = match held {
            Holder::Clamp(edge) => (FixtureKind::Clamp, edge),
            Holder::Pin(node) => (FixtureKind::Pin, node),
            Holder::Angle(edge) => (FixtureKind::Angle, edge),
        };
        Fixture { kind, index }
    };
    fixtures::all(model).into_iter().map(mark).collect()
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
        });
        let moved = bodies.iter().enumerate().filter_map(|(body, spec)| {
            Some(Drawn {
                shape: of_body(&spec.shape()?),
                body: true,
                hollow: false,
                pose: first + body,
            })
        });
        setting.obstacles = standing.chain(moved).collect();
        setting.joints = joints.iter().map(|j| joint(j, first)).collect();
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

/// A joint as the page draws it; the pose of body 0 is `first`.
fn joint(joint: &Joint, first: usize) -> Mark {
    Mark {
        kind: match joint.kind {
            Kind::Rods => JointKind::Rods,
            Kind::Ball => JointKind::Ball,
            Kind::Weld => JointKind::Weld,
            Kind::Hinge => JointKind::Hinge,
            Kind::Motor => JointKind::Motor,
        },
        pose: joint.body.map(|body| first + body),
        at: joint.at.to_array(),
        axis: joint.axis.to_array(),
        radius: joint.radius,
        half_length: joint.half_length,
    }
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
