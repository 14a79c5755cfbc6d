//! Gauss's double integral of polygons in closed form: writhe, and the linking number as a sum.
//!
//! For two segments p and q the integral
//!
//! ```text
//! 1/(4 pi) int int (t_p x t_q) . (p - q) / |p - q|^3 ds dt
//! ```
//!
//! is the part of the sphere of directions in which p is seen to cross q, with the sign of that
//! crossing (Banchoff 1976; Klenin and Langowski 2000, method 1a). The differences q(t) - p(s) fill
//! a plane parallelogram with the corners
//!
//! ```text
//! a = q0 - p0    b = q1 - p0    c = q1 - p1    d = q0 - p1
//! ```
//!
//! so that part is the solid angle of two triangles abc and acd. For each (Van Oosterom and
//! Strackee 1983)
//!
//! ```text
//! tan(solid angle / 2) = a . (b x c) / (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|)
//! ```
//!
//! and a . (b x c) = a . (c x d) = a . (e_p x e_q), e the segments' vectors. Nothing is divided and
//! no inverse sine taken, so segments that are parallel, in one plane or share a point give the
//! right zero. The integral jumps by one when segments pass through each other; for segments that
//! meet it is the mean of both sides, 0.
//!
//! Half angles of many pairs are summed as products of complex numbers: one inverse tangent for
//! many pairs that are far apart. Of curves several pairs are taken at a time (`rows.rs`). Writhe of a
//! curve of many nodes needs no pairs but those that cross in a picture of it (`directional.rs`).

mod directional;
mod rows;

use std::f64::consts::TAU;

use glam::DVec3;

use super::closure::{Closure, close};
use rows::half_angles;

/// Half angles whose product is not yet turned into an angle stay below this sum, rad.
const UNWRAPPED: f64 = 1.5;

/// Sines below this are rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Below this a triangle's denominator, over the lengths in it, has lost digits.
const CANCELLED: f64 = 1e-3;

/// A sum of angles, most of them small.
#[derive(Debug, Clone, Copy)]
struct AngleSum {
    total: f64,
    /// Product of complex numbers whose angles are not yet in `total`.
    re: f64,
    im: f64,
    /// Bound of the sum of their angles' sizes, rad.
    bound: f64,
}

impl AngleSum {
    fn new() -> Self {
        Self {
            total: 0.0,
            re: 1.0,
            im: 0.0,
            bound: 0.0,
        }
    }

    /// Adds the angle of `re + i im`, in (-pi, pi).
    #[inline]
    fn add(&mut self, re: f64, im: f64) {
        // The tangent is larger than its angle.
        let tangent = im / re;
        let bound = tangent.abs();
        // Too large to be gathered: an inverse tangent of its own.
        if !(re > 0.0 && bound < UNWRAPPED) {
            self.total += im.atan2(re);
            return;
        }
        if self.bound + bound > UNWRAPPED {
            self.flush();
        }
        self.bound += bound;
        // Times 1 + i tangent: the length grows, the angle is what counts.
        let (re, im) = (self.re, self.im);
        self.re = re - im * tangent;
        self.im = im + re * tangent;
    }

    fn flush(&mut self) {
        self.total += self.im.atan2(self.re);
        (self.re, self.im, self.bound) = (1.0, 0.0, 0.0);
    }

    fn total(mut self) -> f64 {
        self.flush();
        self.total
    }
}

/// A vector with its length.
#[derive(Debug, Clone, Copy)]
struct Reach {
    v: DVec3,
    length: f64,
}

impl Reach {
    fn new(from: DVec3, to: DVec3) -> Self {
        let v = to - from;
        Self {
            v,
            length: v.length(),
        }
    }
}

/// Adds half the solid angle of one pair of segments, negative for right-handed crossings.
#[inline]
fn add_pair(sum: &mut AngleSum, [a, b, c, d]: [Reach; 4]) {
    // They share an end, and lie in one plane. If they go on along one line, so do a and their vectors,
    // and their normal is rounding itself: nothing that their volume is small beside.
    if [a, b, c, d].iter().any(|corner| corner.length == 0.0) {
        return;
    }
    // The segments' vectors e_p and e_q, and a . (e_p x e_q)
    let (u, v) = (a.v - d.v, b.v - a.v);
    let normal = u.cross(v);
    let volume = a.v.dot(normal);
    // In one plane, as far as rounding can tell.
    if volume * volume <= ROUNDING * ROUNDING * a.v.length_squared() * normal.length_squared() {
        return;
    }
    let ac = a.v.dot(c.v);
    let triangle = |b: Reach| {
        let (ab, bc) = (a.v.dot(b.v), b.v.dot(c.v));
        // |a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|
        (a.length * b.length + ab) * c.length + bc * a.length + ac * b.length
    };
    let (first, second) = (triangle(b), triangle(d));
    let cancelled = CANCELLED * a.length * c.length;
    if first.abs() < cancelled * b.length || second.abs() < cancelled * d.length {
        sum.total += by_dihedral_angles([a, b, c, d], volume);
    } else {
        // The angles of (first + i volume) and (second + i volume) add up to less than pi.
        let re = first * second - volume * volume;
        sum.add(re, volume * (first + second));
    }
}

/// Half the solid angle, by the four angles of the spherical quadrangle, whose sum less 2 pi is its
/// area: for segments that nearly meet, where the triangles' common side runs past the origin and
/// each alone is uncertain.
#[cold]
fn by_dihedral_angles(corners: [Reach; 4], volume: f64) -> f64 {
    let angle = |k: usize| {
        let [last, at, next] = [k + 3, k, k + 1].map(|i| corners[i % 4]);
        let cos = at.v.cross(next.v).dot(at.v.cross(last.v));
        (at.length * volume.abs()).atan2(cos)
    };
    let area = (0..4).map(angle).sum::<f64>() - TAU;
    0.5 * area * volume.signum()
}

