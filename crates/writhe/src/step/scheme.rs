//! Time schemes as linear rules `u = a y + history`, `u' = a u + history` for the unknown stage y.

use crate::response::Interval;
use crate::rod::Topology;
use crate::state::{History, State};

/// Time scheme.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Scheme {
    /// First order, damps everything that the step does not resolve.
    BackwardEuler,
    /// Second order, damps what the step does not resolve.
    Bdf2,
    /// BDF2 made exact for motion at one rate omega, rad/s; for scenes driven at that rate.
    FittedBdf2 {
        /// Rate, rad/s.
        omega: f64,
    },
    /// Second order, conserves energy of linear systems and angular momentum.
    ImplicitMidpoint,
}

impl Scheme {
    /// Largest step, s, at which a force `-rate m u_n` of the velocity at the start of each step is
    /// stable; `rate` in 1/s.
    ///
    /// It is where the velocity changes its sign from step to step, `u_{n+1} = -u_n`: the
    /// derivative a u_{n+1} + b u_n + c u_{n-1} then has the size a - b + c. That is 2/dt for
    /// backward Euler and the midpoint rule, 4/dt for BDF2 and `2 omega / tan(omega dt / 2)` where
    /// it is fitted. BDF2's first step is one of backward Euler, which multiplies what is stiffest
    /// by less than three, once.
    pub fn largest_lagged_step(self, rate: f64) -> f64 {
        match self {
            Self::BackwardEuler | Self::ImplicitMidpoint => 2.0 / rate,
            Self::Bdf2 => 4.0 / rate,
            Self::FittedBdf2 { omega } => {
                // omega dt from 2 omega / tan(omega dt / 2) = rate.
                let angle = 2.0 * (2.0 * omega / rate).atan();
                if omega > 0.0 && angle < MAX_FITTED_ANGLE {
                    angle / omega
                } else {
                    4.0 / rate
                }
            }
        }
    }
}

/// A scheme at one step: the stage's velocity and acceleration are affine in the stage y.
#[derive(Debug, Clone)]
pub struct Stage {
    /// a, 1/s: derivative of the velocity by y and of the acceleration by the velocity.
    pub rate: f64,
    /// Velocity at y = 0, `(dofs)`.
    velocity_history: Vec<f64>,
    /// Acceleration at zero velocity, `(dofs)`.
    acceleration_history: Vec<f64>,
    /// Time of the stage, s.
    pub time: f64,
    /// Whether the stage is the middle of the step and not its end.
    pub midpoint: bool,
    /// a, b, c of `u = a y + b y_n + c y_{n-1}`, 1/s.
    rule: [f64; 3],
    dt: f64,
    /// The angle omega dt by which a motion turns in a step that the rule is fitted to, rad; 0
    /// where it is not.
    angle: f64,
}

/// Two-step rules are not stable beyond `1 + sqrt 2`; a larger growth of the step starts anew with
/// backward Euler.
const MAX_STEP_RATIO: f64 = 2.4;
/// Motion is smooth whose third order is at most this part of its second: a turn by that many
/// radians a step.
const SMOOTH: f64 = 0.2;
/// Squares of changes that do no harm, of all positions, m^2, and of all angles, rad^2.
const HARMLESS: [f64; 2] = [1e-24, 1e-6];
/// Steps are equal whose ratio is one up to this.
const EQUAL: f64 = 1e-6;
/// Beyond this many radians a step the fit is not trusted.
const MAX_FITTED_ANGLE: f64 = 0.5;

