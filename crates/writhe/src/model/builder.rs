//! Builds a model from rods, constraints, loads, contact and fluid; checks everything once.

use glam::DVec3;

use super::lumping::{bending, edge_arcs, lumped_mass, twisting, voronoi_lengths};
use super::{BendingModel, Model, ModelError};
use crate::constraints::{Constraint, Constraints};
use crate::contact::ContactModel;
use crate::contact::obstacle::{Obstacle, first_overlap};
use crate::elastic::bend::Bending;
use crate::loads::resistive_force::DragLaw;
use crate::loads::{
    Coupling, Fluid, Gravity, Load, PointForce, PointMoment, ResistiveDrag, ViscousDamping,
};
use crate::rod::{Frames, Rod, Topology};
use crate::schedule::{Motion, Schedule};
use crate::state::{ContactMemory, Control, State};

/// Time over which the first velocity of a prescribed motion is taken, s.
const FIRST_INSTANT: f64 = 1e-3;

/// Builds a [`Model`] and its first [`State`]; indices are local to a rod.
#[derive(Debug, Default)]
pub struct ModelBuilder {
    rods: Vec<Rod>,
    constraints: Vec<(usize, Constraint)>,
    gravity: Option<DVec3>,
    viscosity: Option<f64>,
    resistive: Option<(f64, DragLaw)>,
    forces: Vec<(usize, PointForce)>,
    moments: Vec<(usize, PointMoment)>,
    loads: Vec<Box<dyn Load>>,
    contact: ContactModel,
    obstacles: Vec<Obstacle>,
    fluid: Option<Fluid>,
    joined: Vec<Vec<usize>>,
    bending: BendingModel,
}

impl ModelBuilder {
    /// An empty model.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a rod; they are numbered in order.
    pub fn rod(mut self, rod: Rod) -> Self {
        self.rods.push(rod);
        self
    }

    /// Clamps an edge: both nodes and the angle follow `motion`. The rod behaves as clamped at the middle of this edge.
    pub fn clamp(mut self, rod: usize, edge: usize, motion: Motion) -> Self {
        self.constraints
            .push((rod, Constraint::Clamp { edge, motion }));
        self
    }

    /// Holds some coordinates of a node.
    pub fn hold_node(mut self, rod: usize, node: usize, axes: [bool; 3], motion: Motion) -> Self {
        self.constraints
            .push((rod, Constraint::Node { node, axes, motion }));
        self
    }

    /// Holds the angle of an edge relative to its reference frame, rad.
    pub fn hold_angle(mut self, rod: usize, edge: usize, angle: Schedule) -> Self {
        self.constraints
            .push((rod, Constraint::Angle { edge, angle }));
        self
    }

    /// Uniform gravity, m/s^2.
    pub fn gravity(mut self, acceleration: DVec3) -> Self {
        self.gravity = Some(acceleration);
        self
    }

    /// Viscous damping of all nodes with coefficient eta, Pa s (C21 Eq. 23).
    pub fn viscous_damping(mut self, eta: f64) -> Self {
        self.viscosity = Some(eta);
        self
    }

    /// Resistive-force drag on every edge, in a fluid of `viscosity`, Pa s.
    pub fn resistive_drag(mut self, viscosity: f64, law: DragLaw) -> Self {
        self.resistive = Some((viscosity, law));
        self
    }

    /// A dead force, N, on a node.
    pub fn force(self, rod: usize, node: usize, force: DVec3, amplitude: Schedule) -> Self {
        self.push_force(rod, node, force, amplitude, None)
    }

    /// A force on a node that turns with the material frame of `edge`; components along m1, m2, t, N.
    pub fn following_force(
        self,
        rod: usize,
        node: usize,
        edge: usize,
        force: DVec3,
        amplitude: Schedule,
    ) -> Self {
        self.push_force(rod, node, force, amplitude, Some(edge))
    }

    fn push_force(
        mut self,
        rod: usize,
        node: usize,
        force: DVec3,
        amplitude: Schedule,
        follows: Option<usize>,
    ) -> Self {
        self.forces.push((
            rod,
            PointForce {
                node,
                force,
                amplitude,
                follows,
            },
        ));
        self
    }

    /// A moment, N m, on an edge; with `follows` its components are along m1, m2, t of that edge.
    pub fn moment(
        mut self,
        rod: usize,
        edge: usize,
        moment: DVec3,
        amplitude: Schedule,
        follows: bool,
    ) -> Self {
        self.moments.push((
            rod,
            PointMoment {
                edge,
                moment,
                amplitude,
                follows,
            },
        ));
        self
    }

    /// Any other load; its indices are flat.
    pub fn load(mut self, load: Box<dyn Load>) -> Self {
        self.loads.push(load);
        self
    }

    /// How the curvature of a vertex is measured.
    pub fn bending(mut self, model: BendingModel) -> Self {
        self.bending = model;
        self
    }

    /// How rods touch.
    pub fn contact(mut self, contact: ContactModel) -> Self {
        self.contact = contact;
        self
    }

