//! Rigid bodies, and edges of rods welded to them.
//!
//! A body and the edges welded to it move as one: an [`Assembly`] with the mass, the centre of mass
//! and the inertia of all of it. The welded nodes and angles are no unknowns of their own but
//! follow the six of the assembly. This is how rods carry bodies, how bodies clamp rods, and how
//! rods are joined to each other: by a body without mass of its own.

mod assembly;
mod engine;
mod free;
pub(crate) mod inertia;
pub(crate) mod joint;
pub(crate) mod placement;
pub(crate) mod reduction;

use glam::{DMat3, DQuat, DVec3};

pub(crate) use assembly::Welded;
pub use assembly::{Assemblies, Assembly, Weld, WeldedNode};
pub use engine::{BodyEngine, EngineError};
pub use free::FreeBodies;
pub use joint::{Joint, JointKind, JointLoad, Link, Motor};

/// A rigid body as a user describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Mass, kg; 0 for a joint of rods.
    pub mass: f64,
    /// Inertia about the centre of mass in the body's own axes, kg m^2.
    pub inertia: DMat3,
    /// Centre of mass, m.
    pub position: DVec3,
    /// Takes the body's axes to those of the scene.
    pub orientation: DQuat,
    /// Velocity of the centre of mass, m/s.
    pub velocity: DVec3,
    /// Angular velocity in the axes of the scene, rad/s.
    pub angular_velocity: DVec3,
}

impl Body {
    /// A body at rest with its axes along those of the scene; `inertia` about its own axes, kg m^2.
    pub fn new(mass: f64, inertia: DVec3, position: DVec3) -> Self {
        Self {
            mass,
            inertia: DMat3::from_diagonal(inertia),
            position,
            orientation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
        }
    }

    /// A joint: no mass of its own.
    pub fn joint(position: DVec3) -> Self {
        Self::new(0.0, DVec3::ZERO, position)
    }

    /// A homogeneous sphere of `radius`, m.
    pub fn sphere(mass: f64, radius: f64, position: DVec3) -> Self {
        Self::new(mass, DVec3::splat(0.4 * mass * radius * radius), position)
    }

    /// A homogeneous box with edges `size`, m.
    pub fn cuboid(mass: f64, size: DVec3, position: DVec3) -> Self {
        let s = size * size;
        // m (b^2 + c^2)/12, cyclic
        let inertia = DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (mass / 12.0);
        Self::new(mass, inertia, position)
    }

    /// A homogeneous cylinder of `radius` and `length`, m, along its own z.
    pub fn cylinder(mass: f64, radius: f64, length: f64, position: DVec3) -> Self {
        let (r, l) = (radius * radius, length * length);
        // m (3 r^2 + l^2)/12 across, m r^2/2 about the axis
        let across = mass * (3.0 * r + l) / 12.0;
        Self::new(mass, DVec3::new(across, across, 0.5 * mass * r), position)
    }
}