impl Stage {
    /// The scheme at the step from `start` of size `dt`, s.
    pub fn new(scheme: Scheme, start: &State, dt: f64) -> Self {
        let history = start
            .history
            .as_ref()
            .filter(|h| dt / h.dt < MAX_STEP_RATIO && h.dt / dt < 1e3);
        // Two-step rules without a history that fits are backward Euler.
        let mut angle = 0.0;
        let (a, b, c) = match (scheme, history) {
            (Scheme::Bdf2, Some(h)) => bdf2(dt, h.dt),
            (Scheme::FittedBdf2 { omega }, Some(h))
                if omega * (dt + h.dt) < 2.0 * MAX_FITTED_ANGLE =>
            {
                angle = omega * dt;
                fitted_bdf2(dt, h.dt, omega)
            }
            (Scheme::FittedBdf2 { .. }, Some(h)) => bdf2(dt, h.dt),
            (Scheme::ImplicitMidpoint, _) => (2.0 / dt, -2.0 / dt, 0.0),
            _ => (1.0 / dt, -1.0 / dt, 0.0),
        };
        // b y_n + c y_{n-1}: what the rule adds to a y at any trial.
        let combine = |now: &[f64], before: Option<&[f64]>| match before.filter(|_| c != 0.0) {
            Some(before) => now.iter().zip(before).map(|(n, p)| b * n + c * p).collect(),
            None => now.iter().map(|n| b * n).collect::<Vec<f64>>(),
        };
        let midpoint = scheme == Scheme::ImplicitMidpoint;
        Self {
            rate: a,
            velocity_history: combine(&start.q, history.map(|h| &h.q[..])),
            acceleration_history: combine(&start.velocity, history.map(|h| &h.velocity[..])),
            time: start.time + if midpoint { 0.5 * dt } else { dt },
            midpoint,
            rule: [a, b, c],
            dt,
            angle,
        }
    }

    /// The same rule at another stage time, s.
    pub(super) fn at(mut self, time: f64) -> Self {
        self.time = time;
        self
    }

    /// The rule a, b, c of `u = a y + b y_n + c y_{n-1}` and `u' = a u + b u_n + c u_{n-1}`, 1/s.
    pub(super) fn rule(&self) -> [f64; 3] {
        self.rule
    }

    /// The step as materials see it.
    pub(super) fn interval(&self) -> Interval {
        Interval {
            rule: self.rule,
            stage: self.time,
            span: self.span()[0],
            dt: self.dt,
            midpoint: self.midpoint,
        }
    }

    /// Whether the rule looks back beyond the start of the step.
    pub fn takes_two_steps(&self) -> bool {
        self.rule[2] != 0.0
    }

    /// Size of the step, s.
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// From the start of the step to the stage, and from there to its end, s.
    pub fn span(&self) -> [f64; 2] {
        if self.midpoint {
            [0.5 * self.dt; 2]
        } else {
            [self.dt, 0.0]
        }
    }

    /// Velocity at the stage `y`.
    pub fn velocity(&self, y: &[f64], out: &mut [f64]) {
        for ((u, y), h) in out.iter_mut().zip(y).zip(&self.velocity_history) {
            *u = self.rate * y + h;
        }
    }

    /// Acceleration at the stage velocity `u`.
    pub fn acceleration(&self, u: &[f64], out: &mut [f64]) {
        for ((a, u), h) in out.iter_mut().zip(u).zip(&self.acceleration_history) {
            *a = self.rate * u + h;
        }
    }

    /// The stage that belongs to the end configuration `q`.
    pub fn stage_of_end(&self, start: &[f64], q: &mut [f64]) {
        if self.midpoint {
            for (q, s) in q.iter_mut().zip(start) {
                *q = 0.5 * (*q + s);
            }
        }
    }

    /// The end configuration of the step whose stage is `y`, and the velocity there.
    pub fn finish(&self, start: &State, y: &[f64], u: &[f64]) -> (Vec<f64>, Vec<f64>) {
        if self.midpoint {
            // The stage is the mean of both ends: q = 2 y - q_n, and so for velocities.
            let twice = |stage: &[f64], start: &[f64]| {
                stage.iter().zip(start).map(|(s, x)| 2.0 * s - x).collect()
            };
            (twice(y, &start.q), twice(u, &start.velocity))
        } else {
            (y.to_vec(), u.to_vec())
        }
    }

    /// What the rule gets wrong of the velocity of a smooth motion that had the velocity `u` at the
    /// stage: for two steps `dt (dt + h)/6 (y''' + omega^2 y')`, h the step before, omega what the
    /// rule is fitted to; for one step `dt y''/2`.
    pub(super) fn defect(&self, start: &State, u: &[f64]) -> Vec<f64> {
        let now = u.iter().zip(&start.velocity);
        let Some(h) = start.history.as_ref().filter(|_| self.takes_two_steps()) else {
            return now.map(|(u, u0)| 0.5 * (u - u0)).collect();
        };
        // (u + b u_n + c u_{n-1})/3, zero for cos(omega t) and sin(omega t); for lines where omega
        // is zero. The first has the weight 2/(dt (dt + h)) in a second derivative.
        let before = self.angle * h.dt / self.dt;
        let (b, c) = match self.angle > 0.0 {
            true => (
                -(self.angle + before).sin() / before.sin(),
                self.angle.sin() / before.sin(),
            ),
            false => (-(self.dt + h.dt) / h.dt, self.dt / h.dt),
        };
        now.zip(&h.velocity)
            .map(|((u, u0), u1)| (u + b * u0 + c * u1) / 3.0)
            .collect()
    }

