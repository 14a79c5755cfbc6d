//! Rigid bodies in an explicit step: an engine moves them, torque of the rods included (B08 section
//! 8.2), then the projection corrects their poses and velocities.

use glam::{DMat3, DQuat, DVec3};

use super::super::balance::moved_bodies;
use super::coupling::place_nodes;
use crate::bodies::BodyEngine;
use crate::bodies::inertia::energy;
use crate::bodies::placement::{Turn, place};
use crate::model::Model;
use crate::rod::kinematics::position;
use crate::rod::rotation::{cayley, cayley_vector};
use crate::rod::{Frames, Kinematics};
use crate::state::State;
use crate::step::StepError;

/// The engine's copy for one step, and where bodies are in it.
#[derive(Debug)]
pub(super) struct Bodies {
    engine: Option<Box<dyn BodyEngine>>,
    /// Orientation of each body.
    pub orientation: Vec<DQuat>,
    /// Which joints have let go, `(joints)`; empty where none has.
    broken: Vec<bool>,
}

impl Bodies {
    /// As they are at the start of a step.
    pub fn start(model: &Model, start: &State) -> Result<Self, StepError> {
        let orientation = start.frames.orientation.clone();
        let broken = start.broken.clone();
        if model.bodies.is_empty() {
            return Ok(Self {
                engine: None,
                orientation,
                broken,
            });
        }
        let mut engine = model.engine.boxed_clone();
        let poses = model.topology.body_dof.iter().zip(&orientation);
        let poses = poses.map(|(dof, r)| (position(&start.q, *dof), *r));
        // The first explicit step places the bodies; later ones go on from the snapshot.
        if start.engine.is_empty() {
            let list = model.bodies.list.iter().zip(poses);
            let list: Vec<_> = list.map(|(assembly, (x, r))| (assembly, x, r)).collect();
            engine.place(&list)?;
        } else {
            engine.restore(&start.engine)?;
        }
        Ok(Self {
            engine: Some(engine),
            orientation,
            broken,
        })
    }

    /// Moves the bodies by `dt`, s, with the forces on their own and on welded unknowns, N and N m,
    /// `(dofs)`, and the torques of motors at `time`, s: writes poses into `q`, the turns since the start among them, and velocities.
    /// Returns the work that the engine did on its own account, J: the change of the kinetic energy
    /// of bodies that nothing holds, less the forces times the mean velocities.
    pub fn advance(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        force: &[f64],
        (time, dt): (f64, f64),
        q: &mut [f64],
        velocity: &mut [f64],
    ) -> Result<f64, StepError> {
        let motors = motors(model, &self.orientation, (&self.broken, time));
        let Some(engine) = self.engine.as_mut() else {
            return Ok(0.0);
        };
        let mut pushed = Vec::with_capacity(self.orientation.len());
        for (body, assembly) in model.bodies.list.iter().enumerate() {
            let dof = model.topology.body_dof[body];
            let r = self.orientation[body];
            // sum f, sum r x f, and dE/dtheta about the tangents of welded edges (B08 section 8.2).
            let (mut sum, mut torque) = (position(force, dof), position(force, dof + 3));
            torque += motors[body];
            for welded in &assembly.nodes {
                let f = position(force, model.topology.node_dof[welded.node]);
                sum += f;
                torque += (r * welded.arm).cross(f);
            }
            for weld in &assembly.welds {
                let spin = force[model.topology.edge_dof[weld.edge]];
                torque += kinematics.tangent(weld.edge) * spin;
            }
            engine.set_pose(body, position(q, dof), r);
            engine.set_velocity(body, position(velocity, dof), position(velocity, dof + 3));
            engine.add_force(body, sum, torque);
            pushed.push((sum, torque));
        }
        engine.step(dt)?;
        let mut own = 0.0;
        for (body, dof) in model.topology.body_dof.iter().enumerate() {
            let ((x, r), (v, omega)) = (engine.pose(body), engine.velocity(body));
            if engine.acts() && !moved_bodies(model).any(|moved| moved == body) {
                let assembly = &model.bodies.list[body];
                let before = [*dof, dof + 3].map(|dof| position(velocity, dof));
                let turning = |r: DQuat, omega| energy(assembly, DMat3::from_quat(r), omega);
                let (sum, torque) = pushed[body];
                // Change of m v^2/2 + omega . J omega/2, less dt (F . v + T . omega) in the mean.
                own += 0.5 * assembly.mass * (v - before[0]).dot(v + before[0]);
                own += turning(r, omega) - turning(self.orientation[body], before[1]);
                own -= 0.5 * dt * (sum.dot(v + before[0]) + torque.dot(omega + before[1]));
            }
            // The turn since the start of the step, as its unknown in q counts it.
            let turn = cayley_vector(r * self.orientation[body].conjugate());
            for (values, [a, b]) in [(&mut *q, [x, turn]), (&mut *velocity, [v, omega])] {
                values[*dof..dof + 3].copy_from_slice(&a.to_array());
                values[dof + 3..dof + 6].copy_from_slice(&b.to_array());
            }
        }
        Ok(own)
    }

