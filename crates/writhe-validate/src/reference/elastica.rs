//! Closed forms and quadratures of the planar elastica, of buckling loads and of the catenary.
//! Dimensionless: length 1, bending stiffness 1 (catenary: length 1, weight per length 1).

use std::f64::consts::{FRAC_PI_2, PI};

/// Free end of a rod clamped at the origin along x, loaded towards -y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tip {
    /// Distance from the clamp plane.
    pub x: f64,
    /// Distance below the clamp.
    pub drop: f64,
    /// Angle of the tangent below the horizontal, rad.
    pub angle: f64,
}

impl Tip {
    /// What heavy cantilevers are compared by (Romero et al. 2021).
    pub fn aspect(&self) -> f64 {
        self.drop / self.x
    }
}

/// Cantilever under its own weight, `gravity = w L^3 / B`.
pub fn heavy_cantilever(gravity: f64) -> Tip {
    cantilever(|from_tip| gravity * from_tip)
}

/// Cantilever under a dead transverse force at its end, `force = P L^2 / B`.
pub fn end_loaded_cantilever(force: f64) -> Tip {
    cantilever(|_| force)
}

/// Inextensible cantilever that carries the downward force `load(s)` beyond the distance `s` from
/// its tip; NaN, which keeps no bound, for loads beyond about 1e5, where the angle at the tip is
/// too small for a number.
///
/// With b the angle between tangent and the vertical, `b'' = load sin b`, `b'(0) = 0` at the tip,
/// `b(1) = pi/2` at the clamp. Shooting from the tip in `ln b(0)` is well conditioned however slack
/// the rod is.
fn cantilever(load: impl Fn(f64) -> f64) -> Tip {
    // None when the rod is level before it reaches the clamp: b(0) is too large.
    let shoot = |log: f64| {
        let start = [log.exp(), 0.0, 0.0, 0.0];
        let slope = |s: f64, [b, rate, _, _]: [f64; 4]| [rate, load(s) * b.sin(), b.sin(), b.cos()];
        integrate_unless(|y| y[0] > FRAC_PI_2, start, slope)
    };
    let (mut low, mut high) = (-400.0, FRAC_PI_2.ln());
    for _ in 0..70 {
        let middle = 0.5 * (low + high);
        match shoot(middle) {
            Some(_) => low = middle,
            None => high = middle,
        }
    }
    let [_, _, x, drop] = shoot(low).unwrap_or([f64::NAN; 4]);
    Tip {
        x,
        drop,
        angle: FRAC_PI_2 - low.exp(),
    }
}

/// Cantilever under a transverse end force that turns with the tip, `force = P L^2 / B`.
///
/// In the tip's frame the force is dead: with a(s) the angle between the tangents at the tip and at
/// the distance s from it, `a'' = force cos a`, `a(0) = a'(0) = 0`, an initial value problem.
pub fn following_end_force(force: f64) -> Tip {
    let slope = |_, [a, rate, _, _]: [f64; 4]| [rate, force * a.cos(), a.cos(), a.sin()];
    let [a, _, along, across] = integrate([0.0; 4], slope);
    Tip {
        x: along * a.cos() + across * a.sin(),
        drop: along * a.sin() - across * a.cos(),
        angle: a,
    }
}

/// Steps of [`integrate`].
const STEPS: usize = 2000;

/// Runge-Kutta of fourth order over [0, 1].
fn integrate<const N: usize>(
    start: [f64; N],
    slope: impl Fn(f64, [f64; N]) -> [f64; N],
) -> [f64; N] {
    (0..STEPS).fold(start, |y, i| runge_kutta(i, y, &slope))
}

/// The same; `None` once `beyond` holds.
fn integrate_unless<const N: usize>(
    beyond: impl Fn(&[f64; N]) -> bool,
    start: [f64; N],
    slope: impl Fn(f64, [f64; N]) -> [f64; N],
) -> Option<[f64; N]> {
    (0..STEPS).try_fold(start, |y, i| {
        let y = runge_kutta(i, y, &slope);
        (!beyond(&y)).then_some(y)
    })
}