    /// Predicted stage: third order after equal steps of a two-step rule, second order with another
    /// history, first order without.
    pub fn predict(&self, topology: &Topology, start: &State) -> Vec<f64> {
        let span = if self.midpoint {
            0.5 * self.dt
        } else {
            self.dt
        };
        let mut predicted: Vec<f64> = (start.q.iter().zip(&start.velocity))
            .map(|(x, u)| x + u * span)
            .collect();
        let Some(h) = &start.history else {
            return predicted;
        };
        // x + u s + c s^2, the parabola with x and u at the start and p one step before:
        // c = (u - (x - p)/dt_before)/dt_before.
        let curve = span * span / h.dt;
        let known = start.q.iter().zip(&h.q).zip(&start.velocity);
        let mut bent = Change::default();
        for (dof, (y, ((x, p), u))) in predicted.iter_mut().zip(known).enumerate() {
            let by = (u - (x - p) / h.dt) * curve;
            bent.add(topology.angle[dof], by);
            *y += by;
        }
        if self.takes_two_steps() && (self.dt / h.dt - 1.0).abs() < EQUAL {
            self.go_on(topology, (start, h), bent, &mut predicted);
        }
        predicted
    }

    /// Puts the rods where four configurations after equal steps go on to. Two are known; those
    /// before follow from the velocities, which this rule took from them:
    /// `y_{n-2} = (u_n - a y_n - b y_{n-1})/c`. Where that is not far nearer to the parabola than
    /// this to the straight line, by `bent`, the motion was not smooth, and nothing changes.
    fn go_on(
        &self,
        topology: &Topology,
        (start, history): (&State, &History),
        bent: Change,
        predicted: &mut [f64],
    ) {
        let [a, b, c] = self.rule;
        let weights = next_of_four(self.angle);
        // Turns of bodies begin at zero in each step: theirs is the parabola.
        let rods = topology.rods.iter().map(|rod| rod.dofs).sum();
        let now = start.q.iter().zip(&start.velocity);
        let before = history.q.iter().zip(&history.velocity);
        let next = now.zip(before).take(rods).map(|((x, u), (x1, u1))| {
            let x2 = (u - a * x - b * x1) / c;
            let x3 = (u1 - a * x1 - b * x2) / c;
            weights[0] * x + weights[1] * x1 + weights[2] * x2 + weights[3] * x3
        });
        let next: Vec<f64> = next.collect();
        let mut change = Change::default();
        for (dof, (next, predicted)) in next.iter().zip(&*predicted).enumerate() {
            change.add(topology.angle[dof], next - predicted);
        }
        if change.beside(&bent) {
            predicted[..rods].copy_from_slice(&next);
        }
    }

    /// The next force at the end of this step after those of `forces`, newest first, each at the
    /// end of a step as long: exact for what the rule is fitted to and for straight lines.
    pub(super) fn next_force(&self, forces: [&[f64]; 4]) -> Vec<f64> {
        let weights = next_of_four(self.angle);
        let mut next = vec![0.0; forces[0].len()];
        for (weight, force) in weights.iter().zip(forces) {
            for (next, f) in next.iter_mut().zip(force) {
                *next += weight * f;
            }
        }
        next
    }
}

/// Sums of the squares of changes, of positions, m^2, and of angles, rad^2.
#[derive(Debug, Clone, Copy, Default)]
struct Change([f64; 2]);

impl Change {
    fn add(&mut self, angle: bool, by: f64) {
        self.0[usize::from(angle)] += by * by;
    }

    /// Whether both are small beside the other's, or do no harm.
    fn beside(&self, other: &Self) -> bool {
        (0..2).all(|k| self.0[k] <= SMOOTH * SMOOTH * other.0[k] + HARMLESS[k])
    }
}

