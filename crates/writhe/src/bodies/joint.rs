//! Joints between bodies, by multipliers.
//!
//! A joint keeps points of two bodies together and pairs of their directions at right angles: a
//! ball is a point, a hinge a point and two pairs, a weld or a driven hinge a point and three. Its
//! unknowns are the forces that do so, as lengths: a multiplier z acts with the force
//! `stiffness z`, which makes the matrix symmetric and its entries alike. Constraints hold at the
//! end of the step; their forces act at the stage's arms, so that they do no work over a midpoint
//! step and carry no angular momentum away.
//!
//! A joint with a strength lets go for good at the end of a step in which its force exceeded it
//! (`State::broken`). Its multipliers stay unknowns, and are zero.

mod rows;

use std::f64::consts::{PI, TAU};

use glam::{DMat3, DQuat, DVec3};

use crate::assembly::Blocks;
use crate::bodies::placement::Turn;
use crate::rod::Topology;
use crate::rod::geometry::{any_normal, skew};
use crate::rod::kinematics::position;
use crate::schedule::Schedule;

/// Turns a mass into the stiffness that a multiplier is measured with, 1/s^2.
const RATE_SQUARED: f64 = 1e6;

/// How two bodies are joined.
#[derive(Debug, Clone)]
pub enum JointKind {
    /// A point in common.
    Ball,
    /// A point and all directions in common.
    Weld,
    /// A point and an axis in common.
    Hinge {
        /// Direction of the axis at the start.
        axis: DVec3,
        /// What turns the first body against the second about it.
        motor: Motor,
    },
}

/// What turns a hinge.
#[derive(Debug, Clone)]
pub enum Motor {
    /// No motor: the hinge turns freely.
    Free,
    /// A torque, N m.
    Torque(Schedule),
    /// A motor as strong as it must be to follow an angle, rad, 0 at the start.
    Angle(Schedule),
}

/// A joint of the first body to the second, or to the scene.
#[derive(Debug, Clone)]
pub struct Joint {
    /// The two bodies; `None` is the scene.
    pub bodies: [Option<usize>; 2],
    /// Position of the joint at the start, m.
    pub anchor: DVec3,
    /// How it joins.
    pub kind: JointKind,
    /// Largest force at the common point, N, that it bears; `None` for a joint that never breaks.
    pub strength: Option<f64>,
}

/// A joint in the axes of its bodies.
#[derive(Debug, Clone)]
pub struct Link {
    /// The two bodies; `None` is the scene.
    pub bodies: [Option<usize>; 2],
    /// The common point from each body's centre of mass, m.
    arms: [DVec3; 2],
    /// Directions of the first and second body that stay at right angles.
    pairs: Vec<[DVec3; 2]>,
    /// The axis in the first body, and its motor.
    motor: Option<(DVec3, Motor)>,
    /// The driven pair's second direction: along it at angle 0, and turned by a right angle.
    driven: Option<[DVec3; 2]>,
    /// Stiffness of a multiplier, N/m.
    stiffness: f64,
    /// Length by which a direction's change is a displacement, m.
    size: f64,
    /// First unknown.
    pub dof: usize,
    /// Its place among the joints.
    index: usize,
    /// Largest force that it bears, N.
    strength: Option<f64>,
}

/// Force and torque of a joint on its first body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct JointLoad {
    /// Force at the common point, N.
    pub force: DVec3,
    /// Torque, N m, its motor's included.
    pub torque: DVec3,
}

/// What a joint is evaluated at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At<'a> {
    /// Connectivity.
    pub topology: &'a Topology,
    /// Unknowns at the start of the step, `(dofs)`.
    pub start: &'a [f64],
    /// Which joints had let go by then, `(joints)`; empty where none had.
    pub broken: &'a [bool],
    /// Each body's turn.
    pub turns: &'a [Turn],
    /// Unknowns of the stage, `(dofs)`.
    pub y: &'a [f64],
    /// Time of the stage and of the end of the step, s.
    pub times: [f64; 2],
}

