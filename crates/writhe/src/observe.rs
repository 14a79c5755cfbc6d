//! What a state shows: energies, momenta, reactions, contact, gaps, hydrodynamic force.

use glam::DVec3;

use crate::constraints::{self, Constraint};
use crate::contact::obstacle::contact::ObstacleContact;
use crate::contact::obstacle::step::ObstacleLoad;
use crate::contact::obstacle::surface::Instants;
use crate::contact::sweep::{Nearest, nearest};
use crate::contact::{ContactStep, FrictionSolve, Sticking};
use crate::forces::{Acting, ElasticEnergy, add_elastic, add_loads, load_potential};
use crate::loads::Trial;
use crate::model::Model;
use crate::rod::Kinematics;
use crate::rod::kinematics::{KinematicsError, position};
use crate::state::State;

/// What a state shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Observables {
    /// Time, s.
    pub time: f64,
    /// Elastic energies, J.
    pub elastic: ElasticEnergy,
    /// Kinetic energy of nodes and angles, J.
    pub kinetic: f64,
    /// Potential of the loads that have one, J; `None` when one has none.
    pub load_potential: Option<f64>,
    /// Energy stored in contact, J.
    pub contact_energy: f64,
    /// Linear momentum, kg m/s.
    pub momentum: DVec3,
    /// Angular momentum about the origin, kg m^2/s.
    pub angular_momentum: DVec3,
    /// What each constraint exerts on the rods, in the order of the model's constraints. After a midpoint step the inertia in it is
    /// that of the step's middle.
    pub reactions: Vec<Reaction>,
    /// Force and torque of the rods on each obstacle, in the order of the model's obstacles.
    pub obstacles: Vec<ObstacleLoad>,
    /// Smallest gap between a rod and an obstacle among those that are near, m.
    pub obstacle_gap: Option<f64>,
    /// Pairs of edges, and points at obstacles, in contact.
    pub contacts: usize,
    /// Sum of their normal forces, N.
    pub contact_force: f64,
    /// How many of them friction holds, and how fast these creep.
    pub sticking: Sticking,
    /// Nearest pair of edges that contact considers.
    pub nearest: Option<Nearest>,
    /// Distance between the ends of each rod (for a closed rod, its first node and the node opposite), m, `(rods)`.
    pub end_distance: Vec<f64>,
    /// Force of the fluid on each rod, N, and its torque about the rod's first node, N m, `(rods)`; empty without a non-local fluid.
    pub hydrodynamic: Vec<(DVec3, DVec3)>,
}

/// Force and torque of one constraint on the rods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reaction {
    /// Force, N.
    pub force: DVec3,
    /// Torque, N m, about `at`.
    pub torque: DVec3,
    /// Middle of a clamped edge, or the held node, m.
    pub at: DVec3,
}

/// Everything that a state shows.
///
/// # Errors
/// When the state has an edge without direction, which no accepted state has.
pub fn observe(model: &Model, state: &State) -> Result<Observables, KinematicsError> {
    let topology = &model.topology;
    let mut kinematics = Kinematics::default();
    // With frames re-based here no spin terms remain and theta's force is the moment about the tangent.
    kinematics.update(topology, &state.frames, &state.q)?;
    let at = Trial {
        topology,
        kinematics: &kinematics,
        time: state.time,
        q: &state.q,
        velocity: &state.velocity,
        rate: 0.0,
    };
    let mut force = vec![0.0; topology.dofs];
    let (elastic, _) = add_elastic(model, &kinematics, &state.q, &mut force, None);
    force.iter_mut().for_each(|f| *f = -*f);
    add_loads(model, Acting::All, &at, &mut force);
    for (dof, f) in topology
        .node_dof
        .iter()
        .zip(state.hydrodynamic_force.chunks_exact(3))
    {
        for k in 0..3 {
            force[dof + k] += f[k];
        }
    }
    let mut contact = ContactStep::default();
    let instants = state
        .history
        .as_ref()
        .map_or(Instants::still(state.time), |h| {
            Instants::ending(state.time, h.dt)
        });
    contact.begin(model, &state.q, 0.0, &instants);
    // What lagged during a step is as good as solved for at its end.
    contact.solve_friction(FrictionSolve::Implicit);
    contact.recall(&state.contact, [0.0; 2]);
    // Friction that lags took its direction from the velocities at the start of the last step.
    let start = state
        .history
        .as_ref()
        .map_or(&state.velocity, |h| &h.velocity);
    contact.lag(start);
    contact.give(&state.contact.forces);
    contact.evaluate(model, &at, state.contact.stiffness, &mut force);
    let reaction: Vec<f64> = (0..topology.dofs)
        .map(|dof| model.mass[dof] * state.acceleration[dof] - force[dof])
        .collect();

    let (momentum, angular_momentum) = momenta(model, state, &kinematics);
    let kinetic = model
        .mass
        .iter()
        .zip(&state.velocity)
        .map(|(m, u)| 0.5 * m * u * u)
        .sum();
    let pairs = contact.active();
    let at_obstacles = contact.obstacles().active();
    Ok(Observables {
        time: state.time,
        elastic,
        kinetic,
        load_potential: load_potential(model, Acting::All, &at),
        contact_energy: pairs
            .iter()
            .map(|p| p.contact.response.energy)
            .chain(at_obstacles.iter().map(ObstacleContact::energy))
            .sum(),
        momentum,
        angular_momentum,
        reactions: model
            .constraints
            .list()
            .iter()
            .map(|c| of_constraint(model, c, &kinematics, state, &reaction))
            .collect(),
        obstacles: contact.obstacles().loads(model, &at),
        contacts: contact.contacts(),
        contact_force: pairs
            .iter()
            .map(|p| p.contact.response.force)
            .chain(at_obstacles.iter().map(ObstacleContact::force))
            .sum(),
        obstacle_gap: contact.obstacles().smallest_gap(model, &state.q, true),
        sticking: contact.sticking(model, &at),
        nearest: nearest(model, &state.q),
        end_distance: end_distances(model, state),
        hydrodynamic: hydrodynamic(model, state),
    })
}

