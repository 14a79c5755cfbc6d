//! Two open rods tied together: square knot and granny knot.
//!
//! Each rod is bent back on itself; its two legs pass through the other's bight. Seen from +z the
//! first rod comes from -x:
//!
//! ```text
//!      legs of the first  ====\     /==== legs of the second
//!         bight of the second (  X  ) bight of the first
//!      legs of the first  ====/     \==== legs of the second
//! ```
//!
//! Each leg crosses the other rod three times: its bight, its leg in the middle, and, on the first
//! rod's own bight, its leg again. Above the middle line and below it lies half a knot each. With
//! both legs of a rod on the same side of the other's bight the halves are mirror images (square
//! knot); with one leg above and one below they are alike (granny knot).

use std::f64::consts::PI;

use glam::DVec3;

use super::{FINE, STRAND, Untied, equal_edges, is_clear, parts, size_of, smooth};

/// Half the distance of the legs where they enter the knot, over its half length.
const LEGS: f64 = 0.5;
/// Radius of the bights, over its half length.
const BIGHT: f64 = 1.0;
/// Half the distance of the legs at their ends, in radii of the rod.
const ENDS: f64 = 4.0;
/// Least half length of the knot, in radii of the rod.
const LEAST: f64 = 10.0;
/// Edges from an end along which a leg is straight.
const LEAD: f64 = 2.5;
/// Edges of each rod.
const LEAST_EDGES: usize = 60;

/// Two rods along x, tied together around the origin in the plane z = 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bend {
    /// Whether both halves are alike: a granny knot. A square knot otherwise.
    pub granny: bool,
    /// Whether the granny's halves are left-handed.
    pub left_handed: bool,
    /// Contour of each rod, m.
    pub length: f64,
    /// Distance of the ends of one rod from those of the other, m.
    pub end_distance: f64,
    /// Radius of the rods, m.
    pub radius: f64,
    /// Number of edges of each rod.
    pub edges: usize,
}

impl Bend {
    /// Nodes of both rods with edges of equal length, m. The first goes from its end at +y to that
    /// at -y, the second the other way, so that last and first ends of the two, in turn, lie on the
    /// same side: joined far away they make one closed curve around both halves.
    pub fn rods(&self) -> Result<[Vec<DVec3>; 2], Untied> {
        if self.edges < LEAST_EDGES {
            return Err(Untied::TooCoarse { edges: LEAST_EDGES });
        }
        // The contour grows with the knot as long as legs are longer than it.
        let reach = 0.5 * self.end_distance;
        let largest = reach / (1.0 + BIGHT);
        let size = size_of(self.length, largest, |size| self.cut(size));
        if size < LEAST * self.radius || size > 0.9 * largest {
            return Err(Untied::NoRoom);
        }
        let first = self.cut(size);
        // Half a turn about y carries one into the other.
        let second: Vec<DVec3> = first
            .iter()
            .rev()
            .map(|x| DVec3::new(-x.x, x.y, -x.z))
            .collect();
        if !is_clear(&[&first, &second], false, self.radius) {
            return Err(Untied::NoRoom);
        }
        Ok([first, second])
    }

    fn cut(&self, size: f64) -> Vec<DVec3> {
        equal_edges(&self.curve(size), self.edges)
    }

    /// The first rod, finely: its leg at +y, its bight, its leg at -y.
    fn curve(&self, size: f64) -> Vec<DVec3> {
        let count = FINE * self.edges;
        let half: Vec<DVec3> = self
            .leg(size, count)
            .chain(self.quarter(size, count))
            .collect();
        let twin = if self.granny { -1.0 } else { 1.0 };
        let other = half.iter().rev().map(|x| DVec3::new(x.x, -x.y, twin * x.z));
        half.iter().copied().chain(other.skip(1)).collect()
    }

