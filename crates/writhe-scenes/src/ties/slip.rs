//! A slipped overhand knot: tied with a bight of the rod in place of its end, so that it comes
//! undone when the bight is pulled out.
//!
//! An overhand knot whose second strand does not go on to its end: beyond the braid it turns around
//! and comes back along itself as a third strand, and only then leads away. Pulling it back out
//! leaves a rod without a knot: closed up it is trivial. The third strand runs at the same distance
//! from both others; the tail rises above the loop and comes down on the braid's axis again beyond
//! the bight.

use std::f64::consts::PI;

use glam::DVec3;

use super::{FINE, Overhand, Untied, equal_edges, is_clear, parts, size_of, smooth};

/// Radius of the bight's round end, over that of the loop.
const BIGHT: f64 = 0.4;
/// Length over which the bight widens, over the loop's radius.
const NECK: f64 = 1.0;
/// Half the height to which the tail rises, over the loop's radius.
const RISE: f64 = 0.5;
/// Room for the tail to come down again, over the loop's radius.
const DESCENT: f64 = 1.0;

/// An open slipped overhand knot along x, its loop on the side of +y, its tail above at +z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Slip(
    /// The knot that it would be if its end came all the way through.
    pub Overhand,
);

impl Slip {
    /// Nodes with edges of equal length, m, the braid's middle at the origin.
    pub fn nodes(&self) -> Result<Vec<DVec3>, Untied> {
        let knot = &self.0;
        let size = size_of(knot.length, knot.length, |size| self.cut(size));
        if size < 4.0 * knot.radius || self.beyond(size) + DESCENT * size > 0.5 * knot.end_distance
        {
            return Err(Untied::NoRoom);
        }
        knot.fine_enough(size)?;
        let nodes = self.cut(size);
        if !is_clear(&[&nodes], false, knot.radius) {
            return Err(Untied::NoRoom);
        }
        Ok(nodes)
    }

    /// How far the bight reaches along x, m.
    fn beyond(&self, size: f64) -> f64 {
        0.5 * self.0.braid(size) + (NECK + BIGHT) * size
    }

    fn cut(&self, size: f64) -> Vec<DVec3> {
        equal_edges(&self.curve(size), self.0.edges)
    }

    /// The smooth curve of a knot with a loop of this radius, finely.
    fn curve(&self, size: f64) -> Vec<DVec3> {
        let knot = &self.0;
        let (braid, high) = (knot.braid(size), knot.strand_radius(size));
        let count = FINE * knot.edges;
        let reach = (0.5 * knot.end_distance).max(self.beyond(size));
        // As far from both strands as they are from each other.
        let third_radius = 3.0_f64.sqrt() * high;
        let third = |u: f64| {
            let (sin, cos) = (0.5 * PI + knot.turn(u)).sin_cos();
            DVec3::new((u - 0.5) * braid, third_radius * cos, third_radius * sin)
        };
        let half = 0.5 * braid;
        // A half circle that leaves the braid's first end upwards and comes back above it, and then
        // a way down to the axis.
        let rise = RISE * size;
        let above = parts(count).map(|u| {
            let (sin, cos) = (PI * u).sin_cos();
            DVec3::new(-half - rise * sin, 0.0, third_radius + rise * (1.0 - cos))
        });
        let top = third_radius + 2.0 * rise;
        let from = self.beyond(size).min(reach);
        let down = (0..=count).map(|k| {
            let u = k as f64 / count as f64;
            let x = -half + u * (reach + half);
            let part = (x - from) / (reach - from).max(f64::MIN_POSITIVE);
            DVec3::new(x, 0.0, top * (1.0 - smooth(part)))
        });
        knot.until_second_strand(size)
            .into_iter()
            .chain(self.bight(size))
            .chain(parts(count).map(|u| third(1.0 - u)))
            .chain(above)
            .chain(down)
            .collect()
    }

    /// From the end of the second strand to that of the third: two sides that part, and a half
    /// circle.
    fn bight(&self, size: f64) -> Vec<DVec3> {
        let knot = &self.0;
        let (half, high) = (0.5 * knot.braid(size), knot.strand_radius(size));
        let third = DVec3::new(0.0, 0.0, -3.0_f64.sqrt() * high);
        let second = DVec3::new(0.0, -high, 0.0);
        let (middle, side) = (0.5 * (second + third), (third - second).normalize());
        let (narrow, wide) = (high, (BIGHT * size).max(high));
        let count = FINE * knot.edges;
        let at = |x: f64, aside: f64| middle + side * aside + DVec3::X * x;
        let neck = move |u: f64| {
            let aside = narrow + (wide - narrow) * smooth(u);
            (half + NECK * size * u, aside)
        };
        let out = parts(count).map(neck).map(|(x, aside)| at(x, -aside));
        let round = parts(count).map(|u| {
            let (sin, cos) = (PI * u).sin_cos();
            at(half + NECK * size + wide * sin, -wide * cos)
        });
        let back = parts(count)
            .map(|u| neck(1.0 - u))
            .map(|(x, aside)| at(x, aside));
        out.chain(round).chain(back).collect()
    }
}

/// Node at the tip of a slip knot's bight: the furthest of those below the braid's axis.
pub(crate) fn tip_of_bight(nodes: &[DVec3]) -> usize {
    let x = |i: &usize| {
        if nodes[*i].z < 0.0 {
            nodes[*i].x
        } else {
            f64::MIN
        }
    };
    let furthest = (0..nodes.len()).max_by(|i, j| x(i).total_cmp(&x(j)));
    furthest.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::contour;
    use super::*;
    use writhe::knot::closure::open_type;

    fn slip(left_handed: bool) -> Slip {
        Slip(Overhand {
            unknotting: 1,
            left_handed,
            length: 1.0,
            end_distance: 0.4,
            radius: 1.6e-3,
            edges: 300,
        })
    }

    #[test]
    fn it_is_no_knot_but_would_be_one_with_its_end_through() {
        for left_handed in [false, true] {
            let nodes = slip(left_handed).nodes().unwrap();
            assert!((contour(&nodes) - 1.0).abs() < 1e-9);
            assert!(open_type(&nodes).unwrap().certain().unwrap().is_trivial());
            // Cut at the tip of the bight, the first part is an overhand knot.
            let tip = tip_of_bight(&nodes);
            let open = open_type(&nodes[..tip]).unwrap();
            let kind = open.certain().unwrap();
            assert_eq!(kind.determinant(), 3);
            assert_eq!(kind.signature, if left_handed { 2 } else { -2 });
        }
    }

    #[test]
    fn ends_lie_on_the_line_that_they_are_pulled_along() {
        let nodes = slip(false).nodes().unwrap();
        assert!((nodes[300].x - nodes[0].x - 0.4).abs() < 1e-9);
        let [first, last] = [nodes[1] - nodes[0], nodes[300] - nodes[299]];
        assert!(first.normalize().x > 0.999 && last.normalize().x > 0.999);
    }

    #[test]
    fn what_cannot_be_tied_is_refused() {
        let knot = slip(false).0;
        for what in [
            Overhand {
                radius: 0.02,
                ..knot
            },
            Overhand {
                end_distance: 0.1,
                ..knot
            },
        ] {
            assert_eq!(Slip(what).nodes(), Err(Untied::NoRoom));
        }
    }
}
