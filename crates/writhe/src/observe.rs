//! What a state shows: energies, momenta, reactions, contact, gaps, ends and loops of rods,
//! hydrodynamic force.

mod acting;
mod body;
mod columns;
mod contacts;
mod ends;
mod observer;
mod reaction;
mod rod_loop;
mod sink;

use std::ops::Add;

use glam::DVec3;

pub use body::BodyMotion;
pub use columns::{is_of_place, is_of_support};
pub use contacts::{Clearance, ContactPoint, ObstaclePoint};
pub use ends::EndToEnd;
pub use observer::Observer;
pub use reaction::Reaction;
pub use sink::{Entry, ObservableSink};

pub use crate::contact::obstacle::set::ObstacleLoad;
pub use crate::model::pairs::nearest::{LARGEST_GAP, Nearest};

use acting::ActingContacts;

use crate::assembly::Trial;
use crate::bodies::JointLoad;
use crate::contact::obstacle::contact::ObstacleContact;
use crate::forces::{
    Acting, ElasticEnergy, add_elastic_or_tension, add_loads, add_spin_inertia, elastic_energy,
    joint_loads, load_energy,
};
use crate::kernels::friction::Sticking;
use crate::kinetic::kinetic;
use crate::ledger::Ledger;
use crate::model::Model;
use crate::response::{Response, rods_of};
use crate::rod::Kinematics;
use crate::rod::kinematics::{KinematicsError, position};
use crate::state::State;

/// Rods of which it is shown where their middle and last nodes are: six columns each.
pub const PLACED: usize = 12;

/// What a state shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Observables {
    /// Time, s.
    pub time: f64,
    /// Elastic energies, J.
    pub elastic: ElasticEnergy,
    /// Kinetic energy of nodes, angles and bodies, J.
    pub kinetic: f64,
    /// Potential of the loads that have one, J: of gravity and of forces that keep their direction.
    pub load_potential: f64,
    /// Energy stored in contact, J.
    pub contact_energy: f64,
    /// Works and heat since the start of the run, and what the time scheme did to the energy.
    pub ledger: Ledger,
    /// Linear momentum, kg m/s.
    pub momentum: DVec3,
    /// Angular momentum about the origin, kg m^2/s.
    pub angular_momentum: DVec3,
    /// What each constraint exerts on the rods, in the order of the model's constraints; without
    /// them, as if there were none, the table of observables lacks their columns. After a
    /// midpoint step the inertia in it is that of the step's middle.
    pub reactions: Vec<Reaction>,
    /// Force and torque of the rods on each obstacle, in the order of the model's obstacles.
    pub obstacles: Vec<ObstacleLoad>,
    /// Smallest gap between a rod and an obstacle among those that are near, m.
    pub obstacle_gap: Option<f64>,
    /// Pairs of edges, and points at obstacles, in contact.
    pub contacts: usize,
    /// Sum of their normal forces, N.
    pub contact_force: f64,
    /// Where rods touch rods.
    pub contact_points: Vec<ContactPoint>,
    /// Where rods touch obstacles, those on bodies among them.
    pub obstacle_points: Vec<ObstaclePoint>,
    /// Distances off touching at which contacts, those with obstacles among them, carry force.
    pub clearance: Clearance,
    /// How many of them friction holds, and how fast these creep.
    pub sticking: Sticking,
    /// Whether friction acts at any of them.
    pub friction: bool,
    /// Nearest pair of edges that contact considers; `None` where no gap is at most
    /// [`LARGEST_GAP`] times the sum of the radii.
    pub nearest: Option<Nearest>,
    /// Distance between the ends of each rod (for a closed rod, its first node and the node
    /// opposite), m, `(rods)`.
    pub end_distance: Vec<f64>,
    /// Where the middle and the last node of the first [`PLACED`] rods are, m; without them, as if
    /// there were none, the table of observables lacks their columns.
    pub places: Vec<[DVec3; 2]>,
    /// Rigid bodies, `(bodies)`.
    pub bodies: Vec<BodyMotion>,
    /// What each joint exerts on its first body; after a midpoint step as in its middle.
    pub joints: Vec<JointLoad>,
    /// How many joints have let go.
    pub joints_broken: usize,
    /// Shortening and pull of each open rod.
    pub ends: Vec<EndToEnd>,
    /// Length of the loop of each rod, m at rest: of its longest stretch between two successive
    /// points that bear contact; `None` with fewer than two, `(rods)`.
    pub loops: Vec<Option<f64>>,
    /// Force of the fluid on each rod, N, and its torque about the rod's first node, N m, `(rods)`;
    /// empty without a non-local fluid.
    pub hydrodynamic: Vec<(DVec3, DVec3)>,
}

