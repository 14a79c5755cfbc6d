//! What a rigid-body engine must do to move bodies that rods are welded to.

use std::fmt::Debug;

use glam::{DQuat, DVec3};

use crate::bodies::{Assembly, Motor};
use crate::schedule::Schedule;

/// A rigid-body engine: moves bodies between the corrections that keep rods inextensible (B08,
/// section 8). Bodies are numbered as in the model; the engine may know more (joints, colliders,
/// motors), which is its own business.
///
/// A model holds an engine as it is described; each step works on a copy, which it first takes back
/// to the state's snapshot (or has place the bodies, if there is none yet) and gives the state's
/// poses and velocities.
pub trait BodyEngine: Debug + Send + Sync {
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn BodyEngine>;

    /// Prepares for the bodies of a model, at rest at the given centres of mass, m, and
    /// orientations.
    ///
    /// # Errors
    /// See [`EngineError`].
    fn place(&mut self, bodies: &[(&Assembly, DVec3, DQuat)]) -> Result<(), EngineError>;

    /// Centre of mass, m, and orientation of a body.
    fn pose(&self, body: usize) -> (DVec3, DQuat);

    /// Velocity of the centre of mass, m/s, and angular velocity in the axes of the scene, rad/s.
    fn velocity(&self, body: usize) -> (DVec3, DVec3);

    /// Puts a body somewhere.
    fn set_pose(&mut self, body: usize, position: DVec3, orientation: DQuat);

    /// Gives a body velocities.
    fn set_velocity(&mut self, body: usize, linear: DVec3, angular: DVec3);

    /// Adds a force, N, at the centre of mass and a torque, N m, for the next step.
    fn add_force(&mut self, body: usize, force: DVec3, torque: DVec3);

    /// Advances all bodies by `dt`, s, with the forces added since the last step.
    ///
    /// # Errors
    /// See [`EngineError`].
    fn step(&mut self, dt: f64) -> Result<(), EngineError>;

    /// Number of joints of its own.
    fn joints(&self) -> usize {
        0
    }

    /// The motor of a hinge among them.
    fn motor(&self, _joint: usize) -> Option<&Motor> {
        None
    }

    /// Lets the motor of a hinge among them follow another torque, N m, or angle, rad, from now on,
    /// whichever it follows; between steps. Returns whether there is such a motor.
    fn drive(&mut self, _joint: usize, _by: Schedule) -> bool {
        false
    }

    /// Whether it does more than to move bodies by the forces that it is told: contacts, joints and
    /// motors of its own.
    fn acts(&self) -> bool {
        true
    }

    /// All that the engine needs to go on bit for bit, the bodies that it was given by
    /// [`BodyEngine::place`] among it.
    ///
    /// # Errors
    /// See [`EngineError`].
    fn snapshot(&self) -> Result<Vec<u8>, EngineError>;

    /// Goes back to a snapshot; the engine may be one that has placed no bodies yet.
    ///
    /// # Errors
    /// See [`EngineError`].
    fn restore(&mut self, snapshot: &[u8]) -> Result<(), EngineError>;
}

/// A rigid-body engine failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the rigid-body engine failed: {0}")]
pub struct EngineError(pub String);
