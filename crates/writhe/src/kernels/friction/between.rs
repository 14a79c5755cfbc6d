//! Friction of two rods, one or both of which have coefficients by direction.
//!
//! Each rod says what a traction would be if its own coefficients counted alone, for its own slip on
//! the other; the mean of both acts, as what the first does to the second is minus the reverse. With
//! the direction w of the slip of the first rod on the second, and f_X the law of `directions.rs` by
//! the coefficients of rod X and its own axes tau_X, b_X in the plane of contact,
//!
//! ```text
//! f/F_n = 1/2 (f_A(w) - f_B(-w)),
//! ```
//!
//! and a rod without coefficients of its own has f_X(w) = -mu w, by the coefficient between rods.
//!
//! - With the names exchanged w becomes -w, and f becomes -f: it does not matter which rod is the
//!   first.
//! - f . w = F_n/2 (f_A(w) . w + f_B(-w) . (-w)) <= 0, as each of both is: friction never drives.
//! - Where all coefficients are mu it is -mu w, and one with scales on one without has half of each.

use glam::{DMat3, DVec3};

use crate::kernels::friction::directions::{Directed, Directions};
use crate::kernels::friction::traction::Traction;

/// Coefficients of two rods.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Between {
    /// Those of each by direction.
    pub own: [Option<Directions>; 2],
    /// mu of a rod that has none.
    pub plain: f64,
}

/// A traction, and its derivatives by tau and b of each rod.
pub(crate) type DirectedBoth = (Traction, [[DMat3; 2]; 2]);

impl Between {
    /// The traction where one with the coefficient 1 has the value -w and its slope; `axes` are tau
    /// and b of each rod.
    pub(crate) fn traction(&self, unit: &Traction, axes: &[[DVec3; 2]; 2]) -> DirectedBoth {
        let [a, b] = [0, 1].map(|k| {
            // Half of f_A(w) and of -f_B(-w).
            let sign = if k == 0 { 1.0 } else { -1.0 };
            let slip = scaled(unit, sign);
            let Directed { traction, by_axes } = match &self.own[k] {
                Some(directions) => directions.traction(&slip, axes[k]),
                None => Directed {
                    traction: scaled(&slip, self.plain),
                    by_axes: [DMat3::ZERO; 2],
                },
            };
            let part = 0.5 * sign;
            (scaled(&traction, part), by_axes.map(|by| by * part))
        });
        let traction = Traction {
            value: a.0.value + b.0.value,
            slope: a.0.slope + b.0.slope,
        };
        (traction, [a.1, b.1])
    }

    /// Coefficient at full sliding along a unit vector.
    pub(crate) fn at(&self, direction: DVec3, axes: &[[DVec3; 2]; 2]) -> f64 {
        let unit = Traction {
            value: -direction,
            slope: DMat3::ZERO,
        };
        self.traction(&unit, axes).0.value.length()
    }
}

