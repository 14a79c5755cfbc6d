//! Rods, equilibria and measures that cases and tests share.

pub mod polygons;
pub mod stability;
pub mod statics;
