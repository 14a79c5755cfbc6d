//! Rigid obstacles: shapes that move as prescribed and that rods touch as they touch each other.
//!
//! A body (`body.rs`) is a convex solid, a thin wall of revolution or a triangle mesh in its own frame, with the features that
//! edges can touch. A step sees it at the pose of its stage, so contact with it has a potential in
//! the unknowns, like contact between rods.

pub(crate) mod body;
pub(crate) mod distance;
pub(crate) mod groups;
pub(crate) mod hollow;
pub(crate) mod mesh;
pub(crate) mod riding;
pub(crate) mod solid;
pub mod surface;
pub(crate) mod sweep;
mod tree;
pub(crate) mod weight;

use std::sync::Arc;

use glam::{DQuat, DVec3};

pub use body::Body;
pub use hollow::Hollow;
pub use mesh::{Mesh, MeshError};
pub(crate) use riding::Riding;
pub use solid::Solid;

use crate::error::ModelError;
use crate::kernels::friction::Directions;
use crate::schedule::{Motion, Pose};

/// A rigid obstacle.
#[derive(Debug, Clone)]
pub struct Obstacle {
    /// Its shape in its own frame.
    pub body: Body,
    /// Pose of its own frame where it is without motion.
    pub placement: Pose,
    /// How it moves from there.
    pub motion: Motion,
    /// Friction coefficient with rods; `None` for that of the contact model.
    pub friction: Option<f64>,
    /// Coefficients by the direction in which a rod slides; `friction` is then the largest.
    pub directions: Option<Directions>,
    /// The rigid body that it is part of.
    pub on: Option<usize>,
    /// How it rides on that body; set when the model is built.
    pub(crate) riding: Option<Arc<Riding>>,
}

impl Obstacle {
    /// All points behind the plane through `point`, m, which `normal` leaves.
    pub fn half_space(point: DVec3, normal: DVec3) -> Self {
        Self::solid(Solid::HalfSpace, towards(point, normal))
    }

    /// Ball of radius `radius`, m, around `centre`, m.
    pub fn sphere(centre: DVec3, radius: f64) -> Self {
        let placement = Pose {
            translation: centre,
            ..Pose::IDENTITY
        };
        Self::solid(Solid::Sphere { radius }, placement)
    }

    /// All points nearer than `radius` to the segment between `ends`, m.
    pub fn capsule(ends: [DVec3; 2], radius: f64) -> Self {
        let (placement, half_length) = between(ends);
        Self::solid(
            Solid::Capsule {
                radius,
                half_length,
            },
            placement,
        )
    }

    /// Cylinder of radius `radius`, m, whose axis joins the middles of its flat `ends`, m.
    pub fn cylinder(ends: [DVec3; 2], radius: f64) -> Self {
        let (placement, half_length) = between(ends);
        Self::solid(
            Solid::Cylinder {
                radius,
                half_length,
            },
            placement,
        )
    }

    /// Thin wall of a tube around the segment between the middles of its open `ends`, m, that a rod
    /// touches from inside and outside.
    pub fn tube(ends: [DVec3; 2], radius: f64) -> Self {
        Self::funnel(ends, [radius; 2])
    }

    /// The same with the radius `radii[0]` at its first end and `radii[1]` at its second, m.
    pub fn funnel(ends: [DVec3; 2], radii: [f64; 2]) -> Self {
        let (placement, half_length) = between(ends);
        let wall = Hollow::Funnel { radii, half_length };
        Self::new(Body::hollow(wall), placement)
    }

    /// Thin spherical wall of radius `radius`, m, around `centre`, m, that a rod touches from inside
    /// and outside.
    pub fn cavity(centre: DVec3, radius: f64) -> Self {
        let placement = Pose {
            translation: centre,
            ..Pose::IDENTITY
        };
        Self::new(Body::hollow(Hollow::Cavity { radius }), placement)
    }

    /// Box of the given half sides, m, at `placement`.
    pub fn cuboid(half: DVec3, placement: Pose) -> Self {
        Self::solid(Solid::Box { half }, placement)
    }

    /// A mesh at `placement`.
    pub fn mesh(mesh: Arc<Mesh>, placement: Pose) -> Self {
        Self::new(Body::mesh(mesh), placement)
    }

    fn solid(solid: Solid, placement: Pose) -> Self {
        Self::new(Body::solid(solid), placement)
    }

