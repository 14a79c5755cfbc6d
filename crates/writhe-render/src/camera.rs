//! Where the picture is taken from.

use glam::DVec3;

use crate::bounds::Bounds;
use crate::error::RenderError;

/// A camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The point in the middle of the picture, scene length.
    pub target: DVec3,
    /// Direction of view, from the eye to the target, any length.
    pub direction: DVec3,
    /// What is up in the picture; need not be normal to the direction.
    pub up: DVec3,
    /// Distance from the eye to the target, scene length.
    pub distance: f64,
    /// How depth is shown.
    pub projection: Projection,
}

/// How depth is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// Parallel rays.
    Orthographic {
        /// Height of the picture, scene length.
        height: f64,
    },
    /// Rays through the eye.
    Perspective {
        /// Vertical angle of view, radians.
        fov_y: f64,
    },
}

impl Camera {
    /// The orthographic camera that shows all of `bounds` in a picture of the given `aspect` (width
    /// over height), with `margin` (part of the picture on each side, 0 to 0.4) left empty.
    ///
    /// # Errors
    /// [`RenderError::EmptyBounds`], [`RenderError::BadCamera`] or [`RenderError::BadOption`].
    pub fn fit(
        bounds: &Bounds,
        direction: DVec3,
        up: DVec3,
        aspect: f64,
        margin: f64,
    ) -> Result<Self, RenderError> {
        let axes = Axes::new(direction, up)?;
        let scale = checked_scale(bounds, aspect, margin)?;
        let (width, height) = axes.size(bounds);
        let height = scale * height.max(width / aspect);
        let depth = axes.depth(bounds);
        let projection = Projection::Orthographic { height };
        Ok(Self {
            target: axes.middle(bounds),
            direction,
            up,
            distance: depth + height,
            projection,
        })
    }

    /// The perspective camera with the vertical angle of view `fov_y` (radians) that shows all of
    /// `bounds` from as near as possible; the rest as in [`Camera::fit`].
    ///
    /// # Errors
    /// As for [`Camera::fit`].
    pub fn fit_perspective(
        bounds: &Bounds,
        direction: DVec3,
        up: DVec3,
        fov_y: f64,
        aspect: f64,
        margin: f64,
    ) -> Result<Self, RenderError> {
        let axes = Axes::new(direction, up)?;
        let scale = checked_scale(bounds, aspect, margin)?;
        if !(0.01..=2.5).contains(&fov_y) {
            return Err(RenderError::BadOption {
                name: "fov_y",
                value: fov_y,
            });
        }
        let tangent = (0.5 * fov_y).tan() / scale;
        let (x, back_x) = axes.apex(bounds, axes.right, tangent * aspect);
        let (y, back_y) = axes.apex(bounds, axes.up, tangent);
        let forward = back_x.min(back_y);
        let eye = axes.right * x + axes.up * y + axes.forward * forward;
        let middle = axes.middle(bounds);
        // Never inside of the bounds, even if they are a single point.
        let distance = axes
            .forward
            .dot(middle - eye)
            .max(1e-9 * (1.0 + middle.length()));
        let projection = Projection::Perspective { fov_y };
        Ok(Self {
            target: eye + axes.forward * distance,
            direction,
            up,
            distance,
            projection,
        })
    }

