//! The model: all that is constant during a run.
//!
//! `M q'' + dE/dq = F_loads + F_contact + F_fluid` (T22 Eq. 7), with E the sum of stretching, bending and twisting energies (Eq. 5)
//! over flat stencils. Built by [`ModelBuilder`], which takes rod-local indices.

mod attach;
mod builder;
mod lumping;

use glam::{DQuat, DVec3};

pub use builder::ModelBuilder;

use crate::bodies::{Assemblies, BodyEngine, Link};
use crate::constraints::Constraints;
use crate::contact::junction::Junctions;
use crate::contact::obstacle::{Obstacle, ObstacleOverlap};
use crate::contact::{ContactModel, Overlap};
use crate::elastic::bend::Bending;
pub use crate::elastic::bend::BendingModel;
use crate::elastic::twist::Twisting;
use crate::fluid::Fluid;
use crate::loads::Load;
use crate::rod::{RodError, Topology};
use crate::state::State;

/// All that is constant during a run.
#[derive(Debug)]
pub struct Model {
    /// How the rods lie in the flat arrays.
    pub topology: Topology,
    /// Stretching stiffness EA, N, `(edges)`.
    pub stretching: Vec<f64>,
    /// Rest length, m, `(edges)`.
    pub rest_length: Vec<f64>,
    /// Bending stiffness and rest curvature, `(vertices)`; `(2 vertices)`, the edge before each vertex and the one after it, with
    /// [`BendingModel::PerEdge`].
    pub bending: Vec<Bending>,
    /// Twisting stiffness and rest twist, `(vertices)`.
    pub twisting: Vec<Twisting>,
    /// Lumped mass (kg) of positions and inertia (kg m^2) of angles, zero for what is welded to a body and for bodies' turns, `(dofs)`.
    pub mass: Vec<f64>,
    /// Length at which an angle moves what it turns, m, or 1 for positions, `(dofs)`.
    pub lever: Vec<f64>,
    /// Radius h, m, `(edges)`.
    pub radius: Vec<f64>,
    /// Rest arc length of each edge's middle from the start of its rod, m, `(edges)`.
    pub edge_arc: Vec<f64>,
    /// Rest length of each rod, m, `(rods)`.
    pub rod_length: Vec<f64>,
    /// Largest bending stiffness of each edge, N m^2, `(edges)`.
    pub bending_stiffness: Vec<f64>,
    /// Rigid bodies with what is welded to them.
    pub bodies: Assemblies,
    /// What moves bodies in explicit steps.
    pub engine: Box<dyn BodyEngine>,
    /// Joints between bodies.
    pub joints: Vec<Link>,
    /// Prescribed motions.
    pub constraints: Constraints,
    /// Local loads.
    pub loads: Vec<Box<dyn Load>>,
    /// How rods touch.
    pub contact: ContactModel,
    /// What is rigid and in their way.
    pub obstacles: Vec<Obstacle>,
    /// Edges that never touch, because they grow out of one body.
    pub junctions: Junctions,
    /// The fluid around them, if its flow couples all nodes.
    pub fluid: Option<Fluid>,
    /// Open rods that certificates take for one closed curve: the last end of each is joined to the first of the next.
    pub joined: Vec<Vec<usize>>,
}

