//! Rods, equilibria and measures that cases and tests share.

pub mod cantilever;
pub mod compliance;
pub mod csv;
pub mod extremes;
pub mod flexible_helix;
pub mod localized_buckling;
pub mod modes;
pub mod oscillator;
pub mod polygons;
pub mod random;
pub mod stability;
pub mod statics;
pub mod stokes;
pub mod sweep;
pub mod tangle;
pub mod twisted_ring;
pub mod twisted_rod;
