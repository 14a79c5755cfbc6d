//! Rapier's world around one step.

use glam::{DMat3, DQuat, DVec3};
use rapier3d_f64::dynamics::{
    CCDSolver, FrictionModel, ImpulseJointHandle, IntegrationParameters, LockedAxes,
    MassProperties, RigidBodyBuilder, RigidBodyHandle, RigidBodyType,
};
use rapier3d_f64::math::Vector;
use rapier3d_f64::pipeline::{CollisionPipeline, PhysicsPipeline, PhysicsWorld};
use serde::{Deserialize, Serialize};
use writhe::bodies::{Assembly, EngineError};

use crate::convert;
use crate::description::Description;

/// Substeps in which joints and contacts are solved.
const SUBSTEPS: usize = 4;
/// Sweeps over joints and contacts in each.
const SWEEPS: usize = 4;
/// Frequency at which penetration is mended over that of the substeps, between bodies and at what
/// stands still: Rapier's own ratios.
const SOFTNESS: [f64; 2] = [0.125, 0.25];

/// A body between steps: the coupling gives it poses, velocities and forces.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Moving {
    mass: f64,
    /// In the body's axes, kg m^2.
    inertia: DMat3,
    /// Coordinates that it keeps, and axes of the scene that it does not turn about.
    kept: [[bool; 3]; 2],
    pub prescribed: bool,
    pub position: DVec3,
    pub orientation: DQuat,
    pub velocity: DVec3,
    pub spin: DVec3,
    /// Since the last step, N and N m.
    pub force: DVec3,
    pub torque: DVec3,
}

/// All that Rapier keeps between steps.
#[derive(Serialize, Deserialize)]
pub(crate) struct World {
    /// Since the bodies were placed, s.
    time: f64,
    bodies: Vec<RigidBodyHandle>,
    joints: Vec<ImpulseJointHandle>,
    physics: PhysicsWorld,
}

impl Moving {
    pub fn new((assembly, position, orientation): &(&Assembly, DVec3, DQuat)) -> Self {
        Self {
            mass: assembly.mass,
            inertia: assembly.inertia,
            kept: [[false; 3]; 2],
            prescribed: false,
            position: *position,
            orientation: *orientation,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
        }
    }

    pub fn guide(&mut self, position: [bool; 3], turn: [bool; 3]) {
        for (kept, more) in self.kept.iter_mut().zip([position, turn]) {
            for k in 0..3 {
                kept[k] |= more[k];
            }
        }
    }

    /// In the axes of the scene; axes that it does not turn about are coupled with nothing.
    fn inertia(&self) -> DMat3 {
        let r = DMat3::from_quat(self.orientation);
        let mut inertia = r * self.inertia * r.transpose();
        for k in (0..3).filter(|k| self.kept[1][*k]) {
            for other in (0..3).filter(|other| *other != k) {
                inertia.col_mut(k)[other] = 0.0;
                inertia.col_mut(other)[k] = 0.0;
            }
        }
        inertia
    }

    /// Velocities after the forces of `dt`, s, as symplectic Euler has them.
    fn push(&mut self, dt: f64) {
        let (force, torque) = (
            std::mem::take(&mut self.force),
            std::mem::take(&mut self.torque),
        );
        if self.prescribed {
            return;
        }
        self.velocity += force * (dt / self.mass);
        self.spin += self.inertia().inverse() * torque * dt;
        for k in 0..3 {
            if self.kept[0][k] {
                self.velocity[k] = 0.0;
            }
            if self.kept[1][k] {
                self.spin[k] = 0.0;
            }
        }
    }
}

