//! Half angles of many pairs of segments, several at a time: from each segment of one curve to those
//! of another.
//!
//! The vectors from a node of the first curve to all nodes of the second are a row. Two rows, from
//! both ends of a segment, hold all that its pairs take, and each row serves two segments. Every
//! place of a column has a sum of its own, so that the result does not depend on how many numbers a
//! register holds.

use std::ops::Range;

use glam::DVec3;
use pulp::{Arch, Simd, WithSimd};

use super::{AngleSum, CANCELLED, ROUNDING, Reach, UNWRAPPED, add_pair};
use crate::lanes::{COLUMN, Column, Lanes, Pack, Pack3, angle_of, dot, exact_cross, sub};

/// Sum of the half angles, negative for right-handed crossings, rad, of segment i of `first` with
/// those of `second` that `partners(i)` tells; curves are given by all their nodes, the first again
/// at the end where they are closed.
pub(super) fn half_angles(
    first: &[DVec3],
    second: &[DVec3],
    partners: impl Fn(usize) -> Range<usize>,
) -> f64 {
    Arch::new().dispatch(HalfAngles {
        first,
        second,
        partners,
    })
}

/// Compiled once per instruction set and chosen at run time.
struct HalfAngles<'a, F> {
    first: &'a [DVec3],
    second: &'a [DVec3],
    partners: F,
}

impl<F: Fn(usize) -> Range<usize>> WithSimd for HalfAngles<'_, F> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let mut sums = Sums::default();
        let (mut near, mut far) = (Row::default(), Row::default());
        if let Some(node) = self.first.first() {
            near.set(*node, self.second);
        }
        for (i, node) in self.first.iter().enumerate().skip(1) {
            far.set(*node, self.second);
            let Range { start, end } = (self.partners)(i - 1);
            for from in (start..end).step_by(COLUMN) {
                for lanes in Lanes::all(simd) {
                    sums.add(lanes, [&near, &far], from, end);
                }
            }
            std::mem::swap(&mut near, &mut far);
        }
        sums.total()
    }
}

/// Vectors from one point to all nodes of a curve, and their lengths, m; nothing of what follows
/// the last node counts.
#[derive(Default)]
struct Row {
    along: [Vec<f64>; 3],
    length: Vec<f64>,
}

impl Row {
    #[inline(always)]
    fn set(&mut self, from: DVec3, nodes: &[DVec3]) {
        let size = nodes.len() + COLUMN;
        for (axis, column) in self.along.iter_mut().enumerate() {
            column.resize(size, 0.0);
            for (value, node) in column.iter_mut().zip(nodes) {
                *value = node[axis] - from[axis];
            }
        }
        let [x, y, z] = &self.along;
        self.length.resize(size, 0.0);
        for (((length, x), y), z) in self.length.iter_mut().zip(x).zip(y).zip(z) {
            *length = (x * x + y * y + z * z).sqrt();
        }
    }

    /// To the nodes from `at` on.
    #[inline(always)]
    fn load<S: Simd>(&self, lanes: Lanes<S>, at: usize) -> Reaches<S> {
        let [x, y, z] = &self.along;
        Reaches {
            v: [
                lanes.load(from(x, at)),
                lanes.load(from(y, at)),
                lanes.load(from(z, at)),
            ],
            length: lanes.load(from(&self.length, at)),
        }
    }

    fn at(&self, node: usize) -> Reach {
        Reach {
            v: DVec3::from_array([0, 1, 2].map(|axis| self.along[axis][node])),
            length: self.length[node],
        }
    }
}

/// Eight numbers from a place on.
#[inline(always)]
fn from(numbers: &[f64], at: usize) -> &Column {
    // A row is longer than its curve by a column.
    numbers[at..]
        .first_chunk()
        .expect("a row has a column after its last node")
}

/// A vector with its length in each lane.
struct Reaches<S: Simd> {
    v: Pack3<S>,
    length: Pack<S>,
}

impl<S: Simd> Copy for Reaches<S> {}

impl<S: Simd> Clone for Reaches<S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

/// `|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|`. A function, since a closure that is called twice would
/// be compiled without the instructions of `S`.
#[inline(always)]
fn triangle<S: Simd>(a: Reaches<S>, b: Reaches<S>, c: Reaches<S>, ac: Pack<S>) -> Pack<S> {
    let (ab, bc) = (dot(a.v, b.v), dot(b.v, c.v));
    (a.length * b.length + ab) * c.length + bc * a.length + ac * b.length
}

/// Sums of angles side by side, as [`AngleSum`] has one.
struct Sums {
    total: Column,
    re: Column,
    im: Column,
    bound: Column,
    /// Of pairs that are no small angle.
    rest: AngleSum,
}

impl Default for Sums {
    fn default() -> Self {
        Self {
            total: Column::default(),
            re: [1.0; COLUMN],
            im: Column::default(),
            bound: Column::default(),
            rest: AngleSum::new(),
        }
    }
}

/// Places in a column.
const PLACES: Column = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

