//! Contact with obstacles within a step, as that between rods.

pub(crate) mod contact;
pub mod frame;
mod friction;
mod memory;
pub(crate) mod set;
