//! What is around the rods of a run, as meshes that move: obstacles, rigid bodies, joints, clamps.

use glam::{DQuat, DVec3};

/// What is around the rods.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// Meshes with their poses.
    pub things: Vec<Thing>,
    /// Unit vector to the rod from the obstacle or body that it touches, for each contact of each
    /// frame, `(frames, contacts)`; 0 for a contact between rods, whose direction is that of their
    /// centrelines. Empty where the scene is not known.
    pub normals: Vec<Vec<DVec3>>,
}

/// A mesh among the rods.
#[derive(Debug, Clone)]
pub struct Thing {
    /// What it is.
    pub kind: Kind,
    /// Its number among those of its kind, from 0, as in the scene and in `contacts.csv`.
    pub index: usize,
    /// Its name in the scene, or what sort of its kind it is; may be empty.
    pub label: String,
    /// Its surface in its own frame.
    pub mesh: Mesh,
    /// Colour, linear light.
    pub colour: [f64; 3],
    /// Opacity, 0 to 1.
    pub opacity: f64,
    /// Its pose in each frame, `(frames)`; `None` where it is not there, as a joint that has let go.
    pub poses: Vec<Option<Pose>>,
}

/// What a mesh stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An obstacle of the scene.
    Obstacle,
    /// A rigid body.
    Body,
    /// Where bodies join rods or each other.
    Joint,
    /// Where a rod is held.
    Clamp,
}

/// Where a mesh is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Of its origin, m; of a body its centre of mass.
    pub position: DVec3,
    /// From its own axes to those of the scene.
    pub rotation: DQuat,
    /// By how much it is longer along its own z; 1 but for what follows an edge.
    pub length: f64,
}

/// A surface of triangles.
#[derive(Debug, Clone, Default)]
pub struct Mesh {
    /// m, `(vertices, 3)`.
    pub vertices: Vec<DVec3>,
    /// Unit, `(vertices, 3)`.
    pub normals: Vec<DVec3>,
    /// Vertices of each triangle, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Obstacle, Self::Body, Self::Joint, Self::Clamp];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Obstacle => "obstacle",
            Self::Body => "body",
            Self::Joint => "joint",
            Self::Clamp => "clamp",
        }
    }

    /// The name of a group of them.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Obstacle => "obstacles",
            Self::Body => "bodies",
            Self::Joint => "joints",
            Self::Clamp => "clamps",
        }
    }
}

impl Thing {
    /// A name that no other has and that every format allows: letters, digits and underscores.
    pub fn name(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let label: String = self.label.chars().map(plain).collect();
        let joined = if label.is_empty() { "" } else { "_" };
        format!("{}{}{joined}{label}", self.kind.name(), self.index)
    }

    /// Whether it is there and at the same place in all frames.
    pub fn is_still(&self) -> bool {
        let first = self.poses.first();
        first.is_none_or(|first| first.is_some() && self.poses.iter().all(|pose| pose == first))
    }
}

impl Pose {
    /// Where it leaves nothing moved.
    pub const IDENTITY: Self = Self {
        position: DVec3::ZERO,
        rotation: DQuat::IDENTITY,
        length: 1.0,
    };

    /// Where a point of the mesh is, m.
    pub fn place(&self, x: DVec3) -> DVec3 {
        self.position + self.rotation * (x * DVec3::new(1.0, 1.0, self.length))
    }

    /// Where a unit normal of the mesh points.
    pub fn turn(&self, normal: DVec3) -> DVec3 {
        let scaled = normal * DVec3::new(1.0, 1.0, 1.0 / self.length);
        self.rotation * scaled.normalize_or(normal)
    }
}

/// Takes of the two quaternions of each rotation that which is nearer to the one before, so that
/// programs turn the short way between frames.
pub(super) fn turn_the_short_way(turns: &mut [DQuat]) {
    let mut before = DQuat::IDENTITY;
    for here in turns {
        if before.dot(*here) < 0.0 {
            *here = -*here;
        }
        before = *here;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thing(label: &str, poses: Vec<Option<Pose>>) -> Thing {
        Thing {
            kind: Kind::Body,
            index: 3,
            label: label.into(),
            mesh: Mesh::default(),
            colour: [0.5; 3],
            opacity: 1.0,
            poses,
        }
    }

    #[test]
    fn names_are_those_of_files() {
        assert_eq!(thing("", vec![]).name(), "body3");
        assert_eq!(thing("lower bob/\"é", vec![]).name(), "body3_lower_bob___");
    }

    #[test]
    fn what_moves_or_goes_is_not_still() {
        let (here, there) = (
            Pose::IDENTITY,
            Pose {
                length: 2.0,
                ..Pose::IDENTITY
            },
        );
        for (poses, still) in [
            (vec![Some(here), Some(here)], true),
            (vec![Some(here), Some(there)], false),
            (vec![Some(here), None], false),
            (vec![None, None], false),
        ] {
            assert_eq!(thing("", poses).is_still(), still);
        }
    }
}