    /// Something rigid that rods touch; obstacles are numbered in order.
    pub fn obstacle(mut self, obstacle: Obstacle) -> Self {
        self.obstacles.push(obstacle);
        self
    }

    /// A fluid whose flow couples all nodes.
    pub fn fluid(mut self, fluid: Fluid) -> Self {
        self.fluid = Some(fluid);
        self
    }

    /// Open rods that certificates take for one closed curve: the last end of each is joined to the first of the next.
    pub fn join(mut self, rods: Vec<usize>) -> Self {
        self.joined.push(rods);
        self
    }

    /// The rods so far.
    pub fn rods(&self) -> &[Rod] {
        &self.rods
    }

    /// Checks everything and builds.
    ///
    /// # Errors
    /// See [`ModelError`].
    pub fn build(self) -> Result<(Model, State), ModelError> {
        if self.rods.is_empty() {
            return Err(ModelError::NoRod);
        }
        self.check_settings()?;
        let mut topology = Topology::default();
        for (rod, r) in self.rods.iter().enumerate() {
            r.check()
                .map_err(|source| ModelError::Rod { rod, source })?;
            topology.push(r.positions.len(), r.closed);
        }
        let constraints = self
            .constraints
            .into_iter()
            .map(|(rod, c)| flat_constraint(rod, c, &topology))
            .collect::<Result<Vec<_>, _>>()?;
        let mut loads = self.loads;
        for (rod, mut force) in self.forces {
            force.node = flat("a point force", rod, "node", force.node, &topology)?;
            if let Some(edge) = force.follows {
                force.follows = Some(flat("a following force", rod, "edge", edge, &topology)?);
            }
            loads.push(Box::new(force));
        }
        for (rod, mut moment) in self.moments {
            moment.edge = flat("a point moment", rod, "edge", moment.edge, &topology)?;
            loads.push(Box::new(moment));
        }
        let mass = lumped_mass(&self.rods, &topology);
        if let Some(acceleration) = self.gravity {
            let mass = topology.node_dof.iter().map(|dof| mass[*dof]).collect();
            loads.push(Box::new(Gravity { acceleration, mass }));
        }
        if let Some(eta) = self.viscosity {
            let coefficient = voronoi_lengths(&self.rods, &topology)
                .iter()
                .map(|l| eta * l)
                .collect();
            loads.push(Box::new(ViscousDamping { coefficient }));
        }
        if let Some((viscosity, law)) = self.resistive {
            loads.push(Box::new(ResistiveDrag::new(&self.rods, viscosity, law)));
        }
        let positions: Vec<DVec3> = self
            .rods
            .iter()
            .flat_map(|r| r.positions.iter().copied())
            .collect();
        let directors = self
            .rods
            .iter()
            .flat_map(|r| r.directors.iter().copied())
            .collect();
        let mut q = vec![0.0; topology.dofs];
        for (x, dof) in positions.iter().zip(&topology.node_dof) {
            q[*dof..dof + 3].copy_from_slice(&x.to_array());
        }
        let frames = first_frames(&self.rods)?;
        let dofs = topology.dofs;
        let nodes = topology.nodes();
        let per_edge = |f: fn(&crate::rod::Section) -> f64| -> Vec<f64> {
            self.rods
                .iter()
                .flat_map(|r| r.sections.iter().map(f))
                .collect()
        };
        let model = Model {
            joined: self.joined,
            stretching: per_edge(|s| s.ea),
            radius: per_edge(|s| s.radius),
            edge_arc: self.rods.iter().flat_map(edge_arcs).collect(),
            rod_length: self
                .rods
                .iter()
                .map(|r| r.rest_lengths.iter().sum())
                .collect(),
            bending_stiffness: per_edge(|s| s.ei1.max(s.ei2)),
            rest_length: self
                .rods
                .iter()
                .flat_map(|r| r.rest_lengths.iter().copied())
                .collect(),
            bending: all_bending(&self.rods, self.bending)?,
            twisting: self.rods.iter().flat_map(twisting).collect(),
            mass,
            constraints: Constraints::new(constraints, &topology, positions, directors),
            loads,
            contact: self.contact,
            obstacles: self.obstacles,
            fluid: self.fluid,
            topology,
        };
        let mut state = State {
            time: 0.0,
            step: 0,
            q,
            velocity: vec![0.0; dofs],
            acceleration: vec![0.0; dofs],
            history: None,
            tension: Vec::new(),
            frames,
            contact: ContactMemory {
                stiffness: model.contact.first_stiffness(&model),
                ..ContactMemory::default()
            },
            hydrodynamic_force: if model.fluid.is_some() {
                vec![0.0; 3 * nodes]
            } else {
                Vec::new()
            },
            drag_history: Vec::new(),
            control: Control::default(),
        };
        // Prescribed unknowns may move from the first instant.
        let (frames, q) = (state.frames.clone(), state.q.clone());
        model.constraints.apply_velocity(
            &model.topology,
            &frames,
            &q,
            0.0,
            FIRST_INSTANT,
            &mut state.velocity,
        );
        if let Some(overlap) = model.contact.first_overlap(&model, &state.q) {
            return Err(ModelError::Overlap(overlap));
        }
        if let Some(overlap) = first_overlap(&model, &state.q) {
            return Err(ModelError::ObstacleOverlap(overlap));
        }
        Ok((model, state))
    }

