//! A ball around points, in the middle of their box.

use glam::DVec3;

/// A ball.
pub(super) struct Ball {
    /// m.
    pub center: DVec3,
    /// m.
    pub radius: f64,
}

impl Ball {
    /// That around points; `None` without any.
    pub(super) fn around(points: impl Iterator<Item = DVec3> + Clone) -> Option<Self> {
        let first = points.clone().next()?;
        let bounds = |(low, high): (DVec3, DVec3), x: DVec3| (low.min(x), high.max(x));
        let (low, high) = points.clone().fold((first, first), bounds);
        // Halves first, so that no sum overflows.
        let center = 0.5 * low + 0.5 * high;
        let radius = points.map(|x| x.distance(center)).fold(0.0, f64::max);
        Some(Self { center, radius })
    }
}