fn scaled(traction: &Traction, by: f64) -> Traction {
    Traction {
        value: traction.value * by,
        slope: traction.slope * by,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::friction::anchor::frame;
    use crate::kernels::friction::traction::Weight;
    use crate::kernels::testing::Random;

    const SNAKE: Directions = Directions {
        forward: 0.11,
        backward: 0.34,
        across: 0.2,
    };
    const BRUSH: Directions = Directions {
        forward: 0.5,
        backward: 0.1,
        across: 0.0,
    };
    const PLAIN: f64 = 0.3;

    fn unit(s: DVec3) -> Traction {
        Traction::new(Weight::Tanh, 1.0, s, 0.3)
    }

    /// A slip in the plane across z, and the axes of two rods that lie askew to it.
    fn random_case(random: &mut Random) -> (DVec3, [[DVec3; 2]; 2]) {
        let s = DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), 0.0);
        let axes = [0, 1].map(|_| frame(DVec3::Z, random.unit()));
        (s * random.range(0.0, 1.5), axes)
    }

    fn random_directions(random: &mut Random) -> Option<Directions> {
        let mut mu = || random.range(-0.5, 1.0).max(0.0).powi(2);
        let directions = Directions {
            forward: mu(),
            backward: mu(),
            across: mu(),
        };
        (random.range(0.0, 1.0) < 0.8).then_some(directions)
    }

    /// Along, against and across each of two rods at right angles, all coefficients by hand.
    #[test]
    fn half_the_sum_of_both() {
        let axes = [[DVec3::X, DVec3::Y], [DVec3::Y, -DVec3::X]];
        let at = |own, s: DVec3| {
            let between = Between { own, plain: PLAIN };
            between.traction(&unit(9.0 * s), &axes).0.value
        };
        let both = [Some(SNAKE), Some(BRUSH)];
        let one = [Some(SNAKE), None];
        for (own, s, mu) in [
            // The first goes forward; the second is passed from the side.
            (both, DVec3::X, 0.5 * (0.11 + 0.0)),
            (both, -DVec3::X, 0.5 * (0.34 + 0.0)),
            // The first goes across, towards the second's head: the second slides backward on it.
            (both, DVec3::Y, 0.5 * (0.2 + 0.1)),
            (both, -DVec3::Y, 0.5 * (0.2 + 0.5)),
            (one, DVec3::X, 0.5 * (0.11 + PLAIN)),
            (one, -DVec3::X, 0.5 * (0.34 + PLAIN)),
            (one, DVec3::Y, 0.5 * (0.2 + PLAIN)),
        ] {
            let found = at(own, s);
            assert!((found + mu * s).length() < 1e-14, "{found} at {s}");
        }
    }

    /// Whatever the coefficients and however the rods lie, friction never drives, and it does not
    /// matter which of both is the first.
    #[test]
    fn power_is_never_positive_and_names_do_not_matter() {
        let mut random = Random(5);
        for _ in 0..5000 {
            let (s, axes) = random_case(&mut random);
            let own = [(); 2].map(|()| random_directions(&mut random));
            let plain = random.range(0.0, 1.0);
            let here = Between { own, plain }.traction(&unit(s), &axes).0.value;
            assert!(here.dot(s) <= 1e-16, "{own:?} at {s}: {here}");
            let [a, b] = own;
            // The normal turns round with the names, and b = n x tau with it.
            let [[ta, ba], [tb, bb]] = axes;
            let swapped = Between { own: [b, a], plain };
            let there = swapped.traction(&unit(-s), &[[tb, -bb], [ta, -ba]]).0.value;
            assert_eq!(there, -here);
        }
    }

    #[test]
    fn equal_coefficients_are_plain_friction() {
        let same = Directions {
            forward: PLAIN,
            backward: PLAIN,
            across: PLAIN,
        };
        let mut random = Random(6);
        for own in [[Some(same); 2], [Some(same), None], [None; 2]] {
            let (s, axes) = random_case(&mut random);
            let between = Between { own, plain: PLAIN };
            let (ours, _) = between.traction(&unit(s), &axes);
            let plain = Traction::new(Weight::Tanh, PLAIN, s, 0.3);
            assert!((ours.value - plain.value).length() < 1e-15);
            for axis in [DVec3::X, DVec3::Y] {
                assert!((ours.slope * axis - plain.slope * axis).length() < 1e-14);
            }
            assert!((between.at(DVec3::X, &axes) - PLAIN).abs() < 1e-15);
        }
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let mut random = Random(7);
        // The change from forward to backward lasts 4e-4 of the slip.
        let step = 1e-6;
        for own in [[Some(SNAKE), Some(BRUSH)], [None, Some(SNAKE)]] {
            let between = Between { own, plain: PLAIN };
            for _ in 0..50 {
                let (s, axes) = random_case(&mut random);
                let (here, by_axes) = between.traction(&unit(s), &axes);
                let by = |f: &dyn Fn(f64) -> DVec3| (f(step) - f(-step)) / (2.0 * step);
                for axis in [DVec3::X, DVec3::Y] {
                    let slope = by(&|h| between.traction(&unit(s + h * axis), &axes).0.value);
                    assert!((slope - here.slope * axis).length() < 1e-5);
                    for (k, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                        let turned = by(&|h| {
                            let mut axes = axes;
                            axes[k][j] += h * axis;
                            between.traction(&unit(s), &axes).0.value
                        });
                        assert!((turned - by_axes[k][j] * axis).length() < 1e-8);
                    }
                }
            }
        }
    }
}
