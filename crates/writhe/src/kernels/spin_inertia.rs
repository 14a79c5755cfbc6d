//! What the spin of an edge about its tangent exerts on its nodes.
//!
//! An edge of polar moment I that spins at the rate w of its material frame has the energy
//! `T = I w^2/2`. With an angle theta that is counted from a frame carried from the start of the
//! step, `w = theta' + a . e'` (a: [`EdgeGeometry::spin`]). Lagrange's equations of T are
//!
//! ```text
//! by theta:  I w'
//! by e:      d/dt (I w a) - I w grad(a . e')  =  I w' a + I w (curl a) x e'
//! ```
//!
//! and `curl a = -t/|e|^2` wherever the frame was carried from: the curvature of parallel transport
//! is that of the sphere of tangents. So the nodes of the edge feel, `+` the second, `-` the first,
//!
//! ```text
//! f = I w (t x t')/|e| - I w' a
//! ```
//!
//! The first part is gyroscopic: `f . e' = 0`. Its moment `e x f` is `-I w t'`, what turning the
//! spin I w t takes. The second one belongs to the frame: with it a change of w acts about t, and
//! not about the mean of t and the tangent at the start of the step. Decision 0052.

use glam::{DMat3, DVec3};

use crate::rod::geometry::{outer, skew};
use crate::rod::kinematics::EdgeGeometry;

/// Which inertia of spinning edges counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SpinInertia {
    /// That of the angles alone: what a spin takes to be turned with its edge is left out, which
    /// costs (h/L)^2 of a rod's angular momentum, h its radius and L its length.
    #[default]
    Angles,
    /// That of the angles and of the tangents, which makes spinning rods gyroscopes. Explicit steps
    /// know it of rods whose angles something holds.
    Full,
}

/// An edge that spins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spinning {
    /// Its polar moment of inertia I, kg m^2.
    pub inertia: f64,
    /// The edge.
    pub edge: EdgeGeometry,
    /// Rate w at which it turns about its tangent, rad/s.
    pub rate: f64,
    /// Its derivative w', rad/s^2.
    pub acceleration: f64,
    /// Derivative e' of the edge vector, m/s.
    pub opening: DVec3,
}

/// Derivatives of the force of a [`Spinning`] edge where `w = s theta + ..`, `w' = s^2 theta + ..`
/// and `e' = s e + ..`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Derivative {
    /// By the edge vector, N/m.
    pub by_edge: DMat3,
    /// By the angle, N.
    pub by_angle: DVec3,
}

impl Spinning {
    /// Force on the second node, N; the first one feels its negative.
    pub fn force(&self) -> DVec3 {
        // I w (t x t')/|e| - I w' a
        self.turning() * (self.inertia * self.rate)
            - self.edge.spin * (self.inertia * self.acceleration)
    }

    /// `(t x t')/|e|`, which is `(e x e')/|e|^3`, 1/(m s).
    fn turning(&self) -> DVec3 {
        let e = self.edge;
        e.tangent.cross(self.opening) / (e.length * e.length)
    }

