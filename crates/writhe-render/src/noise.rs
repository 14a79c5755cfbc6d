//! Sample patterns that hide their own regularity, the same in every run.

use std::f64::consts::TAU;

/// Turns about the golden angle: points of [`disk`] never line up.
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

/// An angle for a sample of the raster, radians, well spread among its neighbours (Jimenez 2014, interleaved gradient
/// noise).
pub(crate) fn angle(x: usize, y: usize) -> f64 {
    let inner = (0.067_110_56 * x as f64 + 0.005_837_15 * y as f64).fract();
    TAU * (52.982_918_9 * inner).fract()
}

/// The `i`-th of `count` points spread evenly over the unit disk (Vogel 1979), turned by an angle in radians.
pub(crate) fn disk(i: usize, count: usize, turn: f64) -> (f64, f64) {
    let radius = ((i as f64 + 0.5) / count as f64).sqrt();
    let (sin, cos) = (GOLDEN_ANGLE * i as f64 + turn).sin_cos();
    (radius * cos, radius * sin)
}
