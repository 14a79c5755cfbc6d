//! Writhe simulates slender elastic rods that bend, twist, touch, tangle and swim.

pub mod constraints;
pub mod contact;
pub mod elastic;
pub mod forces;
pub mod integrate;
pub mod loads;
pub mod model;
pub mod observe;
pub mod rod;
pub mod schedule;
pub mod simulation;
pub mod solve;
pub mod state;