/// Weights of four values after equal steps, newest first, that give the next one exactly for
/// `1, t, cos(angle n), sin(angle n)`: of `(z - 1)^2 (z^2 - 2 cos(angle) z + 1) = 0`; for cubics
/// where the angle is zero.
fn next_of_four(angle: f64) -> [f64; 4] {
    let twice = 2.0 * angle.cos();
    [twice + 2.0, -2.0 * (twice + 1.0), twice + 2.0, -1.0]
}

/// `u = a x + b x_n + c x_{n-1}` exact for quadratics.
fn bdf2(dt: f64, before: f64) -> (f64, f64, f64) {
    let r = dt / before;
    (
        (1.0 + 2.0 * r) / ((1.0 + r) * dt),
        -(1.0 + r) / dt,
        r * r / ((1.0 + r) * dt),
    )
}

/// `u = a x + b x_n + c x_{n-1}` exact for 1, cos(omega t), sin(omega t).
fn fitted_bdf2(dt: f64, before: f64, omega: f64) -> (f64, f64, f64) {
    // How far back the two known configurations lie, in phase.
    let (p1, p2) = (omega * dt, omega * (dt + before));
    if p2 < 1e-4 {
        // The sines cancel below; the fit changes the rule by less than p2^2.
        return bdf2(dt, before);
    }
    // 1 - cos p without cancellation.
    let versine = |p: f64| 2.0 * (0.5 * p).sin().powi(2);
    // Exact for 1: a + b + c = 0. With it, for the cosine: b versine(p1) + c versine(p2) = 0,
    // and for the sine: -b sin(p1) - c sin(p2) = omega.
    let ratio = versine(p2) / versine(p1);
    let c = omega / (p1.sin() * ratio - p2.sin());
    let b = -c * ratio;
    (-b - c, b, c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitted_rule_has_the_closed_form_at_equal_steps() {
        let (omega, dt) = (1.5_f64, 0.1_f64);
        let phi = omega * dt;
        let (a, b, c) = fitted_bdf2(dt, dt, omega);
        assert!((c - omega / (2.0 * phi.sin())).abs() < 1e-12 * c.abs());
        assert!((b + (1.0 + phi.cos()) * omega / phi.sin()).abs() < 1e-12 * b.abs());
        assert!((a - omega * (1.0 + 2.0 * phi.cos()) / (2.0 * phi.sin())).abs() < 1e-12 * a.abs());
    }

    #[test]
    fn rules_are_exact_where_they_claim() {
        let (dt, before, omega) = (0.07, 0.05, 2.0_f64);
        let at = |f: &dyn Fn(f64) -> f64, (a, b, c): (f64, f64, f64)| {
            a * f(0.0) + b * f(-dt) + c * f(-dt - before)
        };
        let plain = bdf2(dt, before);
        assert!((at(&|t| 3.0 + 2.0 * t - 4.0 * t * t, plain) - 2.0).abs() < 1e-12);
        let fitted = fitted_bdf2(dt, before, omega);
        assert!(
            (at(&|t| 1.0 + (omega * t).sin() + (omega * t).cos(), fitted) - omega).abs() < 1e-12
        );
    }

    /// Four configurations after equal steps of the rule, of which a state keeps two and the
    /// velocities that the rule made of all.
    #[test]
    fn the_prediction_goes_on_exactly_with_what_the_rule_is_fitted_to() {
        let (dt, omega) = (0.1, 1.5_f64);
        let cubic = |t: f64| 1.0 - t + 2.0 * t * t + 0.3 * t * t * t;
        let turning = |t: f64| 1.0 - t + (omega * t).sin() + 2.0 * (omega * t).cos();
        let cases: [(Scheme, &dyn Fn(f64) -> f64); 2] = [
            (Scheme::Bdf2, &cubic),
            (Scheme::FittedBdf2 { omega }, &turning),
        ];
        for (scheme, motion) in cases {
            let (a, b, c) = match scheme {
                Scheme::FittedBdf2 { omega } => fitted_bdf2(dt, dt, omega),
                _ => bdf2(dt, dt),
            };
            let velocity = |t: f64| a * motion(t) + b * motion(t - dt) + c * motion(t - 2.0 * dt);
            let (model, rest) = one_edge();
            let all = |value: f64| vec![value; model.topology.dofs];
            let mut state = State {
                q: all(motion(0.0)),
                velocity: all(velocity(0.0)),
                history: Some(History {
                    dt,
                    q: all(motion(-dt)),
                    velocity: all(velocity(-dt)),
                }),
                ..rest
            };
            let stage = Stage::new(scheme, &state, dt);
            let predicted = stage.predict(&model.topology, &state)[0];
            assert!((predicted - motion(dt)).abs() < 1e-12, "{predicted}");
            // A step of another size has the parabola, and so has a start with a jerk.
            let shorter = Stage::new(scheme, &state, 0.5 * dt);
            let error = shorter.predict(&model.topology, &state)[0] - motion(0.5 * dt);
            assert!(error.abs() > 1e-6 && error.abs() < 1e-2, "{error}");
            if let Some(history) = &mut state.history {
                history.velocity = all(0.0);
            }
            let error = stage.predict(&model.topology, &state)[0] - motion(dt);
            assert!(error.abs() > 1e-6 && error.abs() < 1e-2, "{error}");
            let forces = [0.0, -dt, -2.0 * dt, -3.0 * dt].map(|t| vec![motion(t)]);
            let next = stage.next_force([0, 1, 2, 3].map(|k| &forces[k][..]));
            assert!((next[0] - motion(dt)).abs() < 1e-12);
        }
    }

    /// The first term that a rule leaves out, of a motion that has no further one; nothing of what
    /// the rule is exact for.
    #[test]
    fn the_defect_is_what_the_rule_gets_wrong() {
        let (dt, before, omega) = (0.1, 0.07, 1.5_f64);
        let cubic = |t: f64| {
            (
                1.0 + t + 0.2 * t * t + 0.3 * t * t * t,
                1.0 + 0.4 * t + 0.9 * t * t,
            )
        };
        let (sin, cos) = (|t: f64| (omega * t).sin(), |t: f64| (omega * t).cos());
        let turning = |t: f64| (1.0 + 2.0 * sin(t) + cos(t), omega * (2.0 * cos(t) - sin(t)));
        let (model, rest) = one_edge();
        let all = |value: f64| vec![value; model.topology.dofs];
        let defect = |scheme, motion: &dyn Fn(f64) -> (f64, f64)| {
            let mut state = State {
                q: all(motion(0.0).0),
                velocity: all(motion(0.0).1),
                ..rest.clone()
            };
            state.history = Some(History {
                dt: before,
                q: all(motion(-before).0),
                velocity: all(motion(-before).1),
            });
            let stage = Stage::new(scheme, &state, dt);
            let mut u = all(0.0);
            stage.velocity(&all(motion(dt).0), &mut u);
            // Of the true velocities; what the rule makes of them is what it gets wrong.
            let estimated = stage.defect(&state, &all(motion(dt).1))[0];
            (estimated, motion(dt).1 - u[0])
        };
        let (estimated, true_one) = defect(Scheme::Bdf2, &cubic);
        assert!(
            (estimated - true_one).abs() < 1e-10 * true_one.abs(),
            "{estimated} {true_one}"
        );
        let (estimated, true_one) = defect(Scheme::FittedBdf2 { omega }, &turning);
        assert!(estimated.abs() < 1e-13 && true_one.abs() < 1e-13);
        // BDF2 is wrong about it, and so is the fitted rule about other motion: to higher order.
        for (scheme, motion) in [
            (Scheme::Bdf2, &turning as &dyn Fn(f64) -> (f64, f64)),
            (Scheme::FittedBdf2 { omega }, &cubic),
        ] {
            let (estimated, true_one) = defect(scheme, motion);
            assert!(
                (estimated / true_one - 1.0).abs() < 0.15,
                "{estimated} {true_one}"
            );
        }
        let (estimated, true_one) = defect(Scheme::BackwardEuler, &|t| (t * t, 2.0 * t));
        assert!((estimated - true_one).abs() < 1e-13);
    }

    fn one_edge() -> (crate::model::Model, State) {
        let rod = crate::rod::Rod::open(
            vec![glam::DVec3::ZERO, glam::DVec3::X],
            crate::rod::Section::circle(crate::rod::Material::new(1.0, 0.5, 1.0), 0.1),
        );
        let built = crate::model::ModelBuilder::new().rod(rod.unwrap()).build();
        built.unwrap()
    }
}