/// Step `i`.
fn runge_kutta<const N: usize>(
    i: usize,
    y: [f64; N],
    slope: &impl Fn(f64, [f64; N]) -> [f64; N],
) -> [f64; N] {
    let h = 1.0 / STEPS as f64;
    let s = i as f64 * h;
    let add = |k: [f64; N], f: f64| std::array::from_fn(|i| y[i] + f * k[i]);
    let k1 = slope(s, y);
    let k2 = slope(s + 0.5 * h, add(k1, 0.5 * h));
    let k3 = slope(s + 0.5 * h, add(k2, 0.5 * h));
    let k4 = slope(s + h, add(k3, h));
    std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
}

/// Euler's loads `P L^2 / B` of a straight rod.
pub mod euler {
    use super::{PI, bisect};

    pub const CLAMPED_FREE: f64 = PI * PI / 4.0;
    pub const PINNED_PINNED: f64 = PI * PI;
    pub const CLAMPED_CLAMPED: f64 = 4.0 * PI * PI;

    /// Square of the first root of `tan x = x`: 20.1907.
    pub fn clamped_pinned() -> f64 {
        bisect(4.0, 4.6, |x| x.sin() - x * x.cos()).powi(2)
    }

    /// `w L^3 / B` at which a column clamped at its foot buckles under its own weight (Greenhill):
    /// 7.8373.
    ///
    /// `a'' = -load s a` from the tip with `a'(0) = 0`; the power series of `a` vanishes at the
    /// foot.
    pub fn own_weight() -> f64 {
        let foot = |load: f64| {
            let mut term = 1.0;
            let mut sum = 0.0;
            for k in 1..60 {
                sum += term;
                let k = f64::from(k);
                term *= -load / ((3.0 * k - 1.0) * 3.0 * k);
            }
            sum
        };
        bisect(5.0, 10.0, foot)
    }
}

/// A pinned-pinned rod beyond its buckling load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Postbuckled {
    /// Load over Euler's.
    pub load: f64,
    /// Distance of the ends.
    pub end_distance: f64,
    /// Deflection in the middle.
    pub mid_height: f64,
}

/// The pinned-pinned elastica whose ends are inclined by `angle`, rad: elliptic integrals of
/// modulus `p = sin(angle/2)`.
pub fn postbuckled(angle: f64) -> Postbuckled {
    let p = (0.5 * angle).sin();
    let (k, e) = complete_elliptic(p);
    Postbuckled {
        load: (2.0 * k / PI).powi(2),
        end_distance: 2.0 * e / k - 1.0,
        mid_height: p / k,
    }
}

/// Complete elliptic integrals K and E of modulus `p` by the arithmetic-geometric mean.
fn complete_elliptic(p: f64) -> (f64, f64) {
    let (mut a, mut b, mut c) = (1.0, (1.0 - p * p).sqrt(), p);
    let mut sum = 0.5 * c * c;
    let mut power = 1.0;
    while c.abs() > 1e-16 {
        (a, b, c) = (0.5 * (a + b), (a * b).sqrt(), 0.5 * (a - b));
        sum += 0.5 * power * 2.0 * c * c;
        power *= 2.0;
    }
    let k = PI / (2.0 * a);
    (k, k * (1.0 - sum))
}

/// A chain between level ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Catenary {
    /// Horizontal force over `w L`.
    pub horizontal: f64,
    /// Depth of the middle below the ends.
    pub sag: f64,
    /// Tension at the ends over `w L`.
    pub end_tension: f64,
}

/// Chain of length 1 and weight 1 over `span`, with stretching stiffness `ea = EA / (w L)`
/// (infinite: inextensible).
///
/// `span = 2 a asinh(1 / 2a) + a / EA`, `sag = sqrt(a^2 + 1/4) - a + 1 / 8EA` (Irvine, Cable
/// Structures, 1981, ch. 1).
pub fn catenary(span: f64, ea: f64) -> Catenary {
    let a = bisect(1e-3, 1e3, |a| 2.0 * a * (0.5 / a).asinh() + a / ea - span);
    let end_tension = a.hypot(0.5);
    Catenary {
        horizontal: a,
        sag: end_tension - a + 0.125 / ea,
        end_tension,
    }
}

