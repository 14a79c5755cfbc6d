//! Rigid bodies within a step: what follows them, their inertia, and their part of the next state.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DMat3, DQuat, DVec3};

use super::error::StepError;
use super::problem::Problem;
use super::scheme::Stage;
use crate::assembly::Blocks;
use crate::bodies::inertia::{
    Flight, MomentumRule, Spinning, angular_momentum, at_midpoint, by_momentum, from_rest,
};
use crate::bodies::joint::{At, Link};
use crate::bodies::placement::{Turn, place};
use crate::bodies::reduction::{BodyConfiguration, Reduction};
use crate::constraints::Constraint;
use crate::forces::Acting;
use crate::model::Model;
use crate::rod::Kinematics;
use crate::rod::kinematics::position;
use crate::rod::rotation::cayley;
use crate::state::State;

/// Largest Cayley vector of a step: 2 tan 80 degrees, that of a turn by 160 degrees.
const MAX_CAYLEY: f64 = 11.34;

/// Largest turn of a body in a step, rad.
const MAX_TURN: f64 = 160.0 / 180.0 * PI;
/// Largest turn of a motor in a step, rad. That it stands at its angle is told by a right angle, which
/// half a turn from there is one too.
const MAX_MOTOR_TURN: f64 = 89.0 / 180.0 * PI;

/// Refuses a step in which what is prescribed turns farther than its equations can tell.
pub(super) fn check_turns(
    model: &Model,
    start: &State,
    [from, to]: [f64; 2],
) -> Result<(), StepError> {
    for constraint in model.constraints.list() {
        let Constraint::Body { body, motion } = constraint else {
            continue;
        };
        let stands = start.frames.orientation[*body];
        let lag = model.constraints.body_lag(*body, motion, stands, to);
        if motion.turn([from, to]).length().max(lag) > MAX_TURN {
            return Err(StepError::BodyTurned { body: *body });
        }
    }
    for (joint, link) in acting_joints(model, &start.broken) {
        let turn = link.motor_angle(to).zip(link.motor_angle(from));
        let turn = turn.map_or(0.0, |(to, from)| to - from);
        let lag = link.motor_lag(&start.frames.orientation, to);
        let farther = lag.filter(|lag| lag.abs() > turn.abs()).unwrap_or(turn);
        if farther.abs() > MAX_MOTOR_TURN {
            return Err(motor_turned(joint, farther));
        }
    }
    Ok(())
}

/// Refuses the end of a step, with bodies of these orientations, at which a motor stands half a turn from
/// where it must be.
pub(super) fn check_motors(
    model: &Model,
    broken: &[bool],
    orientation: &[DQuat],
    time: f64,
) -> Result<(), StepError> {
    for (joint, link) in acting_joints(model, broken) {
        let lag = link.motor_lag(orientation, time);
        if let Some(lag) = lag.filter(|lag| lag.abs() > FRAC_PI_2) {
            return Err(motor_turned(joint, lag));
        }
    }
    Ok(())
}

fn acting_joints<'a>(
    model: &'a Model,
    broken: &'a [bool],
) -> impl Iterator<Item = (usize, &'a Link)> {
    let joints = model.joints.iter().enumerate();
    joints.filter(|(_, link)| link.holds(broken))
}

fn motor_turned(joint: usize, turn: f64) -> StepError {
    let degrees = turn.to_degrees();
    StepError::MotorTurned { joint, degrees }
}

/// Bodies at the trial last evaluated.
#[derive(Debug, Default)]
pub(super) struct BodyTrial {
    pub reduction: Reduction,
    pub spinning: Vec<Spinning>,
    /// Residual with that of welded unknowns, `(dofs)`.
    residual: Vec<f64>,
}

/// Writes the unknowns that follow bodies at the stage `y`.
pub(super) fn follow(model: &Model, start: &State, middle: bool, y: &mut [f64]) {
    let topology = &model.topology;
    for (body, assembly) in model.bodies.list.iter().enumerate() {
        let dof = topology.body_dof[body];
        let turn = Turn::new(start.frames.orientation[body], position(y, dof + 3), middle);
        let frames = &start.frames;
        place(assembly, &turn, dof, topology, frames, &start.q, y);
    }
}

impl BodyTrial {
    /// What must act on a body besides its inertia of rotation, by spin, N m: minus the sum of all
    /// torques on it.
    pub fn torque(&self, body: usize) -> DVec3 {
        self.reduction.torque(body) - self.spinning[body].torque
    }
}