impl Sums {
    /// Adds the pairs of the segment between the ends of two rows and the segments `from` to `end`
    /// of the other curve, as far as these lanes go. See [`add_pair`].
    #[inline(always)]
    fn add<S: Simd>(&mut self, lanes: Lanes<S>, [near, far]: [&Row; 2], from: usize, end: usize) {
        let (a, b) = (near.load(lanes, from), near.load(lanes, from + 1));
        let (d, c) = (far.load(lanes, from), far.load(lanes, from + 1));
        let (zero, one, most) = (lanes.splat(0.0), lanes.splat(1.0), lanes.splat(UNWRAPPED));
        let normal = exact_cross(sub(a.v, d.v), sub(b.v, a.v));
        let volume = dot(a.v, normal);
        let ac = dot(a.v, c.v);
        let (first, second) = (triangle(a, b, c, ac), triangle(a, d, c, ac));
        let re = first * second - volume * volume;
        let tangent = volume * (first + second) / re;
        let size = tangent.abs();

        // One where a pair has to be added by itself, after all but what is in one plane and what
        // is beyond the end.
        let mut apart = zero.or_else(size.less_than(most), one);
        apart = apart.or_else(zero.less_than(re), one);
        let cancelled = lanes.splat(CANCELLED) * a.length * c.length;
        apart = one.or_else(first.abs().less_than(cancelled * b.length), apart);
        apart = one.or_else(second.abs().less_than(cancelled * d.length), apart);
        let rounding = lanes.splat(ROUNDING * ROUNDING) * dot(a.v, a.v) * dot(normal, normal);
        let in_space = rounding.less_than(volume * volume);
        let within = lanes
            .load(&PLACES)
            .less_than(lanes.splat((end - from) as f64));
        apart = apart.or_else(in_space, zero).or_else(within, zero);
        let small = apart.less_than(one);
        let tangent = (tangent.or_else(in_space, zero).or_else(within, zero)).or_else(small, zero);
        if apart.max_lane() > 0.0 {
            self.add_apart(lanes, apart, [near, far], from);
        }

        let (mut re, mut im) = (lanes.load(&self.re), lanes.load(&self.im));
        let mut bound = lanes.load(&self.bound) + tangent.abs();
        if bound.max_lane() > UNWRAPPED {
            let full = most.less_than(bound);
            let angle = angle_of(im, re).or_else(full, zero);
            lanes.store(lanes.load(&self.total) + angle, &mut self.total);
            (re, im) = (one.or_else(full, re), zero.or_else(full, im));
            bound = tangent.abs().or_else(full, bound);
        }
        // Times 1 + i tangent: the length grows, the angle is what counts.
        lanes.store(im.mul_from(tangent, re), &mut self.re);
        lanes.store(re.mul_add(tangent, im), &mut self.im);
        lanes.store(bound, &mut self.bound);
    }

    /// Adds those pairs that are not 0 in `apart`.
    #[cold]
    #[inline(never)]
    fn add_apart<S: Simd>(
        &mut self,
        lanes: Lanes<S>,
        apart: Pack<S>,
        [near, far]: [&Row; 2],
        from: usize,
    ) {
        let mut which = Column::default();
        lanes.store(apart, &mut which);
        let chosen = (from..).zip(which).filter(|(_, apart)| *apart != 0.0);
        for (j, _) in chosen {
            let corners = [near.at(j), near.at(j + 1), far.at(j + 1), far.at(j)];
            add_pair(&mut self.rest, corners);
        }
    }

    fn total(mut self) -> f64 {
        let left = self.im.iter().zip(&self.re);
        let left: f64 = left.map(|(im, re)| im.atan2(*re)).sum();
        self.rest.flush();
        self.total.iter().sum::<f64>() + left + self.rest.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;
    use crate::knot::gauss::corners;

    /// One pair after the other.
    fn by_force(
        first: &[DVec3],
        second: &[DVec3],
        partners: impl Fn(usize) -> Range<usize>,
    ) -> f64 {
        let mut sum = AngleSum::new();
        for i in 0..first.len() - 1 {
            for j in partners(i) {
                let (p, q) = ([first[i], first[i + 1]], [second[j], second[j + 1]]);
                add_pair(&mut sum, corners(p, q));
            }
        }
        sum.total()
    }

    /// Far pairs, near ones, and some that share a node or lie in one plane.
    #[test]
    fn sums_are_those_of_one_pair_after_the_other() {
        let mut random = Random(91);
        for nodes in [2, 3, 9, 10, 40, 301] {
            for scale in [1e-3, 1.0, 30.0] {
                let mut walk = || {
                    let mut at = DVec3::ZERO;
                    let mut step = |k: usize| {
                        at += random.vector() + DVec3::X * (k % 3) as f64 / scale;
                        if k.is_multiple_of(7) {
                            at.with_z(0.0)
                        } else {
                            at
                        }
                    };
                    (0..nodes).map(&mut step).collect::<Vec<DVec3>>()
                };
                let (first, mut second) = (walk(), walk());
                second[nodes / 2] = first[nodes / 3];
                let edges = nodes - 1;
                for (other, from) in [(&second, 0), (&first, 2)] {
                    let partners = |i: usize| (from * (i + 1)).min(edges)..edges;
                    let partners = |i| if from == 0 { 0..edges } else { partners(i) };
                    let found = half_angles(&first, other, partners);
                    let known = by_force(&first, other, partners);
                    assert!(
                        (found - known).abs() < 1e-11,
                        "{nodes}: {found} for {known}"
                    );
                    let scalar = HalfAngles {
                        first: &first,
                        second: other,
                        partners,
                    };
                    assert!(
                        (scalar.with_simd(pulp::Scalar::new()) - known).abs() < 1e-11,
                        "{nodes}"
                    );
                }
            }
        }
    }
}
