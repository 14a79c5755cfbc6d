//! Sines and cosines in lanes, and the angle that has them.

use pulp::Simd;

use super::pack::Pack;

/// Half of pi in three parts, the first two of 33 bits: products with whole numbers of up to twenty
/// bits are exact, fused or not.
const HALF_PI: [f64; 3] = [
    1.570_796_326_734_125_6,
    6.077_100_506_303_966e-11,
    2.022_266_248_795_950_6e-21,
];
/// Whole numbers are what is left of others after this is added and taken away: the last bit of the
/// sum is 1.
const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;
/// Angles beyond which the reduction would lose digits, rad.
const FAR: f64 = 1e6;

/// Taylor's series of `sin(x)/x` by `x^2`, the highest power first; the next term is 1e-19 at an
/// eighth of a turn.
const SINE: [f64; 9] = [
    1.0 / 355_687_428_096_000.0,
    -1.0 / 1_307_674_368_000.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 39_916_800.0,
    1.0 / 362_880.0,
    -1.0 / 5_040.0,
    1.0 / 120.0,
    -1.0 / 6.0,
    1.0,
];
/// Of `cos(x)` likewise; the next term is 2e-18.
const COSINE: [f64; 9] = [
    1.0 / 20_922_789_888_000.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 479_001_600.0,
    -1.0 / 3_628_800.0,
    1.0 / 40_320.0,
    -1.0 / 720.0,
    1.0 / 24.0,
    -0.5,
    1.0,
];

/// Sine and cosine of `angle`, rad, to two units in the last place of 1.
#[inline(always)]
pub(crate) fn sin_cos<S: Simd>(angle: Pack<S>) -> [Pack<S>; 2] {
    // angle = quarters pi/2 + x with |x| <= pi/4
    let quarters = whole(angle * angle.constant(std::f64::consts::FRAC_2_PI));
    let mut x = angle;
    for part in HALF_PI {
        x = quarters.mul_from(angle.constant(part), x);
    }
    let sq = x * x;
    let sin = x * series(sq, &SINE);
    let cos = series(sq, &COSINE);
    let (one, half) = (angle.constant(1.0), angle.constant(0.5));
    // Quarters modulo 4, in -2 ..= 2.
    let turn = whole(quarters * angle.constant(0.25)).mul_from(angle.constant(4.0), quarters);
    let odd = (turn.abs() - one).abs().less_than(half);
    let (s, c) = (cos.or_else(odd, sin), sin.or_else(odd, cos));
    // sin is positive in quarters 0 and 1, cos in -1 and 0.
    let sin = s.or_else((turn - half).abs().less_than(one), -s);
    let cos = c.or_else((turn + half).abs().less_than(one), -c);
    if angle.abs().max_lane() > FAR {
        return far(angle, sin, cos);
    }
    [sin, cos]
}

/// `atan(sqrt z)/sqrt z` for z up to the square of [`EIGHTH`], the highest power first: the
/// polynomial that is exact at the twelve zeros of a Chebyshev polynomial there, off by 4e-18.
const ARC_TANGENT: [f64; 12] = [
    -0.017_805_397_205_419_446,
    0.037_965_257_453_865_93,
    -0.050_351_024_566_015_52,
    0.058_468_782_973_308_72,
    -0.066_629_518_136_291_91,
    0.076_920_453_309_022_25,
    -0.090_908_968_090_640_27,
    0.111_111_107_449_196_58,
    -0.142_857_142_792_502_45,
    0.199_999_999_999_408_93,
    -0.333_333_333_333_331_2,
    1.0,
];
/// Tangent of an eighth of half a turn.
const EIGHTH: f64 = std::f64::consts::SQRT_2 - 1.0;

/// The angle of the point (x, y), rad, in [-pi, pi], to two units in its last place or in that of a
/// quarter turn; 0 of the origin.
#[inline(always)]
pub(crate) fn angle_of<S: Simd>(y: Pack<S>, x: Pack<S>) -> Pack<S> {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    let zero = x.constant(0.0);
    let (across, along) = (y.abs(), x.abs());
    let steep = along.less_than(across);
    let small = along.or_else(steep, across);
    let large = across.or_else(steep, along);
    // atan(s/l) = pi/4 + atan((s - l)/(s + l)), which is never beyond an eighth of half a turn.
    let beyond = (large * x.constant(EIGHTH)).less_than(small);
    let over = (small - large).or_else(beyond, small);
    // The origin has no direction, and must not divide by nothing.
    let under = (small + large).or_else(beyond, large) + x.constant(f64::MIN_POSITIVE);
    let tangent = over / under;
    let from = x.constant(FRAC_PI_4).or_else(beyond, zero);
    let slope = series(tangent * tangent, &ARC_TANGENT);
    let mut angle = tangent.mul_add(slope, from);
    angle = (x.constant(FRAC_PI_2) - angle).or_else(steep, angle);
    angle = (x.constant(PI) - angle).or_else(x.less_than(zero), angle);
    (-angle).or_else(y.less_than(zero), angle)
}

/// The nearest whole number.
#[inline(always)]
fn whole<S: Simd>(x: Pack<S>) -> Pack<S> {
    x + x.constant(WHOLE) - x.constant(WHOLE)
}