impl Problem<'_> {
    /// Angular velocity of a body by which torques of the stage do work over the step to `end`,
    /// rad/s.
    pub(super) fn mean_spin(&self, body: usize, trial: &BodyTrial, end: &State) -> DVec3 {
        if self.stage.midpoint {
            // w/dt, since R1 - R0 = w x (R0 + R1)/2 exactly (decision 0032).
            return trial.reduction.turns[body].cayley / self.stage.dt();
        }
        position(&end.velocity, self.model.topology.body_dof[body] + 3)
    }

    /// Power of the motors of joints at the trial last evaluated, W, with the angular velocities
    /// `spin` of bodies, rad/s.
    pub(super) fn motor_power(
        &self,
        y: &[f64],
        trial: &BodyTrial,
        spin: impl Fn(usize) -> DVec3,
    ) -> f64 {
        let at = self.joints_at(y, &trial.reduction);
        let driven = self.model.joints.iter().filter(|link| link.is_driven());
        let power = |link: &Link| {
            let [a, b] = link.bodies.map(|body| body.map_or(DVec3::ZERO, &spin));
            link.load(&at).torque.dot(a - b)
        };
        driven.map(power).sum()
    }

    /// Writes the unknowns that follow bodies.
    pub fn follow(&self, y: &mut [f64]) {
        follow(self.model, self.start, self.stage.midpoint, y);
    }

    fn configuration<'a>(
        &'a self,
        y: &'a [f64],
        kinematics: &'a Kinematics,
    ) -> BodyConfiguration<'a> {
        BodyConfiguration {
            topology: &self.model.topology,
            frames: &self.start.frames,
            kinematics,
            y,
            middle: self.stage.midpoint,
        }
    }

    /// Takes the residual of welded unknowns to the bodies and adds the bodies' rotational inertia;
    /// returns its potential, J, and the largest force, N, that balances.
    pub(super) fn add_bodies(
        &self,
        y: &[f64],
        kinematics: &Kinematics,
        residual: &mut [f64],
        out: &mut BodyTrial,
    ) -> Result<(f64, f64), StepError> {
        let (model, topology) = (self.model, &self.model.topology);
        out.reduction
            .update(&model.bodies, &self.configuration(y, kinematics))?;
        let turns = &out.reduction.turns;
        let too_far = |turn: &Turn| turn.cayley.length() > MAX_CAYLEY;
        if let Some(body) = turns.iter().position(too_far) {
            return Err(StepError::BodyTurned { body });
        }
        out.residual.clear();
        // All r_z: the change of the virtual motions p multiplies them in the stiffness.
        out.residual.extend_from_slice(residual);
        // The equation of the body: sum_z p r_z.
        out.reduction.reduce(topology, residual);
        out.spinning.clear();
        let (mut potential, mut scale) = (0.0, 0.0_f64);
        for body in 0..model.bodies.list.len() {
            let spinning = self.spinning(body, &out.reduction.turns[body]);
            out.reduction
                .add_torque(topology, body, spinning.torque, residual);
            potential += spinning.potential;
            // As a force at the size of the body.
            scale = scale.max(spinning.scale / model.bodies.list[body].size());
            out.spinning.push(spinning);
        }
        let (reduction, at) = (&out.reduction, self.joints_at(y, &out.reduction));
        for link in &model.joints {
            link.add_residual(&at, residual, |body, torque, residual| {
                reduction.add_torque(topology, body, torque, residual);
            });
        }
        out.reduction.balance(topology, residual);
        Ok((potential, scale))
    }

    fn joints_at<'a>(&'a self, y: &'a [f64], reduction: &'a Reduction) -> At<'a> {
        At {
            topology: &self.model.topology,
            start: &self.start.q,
            broken: &self.start.broken,
            turns: &reduction.turns,
            y,
            times: [self.stage.time, self.stage.time + self.stage.span()[1]],
        }
    }

    fn spinning(&self, body: usize, turn: &Turn) -> Spinning {
        let (assembly, stage) = (&self.model.bodies.list[body], self.stage);
        let [a, ..] = stage.rule();
        // Towards equilibrium points are differenced, which has a potential (decision 0043).
        if self.acting == Acting::Conservative {
            return from_rest(assembly, turn, a);
        }
        if stage.midpoint {
            let dof = self.model.topology.body_dof[body];
            let omega = position(&self.start.velocity, dof + 3);
            return at_midpoint(assembly, turn, omega, stage.dt());
        }
        // a L + b L_n + c L_{n-1} = torque, in the axes of the scene (decision 0043).
        by_momentum(assembly, turn, &self.momentum_rule(body, turn.start))
    }

    /// How a body's angular momentum follows from its turn in this step, which begins with the
    /// orientation `here`.
    fn momentum_rule(&self, body: usize, here: DMat3) -> MomentumRule {
        let (start, stage) = (self.start, self.stage);
        let assembly = &self.model.bodies.list[body];
        let dof = self.model.topology.body_dof[body] + 3;
        let [a, b, c] = stage.rule();
        let mut rule = MomentumRule {
            a,
            beyond: 0.0,
            before: DVec3::ZERO,
            history: angular_momentum(assembly, here, position(&start.velocity, dof)) * b,
            dt: stage.dt(),
        };
        if let Some(history) = start.history.as_ref().filter(|_| c != 0.0) {
            // The way back from the start of this step to that of the last.
            let back = position(&history.q, dof);
            let before = DMat3::from_quat(cayley(back)) * here;
            let inertia = before * assembly.inertia * before.transpose();
            // r/(1 + r) of L = F + r/(1 + r) Q (F - F_n) for BDF2.
            rule.beyond = c * history.dt;
            rule.before = Flight::new(inertia, -back, history.dt).momentum;
            let omega = position(&history.velocity, dof);
            rule.history += angular_momentum(assembly, before, omega) * c;
        }
        rule
    }

    /// Writes the bodies' angular velocities at the stage into `velocity`, in the place of the
    /// rates of their turns.
    pub(super) fn spin(&self, y: &[f64], velocity: &mut [f64]) {
        for (body, dof) in self.model.topology.body_dof.iter().enumerate() {
            let orientation = self.start.frames.orientation[body];
            let turn = Turn::new(orientation, position(y, dof + 3), self.stage.midpoint);
            write(velocity, dof + 3, self.spinning(body, &turn).omega);
        }
    }

    /// Adds to the stiffness what the change of virtual motions and the bodies' inertia contribute.
    pub(super) fn add_body_stiffness(
        &self,
        y: &[f64],
        kinematics: &Kinematics,
        trial: &BodyTrial,
        blocks: &mut dyn Blocks,
    ) {
        let here = self.configuration(y, kinematics);
        let inertia = |body: usize| trial.spinning[body].gradient;
        let bodies = &self.model.bodies;
        trial
            .reduction
            .add_geometric(bodies, &here, &trial.residual, inertia, blocks);
        let at = self.joints_at(y, &trial.reduction);
        for link in &self.model.joints {
            link.add_stiffness(&at, blocks);
        }
    }
}

