//! A plane through the fluid.

use serde::Serialize;

/// Points of a square grid on a plane at right angles to an axis of the scene.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Plane {
    /// The axis: 0, 1 or 2 for x, y or z. The two that follow it in cyclic order span the plane:
    /// the first and the second of the grid.
    pub normal: usize,
    /// Coordinate along it, m.
    pub at: f64,
    /// Coordinates of the first point along the first and the second axis of the grid, m.
    pub low: [f64; 2],
    /// Distance of neighbouring points, m.
    pub spacing: f64,
    /// Number of points along them.
    pub counts: [usize; 2],
}

impl Plane {
    /// Number of its points.
    pub fn len(&self) -> usize {
        self.counts[0] * self.counts[1]
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its points, m, along the first axis fastest.
    pub fn points(&self) -> impl Iterator<Item = [f64; 3]> {
        let Self {
            normal,
            at,
            low,
            spacing,
            counts,
        } = *self;
        let [first, second] = [1, 2].map(|k| (normal + k) % 3);
        (0..counts[0] * counts[1]).map(move |i| {
            let mut point = [at; 3];
            point[first] = low[0] + spacing * (i % counts[0]) as f64;
            point[second] = low[1] + spacing * (i / counts[0]) as f64;
            point
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Plane;

    #[test]
    fn points_go_along_the_axes_after_the_normal() {
        let plane = Plane {
            normal: 1,
            at: 7.0,
            low: [1.0, 20.0],
            spacing: 0.5,
            counts: [3, 2],
        };
        let points: Vec<_> = plane.points().collect();
        assert_eq!(points.len(), plane.len());
        assert_eq!(points[0], [20.0, 7.0, 1.0]);
        assert_eq!(points[2], [20.0, 7.0, 2.0]);
        assert_eq!(points[5], [20.5, 7.0, 2.0]);
    }
}
