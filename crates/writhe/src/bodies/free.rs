//! Bodies that move each on its own: the engine of models that name none. Rods and joints correct
//! what it did.

use glam::{DMat3, DQuat, DVec3};

use crate::bodies::{Assembly, BodyEngine, EngineError};

/// Moves each body on its own by symplectic Euler: forces change momentum and angular momentum,
/// these the pose; without torque the angular momentum stays as it is.
#[derive(Debug, Clone, Default)]
pub struct FreeBodies(Vec<Moving>);

#[derive(Debug, Clone)]
struct Moving {
    mass: f64,
    /// Inertia in the body's axes, kg m^2.
    inertia: DMat3,
    position: DVec3,
    orientation: DQuat,
    velocity: DVec3,
    spin: DVec3,
    force: DVec3,
    torque: DVec3,
}

impl Moving {
    fn inertia(&self) -> DMat3 {
        let r = DMat3::from_quat(self.orientation);
        r * self.inertia * r.transpose()
    }

    fn step(&mut self, dt: f64) {
        // Velocities first, positions from the new ones.
        self.velocity += self.force * (dt / self.mass);
        self.position += self.velocity * dt;
        let momentum = self.inertia() * self.spin + self.torque * dt;
        // Angular momentum in the scene's axes lasts; the angular velocity follows the inertia.
        let turn = self.inertia().inverse() * momentum * dt;
        self.orientation = (DQuat::from_scaled_axis(turn) * self.orientation).normalize();
        self.spin = self.inertia().inverse() * momentum;
        // Forces are given anew for each step.
        self.force = DVec3::ZERO;
        self.torque = DVec3::ZERO;
    }
}

impl BodyEngine for FreeBodies {
    fn boxed_clone(&self) -> Box<dyn BodyEngine> {
        Box::new(self.clone())
    }

    fn place(&mut self, bodies: &[(&Assembly, DVec3, DQuat)]) -> Result<(), EngineError> {
        let moving = |(assembly, position, orientation): &(&Assembly, DVec3, DQuat)| Moving {
            mass: assembly.mass,
            inertia: assembly.inertia,
            position: *position,
            orientation: *orientation,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
        };
        self.0 = bodies.iter().map(moving).collect();
        Ok(())
    }

    fn pose(&self, body: usize) -> (DVec3, DQuat) {
        (self.0[body].position, self.0[body].orientation)
    }

    fn velocity(&self, body: usize) -> (DVec3, DVec3) {
        (self.0[body].velocity, self.0[body].spin)
    }

    fn set_pose(&mut self, body: usize, position: DVec3, orientation: DQuat) {
        self.0[body].position = position;
        self.0[body].orientation = orientation;
    }

    fn set_velocity(&mut self, body: usize, linear: DVec3, angular: DVec3) {
        self.0[body].velocity = linear;
        self.0[body].spin = angular;
    }

    fn add_force(&mut self, body: usize, force: DVec3, torque: DVec3) {
        self.0[body].force += force;
        self.0[body].torque += torque;
    }

    fn step(&mut self, dt: f64) -> Result<(), EngineError> {
        self.0.iter_mut().for_each(|body| body.step(dt));
        Ok(())
    }

    fn acts(&self) -> bool {
        false
    }

    /// An empty snapshot: poses and velocities are given anew at each step.
    fn snapshot(&self) -> Result<Vec<u8>, EngineError> {
        Ok(Vec::new())
    }

    fn restore(&mut self, _snapshot: &[u8]) -> Result<(), EngineError> {
        Ok(())
    }
}
