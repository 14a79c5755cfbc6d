//! Builds a model from rods, constraints, loads, contact and fluid; checks everything once.

use glam::DVec3;

mod checks;
mod flat;

use super::attach;
use super::lumping::{all_bending, edge_arcs, lumped_mass, twisting, voronoi_lengths};
use flat::{first_frames, flat, flat_constraint};

use super::{BendingModel, Model, ModelError};
use crate::bodies::{Body, BodyEngine, FreeBodies, Joint};
use crate::constraints::{Constraint, Constraints, Initial};
use crate::contact::ContactModel;
use crate::contact::junction::{AtStart, Junctions};
use crate::contact::obstacle::{Obstacle, first_overlap};
use crate::energy::Ledger;
use crate::loads::resistive_force::DragLaw;
use crate::loads::{
    Fluid, Gravity, Load, PointForce, PointMoment, ResistiveDrag, ViscousDamping, Wind, WindDrag,
};
use crate::rod::{Rod, Topology};
use crate::schedule::{Motion, Schedule};
use crate::state::{ContactMemory, Control, State};

/// Time over which the first velocity of a prescribed motion is taken, s.
const FIRST_INSTANT: f64 = 1e-3;

/// Builds a [`Model`] and its first [`State`]; indices are local to a rod.
#[derive(Debug, Default)]
pub struct ModelBuilder {
    rods: Vec<Rod>,
    constraints: Vec<(usize, Constraint)>,
    bodies: Vec<Body>,
    welds: Vec<(usize, usize, usize)>,
    joints: Vec<Joint>,
    body_constraints: Vec<Constraint>,
    gravity: Option<DVec3>,
    viscosity: Option<f64>,
    resistive: Option<(f64, DragLaw)>,
    wind: Option<(DVec3, Schedule, WindDrag)>,
    forces: Vec<(usize, PointForce)>,
    moments: Vec<(usize, PointMoment)>,
    loads: Vec<Box<dyn Load>>,
    contact: ContactModel,
    obstacles: Vec<Obstacle>,
    fluid: Option<Fluid>,
    joined: Vec<Vec<usize>>,
    bending: BendingModel,
    engine: Option<Box<dyn BodyEngine>>,
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

    /// Adds a rigid body; they are numbered in order.
    pub fn body(mut self, body: Body) -> Self {
        self.bodies.push(body);
        self
    }

    /// Welds an edge of a rod to a body, as they lie at the start: both move as one.
    pub fn weld(mut self, body: usize, rod: usize, edge: usize) -> Self {
        self.welds.push((body, rod, edge));
        self
    }

    /// Joins two bodies, or one to the scene.
    pub fn joint(mut self, joint: Joint) -> Self {
        self.joints.push(joint);
        self
    }

    /// A body follows `motion`.
    pub fn move_body(mut self, body: usize, motion: Motion) -> Self {
        self.body_constraints
            .push(Constraint::Body { body, motion });
        self
    }

