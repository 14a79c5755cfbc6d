//! Contact along a branch: which contact is followed, how stiff it is, and whether anything passed
//! through anything between two equilibria.
//!
//! Contact that has an energy of the gap, lets surfaces in a little and has no friction is a part of
//! the static problem as any other energy. Nothing in that problem says on which side of an obstacle
//! a rod belongs: that is known from the equilibrium before, from which all nodes and obstacles are
//! taken to go straight to the next, as in a step in time.

use super::FollowError;
use super::equation::Point;
use crate::contact::sweep::Sweep;
use crate::contact::{Beginning, ContactFrame, ContactSet};
use crate::contact_model::policy::NormalForces;
use crate::model::Model;
use crate::obstacle::Obstacle;
use crate::obstacle::surface::{Instants, local};
use crate::obstacle::sweep::{EdgeMotion, enters};
use crate::rod::Kinematics;
use crate::rod::kinematics::position;
use crate::state::State;
use crate::step::{AIMED_PENETRATION, MAX_PENETRATION, StepError};

/// Whether the contact of a model is followed.
pub(super) fn is_followed(model: &Model) -> bool {
    let policy = model.contact.policy();
    let is_smooth = policy.forces == NormalForces::OfGap && !policy.barrier;
    let is_rough = model.rods_rub() || model.obstacles.iter().any(|o| model.is_rough(o));
    is_smooth && !is_rough
}

/// One stiffness for all contacts, the largest of the state, in place of what steps remember.
pub(super) fn begin(model: &Model, state: &mut State) {
    let memory = &mut state.contact;
    let springs = memory.hardened.iter();
    let stiffest = springs
        .map(|contact| contact.stiffness + contact.springs.iter().map(|s| s.stiffness).sum::<f64>())
        .fold(memory.next(), f64::max);
    memory.stiffness = stiffest.max(model.first_contact_stiffness());
    memory.next_stiffness = 0.0;
    memory.hardened.clear();
}

/// The stiffness, N m, that contact needs at an equilibrium where it is too deep and the program
/// chooses.
pub(super) fn stiffer(point: &Point) -> Result<Option<f64>, FollowError> {
    let Point { model, state, .. } = point;
    if model.contact.policy().automatic_stiffness().is_none() {
        return Ok(None);
    }
    let mut kinematics = Kinematics::default();
    let told = kinematics.update(&model.topology, &state.frames, &state.q);
    told.map_err(|error| FollowError::Statics(StepError::from(error).into()))?;
    let mut frame = ContactFrame::new(
        model,
        &Beginning::new(model, state, Instants::still(state.time)),
    );
    let mut contacts = ContactSet::default();
    let mut force = vec![0.0; model.topology.dofs];
    let (at, stiffness) = (
        state.trial(&model.topology, &kinematics),
        state.contact.stiffness,
    );
    contacts.find(&mut frame, model, &at, stiffness, &mut force);
    let depth = contacts.deepest();
    let raised = stiffness * model.contact.raise(depth, AIMED_PENETRATION);
    Ok((depth > MAX_PENETRATION && raised > stiffness).then_some(raised))
}

/// Whether rods pass through each other or into obstacles where all nodes go straight from one
/// equilibrium to another.
pub(super) fn passes(from: &Point, to: &Point) -> bool {
    let model = &to.model;
    let ends = [&from.state.q, &to.state.q];
    if Sweep::default().crossing(model, ends[0], ends[1]).is_some() {
        return true;
    }
    let mut obstacles = from.model.obstacles.iter().zip(&model.obstacles);
    obstacles.any(|(before, after)| {
        let poses = [before.pose(from.state.time), after.pose(to.state.time)];
        let enters = |edge: usize| {
            let [start, end] = [0, 1].map(|k| {
                model.topology.edge_nodes[edge]
                    .map(|node| local(&poses[k], position(ends[k], model.topology.node_dof[node])))
            });
            enters(&after.body, &EdgeMotion { start, end }, model.radius[edge])
        };
        (0..model.topology.edges()).any(enters)
    })
}

/// Whether all obstacles keep their shapes from one model to another.
pub(super) fn same_shapes(a: &Model, b: &Model) -> bool {
    let same = |(a, b): (&Obstacle, &Obstacle)| a.has_shape_of(b);
    a.obstacles.len() == b.obstacles.len() && a.obstacles.iter().zip(&b.obstacles).all(same)
}