/// A state as all see it who look at it: what it shows, and what that follows from.
#[derive(Debug)]
pub struct Observed {
    /// What it shows.
    pub observables: Observables,
    pub(crate) kinematics: Kinematics,
}

impl Observed {
    /// What a state shows.
    ///
    /// # Errors
    /// When the state has an edge without direction, which no accepted state has.
    pub fn of(model: &Model, state: &State) -> Result<Self, KinematicsError> {
        let mut kinematics = Kinematics::default();
        // With frames re-based here no spin terms remain and theta's force is the moment about the
        // tangent.
        kinematics.update(&model.topology, &state.frames, &state.q)?;
        Ok(Self {
            observables: observables(model, state, &kinematics)?,
            kinematics,
        })
    }
}

/// Everything that a state shows.
///
/// # Errors
/// When the state has an edge without direction, which no accepted state has.
pub fn observe(model: &Model, state: &State) -> Result<Observables, KinematicsError> {
    Observed::of(model, state).map(|observed| observed.observables)
}

fn observables(
    model: &Model,
    state: &State,
    kinematics: &Kinematics,
) -> Result<Observables, KinematicsError> {
    let topology = &model.topology;
    let at = state.trial(topology, kinematics);
    let mut force = vec![0.0; topology.dofs];
    let response = Response::of_state(model, state, true);
    let rods = rods_of(model, response.as_ref());
    let (q, tension) = (&state.q, &state.tension);
    let mut elastic = add_elastic_or_tension(&rods, kinematics, q, tension, &mut force);
    if response.is_some() {
        // Without the moments of dashpots, which hold none.
        let springs = Response::of_state(model, state, false);
        elastic = elastic_energy(rods_of(model, springs.as_ref()), kinematics, q);
    }
    // Elastic forces are minus the gradient.
    force.iter_mut().for_each(|f| *f = -*f);
    add_loads(model, Acting::All, &at, &mut force);
    add_spin_inertia(model, &at, &state.acceleration, &mut force);
    add_fluid(model, state, &mut force);
    let ActingContacts {
        mut frame,
        contact,
        velocity,
    } = ActingContacts::find(model, state, kinematics, &mut force)?;
    let rubbing = Trial {
        velocity: &velocity,
        ..state.trial(topology, kinematics)
    };
    // M u' - F: what supports have to add.
    let mut reaction: Vec<f64> = (0..topology.dofs)
        .map(|dof| model.mass[dof] * state.acceleration[dof] - force[dof])
        .collect();
    reaction::on_bodies(model, state, kinematics, &mut reaction)?;

    let (momentum, angular_momentum) = momenta(model, state, kinematics);
    let bodies = body::all(model, state);
    let pairs = contact.pairs();
    let at_obstacles = contact.obstacles().contacts();
    let points: Vec<ContactPoint> = pairs
        .iter()
        .map(|pair| ContactPoint::of(model, &at, pair))
        .collect();
    let gaps = points.iter().map(|c| (c.gap, c.force));
    let clearance = Clearance::of(gaps.chain(at_obstacles.iter().map(|c| (c.gap, c.force()))));
    Ok(Observables {
        time: state.time,
        elastic,
        kinetic: kinetic(model, state),
        load_potential: load_energy(model, &at),
        ledger: state.ledger,
        contact_energy: pairs
            .iter()
            .map(|p| p.contact.response.energy)
            .chain(at_obstacles.iter().map(ObstacleContact::energy))
            // A sum of nothing would be -0.
            .fold(0.0, Add::add),
        momentum,
        angular_momentum,
        reactions: model
            .constraints
            .list()
            .iter()
            .map(|c| reaction::of_constraint(model, c, kinematics, state, &reaction))
            .collect(),
        obstacles: (contact.obstacles()).loads(frame.obstacles(), model, &rubbing),
        contacts: contact.count(),
        contact_force: pairs
            .iter()
            .map(|p| p.contact.response.force)
            .chain(at_obstacles.iter().map(ObstacleContact::force))
            .fold(0.0, Add::add),
        clearance,
        obstacle_gap: frame.obstacles().smallest_gap(model, &state.q, true),
        sticking: contact.sticking(&frame, model, &rubbing),
        friction: contact.has_friction(model),
        nearest: frame.nearest(model, &state.q),
        end_distance: end_distances(model, state),
        places: places(model, state),
        bodies,
        joints: joint_loads(model, state),
        joints_broken: state.broken.iter().filter(|b| **b).count(),
        ends: ends::all(model, state, &reaction),
        loops: rod_loop::lengths(model, &points),
        contact_points: points,
        obstacle_points: (at_obstacles.iter())
            .map(|contact| ObstaclePoint::of(model, contact))
            .collect(),
        hydrodynamic: hydrodynamic(model, state),
    })
}

