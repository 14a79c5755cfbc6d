//! Localized helical buckling of a long, straight, isotropic rod under end rotation and shortening
//! (van der Heijden and Thompson 2000; B08 Fig. 7).
//!
//! The tangent makes the angle phi with the axis x and turns about it. The moment about the axis
//! and the twist are constant; with M the moment far away, where phi = 0,
//!
//! ```text
//! (cos phi - cos phi0)/(1 - cos phi0) = tanh^2(s/s*),   1/s* = (M/2 alpha) tan(phi0/2),
//! psi' = M/(alpha (1 + cos phi)),   T = M^2/(2 alpha (1 + cos phi0)).
//! ```
//!
//! The ends turn by `Theta = M L/beta + 2 phi0`: by twist, and by what the shape writhes. They
//! approach by `D = (4 alpha/M) sin phi0`.

use std::f64::consts::PI;

use glam::DVec3;

use super::elastica::bisect;

/// The shape of an infinite rod that is the limit of a long one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalizedBuckling {
    /// Bending stiffness alpha, N m^2.
    pub alpha: f64,
    /// Largest angle of the tangent to the axis, rad.
    pub phi0: f64,
    /// Moment about the axis, N m.
    pub moment: f64,
}

/// What is imposed on a rod.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Imposed {
    /// Length L, m.
    pub length: f64,
    /// Bending stiffness alpha, N m^2.
    pub alpha: f64,
    /// Twisting stiffness beta, N m^2.
    pub beta: f64,
    /// Rotation of one end against the other, rad.
    pub rotation: f64,
    /// Approach of the ends, m.
    pub shortening: f64,
}

impl Imposed {
    /// B08 Fig. 7.
    pub const FIG_7: Self = Self {
        length: 9.29,
        alpha: 1.345,
        beta: 0.789,
        rotation: 54.0 * PI,
        shortening: 0.3,
    };

    /// The shape with phi0 below a right angle.
    pub fn shape(&self) -> LocalizedBuckling {
        let moment = |phi0: f64| (self.rotation - 2.0 * phi0) * self.beta / self.length;
        let excess = |phi0: f64| 4.0 * self.alpha / moment(phi0) * phi0.sin() - self.shortening;
        let phi0 = bisect(0.0, 0.5 * PI, excess);
        LocalizedBuckling {
            alpha: self.alpha,
            phi0,
            moment: moment(phi0),
        }
    }
}

impl LocalizedBuckling {
    /// Length s* of the envelope, m.
    pub fn envelope_length(&self) -> f64 {
        2.0 * self.alpha / (self.moment * (0.5 * self.phi0).tan())
    }

    /// Tension T, N.
    pub fn tension(&self) -> f64 {
        self.moment.powi(2) / (2.0 * self.alpha * (1.0 + self.phi0.cos()))
    }

    /// Angle of the tangent to the axis at the distance s, m, from the middle, rad.
    pub fn angle(&self, s: f64) -> f64 {
        let f = (s / self.envelope_length()).tanh().powi(2);
        (self.phi0.cos() + (1.0 - self.phi0.cos()) * f).acos()
    }

    /// Tangents at the distances `s`, ascending, m, from the middle; psi by the midpoint rule in
    /// small parts.
    pub fn tangents(&self, s: &[f64]) -> Vec<DVec3> {
        const PARTS: usize = 64;
        let rate = |s: f64| self.moment / (self.alpha * (1.0 + self.angle(s).cos()));
        let turned = |from: f64, to: f64| -> f64 {
            let h = (to - from) / PARTS as f64;
            (0..PARTS)
                .map(|i| h * rate(from + h * (i as f64 + 0.5)))
                .sum()
        };
        let mut psi = s.first().map_or(0.0, |first| -turned(*first, 0.0));
        let mut last = s.first().copied().unwrap_or(0.0);
        let tangent = |&s: &f64| {
            psi += turned(last, s);
            last = s;
            let (sin, cos) = self.angle(s).sin_cos();
            DVec3::new(cos, sin * psi.cos(), sin * psi.sin())
        };
        s.iter().map(tangent).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_numbers() {
        let shape = Imposed::FIG_7.shape();
        // B08 gives .919; the other numbers are of an independent program.
        assert!((shape.phi0 - 0.918_549_5).abs() < 1e-7, "{}", shape.phi0);
        assert!((shape.moment - 14.252_015_7).abs() < 1e-6);
        assert!((shape.tension() - 46.988_500_2).abs() < 1e-5);
        assert!((shape.envelope_length() - 0.381_653_7).abs() < 1e-6);
    }

    #[test]
    fn both_ends_lie_on_the_axis() {
        let shape = Imposed::FIG_7.shape();
        let h = 1e-3;
        let s: Vec<f64> = (0..8000).map(|i| h * (f64::from(i) - 3999.5)).collect();
        let chord: DVec3 = shape.tangents(&s).iter().map(|t| *t * h).sum();
        assert!(chord.y.hypot(chord.z) < 1e-4, "{chord}");
        assert!((8.0 - chord.x - 0.3).abs() < 1e-4, "{chord}");
    }
}