/// One body of a joint at a trial.
struct Side {
    turn: Option<Turn>,
    dof: Option<usize>,
    /// Plus for the first body, minus for the second.
    sign: f64,
}

impl Joint {
    /// A joint at `anchor`, m, that never breaks.
    pub fn new(bodies: [Option<usize>; 2], anchor: DVec3, kind: JointKind) -> Self {
        Self {
            bodies,
            anchor,
            kind,
            strength: None,
        }
    }

    /// The joint `index`, whose unknowns begin at `dof`, in the axes of bodies at `poses` (centre
    /// of mass, orientation), of masses, kg, and sizes, m.
    pub(crate) fn link(
        &self,
        poses: &[(DVec3, DQuat)],
        masses: &[(f64, f64)],
        [index, dof]: [usize; 2],
    ) -> Link {
        let local = |body: Option<usize>, v: DVec3| match body {
            Some(b) => poses[b].1.conjugate() * v,
            None => v,
        };
        let arm = |body: Option<usize>| match body {
            Some(b) => local(body, self.anchor - poses[b].0),
            None => self.anchor,
        };
        let [a, b] = self.bodies;
        let of = self.bodies.iter().flatten().map(|b| masses[*b]);
        let (mass, size) = of.fold((0.0, 0.0_f64), |(m, s), (mass, size)| {
            (m + mass, s.max(size))
        });
        let mut link = Link {
            bodies: self.bodies,
            arms: self.bodies.map(arm),
            pairs: Vec::new(),
            motor: None,
            driven: None,
            stiffness: mass * RATE_SQUARED,
            size,
            dof,
            index,
            strength: self.strength,
        };
        let axis = match &self.kind {
            JointKind::Ball => return link,
            JointKind::Weld => DVec3::Z,
            JointKind::Hinge { axis, .. } => axis.normalize(),
        };
        let across = any_normal(axis);
        let third = axis.cross(across);
        // The first body's axis stays at right angles to two directions of the second.
        link.pairs = vec![
            [local(a, axis), local(b, across)],
            [local(a, axis), local(b, third)],
        ];
        // A weld and a driven hinge leave no turn about the axis either.
        if self.unknowns() == 6 {
            link.pairs.push([local(a, across), local(b, third)]);
        }
        if let JointKind::Hinge { motor, .. } = &self.kind {
            if let Motor::Angle(_) = motor {
                link.driven = Some([local(b, third), local(b, -across)]);
            }
            link.motor = Some((local(a, axis), motor.clone()));
        }
        link
    }

    /// Number of its unknowns.
    pub(crate) fn unknowns(&self) -> usize {
        match &self.kind {
            JointKind::Ball => 3,
            JointKind::Weld
            | JointKind::Hinge {
                motor: Motor::Angle(_),
                ..
            } => 6,
            JointKind::Hinge { .. } => 5,
        }
    }
}

impl Link {
    /// The time, s, after which its motor stays as it is: infinite for what changes for ever.
    pub fn changes_until(&self) -> f64 {
        match &self.motor {
            Some((_, Motor::Torque(by) | Motor::Angle(by))) => by.changes_until(),
            _ => 0.0,
        }
    }

    /// Number of its unknowns.
    pub fn unknowns(&self) -> usize {
        3 + self.pairs.len()
    }

    /// Whether it ever lets go.
    pub fn can_break(&self) -> bool {
        self.strength.is_some()
    }

    /// Whether a motor turns it.
    pub(crate) fn is_driven(&self) -> bool {
        let motor = self.motor.as_ref().map(|(_, motor)| motor);
        matches!(motor, Some(Motor::Torque(_) | Motor::Angle(_)))
    }

    /// Whether it is not among those that have let go, `(joints)`.
    pub fn holds(&self, broken: &[bool]) -> bool {
        broken.get(self.index) != Some(&true)
    }

    /// Whether the forces of the stage `y` are more than it bears.
    pub(crate) fn is_torn(&self, y: &[f64]) -> bool {
        let force = self.stiffness * position(y, self.dof).length();
        self.strength.is_some_and(|strength| force > strength)
    }

