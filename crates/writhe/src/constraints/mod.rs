//! Prescribed motion: clamps, held nodes, held angles, held bodies.

mod drive;

pub use drive::DriveError;

use std::f64::consts::TAU;

use glam::{BVec3, DQuat, DVec3};

use crate::bodies::Assembly;
use crate::rod::geometry::{orthonormalize, parallel_transport, signed_angle, unwrap_angle};
use crate::rod::kinematics::position;
use crate::rod::rotation::{cayley_vector, spin_of_change};
use crate::rod::{Frames, Topology};
use crate::schedule::{Motion, Schedule};

/// Motion of a node over its edge that is rounding.
const STAYS: f64 = 1e-9;

/// Unknowns that follow a prescribed motion. Indices are flat, over all rods.
#[derive(Debug, Clone)]
pub enum Constraint {
    /// Both nodes and the angle of an edge move with a rigid pose. The rod then behaves as clamped
    /// at the *middle* of this edge.
    Clamp {
        /// Edge.
        edge: usize,
        /// How it moves.
        motion: Motion,
    },
    /// Some coordinates of a node move with a pose.
    Node {
        /// Node.
        node: usize,
        /// Which of x, y, z are held.
        axes: [bool; 3],
        /// How it moves.
        motion: Motion,
    },
    /// The angle of an edge relative to its reference frame, rad, is given in time; 0 at the start.
    Angle {
        /// Edge.
        edge: usize,
        /// Angle, rad.
        angle: Schedule,
    },
    /// A rigid body moves with a pose.
    Body {
        /// Body.
        body: usize,
        /// How it moves.
        motion: Motion,
    },
    /// A rigid body moves and turns along some axes of the scene only.
    BodyAxes {
        /// Body.
        body: usize,
        /// Along which of x, y, z its centre of mass, that of the edges welded to it included,
        /// stays.
        position: [bool; 3],
        /// About which of x, y, z it does not turn.
        turn: [bool; 3],
    },
}

impl Constraint {
    /// Its force on the rods, N, where each unknown that it prescribes needs `reaction`, `(dofs)`.
    pub(crate) fn force(&self, topology: &Topology, reaction: &[f64]) -> DVec3 {
        let held = |dof: usize, axes: &[bool; 3]| {
            let force = position(reaction, dof);
            DVec3::select(BVec3::from_array(*axes), force, DVec3::ZERO)
        };
        let all = [true; 3];
        match self {
            Self::Clamp { edge, .. } => {
                let [a, b] = topology.edge_nodes[*edge].map(|n| topology.node_dof[n]);
                held(a, &all) + held(b, &all)
            }
            Self::Node { node, axes, .. } => held(topology.node_dof[*node], axes),
            Self::Angle { .. } => DVec3::ZERO,
            Self::Body { body, .. } => held(topology.body_dof[*body], &all),
            Self::BodyAxes { body, position, .. } => held(topology.body_dof[*body], position),
        }
    }

    /// The time, s, after which it stands still: infinite for what moves for ever.
    pub fn changes_until(&self) -> f64 {
        match self {
            Self::Clamp { motion, .. } | Self::Node { motion, .. } | Self::Body { motion, .. } => {
                motion.changes_until()
            }
            Self::Angle { angle, .. } => angle.changes_until(),
            Self::BodyAxes { .. } => 0.0,
        }
    }
}

/// All constraints of a model, with the initial configuration that their poses refer to.
#[derive(Debug, Clone, Default)]
pub struct Constraints {
    list: Vec<Constraint>,
    fixed: Vec<bool>,
    initial: Initial,
}

/// The initial configuration, to which poses refer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Initial {
    /// Positions, m, `(nodes)`.
    pub positions: Vec<DVec3>,
    /// Material directors m1, `(edges)`.
    pub directors: Vec<DVec3>,
    /// Centre of mass, m, and orientation of each body, `(bodies)`.
    pub bodies: Vec<(DVec3, DQuat)>,
}

/// Where a motion takes a clamped edge.
struct Posed {
    /// Its nodes and where they are, m.
    ends: [(usize, DVec3); 2],
    /// Its angle, rad.
    angle: f64,
}