/// Writes the bodies' angular velocities at the end of a step and their changes, and velocities of
/// what is welded to them.
pub(super) fn finish(
    model: &Model,
    start: &State,
    stage: &Stage,
    trial: &BodyTrial,
    kinematics: &Kinematics,
    velocity: &mut [f64],
    acceleration: &mut [f64],
) {
    for (dof, spinning) in model.topology.body_dof.iter().zip(&trial.spinning) {
        let before = position(&start.velocity, dof + 3);
        write(velocity, dof + 3, spinning.omega);
        write(
            acceleration,
            dof + 3,
            (spinning.omega - before) / stage.dt(),
        );
    }
    model.carry_velocities(&kinematics.orientation, velocity);
}

/// Which joints have let go, `(joints)`, after a step whose unknowns were `stage`; empty where none
/// has.
pub(super) fn broken(model: &Model, start: &State, stage: &[f64]) -> Vec<bool> {
    let torn = |link: &Link| !link.holds(&start.broken) || link.is_torn(stage);
    let broken: Vec<bool> = model.joints.iter().map(torn).collect();
    if broken.contains(&true) {
        broken
    } else {
        Vec::new()
    }
}

/// Makes the orientations at the end of a step those that turns are counted from: in `q` there is
/// no turn, in the configuration `before` the one that led here, undone. `stage` are the unknowns
/// that were solved for.
pub(super) fn rebase(
    model: &Model,
    stage: &[f64],
    q: &mut [f64],
    before: &mut [f64],
    velocity: &mut [f64],
) {
    for dof in &model.topology.body_dof {
        let turn = position(q, dof + 3);
        write(before, dof + 3, -turn);
        write(q, dof + 3, DVec3::ZERO);
    }
    // Forces of joints are those of the stage, and have no rate.
    for link in &model.joints {
        for dof in link.dof..link.dof + link.unknowns() {
            q[dof] = stage[dof];
            before[dof] = stage[dof];
            velocity[dof] = 0.0;
        }
    }
}

fn write(values: &mut [f64], dof: usize, v: DVec3) {
    values[dof..dof + 3].copy_from_slice(&v.to_array());
}

#[cfg(test)]
mod tests;