    /// The common point from each body's centre of mass (that of its assembly), in the body's axes;
    /// from the origin for the scene, m.
    pub fn arms(&self) -> [DVec3; 2] {
        self.arms
    }

    /// The axis of a hinge in the axes of the first body, unit, and what turns it; `None` for a
    /// ball.
    pub fn axis(&self) -> Option<(DVec3, &Motor)> {
        self.motor.as_ref().map(|(axis, motor)| (*axis, motor))
    }

    /// Lets the motor follow another torque, N m, or angle, rad, from now on, whichever it follows;
    /// between steps. Returns whether there is such a motor.
    pub fn drive(&mut self, by: Schedule) -> bool {
        match &mut self.motor {
            Some((_, Motor::Torque(schedule) | Motor::Angle(schedule))) => {
                *schedule = by;
                true
            }
            _ => false,
        }
    }

    /// How far a motor that follows an angle has still to turn to where it must be at `time`, s, rad, from
    /// -pi to pi, with bodies of these orientations; `None` without such a motor.
    pub(crate) fn motor_lag(&self, orientation: &[DQuat], time: f64) -> Option<f64> {
        let (Some([along, turned]), Some((_, Motor::Angle(angle)))) = (self.driven, &self.motor)
        else {
            return None;
        };
        let of = |side: usize, v: DVec3| self.bodies[side].map_or(v, |b| orientation[b] * v);
        // The direction of the first body is `-turned cos a + along sin a` where it is turned by a.
        let u = of(0, self.pairs[2][0]);
        let stands = u.dot(of(1, along)).atan2(-u.dot(of(1, turned)));
        let lag = (angle.at(time) - stands).rem_euclid(TAU);
        Some(if lag > PI { lag - TAU } else { lag })
    }

    /// The angle, rad, of a motor that follows one.
    pub(crate) fn motor_angle(&self, time: f64) -> Option<f64> {
        match &self.motor {
            Some((_, Motor::Angle(angle))) => Some(angle.at(time)),
            _ => None,
        }
    }

    fn sides(&self, at: &At) -> [Side; 2] {
        [0, 1].map(|k| Side {
            turn: self.bodies[k].map(|b| at.turns[b]),
            dof: self.bodies[k].map(|b| at.topology.body_dof[b]),
            sign: 1.0 - 2.0 * k as f64,
        })
    }

    /// The directions of a pair; that of a motor at the end of the step.
    fn pair(&self, index: usize, time: f64) -> [DVec3; 2] {
        let pair = self.pairs[index];
        match (&self.driven, &self.motor) {
            (Some([along, turned]), Some((_, Motor::Angle(angle)))) if index == 2 => {
                let (sin, cos) = angle.at(time).sin_cos();
                [pair[0], *along * cos + *turned * sin]
            }
            _ => pair,
        }
    }

    /// Multipliers as a force, N, at the common point, and moments, N m, of the pairs.
    fn loads(&self, y: &[f64]) -> (DVec3, Vec<f64>) {
        let moments = y[self.dof + 3..self.dof + self.unknowns()].iter();
        (
            position(y, self.dof) * self.stiffness,
            moments.map(|z| z * self.stiffness * self.size).collect(),
        )
    }

    /// Force and torque on the first body.
    pub(crate) fn load(&self, at: &At) -> JointLoad {
        if !self.holds(at.broken) {
            return JointLoad::default();
        }
        let (force, moments) = self.loads(at.y);
        let [a, b] = self.sides(at);
        let mut torque = DVec3::ZERO;
        for (index, moment) in moments.iter().enumerate() {
            let [u, v] = self.pair(index, at.times[1]);
            // d(u . v) = (u x v) . spin of the first body: a moment pulls against that.
            torque -= a.at_stage(u).cross(b.at_stage(v)) * *moment;
        }
        if let Some((axis, Motor::Torque(t))) = &self.motor {
            torque += a.at_stage(*axis) * t.at(at.times[0]);
        }
        JointLoad {
            force: -force,
            torque,
        }
    }