impl Constraints {
    /// `dependent` are unknowns that follow bodies, `(dofs)` or empty.
    pub(crate) fn new(
        list: Vec<Constraint>,
        topology: &Topology,
        initial: Initial,
        dependent: &[bool],
    ) -> Self {
        let mut fixed = dependent.to_vec();
        // What follows a body is no unknown of its own, just as what is prescribed.
        fixed.resize(topology.dofs, false);
        for constraint in &list {
            for dof in dofs(constraint, topology) {
                fixed[dof] = true;
            }
        }
        Self {
            list,
            fixed,
            initial,
        }
    }

    /// Lets poses refer to another configuration: motions lead on from there.
    pub(crate) fn refer_to(&mut self, initial: Initial) {
        self.initial = initial;
    }

    /// Whether each unknown is prescribed or follows a body, `(dofs)`.
    pub fn fixed(&self) -> &[bool] {
        &self.fixed
    }

    /// The constraints.
    pub fn list(&self) -> &[Constraint] {
        &self.list
    }

    /// A clamped edge at a time, s, whose angle has come from `q_start` by about `turn`, rad.
    fn posed(
        &self,
        topology: &Topology,
        frames: &Frames,
        edge: usize,
        (motion, time): (&Motion, f64),
        (q_start, turn): (&[f64], DVec3),
    ) -> Posed {
        let pose = motion.pose(time);
        let ends = topology.edge_nodes[edge].map(|n| (n, pose.apply(self.initial.positions[n])));
        // theta from d1, carried to the new tangent, to the m1 that the pose asks for
        let tangent = (ends[1].1 - ends[0].1).normalize();
        let carried = parallel_transport(frames.director[edge], frames.tangent[edge], tangent);
        let wanted = orthonormalize(pose.rotation * self.initial.directors[edge], tangent);
        let angle = signed_angle(carried, wanted, tangent);
        // Of angles whole turns apart, the nearest to where the motion takes that at the step's start:
        // it may be by more than half a turn.
        let spun = turn.dot(0.5 * (frames.tangent[edge] + tangent));
        let angle = unwrap_angle(angle, q_start[topology.edge_dof[edge]] + spun);
        Posed { ends, angle }
    }

    /// Gives clamps in the first configuration `q`, `(dofs)`, the turns about their rods with which their
    /// motions begin at `time`, s; where that moves nodes, whole turns alone, as edges that are welded to
    /// bodies have them.
    pub(crate) fn turn_at_start(
        &self,
        topology: &Topology,
        frames: &Frames,
        bodies: &[Assembly],
        time: f64,
        q: &mut [f64],
    ) {
        let whole = |angle: f64| TAU * (angle / TAU).round();
        for constraint in &self.list {
            match constraint {
                Constraint::Clamp { edge, motion } => {
                    let dof = topology.edge_dof[*edge];
                    q[dof] += motion.turned_about(frames.tangent[*edge], time);
                    let came = (&*q, DVec3::ZERO);
                    let posed = self.posed(topology, frames, *edge, (motion, time), came);
                    let described = |node: usize| self.initial.positions[node];
                    let [(a, _), (b, _)] = posed.ends;
                    let near = STAYS * described(a).distance(described(b));
                    let stays = |(node, x): &(usize, DVec3)| x.distance(described(*node)) < near;
                    q[dof] = match posed.ends.iter().all(stays) {
                        true => posed.angle,
                        false => whole(posed.angle),
                    };
                }
                Constraint::Body { body, motion } => {
                    for weld in &bodies[*body].welds {
                        let turned = motion.turned_about(frames.tangent[weld.edge], time);
                        q[topology.edge_dof[weld.edge]] += whole(turned);
                    }
                }
                Constraint::Node { .. }
                | Constraint::Angle { .. }
                | Constraint::BodyAxes { .. } => {}
            }
        }
    }

    /// The angle, rad, by which a body of this orientation has to turn to where its motion has it at
    /// `time`, s.
    pub(crate) fn body_lag(
        &self,
        body: usize,
        motion: &Motion,
        orientation: DQuat,
        time: f64,
    ) -> f64 {
        let wanted = motion.pose(time).rotation * self.initial.bodies[body].1;
        wanted.angle_between(orientation)
    }

