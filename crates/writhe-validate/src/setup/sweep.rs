//! Do two segments pass through each other while their ends move on straight lines? Exact, and
//! independent of the core's contact: the four points are coplanar at the roots of a cubic (Provot
//! 1997), and there the segments cross or they do not.

use glam::DVec3;

/// Ends a0, a1 of one segment and b0, b1 of another, m.
pub type Pair = [DVec3; 4];

/// Segments that reach the crossing point within this part of their length count as crossing.
const MARGIN: f64 = 1e-9;

/// First time in [0, 1] at which the segments cross when every end moves straight from `start` to
/// `end`.
pub fn crossing(start: &Pair, end: &Pair) -> Option<f64> {
    if apart(start, end) {
        return None;
    }
    let at = |t: f64| -> Pair { std::array::from_fn(|i| start[i].lerp(end[i], t)) };
    roots(coplanarity(start, end))
        .into_iter()
        .find(|&t| meet(&at(t)))
}

/// Whether the boxes that the segments sweep are apart.
fn apart(start: &Pair, end: &Pair) -> bool {
    let corner = |pick: fn(DVec3, DVec3) -> DVec3, first: usize| {
        pick(
            pick(start[first], start[first + 1]),
            pick(end[first], end[first + 1]),
        )
    };
    let gap = |low: DVec3, high: DVec3| low.cmpgt(high).any();
    gap(corner(DVec3::min, 0), corner(DVec3::max, 2))
        || gap(corner(DVec3::min, 2), corner(DVec3::max, 0))
}

/// Coefficients of `r(t) . (a(t) x b(t))`, from t^0 to t^3; r joins the first ends, a and b are the
/// segments.
fn coplanarity(start: &Pair, end: &Pair) -> [f64; 4] {
    let vectors = |x: &Pair| [x[2] - x[0], x[1] - x[0], x[3] - x[2]];
    let (first, last) = (vectors(start), vectors(end));
    let [r, a, b] = first;
    let [dr, da, db] = std::array::from_fn(|i| last[i] - first[i]);
    let triple = |u: DVec3, v: DVec3, w: DVec3| u.dot(v.cross(w));
    [
        triple(r, a, b),
        triple(dr, a, b) + triple(r, da, b) + triple(r, a, db),
        triple(r, da, db) + triple(dr, a, db) + triple(dr, da, b),
        triple(dr, da, db),
    ]
}

/// Sign changes of a cubic in [0, 1], ascending: between its turning points it is monotone.
fn roots(c: [f64; 4]) -> Vec<f64> {
    let value = |t: f64| c[0] + t * (c[1] + t * (c[2] + t * c[3]));
    let mut knots = vec![0.0];
    knots.extend(turning_points(c));
    knots.push(1.0);
    let mut roots = Vec::new();
    for pair in knots.windows(2) {
        let (mut low, mut high) = (pair[0], pair[1]);
        let sign = value(low) > 0.0;
        if (value(high) > 0.0) == sign {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if (value(middle) > 0.0) == sign {
                low = middle;
            } else {
                high = middle;
            }
        }
        roots.push(0.5 * (low + high));
    }
    roots
}

/// Roots of the derivative in (0, 1), ascending.
fn turning_points([_, c1, c2, c3]: [f64; 4]) -> Vec<f64> {
    let (a, b, c) = (3.0 * c3, 2.0 * c2, c1);
    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 {
        return Vec::new();
    }
    // Without cancellation: q has the sign of b.
    let q = -0.5 * (b + discriminant.sqrt().copysign(b));
    let mut turning: Vec<f64> = [q / a, c / q]
        .into_iter()
        .filter(|t| *t > 0.0 && *t < 1.0)
        .collect();
    turning.sort_by(f64::total_cmp);
    turning
}

/// Whether two coplanar segments cross; parallel ones do not.
fn meet([a0, a1, b0, b1]: &Pair) -> bool {
    let (a, b, r) = (a1 - a0, b1 - b0, b0 - a0);
    let normal = a.cross(b);
    let size = normal.length_squared();
    if size <= 1e-24 * a.length_squared() * b.length_squared() {
        return false;
    }
    let s = r.cross(b).dot(normal) / size;
    let t = r.cross(a).dot(normal) / size;
    let within = |x: f64| (-MARGIN..=1.0 + MARGIN).contains(&x);
    within(s) && within(t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::random::Random;

    fn segments(random: &mut Random) -> Pair {
        std::array::from_fn(|_| random.vector())
    }

    /// Gauss integral of two segments: jumps by one when they pass through each other, and
    /// otherwise varies smoothly.
    fn gauss([a0, a1, b0, b1]: &Pair) -> f64 {
        let triangle = |a: DVec3, b: DVec3, c: DVec3| {
            2.0 * a
                .dot(b.cross(c))
                .atan2(1.0 + a.dot(b) + b.dot(c) + c.dot(a))
        };
        let [a, b, c, d] = [*b0 - *a0, *b1 - *a0, *b1 - *a1, *b0 - *a1].map(DVec3::normalize);
        -(triangle(a, b, c) + triangle(a, c, d)) / (4.0 * std::f64::consts::PI)
    }

    /// Counts jumps of the Gauss integral along the motion by following it in small steps.
    #[test]
    fn agrees_with_jumps_of_the_gauss_integral() {
        const STEPS: usize = 4000;
        let mut random = Random(3);
        let (mut crossed, mut checked) = (0, 0);
        for _ in 0..400 {
            let (start, end) = (segments(&mut random), segments(&mut random));
            let at = |k: usize| -> Pair {
                std::array::from_fn(|i| start[i].lerp(end[i], k as f64 / STEPS as f64))
            };
            let values: Vec<f64> = (0..=STEPS).map(|k| gauss(&at(k))).collect();
            let changes = values.windows(2).map(|w| (w[1] - w[0]).abs());
            let largest = changes.fold(0.0, f64::max);
            // Neither a clear jump nor clearly none: too near a grazing pass for steps of this
            // size.
            if (0.2..0.8).contains(&largest) {
                continue;
            }
            checked += 1;
            crossed += usize::from(largest > 0.5);
            assert_eq!(
                crossing(&start, &end).is_some(),
                largest > 0.5,
                "{start:?} {end:?}"
            );
        }
        assert!(checked > 350 && crossed > 20, "{checked} {crossed}");
    }

    #[test]
    fn times_are_those_of_the_passage() {
        let x = DVec3::X;
        let at = |height: f64| {
            [
                -x,
                x,
                DVec3::new(0.1, -1.0, height),
                DVec3::new(0.1, 1.0, height),
            ]
        };
        let t = crossing(&at(1.0), &at(-3.0)).unwrap();
        assert!((t - 0.25).abs() < 1e-12, "{t}");
        assert!(crossing(&at(1.0), &at(0.1)).is_none());
        // There and back within one motion of a tilting segment is a pass through the other all the
        // same.
        let beside = [-x, x, DVec3::new(1.2, -1.0, 1.0), DVec3::new(1.2, 1.0, 1.0)];
        let under = [
            -x,
            x,
            DVec3::new(1.2, -1.0, -1.0),
            DVec3::new(1.2, 1.0, -1.0),
        ];
        assert!(crossing(&beside, &under).is_none());
    }
}
