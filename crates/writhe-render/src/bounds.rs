//! The region that a camera has to show.

use glam::{DMat3, DVec3};

use crate::scene::Scene;

/// Solids that reach farther from the tubes than this many times their size do not change what is
/// shown.
const LARGEST_SOLID: f64 = 1.0;

/// Balls that a camera has to show, collected over all frames of an animation.
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    balls: Vec<(DVec3, f64)>,
}

impl Bounds {
    /// Balls around all nodes of a scene.
    pub fn of(scene: &Scene) -> Self {
        let mut bounds = Self::default();
        bounds.add_scene(scene);
        bounds
    }

    /// Adds all nodes of a scene with the largest radius of their tube, and solids that are not
    /// much larger than all tubes together. Nodes that are not finite are left out.
    pub fn add_scene(&mut self, scene: &Scene) {
        for tube in &scene.tubes {
            let radius = tube.largest_radius();
            for &node in &tube.centerline {
                self.add_ball(node, radius);
            }
        }
        let Some((low, high)) = self.corners() else {
            return;
        };
        let size = (high - low).length();
        for solid in &scene.solids {
            let near = |v: &&DVec3| v.clamp(low, high).distance(**v) < LARGEST_SOLID * size;
            if solid.vertices.iter().all(|v| near(&v)) {
                solid.vertices.iter().for_each(|v| self.add_ball(*v, 0.0));
            }
        }
    }

    /// Adds a ball (scene length); one that is not finite is left out.
    pub fn add_ball(&mut self, center: DVec3, radius: f64) {
        if center.is_finite() && radius.is_finite() {
            self.balls.push((center, radius.max(0.0)));
        }
    }

    /// Adds all balls of another region.
    pub fn merge(&mut self, other: &Self) {
        self.balls.extend_from_slice(&other.balls);
    }

    /// The same region moved by `way`, scene length.
    pub fn moved(mut self, way: DVec3) -> Self {
        self.balls.iter_mut().for_each(|(center, _)| *center += way);
        self
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.balls.is_empty()
    }

    /// The two corners of the axis-aligned box around everything, scene length; `None` if empty.
    pub fn corners(&self) -> Option<(DVec3, DVec3)> {
        let low = self.balls.iter().map(|&(c, r)| c - r).reduce(DVec3::min)?;
        let high = self.balls.iter().map(|&(c, r)| c + r).reduce(DVec3::max)?;
        Some((low, high))
    }

    /// Largest of `direction . x + radius`, the extent in a direction; `-inf` if empty.
    pub(crate) fn support(&self, direction: DVec3) -> f64 {
        let length = direction.length();
        self.balls
            .iter()
            .map(|&(c, r)| direction.dot(c) + r * length)
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// Covariance of the ball centres, scene length squared.
    pub(crate) fn covariance(&self) -> DMat3 {
        let count = self.balls.len().max(1) as f64;
        let mean = self.balls.iter().map(|&(c, _)| c).sum::<DVec3>() / count;
        let mut sum = DMat3::ZERO;
        for &(center, _) in &self.balls {
            let d = center - mean;
            sum += DMat3::from_cols(d * d.x, d * d.y, d * d.z);
        }
        sum * (1.0 / count)
    }
}
