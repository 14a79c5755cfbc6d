//! Rods that lie in an obstacle before the first step, or do not fit into a hollow one.

use std::fmt;

use glam::DVec3;

/// A rod in an obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObstacleOverlap {
    /// Index of the rod.
    pub rod: usize,
    /// Index of the edge within the rod.
    pub edge: usize,
    /// Index of the obstacle.
    pub obstacle: usize,
    /// Where, m.
    pub at: DVec3,
    /// Distance of the rod's axis from the obstacle's surface, m; negative inside.
    pub distance: f64,
    /// Radius of the rod there, m.
    pub wanted: f64,
    /// Gap to start from, m: 0 without a barrier.
    pub gap: f64,
}

/// A tube, funnel or cavity that a rod does not fit into.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NarrowWall {
    /// Index of the rod.
    pub rod: usize,
    /// Index of the obstacle.
    pub obstacle: usize,
    /// Radius of the rod, m.
    pub radius: f64,
    /// The same and the range of its contact, m.
    pub wanted: f64,
    /// Smallest radius of the wall, m.
    pub narrowest: f64,
}

impl fmt::Display for NarrowWall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "obstacle {} is narrower than rod {}: its smallest radius is {:.4e} m, but the rod has a radius of {:.4e} m and contact needs \
             more than {:.4e} m",
            self.obstacle, self.rod, self.narrowest, self.radius, self.wanted
        )
    }
}

impl fmt::Display for ObstacleOverlap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            rod,
            edge,
            obstacle,
            distance,
            wanted,
            gap,
            ..
        } = self;
        let DVec3 { x, y, z } = self.at;
        let (verb, remedy) = if *gap > 0.0 {
            let gap = "; the model ipc needs a gap to start from";
            ("touch or overlap", gap)
        } else {
            ("overlap", "")
        };
        write!(
            f,
            "rod {rod} (edge {edge}) and obstacle {obstacle} {verb} at the start near ({x:.4e}, {y:.4e}, {z:.4e}) m: the rod's axis is \
             {distance:.4e} m from the surface, but its radius needs {wanted:.4e} m; move them apart by {:.2e} m or make the rod thinner{remedy}",
            wanted + gap - distance
        )
    }
}
