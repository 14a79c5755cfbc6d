//! Rods that overlap before the first step.

use std::fmt;

use glam::DVec3;

/// Two edges closer than the sum of their radii.
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
}

impl fmt::Display for Overlap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.rods;
        let [i, j] = self.edges;
        let DVec3 { x, y, z } = self.at;
        write!(
            f,
            "rod {a} (edge {i}) and rod {b} (edge {j}) overlap at the start near ({x:.4e}, {y:.4e}, {z:.4e}) m: their centrelines are \
             {:.4e} m apart, but their radii need {:.4e} m; move them apart by {:.2e} m or make them thinner",
            self.distance,
            self.wanted,
            self.wanted - self.distance
        )
    }
}
