//! Everything that survives a step and can change a bit of what follows: what a restart needs.
//!
//! As named [`arrays`] it is saved: [`State::to_arrays`].

pub mod arrays;
mod schema;

use serde::{Deserialize, Serialize};

use crate::assembly::Trial;
use crate::contact_model::hardening::Hardened;
use crate::contact_model::{ObstacleForce, PairForce};
use crate::kernels::friction::Anchor;
use crate::ledger::Ledger;
use crate::rod::{Frames, Kinematics, Topology};
use crate::viscoelastic::StrainMemory;

use arrays::{Arrays, ArraysError};
pub use schema::{Added, FIRST_NAMED, SCHEMA, Schema};

/// Name of a state among arrays: that of the field which holds it in what is saved.
const NAME: &str = "state";

/// State of a simulation. A step is a pure function of (model, state, step size).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Time, s.
    pub time: f64,
    /// Accepted steps so far.
    pub step: u64,
    /// Unknowns `[x0, th0, x1, ..]`, m and rad, then of each body its centre of mass, m, and zeros,
    /// for its turn is in the frames; `(dofs)`.
    pub q: Vec<f64>,
    /// Velocities, m/s and rad/s, of a body its angular velocity in the axes of the scene,
    /// `(dofs)`.
    pub velocity: Vec<f64>,
    /// Accelerations of the last step, m/s^2 and rad/s^2, `(dofs)`.
    pub acceleration: Vec<f64>,
    /// The step before, for two-step schemes; `None` after the start or where a scheme must start
    /// anew.
    pub history: Option<History>,
    /// Snapshot of the rigid-body engine after an explicit step; empty before the first, and where
    /// the engine needs none.
    #[serde(default)]
    pub engine: Vec<u8>,
    /// Force along each edge that the projection pulled with in the last step, N, `(edges)`; empty
    /// if edges stretch.
    #[serde(default)]
    pub tension: Vec<f64>,
    /// Reference frames and bodies' orientations here.
    pub frames: Frames,
    /// What viscous rods remember.
    #[serde(default)]
    pub strains: StrainMemory,
    /// Whether each joint has let go, `(joints)`; empty where none has.
    #[serde(default)]
    pub broken: Vec<bool>,
    /// Memory of contact: stiffness, anchors, springs, given forces.
    pub contact: ContactMemory,
    /// Hydrodynamic force on every node at the end of the last step, N, `(3 nodes)`; empty without
    /// a non-local fluid.
    pub hydrodynamic_force: Vec<f64>,
    /// Drag of a fluid that couples all nodes in the last steps, newest first, from which that of
    /// the next is guessed; empty without.
    #[serde(default)]
    pub drag_history: Vec<PastForce>,
    /// Watch over lagged drag: how far nodes moved since its rate was found, and whether it gives
    /// energy.
    #[serde(default)]
    pub drag_watch: DragWatch,
    /// What resisted the drives in the last steps in which they moved, oldest first; empty where
    /// nothing drives.
    #[serde(default)]
    pub reactions: Vec<Reaction>,
    /// Step size control.
    pub control: Control,
    /// Works and heat since the start of the run.
    pub ledger: Ledger,
}

impl State {
    /// The state as loads see it, with the `kinematics` of its configuration; velocities do not
    /// follow the unknowns.
    pub fn trial<'a>(&'a self, topology: &'a Topology, kinematics: &'a Kinematics) -> Trial<'a> {
        Trial {
            topology,
            kinematics,
            time: self.time,
            q: &self.q,
            velocity: &self.velocity,
            rate: 0.0,
        }
    }

    /// All of it as named arrays: `state.q`, `state.contact.stiffness` and so on.
    ///
    /// # Errors
    /// None of today's fields can fail; one of a type that has no place among arrays would.
    pub fn to_arrays(&self) -> Result<Arrays, ArraysError> {
        let mut arrays = Arrays::new(SCHEMA.version);
        // The walk over the fields names them (decision 0049).
        arrays.add(NAME, self)?;
        Ok(arrays)
    }

    /// The state among these arrays, with all its bits.
    ///
    /// # Errors
    /// When they are of a schema from which it cannot be read, or not those of a state; the message
    /// names the array.
    pub fn from_arrays(arrays: &Arrays) -> Result<Self, ArraysError> {
        arrays.read(NAME, &SCHEMA)
    }
}

