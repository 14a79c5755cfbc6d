//! Rapier as the rigid-body engine of Writhe.
//!
//! An explicit step (`writhe::step::symplectic_step`) lets an engine move the bodies that rods are
//! welded to, with the forces and torques of the rods on them, and corrects poses and velocities
//! afterwards so that no rod is stretched (Bergou et al. 2008, section 8). The engine is left as it
//! is: what joins and stops its bodies is its own business. [`RapierEngine`] brings
//!
//! - joints between bodies, or of a body to the scene: those of the core, a weld, a ball, a hinge
//!   with a motor;
//! - [`Collider`]s: bodies that meet each other, and scenery, are kept apart, with friction and
//!   restitution;
//! - guides, that let a body move along and turn about some axes only.
//!
//! Its own state is a snapshot in [`writhe::state::State`], so that a run goes on bit for bit from
//! a file.
//!
//! ```
//! use writhe::bodies::{Body, Joint, JointKind};
//! use writhe::glam::DVec3;
//! use writhe::model::ModelBuilder;
//! use writhe::rod::{Rod, Section};
//! use writhe_rapier::{Collider, RapierEngine, Shape};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A ball on a rod, which an arm holds that turns about the origin.
//! let section = Section { ea: 1e4, ei1: 1e-4, ei2: 1e-4, gj: 1e-4, mass_per_length: 0.01, inertia_per_length: 1e-9, radius: 1e-3 };
//! let nodes = (0..=8).map(|i| DVec3::X * (0.1 + 0.02 * f64::from(i))).collect();
//! let arm = Body::cuboid(0.1, DVec3::new(0.2, 0.02, 0.02), DVec3::ZERO);
//! let ball = Body::sphere(0.02, 0.01, DVec3::X * 0.26);
//! let engine = RapierEngine::new()
//!     .joint(Joint::new([Some(0), None], DVec3::ZERO, JointKind::Ball))
//!     .collider(1, Collider::new(Shape::Ball { radius: 0.01 }));
//! let (model, state) = ModelBuilder::new()
//!     .rod(Rod::open(nodes, section)?)
//!     .body(arm)
//!     .body(ball)
//!     .weld(0, 0, 0)
//!     .weld(1, 0, 7)
//!     .engine(Box::new(engine))
//!     .build()?;
//! # assert_eq!(model.bodies.list.len(), 2);
//! # let _ = state;
//! # Ok(())
//! # }
//! ```

mod collider;
mod convert;
mod description;
mod engine;
mod joint;
mod world;

pub use collider::{Collider, Shape};
pub use engine::RapierEngine;
