//! Centrelines of overhand knots: what a rod looks like before it is pulled.
//!
//! An overhand knot of unknotting number n is T(2, 2n + 1) cut open: two strands wind about each
//! other by 2n + 1 half turns, a loop leads from the end of the first to the start of the second,
//! and straight tails go on along the braid's axis (Jawed, Dieleman, Audoly, Reis 2015; C21 Fig.
//! 1). Here the loop is a circle opened by the braid: two semicircles and a straight part beside
//! it.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::{FINE, STRAND, Untied, equal_edges, parts, size_of};

/// Largest half turn of a strand about the braid's axis within one edge, rad: chords cut the corner
/// by 1 - cos.
const LARGEST_HALF_TURN: f64 = 0.25 * PI;
/// Length of a braid of thin rods over n sqrt(h R): 2 pi 12^(1/4) (Jawed et al. 2015).
const BRAID: f64 = TAU * 1.861_209_718_204_198;

/// An open overhand knot along x, its loop on the side of +y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Overhand {
    /// n, at least 1.
    pub unknotting: usize,
    /// Whether the braid is left-handed.
    pub left_handed: bool,
    /// Contour, m.
    pub length: f64,
    /// Distance of both ends, m.
    pub end_distance: f64,
    /// Radius of the rod, m.
    pub radius: f64,
    /// Number of edges.
    pub edges: usize,
}

impl Overhand {
    /// Nodes with edges of equal length, m, the braid's middle at the origin.
    pub fn nodes(&self) -> Result<Vec<DVec3>, Untied> {
        // The contour grows with the loop.
        let small = size_of(self.length, self.length, |size| self.cut(size));
        if small < 3.0 * self.radius || self.braid(small) > 0.9 * self.end_distance {
            return Err(Untied::NoRoom);
        }
        self.fine_enough(small)?;
        Ok(self.cut(small))
    }

    /// Refuses edges too long for the braid of this loop.
    pub(super) fn fine_enough(&self, loop_radius: f64) -> Result<(), Untied> {
        let half_turn = self.half_turn(loop_radius);
        if half_turn > LARGEST_HALF_TURN {
            let more = half_turn / LARGEST_HALF_TURN * self.edges as f64;
            let edges = more.ceil() as usize;
            return Err(Untied::TooCoarse { edges });
        }
        Ok(())
    }

    /// Half of the angle by which strands turn within one edge, rad.
    fn half_turn(&self, loop_radius: f64) -> f64 {
        let edge = self.length / self.edges as f64;
        0.5 * (2 * self.unknotting + 1) as f64 * PI * edge / self.braid(loop_radius)
    }

    /// Distance of the strands from the braid's axis, m, such that their edges keep their distance.
    pub(super) fn strand_radius(&self, loop_radius: f64) -> f64 {
        STRAND * self.radius / self.half_turn(loop_radius).min(LARGEST_HALF_TURN).cos()
    }

    /// Length of the braid of a knot whose loop has the radius `loop_radius`, m.
    pub(super) fn braid(&self, loop_radius: f64) -> f64 {
        BRAID * self.unknotting as f64 * (self.radius * loop_radius).sqrt()
    }

    /// Angle by which the strands have wound about the axis at the part `u` of the braid, rad.
    pub(super) fn turn(&self, u: f64) -> f64 {
        let turn = (2 * self.unknotting + 1) as f64 * PI * u;
        if self.left_handed { -turn } else { turn }
    }

    /// A strand of a braid of this length and radius, at the part `u` of it: the first begins below
    /// the axis, and both change sides.
    fn strand(&self, first: bool, [braid, radius]: [f64; 2], u: f64) -> DVec3 {
        let (sin, cos) = self.turn(u).sin_cos();
        let side = if first { -radius } else { radius };
        DVec3::new((u - 0.5) * braid, side * cos, side * sin)
    }

    /// The smooth curve of a knot with this loop, finely.
    fn curve(&self, loop_radius: f64) -> Vec<DVec3> {
        let half = 0.5 * self.braid(loop_radius);
        let (low, reach) = (-self.strand_radius(loop_radius), self.reach(loop_radius));
        let mut curve = self.until_second_strand(loop_radius);
        let tail = [half, reach].map(|x| DVec3::new(x, low, 0.0));
        curve.extend(line(tail[0], tail[1], FINE * self.edges));
        curve.push(tail[1]);
        curve
    }

    /// Half the distance of the ends, m.
    fn reach(&self, loop_radius: f64) -> f64 {
        (0.5 * self.end_distance).max(0.5 * self.braid(loop_radius))
    }