fn node(model: &Model, values: &[f64], node: usize) -> DVec3 {
    position(values, model.topology.node_dof[node])
}

fn momenta(model: &Model, state: &State, kinematics: &Kinematics) -> (DVec3, DVec3) {
    let topology = &model.topology;
    let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
    for n in 0..topology.nodes() {
        let p = node(model, &state.velocity, n) * model.mass[topology.node_dof[n]];
        linear += p;
        angular += node(model, &state.q, n).cross(p);
    }
    for (edge, dof) in topology.edge_dof.iter().enumerate() {
        angular += kinematics.edges[edge].tangent * (model.mass[*dof] * state.velocity[*dof]);
    }
    (linear, angular)
}

/// Sums the reactions of the unknowns that a constraint prescribes.
fn of_constraint(
    model: &Model,
    constraint: &Constraint,
    kinematics: &Kinematics,
    state: &State,
    reaction: &[f64],
) -> Reaction {
    let topology = &model.topology;
    let (nodes, edge): (Vec<usize>, Option<usize>) = match constraint {
        Constraint::Clamp { edge, .. } => (topology.edge_nodes[*edge].to_vec(), Some(*edge)),
        Constraint::Node { node, .. } => (vec![*node], None),
        Constraint::Angle { edge, .. } => (Vec::new(), Some(*edge)),
    };
    let held = constraints::dofs(constraint, topology);
    let mut masked = vec![0.0; topology.dofs];
    for dof in held {
        masked[dof] = reaction[dof];
    }
    let at = match (edge, nodes.as_slice()) {
        (_, [n]) => node(model, &state.q, *n),
        (Some(edge), _) => {
            let [a, b] = topology.edge_nodes[edge].map(|n| node(model, &state.q, n));
            0.5 * (a + b)
        }
        (None, _) => DVec3::ZERO,
    };
    let mut out = Reaction {
        force: DVec3::ZERO,
        torque: DVec3::ZERO,
        at,
    };
    for n in nodes {
        let f = node(model, &masked, n);
        out.force += f;
        out.torque += (node(model, &state.q, n) - at).cross(f);
    }
    if let Some(edge) = edge {
        out.torque += kinematics.edges[edge].tangent * masked[topology.edge_dof[edge]];
    }
    out
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

/// Name and unit of each entry of [`Observables::row`].
pub fn columns(model: &Model) -> Vec<(String, &'static str)> {
    let mut out: Vec<(String, &'static str)> = [
        ("energy_stretch", "J"),
        ("energy_bend", "J"),
        ("energy_twist", "J"),
        ("energy_kinetic", "J"),
        ("energy_loads", "J"),
        ("energy_contact", "J"),
        ("contacts", "1"),
        ("contact_force", "N"),
        ("sticking", "1"),
        ("creep", "m/s"),
        ("smallest_gap", "m"),
    ]
    .map(|(name, unit)| (name.to_owned(), unit))
    .into();
    let mut vector = |name: String, unit: &'static str| {
        for axis in ["x", "y", "z"] {
            out.push((format!("{name}_{axis}"), unit));
        }
    };
    vector("momentum".into(), "kg m/s");
    vector("angular_momentum".into(), "kg m^2/s");
    for (i, constraint) in model.constraints.list().iter().enumerate() {
        let kind = match constraint {
            Constraint::Clamp { .. } => "clamp",
            Constraint::Node { .. } => "held_node",
            Constraint::Angle { .. } => "held_angle",
        };
        vector(format!("{kind}{i}_force"), "N");
        vector(format!("{kind}{i}_torque"), "N m");
    }
    for obstacle in 0..model.obstacles.len() {
        vector(format!("obstacle{obstacle}_force"), "N");
        vector(format!("obstacle{obstacle}_torque"), "N m");
    }
    if model.fluid.is_some() {
        for rod in 0..model.topology.rods.len() {
            vector(format!("rod{rod}_hydrodynamic_force"), "N");
            vector(format!("rod{rod}_hydrodynamic_torque"), "N m");
        }
    }
    if !model.obstacles.is_empty() {
        out.push(("obstacle_gap".to_owned(), "m"));
    }
    for rod in 0..model.topology.rods.len() {
        out.push((format!("rod{rod}_end_distance"), "m"));
    }
    out
}

impl Observables {
    /// All values in the order of [`columns`]; what does not exist is NaN.
    pub fn row(&self) -> Vec<f64> {
        let mut out = vec![
            self.elastic.stretch,
            self.elastic.bend,
            self.elastic.twist,
            self.kinetic,
            self.load_potential.unwrap_or(f64::NAN),
            self.contact_energy,
            self.contacts as f64,
            self.contact_force,
            self.sticking.contacts as f64,
            self.sticking.creep,
            self.nearest.map_or(f64::NAN, |n| n.gap),
        ];
        let mut vector = |v: DVec3| out.extend(v.to_array());
        vector(self.momentum);
        vector(self.angular_momentum);
        for reaction in &self.reactions {
            vector(reaction.force);
            vector(reaction.torque);
        }
        for load in &self.obstacles {
            vector(load.force);
            vector(load.torque);
        }
        for (force, torque) in &self.hydrodynamic {
            vector(*force);
            vector(*torque);
        }
        if !self.obstacles.is_empty() {
            out.push(self.obstacle_gap.unwrap_or(f64::NAN));
        }
        out.extend(&self.end_distance);
        out
    }
}
