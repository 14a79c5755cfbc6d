//! From what the file says to the core's types, once.

mod body;
mod check;
mod contact;
mod engine;
mod fluid;
mod joint;
mod material_in_time;
mod motion;
mod obstacle;
mod perturbation;
mod rod;
#[cfg(test)]
mod tests;
mod twist;
mod wind;

use writhe::certificate::Certify;
use writhe::loads::Bedding;
use writhe::model::{Model, ModelBuilder, ModelError};
use writhe::rod::Rod;
use writhe::simulation::{Simulation, SimulationError, check_start};
use writhe::solve::Poll;
use writhe::state::State;
use writhe::step::{Accuracy, Integrator, LineSearch, Scheme, StepSettings};
use writhe::stop::Stop;

pub(crate) use body::{body, welds};
use contact::contact_model;
pub(crate) use fluid::lagged_step;
pub(crate) use motion::{angle, motion};
pub(crate) use obstacle::mesh as obstacle_mesh;
pub(crate) use rod::distance_from_axis;

use crate::error::{Problem, SceneError};
use crate::scene::Scene;
use crate::spec::centreline::vector;
use crate::spec::{
    BodySpec, EndRef, FluidKind, IntegratorKind, LineSearchKind, RodRef, RodSpec, SchemeKind,
    TimeSpec,
};

/// All that a run needs.
#[derive(Debug)]
pub struct Setup {
    /// The model.
    pub model: Model,
    /// Its first state.
    pub state: State,
    /// How steps are taken.
    pub step: StepSettings,
    /// Simulated time, s.
    pub duration: f64,
    /// Simulated time between frames, s.
    pub output_every: f64,
    /// Simulated time between checkpoints, s, where the scene says.
    pub checkpoint_every: Option<f64>,
    /// Whether outputs carry certificates.
    pub certify: Certify,
    /// Whether the run starts from static equilibrium.
    pub settle: bool,
    /// What ends the run before its time.
    pub stop: Stop,
    /// Title for reports.
    pub title: String,
}

impl Setup {
    /// What [`Setup::begin`] or the first step would refuse, found without searching an equilibrium
    /// or making a step.
    ///
    /// # Errors
    /// See [`check_start`].
    pub fn check(&self) -> Result<(), SimulationError> {
        check_start(&self.model, &self.state, self.step.integrator, self.settle)
    }

    /// The simulation where a run begins: settled, if the scene asks for it; bodies then leave the
    /// equilibrium with their velocities.
    ///
    /// # Errors
    /// When no equilibrium is found; see [`Simulation::settle`].
    pub fn begin(self) -> Result<Simulation, SimulationError> {
        self.begin_asking(&Poll::default())
    }

    /// The same; it and its steps ask `poll` whether to go on.
    ///
    /// # Errors
    /// As [`Setup::begin`], and [`SimulationError::Interrupted`].
    pub fn begin_asking(self, poll: &Poll) -> Result<Simulation, SimulationError> {
        let mut simulation = Simulation::new(self.model, self.state, self.step);
        simulation.ask(poll.clone());
        if self.settle {
            let start = simulation.state.velocity.clone();
            simulation.settle()?;
            simulation.launch_bodies(&start);
        }
        Ok(simulation)
    }
}

/// The key under which a part of a rod is reported; named scenes have no such keys.
pub(crate) fn part(rod_key: &str, name: &str) -> String {
    if rod_key == "scene" {
        rod_key.to_owned()
    } else {
        format!("{rod_key}.{name}")
    }
}

impl Scene {
    /// Everything that a run needs.
    ///
    /// # Errors
    /// See [`SceneError`].
    pub fn build(&self) -> Result<Setup, SceneError> {
        let spec = &self.spec;
        let (model, state) = self.builder()?.build().map_err(|e| model_error(self, e))?;
        check::spins(self, &model)?;
        lagged_step(self, &model, &state)?;
        Ok(Setup {
            model,
            state,
            step: step_settings(&spec.time),
            duration: spec.time.duration.si(),
            output_every: spec.output.every.si(),
            checkpoint_every: spec.output.checkpoint_every.map(|every| every.si()),
            certify: spec.output.certify.into(),
            settle: spec.time.settle,
            stop: spec.stop.into(),
            title: spec.title.clone(),
        })
    }

