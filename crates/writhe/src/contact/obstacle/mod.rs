//! Contact with obstacles within a step, as that between rods.

pub mod contact;
pub mod frame;
pub mod friction;
pub mod memory;
pub mod set;