    fn new(body: Body, placement: Pose) -> Self {
        Self {
            body,
            placement,
            motion: Motion::Still,
            friction: None,
            directions: None,
            on: None,
            riding: None,
        }
    }

    /// This obstacle, moving.
    pub fn moving(mut self, motion: Motion) -> Self {
        self.motion = motion;
        self
    }

    /// This obstacle with a friction coefficient of its own.
    pub fn with_friction(mut self, coefficient: f64) -> Self {
        self.friction = Some(coefficient);
        self
    }

    /// This obstacle with friction that differs along, against and across a rod.
    pub fn with_directions(self, directions: Directions) -> Self {
        Self {
            directions: Some(directions),
            ..self.with_friction(directions.largest())
        }
    }

    /// This obstacle as part of a rigid body, placed as it lies at the start.
    pub fn on_body(mut self, body: usize) -> Self {
        self.on = Some(body);
        self
    }

    /// Pose of its own frame at `time`, s; of one that rides on a body, at the start.
    pub fn pose(&self, time: f64) -> Pose {
        self.placement.then(&self.motion.pose(time))
    }

    /// Whether it has the shape of another one, wherever both stand.
    pub(crate) fn has_shape_of(&self, other: &Self) -> bool {
        let (a, b) = (&self.body, &other.body);
        (&a.solid, &a.hollow, &a.mesh) == (&b.solid, &b.hollow, &b.mesh)
    }

    /// Checks that every number is in range.
    ///
    /// # Errors
    /// [`ModelError`] with the name of the first number out of range.
    pub fn check(&self) -> Result<(), ModelError> {
        self.directions.as_ref().map_or(Ok(()), Directions::check)?;
        let at = &self.placement;
        let direction = at.rotation.length();
        for (key, value, need, good) in [
            (
                "the place of an obstacle",
                at.translation.element_sum(),
                "finite",
                at.translation.is_finite(),
            ),
            (
                "the direction of an obstacle",
                direction,
                "finite and not zero: the ends of an axis must differ",
                (direction - 1.0).abs() < 1e-6,
            ),
            (
                "the friction coefficient of an obstacle",
                self.friction.unwrap_or(0.0),
                "finite and not negative",
                self.friction.is_none_or(|mu| mu.is_finite() && mu >= 0.0),
            ),
        ] {
            if !good {
                return Err(ModelError::Setting { key, value, need });
            }
        }
        let size = |key, value: f64| {
            if value.is_finite() && value > 0.0 {
                return Ok(());
            }
            let need = "finite and greater than zero";
            Err(ModelError::Setting { key, value, need })
        };
        match self.body.hollow {
            Some(Hollow::Funnel { radii, half_length }) => {
                size("the radius of a tube or funnel", radii[0])?;
                size("the radius of a tube or funnel", radii[1])?;
                size("half the length of a tube or funnel", half_length)?;
            }
            Some(Hollow::Cavity { radius }) => size("the radius of a cavity", radius)?,
            None => {}
        }
        match self.body.solid {
            None | Some(Solid::HalfSpace) => Ok(()),
            Some(Solid::Sphere { radius }) => size("the radius of a sphere", radius),
            Some(Solid::Capsule {
                radius,
                half_length,
            }) => size("the radius of a capsule", radius)
                .and_then(|()| size("half the length of a capsule", half_length)),
            Some(Solid::Cylinder {
                radius,
                half_length,
            }) => size("the radius of a cylinder", radius)
                .and_then(|()| size("half the length of a cylinder", half_length)),
            Some(Solid::Box { half }) => size("half a side of a box", half.min_element())
                .and_then(|()| size("half a side of a box", half.max_element())),
        }
    }
}

/// The pose that turns z into `direction`; not finite for none.
fn towards(place: DVec3, direction: DVec3) -> Pose {
    let rotation = match direction.try_normalize() {
        Some(to) => DQuat::from_rotation_arc(DVec3::Z, to),
        // Left for `check` to find.
        None => DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 0.0),
    };
    Pose {
        rotation,
        translation: place,
    }
}

fn between([a, b]: [DVec3; 2]) -> (Pose, f64) {
    (towards(0.5 * (a + b), b - a), 0.5 * a.distance(b))
}

#[cfg(test)]
pub(crate) mod testing;