    /// A body does not move along, nor turn about, some axes of the scene.
    pub fn guide_body(mut self, body: usize, position: [bool; 3], turn: [bool; 3]) -> Self {
        self.body_constraints.push(Constraint::BodyAxes {
            body,
            position,
            turn,
        });
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

    /// Wind of `velocity`, m/s, times `amplitude` on every edge; rigid bodies feel none.
    pub fn wind(mut self, velocity: DVec3, amplitude: Schedule, drag: WindDrag) -> Self {
        self.wind = Some((velocity, amplitude, drag));
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

    /// What moves bodies in explicit steps; unless given, [`crate::bodies::FreeBodies`].
    pub fn engine(mut self, engine: Box<dyn BodyEngine>) -> Self {
        self.engine = Some(engine);
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
        self.bodies.iter().for_each(|_| topology.push_body());
        (self.joints.iter()).for_each(|joint| topology.push_joint(joint.unknowns()));
        let mut constraints = self
            .constraints
            .into_iter()
            .map(|(rod, c)| flat_constraint(rod, c, &topology))
            .collect::<Result<Vec<_>, _>>()?;
        constraints.extend(self.body_constraints);
        let weld = |(body, rod, edge): &(usize, usize, usize)| {
            Ok((*body, flat("a weld", *rod, "edge", *edge, &topology)?))
        };
        let welds = self.welds.iter().map(weld).collect::<Result<Vec<_>, _>>()?;
        let mut mass = lumped_mass(&self.rods, &topology);
        let mut initial = Initial {
            positions: self
                .rods
                .iter()
                .flat_map(|r| r.positions.iter().copied())
                .collect(),
            directors: self
                .rods
                .iter()
                .flat_map(|r| r.directors.iter().copied())
                .collect(),
            bodies: Vec::new(),
        };
        let bodies = attach::assemble(&self.bodies, &welds, &topology, &mut initial, &mut mass)?;
        attach::check_held(&constraints, &bodies, &topology)?;
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
        if let Some(acceleration) = self.gravity {
            let of = |dofs: &[usize]| dofs.iter().map(|dof| mass[*dof]).collect();
            loads.push(Box::new(Gravity {
                acceleration,
                mass: of(&topology.node_dof),
                body_mass: of(&topology.body_dof),
            }));
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
        if let Some((velocity, amplitude, drag)) = self.wind {
            let sections = self.rods.iter().flat_map(|r| &r.sections);
            let radius: Vec<f64> = sections.map(|s| s.radius).collect();
            loads.push(Box::new(Wind::new(velocity, amplitude, drag, &radius)));
        }
        let mut q = vec![0.0; topology.dofs];
        let centres = initial.bodies.iter().map(|(centre, _)| centre);
        let all = initial.positions.iter().chain(centres);
        for (x, dof) in all.zip(topology.node_dof.iter().chain(&topology.body_dof)) {
            q[*dof..dof + 3].copy_from_slice(&x.to_array());
        }
        let mut frames = first_frames(&self.rods)?;
        frames.orientation = initial.bodies.iter().map(|(_, r)| *r).collect();
        let dofs = topology.dofs;
        let nodes = topology.nodes();
        let per_edge = |f: fn(&crate::rod::Section) -> f64| -> Vec<f64> {
            self.rods
                .iter()
                .flat_map(|r| r.sections.iter().map(f))
                .collect()
        };
        let radii = per_edge(|s| s.radius);
        let smallest_radius = radii.iter().copied().fold(f64::INFINITY, f64::min);
        let joints = attach::links(&self.joints, &topology, &initial, &bodies);
        let obstacles = attach::ride(self.obstacles, &topology, &initial, &bodies, &radii, &q);
        let rods = self.rods.iter();
        let lengths = rods.clone().map(|r| r.rest_lengths.iter());
        let at_start = AtStart {
            topology: &topology,
            positions: &initial.positions,
            radius: radii,
            rest_length: lengths.clone().flatten().copied().collect(),
            edge_arc: rods.flat_map(edge_arcs).collect(),
            rod_length: lengths.map(Iterator::sum).collect(),
        };
        let junctions = Junctions::new(&bodies, &self.joints, &at_start);
        let AtStart {
            radius,
            rest_length,
            edge_arc,
            rod_length,
            ..
        } = at_start;
        let model = Model {
            joined: self.joined,
            stretching: per_edge(|s| s.ea),
            radius,
            edge_arc,
            rod_length,
            bending_stiffness: per_edge(|s| s.ei1.max(s.ei2)),
            rest_length,
            junctions,
            bending: all_bending(&self.rods, self.bending)?,
            twisting: self.rods.iter().flat_map(twisting).collect(),
            mass,
            lever: attach::levers(&topology, &bodies, smallest_radius),
            constraints: Constraints::new(constraints, &topology, initial, &bodies.dependent),
            joints,
            bodies,
            engine: self
                .engine
                .unwrap_or_else(|| Box::new(FreeBodies::default())),
            loads,
            contact: self.contact,
            obstacles,
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
            engine: Vec::new(),
            tension: Vec::new(),
            broken: Vec::new(),
            frames,
            contact: ContactMemory {
                stiffness: model.contact.policy().first_stiffness(&model),
                ..ContactMemory::default()
            },
            hydrodynamic_force: if model.fluid.is_some() {
                vec![0.0; 3 * nodes]
            } else {
                Vec::new()
            },
            drag_history: Vec::new(),
            drag_watch: Default::default(),
            reactions: Vec::new(),
            control: Control::default(),
            ledger: Ledger::default(),
        };
        attach::first_velocities(&model, &self.bodies, &mut state);
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
        attach::first_rates(&model, &mut state);
        if let Some(overlap) = model.contact.first_overlap(&model, &state.q) {
            return Err(ModelError::Overlap(overlap));
        }
        if let Some(overlap) = first_overlap(&model, &state.q) {
            return Err(ModelError::ObstacleOverlap(overlap));
        }
        Ok((model, state))
    }
}