    /// A direction from which `bounds` looks spread out, with the given axis up: along the flattest
    /// horizontal principal axis, and looking down the more, the flatter the whole is.
    pub fn good_direction(bounds: &Bounds, up: DVec3) -> DVec3 {
        let up = up.normalize_or(DVec3::Z);
        let (e1, e2) = up.any_orthonormal_pair();
        let covariance = bounds.covariance();
        let (a, b, c) = (
            e1.dot(covariance * e1),
            e1.dot(covariance * e2),
            e2.dot(covariance * e2),
        );
        let (mean, gap) = (0.5 * (a + c), (0.25 * (a - c).powi(2) + b * b).sqrt());
        // Angle of the widest horizontal axis; a round base gives none, then any is as good.
        let widest = if gap > 0.02 * mean {
            0.5 * (2.0 * b).atan2(a - c)
        } else {
            0.0
        };
        let mut right = e1 * widest.cos() + e2 * widest.sin();
        let largest = right.abs().max_element();
        if right.to_array().iter().any(|&c| -c > 0.999 * largest) {
            right = -right;
        }
        let horizontal = up.cross(right);
        // Look down by 10 degrees on something tall, by 50 on something flat.
        let vertical = up.dot(covariance * up);
        let tall = (vertical / (mean + gap).max(f64::MIN_POSITIVE))
            .sqrt()
            .clamp(0.0, 1.0);
        let down = (50.0 - 40.0 * tall).to_radians();
        horizontal * down.cos() - up * down.sin()
    }

    /// Width and height of `bounds` seen along `direction`, scene length.
    ///
    /// # Errors
    /// [`RenderError::EmptyBounds`] or [`RenderError::BadCamera`].
    pub fn extent(bounds: &Bounds, direction: DVec3, up: DVec3) -> Result<(f64, f64), RenderError> {
        if bounds.is_empty() {
            return Err(RenderError::EmptyBounds);
        }
        Ok(Axes::new(direction, up)?.size(bounds))
    }

    /// The same camera, with things in the middle of the picture `factor` times as large.
    pub fn zoomed(mut self, factor: f64) -> Self {
        self.projection = match self.projection {
            Projection::Orthographic { height } => Projection::Orthographic {
                height: height / factor,
            },
            Projection::Perspective { fov_y } => Projection::Perspective {
                fov_y: 2.0 * ((0.5 * fov_y).tan() / factor).atan(),
            },
        };
        self
    }

    /// Height of the picture at the target, scene length.
    pub fn height_at_target(&self) -> f64 {
        match self.projection {
            Projection::Orthographic { height } => height,
            Projection::Perspective { fov_y } => 2.0 * self.distance * (0.5 * fov_y).tan(),
        }
    }

    /// Position of the eye, scene length.
    pub fn eye(&self) -> DVec3 {
        self.target - self.direction.normalize_or_zero() * self.distance
    }

    /// Refuses cameras without a direction, size or distance.
    pub(crate) fn axes(&self) -> Result<Axes, RenderError> {
        let height = self.height_at_target();
        let size_ok = height > 0.0 && height.is_finite() && self.target.is_finite();
        let angle_ok = match self.projection {
            Projection::Orthographic { .. } => self.distance.is_finite(),
            Projection::Perspective { fov_y } => fov_y > 0.0 && fov_y < 3.1 && self.distance > 0.0,
        };
        if !size_ok || !angle_ok {
            return Err(RenderError::BadCamera {
                reason: "size, distance or angle of view is not a positive number",
            });
        }
        Axes::new(self.direction, self.up)
    }
}

/// Orthonormal axes of a picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axes {
    pub right: DVec3,
    pub up: DVec3,
    pub forward: DVec3,
}

impl Axes {
    pub fn new(direction: DVec3, up: DVec3) -> Result<Self, RenderError> {
        let (Some(forward), Some(up)) = (direction.try_normalize(), up.try_normalize()) else {
            return Err(RenderError::BadCamera {
                reason: "direction or up has no length",
            });
        };
        let right = forward.cross(up);
        if right.length() < 1e-9 {
            return Err(RenderError::BadCamera {
                reason: "direction and up are parallel",
            });
        }
        let right = right.normalize();
        Ok(Self {
            right,
            up: right.cross(forward),
            forward,
        })
    }

    /// Width and height of the bounds, scene length.
    fn size(&self, bounds: &Bounds) -> (f64, f64) {
        let width = |axis: DVec3| bounds.support(axis) + bounds.support(-axis);
        (width(self.right), width(self.up))
    }

