//! Ambient occlusion in screen space: how much of the sky above a point is hidden by what the
//! picture shows.

use glam::DVec3;

use crate::noise::Disk;
use crate::raster::Visible;
use crate::view::View;

/// Largest reach, as a part of the picture height; keeps close-ups fast.
const LARGEST_REACH: f64 = 0.25;
/// Elevation (sine) above the tangent plane below which nothing counts, against faceting.
const BIAS: f64 = 0.12;
/// Gain that makes the crevice between two touching tubes nearly black at full strength.
const GAIN: f64 = 3.2;

/// Settings of the ambient occlusion.
#[derive(Debug, Clone)]
pub(crate) struct Occlusion {
    /// 0 (off) to 1.
    pub strength: f64,
    /// Distance at which occluders stop to count, scene length.
    pub reach: f64,
    /// Points looked at.
    pub points: Disk,
}

impl Occlusion {
    /// Part of the ambient light that arrives at `point` with normal `normal` (view coordinates), 0
    /// to 1; `(x, y)` is the sample that shows it, and `turn` the sine and cosine by which the points
    /// are turned.
    ///
    /// The estimate of McGuire 2012 (Scalable Ambient Obscurance): every visible point `q` in reach
    /// counts with the sine of its elevation above the tangent plane, `(q - p) . n / |q - p|`, and
    /// fades with the distance.
    pub fn light(
        &self,
        view: View,
        visible: &Visible,
        point: DVec3,
        normal: DVec3,
        (x, y): (usize, usize),
        turn: (f64, f64),
    ) -> f64 {
        let reach = (self.reach * view.samples_per_length(point.z))
            .min(LARGEST_REACH * visible.height as f64);
        if self.strength <= 0.0 || reach < 1.5 {
            return 1.0;
        }
        let mut hidden = 0.0;
        for (dx, dy) in self.points.turned(turn, reach) {
            // Truncation instead of rounding down only repeats the border of the picture.
            let (qx, qy) = ((x as f64 + 0.5 + dx) as i64, (y as f64 + 0.5 + dy) as i64);
            let depth = visible.depth_at(qx, qy);
            if !depth.is_finite() {
                continue;
            }
            let d = view.unproject(qx as f64 + 0.5, qy as f64 + 0.5, depth) - point;
            let fade = (1.0 - d.length_squared() / (self.reach * self.reach)).max(0.0);
            let elevation = d.dot(normal) / d.length().max(1e-6 * self.reach);
            hidden += fade * ((elevation - BIAS) / (1.0 - BIAS)).max(0.0);
        }
        1.0 - self.strength * (GAIN * hidden / self.points.len() as f64).min(1.0)
    }
}
