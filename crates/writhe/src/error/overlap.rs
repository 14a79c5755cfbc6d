//! Rods that overlap, or with a barrier touch, before the first step.

use std::fmt;

use glam::DVec3;

/// Two edges closer than the sum of their radii, or than the least gap that a barrier starts from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// Rods of the two edges.
    pub rods: [usize; 2],
    /// The edges, local to their rods.
    pub edges: [usize; 2],
    /// Middle of the shortest connection, m.
    pub at: DVec3,
    /// Distance of the centrelines, m.
    pub distance: f64,
    /// Sum of the radii, m.
    pub wanted: f64,
    /// Gap to start from, m. With a barrier any gap will do, and this one has moderate forces; 0
    /// without one.
    pub gap: f64,
}

impl fmt::Display for Overlap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.rods;
        let [i, j] = self.edges;
        let DVec3 { x, y, z } = self.at;
        write!(
            f,
            "rod {a} (edge {i}) and rod {b} (edge {j}) {} at the start near ({x:.4e}, {y:.4e}, {z:.4e}) m: their centrelines are \
             {:.4e} m apart, but their radii need {:.4e} m; ",
            if self.gap > 0.0 {
                "touch or overlap"
            } else {
                "overlap"
            },
            self.distance,
            self.wanted,
        )?;
        if self.gap > 0.0 {
            write!(
                f,
                "the model ipc needs a gap to start from: move them apart by {:.2e} m, make them thinner, or choose another contact model",
                self.wanted + self.gap - self.distance
            )
        } else {
            write!(
                f,
                "move them apart by {:.2e} m or make them thinner",
                self.wanted - self.distance
            )
        }
    }
}