/// What resisted a drive at the end of a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Reaction {
    /// End of the step, s.
    pub time: f64,
    /// Largest force on what moves as prescribed, N.
    pub force: f64,
}

/// The step before the present one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// Its size, s.
    pub dt: f64,
    /// Unknowns at its start, of a body the turn from its end back to there, `(dofs)`.
    pub q: Vec<f64>,
    /// Velocities at its start, `(dofs)`.
    pub velocity: Vec<f64>,
}

/// Hydrodynamic force at an instant that is past.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PastForce {
    /// The instant, s.
    pub time: f64,
    /// Force on every node, N, `(3 nodes)`.
    pub force: Vec<f64>,
}

/// What is watched of the drag of a fluid that couples all nodes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
pub struct DragWatch {
    /// Largest rate at which drag alone slows a motion, 1/s, which limits steps with lagged drag; 0
    /// where it is not known yet.
    pub rate: f64,
    /// Distance that nodes may have moved since the rate was found: the largest motion of each
    /// step, summed, m.
    pub moved: f64,
    /// Steps in a row in which drag gave energy.
    pub gains: u32,
    /// Energy that it gave in them, J.
    pub gained: f64,
}

/// What contact remembers between steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct ContactMemory {
    /// Stiffness k of the last step, N m, of contacts without springs (multiplies the scaled energy
    /// of T22 Eq. B.1, or that of the barrier).
    pub stiffness: f64,
    /// Stiffness to go on with where it is automatic, N m; 0 for that of the last step.
    #[serde(default)]
    pub next_stiffness: f64,
    /// Contacts whose stiffness was raised while they were compressed, with the springs that stand
    /// for it, sorted.
    #[serde(default)]
    pub hardened: Vec<Hardened>,
    /// Smallest distance of the centrelines over the radius at the start of the last step: what
    /// C21's stiffness rule compares with.
    #[serde(default)]
    pub nearest: Option<f64>,
    /// Normal forces of pairs of edges with Spillmann and Teschner's contact, N, sorted by pair.
    #[serde(default)]
    pub forces: Vec<PairForce>,
    /// Forces of obstacles with Spillmann and Teschner's contact, sorted by what touches.
    #[serde(default)]
    pub obstacle_forces: Vec<ObstacleForce>,
    /// Slip since each pair of edges began to stick, sorted by flat edge indices; empty where
    /// friction has no memory.
    pub anchors: Vec<PairAnchor>,
    /// Anchors of contacts with obstacles, in the order in which they are found.
    pub obstacle_anchors: Vec<ObstacleAnchor>,
}

/// What a contact with an obstacle remembers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ObstacleAnchor {
    /// Index of the obstacle.
    pub obstacle: u32,
    /// 0 and a node, or 1 and an edge, flat: what touches.
    pub part: [u32; 2],
    /// The edge through which it acts.
    pub edge: u32,
    /// Its slip.
    pub anchor: Anchor,
}

/// What a pair of edges in contact remembers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PairAnchor {
    /// Flat edge indices, first < second.
    pub edges: [u32; 2],
    /// Its slip.
    pub anchor: Anchor,
}

impl ContactMemory {
    /// Stiffness to go on with, N m.
    pub fn next(&self) -> f64 {
        if self.next_stiffness > 0.0 {
            self.next_stiffness
        } else {
            self.stiffness
        }
    }
}

/// Step size control.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
pub struct Control {
    /// Largest size that the next step should have, s; 0 before the first step.
    pub dt: f64,
    /// How near the size is to growing: easy steps since it last changed, each counting threefold,
    /// and others; of steps whose size follows from an accuracy, easy steps in a row.
    pub easy: u32,
    /// Of steps whose size follows from an accuracy: [`Judgement::excess`] of the last one; 0
    /// without.
    ///
    /// [`Judgement::excess`]: crate::step::Judgement::excess
    #[serde(default)]
    pub excess: f64,
    /// Of such steps: whether the next looks back to before a start, a jump or an impact.
    #[serde(default)]
    pub fresh: bool,
    /// Of such steps: whether anything touched at the end of the last one.
    #[serde(default)]
    pub touching: bool,
}
