//! Sample patterns that hide their own regularity, the same in every run.

use std::f64::consts::TAU;

/// Turns about the golden angle: points of a [`Disk`] never line up.
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

/// An angle for a sample of the raster, radians, well spread among its neighbours (Jimenez 2014,
/// interleaved gradient noise).
pub(crate) fn angle(x: usize, y: usize) -> f64 {
    let inner = (0.067_110_56 * x as f64 + 0.005_837_15 * y as f64).fract();
    TAU * (52.982_918_9 * inner).fract()
}

/// Points spread evenly over the unit disk (Vogel 1979).
#[derive(Debug, Clone)]
pub(crate) struct Disk {
    points: Vec<(f64, f64)>,
}

impl Disk {
    pub fn new(count: usize) -> Self {
        let point = |i: usize| {
            let radius = ((i as f64 + 0.5) / count as f64).sqrt();
            let (sin, cos) = (GOLDEN_ANGLE * i as f64).sin_cos();
            (radius * cos, radius * sin)
        };
        Self {
            points: (0..count).map(point).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// The points, turned by an angle given as sine and cosine and scaled to a radius.
    pub fn turned(&self, (sin, cos): (f64, f64), radius: f64) -> impl Iterator<Item = (f64, f64)> {
        let (sin, cos) = (radius * sin, radius * cos);
        self.points
            .iter()
            .map(move |&(x, y)| (x * cos - y * sin, x * sin + y * cos))
    }
}