    /// Writes the prescribed unknowns at `time`, s, into `q`; angles continue from `q_start`, where
    /// they are at the time `from`, without wrapping.
    pub fn apply(
        &self,
        topology: &Topology,
        frames: &Frames,
        q_start: &[f64],
        [from, time]: [f64; 2],
        q: &mut [f64],
    ) {
        for constraint in &self.list {
            match constraint {
                Constraint::Clamp { edge, motion } => {
                    let turn = motion.turn([from, time]);
                    let posed =
                        self.posed(topology, frames, *edge, (motion, time), (q_start, turn));
                    for (node, x) in posed.ends {
                        let dof = topology.node_dof[node];
                        q[dof..dof + 3].copy_from_slice(&x.to_array());
                    }
                    q[topology.edge_dof[*edge]] = posed.angle;
                }
                Constraint::Node { node, axes, motion } => {
                    let x = motion
                        .pose(time)
                        .apply(self.initial.positions[*node])
                        .to_array();
                    let dof = topology.node_dof[*node];
                    for axis in 0..3 {
                        if axes[axis] {
                            q[dof + axis] = x[axis];
                        }
                    }
                }
                Constraint::Angle { edge, angle } => q[topology.edge_dof[*edge]] = angle.at(time),
                Constraint::Body { body, motion } => {
                    let pose = motion.pose(time);
                    let (position, orientation) = self.initial.bodies[*body];
                    // w is the turn since the start of the step: R R0^-1.
                    let turned =
                        pose.rotation * orientation * frames.orientation[*body].conjugate();
                    let dof = topology.body_dof[*body];
                    q[dof..dof + 3].copy_from_slice(&pose.apply(position).to_array());
                    q[dof + 3..dof + 6].copy_from_slice(&cayley_vector(turned).to_array());
                }
                Constraint::BodyAxes {
                    body,
                    position,
                    turn,
                } => {
                    let dof = topology.body_dof[*body];
                    let initial = self.initial.bodies[*body].0.to_array();
                    for k in 0..3 {
                        if position[k] {
                            q[dof + k] = initial[k];
                        }
                        if turn[k] {
                            // No turn since the start of the step.
                            q[dof + 3 + k] = 0.0;
                        }
                    }
                }
            }
        }
    }

    /// Writes the velocities of the prescribed unknowns at `time`, s, by central differences of
    /// their motion over a thousandth of `dt`, s; `q` is the configuration at `time`, with frames
    /// carried from `frames`.
    pub(crate) fn apply_velocity(
        &self,
        topology: &Topology,
        frames: &Frames,
        q: &[f64],
        time: f64,
        dt: f64,
        velocity: &mut [f64],
    ) {
        if self.list.is_empty() {
            return;
        }
        // Central differences: schedules may be any functions of time.
        let half = 1e-3 * dt;
        let (mut before, mut after) = (q.to_vec(), q.to_vec());
        self.apply(topology, frames, q, [time, time - half], &mut before);
        self.apply(topology, frames, q, [time, time + half], &mut after);
        for dof in self.list.iter().flat_map(|c| dofs(c, topology)) {
            velocity[dof] = (after[dof] - before[dof]) / (2.0 * half);
        }
        for constraint in &self.list {
            if let Constraint::Body { body, .. } = constraint {
                let dof = topology.body_dof[*body] + 3;
                // From the rate of the Cayley vector to the angular velocity: omega = T w'
                let spin = spin_of_change(position(q, dof)) * position(velocity, dof);
                velocity[dof..dof + 3].copy_from_slice(&spin.to_array());
            }
        }
    }
}

/// Unknowns that a constraint prescribes.
pub(crate) fn dofs(constraint: &Constraint, topology: &Topology) -> Vec<usize> {
    match constraint {
        Constraint::Clamp { edge, .. } => {
            let mut all = topology.edge_position_dofs(*edge).to_vec();
            all.push(topology.edge_dof[*edge]);
            all
        }
        Constraint::Node { node, axes, .. } => (0..3)
            .filter(|k| axes[*k])
            .map(|k| topology.node_dof[*node] + k)
            .collect(),
        Constraint::Angle { edge, .. } => vec![topology.edge_dof[*edge]],
        Constraint::Body { body, .. } => (topology.body_dof[*body]..).take(6).collect(),
        Constraint::BodyAxes {
            body,
            position,
            turn,
        } => {
            let held = position.iter().chain(turn).enumerate();
            held.filter(|(_, held)| **held)
                .map(|(k, _)| topology.body_dof[*body] + k)
                .collect()
        }
    }
}
