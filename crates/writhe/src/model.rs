//! The model: all that is constant during a run.
//!
//! `M q'' + dE/dq = F_loads + F_contact + F_fluid` (T22 Eq. 7), with E the sum of stretching,
//! bending and twisting energies (Eq. 5) over flat stencils. Built by [`ModelBuilder`], which takes
//! rod-local indices.

mod attach;
mod builder;
mod elastic;
mod fit;
mod friction;
mod junction;
mod lumping;
pub(crate) mod pairs;
mod place;
mod slowness;

use glam::{DQuat, DVec3};

pub use builder::ModelBuilder;
pub use elastic::Elastic;
pub use fit::Misfit;
pub use junction::Junctions;
pub use place::{Place, PlaceError, PlacedBody};

pub use crate::error::ModelError;

use crate::bodies::{Assemblies, BodyEngine, Link};
use crate::constraints::{Constraint, Constraints};
use crate::contact_model::{ContactModel, ipc};
use crate::fluid::Fluid;
use crate::kernels::elastic::bend::Bending;
pub use crate::kernels::elastic::bend::BendingModel;
use crate::kernels::elastic::half_edges::HalfEdges;
use crate::kernels::elastic::twist::Twisting;
use crate::kernels::elastic::vertex::Elasticity;
use crate::kernels::friction::Directions;
pub use crate::kernels::spin_inertia::SpinInertia;
use crate::loads::{GRAVITY, Gravity, Load};
use crate::obstacle::Obstacle;
use crate::rest_shape::{DrivenStrain, Places};
use crate::rod::Topology;
use crate::state::State;
use crate::viscoelastic::{Strains, Viscoelasticity};

/// All that is constant during a run.
#[derive(Debug)]
pub struct Model {
    /// How the rods lie in the flat arrays.
    pub topology: Topology,
    /// Stretching stiffness EA, N, `(edges)`.
    pub stretching: Vec<f64>,
    /// Rest length, m, `(edges)`.
    pub rest_length: Vec<f64>,
    /// Bending stiffness and rest curvature, `(vertices)`; `(2 vertices)`, the edge before each
    /// vertex and the one after it, with [`BendingModel::PerEdge`]; none with
    /// [`BendingModel::HalfEdges`].
    pub bending: Vec<Bending>,
    /// Twisting stiffness and rest twist, `(vertices)`.
    pub twisting: Vec<Twisting>,
    /// Stiffness and strains at rest with [`BendingModel::HalfEdges`], `(vertices)`; none without.
    pub half_edges: Vec<HalfEdges>,
    /// What drives strains at rest, with [`BendingModel::HalfEdges`].
    pub driven: Vec<DrivenStrain>,
    /// What of each rod is viscous, with [`BendingModel::HalfEdges`], `(rods)`; empty where nothing
    /// is.
    pub viscoelasticity: Vec<Option<Viscoelasticity>>,
    /// Lumped mass (kg) of positions and inertia (kg m^2) of angles, zero for what is welded to a
    /// body and for bodies' turns, `(dofs)`.
    pub mass: Vec<f64>,
    /// Which inertia of spinning edges counts.
    pub spin_inertia: SpinInertia,
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
    /// Coefficients of friction by direction of each rod that has its own, `(rods)`; empty where none
    /// has.
    pub friction_by_direction: Vec<Option<Directions>>,
    /// What is rigid and in their way.
    pub obstacles: Vec<Obstacle>,
    /// Edges that never touch, because they grow out of one body.
    pub junctions: Junctions,
    /// The fluid around them, if its flow couples all nodes.
    pub fluid: Option<Fluid>,
    /// Open rods that certificates take for one closed curve: the last end of each is joined to the
    /// first of the next.
    pub joined: Vec<Vec<usize>>,
}

impl Model {
    /// Stiffness of contact in the first step, N m; 0 without one.
    pub(crate) fn first_contact_stiffness(&self) -> f64 {
        let policy = self.contact.policy();
        policy.first_stiffness(&self.bending_stiffness, &self.radius)
    }

