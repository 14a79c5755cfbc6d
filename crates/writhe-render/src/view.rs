//! From the scene to samples of a picture and back.

use glam::DVec3;

use crate::camera::{Axes, Camera, Projection};
use crate::error::RenderError;

/// Nearest depth that a perspective camera shows, as a part of its distance.
const NEAR: f64 = 1e-3;

/// A camera with a raster of samples.
///
/// View coordinates are (right, up, forward) from the eye, scene length. Samples are counted from
/// the top left corner; the middle of the first sample is at (0.5, 0.5).
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    eye: DVec3,
    pub axes: Axes,
    width: f64,
    height: f64,
    /// Samples per scene length (orthographic), or per scene length at depth one (perspective).
    scale: f64,
    pub perspective: bool,
    /// Smallest depth that is shown.
    pub near: f64,
    /// Depth of the target, scene length.
    pub target_depth: f64,
}

impl View {
    /// A camera on a raster of `width` times `height` samples.
    pub fn new(camera: &Camera, width: u32, height: u32) -> Result<Self, RenderError> {
        let axes = camera.axes()?;
        let perspective = matches!(camera.projection, Projection::Perspective { .. });
        let (width, height) = (f64::from(width), f64::from(height));
        let extent = camera.height_at_target() / if perspective { camera.distance } else { 1.0 };
        Ok(Self {
            eye: camera.eye(),
            axes,
            width,
            height,
            scale: height / extent,
            perspective,
            near: if perspective {
                NEAR * camera.distance
            } else {
                f64::NEG_INFINITY
            },
            target_depth: camera.distance,
        })
    }

    /// View coordinates of a point.
    pub fn to_view(self, point: DVec3) -> DVec3 {
        self.direction_to_view(point - self.eye)
    }

    /// View coordinates of a direction.
    pub fn direction_to_view(self, d: DVec3) -> DVec3 {
        DVec3::new(
            self.axes.right.dot(d),
            self.axes.up.dot(d),
            self.axes.forward.dot(d),
        )
    }

    /// A direction in view coordinates, in those of the scene.
    pub fn direction_to_scene(self, d: DVec3) -> DVec3 {
        self.axes.right * d.x + self.axes.up * d.y + self.axes.forward * d.z
    }

    /// The point with the given view coordinates.
    pub fn to_scene(self, view: DVec3) -> DVec3 {
        self.eye + self.direction_to_scene(view)
    }

    /// Samples per scene length at a depth.
    pub fn samples_per_length(self, depth: f64) -> f64 {
        if self.perspective {
            self.scale / depth
        } else {
            self.scale
        }
    }

    /// Where a point in view coordinates falls on the raster.
    pub fn project(self, view: DVec3) -> (f64, f64) {
        let scale = self.samples_per_length(view.z);
        (
            0.5 * self.width + view.x * scale,
            0.5 * self.height - view.y * scale,
        )
    }

    /// View coordinates of the point at a place of the raster and a depth.
    pub fn unproject(self, x: f64, y: f64, depth: f64) -> DVec3 {
        let scale = self.samples_per_length(depth);
        DVec3::new(
            (x - 0.5 * self.width) / scale,
            (0.5 * self.height - y) / scale,
            depth,
        )
    }

    /// Origin and direction (view coordinates) of the ray through a place of the raster; the
    /// direction has depth one.
    pub fn ray(self, x: f64, y: f64) -> (DVec3, DVec3) {
        let at_one = self.unproject(x, y, 1.0);
        if self.perspective {
            (DVec3::ZERO, at_one)
        } else {
            (at_one - DVec3::Z, DVec3::Z)
        }
    }

    /// Unit vector towards the viewer at a point in view coordinates.
    pub fn towards_viewer(self, view: DVec3) -> DVec3 {
        if self.perspective {
            (-view).normalize_or(DVec3::NEG_Z)
        } else {
            DVec3::NEG_Z
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unproject_inverts_project() {
        for projection in [
            Projection::Orthographic { height: 4.0 },
            Projection::Perspective { fov_y: 0.7 },
        ] {
            let camera = Camera {
                target: DVec3::X,
                direction: DVec3::new(1.0, 2.0, -0.5),
                up: DVec3::Z,
                distance: 9.0,
                projection,
            };
            let view = View::new(&camera, 300, 200).unwrap();
            let point = DVec3::new(1.3, -0.2, 0.4);
            let v = view.to_view(point);
            let (x, y) = view.project(v);
            assert!((view.to_scene(view.unproject(x, y, v.z)) - point).length() < 1e-12);
            let (origin, direction) = view.ray(x, y);
            assert!((origin + direction * v.z - v).length() < 1e-12);
        }
    }
}
