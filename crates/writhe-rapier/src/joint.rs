//! Joints that the engine knows: between two bodies, or of one to the scene.

use glam::{DQuat, DVec3};
use rapier3d_f64::dynamics::{GenericJoint, JointAxesMask, JointAxis};
use writhe::bodies::{EngineError, Joint, JointKind, Motor};

use crate::convert;

/// Damping of a motor that follows an angle, over the rate of the engine's substeps: so stiff that
/// what is lacking within one does not count.
const MOTOR_DAMPING: f64 = 1e6;
/// Part of an error in the angle that such a motor mends within a substep.
const MOTOR_ERROR: f64 = 0.2;

/// A joint of the core as the engine has it: Rapier keeps it, and it never breaks. The time of its
/// motor counts from where the engine first places the bodies.
#[derive(Debug, Clone)]
pub(crate) struct Connection(pub Joint);

impl Connection {
    /// Checked against the number of bodies; `index` is its own.
    pub(crate) fn check(&self, index: usize, bodies: usize) -> Result<(), EngineError> {
        if let Some(missing) = self.0.bodies.iter().flatten().find(|b| **b >= bodies) {
            return Err(EngineError(format!(
                "joint {index} joins body {missing}, and there are {bodies} bodies, counted from 0"
            )));
        }
        if self.0.bodies[0] == self.0.bodies[1] {
            return Err(EngineError(format!(
                "joint {index} joins {} to itself; name two bodies, or one and the scene",
                self.0.bodies[0].map_or("the scene".to_owned(), |b| format!("body {b}"))
            )));
        }
        if !self.0.anchor.is_finite() {
            return Err(EngineError(format!(
                "joint {index} has the anchor {}; give it finite coordinates",
                self.0.anchor
            )));
        }
        if self.0.strength.is_some() {
            return Err(EngineError(format!(
                "joint {index} has a strength, and joints of this engine do not break; leave it out"
            )));
        }
        match &self.0.kind {
            JointKind::Hinge { axis, .. } if !(axis.is_finite() && axis.length() > 0.0) => {
                Err(EngineError(format!(
                    "joint {index} has the axis {axis}; give it a direction that is not zero"
                )))
            }
            _ => Ok(()),
        }
    }

    /// In Rapier's terms: its first body is our second, so that its angle is that of our first
    /// against the second. `frames` are where the two bodies are, m.
    pub(crate) fn build(&self, frames: [(DVec3, DQuat); 2]) -> GenericJoint {
        let axis = match &self.0.kind {
            JointKind::Hinge { axis, .. } => axis.normalize(),
            _ => DVec3::X,
        };
        let along = DQuat::from_rotation_arc(DVec3::X, axis);
        let locked = match &self.0.kind {
            JointKind::Weld => JointAxesMask::LOCKED_FIXED_AXES,
            JointKind::Ball => JointAxesMask::LOCKED_SPHERICAL_AXES,
            JointKind::Hinge { .. } => JointAxesMask::LOCKED_REVOLUTE_AXES,
        };
        let local = |(x, r): (DVec3, DQuat)| {
            let back = r.conjugate();
            convert::pose(back * (self.0.anchor - x), back * along)
        };
        let mut joint = GenericJoint::new(locked);
        joint.set_local_frame1(local(frames[1]));
        joint.set_local_frame2(local(frames[0]));
        // Bodies overlap where they are joined.
        joint.set_contacts_enabled(false);
        joint
    }

    /// The motor's torque about the axis on the first body at `time`, N m.
    pub(crate) fn torque(&self, time: f64) -> Option<f64> {
        match &self.0.kind {
            JointKind::Hinge {
                motor: Motor::Torque(torque),
                ..
            } => Some(torque.at(time)),
            _ => None,
        }
    }

    /// Sets the motor that follows an angle for a step from `time` of `dt`, in substeps of
    /// `substep`, s.
    pub(crate) fn follow(&self, joint: &mut GenericJoint, time: f64, dt: f64, substep: f64) {
        let JointKind::Hinge {
            motor: Motor::Angle(angle),
            ..
        } = &self.0.kind
        else {
            return;
        };
        let (before, after) = (angle.at(time), angle.at(time + dt));
        let damping = MOTOR_DAMPING / substep;
        let stiffness = MOTOR_ERROR * damping / substep;
        let rate = (after - before) / dt;
        joint.set_motor(JointAxis::AngX, after, rate, stiffness, damping);
    }
}