    /// The core's builder with all rods, supports and loads, to which more can be added.
    ///
    /// # Errors
    /// See [`SceneError`].
    pub fn builder(&self) -> Result<ModelBuilder, SceneError> {
        let spec = &self.spec;
        check::pairings(self)?;
        let mut builder = ModelBuilder::new()
            .bending(spec.bending.into())
            .spin_inertia(spec.spin_inertia.into())
            .contact(contact_model(&spec.contact));
        let mut built = Vec::new();
        for (index, (key, rod_spec, rod)) in rods(self)?.into_iter().enumerate() {
            check::supports_and_loads(self, &key, &rod_spec, &rod)?;
            let (nodes, edges) = (rod.positions.len(), rod.edges());
            builder = material_in_time::add(self, (&key, index), &rod_spec, &rod, builder)?;
            builder = builder.rod(rod);
            if let Some(by) = rod_spec.friction_by_direction {
                builder = builder.friction_by_direction(index, obstacle::directions(by));
            }
            builder = supports(builder, index, &rod_spec, nodes, edges);
            builder = loads(builder, index, &rod_spec, nodes, edges);
            built.push((key, rod_spec, edges));
        }
        for obstacle in obstacle::all(self)? {
            builder = builder.obstacle(obstacle);
        }
        // What of bodies is touched comes after the scene's own obstacles.
        builder = body::add(self, &built, builder)?;
        builder = engine::add(self, builder)?;
        for rods in &spec.output.joined {
            builder = builder.join(rods.clone());
        }
        if spec.gravity.is_on() {
            builder = builder.gravity(vector(&spec.gravity.acceleration));
        }
        if spec.damping.viscosity.si() > 0.0 {
            builder = builder.viscous_damping(spec.damping.viscosity.si());
        }
        builder = material_in_time::field(self, builder)?;
        if let Some(wind) = &spec.wind {
            builder = wind::add(wind, builder);
        }
        match spec.fluid.model {
            FluidKind::None => Ok(builder),
            FluidKind::StokesletSegments => {
                Ok(builder.fluid(fluid::stokeslet_segments(&spec.fluid)))
            }
            FluidKind::ResistiveForce => {
                let (viscosity, law) = fluid::resistive_force(&spec.fluid);
                Ok(builder.resistive_drag(viscosity, law))
            }
        }
    }
}

/// The rods alone, with their specs and keys.
pub(crate) fn rods(scene: &Scene) -> Result<Vec<(String, RodSpec, Rod)>, SceneError> {
    let all = scene.spec.all_rods().into_iter().enumerate();
    all.map(|(index, (key, spec))| {
        let rod = rod::convert(scene, (index, &key), &spec)?;
        Ok((key, spec, rod))
    })
    .collect()
}

/// Everything but rods that overlap: supports, loads, fluid.
pub(crate) fn check_all(scene: &Scene) -> Result<(), SceneError> {
    scene.builder().map(|_| ())
}

fn supports(
    mut b: ModelBuilder,
    rod: usize,
    spec: &RodSpec,
    nodes: usize,
    edges: usize,
) -> ModelBuilder {
    for clamp in &spec.clamps {
        b = b.clamp(rod, clamp.edge.index(edges), motion::motion(&clamp.motion));
    }
    for held in &spec.held {
        b = b.hold_node(
            rod,
            held.node.index(nodes),
            held.axes.0,
            motion::motion(&held.motion),
        );
    }
    for held in &spec.held_angles {
        b = b.hold_angle(rod, held.edge.index(edges), motion::angle(&held.angle));
    }
    b
}