/// Gauss integral of the segments from `p[0]` to `p[1]` and from `q[0]` to `q[1]`; positive for a
/// right-handed crossing.
pub fn gauss_integral(p: [DVec3; 2], q: [DVec3; 2]) -> f64 {
    let mut sum = AngleSum::new();
    add_pair(&mut sum, corners(p, q));
    -sum.total() / TAU
}

fn corners(p: [DVec3; 2], q: [DVec3; 2]) -> [Reach; 4] {
    [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(i, j)| Reach::new(p[i], q[j]))
}

/// Gauss integral of two polygons, each open or closed: the linking number of closed ones, to
/// rounding; where one is open a measure of how they wind around each other that jumps by one when
/// they pass through each other.
pub fn gauss_linking(first: &[DVec3], second: &[DVec3], closed: [bool; 2]) -> f64 {
    let (first, second) = (all_nodes(first, closed[0]), all_nodes(second, closed[1]));
    let edges = second.len().saturating_sub(1);
    -half_angles(&first, &second, |_| 0..edges) / TAU
}

/// Nodes from which on writhe is found from a picture of the polygon: with fewer Gauss's integral is as
/// fast.
const MANY: usize = 128;

/// Writhe of a polygon, open or closed: Gauss's double integral over the curve with itself. From 128
/// nodes on its work grows like the nodes, or for coils of many turns a little faster
/// (`cargo bench -p writhe-tests -- knots`); a curve that touches itself takes work like their square.
pub fn writhe(points: &[DVec3], closed: bool) -> f64 {
    if closed {
        let by_picture = (points.len() >= MANY).then(|| directional::closed_writhe(points));
        by_picture
            .flatten()
            .unwrap_or_else(|| direct_writhe(points, true))
    } else {
        open_writhe(points)[0]
    }
}

/// Writhe of an open polygon, and of that closed up along its end tangents, NaN if it cannot be closed
/// ([`Closure::Tangents`]).
pub(crate) fn open_writhe(points: &[DVec3]) -> [f64; 2] {
    let Ok(closed) = close(points, Closure::Tangents) else {
        return [direct_writhe(points, false), f64::NAN];
    };
    let by_way = writhe_of_way(points, &closed[points.len()..]);
    if points.len() >= MANY
        && let Some(closed_up) = directional::closed_writhe(&closed)
    {
        return [closed_up - by_way, closed_up];
    }
    let own = direct_writhe(points, false);
    [own, own + by_way]
}

/// What the way back from the last node of an open polygon to its first adds to its writhe.
fn writhe_of_way(points: &[DVec3], way: &[DVec3]) -> f64 {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return 0.0;
    };
    let ends = [std::slice::from_ref(last), way, std::slice::from_ref(first)];
    let way = ends.concat();
    let edges = points.len() - 1;
    // Where they meet, neighbours add nothing.
    let between = half_angles(&way, points, |_| 0..edges);
    direct_writhe(&way, false) - 2.0 * between / TAU
}

/// Gauss's double integral, pair by pair.
fn direct_writhe(points: &[DVec3], closed: bool) -> f64 {
    let nodes = all_nodes(points, closed);
    let edges = nodes.len().saturating_sub(1);
    // Neighbours lie in one plane and add nothing.
    let partners = |i: usize| {
        let end = if closed && i == 0 { edges - 1 } else { edges };
        i + 2..end.max(i + 2)
    };
    // Each pair of edges counts in both orders.
    -2.0 * half_angles(&nodes, &nodes, partners) / TAU
}

/// Nodes of a polygon, the first again at the end of a closed one.
fn all_nodes(points: &[DVec3], closed: bool) -> Vec<DVec3> {
    let again = points.first().filter(|_| closed);
    points.iter().chain(again).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;

    /// As a rod and its way on along the tangent of its end are.
    #[test]
    fn segments_that_go_on_along_one_line_add_nothing() {
        let mut random = Random(17);
        for _ in 0..1000 {
            let (at, u) = (random.vector(), random.vector());
            let [before, after] = [at - 0.004 * u, at + 3.0 * u];
            assert_eq!(gauss_integral([before, at], [at, after]), 0.0);
            assert_eq!(gauss_integral([at, after], [before, at]), 0.0);
            // There and back.
            assert_eq!(gauss_integral([before, at], [at, at - u]), 0.0);
        }
    }

    /// A parabola, which hangs between its ends or stands on them, in planes of all directions. Where they
    /// are askew the sphere by which it is closed up has its middle, that of a box, next to the plane.
    #[test]
    fn a_plane_curve_without_crossings_has_no_writhe_when_it_is_closed_up() {
        let mut random = Random(23);
        for _ in 0..100 {
            let (x, z) = (random.vector().normalize(), random.vector());
            let z = z.reject_from_normalized(x).normalize();
            for sag in [0.5, -0.2] {
                let nodes: Vec<DVec3> = (0..=50)
                    .map(|i| f64::from(i) / 50.0)
                    .map(|s| x * s - z * (4.0 * sag * s * (1.0 - s)))
                    .collect();
                let [own, closed_up] = open_writhe(&nodes);
                assert!(own.abs() < 1e-12, "{own}");
                assert!(closed_up.abs() < 1e-3, "{sag}: {closed_up}");
            }
        }
    }
}
