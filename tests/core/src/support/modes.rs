//! A straight rod that vibrates, and phases of an oscillation.

use std::f64::consts::TAU;

use glam::DVec3;
use writhe::rod::{Material, Rod, Section};

pub const LENGTH: f64 = 0.2;
pub const RADIUS: f64 = 2e-3;

/// E = 1e7 Pa, nu = 0.5, rho = 1000 kg/m^3, h = 2 mm: stretching waves run at 100 m/s, twisting
/// ones at 57.7 m/s.
pub fn section() -> Section {
    Section::circle(Material::new(1e7, 0.5, 1000.0), RADIUS)
}

/// Straight rod of 0.2 m along x.
pub fn straight(edges: usize) -> Rod {
    let node = |i: usize| DVec3::X * (LENGTH * i as f64 / edges as f64);
    Rod::open((0..=edges).map(node).collect(), section()).unwrap()
}

/// Phase from one point of the phase plane to the next, rad in [0, 2 pi), turning as `(cos, -sin)`.
pub fn phase((a, b): (f64, f64), (c, d): (f64, f64)) -> f64 {
    (b.atan2(a) - d.atan2(c)).rem_euclid(TAU)
}
