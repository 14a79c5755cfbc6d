//! The engine as a user makes it, and as the core steps it.

use std::fmt;

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use writhe::bodies::{Assembly, BodyEngine, EngineError, Joint, JointKind, Motor};
use writhe::schedule::Schedule;

use crate::collider::Collider;
use crate::description::{Description, Guide};
use crate::joint::Connection;
use crate::world::{Moving, World};

/// Rapier as the engine of a model's bodies, numbered as there: what it knows of them besides mass,
/// inertia and pose.
///
/// Gravity and all other loads are the model's. Joints and colliders are placed with the bodies, at
/// the start of the first step.
#[derive(Clone, Default)]
pub struct RapierEngine {
    pub(crate) description: Description,
    bodies: Vec<Moving>,
    world: Option<World>,
}

#[derive(Serialize)]
struct Snapshot<'a> {
    bodies: &'a [Moving],
    world: &'a World,
}

#[derive(Deserialize)]
struct OwnedSnapshot {
    bodies: Vec<Moving>,
    world: World,
}

impl RapierEngine {
    /// Free bodies that do not meet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives `body` a shape that other shapes do not enter; a body may have several.
    pub fn collider(mut self, body: usize, collider: Collider) -> Self {
        self.description.colliders.push((body, collider));
        self
    }

    /// Adds a shape that stands still in the scene.
    pub fn scenery(mut self, collider: Collider) -> Self {
        self.description.scenery.push(collider);
        self
    }

    /// Joins two bodies, or one to the scene. Colliders of the two do not meet.
    pub fn joint(mut self, joint: Joint) -> Self {
        self.description.connections.push(Connection(joint));
        self
    }

    /// Lets `body` keep the coordinates of its centre of mass, and not turn about axes of the
    /// scene, as told by `position` and `turn` (x, y, z). Say so wherever the model guides the body
    /// (`ModelBuilder::guide_body`) and the engine has joints or colliders.
    pub fn guide(mut self, body: usize, position: [bool; 3], turn: [bool; 3]) -> Self {
        self.description.guides.push(Guide {
            body,
            position,
            turn,
        });
        self
    }

    /// Lets nothing in the engine push `body`, because the model prescribes how it moves
    /// (`ModelBuilder::move_body`).
    pub fn prescribed(mut self, body: usize) -> Self {
        self.description.prescribed.push(body);
        self
    }
}

impl fmt::Debug for RapierEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RapierEngine")
            .field("description", &self.description)
            .field("bodies", &self.bodies)
            .finish_non_exhaustive()
    }
}

impl BodyEngine for RapierEngine {
    fn boxed_clone(&self) -> Box<dyn BodyEngine> {
        Box::new(self.clone())
    }

    fn place(&mut self, bodies: &[(&Assembly, DVec3, DQuat)]) -> Result<(), EngineError> {
        self.description.check(bodies.len())?;
        self.bodies = bodies.iter().map(Moving::new).collect();
        for guide in &self.description.guides {
            self.bodies[guide.body].guide(guide.position, guide.turn);
        }
        for body in &self.description.prescribed {
            self.bodies[*body].prescribed = true;
        }
        let origins: Vec<DVec3> = bodies.iter().map(|(a, ..)| a.origin).collect();
        self.world = Some(World::new(&self.description, &self.bodies, &origins));
        Ok(())
    }

    fn pose(&self, body: usize) -> (DVec3, DQuat) {
        (self.bodies[body].position, self.bodies[body].orientation)
    }

    fn velocity(&self, body: usize) -> (DVec3, DVec3) {
        (self.bodies[body].velocity, self.bodies[body].spin)
    }

    fn set_pose(&mut self, body: usize, position: DVec3, orientation: DQuat) {
        self.bodies[body].position = position;
        self.bodies[body].orientation = orientation;
    }

    fn set_velocity(&mut self, body: usize, linear: DVec3, angular: DVec3) {
        self.bodies[body].velocity = linear;
        self.bodies[body].spin = angular;
    }

    fn add_force(&mut self, body: usize, force: DVec3, torque: DVec3) {
        self.bodies[body].force += force;
        self.bodies[body].torque += torque;
    }

    fn joints(&self) -> usize {
        self.description.connections.len()
    }

    fn motor(&self, joint: usize) -> Option<&Motor> {
        match &self.description.connections.get(joint)?.0.kind {
            JointKind::Hinge { motor, .. } => Some(motor),
            _ => None,
        }
    }

    fn drive(&mut self, joint: usize, by: Schedule) -> bool {
        let connection = self.description.connections.get_mut(joint);
        match connection.map(|connection| &mut connection.0.kind) {
            Some(JointKind::Hinge {
                motor: Motor::Torque(schedule) | Motor::Angle(schedule),
                ..
            }) => {
                *schedule = by;
                true
            }
            _ => false,
        }
    }

    fn step(&mut self, dt: f64) -> Result<(), EngineError> {
        let world = self.world.as_mut().ok_or_else(not_placed)?;
        world.step(&self.description, &mut self.bodies, dt)
    }

    fn snapshot(&self) -> Result<Vec<u8>, EngineError> {
        let snapshot = Snapshot {
            bodies: &self.bodies,
            world: self.world.as_ref().ok_or_else(not_placed)?,
        };
        postcard::to_stdvec(&snapshot)
            .map_err(|e| EngineError(format!("its state cannot be written: {e}")))
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), EngineError> {
        let snapshot: OwnedSnapshot = postcard::from_bytes(snapshot).map_err(|e| {
            EngineError(format!(
                "the state that it should go on from is not one of this engine ({e}); start anew, or name the engine that made it"
            ))
        })?;
        self.description.check(snapshot.bodies.len())?;
        snapshot.world.fits(&self.description, &snapshot.bodies)?;
        self.bodies = snapshot.bodies;
        self.world = Some(snapshot.world);
        Ok(())
    }
}

fn not_placed() -> EngineError {
    EngineError("it was asked for a step before its bodies were placed".to_owned())
}
