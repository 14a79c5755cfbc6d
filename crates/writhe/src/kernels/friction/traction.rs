//! Coulomb's law made smooth: force over normal force as a function of the slip.
//!
//! With the slip s in the plane of contact, a velocity or a displacement, and a scale c of the same
//! unit,
//!
//! ```text
//! f/F_n = -mu Gamma(|s|/c) s/|s|
//! ```
//!
//! Sliding has Gamma = 1. Gamma = tanh(7.5 x) is T22's Eq. 17; Gamma = x (3 - x^2)/2, 1 from x = 1
//! on, ends, which a memory of the slip needs.

use glam::{DMat3, DVec3};

use crate::kernels::distance::outer;

/// K2 times the slip tolerance (T22 Eq. 17).
const SHARPNESS: f64 = 15.0;

/// Shape of Gamma.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight {
    /// tanh(7.5 x) (T22 Eq. 17).
    Tanh,
    /// x (3 - x^2)/2 up to x = 1, then 1.
    Cubic,
}

/// Force over normal force at a slip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traction {
    /// -mu Gamma s/|s|.
    pub value: DVec3,
    /// Its derivative by s, symmetric, negative semidefinite, over the unit of s.
    pub slope: DMat3,
}

impl Traction {
    /// The traction at the slip `s` with the scale `c`, for the coefficient mu.
    pub(crate) fn new(weight: Weight, mu: f64, s: DVec3, c: f64) -> Self {
        let x = s.length() / c;
        let (ratio, slope) = weight.ratio(x);
        // t = -mu (Gamma/x) s/c, dt/ds = -mu (Gamma/x)/c I - mu ((Gamma/x)'/x) s s^T/c^3
        let (ratio, slope) = (mu * ratio / c, mu * slope / (c * c * c));
        Self {
            value: -ratio * s,
            slope: DMat3::from_diagonal(DVec3::splat(-ratio)) - outer(s, slope * s),
        }
    }
}

impl Weight {
    /// Gamma(x)/x and (d/dx)(Gamma/x)/x, both regular at rest.
    pub fn ratio(self, x: f64) -> (f64, f64) {
        match self {
            Self::Tanh => {
                // Gamma = tanh(z), z = 7.5 x: Gamma/x = 7.5 tanh(z)/z
                const HALF: f64 = 0.5 * SHARPNESS;
                let (ratio, slope) = tanh_ratio(HALF * x);
                (HALF * ratio, HALF * HALF * HALF * slope)
            }
            Self::Cubic if x < 1.0 => (0.5 * (3.0 - x * x), -1.0),
            Self::Cubic => (1.0 / x, -1.0 / (x * x * x)),
        }
    }
}

/// Stick-slip weight gamma = 2/(1 + exp(-K2 v)) - 1 and its derivative by the speed v (T22 Eq. 17),
/// K2 = 15/nu.
pub fn stick_slip_weight(speed: f64, slip_tolerance: f64) -> (f64, f64) {
    // 2/(1 + exp(-y)) - 1 = tanh(y/2)
    let half = 0.5 * SHARPNESS / slip_tolerance;
    let gamma = (half * speed).tanh();
    (gamma, half * (1.0 - gamma * gamma))
}

/// tanh(z)/z and (d/dz)(tanh(z)/z)/z.
pub(crate) fn tanh_ratio(z: f64) -> (f64, f64) {
    // Below this the difference in the second loses more than the series leaves out (1e-14).
    const SMALL: f64 = 0.05;
    let z_sq = z * z;
    if z < SMALL {
        // tanh(z)/z = 1 - z^2/3 + 2 z^4/15 - ..., and its derivative over z
        let ratio = 1.0
            - z_sq
                * (1.0 / 3.0
                    - z_sq * (2.0 / 15.0 - z_sq * (17.0 / 315.0 - z_sq * (62.0 / 2835.0))));
        let slope = -2.0 / 3.0
            + z_sq
                * (8.0 / 15.0
                    - z_sq * (34.0 / 105.0 - z_sq * (496.0 / 2835.0 - z_sq * (2764.0 / 31185.0))));
        return (ratio, slope);
    }
    let tanh = z.tanh();
    let ratio = tanh / z;
    (ratio, (1.0 - tanh * tanh - ratio) / z_sq)
}

#[cfg(test)]
mod tests;
