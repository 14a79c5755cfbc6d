//! Bodies that Rapier moves, with rods on them.

#[path = "../../../../tests/core/src/rigid.rs"]
mod rigid;
#[path = "../../../../tests/core/src/scene.rs"]
mod scene;

mod collisions;
mod joints;
mod rods;