/// Sine and cosine where some of the angles are too large for the reduction.
#[cold]
#[inline(never)]
fn far<S: Simd>(angle: Pack<S>, sin: Pack<S>, cos: Pack<S>) -> [Pack<S>; 2] {
    let or = |value: f64, angle: f64, exact: f64| if angle.abs() <= FAR { value } else { exact };
    [
        sin.by_lane(angle, |value, angle| or(value, angle, angle.sin())),
        cos.by_lane(angle, |value, angle| or(value, angle, angle.cos())),
    ]
}

/// `sum_k coefficients_k x^(n - k)`.
#[inline(always)]
fn series<S: Simd, const N: usize>(x: Pack<S>, coefficients: &[f64; N]) -> Pack<S> {
    let mut sum = x.constant(coefficients[0]);
    for coefficient in &coefficients[1..] {
        sum = sum.mul_add(x, x.constant(*coefficient));
    }
    sum
}

#[cfg(test)]
mod tests {
    use pulp::{Arch, WithSimd};

    use super::super::columns::{COLUMN, Column, Lanes};
    use super::*;

    struct SinCos<'a>(&'a Column);

    impl WithSimd for SinCos<'_> {
        type Output = [Column; 2];

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
            let mut out = [[0.0; COLUMN]; 2];
            for lanes in Lanes::all(simd) {
                let [sin, cos] = sin_cos(lanes.load(self.0));
                lanes.store(sin, &mut out[0]);
                lanes.store(cos, &mut out[1]);
            }
            out
        }
    }

    /// Every instruction set, and one lane at a time.
    fn both(angles: &Column) -> [[Column; 2]; 2] {
        let scalar = SinCos(angles).with_simd(pulp::Scalar::new());
        [Arch::new().dispatch(SinCos(angles)), scalar]
    }

    #[test]
    fn sines_and_cosines_are_those_of_the_library() {
        let mut worst = 0.0_f64;
        for i in 0..40_000 {
            let near = f64::from(i - 20_000);
            let mut angles = [0.0; COLUMN];
            for (k, angle) in angles.iter_mut().enumerate() {
                // Near multiples of an eighth of a turn, where the quarter changes, and anywhere.
                let scale = [
                    1e-9,
                    1e-3,
                    0.013,
                    std::f64::consts::FRAC_PI_4,
                    1.0,
                    3.3,
                    45.0,
                    499.0,
                ][k];
                *angle = near * scale;
            }
            for found in both(&angles) {
                for (k, angle) in angles.iter().enumerate() {
                    let (sin, cos) = angle.sin_cos();
                    worst = worst.max((found[0][k] - sin).abs());
                    worst = worst.max((found[1][k] - cos).abs());
                }
            }
        }
        assert!(worst <= 2.0 * f64::EPSILON, "{worst:e}");
    }

    struct AngleOf<'a>([&'a Column; 2]);

    impl WithSimd for AngleOf<'_> {
        type Output = Column;

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> Column {
            let mut out = [0.0; COLUMN];
            for lanes in Lanes::all(simd) {
                let [y, x] = self.0.map(|column| lanes.load(column));
                lanes.store(angle_of(y, x), &mut out);
            }
            out
        }
    }

    #[test]
    fn angles_are_those_of_the_library() {
        let near = |point: [&Column; 2]| {
            let found = [
                Arch::new().dispatch(AngleOf(point)),
                AngleOf(point).with_simd(pulp::Scalar::new()),
            ];
            for found in found {
                for (k, found) in found.into_iter().enumerate() {
                    let (y, x) = (point[0][k], point[1][k]);
                    let exact = y.atan2(x);
                    let error = (found - exact).abs() / exact.abs().clamp(1e-300, 1.0);
                    assert!(error <= 3.0 * f64::EPSILON, "{y} {x}: {found} for {exact}");
                }
            }
        };
        for i in 0..40_000 {
            // Close around a turn, and far from the circle.
            let angles: Column =
                std::array::from_fn(|k| (f64::from(i) + 0.1 * k as f64) * 1.571e-4);
            let size = 10.0_f64.powi(i % 7 - 3);
            near([
                &angles.map(|angle| size * angle.sin()),
                &angles.map(|angle| size * angle.cos()),
            ]);
        }
        let (o, tiny) = (0.0, 1e-200);
        near([
            &[o, o, 1.0, -1.0, tiny, -tiny, tiny, 1.0],
            &[1.0, o, o, o, 1.0, 1.0, tiny, 1.0],
        ]);
        near([&[o; COLUMN], &[-1.0; COLUMN]]);
    }

    #[test]
    fn large_angles_and_none() {
        let angles = [0.0, -0.0, 1e7, -3e9, 1e15, f64::NAN, f64::INFINITY, 1e-300];
        for [sin, cos] in both(&angles) {
            for (k, angle) in angles.iter().enumerate() {
                let exact = angle.sin_cos();
                let near =
                    |a: f64, b: f64| (a - b).abs() <= f64::EPSILON || a.is_nan() && b.is_nan();
                assert!(near(sin[k], exact.0), "{angle}: {} {}", sin[k], exact.0);
                assert!(near(cos[k], exact.1), "{angle}: {} {}", cos[k], exact.1);
            }
            assert_eq!(sin[7], 1e-300);
        }
    }
}