    /// Adds minus the forces on the bodies, torques by spin through `add_torque`, and what the
    /// constraints violate.
    pub(crate) fn add_residual(
        &self,
        at: &At,
        residual: &mut [f64],
        mut add_torque: impl FnMut(usize, DVec3, &mut [f64]),
    ) {
        if !self.holds(at.broken) {
            // It has let go: z = 0.
            let own = self.dof..self.dof + self.unknowns();
            for (r, z) in residual[own.clone()].iter_mut().zip(&at.y[own]) {
                *r += self.stiffness * z;
            }
            return;
        }
        let sides = self.sides(at);
        let load = self.load(at);
        let mut violation = DVec3::ZERO;
        for (k, side) in sides.iter().enumerate() {
            let arm = side.at_end(self.arms[k]);
            let mut x = arm;
            if let (Some(dof), Some(body), Some(turn)) = (side.dof, self.bodies[k], &side.turn) {
                let (force, torque) = (load.force * side.sign, load.torque * side.sign);
                crate::assembly::add3(residual, dof, -force);
                let arm = side.at_stage(self.arms[k]);
                add_torque(body, -torque - arm.cross(force), residual);
                let stage = position(at.y, dof);
                // The centre at the end, twice as far as a stage in the middle.
                x += if turn.middle {
                    2.0 * stage - position(at.start, dof)
                } else {
                    stage
                };
            }
            violation += x * side.sign;
        }
        let half = self.half(&sides);
        crate::assembly::add3(residual, self.dof, violation * (self.stiffness * half));
        for index in 0..self.pairs.len() {
            let [u, v] = self.pair(index, at.times[1]);
            let cosine = sides[0].at_end(u).dot(sides[1].at_end(v));
            residual[self.dof + 3 + index] += cosine * self.stiffness * self.size * half;
        }
    }

    /// Constraints of a midpoint step are halved, which makes their derivatives by the stage those
    /// of other steps.
    fn half(&self, sides: &[Side; 2]) -> f64 {
        let middle = sides.iter().flat_map(|s| &s.turn).any(|t| t.middle);
        if middle { 0.5 } else { 1.0 }
    }

    /// Adds the derivative, but for what the change of virtual motions contributes at constant
    /// torque.
    pub(crate) fn add_stiffness(&self, at: &At, blocks: &mut dyn Blocks) {
        if !self.holds(at.broken) {
            for dof in self.dof..self.dof + self.unknowns() {
                blocks.general(&[dof], &[self.stiffness]);
            }
            return;
        }
        let sides = self.sides(at);
        let (force, moments) = self.loads(at.y);
        let n = self.unknowns();
        let mut local = Local::new(&sides, self.dof, n);
        for (k, side) in sides.iter().enumerate() {
            let Some(turn) = &side.turn else { continue };
            let arm = -skew(side.at_end(self.arms[k])) * turn.spin;
            let tests = side.virtual_spin().transpose();
            let s = self.stiffness * side.sign;
            local.add(local.turn(k), local.turn(k), {
                // d(arm x f), minus the force on this side being `sign f`.
                tests * skew(force * -side.sign) * arm
            });
            // Force and torque by the multiplier, then the violated constraint by the pose.
            local.add(local.centre(k), local.multiplier(), DMat3::IDENTITY * s);
            let stage_arm = skew(side.at_stage(self.arms[k]));
            local.add(local.turn(k), local.multiplier(), tests * stage_arm * s);
            local.add(local.multiplier(), local.centre(k), DMat3::IDENTITY * s);
            local.add(local.multiplier(), local.turn(k), arm * s);
        }
        for (index, moment) in moments.iter().enumerate() {
            let [u, v] = self.pair(index, at.times[1]);
            local.add_pair(&sides, [u, v], *moment, self.stiffness * self.size, index);
        }
        if let Some((axis, Motor::Torque(t))) = &self.motor {
            let torque = t.at(at.times[0]);
            if let Some(a) = &sides[0].turn {
                // The motor's torque turns with the first body's axis.
                let change = -skew(sides[0].at_end(*axis)) * a.spin * torque;
                for (k, side) in sides.iter().enumerate() {
                    let tests = side.virtual_spin().transpose();
                    local.add(local.turn(k), local.turn(0), tests * change * -side.sign);
                }
            }
        }
        local.put(blocks);
    }
}