/// Adds the force of a fluid that couples all nodes.
fn add_fluid(model: &Model, state: &State, force: &mut [f64]) {
    let drag = state.hydrodynamic_force.chunks_exact(3);
    for (dof, f) in model.topology.node_dof.iter().zip(drag) {
        for (sum, f) in force[*dof..].iter_mut().zip(f) {
            *sum += f;
        }
    }
}

fn node(model: &Model, values: &[f64], node: usize) -> DVec3 {
    position(values, model.topology.node_dof[node])
}

fn momenta(model: &Model, state: &State, kinematics: &Kinematics) -> (DVec3, DVec3) {
    let topology = &model.topology;
    let (mut linear, mut angular) = body::momenta(model, state);
    for n in 0..topology.nodes() {
        let p = node(model, &state.velocity, n) * model.mass[topology.node_dof[n]];
        linear += p;
        angular += node(model, &state.q, n).cross(p);
    }
    for (edge, dof) in topology.edge_dof.iter().enumerate() {
        // Sections spin about their tangents.
        angular += kinematics.tangent(edge) * (model.mass[*dof] * state.velocity[*dof]);
    }
    (linear, angular)
}

fn end_distances(model: &Model, state: &State) -> Vec<f64> {
    let distance = |rod: &crate::rod::RodLayout| {
        let other = if rod.closed {
            rod.nodes / 2
        } else {
            rod.nodes - 1
        };
        node(model, &state.q, rod.first_node).distance(node(
            model,
            &state.q,
            rod.first_node + other,
        ))
    };
    model.topology.rods.iter().map(distance).collect()
}

fn places(model: &Model, state: &State) -> Vec<[DVec3; 2]> {
    let of_rod = |rod: &crate::rod::RodLayout| {
        [rod.nodes / 2, rod.nodes - 1].map(|n| node(model, &state.q, rod.first_node + n))
    };
    model
        .topology
        .rods
        .iter()
        .take(PLACED)
        .map(of_rod)
        .collect()
}

fn hydrodynamic(model: &Model, state: &State) -> Vec<(DVec3, DVec3)> {
    if state.hydrodynamic_force.is_empty() {
        return Vec::new();
    }
    let of_rod = |rod: &crate::rod::RodLayout| {
        let origin = node(model, &state.q, rod.first_node);
        let mut sum = (DVec3::ZERO, DVec3::ZERO);
        for n in rod.first_node..rod.first_node + rod.nodes {
            let f = DVec3::from_slice(&state.hydrodynamic_force[3 * n..]);
            sum.0 += f;
            sum.1 += (node(model, &state.q, n) - origin).cross(f);
        }
        sum
    };
    model.topology.rods.iter().map(of_rod).collect()
}
