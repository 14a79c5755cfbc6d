//! Shapes by which bodies meet each other, and the scene.

use glam::DVec3;
use rapier3d_f64::geometry::{ColliderBuilder, SharedShape};
use rapier3d_f64::math::Pose as RapierPose;
use rapier3d_f64::parry::math::Vector;
use writhe::bodies::EngineError;
use writhe::schedule::Pose;

use crate::convert;

/// A shape about its own origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// A ball.
    Ball {
        /// Radius, m.
        radius: f64,
    },
    /// A box.
    Cuboid {
        /// Half of each side, m.
        half: DVec3,
    },
    /// A cylinder along its own z with round ends.
    Capsule {
        /// Half of the straight part, m.
        half_length: f64,
        /// Radius, m.
        radius: f64,
    },
    /// A cylinder along its own z with flat ends.
    Cylinder {
        /// Half of its length, m.
        half_length: f64,
        /// Radius, m.
        radius: f64,
    },
    /// All points with z < 0: a floor. For the scene, not for bodies.
    HalfSpace,
}

/// A shape with a place and a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Collider {
    /// The shape.
    pub shape: Shape,
    /// Takes the shape to the axes of its body, from the body's own centre of mass (welded edges
    /// left out); of scenery, to the scene.
    pub place: Pose,
    /// Friction coefficient; where two meet, the mean of both counts.
    pub friction: f64,
    /// Speed after an impact over that before, 0 to 1; where two meet, the mean of both counts.
    pub restitution: f64,
}

impl Collider {
    /// Without friction and restitution, at the centre of mass.
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            place: Pose::IDENTITY,
            friction: 0.0,
            restitution: 0.0,
        }
    }

    /// At another place.
    pub fn at(self, place: Pose) -> Self {
        Self { place, ..self }
    }

    /// With friction.
    pub fn with_friction(self, friction: f64) -> Self {
        Self { friction, ..self }
    }

    /// With restitution.
    pub fn with_restitution(self, restitution: f64) -> Self {
        Self {
            restitution,
            ..self
        }
    }

    /// Checked; `of` says whose it is, as in "the collider of body 3".
    pub(crate) fn check(&self, of: &str, on_body: bool) -> Result<(), EngineError> {
        let lengths = self.shape.lengths();
        if let Some((name, length)) = lengths.iter().find(|(_, l)| !(*l > 0.0 && l.is_finite())) {
            return Err(EngineError(format!(
                "{of} has the {name} {length} m; give it a length greater than zero"
            )));
        }
        if on_body && self.shape == Shape::HalfSpace {
            return Err(EngineError(format!(
                "{of} is a half-space, which nothing that moves can carry; give it to the scene (`RapierEngine::scenery`)"
            )));
        }
        if !(self.friction >= 0.0 && self.friction.is_finite()) {
            return Err(EngineError(format!(
                "{of} has the friction coefficient {}; give it one of at least zero",
                self.friction
            )));
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err(EngineError(format!(
                "{of} has the restitution {}; give it one from 0 to 1",
                self.restitution
            )));
        }
        Ok(())
    }

    /// In Rapier's terms; `origin` is the body's own centre of mass in the axes of what carries it,
    /// m. It has no mass: that of its body is known.
    pub(crate) fn build(&self, origin: DVec3) -> ColliderBuilder {
        let place = convert::pose(origin + self.place.translation, self.place.rotation);
        let (shape, own) = self.shape.build();
        ColliderBuilder::new(shape)
            .position(place * own)
            .density(0.0)
            .friction(self.friction)
            .restitution(self.restitution)
    }
}

impl Shape {
    /// Its lengths by name, m.
    fn lengths(&self) -> Vec<(&'static str, f64)> {
        match *self {
            Self::Ball { radius } => vec![("radius", radius)],
            Self::Cuboid { half } => {
                let sides = half.to_array().map(|side| ("half of a side", side));
                sides.to_vec()
            }
            Self::Capsule {
                half_length,
                radius,
            }
            | Self::Cylinder {
                half_length,
                radius,
            } => vec![("half length", half_length), ("radius", radius)],
            Self::HalfSpace => Vec::new(),
        }
    }

    /// Its smallest extent, m.
    pub(crate) fn smallest(&self) -> Option<f64> {
        let lengths = self.lengths().into_iter();
        lengths.map(|(_, l)| 2.0 * l).min_by(f64::total_cmp)
    }

    /// Rapier's shape, and the turn that brings its axis to z.
    fn build(&self) -> (SharedShape, RapierPose) {
        let along_z = RapierPose::rotation(Vector::X * std::f64::consts::FRAC_PI_2);
        match *self {
            Self::Ball { radius } => (SharedShape::ball(radius), RapierPose::IDENTITY),
            Self::Cuboid { half } => (
                SharedShape::cuboid(half.x, half.y, half.z),
                RapierPose::IDENTITY,
            ),
            Self::Capsule {
                half_length,
                radius,
            } => (SharedShape::capsule_y(half_length, radius), along_z),
            Self::Cylinder {
                half_length,
                radius,
            } => (SharedShape::cylinder(half_length, radius), along_z),
            Self::HalfSpace => (SharedShape::halfspace(Vector::Z), RapierPose::IDENTITY),
        }
    }
}