    /// Takes the orientations from the turns in `q` since `frames`, and puts welded nodes where
    /// they belong.
    pub fn turn(&mut self, model: &Model, frames: &Frames, q: &mut [f64]) {
        for (body, dof) in model.topology.body_dof.iter().enumerate() {
            let turn = cayley(position(q, dof + 3));
            self.orientation[body] = (turn * frames.orientation[body]).normalize();
            place_nodes(model, body, self.orientation[body], q);
        }
    }

    /// After the projection: turns since `start` into `q`, with all that is welded.
    pub fn settle(&self, model: &Model, start: &State, q: &mut [f64]) {
        for (body, assembly) in model.bodies.list.iter().enumerate() {
            let dof = model.topology.body_dof[body];
            let before = start.frames.orientation[body];
            let turn = cayley_vector(self.orientation[body] * before.conjugate());
            q[dof + 3..dof + 6].copy_from_slice(&turn.to_array());
            let turn = Turn::new(before, turn, false);
            place(
                assembly,
                &turn,
                dof,
                &model.topology,
                &start.frames,
                &start.q,
                q,
            );
        }
    }

    /// Gives the engine what the projection made of poses and velocities; returns its snapshot.
    /// Turns in `q` start anew.
    pub fn finish(
        mut self,
        model: &Model,
        kinematics: &Kinematics,
        q: &mut [f64],
        velocity: &mut [f64],
        state: &mut State,
    ) -> Result<(), StepError> {
        let Some(engine) = self.engine.as_mut() else {
            return Ok(());
        };
        model.carry_velocities(&kinematics.orientation, velocity);
        for (body, dof) in model.topology.body_dof.iter().enumerate() {
            let (r, omega) = (kinematics.orientation[body], position(velocity, dof + 3));
            engine.set_pose(body, position(q, *dof), r);
            engine.set_velocity(body, position(velocity, *dof), omega);
            q[dof + 3..dof + 6].copy_from_slice(&DVec3::ZERO.to_array());
        }
        state.engine = engine.snapshot()?;
        Ok(())
    }
}

/// Torques of the motors of joints on each body with these orientations at `time`, s, N m,
/// `(bodies)`.
fn motors(model: &Model, orientation: &[DQuat], (broken, time): (&[bool], f64)) -> Vec<DVec3> {
    let mut torques = vec![DVec3::ZERO; orientation.len()];
    for link in model.joints.iter().filter(|link| link.holds(broken)) {
        let first = link.bodies[0].map_or(DQuat::IDENTITY, |body| orientation[body]);
        let torque = link.motor_torque(first, time);
        for (body, sign) in link.bodies.iter().zip([1.0, -1.0]) {
            if let Some(body) = body {
                torques[*body] += torque * sign;
            }
        }
    }
    torques
}
