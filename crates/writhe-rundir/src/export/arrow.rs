//! Arrows for forces.

use std::f64::consts::TAU;

use glam::DVec3;

use super::surroundings::Mesh;

/// Sides of an arrow.
const SIDES: u32 = 12;
/// Radii of shaft and head, and where the head begins, of an arrow of length 1 and width 1.
const SHAFT: f64 = 0.25;
const HEAD: f64 = 0.6;
const NECK: f64 = 0.7;
/// Length of the longest arrow of a run, in radii of its thickest rod.
const LONGEST: f64 = 20.0;

/// An arrow from the origin to (0, 0, 1).
pub(super) fn arrow() -> Mesh {
    let mut mesh = Mesh::default();
    // Radius and height of both ends of a piece, and the normal's parts along radius and z.
    let slant = HEAD.hypot(1.0 - NECK);
    for ([r, z], [s, h], [out, up]) in [
        ([0.0, 0.0], [SHAFT, 0.0], [0.0, -1.0]),
        ([SHAFT, 0.0], [SHAFT, NECK], [1.0, 0.0]),
        ([SHAFT, NECK], [HEAD, NECK], [0.0, -1.0]),
        (
            [HEAD, NECK],
            [0.0, 1.0],
            [(1.0 - NECK) / slant, HEAD / slant],
        ),
    ] {
        let first = mesh.vertices.len() as u32;
        for side in 0..SIDES {
            let (sin, cos) = (TAU * f64::from(side) / f64::from(SIDES)).sin_cos();
            let outward = DVec3::new(cos, sin, 0.0);
            mesh.vertices
                .extend([r * outward + z * DVec3::Z, s * outward + h * DVec3::Z]);
            mesh.normals.extend([out * outward + up * DVec3::Z; 2]);
            let [a, b] = [side, (side + 1) % SIDES].map(|side| first + 2 * side);
            mesh.triangles.extend([[a, b, b + 1], [a, b + 1, a + 1]]);
        }
    }
    mesh
}

/// Sizes of the arrows of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrows {
    /// m.
    pub width: f64,
    /// m/N; 0 where there is no force.
    pub length_per_force: f64,
}

impl Arrows {
    /// Those of a run whose thickest rod has this radius, m, and whose largest force is this, N.
    pub fn new(radius: f64, largest: f64) -> Self {
        let longest = LONGEST * radius;
        Self {
            width: 2.0 * radius,
            length_per_force: if largest > 0.0 {
                longest / largest
            } else {
                0.0
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_are_closed_and_face_outwards() {
        let mesh = arrow();
        let part = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| mesh.vertices[i as usize]);
            a.dot(b.cross(c)) / 6.0
        };
        let volume: f64 = mesh.triangles.iter().map(part).sum();
        // The area of a regular polygon of 12 corners is 3 r^2.
        let exact = 3.0 * (SHAFT * SHAFT * NECK + HEAD * HEAD * (1.0 - NECK) / 3.0);
        assert!((volume / exact - 1.0).abs() < 1e-12, "{volume} {exact}");
        assert!(
            mesh.normals
                .iter()
                .all(|n| (n.length() - 1.0).abs() < 1e-12)
        );
    }
}