impl Side {
    fn at_end(&self, v: DVec3) -> DVec3 {
        self.turn.as_ref().map_or(v, |t| t.end * v)
    }

    fn at_stage(&self, v: DVec3) -> DVec3 {
        self.turn.as_ref().map_or(v, |t| t.at_stage(v))
    }

    fn virtual_spin(&self) -> DMat3 {
        match &self.turn {
            Some(turn) if !turn.middle => turn.spin,
            _ => DMat3::IDENTITY,
        }
    }
}

/// The dense block of one joint: twelve unknowns of the bodies, then its own.
struct Local {
    dofs: Vec<Option<usize>>,
    values: Vec<f64>,
}

impl Local {
    fn new(sides: &[Side; 2], dof: usize, own: usize) -> Self {
        let of = |side: &Side, k: usize| side.dof.map(|d| d + k);
        let bodies = sides.iter().flat_map(|s| (0..6).map(move |k| of(s, k)));
        let dofs: Vec<_> = bodies.chain((dof..dof + own).map(Some)).collect();
        let values = vec![0.0; dofs.len() * dofs.len()];
        Self { dofs, values }
    }

    fn centre(&self, side: usize) -> usize {
        6 * side
    }

    fn turn(&self, side: usize) -> usize {
        6 * side + 3
    }

    fn multiplier(&self) -> usize {
        12
    }

    fn add(&mut self, row: usize, column: usize, m: DMat3) {
        let n = self.dofs.len();
        for (c, values) in m.to_cols_array_2d().iter().enumerate() {
            for (r, value) in values.iter().enumerate() {
                self.values[(row + r) * n + column + c] += value;
            }
        }
    }

    /// `u . v` of a pair, whose multiplier gives the moment `moment u x v`.
    fn add_pair(
        &mut self,
        sides: &[Side; 2],
        [u, v]: [DVec3; 2],
        moment: f64,
        scale: f64,
        index: usize,
    ) {
        let (u1, v1) = (sides[0].at_end(u), sides[1].at_end(v));
        let (us, vs) = (sides[0].at_stage(u), sides[1].at_stage(v));
        let own = self.multiplier() + 3 + index;
        let n = self.dofs.len();
        // d(us x vs) by the turns of the two bodies.
        let changes = [
            sides[0].turn.map(|t| skew(vs) * skew(u1) * t.spin),
            sides[1].turn.map(|t| -(skew(us) * skew(v1)) * t.spin),
        ];
        for (k, side) in sides.iter().enumerate() {
            let Some(turn) = &side.turn else { continue };
            let tests = side.virtual_spin().transpose();
            for (m, change) in changes.iter().enumerate() {
                if let Some(change) = change {
                    let value = tests * *change * (moment * side.sign);
                    self.add(self.turn(k), self.turn(m), value);
                }
            }
            let by_multiplier = tests * us.cross(vs) * (scale * side.sign);
            let by_turn = turn.spin.transpose() * u1.cross(v1) * (scale * side.sign);
            let at = self.turn(k);
            for r in 0..3 {
                self.values[(at + r) * n + own] += by_multiplier[r];
                self.values[own * n + at + r] += by_turn[r];
            }
        }
    }

    fn put(&self, blocks: &mut dyn Blocks) {
        let n = self.dofs.len();
        // The scene has no unknowns: its rows and columns drop out.
        let kept: Vec<usize> = (0..n).filter(|k| self.dofs[*k].is_some()).collect();
        let dofs: Vec<usize> = kept.iter().filter_map(|k| self.dofs[*k]).collect();
        let mut entries = Vec::with_capacity(dofs.len() * dofs.len());
        for r in &kept {
            entries.extend(kept.iter().map(|c| self.values[r * n + c]));
        }
        blocks.general(&dofs, &entries);
    }
}