    fn check_joined(&self, rods: &[usize]) -> Result<(), ModelError> {
        let last = self.rods.len() - 1;
        if let Some(rod) = rods.iter().copied().find(|rod| *rod > last) {
            let what = "a list of joined rods";
            return Err(ModelError::NoSuchRod { what, rod, last });
        }
        let refuse = |need| {
            let rods = rods.to_vec();
            Err(ModelError::Joined { rods, need })
        };
        let twice = |i: usize| rods[..i].contains(&rods[i]);
        if rods.len() < 2 {
            return refuse("name two or more");
        }
        if (0..rods.len()).any(twice) {
            return refuse("name each rod once");
        }
        if rods.iter().any(|rod| self.rods[*rod].closed) {
            return refuse("closed rods have no ends; name open ones");
        }
        Ok(())
    }

    fn check_settings(&self) -> Result<(), ModelError> {
        let setting = |key, value, need| Err(ModelError::Setting { key, value, need });
        if let Some(g) = self.gravity.filter(|g| !g.is_finite()) {
            return setting("gravity", g.x + g.y + g.z, "finite");
        }
        match self.viscosity {
            Some(eta) if !(eta.is_finite() && eta >= 0.0) => {
                return setting("viscous damping", eta, "finite and not negative");
            }
            _ => {}
        }
        if let Some((viscosity, law)) = self.resistive {
            for section in self.rods.iter().flat_map(|r| &r.sections) {
                let drag = law.coefficients(viscosity, section.radius);
                for (key, value) in [
                    ("tangential drag coefficient", drag.tangential),
                    ("normal drag coefficient", drag.normal),
                ] {
                    if !(value.is_finite() && value > 0.0) {
                        return setting(
                            key,
                            value,
                            "finite and greater than zero: is the rod too thick for the wavelength?",
                        );
                    }
                }
            }
        }
        self.joined
            .iter()
            .try_for_each(|of| self.check_joined(of))?;
        self.contact.check()?;
        let coupled = self.fluid.as_ref().map(|f| f.coupling) == Some(Coupling::Implicit);
        if coupled && self.contact.is_impulsive() {
            return Err(ModelError::Pairing {
                first: "the contact model spillmann-teschner",
                second: "drag that is solved for (coupling implicit)",
                remedy: "let drag lag (coupling lagged), or take the contact model imc or ipc",
            });
        }
        if self.contact == ContactModel::None && !self.obstacles.is_empty() {
            return Err(ModelError::ObstaclesWithoutContact(self.obstacles.len()));
        }
        self.obstacles.iter().try_for_each(Obstacle::check)?;
        if !self.obstacles.is_empty() {
            let rough = |o: &Obstacle| o.friction.is_some_and(|mu| mu > 0.0);
            self.contact
                .check_obstacles(self.obstacles.iter().any(rough))?;
        }
        self.fluid.as_ref().map_or(Ok(()), Fluid::check)
    }
}

fn flat(
    what: &'static str,
    rod: usize,
    item: &'static str,
    index: usize,
    topology: &Topology,
) -> Result<usize, ModelError> {
    let Some(r) = topology.rods.get(rod) else {
        return Err(ModelError::NoSuchRod {
            what,
            rod,
            last: topology.rods.len() - 1,
        });
    };
    let (first, count) = if item == "node" {
        (r.first_node, r.nodes)
    } else {
        (r.first_edge, r.edges)
    };
    if index >= count {
        return Err(ModelError::Index {
            what,
            rod,
            item,
            index,
            last: count - 1,
        });
    }
    Ok(first + index)
}

fn flat_constraint(
    rod: usize,
    constraint: Constraint,
    topology: &Topology,
) -> Result<Constraint, ModelError> {
    Ok(match constraint {
        Constraint::Clamp { edge, motion } => Constraint::Clamp {
            edge: flat("a clamp", rod, "edge", edge, topology)?,
            motion,
        },
        Constraint::Node { node, axes, motion } => Constraint::Node {
            node: flat("a held node", rod, "node", node, topology)?,
            axes,
            motion,
        },
        Constraint::Angle { edge, angle } => Constraint::Angle {
            edge: flat("a held angle", rod, "edge", edge, topology)?,
            angle,
        },
    })
}

fn all_bending(rods: &[Rod], model: BendingModel) -> Result<Vec<Bending>, ModelError> {
    let mut all = Vec::new();
    for (rod, r) in rods.iter().enumerate() {
        all.extend(bending(r, model).map_err(|source| ModelError::Rod { rod, source })?);
    }
    Ok(all)
}

fn first_frames(rods: &[Rod]) -> Result<Frames, ModelError> {
    let mut all = Frames::default();
    for (rod, r) in rods.iter().enumerate() {
        let frames = r
            .frames()
            .map_err(|source| ModelError::Rod { rod, source })?;
        all.tangent.extend(frames.tangent);
        all.director.extend(frames.director);
        all.twist.extend(frames.twist);
    }
    Ok(all)
}
