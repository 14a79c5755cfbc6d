//! Spins that are turned with their edges (decision 0052), where angles have no inertia.
//!
//! The nodes of an edge feel `f = I w (t x t')/|e| = I w (t x e')/|e|^2` and `-f`, with the rate w
//! of the last step. Forces of velocities at the start of a step would make energy, however small
//! the step. So each edge in turn changes the velocities by what f does at their mean over the
//! step, which does no work: `p = dt (I w/|e|^2) t x (e' + de'/2)`, `de' = W p` with the sum W of
//! both nodes' inverse masses.

use glam::{DMat3, DVec3};

use crate::assembly::add3;
use crate::model::{Model, SpinInertia};
use crate::rod::Kinematics;
use crate::rod::geometry::skew;
use crate::rod::kinematics::position;

/// Whether what is to be turned is known: something holds an angle of each rod, from which all
/// others follow. The spin of a rod that nothing holds is no part of a state whose angles are at
/// rest.
pub(super) fn is_known(model: &Model) -> bool {
    let fixed = model.constraints.fixed();
    let mut rods = model.topology.rods.iter();
    model.spin_inertia == SpinInertia::Angles
        || rods.all(|rod| {
            let mut edges = rod.first_edge..rod.first_edge + rod.edges;
            edges.any(|edge| fixed[model.topology.edge_dof[edge]])
        })
}

/// Angles whose spins a support keeps up, where they count: those of rods that it holds by one. They
/// follow it, so that what they gain it gives.
pub(super) fn kept_up(model: &Model) -> impl Iterator<Item = usize> + '_ {
    let counts = model.spin_inertia == SpinInertia::Full;
    let rods = model.topology.rods.iter().filter(move |_| counts);
    let angles = rods.map(|rod| {
        let edges = rod.first_edge..rod.first_edge + rod.edges;
        edges.map(|edge| model.topology.edge_dof[edge])
    });
    let fixed = model.constraints.fixed();
    let supported = |dof: usize| fixed[dof] && !model.bodies.follows(dof);
    let held = angles.filter(move |angles| angles.clone().any(supported));
    held.flatten()
}

/// Turns spins at the rates `spin`, rad/s, among `(dofs)`, for `dt`, s: changes `velocity` by
/// inverse masses, `weight`, and adds the mean forces, N, to `force`, all `(dofs)`.
pub(super) fn turn(
    model: &Model,
    kinematics: &Kinematics,
    (dt, spin): (f64, &[f64]),
    weight: &[f64],
    force: &mut [f64],
    velocity: &mut [f64],
) {
    if model.spin_inertia == SpinInertia::Angles {
        return;
    }
    for edge in 0..kinematics.len() {
        let (length, tangent) = (kinematics.length(edge), kinematics.tangent(edge));
        let dof = model.topology.edge_dof[edge];
        let [a, b] = model.topology.edge_nodes[edge].map(|n| model.topology.node_dof[n]);
        // p = S (e' + W p/2), and so (1 - S W/2) p = S e'
        let size = dt * model.mass[dof] * spin[dof] / length.powi(2);
        let turn = skew(tangent) * size;
        let [of_a, of_b] = [a, b].map(|dof| position(weight, dof));
        let matrix = DMat3::IDENTITY - turn * DMat3::from_diagonal(0.5 * (of_a + of_b));
        let opening = position(velocity, b) - position(velocity, a);
        let p: DVec3 = matrix.inverse() * (turn * opening);
        add3(velocity, a, -of_a * p);
        add3(velocity, b, of_b * p);
        add3(force, a, -p / dt);
        add3(force, b, p / dt);
    }
}