    /// That curve from its start to the end of the second strand.
    pub(super) fn until_second_strand(&self, loop_radius: f64) -> Vec<DVec3> {
        let braid = self.braid(loop_radius);
        let (reach, half) = (self.reach(loop_radius), 0.5 * braid);
        let high = self.strand_radius(loop_radius);
        let (low, size) = (-high, [braid, high]);
        let count = FINE * self.edges;
        let arc = |x: f64, from: f64| {
            parts(count).map(move |u| {
                let (sin, cos) = (from + PI * u).sin_cos();
                DVec3::new(x + loop_radius * sin, high + loop_radius * (1.0 - cos), 0.0)
            })
        };
        let top = high + 2.0 * loop_radius;
        let [left, right] = [-half, half].map(|x| DVec3::new(x, top, 0.0));
        line(
            DVec3::new(-reach, low, 0.0),
            DVec3::new(-half, low, 0.0),
            count,
        )
        .chain(parts(count).map(|u| self.strand(true, size, u)))
        .chain(arc(half, 0.0))
        .chain(line(right, left, count))
        .chain(arc(-half, PI))
        .chain(parts(count).map(|u| self.strand(false, size, u)))
        .collect()
    }

    fn cut(&self, loop_radius: f64) -> Vec<DVec3> {
        equal_edges(&self.curve(loop_radius), self.edges)
    }
}

/// Points of a straight part, without its end.
fn line(from: DVec3, to: DVec3, count: usize) -> impl Iterator<Item = DVec3> {
    parts(count).map(move |u| from.lerp(to, u))
}

#[cfg(test)]
mod tests {
    use super::super::contour;
    use super::*;
    use writhe::knot::closure::open_type;

    fn knot(unknotting: usize, left_handed: bool) -> Overhand {
        Overhand {
            unknotting,
            left_handed,
            length: 1.0,
            end_distance: 0.33,
            radius: 1.6e-3,
            edges: 300,
        }
    }

    #[test]
    fn types_are_those_of_torus_knots_with_two_strands() {
        for (unknotting, name) in [(1, "3_1"), (2, "5_1"), (3, "7_1")] {
            for left_handed in [false, true] {
                let nodes = knot(unknotting, left_handed).nodes().unwrap();
                let found = open_type(&nodes).unwrap();
                let kind = found.certain().unwrap();
                assert!(
                    kind.names().iter().any(|n| n.contains(name)),
                    "{:?}",
                    kind.names()
                );
                // T(2, 2n + 1): signature -2 n if right-handed.
                let signature = 2 * unknotting as i64 * if left_handed { 1 } else { -1 };
                assert_eq!(kind.signature, signature);
                assert_eq!(kind.determinant(), 2 * unknotting as i128 + 1);
            }
        }
    }

    #[test]
    fn contour_ends_and_clearance_are_as_asked() {
        for unknotting in 1..=6 {
            let asked = knot(unknotting, false);
            let nodes = asked.nodes().unwrap();
            assert_eq!(nodes.len(), asked.edges + 1);
            assert!((contour(&nodes) - asked.length).abs() < 1e-9);
            assert!((nodes[0].distance(nodes[300]) - asked.end_distance).abs() < 1e-12);
            let longest = nodes
                .windows(2)
                .map(|e| e[0].distance(e[1]))
                .fold(0.0, f64::max);
            assert!(longest < 1.001 * asked.length / 300.0);
            // Edges that are further apart along the rod than a bend of its own thickness keep off
            // each other.
            for i in 0..300 {
                for j in i + 5..300 {
                    let apart = (0..=4)
                        .flat_map(|a| (0..=4).map(move |b| (a, b)))
                        .map(|(a, b)| {
                            let at =
                                |k: usize, u: i32| nodes[k].lerp(nodes[k + 1], 0.25 * f64::from(u));
                            at(i, a).distance(at(j, b))
                        })
                        .fold(f64::INFINITY, f64::min);
                    assert!(
                        apart > 2.0 * asked.radius,
                        "n = {unknotting}, {i} {j}: {apart}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_tied_is_refused() {
        let many = knot(40, false);
        assert_eq!(many.nodes(), Err(Untied::NoRoom));
        let thick = Overhand {
            radius: 0.05,
            ..knot(1, false)
        };
        assert_eq!(thick.nodes(), Err(Untied::NoRoom));
        let coarse = Overhand {
            edges: 30,
            ..knot(2, false)
        };
        let Err(Untied::TooCoarse { edges }) = coarse.nodes() else {
            panic!("{:?}", coarse.nodes());
        };
        assert!(
            edges > 30
                && Overhand {
                    edges: edges + 1,
                    ..coarse
                }
                .nodes()
                .is_ok()
        );
    }
}
