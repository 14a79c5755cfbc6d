//! Whether a run ended because a coil jammed.
//!
//! A driven rod whose coil can no longer slip is wound up further with every turn of its drive,
//! without end: the drive is as strong as it takes. What then fails is the rod, and not the method:
//! long before edges fold or turn over in their frames, the strain at its surface, h |kappa -
//! kappa_rest| by bending and h |tau - tau_rest| by twist, is beyond what any elastic rod stands.
//!
//! So a jam is told from other failures by all that makes one: friction at contacts, a drive that
//! has gone on for several steps against a growing reaction, and such a strain. A step that fails
//! for what no winding up could cause is a failure all the same.

use std::fmt;

use crate::contact::obstacle::contact::ObstacleContact;
use crate::contact::{Beginning, ContactFrame, ContactSet};
use crate::forces::twist;
use crate::model::{Elastic, Model};
use crate::obstacle::surface::Instants;
use crate::response::{Response, rods_of};
use crate::rod::Kinematics;
use crate::rod::strain::VertexGeometry;
use crate::state::State;
use crate::step::{StepError, drive};

/// Strain at the surface beyond which a rod that cannot step on counts as wound up.
const WOUND_UP: f64 = 0.25;

/// A coil that is jammed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jam {
    /// Rod with the largest strain.
    pub rod: usize,
    /// Its node there.
    pub node: usize,
    /// Strain at its surface by bending.
    pub bending: f64,
    /// Strain at its surface by twist.
    pub twist: f64,
    /// Contacts with friction.
    pub contacts: usize,
}

impl fmt::Display for Jam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "rod {} is wound up at node {} to a strain of {:.0} % by bending and {:.0} % by twist at its surface, held by the friction of {} contacts",
            self.rod,
            self.node,
            100.0 * self.bending,
            100.0 * self.twist,
            self.contacts
        )
    }
}

/// The jam of a state from which no step can be made because of `cause`, if it is one.
pub(super) fn jam(model: &Model, state: &State, cause: &StepError) -> Option<Jam> {
    if !may_be_wound_up(cause) || !drive::grows(&state.reactions) {
        return None;
    }
    let mut kinematics = Kinematics::default();
    kinematics
        .update(&model.topology, &state.frames, &state.q)
        .ok()?;
    let response = Response::of_state(model, state, false);
    let rods = rods_of(model, response.as_ref());
    // Where the surface is strained most, by both together.
    let (vertex, bending, twist) = (0..model.topology.vertices())
        .map(|vertex| {
            let (bending, twist) = strains(model, &rods, &kinematics, &state.q, vertex);
            (vertex, bending, twist)
        })
        .max_by(|a, b| (a.1 + a.2).total_cmp(&(b.1 + b.2)))?;
    let contacts = contacts(model, state, &kinematics);
    let node = model.topology.vertex_nodes[vertex][1];
    let rod = model.topology.node_rod[node];
    (contacts > 0 && bending + twist > WOUND_UP).then(|| Jam {
        rod,
        node: node - model.topology.rods[rod].first_node,
        bending,
        twist,
        contacts,
    })
}

/// Whether rods that are wound up could make a step fail like this.
fn may_be_wound_up(cause: &StepError) -> bool {
    match cause {
        StepError::NotConverged(_)
        | StepError::Kinematics(_)
        | StepError::Solve(_)
        | StepError::NotFinite { .. }
        | StepError::MadeEnergy { .. }
        | StepError::Undetermined { .. }
        | StepError::Crossed { .. }
        | StepError::Entered { .. }
        | StepError::EndPenetration { .. }
        | StepError::Penetration { .. }
        | StepError::SoftBarrier { .. }
        | StepError::TightBarrier { .. }
        | StepError::NotKeptApart { .. }
        | StepError::FrictionUnsettled { .. } => true,
        StepError::BodyMeets { .. }
        | StepError::BodyTurned { .. }
        | StepError::MotorTurned { .. }
        | StepError::LaggedDrag { .. }
        | StepError::Interrupted
        | StepError::StartsInContact { .. }
        | StepError::ExtrapolatedEnd
        | StepError::RatesInMiddle
        | StepError::OnlyRodsTouch
        | StepError::UnbalancedAngles { .. }
        | StepError::StretchRemains { .. }
        | StepError::JointApart { .. }
        | StepError::StartsStretched { .. }
        | StepError::Unstable { .. }
        | StepError::Engine(_)
        | StepError::Unsupported(_)
        | StepError::NoEstimate(_)
        | StepError::Inaccurate { .. } => false,
    }
}

/// Strain at the surface by bending and by twist.
fn strains(
    model: &Model,
    rods: &Elastic,
    kinematics: &Kinematics,
    q: &[f64],
    vertex: usize,
) -> (f64, f64) {
    let edges = model.topology.vertex_edges[vertex];
    let [minus, plus] = edges.map(|e| kinematics.edge(e));
    let [l, k] = edges.map(|e| model.rest_length[e]);
    let h = edges.map(|e| model.radius[e]);
    // h/dl: curvatures and twist are integrated over dl.
    let over = 0.5 * (h[0] + h[1]) / (0.5 * (l + k));
    let geometry = VertexGeometry::new(&minus, &plus);
    let tau = twist(model, kinematics, q, vertex);
    let [bent, twisted] = rods.elasticity(vertex).strain(&geometry, tau);
    (over * bent, over * twisted.abs())
}

/// Contacts that push and have friction.
fn contacts(model: &Model, state: &State, kinematics: &Kinematics) -> usize {
    let at = state.trial(&model.topology, kinematics);
    let beginning = Beginning::new(model, state, Instants::still(state.time));
    let mut frame = ContactFrame::new(model, &beginning);
    let mut contact = ContactSet::default();
    let mut force = vec![0.0; model.topology.dofs];
    contact.find(&mut frame, model, &at, state.contact.stiffness, &mut force);
    // Obstacles may have friction of their own, pairs have that of the model or of rods.
    let pairs = match model.rods_rub() {
        true => contact.pairs().len(),
        false => 0,
    };
    let rough = |c: &&ObstacleContact| model.is_rough(&model.obstacles[c.obstacle]);
    pairs + contact.obstacles().contacts().iter().filter(rough).count()
}

#[cfg(test)]
mod tests;
