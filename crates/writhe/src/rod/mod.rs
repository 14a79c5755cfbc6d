//! A rod: centreline, sections, rest shape, and the kinematics of its discrete frames.

mod builder;
pub mod geometry;
pub mod kinematics;
pub(crate) mod rotation;
mod section;
pub(crate) mod strain;
mod topology;

pub use builder::{Rod, RodError};
pub use kinematics::{Frames, Kinematics};
pub use section::{Material, Section, SectionError};
pub use topology::{RodLayout, Topology};
