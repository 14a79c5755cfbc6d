//! Kinetic energy.

use glam::DMat3;

use crate::bodies::inertia::energy;
use crate::model::Model;
use crate::rod::kinematics::position;
use crate::state::State;

/// Kinetic energy of nodes, angles and bodies, J.
pub fn kinetic(model: &Model, state: &State) -> f64 {
    let rods = model.topology.body_dof.first();
    // Bodies, whose unknowns come after those of rods, have an inertia that turns.
    let rods = rods.map_or(model.topology.dofs, |dof| *dof);
    let unknowns = model.mass[..rods].iter().zip(&state.velocity);
    let nodes: f64 = unknowns.map(|(m, u)| 0.5 * m * u * u).sum();
    let bodies = 0..model.bodies.list.len();
    let bodies: f64 = bodies.map(|body| body_kinetic(model, state, body)).sum();
    nodes + bodies
}

/// Kinetic energy of a rigid body with what is welded to it, J.
pub(crate) fn body_kinetic(model: &Model, state: &State, body: usize) -> f64 {
    let (assembly, dof) = (&model.bodies.list[body], model.topology.body_dof[body]);
    let [v, spin] = [dof, dof + 3].map(|dof| position(&state.velocity, dof));
    let orientation = DMat3::from_quat(state.frames.orientation[body]);
    0.5 * assembly.mass * v.length_squared() + energy(assembly, orientation, spin)
}

/// What rounding of positions can make of energies, J: far below this nothing is known of a
/// balance.
pub fn rounding(model: &Model) -> f64 {
    let edges = model.stretching.iter().zip(&model.rest_length);
    let stiffness: f64 = edges.map(|(ea, length)| ea * length).sum();
    // Strains round at some 1e-15, and energies are measured from states that are not free of them.
    1e-15 * stiffness
}
