//! One file a case.

pub mod buckling;
pub mod catenary;
pub mod heavy_cantilever;
pub mod loaded_cantilever;
pub mod ring;