/// The root of `f` between two points of unlike sign; NaN, which keeps no bound, if they are alike.
pub fn bisect(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (low, high);
    let sign = f(low).signum();
    if f(high).signum() != -sign {
        return f64::NAN;
    }
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if f(middle).signum() == sign {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, table: f64) {
        assert!((found - table).abs() < 1e-9, "{found} {table}");
    }

    /// w L^3/B, x/L, drop/L, tip angle (catalogue 1.1).
    #[test]
    fn heavy_cantilevers_tabulated() {
        for (gravity, x, drop, angle) in [
            (0.01, 0.9999991071, 0.0012499985, 0.0016666649),
            (0.1, 0.9999107322, 0.0124984379, 0.0166650853),
            (1.0, 0.9912463953, 0.1234714020, 0.1651155605),
            (5.0, 0.8466571800, 0.4959050446, 0.6970047775),
            (10.0, 0.6563537612, 0.7001997155, 1.0526431172),
            (50.0, 0.2450147563, 0.9079171235, 1.5264531504),
            (100.0, 0.1592233826, 0.9375239354, 1.5641073206),
            (1000.0, 0.0459864548, 0.9811412693, 1.570796322),
        ] {
            let found = heavy_cantilever(gravity);
            close(found.x, x);
            close(found.drop, drop);
            close(found.angle, angle);
        }
        // Small loads: aspect = gravity / 8.
        assert!((heavy_cantilever(1e-3).aspect() / 1.25e-4 - 1.0).abs() < 1e-6);
    }

    /// P L^2/B, x/L, drop/L, tip angle (catalogue 1.2, Bisshopp and Drucker 1945).
    #[test]
    fn end_loaded_cantilevers_tabulated() {
        for (force, x, drop, angle) in [
            (0.25, 0.9958821816, 0.0827459154, 0.1242924421),
            (0.5, 0.9840810375, 0.1621435757, 0.2445336471),
            (1.0, 0.9435667637, 0.3017207738, 0.4613519497),
            (5.0, 0.6123716393, 0.7137915236, 1.2153681176),
            (10.0, 0.4450044022, 0.8106090249, 1.4302855388),
        ] {
            let found = end_loaded_cantilever(force);
            close(found.x, x);
            close(found.drop, drop);
            close(found.angle, angle);
        }
    }

    #[test]
    fn what_has_no_answer_is_no_number() {
        assert!(bisect(1.0, 2.0, |x| x).is_nan());
        assert!(bisect(1.0, 2.0, |_| f64::NAN).is_nan());
        assert!(end_loaded_cantilever(1e6).x.is_nan());
    }

    #[test]
    fn buckling_loads_tabulated() {
        close(euler::CLAMPED_FREE, 2.4674011003);
        close(euler::PINNED_PINNED, 9.8696044011);
        close(euler::clamped_pinned(), 20.1907285564);
        close(euler::CLAMPED_CLAMPED, 39.4784176044);
        close(euler::own_weight(), 7.8373474389);
    }

    /// End angle in degrees, P/Pc, end distance/L, mid height/L (catalogue 1.3).
    #[test]
    fn postbuckling_tabulated() {
        for (degrees, load, end, mid) in [
            (10.0_f64, 1.00381801365, 0.992396636342, 0.055379450078),
            (30.0, 1.03512066143, 0.932432155432, 0.161949967375),
            (60.0, 1.15171962047, 0.741019606076, 0.296603823082),
            (90.0, 1.39320392969, 0.456946581044, 0.381379881751),
            (120.0, 1.88480086898, 0.123159972405, 0.401585495004),
        ] {
            let found = postbuckled(degrees.to_radians());
            close(found.load, load);
            close(found.end_distance, end);
            close(found.mid_height, mid);
        }
    }

    /// EA/(w L), span/L, a = H/(w L), sag/L; end tension/(w L) (catalogue 1.7).
    #[test]
    fn catenaries_tabulated() {
        for (ea, span, horizontal, sag) in [
            (f64::INFINITY, 0.5, 0.1148201075, 0.3981941779),
            (f64::INFINITY, 0.8, 0.3382018791, 0.2654375091),
            (f64::INFINITY, 0.95, 0.8518621019, 0.1358975048),
            (10.0, 0.8, 0.2997089881, 0.2957365304),
            (100.0, 0.8, 0.3335480862, 0.2687462764),
            (1000.0, 0.8, 0.3377259629, 0.2657719119),
        ] {
            let found = catenary(span, ea);
            close(found.horizontal, horizontal);
            close(found.sag, sag);
        }
        for (span, tension) in [
            (0.5, 0.5130142855),
            (0.8, 0.6036393882),
            (0.95, 0.9877596067),
        ] {
            close(catenary(span, f64::INFINITY).end_tension, tension);
        }
    }
}