    fn depth(&self, bounds: &Bounds) -> f64 {
        bounds.support(self.forward) + bounds.support(-self.forward)
    }

    /// Middle of the bounds along all three axes.
    fn middle(&self, bounds: &Bounds) -> DVec3 {
        let middle = |axis: DVec3| axis * (0.5 * (bounds.support(axis) - bounds.support(-axis)));
        middle(self.right) + middle(self.up) + middle(self.forward)
    }

    /// Tip of the wedge with half angle `atan(tangent)` in the plane of `axis` and forward that
    /// touches the bounds on both sides: its coordinates along `axis` and forward.
    fn apex(&self, bounds: &Bounds, axis: DVec3, tangent: f64) -> (f64, f64) {
        let half = tangent.atan();
        let (sin, cos) = half.sin_cos();
        // Inside of the wedge: +-(x - x0) cos - (f - f0) sin + radius <= 0.
        let plus = bounds.support(axis * cos - self.forward * sin);
        let minus = bounds.support(-axis * cos - self.forward * sin);
        ((plus - minus) / (2.0 * cos), -(plus + minus) / (2.0 * sin))
    }
}

/// Factor by which the picture is larger than its content.
fn checked_scale(bounds: &Bounds, aspect: f64, margin: f64) -> Result<f64, RenderError> {
    if bounds.is_empty() {
        return Err(RenderError::EmptyBounds);
    }
    if !(aspect > 1e-3 && aspect < 1e3) {
        return Err(RenderError::BadOption {
            name: "aspect",
            value: aspect,
        });
    }
    if !(0.0..=0.4).contains(&margin) {
        return Err(RenderError::BadOption {
            name: "margin",
            value: margin,
        });
    }
    Ok(1.0 / (1.0 - 2.0 * margin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar() -> Bounds {
        let mut bounds = Bounds::default();
        bounds.add_ball(DVec3::new(-2.0, 0.0, 0.0), 0.5);
        bounds.add_ball(DVec3::new(4.0, 1.0, 0.0), 0.5);
        bounds
    }

    #[test]
    fn fit_shows_width_and_height_with_margin() {
        let camera = Camera::fit(&bar(), DVec3::NEG_Z, DVec3::Y, 1.0, 0.1).unwrap();
        assert!((camera.height_at_target() - 7.0 / 0.8).abs() < 1e-12);
        assert!((camera.target - DVec3::new(1.0, 0.5, 0.0)).length() < 1e-12);
    }

    #[test]
    fn perspective_fit_touches_the_bounds() {
        let fov: f64 = 0.8;
        let camera =
            Camera::fit_perspective(&bar(), DVec3::NEG_Z, DVec3::Y, fov, 1.0, 0.0).unwrap();
        let half = 0.5 * fov;
        let right_plane = DVec3::new(half.cos(), 0.0, half.sin());
        let left_plane = DVec3::new(-half.cos(), 0.0, half.sin());
        for plane in [right_plane, left_plane] {
            assert!((bar().support(plane) - plane.dot(camera.eye())).abs() < 1e-12);
        }
    }

    #[test]
    fn good_direction_sees_a_planar_curve_from_the_front() {
        let mut bounds = Bounds::default();
        for i in 0..50 {
            let a = 0.1 * f64::from(i);
            bounds.add_ball(DVec3::new(0.0, a, a.sin()), 0.1);
        }
        let direction = Camera::good_direction(&bounds, DVec3::Z);
        assert!(direction.x.abs() > 0.7 && direction.z < 0.0);
    }

    #[test]
    fn empty_bounds_and_parallel_up_are_refused() {
        let empty = Bounds::default();
        assert!(matches!(
            Camera::fit(&empty, DVec3::Z, DVec3::Y, 1.0, 0.1),
            Err(RenderError::EmptyBounds)
        ));
        assert!(matches!(
            Camera::fit(&bar(), DVec3::Z, DVec3::Z, 1.0, 0.1),
            Err(RenderError::BadCamera { .. })
        ));
    }
}