impl World {
    /// With the bodies where they are; `origins` are their own centres of mass from those of the
    /// assemblies, m.
    pub fn new(description: &Description, bodies: &[Moving], origins: &[DVec3]) -> Self {
        let mut physics = PhysicsWorld {
            gravity: Vector::ZERO,
            integration_parameters: parameters(description),
            ..PhysicsWorld::default()
        };
        let ground = physics.insert_body(RigidBodyBuilder::fixed());
        for collider in &description.scenery {
            physics.insert_collider(collider.build(DVec3::ZERO), Some(ground));
        }
        let insert = |body: &Moving| {
            let kind = if body.prescribed {
                RigidBodyType::KinematicVelocityBased
            } else {
                RigidBodyType::Dynamic
            };
            let mass = MassProperties::with_inertia_matrix(
                Vector::ZERO,
                body.mass,
                convert::matrix(body.inertia),
            );
            let builder = RigidBodyBuilder::new(kind)
                .pose(convert::pose(body.position, body.orientation))
                .additional_mass_properties(mass)
                .locked_axes(locked(body.kept))
                // Angular momentum is kept by `step`, to rounding.
                .gyroscopic_forces_enabled(false)
                .allow_fast_rotation(true)
                .can_sleep(false);
            physics.insert_body(builder)
        };
        let handles: Vec<_> = bodies.iter().map(insert).collect();
        for (body, collider) in &description.colliders {
            physics.insert_collider(collider.build(origins[*body]), Some(handles[*body]));
        }
        let place = |body: Option<usize>| match body {
            Some(b) => (handles[b], (bodies[b].position, bodies[b].orientation)),
            None => (ground, (DVec3::ZERO, DQuat::IDENTITY)),
        };
        let mut joints = Vec::new();
        for connection in &description.connections {
            let [first, second] = connection.0.bodies.map(place);
            let joint = connection.build([first.1, second.1]);
            joints.push(physics.insert_impulse_joint(second.0, first.0, joint));
        }
        Self {
            time: 0.0,
            bodies: handles,
            joints,
            physics,
        }
    }

    /// Whether it was made from a description like this one.
    pub fn fits(&self, description: &Description, bodies: &[Moving]) -> Result<(), EngineError> {
        let colliders = description.colliders.len() + description.scenery.len();
        for (what, wanted, found) in [
            ("bodies", bodies.len(), self.bodies.len()),
            ("joints", description.connections.len(), self.joints.len()),
            ("colliders", colliders, self.physics.colliders.len()),
        ] {
            if wanted != found {
                return Err(EngineError(format!(
                    "the state that it should go on from has {found} {what} and not {wanted}; start anew, or take the scene that made it"
                )));
            }
        }
        Ok(())
    }

    /// Moves the bodies by `dt`, s.
    ///
    /// Forces change velocities at once, so that the step is symplectic Euler whatever the
    /// substeps; in these joints and contacts change velocities again, and poses follow. Then the
    /// angular momentum so found is kept while the body turns.
    pub fn step(
        &mut self,
        description: &Description,
        bodies: &mut [Moving],
        dt: f64,
    ) -> Result<(), EngineError> {
        let substep = dt / SUBSTEPS as f64;
        self.drive(description, bodies, dt, substep);
        for (body, handle) in bodies.iter_mut().zip(&self.bodies) {
            body.push(dt);
            let rapier = &mut self.physics.bodies[*handle];
            rapier.set_position(convert::pose(body.position, body.orientation), true);
            rapier.set_linvel(convert::vector(body.velocity), true);
            rapier.set_angvel(convert::vector(body.spin), true);
        }
        let parameters = &mut self.physics.integration_parameters;
        parameters.dt = dt;
        let [moving, still] = SOFTNESS.map(|ratio| ratio / substep);
        parameters.contact_softness.natural_frequency = moving;
        parameters.static_contact_softness.natural_frequency = still;
        self.physics.step();
        self.time += dt;
        if let Some(lost) = self.physics.quarantine().bodies().first() {
            let body = self.bodies.iter().position(|handle| handle == lost);
            return Err(EngineError(format!(
                "body {} is no longer at finite coordinates; take a shorter step",
                body.unwrap_or(self.bodies.len())
            )));
        }
        for (body, handle) in bodies.iter_mut().zip(&self.bodies) {
            let rapier = &self.physics.bodies[*handle];
            let spin = convert::back(rapier.angvel());
            let momentum = body.inertia() * spin;
            body.position = convert::back(rapier.translation());
            body.orientation = convert::rotation_back(*rapier.rotation()).normalize();
            body.velocity = convert::back(rapier.linvel());
            body.spin = if body.prescribed {
                spin
            } else {
                body.inertia().inverse() * momentum
            };
        }
        Ok(())
    }

