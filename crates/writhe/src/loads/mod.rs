//! Loads on rods: an open set behind the small trait [`Load`].

mod distributed;
mod drag;
mod foundation;
mod gravity;
mod magnetic;
mod moment;
mod point_force;
pub mod resistive_force;
mod viscous;
mod wind;

use std::fmt::Debug;

pub use distributed::{DistributedForce, FollowerLoad};
pub use drag::ResistiveDrag;
pub use foundation::{Bedding, Foundation};
pub(crate) use gravity::GRAVITY;
pub use gravity::Gravity;
pub use magnetic::{MagneticField, Magnetism};
pub use moment::PointMoment;
pub use point_force::PointForce;
pub use viscous::ViscousDamping;
pub use wind::{Wind, WindDrag};

use crate::assembly::{Blocks, Trial};
use crate::rod::Topology;

/// What a load does with energy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadKind {
    /// A load that does work.
    Applied,
    /// A damper, which turns energy into heat.
    Damping,
    /// A fluid or air, which turns energy into heat.
    Drag,
}

/// A load at a point of a rod, for whoever sets it anew.
#[derive(Debug, Clone)]
pub enum PointLoad {
    /// On a node.
    Force(PointForce),
    /// On an edge.
    Moment(PointMoment),
}

/// Why there is no equilibrium under a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsteady {
    /// What it does, a clause of its own.
    pub why: &'static str,
    /// What to do.
    pub remedy: &'static str,
}

/// A force on the unknowns. Implementations add to what is there.
pub trait Load: Debug + Send + Sync {
    /// Short name for reports.
    fn name(&self) -> &'static str;

    /// Adds the generalised force, N on positions and N m on angles.
    fn add_force(&self, at: &Trial, force: &mut [f64]);

    /// Adds **minus** the derivative of the force by the unknowns, the velocity's part multiplied
    /// by `at.rate`.
    fn add_stiffness(&self, at: &Trial, blocks: &mut dyn Blocks);

    /// Potential whose minus gradient is the force at this trial (for damping, the incremental
    /// one), J; `None` when there is none.
    fn potential(&self, at: &Trial) -> Option<f64>;

    /// What this load does with energy.
    fn kind(&self) -> LoadKind {
        LoadKind::Applied
    }

    /// Whether this load depends on velocity and dissipates, so that it is left out of equilibria.
    fn dissipative(&self) -> bool {
        self.kind() != LoadKind::Applied
    }

    /// Why nothing comes to rest under this load, or no force of it at rest is known; `None` where
    /// one is, or where it only resists motion.
    fn unsteady(&self) -> Option<Unsteady> {
        None
    }

    /// The time, s, after which it no longer changes by itself: infinite for what changes for ever.
    fn changes_until(&self) -> f64 {
        0.0
    }

    /// Whether its potential depends on the angles of edges, and is no linear function of them:
    /// explicit steps find angles by balance alone, and might take a maximum for a minimum.
    fn curves_with_angles(&self) -> bool {
        false
    }

    /// Work from the unknowns `from` to `to`, `(dofs)`, J, if it depends on nothing else; `None`
    /// where the balance of energy must sum up power.
    fn work(&self, _topology: &Topology, _from: &[f64], _to: &[f64]) -> Option<f64> {
        None
    }

    /// Power that a medium which moves by itself supplies through this load, W; 0 where the medium
    /// rests.
    fn supply(&self, _at: &Trial) -> f64 {
        0.0
    }

    /// This load, if it is one at a point.
    fn at_point(&self) -> Option<PointLoad> {
        None
    }

    /// Sets of unknowns that this load couples beyond those of a vertex (two edges).
    fn couplings(&self, _topology: &Topology) -> Vec<Vec<usize>> {
        Vec::new()
    }
}