    /// Derivative of the force, with s = `stage_rate`, 1/s.
    pub fn derivative(&self, stage_rate: f64) -> Derivative {
        let (e, moment) = (self.edge, self.inertia * self.rate);
        let vector = e.tangent * e.length;
        // d(e x e') = (s [e]x - [e']x) de
        let cross = (skew(vector) * stage_rate - skew(self.opening)) * e.length.powi(-3);
        // d|e|^-3 = -3 |e|^-4 t . de
        let shrink = outer(self.turning(), e.tangent) * (3.0 / e.length);
        Derivative {
            by_edge: (cross - shrink) * moment
                - e.spin_jacobian() * (self.inertia * self.acceleration),
            // dw = s dtheta, dw' = s^2 dtheta
            by_angle: (self.turning() - e.spin * stage_rate) * (self.inertia * stage_rate),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAGE_RATE: f64 = 20.0;
    const INERTIA: f64 = 0.7;

    /// Force where the edge vector and the angle are `x`, carried from the tangent X, with
    /// velocities by the rate of the stage.
    fn evaluate<T>(x: [f64; 4], of: impl Fn(&Spinning) -> T) -> T {
        let vector = DVec3::new(x[0], x[1], x[2]);
        let start = (DVec3::X, DVec3::Y);
        let edge = EdgeGeometry::at(start, vector, x[3], [0, 0]).unwrap();
        let rate = STAGE_RATE * x[3] - 5.0;
        of(&Spinning {
            inertia: INERTIA,
            edge,
            rate,
            acceleration: STAGE_RATE * rate + 30.0,
            opening: vector * STAGE_RATE - DVec3::new(10.0, 9.0, -3.0),
        })
    }

    const AT: [f64; 4] = [0.7, 0.5, -0.3, 0.9];

    #[test]
    fn derivatives_against_differences() {
        let found = evaluate(AT, |s| s.derivative(STAGE_RATE));
        let scale = evaluate(AT, |s| s.force()).length() * STAGE_RATE;
        for k in 0..4 {
            let at = |h: f64| {
                let mut x = AT;
                x[k] += h;
                evaluate(x, |s| s.force())
            };
            let h = 1e-5;
            let difference = (at(h) - at(-h)) / (2.0 * h);
            let formula = if k < 3 {
                found.by_edge.col(k)
            } else {
                found.by_angle
            };
            let error = (difference - formula).length() / scale;
            assert!(error < 1e-8, "column {k} off by {error:e}");
        }
    }

    /// Lagrange's equation of `I w^2/2` by the edge vector, all by differences along a motion.
    #[test]
    fn the_force_is_that_of_the_kinetic_energy() {
        // x(t) and its derivatives; w = theta' + a . e'
        let x = |t: f64| {
            let e = DVec3::new(0.8 - 0.2 * t, 0.3 + t, 0.4 * t * t - 0.5);
            (e, 0.4 * t.sin())
        };
        let edge = |e: DVec3, theta| EdgeGeometry::at((DVec3::X, DVec3::Y), e, theta, [0, 0]);
        let spin = |e: DVec3, v: DVec3, rate: f64| rate + edge(e, 0.0).unwrap().spin.dot(v);
        let (t, h) = (0.6, 1e-3);
        let velocity = |t: f64| {
            let ((e1, a1), (e0, a0)) = (x(t + h), x(t - h));
            ((e1 - e0) / (2.0 * h), (a1 - a0) / (2.0 * h))
        };
        let w = |t: f64| {
            let (v, rate) = velocity(t);
            spin(x(t).0, v, rate)
        };
        // d/dt (I w a) - I w d(a . e')/de
        let momentum = |t: f64| edge(x(t).0, 0.0).unwrap().spin * (INERTIA * w(t));
        let (v, rate) = velocity(t);
        let by_edge = DVec3::from_array(std::array::from_fn(|k| {
            let d = DVec3::AXES[k] * h;
            let energy = |e: DVec3| 0.5 * INERTIA * spin(e, v, rate).powi(2);
            (energy(x(t).0 + d) - energy(x(t).0 - d)) / (2.0 * h)
        }));
        let lagrange = (momentum(t + h) - momentum(t - h)) / (2.0 * h) - by_edge;
        let geometry = edge(x(t).0, x(t).1).unwrap();
        let spinning = Spinning {
            inertia: INERTIA,
            edge: geometry,
            rate: w(t),
            acceleration: (w(t + h) - w(t - h)) / (2.0 * h),
            opening: v,
        };
        let error = (spinning.force() + lagrange).length() / lagrange.length();
        assert!(error < 1e-5, "{error:e}");
    }

    #[test]
    fn the_gyroscopic_force_has_no_power_and_the_moment_that_turns_the_spin() {
        evaluate(AT, |s| {
            let steady = Spinning {
                acceleration: 0.0,
                ..*s
            };
            let force = steady.force();
            let scale = force.length() * s.opening.length();
            assert!(force.dot(s.opening).abs() < 1e-15 * scale);
            // t' = (e' - t t . e')/|e|
            let t = s.edge.tangent;
            let turn = (s.opening - t * t.dot(s.opening)) / s.edge.length;
            let moment = (t * s.edge.length).cross(force) + turn * (s.inertia * s.rate);
            assert!(moment.length() < 1e-14 * (s.inertia * s.rate * turn.length()).abs());
        });
    }
}
