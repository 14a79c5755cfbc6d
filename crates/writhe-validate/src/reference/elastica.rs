//! Closed forms and quadratures of the planar elastica, of buckling loads and of the catenary. Dimensionless: length 1, bending
//! stiffness 1 (catenary: length 1, weight per length 1).

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

/// Inextensible cantilever that carries the downward force `load(s)` beyond the distance `s` from its tip.
///
/// With b the angle between tangent and the vertical, `b'' = load sin b`, `b'(0) = 0` at the tip, `b(1) = pi/2` at the clamp.
/// Shooting from the tip in `ln b(0)` is well conditioned however slack the rod is.
fn cantilever(load: impl Fn(f64) -> f64) -> Tip {
    // None when the rod is level before it reaches the clamp: b(0) is too large.
    let shoot = |log: f64| {
        let start = [log.exp(), 0.0, 0.0, 0.0];
        let slope = |s: f64, [b, rate, _, _]: [f64; 4]| [rate, load(s) * b.sin(), b.sin(), b.cos()];
        integrate(start, slope, |y| y[0] > FRAC_PI_2)
    };
    let (mut low, mut high) = (-400.0, FRAC_PI_2.ln());
    for _ in 0..70 {
        let middle = 0.5 * (low + high);
        match shoot(middle) {
            Some(_) => low = middle,
            None => high = middle,
        }
    }
    let [_, _, x, drop] = shoot(low).expect("the lower bound reaches the clamp");
    Tip {
        x,
        drop,
        angle: FRAC_PI_2 - low.exp(),
    }
}

/// Cantilever under a transverse end force that turns with the tip, `force = P L^2 / B`.
///
/// In the tip's frame the force is dead: with a(s) the angle between the tangents at the tip and at the distance s from it,
/// `a'' = force cos a`, `a(0) = a'(0) = 0`, an initial value problem.
pub fn following_end_force(force: f64) -> Tip {
    let slope = |_, [a, rate, _, _]: [f64; 4]| [rate, force * a.cos(), a.cos(), a.sin()];
    let [a, _, along, across] = integrate([0.0; 4], slope, |_| false).expect("no limit is set");
    Tip {
        x: along * a.cos() + across * a.sin(),
        drop: along * a.sin() - across * a.cos(),
        angle: a,
    }
}

/// Runge-Kutta of fourth order over [0, 1]; `None` once `beyond` holds.
fn integrate<const N: usize>(
    start: [f64; N],
    slope: impl Fn(f64, [f64; N]) -> [f64; N],
    beyond: impl Fn(&[f64; N]) -> bool,
) -> Option<[f64; N]> {
    const STEPS: usize = 2000;
    let h = 1.0 / STEPS as f64;
    let add = |y: [f64; N], k: [f64; N], f: f64| std::array::from_fn(|i| y[i] + f * k[i]);
    let mut y = start;
    for step in 0..STEPS {
        let s = step as f64 * h;
        let k1 = slope(s, y);
        let k2 = slope(s + 0.5 * h, add(y, k1, 0.5 * h));
        let k3 = slope(s + 0.5 * h, add(y, k2, 0.5 * h));
        let k4 = slope(s + h, add(y, k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
        if beyond(&y) {
            return None;
        }
    }
    Some(y)
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

    /// `w L^3 / B` at which a column clamped at its foot buckles under its own weight (Greenhill): 7.8373.
    ///
    /// `a'' = -load s a` from the tip with `a'(0) = 0`; the power series of `a` vanishes at the foot.
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

/// The pinned-pinned elastica whose ends are inclined by `angle`, rad: elliptic integrals of modulus `p = sin(angle/2)`.
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

/// Chain of length 1 and weight 1 over `span`, with stretching stiffness `ea = EA / (w L)` (infinite: inextensible).
///
/// `span = 2 a asinh(1 / 2a) + a / EA`, `sag = sqrt(a^2 + 1/4) - a + 1 / 8EA` (Irvine, Cable Structures, 1981, ch. 1).
pub fn catenary(span: f64, ea: f64) -> Catenary {
    let a = bisect(1e-3, 1e3, |a| 2.0 * a * (0.5 / a).asinh() + a / ea - span);
    let end_tension = a.hypot(0.5);
    Catenary {
        horizontal: a,
        sag: end_tension - a + 0.125 / ea,
        end_tension,
    }
}

/// The root of `f` between two points of unlike sign.
pub fn bisect(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (low, high);
    let sign = f(low).signum();
    assert!(
        f(high).signum() != sign,
        "no sign change in [{low}, {high}]"
    );
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
