//! Inertia of a turning body: torque on it by its spin, and its derivative.

use glam::{DMat3, DVec3};

use super::Assembly;
use super::assembly::trace;
use super::placement::Turn;
use crate::rod::geometry::skew;

/// Inertia of rotation at a trial: minus what must balance it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spinning {
    /// Rate of angular momentum about the centre of mass, N m.
    pub torque: DVec3,
    /// Its derivative by the turn of the stage, N m.
    pub gradient: DMat3,
    /// Size of what cancels in it, N m.
    pub scale: f64,
    /// Incremental potential, J, where there is one.
    pub potential: f64,
    /// Rate R' of the orientation matrix at the stage (at the end of a midpoint step), 1/s.
    pub rate: DMat3,
}

/// A linear rule for rates: `R' = a R + velocity`, `R'' = a R' + acceleration`, with a in 1/s.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// a, 1/s.
    pub a: f64,
    /// What the past adds to the rate, 1/s.
    pub velocity: DMat3,
    /// What the past adds to the second rate, 1/s^2.
    pub acceleration: DMat3,
}

/// The body's points follow the rule one by one, as nodes do: `sum m r x r''` with `r = R c`. It has the potential
/// `tr(R'' E R''^T) / 2a^2`.
pub fn by_points(assembly: &Assembly, turn: &Turn, rule: &Rule) -> Spinning {
    let e = assembly.second_moment;
    let rate = turn.end * rule.a + rule.velocity;
    let second = rate * rule.a + rule.acceleration;
    // sum m r'' r^T
    let m = second * e * turn.end.transpose();
    let here = turn.end * e * turn.end.transpose();
    let inertia = DMat3::IDENTITY * trace(here) - here;
    let a_sq = rule.a * rule.a;
    let by_spin = m.transpose() - DMat3::IDENTITY * trace(m) + inertia * a_sq;
    Spinning {
        torque: twice_axial(m),
        gradient: by_spin * turn.spin,
        scale: (second * e)
            .to_cols_array()
            .iter()
            .fold(0.0, |a, v| a.max(v.abs())),
        potential: 0.5 * trace(second * e * second.transpose()) / a_sq,
        rate,
    }
}

/// Angular momentum over a midpoint step of size `dt`, s, from the angular velocity `before`, rad/s in the scene's axes: the turn is that of
/// the mean of the two angular velocities in the body's axes (Simo and Wong 1991), which conserves energy and momentum.
pub fn by_momentum(assembly: &Assembly, turn: &Turn, before: DVec3, dt: f64) -> Spinning {
    let j = assembly.inertia;
    let back = turn.start.transpose();
    let omega_before = back * before;
    let mean = back * turn.cayley / dt;
    let omega = 2.0 * mean - omega_before;
    let momentum = turn.end * (j * omega);
    let torque = (momentum - turn.start * (j * omega_before)) / dt;
    // The stage's unknown is half the Cayley vector.
    let by_spin = skew(momentum) * turn.spin * -2.0;
    let by_rate = turn.end * j * back * (4.0 / dt);
    Spinning {
        torque,
        gradient: (by_spin + by_rate) * (1.0 / dt),
        scale: momentum.length() * turn.cayley.length() / (dt * dt),
        potential: 0.0,
        rate: skew(turn.end * omega) * turn.end,
    }
}

/// Angular momentum about the centre of mass, kg m^2/s, of a body with orientation R and rate R'.
pub fn angular_momentum(assembly: &Assembly, orientation: DMat3, rate: DMat3) -> DVec3 {
    twice_axial(rate * assembly.second_moment * orientation.transpose())
}

/// Angular velocity of the rigid motion that has the same angular momentum as the rate R', rad/s.
pub fn angular_velocity(assembly: &Assembly, orientation: DMat3, rate: DMat3) -> DVec3 {
    let inertia = orientation * assembly.inertia * orientation.transpose();
    inertia.inverse() * angular_momentum(assembly, orientation, rate)
}

/// `sum m r x v` of `M = sum m v r^T`.
fn twice_axial(m: DMat3) -> DVec3 {
    let [x, y, z] = [m.row(0), m.row(1), m.row(2)];
    DVec3::new(z.y - y.z, x.z - z.x, y.x - x.y)
}

/// Rotational energy, J, of an angular velocity, rad/s.
pub fn energy(assembly: &Assembly, orientation: DMat3, omega: DVec3) -> f64 {
    let omega = orientation.transpose() * omega;
    0.5 * omega.dot(assembly.inertia * omega)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rod::geometry::outer;
    use crate::rod::rotation::cayley;
    use glam::DQuat;

    fn assembly() -> Assembly {
        let points = [
            (0.3, DVec3::new(0.2, 0.1, -0.4)),
            (0.5, DVec3::new(-0.3, 0.4, 0.1)),
            (0.2, DVec3::new(0.5, -0.2, 0.3)),
        ];
        let e = points
            .iter()
            .fold(DMat3::ZERO, |e, (m, c)| e + outer(*c, *c) * *m);
        Assembly {
            mass: 1.0,
            inertia: DMat3::IDENTITY * trace(e) - e,
            second_moment: e,
            origin: DVec3::ZERO,
            nodes: Vec::new(),
            welds: Vec::new(),
        }
    }

    fn check(spinning: impl Fn(DVec3) -> Spinning, turn: DVec3) {
        let step = 1e-6;
        let exact = spinning(turn).gradient;
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let [a, b] = [-step, step].map(|s| spinning(turn + s * axis).torque);
            let difference = (b - a) / (2.0 * step);
            assert!((difference - exact * axis).length() < 1e-7 * exact.x_axis.length());
        }
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let body = assembly();
        let orientation = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.9);
        let rule = Rule {
            a: 3.0,
            velocity: DMat3::from_cols(DVec3::X, DVec3::ONE, DVec3::NEG_Z) * 2.0,
            acceleration: DMat3::from_cols(DVec3::Y, DVec3::X, DVec3::ONE),
        };
        let turn = DVec3::new(0.3, -0.2, 0.4);
        let points = |w: DVec3| by_points(&body, &Turn::new(orientation, w, false), &rule);
        check(points, turn);
        // The torque is the gradient of the potential by spin.
        let t = Turn::new(orientation, turn, false);
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let [a, b] = [-1e-6, 1e-6].map(|s| points(turn + s * axis).potential);
            let slope = points(turn).torque.dot(t.spin * axis);
            assert!(((b - a) / 2e-6 - slope).abs() < 1e-8 * slope.abs().max(1.0));
        }
        let before = DVec3::new(1.0, -2.0, 0.5);
        check(
            |w| by_momentum(&body, &Turn::new(orientation, w, true), before, 0.1),
            turn,
        );
    }

    #[test]
    fn a_rigid_rate_has_its_angular_velocity() {
        let body = assembly();
        let r = DMat3::from_quat(cayley(DVec3::new(0.3, 0.8, -0.1)));
        let omega = DVec3::new(0.4, -1.0, 2.0);
        let found = angular_velocity(&body, r, skew(omega) * r);
        assert!((found - omega).length() < 1e-14);
    }
}
