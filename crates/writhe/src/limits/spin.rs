//! What it costs to leave out that a spin I w t is turned with its edge (decision 0052).
//!
//! The torque that is missing is `I w t'`, of a rod the sum over its edges. What it is missing from
//! are the torques that turn the rod: of inertia, `|x - c| m |u' - c'|` summed over its nodes with
//! their centre c, and of bending. A swing has its largest t' and its largest torque at different
//! times, so both are taken at their largest over the run.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{Extreme, raise};
use crate::model::{Model, SpinInertia};
use crate::rod::RodLayout;
use crate::rod::kinematics::position;
use crate::state::State;

/// Turn of a tangent over that of the edge about it which may be rounding.
const STEADY: f64 = 1e-6;

/// The largest torques on a rod so far.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct TurnedSpin {
    /// What turning its spins would take, N m; `at` is the edge that has most of it.
    pub missing: Option<Extreme>,
    /// Of inertia or bending, N m.
    pub torque: f64,
}

impl TurnedSpin {
    /// The torque that is missing over that which acts, with its place; `None` if nothing is.
    pub fn cost(&self) -> Option<Extreme> {
        let missing = self.missing.filter(|m| m.value > 0.0)?;
        let value = missing.value / self.torque;
        let known = value.is_finite();
        known.then_some(Extreme { value, ..missing })
    }
}

/// Torque on a rod, N m, above which a moment counts; none does where nothing is left out.
pub(super) fn known_torque(spins: &[TurnedSpin], model: &Model, rod: usize) -> f64 {
    match model.spin_inertia {
        SpinInertia::Angles => spins.get(rod).map_or(0.0, |spin| spin.torque),
        _ => f64::INFINITY,
    }
}

/// Takes in a rod at a state, with its largest bending moment, N m.
pub(super) fn include(
    spins: &mut Vec<TurnedSpin>,
    model: &Model,
    state: &State,
    (rod, bending): (usize, f64),
) {
    // Before the first step nothing has accelerated.
    if model.spin_inertia != SpinInertia::Angles || state.step == 0 {
        return;
    }
    spins.resize(model.topology.rods.len(), TurnedSpin::default());
    let (spin, layout) = (&mut spins[rod], &model.topology.rods[rod]);
    let (mut sum, mut most, mut at) = (0.0, 0.0, 0);
    for edge in layout.first_edge..layout.first_edge + layout.edges {
        let torque = missing(model, state, edge);
        sum += torque;
        if torque > most {
            (most, at) = (torque, edge - layout.first_edge);
        }
    }
    let found = Extreme {
        value: sum,
        time: state.time,
        rod,
        at,
    };
    raise(&mut spin.missing, found);
    let acting = inertia(model, state, layout).max(bending);
    if acting.is_finite() {
        spin.torque = spin.torque.max(acting);
    }
}

/// `I |w| |t'|`, N m.
fn missing(model: &Model, state: &State, edge: usize) -> f64 {
    let topology = &model.topology;
    let [a, b] = topology.edge_nodes[edge].map(|n| position(&state.velocity, topology.node_dof[n]));
    let t = state.frames.tangent[edge];
    let [x, y] = topology.at_ends(&state.q, edge);
    // t' = (e' - t t . e')/|e|
    let turn = ((b - a) - t * t.dot(b - a)).length() / (y - x).length();
    let dof = topology.edge_dof[edge];
    let rate = state.velocity[dof].abs();
    if turn > STEADY * rate {
        model.mass[dof] * rate * turn
    } else {
        0.0
    }
}

/// `sum |x - c| m |u' - c'|`, N m.
fn inertia(model: &Model, state: &State, rod: &RodLayout) -> f64 {
    let nodes = rod.first_node..rod.first_node + rod.nodes;
    let dofs = &model.topology.node_dof[nodes];
    let mean = |of: &[f64]| {
        let sum: DVec3 = dofs
            .iter()
            .map(|dof| position(of, *dof) * model.mass[*dof])
            .sum();
        let mass: f64 = dofs.iter().map(|dof| model.mass[*dof]).sum();
        sum / mass
    };
    let (c, c2) = (mean(&state.q), mean(&state.acceleration));
    let torque = |dof: &usize| {
        let arm = position(&state.q, *dof).distance(c);
        arm * model.mass[*dof] * position(&state.acceleration, *dof).distance(c2)
    };
    let sum: f64 = dofs.iter().map(torque).sum();
    // All that is welded to bodies has no mass of its own.
    if sum.is_finite() { sum } else { 0.0 }
}