fn loads(
    mut b: ModelBuilder,
    rod: usize,
    spec: &RodSpec,
    nodes: usize,
    edges: usize,
) -> ModelBuilder {
    for force in &spec.forces {
        let node = force.node.index(nodes);
        let components = vector(&force.force);
        let amplitude = motion::amplitude(&force.amplitude);
        b = match force.follows {
            Some(edge) => b.following_force(rod, node, edge.index(edges), components, amplitude),
            None => b.force(rod, node, components, amplitude),
        };
    }
    if let Some(f) = &spec.foundation {
        let bedding = Bedding {
            normal: f.normal.si(),
            tangential: f.tangential.si(),
            edges: f.edges,
            plane: f.plane.map(|p| [vector(&p.point), vector(&p.normal)]),
        };
        b = b.foundation(rod, bedding);
    }
    for moment in &spec.moments {
        let components = vector(&moment.moment);
        let amplitude = motion::amplitude(&moment.amplitude);
        b = b.moment(
            rod,
            moment.edge.index(edges),
            components,
            amplitude,
            moment.follows,
        );
    }
    b
}

fn scheme(spec: &TimeSpec) -> Scheme {
    match spec.scheme {
        SchemeKind::BackwardEuler => Scheme::BackwardEuler,
        SchemeKind::Bdf2 => Scheme::Bdf2,
        SchemeKind::FittedBdf2 => Scheme::FittedBdf2 {
            omega: spec.rate.unwrap_or_default().si(),
        },
        SchemeKind::ImplicitMidpoint => Scheme::ImplicitMidpoint,
    }
}

fn step_settings(spec: &TimeSpec) -> StepSettings {
    let largest = spec.largest_step.unwrap_or(spec.duration);
    StepSettings {
        friction: None,
        dt: spec.accuracy.map_or(spec.step, |_| largest).si(),
        accuracy: spec.accuracy.map(|accuracy| Accuracy {
            error: accuracy.si(),
            over: spec.duration.si(),
            first: spec.step.si(),
        }),
        dt_min: spec.smallest_step.si(),
        integrator: match spec.integrator {
            IntegratorKind::Implicit => Integrator::Implicit,
            IntegratorKind::SymplecticProjected => Integrator::SymplecticProjected,
        },
        scheme: scheme(spec),
        step_tolerance: spec.tolerance.si(),
        residual_tolerance: spec.residual_tolerance.si(),
        max_iterations: u32::try_from(spec.max_iterations).unwrap_or(u32::MAX),
        line_search: match spec.line_search {
            LineSearchKind::Automatic => LineSearch::Automatic,
            LineSearchKind::Goldstein => LineSearch::Goldstein,
            LineSearchKind::None => LineSearch::None,
        },
        adaptive: spec.adaptive,
    }
}

/// Whether `weld_crossings` joined these two rods.
fn cross_in_a_joint(scene: &Scene, rods: [usize; 2]) -> bool {
    let joins = |body: &BodySpec, rod| body.welds.iter().any(|w| w.rod == RodRef::Index(rod));
    let mut joints = scene.spec.bodies.iter().filter(|body| body.joint);
    joints.any(|joint| rods.iter().all(|rod| joins(joint, *rod)))
}

/// Whether `weld_crossings` joins this rod with another one at an edge of this node.
fn is_at_a_joint(scene: &Scene, rod: usize, node: usize) -> bool {
    let has =
        |edge: EndRef| matches!(edge, EndRef::Index(edge) if [edge, edge + 1].contains(&node));
    let joints = scene.spec.bodies.iter().filter(|body| body.joint);
    let mut welds = joints.flat_map(|joint| &joint.welds);
    welds.any(|weld| weld.rod == RodRef::Index(rod) && has(weld.edge))
}

