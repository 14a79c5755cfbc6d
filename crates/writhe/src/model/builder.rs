//! Builds a model from rods, constraints, loads, contact and fluid; checks everything once.

use glam::DVec3;

mod checks;
mod flat;
mod loads;
mod material;
mod start;

use crate::model::attach;
use crate::model::lumping::{all_bending, all_half_edges, edge_arcs, lumped_mass, twisting};
use flat::{first_frames, flat, flat_constraint, of_rods};
pub(super) use start::{FIRST_INSTANT, check_overlaps};

use crate::bodies::{Body, BodyEngine, FreeBodies, Joint};
use crate::constraints::{Constraint, Constraints, Initial};
use crate::contact_model::ContactModel;
use crate::fluid::Fluid;
use crate::kernels::friction::Directions;
use crate::loads::resistive_force::DragLaw;
use crate::loads::{Bedding, FollowerLoad, Load, MagneticField, PointForce, PointMoment, WindDrag};
use crate::model::junction::{AtStart, Junctions};
use crate::model::{BendingModel, Model, ModelError, SpinInertia};
use crate::obstacle::Obstacle;
use crate::rest_shape::{DrivenStrain, RestLaw, RestStrain};
use crate::rod::{Frames, Rod, Section, Topology};
use crate::schedule::{Motion, Schedule};
use crate::state::State;
use crate::viscoelastic::Viscoelasticity;

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
    foundations: Vec<(usize, Bedding)>,
    moments: Vec<(usize, PointMoment)>,
    loads: Vec<Box<dyn Load>>,
    driven: Vec<DrivenStrain>,
    viscoelasticity: Vec<(usize, Viscoelasticity)>,
    magnets: Vec<(usize, Vec<DVec3>)>,
    magnetic_field: Option<MagneticField>,
    distributed: Vec<(usize, FollowerLoad, Schedule)>,
    contact: ContactModel,
    directions: Vec<(usize, Directions)>,
    obstacles: Vec<Obstacle>,
    fluid: Option<Fluid>,
    joined: Vec<Vec<usize>>,
    bending: BendingModel,
    spin_inertia: SpinInertia,
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

    /// Clamps an edge: both nodes and the angle follow `motion`. The rod behaves as clamped at the
    /// middle of this edge.
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

    /// A force on a node that turns with the material frame of `edge`; components along m1, m2, t,
    /// N.
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

    /// Springs along a rod that hold it where it began, or on a plane.
    pub fn foundation(mut self, rod: usize, bedding: Bedding) -> Self {
        self.foundations.push((rod, bedding));
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

    /// Drives a strain at rest of a rod, beyond the strains that it has at rest anyway.
    pub fn drive_rest(self, rod: usize, strain: RestStrain, law: RestLaw) -> Self {
        self.drive_rest_between(rod, strain, law, None)
    }

    /// The same by a law that counts arc length between two places of the rod, m from its first node:
    /// a rod may go on behind a clamp. All of the rod if `None`.
    pub fn drive_rest_between(
        mut self,
        rod: usize,
        strain: RestStrain,
        law: RestLaw,
        between: Option<[f64; 2]>,
    ) -> Self {
        self.driven.push(DrivenStrain {
            rod,
            strain,
            law,
            between,
        });
        self
    }

    /// Makes a rod viscous.
    pub fn viscoelastic(mut self, rod: usize, law: Viscoelasticity) -> Self {
        self.viscoelasticity.push((rod, law));
        self
    }

    /// Magnetic moments of the edges of a rod, A m^2, along m1, m2 and t of each, `(edges)`.
    pub fn magnetised(mut self, rod: usize, moments: Vec<DVec3>) -> Self {
        self.magnets.push((rod, moments));
        self
    }

    /// The magnetic field that magnetised rods feel.
    pub fn magnetic_field(mut self, field: MagneticField) -> Self {
        self.magnetic_field = Some(field);
        self
    }

    /// A force per length on all edges of a rod that follows it.
    pub fn distributed(mut self, rod: usize, force: FollowerLoad, amplitude: Schedule) -> Self {
        self.distributed.push((rod, force, amplitude));
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

    /// Which inertia of spinning edges counts.
    pub fn spin_inertia(mut self, inertia: SpinInertia) -> Self {
        self.spin_inertia = inertia;
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

    /// Coefficients of friction of a rod by the direction in which it slides, dimensionless and not
    /// negative: on other rods, on itself and on obstacles without a coefficient of their own. Said
    /// twice of a rod the last counts.
    ///
    /// [`build`](Self::build) refuses a rod that is not there, a coefficient out of range, and contact
    /// models that do not know them.
    pub fn friction_by_direction(mut self, rod: usize, directions: Directions) -> Self {
        self.directions.push((rod, directions));
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

    /// Open rods that certificates take for one closed curve: the last end of each is joined to the
    /// first of the next.
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
    pub fn build(mut self) -> Result<(Model, State), ModelError> {
        let topology = self.layout()?;
        let constraints = self.flat_constraints(&topology)?;
        let welds = self.flat_welds(&topology)?;
        let mut mass = lumped_mass(&self.rods, &topology);
        let mut initial = self.initial();
        // Bodies take over the mass of what is welded to them, and give it its place.
        let bodies = attach::assemble(&self.bodies, &welds, &topology, &mut initial, &mut mass)?;
        attach::check_held(&constraints, &bodies, &topology)?;
        let loads = self.flat_loads(&topology, &mass)?;
        let q = first_unknowns(&topology, &initial);
        let frames = self.first_frames(&initial)?;

        let radius = per_edge(&self.rods, |s| s.radius);
        let smallest_radius = radius.iter().copied().fold(f64::INFINITY, f64::min);
        let joints = attach::links(&self.joints, &topology, &initial, &bodies);
        let obstacles = std::mem::take(&mut self.obstacles);
        let obstacles = attach::ride(obstacles, &topology, &initial, &bodies, &radius, &q);
        // Which edges belong together follows from where they lie at the start.
        let lengths = self.rods.iter().map(|r| r.rest_lengths.iter());
        let at_start = AtStart {
            topology: &topology,
            positions: &initial.positions,
            radius,
            rest_length: lengths.clone().flatten().copied().collect(),
            edge_arc: self.rods.iter().flat_map(edge_arcs).collect(),
            rod_length: lengths.map(Iterator::sum).collect(),
        };
        let junctions = Junctions::new(&bodies, &self.joints, &at_start);
        let viscoelasticity = of_rods(self.rods.len(), &self.viscoelasticity);
        let friction_by_direction = of_rods(self.rods.len(), &self.directions);
        let model = Model {
            joined: self.joined,
            stretching: per_edge(&self.rods, |s| s.ea),
            bending_stiffness: per_edge(&self.rods, |s| s.ei1.max(s.ei2)),
            bending: all_bending(&self.rods, self.bending)?,
            twisting: self.rods.iter().flat_map(twisting).collect(),
            half_edges: all_half_edges(&self.rods, self.bending)?,
            viscoelasticity,
            driven: self.driven,
            radius: at_start.radius,
            rest_length: at_start.rest_length,
            edge_arc: at_start.edge_arc,
            rod_length: at_start.rod_length,
            junctions,
            mass,
            spin_inertia: self.spin_inertia,
            lever: attach::levers(&topology, &bodies, smallest_radius),
            constraints: Constraints::new(constraints, &topology, initial, &bodies.dependent),
            joints,
            bodies,
            engine: (self.engine).unwrap_or_else(|| Box::new(FreeBodies::default())),
            loads,
            contact: self.contact,
            friction_by_direction,
            obstacles,
            fluid: self.fluid,
            topology,
        };
        let state = start::first_state(&model, &self.bodies, q, frames);
        start::check_overlaps(&model, &state)?;
        Ok((model, state))
    }

    /// Checks rods and settings, and lays all unknowns out.
    fn layout(&self) -> Result<Topology, ModelError> {
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
        // Bodies and joints come after all rods.
        self.bodies.iter().for_each(|_| topology.push_body());
        (self.joints.iter()).for_each(|joint| topology.push_joint(joint.unknowns()));
        Ok(topology)
    }

    /// Constraints of rods, then of bodies, with indices into the flat arrays.
    fn flat_constraints(&mut self, topology: &Topology) -> Result<Vec<Constraint>, ModelError> {
        let of_rods = std::mem::take(&mut self.constraints).into_iter();
        let mut all = of_rods
            .map(|(rod, c)| flat_constraint(rod, c, topology))
            .collect::<Result<Vec<_>, _>>()?;
        all.append(&mut self.body_constraints);
        Ok(all)
    }

    /// Bodies and the flat edges that are welded to them.
    fn flat_welds(&self, topology: &Topology) -> Result<Vec<(usize, usize)>, ModelError> {
        let weld = |(body, rod, edge): &(usize, usize, usize)| {
            Ok((*body, flat("a weld", *rod, "edge", *edge, topology)?))
        };
        self.welds.iter().map(weld).collect()
    }

    /// Where nodes are at the start, before bodies have taken what is welded to them.
    fn initial(&self) -> Initial {
        let rods = self.rods.iter();
        Initial {
            positions: (rods.clone().flat_map(|r| &r.positions).copied()).collect(),
            directors: rods.flat_map(|r| &r.directors).copied().collect(),
            bodies: Vec::new(),
        }
    }

    fn first_frames(&self, initial: &Initial) -> Result<Frames, ModelError> {
        let mut frames = first_frames(&self.rods)?;
        frames.orientation = initial.bodies.iter().map(|(_, r)| *r).collect();
        Ok(frames)
    }
}

/// What `of` says of the section of each edge, `(edges)`.
fn per_edge(rods: &[Rod], of: fn(&Section) -> f64) -> Vec<f64> {
    rods.iter()
        .flat_map(|r| r.sections.iter().map(of))
        .collect()
}

/// Positions of nodes and bodies at the start, zeros for angles and turns, `(dofs)`.
fn first_unknowns(topology: &Topology, initial: &Initial) -> Vec<f64> {
    let mut q = vec![0.0; topology.dofs];
    let centres = initial.bodies.iter().map(|(centre, _)| centre);
    let all = initial.positions.iter().chain(centres);
    for (x, dof) in all.zip(topology.node_dof.iter().chain(&topology.body_dof)) {
        q[*dof..dof + 3].copy_from_slice(&x.to_array());
    }
    q
}
