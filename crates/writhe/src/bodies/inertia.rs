//! Inertia of a turning body: torque on it by its spin, and its derivative.

use glam::{DMat3, DVec3};

use crate::bodies::Assembly;
use crate::bodies::assembly::trace;
use crate::bodies::placement::Turn;
use crate::rod::geometry::{outer, skew};

/// Inertia of rotation at a trial: minus what must balance it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spinning {
    /// Rate of angular momentum about the centre of mass, N m.
    pub torque: DVec3,
    /// Its derivative by the turn of the stage, N m.
    pub gradient: DMat3,
    /// Size of what cancels in it, N m.
    pub scale: f64,
    /// Incremental potential, J, where there is one.
    pub potential: f64,
    /// Angular velocity at the end of the step, rad/s in the scene's axes.
    pub omega: DVec3,
}

/// Angular momentum about the centre of mass of a body that turns freely over a step: constant, and
/// energy is too.
///
/// Body axes turn by the mean of the angular velocities at both ends of the step (Simo and Wong
/// 1991). With the inertia I at its start, the rotation vector v and the Cayley vector w of the
/// turn, the momentum is `L = (I v + w x I v / 2) / dt`. Simo and Wong take v = w; energy stays
/// what it is for any v along w, and the rotation vector makes a turn about a principal axis exact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flight {
    /// L, kg m^2/s, in the scene's axes.
    pub momentum: DVec3,
    /// Its derivative by the Cayley vector, kg m^2/s.
    pub gradient: DMat3,
}

impl Flight {
    /// The flight that turns a body of inertia `inertia` at the start, kg m^2 in the scene's axes,
    /// by the Cayley vector `w` in `dt`, s.
    pub(crate) fn new(inertia: DMat3, w: DVec3, dt: f64) -> Self {
        // L = (1 + w/2 x) I v/dt, dL/dw = ((1 + w/2 x) I dv/dw - [I v/2]x)/dt
        let (v, by_w) = rotation_vector(w);
        let turned = inertia * v;
        let half = DMat3::IDENTITY + skew(0.5 * w);
        Self {
            momentum: half * turned / dt,
            gradient: (half * inertia * by_w - skew(0.5 * turned)) * (1.0 / dt),
        }
    }
}

/// The rotation vector of the Cayley vector w, and its derivative.
fn rotation_vector(w: DVec3) -> (DVec3, DMat3) {
    let h_sq = 0.25 * w.length_squared();
    // atan(h)/h, and (1/(1 + h^2) - atan(h)/h) / h^2, whose terms cancel where h is small.
    let (ratio, slope) = if h_sq < 1e-4 {
        let ratio = 1.0 - h_sq * (1.0 / 3.0 - h_sq * (0.2 - h_sq / 7.0));
        (
            ratio,
            -2.0 / 3.0 + h_sq * (0.8 - h_sq * (6.0 / 7.0 - h_sq * 8.0 / 9.0)),
        )
    } else {
        let h = h_sq.sqrt();
        let ratio = h.atan() / h;
        (ratio, (1.0 / (1.0 + h_sq) - ratio) / h_sq)
    };
    // v = w atan(h)/h with h = |w|/2; dv/dw = ratio I + slope w w^T/4
    let by_w = DMat3::IDENTITY * ratio + outer(w, w) * (0.25 * slope);
    (w * ratio, by_w)
}

/// How the angular momentum L at the end of a step follows from the turn, and its rate from L. With
/// the momentum F of the flight that makes the turn and the rotation Q of the step,
/// `L = F + beyond Q (F - before)` and `L' = a L + history`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MomentumRule {
    /// a, 1/s.
    pub a: f64,
    /// The way from the middle of this step to its end over that from the middle of the last step;
    /// 0 for one-step rules.
    pub beyond: f64,
    /// Momentum of the flight of the last step, kg m^2/s.
    pub before: DVec3,
    /// What earlier momenta add to the rate, N m.
    pub history: DVec3,
    /// Size of the step, s.
    pub dt: f64,
}

/// Angular momentum is differenced as it is, in the scene's axes: without a torque it does not
/// change. It follows from the turns of the last two steps through those of free flights, so that a
/// free body keeps its energy as well. A flight has the momentum of the middle of its step: the
/// change from flight to flight goes on to the end of the step, and turns with the body. A thin
/// body that is made to turn would otherwise seem to spin about its axis, where a small part of its
/// momentum makes it fast.
pub(crate) fn by_momentum(assembly: &Assembly, turn: &Turn, rule: &MomentumRule) -> Spinning {
    let inertia = |r: DMat3| r * assembly.inertia * r.transpose();
    let flight = Flight::new(inertia(turn.start), turn.cayley, rule.dt);
    // L = F + beyond Q (F - before), Q the turn of the step
    let step = turn.end * turn.start.transpose();
    let change = step * (flight.momentum - rule.before) * rule.beyond;
    let momentum = flight.momentum + change;
    // dL/dw = dF/dw + beyond Q dF/dw - [change]x T, since Q turns by the spin T dw
    let by_turn = flight.gradient + step * flight.gradient * rule.beyond - skew(change) * turn.spin;
    Spinning {
        torque: momentum * rule.a + rule.history,
        gradient: by_turn * rule.a,
        scale: momentum.length() * turn.cayley.length() / (rule.dt * rule.dt),
        potential: 0.0,
        omega: inertia(turn.end).inverse() * momentum,
    }
}