/// A model that cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// Nothing to simulate.
    #[error("the model has no rod: add one")]
    NoRod,
    /// A rod is wrong.
    #[error("rod {rod}: {source}")]
    Rod {
        /// Index of the rod.
        rod: usize,
        /// The fault.
        source: RodError,
    },
    /// An index outside its range.
    #[error("{what}: rod {rod} has no {item} {index}; its last one is {last}")]
    Index {
        /// Name of the constraint or load that asked.
        what: &'static str,
        /// Rod asked for.
        rod: usize,
        /// "node" or "edge".
        item: &'static str,
        /// Index asked for.
        index: usize,
        /// Last index that exists.
        last: usize,
    },
    /// No such rod.
    #[error("{what}: there is no rod {rod}; the last one is {last}")]
    NoSuchRod {
        /// Name of the constraint or load that asked.
        what: &'static str,
        /// Rod asked for.
        rod: usize,
        /// Last rod.
        last: usize,
    },
    /// No such body.
    #[error("{what}: there is no body {body}; there are {count}")]
    NoSuchBody {
        /// Name of the weld or constraint that asked.
        what: &'static str,
        /// Body asked for.
        body: usize,
        /// How many there are.
        count: usize,
    },
    /// A body is wrong.
    #[error("body {body}: {key} is {value}: it must be {need}")]
    Body {
        /// Index of the body.
        body: usize,
        /// Name of the property.
        key: &'static str,
        /// Its value.
        value: f64,
        /// Requirement on it, in words.
        need: &'static str,
    },
    /// A joint that cannot be.
    #[error("joint {joint}: {need}")]
    Joint {
        /// Index of the joint.
        joint: usize,
        /// Requirement on it, in words.
        need: &'static str,
    },
    /// Something welded twice.
    #[error(
        "rod {rod}: {what} {index} is welded twice: weld each edge to one body, and leave a free edge between two bodies"
    )]
    Welded {
        /// "edge" or "node".
        what: &'static str,
        /// Index of the rod.
        rod: usize,
        /// Index of the edge or node.
        index: usize,
    },
    /// Something welded is held as well.
    #[error(
        "rod {rod}: node {node} (or the edge that begins there) is welded to a body and held as well: hold the body instead"
    )]
    WeldedAndHeld {
        /// Index of the rod.
        rod: usize,
        /// Index of the node.
        node: usize,
    },
    /// Rods that cannot be joined.
    #[error("rods {rods:?} cannot be joined: {need}")]
    Joined {
        /// As asked for.
        rods: Vec<usize>,
        /// Requirement on them, in words.
        need: &'static str,
    },
    /// A setting out of range.
    #[error("{key} is {value}: it must be {need}")]
    Setting {
        /// Name of the setting.
        key: &'static str,
        /// Its value.
        value: f64,
        /// Requirement on it, in words.
        need: &'static str,
    },
    /// Two settings that make no sense together.
    #[error("{first} cannot go with {second}: {remedy}")]
    Pairing {
        /// One setting.
        first: &'static str,
        /// The other.
        second: &'static str,
        /// Remedy, in words.
        remedy: &'static str,
    },
    /// Rods overlap at the start.
    #[error("{0}")]
    Overlap(Overlap),
    /// A rod overlaps an obstacle at the start.
    #[error("{0}")]
    ObstacleOverlap(ObstacleOverlap),
    /// Nothing keeps rods out of obstacles.
    #[error(
        "there are {0} obstacles, but no contact: choose a contact model, or leave the obstacles out"
    )]
    ObstaclesWithoutContact(usize),
}

impl Model {
    /// Node positions of a state, m, `(nodes)`.
    pub fn positions(&self, state: &State) -> Vec<DVec3> {
        let x = |dof: &usize| crate::rod::kinematics::position(&state.q, *dof);
        self.topology.node_dof.iter().map(x).collect()
    }

    /// Material directors m1 of a state, `(edges)`.
    pub fn directors(&self, state: &State) -> Vec<DVec3> {
        let frames = &state.frames;
        let director = |(edge, dof): (usize, &usize)| {
            let (t, d) = (frames.tangent[edge], frames.director[edge]);
            let (sin, cos) = state.q[*dof].sin_cos();
            d * cos + t.cross(d) * sin
        };
        self.topology
            .edge_dof
            .iter()
            .enumerate()
            .map(director)
            .collect()
    }

    /// Bending energies of a vertex: one, or one for each of its edges.
    pub fn bending_of(&self, vertex: usize) -> &[Bending] {
        let parts = self.bending.len() / self.topology.vertices();
        &self.bending[parts * vertex..parts * (vertex + 1)]
    }

    /// Gives welded nodes and angles the velocities of the bodies that they follow, `(dofs)`.
    pub fn carry_velocities(&self, orientation: &[DQuat], velocity: &mut [f64]) {
        use crate::rod::kinematics::position;
        let bodies = self.bodies.list.iter().zip(&self.topology.body_dof);
        for ((assembly, dof), orientation) in bodies.zip(orientation) {
            let (v, omega) = (position(velocity, *dof), position(velocity, dof + 3));
            for welded in &assembly.nodes {
                let arm = *orientation * welded.arm;
                let at = self.topology.node_dof[welded.node];
                velocity[at..at + 3].copy_from_slice(&(v + omega.cross(arm)).to_array());
            }
            for weld in &assembly.welds {
                let along = (*orientation * weld.vector).normalize();
                velocity[self.topology.edge_dof[weld.edge]] = omega.dot(along);
            }
        }
    }

    /// Puts the bodies' velocities in `velocity`, `(dofs)`, into a state, with all that follows from them.
    pub(crate) fn launch_bodies(&self, velocity: &[f64], state: &mut State) {
        for dof in &self.topology.body_dof {
            state.velocity[*dof..dof + 6].copy_from_slice(&velocity[*dof..dof + 6]);
        }
        attach::first_rates(self, state);
    }

    /// Smallest radius, m: the length that tolerances refer to.
    pub fn length_scale(&self) -> f64 {
        self.radius.iter().copied().fold(f64::INFINITY, f64::min)
    }
}
