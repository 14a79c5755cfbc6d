//! Where rigid bodies are and how they move.

use glam::{DMat3, DQuat, DVec3};

use crate::bodies::inertia::angular_momentum;
use crate::kinetic::body_kinetic;
use crate::model::Model;
use crate::rod::kinematics::position;
use crate::state::State;

/// A rigid body, without what is welded to it but for its energy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyMotion {
    /// Its own centre of mass, m.
    pub position: DVec3,
    /// Takes its axes to those of the scene.
    pub orientation: DQuat,
    /// Velocity of its centre, m/s.
    pub velocity: DVec3,
    /// Angular velocity in the axes of the scene, rad/s.
    pub spin: DVec3,
    /// Kinetic energy with what is welded to it, J.
    pub kinetic: f64,
}

/// All bodies.
pub(super) fn all(model: &Model, state: &State) -> Vec<BodyMotion> {
    let of = |(body, dof): (usize, &usize)| {
        let assembly = &model.bodies.list[body];
        let orientation = state.frames.orientation[body];
        // Unknowns are those of the assembly's centre; the body's own is at X + R origin.
        let arm = orientation * assembly.origin;
        let [v, spin] = [*dof, dof + 3].map(|dof| position(&state.velocity, dof));
        BodyMotion {
            position: position(&state.q, *dof) + arm,
            orientation,
            velocity: v + spin.cross(arm),
            spin,
            kinetic: body_kinetic(model, state, body),
        }
    };
    model.topology.body_dof.iter().enumerate().map(of).collect()
}

/// Linear momentum, kg m/s, and angular momentum about the origin, kg m^2/s, of all bodies with
/// what is welded to them.
pub(super) fn momenta(model: &Model, state: &State) -> (DVec3, DVec3) {
    let mut sum = (DVec3::ZERO, DVec3::ZERO);
    for (body, dof) in model.topology.body_dof.iter().enumerate() {
        let assembly = &model.bodies.list[body];
        let orientation = DMat3::from_quat(state.frames.orientation[body]);
        let p = position(&state.velocity, *dof) * assembly.mass;
        sum.0 += p;
        sum.1 += position(&state.q, *dof).cross(p)
            + angular_momentum(assembly, orientation, position(&state.velocity, dof + 3));
    }
    sum
}
