//! Exact coordinates: a fine cubic lattice on which the sign of every determinant is an integer
//! computation.
//!
//! Nodes move to lattice points, by at most [`Lattice::displacement`]; a curve whose parts are
//! further apart than twice that keeps its knot type ([`super::separation`] checks it). From there
//! on nothing is rounded. With coordinates below 2^38 the determinant of three differences is below
//! 6 x 2^117 and fits in an `i128`.

use glam::DVec3;

/// A point of the lattice, in its units; each coordinate below 2^38 in size.
pub(crate) type Point = [i64; 3];

/// Bits of a coordinate without its sign.
pub(crate) const COORDINATE_BITS: i32 = 38;

/// Nodes are moved by up to this many units per axis besides rounding, so that straight and plane
/// parts, which rods have by construction, are in general position.
const JITTER: i64 = 32;

/// Where the lattice lies, and how fine it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lattice {
    center: DVec3,
    /// Units per metre, a power of two.
    scale: f64,
}

impl Lattice {
    /// The finest lattice that holds these points; `None` if a coordinate is not finite, or there
    /// is no point, or all are in one place.
    pub(crate) fn around<'a>(points: impl Iterator<Item = &'a DVec3> + Clone) -> Option<Self> {
        let first = *points.clone().next()?;
        let (low, high) = points
            .clone()
            .fold((first, first), |(low, high), x| (low.min(*x), high.max(*x)));
        // NaN passes through `min` and `max` unseen.
        if !points.into_iter().all(|x| x.is_finite()) {
            return None;
        }
        let center = 0.5 * low + 0.5 * high;
        let reach = (high - center)
            .max_element()
            .max((center - low).max_element());
        if !(reach.is_normal() && center.is_finite()) {
            return None;
        }
        // reach * scale < 2^37, which leaves room for the jitter.
        let exponent = COORDINATE_BITS - 2 - reach.log2().floor() as i32;
        let scale = f64::from(exponent).exp2();
        scale.is_normal().then_some(Self { center, scale })
    }

    /// Largest distance of a node from its lattice point, m.
    pub(crate) fn displacement(&self) -> f64 {
        // Half a unit for rounding, one for the subtraction of the centre.
        f64::sqrt(3.0) * (JITTER as f64 + 1.5) / self.scale
    }

    /// The lattice point of `x`; `seed` chooses the jitter.
    pub(crate) fn point(&self, x: DVec3, seed: u64) -> Point {
        let bits = mix(seed);
        let scaled = (x - self.center) * self.scale;
        let jitter =
            |axis: u32| ((bits >> (20 * axis)) & 0xf_ffff) as i64 % (2 * JITTER + 1) - JITTER;
        [
            scaled.x.round() as i64 + jitter(0),
            scaled.y.round() as i64 + jitter(1),
            scaled.z.round() as i64 + jitter(2),
        ]
    }

    /// The lattice polygon through `points`; `curve` chooses the jitter.
    pub(crate) fn polygon(&self, points: &[DVec3], curve: usize) -> Vec<Point> {
        // Another jitter for each node of each curve.
        let seed = (curve as u64) << 32;
        let points = (seed..).zip(points);
        points.map(|(seed, x)| self.point(*x, seed)).collect()
    }
}

/// A bijection of 64-bit integers whose values look random (the finaliser of splitmix64).
pub(crate) fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// `b - a`.
#[inline]
pub(crate) fn difference(a: Point, b: Point) -> Point {
    [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
}

/// Cross product of two differences, below 2^79 in size.
#[inline]
pub(crate) fn cross(a: Point, b: Point) -> [i128; 3] {
    let product = |i: usize, j: usize| i128::from(a[i]) * i128::from(b[j]);
    [
        product(1, 2) - product(2, 1),
        product(2, 0) - product(0, 2),
        product(0, 1) - product(1, 0),
    ]
}

/// Scalar product of a cross product of differences with a difference.
#[inline]
pub(crate) fn dot(a: [i128; 3], b: Point) -> i128 {
    a[0] * i128::from(b[0]) + a[1] * i128::from(b[1]) + a[2] * i128::from(b[2])
}

/// Six times the signed volume of the tetrahedron: positive when d sees a, b, c counterclockwise.
#[inline]
pub(crate) fn orientation(a: Point, b: Point, c: Point, d: Point) -> i128 {
    dot(cross(difference(a, b), difference(a, c)), difference(a, d))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stay_within_the_displacement_and_the_range() {
        let points: Vec<DVec3> = (0..500)
            .map(|i| {
                let t = f64::from(i);
                DVec3::new(t.sin(), 1e3 + (2.0 * t).cos(), -0.3 * t.cos()) * 0.37
            })
            .collect();
        let lattice = Lattice::around(points.iter()).unwrap();
        let size = 2.0 * 0.37;
        assert!(lattice.displacement() < 1e-9 * size);
        let mut moved = [0.0_f64; 2];
        for (x, p) in points.iter().zip(lattice.polygon(&points, 3)) {
            assert!(p.iter().all(|c| c.abs() < 1 << COORDINATE_BITS));
            let back = DVec3::from_array(p.map(|c| c as f64)) / lattice.scale + lattice.center;
            let by = back.distance(*x) / lattice.displacement();
            moved = [moved[0].max(by), moved[1] + by];
        }
        assert!(moved[0] <= 1.0 && moved[1] > 20.0, "{moved:?}");
    }

    #[test]
    fn determinants_are_exact_at_the_ends_of_the_range() {
        let m = (1 << COORDINATE_BITS) - 1;
        let (a, b, c) = ([-m, -m, -m], [m, m, -m], [m, -m, m]);
        let d = [-m, m, m];
        let side = i128::from(2 * m);
        assert_eq!(orientation(a, b, c, d), -2 * side * side * side);
        // One unit beside a plane through far points.
        assert_eq!(orientation(a, b, [m, m, m], [0, 0, 0]), 0);
        assert_ne!(orientation(a, b, [m, m, m], [1, 0, 0]), 0);
    }

    #[test]
    fn points_that_span_nothing_have_no_lattice() {
        for points in [
            vec![],
            vec![DVec3::ONE; 3],
            vec![DVec3::ZERO, DVec3::NAN],
            vec![DVec3::ZERO, DVec3::INFINITY],
        ] {
            assert!(Lattice::around(points.iter()).is_none(), "{points:?}");
        }
    }
}
