//! Contact of Spillmann and Teschner (2008): forces are not implicit but found by solving the step
//! again, until no pair of edges that pushes is nearer or farther than touching at the step's end,
//! and no other pair is nearer.
//!
//! With the gap g of each pair at the end of the step, its normal force F and a tolerance,
//!
//! ```text
//! g >= 0,   F >= 0,   F g = 0
//! ```
//!
//! The force on node k of a pair is w_k F n (T22 Eq. 19 has the weights), with the pair's closest
//! points where they are in the last solve. How forces are corrected between solves is
//! `step/impulses.rs`.

use serde::{Deserialize, Serialize};

use crate::contact_model::lagged_friction::LaggedFriction;
use crate::error::ModelError;
use crate::error::check;

/// Parameters of Spillmann and Teschner's contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpillmannTeschnerSettings {
    /// How near to touching a pair that pushes must end, and how deep any pair may penetrate, over
    /// the radius.
    pub tolerance: f64,
    /// Friction, explicit on top (C21 Eq. 18 to 20).
    pub friction: LaggedFriction,
}

impl Default for SpillmannTeschnerSettings {
    /// Frictionless, tolerance 1e-4 h.
    fn default() -> Self {
        Self {
            tolerance: 1e-4,
            friction: LaggedFriction::default(),
        }
    }
}

impl SpillmannTeschnerSettings {
    pub(crate) fn check(&self) -> Result<(), ModelError> {
        check(
            "contact tolerance",
            self.tolerance,
            (1e-9..=0.05).contains(&self.tolerance),
            "between 1e-9 and 0.05 (it is relative to the radius)",
        )?;
        self.friction.check()
    }
}

/// Normal force of a pair of edges.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PairForce {
    /// Flat edge indices, first < second.
    pub edges: (u32, u32),
    /// F, N, greater than zero.
    pub force: f64,
}

/// Force of an obstacle on a part of a rod, in explicit steps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ObstacleForce {
    /// Index of the obstacle.
    pub obstacle: u32,
    /// 0 and a node, or 1 and an edge, flat: what touches.
    pub part: [u32; 2],
    /// Which of the obstacle's features an edge touches, or which of its facets a node does.
    pub feature: u32,
    /// Normal force, N, greater than zero.
    pub force: f64,
    /// Friction on the rod, N.
    pub friction: [f64; 3],
}

/// Normal forces of all pairs that push, sorted by pair.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct PairForces(Vec<PairForce>);

impl PairForces {
    /// The forces of a sorted list.
    pub(crate) fn new(list: &[PairForce]) -> Self {
        Self(list.to_vec())
    }

    /// The forces as a sorted list.
    pub(crate) fn list(&self) -> &[PairForce] {
        &self.0
    }

    /// Force of a pair, N; 0 if it does not push.
    pub(crate) fn of(&self, edges: (u32, u32)) -> f64 {
        let found = self.0.binary_search_by_key(&edges, |p| p.edges);
        found.map_or(0.0, |i| self.0[i].force)
    }

    /// Replaces all by those of `pairs`, sorted, that push.
    pub(crate) fn replace(&mut self, pairs: impl Iterator<Item = ((u32, u32), f64)>) {
        self.0.clear();
        let pushing = pairs.filter(|(_, force)| *force > 0.0);
        self.0
            .extend(pushing.map(|(edges, force)| PairForce { edges, force }));
    }
}