    /// From the end at +y to where the bight begins.
    fn leg(&self, size: f64, count: usize) -> impl Iterator<Item = DVec3> {
        let reach = 0.5 * self.end_distance;
        let (end, narrow, wide) = (ENDS * self.radius, LEGS * size, BIGHT * size);
        // Where it meets the other's bight, a half circle that opens to +x.
        let meets = -size - (wide * wide - narrow * narrow).sqrt();
        let clear = self.clear_height();
        // What is clamped lies along x.
        let lead = LEAD * self.length / self.edges as f64 - reach;
        let from_end = move |u: f64| {
            let x = -reach + u * (reach - size);
            let y = end + (narrow - end) * smooth((x - lead) / (meets - lead));
            DVec3::new(
                x,
                y,
                -clear * smooth(2.0 * (x + reach) / (meets + reach) - 0.8),
            )
        };
        let across = move |u: f64| {
            let x = (2.0 * u - 1.0) * size;
            let y = narrow + (wide - narrow) * smooth(u);
            DVec3::new(
                x,
                y,
                clear * (smooth(3.0 * u) * 2.0 - 1.0 - 2.0 * smooth(3.0 * u - 2.0)),
            )
        };
        parts(count).map(from_end).chain(parts(count).map(across))
    }

    /// From the bight's beginning to its tip.
    fn quarter(&self, size: f64, count: usize) -> impl Iterator<Item = DVec3> {
        let (wide, clear) = (BIGHT * size, self.clear_height());
        let (granny, narrow) = (self.granny, LEGS * size);
        // The other's leg is passed here.
        let passed = 1.0 - (narrow / wide).asin() / (0.5 * PI);
        (0..=count).map(move |k| {
            let u = k as f64 / count as f64;
            let (sin, cos) = (0.5 * PI * u).sin_cos();
            // The granny's bight changes sides on its way to the other leg.
            let rise = if granny {
                2.0 * smooth(0.5 * (u - passed) / (1.0 - passed))
            } else {
                0.0
            };
            DVec3::new(size + wide * sin, wide * cos, clear * (rise - 1.0))
        })
    }

    /// Height above or below z = 0 at which the first rod passes the second, m.
    fn clear_height(&self) -> f64 {
        let clear = STRAND * self.radius;
        if self.left_handed { clear } else { -clear }
    }
}

#[cfg(test)]
mod tests {
    use super::super::contour;
    use super::*;
    use writhe::knot::knot_type;

    fn bend(granny: bool, left_handed: bool) -> Bend {
        Bend {
            granny,
            left_handed,
            length: 1.0,
            end_distance: 0.66,
            radius: 1.6e-3,
            edges: 300,
        }
    }

    /// Both rods as one closed polygon, joined far away above and below.
    fn joined([first, second]: &[Vec<DVec3>; 2]) -> Vec<DVec3> {
        let around = |y: f64| [-1.0, 1.0].map(|x| DVec3::new(x, y, 0.0));
        let below = around(-1.0);
        let above = around(1.0);
        let parts = [first.as_slice(), &below, second, &[above[1], above[0]]];
        parts.concat()
    }

    #[test]
    fn halves_are_mirror_images_or_alike() {
        for (granny, left_handed, name, signature) in [
            (false, false, "square knot 3_1#m3_1", 0),
            (true, false, "granny knot 3_1#3_1", -4),
            (true, true, "granny knot 3_1#3_1", 4),
        ] {
            let rods = bend(granny, left_handed).rods().unwrap();
            let kind = knot_type(&joined(&rods)).unwrap();
            assert!(kind.names().iter().any(|n| n == name), "{kind}");
            assert_eq!((kind.signature, kind.determinant()), (signature, 9));
        }
    }

    #[test]
    fn contour_and_ends_are_as_asked() {
        for granny in [false, true] {
            let [first, second] = bend(granny, false).rods().unwrap();
            for rod in [&first, &second] {
                assert!((contour(rod) - 1.0).abs() < 1e-9 && rod.len() == 301);
                let ends = [rod[0], rod[300]];
                assert!((ends[0].x - ends[1].x).abs() < 1e-12 && ends[0].z.abs() < 1e-12);
                assert!((ends[0].distance(ends[1]) - 8.0 * 1.6e-3).abs() < 1e-12);
            }
            assert!((second[0].x - first[0].x - 0.66).abs() < 1e-12);
            assert!(second[0].y < 0.0 && first[300].y < 0.0);
        }
    }

    #[test]
    fn what_cannot_be_tied_is_refused() {
        let square = bend(false, false);
        for what in [
            Bend {
                radius: 0.02,
                ..square
            },
            Bend {
                end_distance: 0.1,
                ..square
            },
            Bend {
                end_distance: 0.98,
                ..square
            },
        ] {
            assert_eq!(what.rods(), Err(Untied::NoRoom), "{what:?}");
        }
        let coarse = Bend {
            edges: 20,
            ..square
        };
        assert_eq!(coarse.rods(), Err(Untied::TooCoarse { edges: 60 }));
    }
}