/// A body that was at rest at the start of the step, `1/a` long: its points are at rest in the end,
/// `sum m r x a^2 (r - r0)`. It has the potential `a^2 tr((R - R0) E (R - R0)^T) / 2`.
pub(crate) fn from_rest(assembly: &Assembly, turn: &Turn, a: f64) -> Spinning {
    let e = assembly.second_moment;
    let a_sq = a * a;
    let away = (turn.end - turn.start) * a_sq;
    // sum m r'' r^T
    let m = away * e * turn.end.transpose();
    let here = turn.end * e * turn.end.transpose();
    let inertia = DMat3::IDENTITY * trace(here) - here;
    // By a spin f, r x r'' changes by (f x r) x r'' + a^2 r x (f x r).
    let by_spin = m.transpose() - DMat3::IDENTITY * trace(m) + inertia * a_sq;
    Spinning {
        torque: twice_axial(m),
        gradient: by_spin * turn.spin,
        scale: (away * e)
            .to_cols_array()
            .iter()
            .fold(0.0, |a, v| a.max(v.abs())),
        potential: 0.5 * trace(away * e * away.transpose()) / a_sq,
        omega: DVec3::ZERO,
    }
}

/// Angular momentum over a midpoint step of size `dt`, s, from the angular velocity `before`, rad/s
/// in the scene's axes: the turn is that of the mean of the two angular velocities in the body's
/// axes (Simo and Wong 1991), which conserves energy and momentum.
pub(crate) fn at_midpoint(assembly: &Assembly, turn: &Turn, before: DVec3, dt: f64) -> Spinning {
    let j = assembly.inertia;
    let back = turn.start.transpose();
    let omega_before = back * before;
    // Mean of both angular velocities in the body's axes. w is along the axis of the turn, so it is
    // the same in those at the start and at the end.
    let mean = back * turn.cayley / dt;
    // omega1 = 2 mean - omega0
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
        omega: turn.end * omega,
    }
}

/// Angular momentum about the centre of mass, kg m^2/s, of an angular velocity, rad/s, in the
/// scene's axes.
pub(crate) fn angular_momentum(assembly: &Assembly, orientation: DMat3, omega: DVec3) -> DVec3 {
    orientation * (assembly.inertia * (orientation.transpose() * omega))
}

/// `sum m r x v` of `M = sum m v r^T`.
fn twice_axial(m: DMat3) -> DVec3 {
    let [x, y, z] = [m.row(0), m.row(1), m.row(2)];
    DVec3::new(z.y - y.z, x.z - z.x, y.x - x.y)
}

/// Rotational energy, J, of an angular velocity, rad/s.
pub(crate) fn energy(assembly: &Assembly, orientation: DMat3, omega: DVec3) -> f64 {
    let omega = orientation.transpose() * omega;
    0.5 * omega.dot(assembly.inertia * omega)
}

#[cfg(test)]
mod tests {
    use super::*;
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

    fn orientation() -> DQuat {
        DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.9)
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let body = assembly();
        let rule = MomentumRule {
            a: 3.0,
            beyond: 0.6,
            before: DVec3::new(0.3, -0.8, 0.1),
            history: DVec3::new(-2.0, 0.4, 1.0),
            dt: 0.4,
        };
        let before = DVec3::new(1.0, -2.0, 0.5);
        let turn = |w: DVec3, middle| Turn::new(orientation(), w, middle);
        for size in [1.0, 1e-2, 1e-3] {
            let w = size * DVec3::new(0.3, -0.2, 0.4);
            check(|w| by_momentum(&body, &turn(w, false), &rule), w);
            check(|w| at_midpoint(&body, &turn(w, true), before, 0.1), w);
            check(|w| from_rest(&body, &turn(w, false), 3.0), w);
            // Here the torque is the gradient of a potential by spin.
            let at = |w: DVec3| from_rest(&body, &turn(w, false), 3.0);
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                let step = 1e-6;
                let [a, b] = [-step, step].map(|s| at(w + s * axis).potential);
                let slope = at(w).torque.dot(turn(w, false).spin * axis);
                let error = ((b - a) / (2.0 * step) - slope).abs();
                assert!(error < 1e-8 * size);
            }
        }
    }

    #[test]
    fn a_flight_keeps_energy_and_turns_about_a_principal_axis_as_far_as_it_should() {
        let body = assembly();
        let dt = 0.3;
        for w in [0.8, 1e-2, 1e-4].map(|size| size * DVec3::new(0.5, -0.4, 0.7)) {
            let turn = Turn::new(orientation(), w, false);
            let at = |r: DMat3, l: DVec3| {
                let omega = r * body.inertia.inverse() * r.transpose() * l;
                energy(&body, r, omega)
            };
            let inertia = turn.start * body.inertia * turn.start.transpose();
            let momentum = Flight::new(inertia, w, dt).momentum;
            let [before, after] = [turn.start, turn.end].map(|r| at(r, momentum));
            assert!((after - before).abs() < 1e-14 * before);
        }
        let top = DMat3::from_diagonal(DVec3::new(0.2, 0.3, 0.4));
        for angle in [1e-5, 0.0199, 0.0201, 2.0_f64] {
            let w = DVec3::Z * 2.0 * (0.5 * angle).tan();
            let momentum = Flight::new(top, w, dt).momentum;
            assert!((momentum - DVec3::Z * 0.4 * angle / dt).length() < 1e-14 * angle);
        }
    }
}