/// What the core refuses, under the key that causes it.
fn model_error(scene: &Scene, error: ModelError) -> SceneError {
    let rod_key = |rod: usize| match &scene.spec.named {
        Some(_) => "scene".to_owned(),
        None => format!("rods[{rod}]"),
    };
    match error {
        ModelError::Rod { rod, source } => rod::rod_error(scene, &rod_key(rod), source),
        ModelError::Overlap(overlap) => {
            let key = part(&rod_key(overlap.rods[1]), "shape");
            let problem = match cross_in_a_joint(scene, overlap.rods) {
                true => Problem::OverlapBesideJoint(overlap),
                false => Problem::Overlap(overlap),
            };
            scene.error(&key, problem)
        }
        ModelError::WeldedAndHeld { rod, node } if is_at_a_joint(scene, rod, node) => {
            let message = format!(
                "rod {rod} crosses another one at its node {node}, where it is clamped or held as well"
            );
            let remedy = "let it reach an edge farther beyond its outermost crossing, or name the others alone: weld_crossings = { rods = [..] }";
            scene.error("weld_crossings", Problem::conflict(message, remedy))
        }
        ModelError::Joined { .. } => scene.error("output.joined", Problem::Model(error)),
        ModelError::NoSuchRod { what, .. } if what.contains("joined") => {
            scene.error("output.joined", Problem::Model(error))
        }
        ModelError::Index { rod, .. } | ModelError::NoSuchRod { rod, .. } => {
            scene.error(&rod_key(rod), Problem::Model(error))
        }
        ModelError::ObstacleOverlap(overlap) => {
            let key = format!("obstacles[{}].shape", overlap.obstacle);
            scene.error(&key, Problem::Model(error))
        }
        ModelError::NarrowWall(narrow) => {
            let key = format!("obstacles[{}].shape", narrow.obstacle);
            scene.error(&key, Problem::Model(error))
        }
        ModelError::ObstaclesWithoutContact(_) => {
            scene.error("contact.model", Problem::Model(error))
        }
        ModelError::NoRod => scene.error("rods", Problem::Model(error)),
        ModelError::Setting { key, .. } => {
            let path = match key {
                "gravity" => "gravity.acceleration",
                "viscous damping" => "damping.viscosity",
                "wind velocity" => "wind.velocity",
                "wind drag" => "wind.drag",
                "contact tolerance" => "contact.tolerance",
                "contact stiffness" => "contact.stiffness",
                "friction coefficient" => "contact.friction",
                "slip tolerance" => "contact.slip_tolerance",
                "presliding" => "contact.presliding",
                "friction rounds" => "contact.friction_solve",
                "contact energy sharpness" => "contact.energy_sharpness",
                "contact distance sharpness" => "contact.distance_sharpness",
                "slip limit" => "contact.slip_limit",
                "slip sharpness" => "contact.slip_sharpness",
                "viscosity" => "fluid.viscosity",
                "regularisation" => "fluid.regularisation",
                "tangential drag coefficient" | "normal drag coefficient" => "fluid.rule",
                other => other,
            };
            scene.error(path, Problem::Model(error))
        }
        ModelError::Directions { setting, .. } => {
            let path = match setting {
                "friction rounds" => "contact.friction_solve",
                "static friction" => "contact.static_friction",
                _ => "contact.model",
            };
            scene.error(path, Problem::Model(error))
        }
        ModelError::Pairing { .. } => scene.error("contact.model", Problem::Model(error)),
        ModelError::NoSuchBody { body, .. } | ModelError::Body { body, .. } => {
            let bodies = scene.spec.all_bodies();
            let key = bodies.get(body).map_or("bodies", |(key, _)| key);
            scene.error(key, Problem::Model(error))
        }
        ModelError::Joint { joint, .. } => {
            let joints = scene.spec.all_joints();
            let key = joints.get(joint).map_or("joints", |(key, _)| key);
            scene.error(key, Problem::Model(error))
        }
        ModelError::Welded { rod, .. } | ModelError::WeldedAndHeld { rod, .. } => {
            scene.error(&format!("rods[{rod}]"), Problem::Model(error))
        }
    }
}
