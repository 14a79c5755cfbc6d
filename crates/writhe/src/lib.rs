//! Writhe simulates slender elastic rods that bend, twist, touch, tangle and swim.

pub mod contact;
pub mod loads;
pub mod solve;
