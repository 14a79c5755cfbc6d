//! What ends a run before its time: a force, a loop, a strain.

use std::fmt;

use crate::model::Model;
use crate::observe::observe;
use crate::rod::RodLayout;
use crate::rod::kinematics::position;
use crate::state::State;

/// Steps between two looks: what a look costs is half a step.
const STEPS_BETWEEN_LOOKS: u64 = 10;

/// Conditions of which any ends a run. They are looked at after every tenth step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Stop {
    /// A support exerts more than this force, N.
    pub force: Option<f64>,
    /// The loop of a knot (see [`crate::observe::Observables::loops`]) has a smaller radius than
    /// this, its length over 2 pi, m.
    pub loop_radius: Option<f64>,
    /// A rod is longer than at rest by more than this part of its length.
    pub stretch: Option<f64>,
}

/// The condition that ended a run.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Met {
    /// The force of a support.
    Force {
        /// Index of the constraint.
        constraint: usize,
        /// Its force, N.
        force: f64,
        /// The limit, N.
        limit: f64,
    },
    /// The loop of a rod.
    Loop {
        /// The rod.
        rod: usize,
        /// Its radius, m.
        radius: f64,
        /// The limit, m.
        limit: f64,
    },
    /// The strain of a rod.
    Stretch {
        /// The rod.
        rod: usize,
        /// Its strain.
        strain: f64,
        /// The limit.
        limit: f64,
    },
}

impl fmt::Display for Met {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Force {
                constraint,
                force,
                limit,
            } => write!(
                f,
                "support {constraint} exerts {force:.4e} N, more than the {limit:e} N of `stop.force`"
            ),
            Self::Loop { rod, radius, limit } => write!(
                f,
                "the loop of rod {rod} has a radius of {radius:.4e} m, less than the {limit:e} m of `stop.loop_radius`"
            ),
            Self::Stretch { rod, strain, limit } => write!(
                f,
                "rod {rod} is stretched by {strain:.4e} of its length, more than the {limit:e} of `stop.stretch`"
            ),
        }
    }
}

impl Stop {
    /// Whether there is any condition.
    pub(crate) fn is_any(&self) -> bool {
        *self != Self::default()
    }

    /// Whether to look at a state.
    pub fn is_due(&self, state: &State) -> bool {
        self.is_any() && state.step > 0 && state.step.is_multiple_of(STEPS_BETWEEN_LOOKS)
    }

    /// The condition that a state meets, if any.
    pub fn met(&self, model: &Model, state: &State) -> Option<Met> {
        let stretched = self
            .stretch
            .and_then(|limit| stretched(model, state, limit));
        // Strain costs little; the other conditions need all observables.
        if stretched.is_some() || (self.force.is_none() && self.loop_radius.is_none()) {
            return stretched;
        }
        // No accepted state fails to show itself; if one did, its frame would tell.
        let seen = observe(model, state).ok()?;
        let of_force = self.force.and_then(|limit| {
            let forces = seen.reactions.iter().map(|r| r.force.length());
            let (constraint, force) = forces.enumerate().find(|(_, force)| *force > limit)?;
            Some(Met::Force {
                constraint,
                force,
                limit,
            })
        });
        let of_loop = || {
            let limit = self.loop_radius?;
            let radii = seen
                .loops
                .iter()
                .map(|l| l.map(|l| l / std::f64::consts::TAU));
            let (rod, radius) = radii
                .enumerate()
                .find_map(|(rod, radius)| Some((rod, radius.filter(|r| *r < limit)?)))?;
            Some(Met::Loop { rod, radius, limit })
        };
        of_force.or_else(of_loop)
    }
}

/// The first rod that is stretched by more than `limit`.
fn stretched(model: &Model, state: &State, limit: f64) -> Option<Met> {
    let topology = &model.topology;
    let length = |edge: usize| {
        let [a, b] = topology.edge_nodes[edge].map(|n| position(&state.q, topology.node_dof[n]));
        a.distance(b)
    };
    let strain = |(index, rod): (usize, &RodLayout)| {
        let edges = rod.first_edge..rod.first_edge + rod.edges;
        edges.map(length).sum::<f64>() / model.rod_length[index] - 1.0
    };
    let strains = topology.rods.iter().enumerate().map(strain);
    let (rod, strain) = strains.enumerate().find(|(_, strain)| *strain > limit)?;
    Some(Met::Stretch { rod, strain, limit })
}