    /// Motors: torques on both bodies of a joint, and angles to follow.
    fn drive(&mut self, description: &Description, bodies: &mut [Moving], dt: f64, substep: f64) {
        for (connection, handle) in description.connections.iter().zip(&self.joints) {
            let Some(joint) = self.physics.impulse_joints.get_mut(*handle, true) else {
                continue;
            };
            connection.follow(&mut joint.data, self.time, dt, substep);
            let Some(torque) = connection.torque(self.time) else {
                continue;
            };
            // Rapier's second body is our first.
            let [first, second] = connection.0.bodies;
            let local = [joint.data.local_axis2(), joint.data.local_axis1()].map(convert::back);
            let axis = match (first, second) {
                (Some(b), _) => bodies[b].orientation * local[0],
                (None, Some(b)) => bodies[b].orientation * local[1],
                (None, None) => continue,
            };
            for (body, sign) in [(first, 1.0), (second, -1.0)] {
                if let Some(b) = body {
                    bodies[b].torque += axis * (sign * torque);
                }
            }
        }
    }
}

/// Parameters for bodies of the colliders' size, with time steps far below those of games.
fn parameters(description: &Description) -> IntegrationParameters {
    let shapes = description.colliders.iter().map(|(_, c)| c.shape);
    let smallest = shapes.filter_map(|shape| shape.smallest());
    IntegrationParameters {
        length_unit: smallest.min_by(f64::total_cmp).unwrap_or(1.0),
        num_solver_iterations: SUBSTEPS,
        num_internal_pgs_iterations: SWEEPS,
        normalized_max_linear_velocity: f64::MAX,
        // Contacts are found anew in every step.
        contact_recycling: false,
        friction_model: FrictionModel::Coulomb,
        ..IntegrationParameters::default()
    }
}

fn locked([position, turn]: [[bool; 3]; 2]) -> LockedAxes {
    let all = [
        (position[0], LockedAxes::TRANSLATION_LOCKED_X),
        (position[1], LockedAxes::TRANSLATION_LOCKED_Y),
        (position[2], LockedAxes::TRANSLATION_LOCKED_Z),
        (turn[0], LockedAxes::ROTATION_LOCKED_X),
        (turn[1], LockedAxes::ROTATION_LOCKED_Y),
        (turn[2], LockedAxes::ROTATION_LOCKED_Z),
    ];
    let kept = all.into_iter().filter(|(kept, _)| *kept);
    kept.fold(LockedAxes::empty(), |all, (_, axis)| all | axis)
}

impl Clone for World {
    fn clone(&self) -> Self {
        let physics = &self.physics;
        Self {
            time: self.time,
            bodies: self.bodies.clone(),
            joints: self.joints.clone(),
            // Pipelines and the solver of fast motion are workspaces.
            physics: PhysicsWorld {
                gravity: physics.gravity,
                integration_parameters: physics.integration_parameters,
                physics_pipeline: PhysicsPipeline::new(),
                collision_pipeline: CollisionPipeline::new(),
                islands: physics.islands.clone(),
                broad_phase: physics.broad_phase.clone(),
                narrow_phase: physics.narrow_phase.clone(),
                bodies: physics.bodies.clone(),
                colliders: physics.colliders.clone(),
                impulse_joints: physics.impulse_joints.clone(),
                multibody_joints: physics.multibody_joints.clone(),
                soft_bodies: physics.soft_bodies.clone(),
                ccd_solver: CCDSolver::new(),
            },
        }
    }
}