    /// Largest stiffness that is chosen for a barrier, N m.
    pub(crate) fn largest_barrier_stiffness(&self) -> f64 {
        ipc::largest_stiffness(&self.stretching, &self.radius)
    }

    /// The time, s, after which loads, supports, obstacles, motors and strains at rest no longer
    /// change by themselves: infinite where one of them changes for ever.
    pub fn changes_until(&self) -> f64 {
        let loads = self.loads.iter().map(|load| load.changes_until());
        let supports = self.constraints.list().iter();
        let supports = supports.map(Constraint::changes_until);
        let obstacles = self.obstacles.iter().map(|o| o.motion.changes_until());
        let joints = self.joints.iter().map(Link::changes_until);
        let strains = self.driven.iter().map(|d| d.law.changes_until());
        let all = loads.chain(supports).chain(obstacles).chain(joints);
        all.chain(strains).fold(0.0, f64::max)
    }

    /// Changes gravity, m/s^2, between steps, or adds it where there was none.
    pub fn set_gravity(&mut self, acceleration: DVec3) {
        let gravity = Box::new(Gravity::new(acceleration, &self.mass, &self.topology));
        match self.loads.iter_mut().find(|load| load.name() == GRAVITY) {
            // In its place: sums of loads keep their order, and so their bits.
            Some(load) => *load = gravity,
            None => self.loads.push(gravity),
        }
    }

    /// Radius of each node, m: that of the thicker of its edges, `(nodes)`.
    pub(crate) fn node_radii(&self) -> Vec<f64> {
        let mut radii = vec![0.0_f64; self.topology.nodes()];
        for (nodes, h) in self.topology.edge_nodes.iter().zip(&self.radius) {
            for n in nodes {
                radii[*n] = radii[*n].max(*h);
            }
        }
        radii
    }

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
            // m1 = cos theta d1 + sin theta d2
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

    /// What bends and twists at a vertex.
    pub(crate) fn elasticity(&self, vertex: usize) -> Elasticity<'_> {
        Elastic::from(self).elasticity(vertex)
    }

    /// Whether strains at rest are driven or a rod is viscous, so that what acts in a step is not the
    /// model's own stiffness and rest shape.
    pub(crate) fn responds(&self) -> bool {
        !self.driven.is_empty() || self.is_viscous()
    }

    /// Whether any rod is viscous.
    pub(crate) fn is_viscous(&self) -> bool {
        self.viscoelasticity.iter().any(Option::is_some)
    }

    /// Whether any rod has dashpots beside its springs.
    pub(crate) fn has_retardation(&self) -> bool {
        let has = |law: &Viscoelasticity| law.retardation != [0.0; 3];
        self.viscoelasticity.iter().flatten().any(has)
    }

    /// What of a rod is viscous.
    pub(crate) fn viscoelastic(&self, rod: usize) -> Option<&Viscoelasticity> {
        self.viscoelasticity.get(rod)?.as_ref()
    }

    /// The first rod of which a part flows under any load, so that it never comes to rest.
    pub(crate) fn flowing_rod(&self) -> Option<usize> {
        let flows = |law: &Option<Viscoelasticity>| law.is_some_and(|law| law.flows());
        self.viscoelasticity.iter().position(flows)
    }

    /// Driven strains at rest at `time`, s, beyond those that rods have anyway.
    pub(crate) fn driven_strains(&self, time: f64) -> Strains {
        let places = Places {
            topology: &self.topology,
            edge_arc: &self.edge_arc,
            rest_length: &self.rest_length,
            rod_length: &self.rod_length,
        };
        places.driven(&self.driven, time)
    }

    /// Gives welded nodes and angles the velocities of the bodies that they follow, `(dofs)`.
    pub(crate) fn carry_velocities(&self, orientation: &[DQuat], velocity: &mut [f64]) {
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
                // In frames that belong to this state a is zero: theta' = omega . t
                let along = (*orientation * weld.vector).normalize();
                velocity[self.topology.edge_dof[weld.edge]] = omega.dot(along);
            }
        }
    }

    /// Puts the bodies' velocities in `velocity`, `(dofs)`, into a state, with all that follows
    /// from them.
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
