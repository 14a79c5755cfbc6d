//! Settings against each other; supports and loads against the rod that they act on.

use writhe::model::Model;
use writhe::rod::Rod;
use writhe::step::{NotExplicit, StepError, supports};

use super::contact_model;
use super::part;
use crate::error::{Problem, SceneError};
use crate::scene::Scene;
use crate::spec::{EndRef, EngineKind, FluidKind, IntegratorKind, MotionSpec, RodSpec, SchemeKind};

struct Checker<'a> {
    scene: &'a Scene,
    key: &'a str,
    nodes: usize,
    edges: usize,
}

/// Models that cannot be what they promise together.
pub(super) fn pairings(scene: &Scene) -> Result<(), SceneError> {
    let (contact, time) = (&scene.spec.contact, &scene.spec.time);
    let needs_end = contact_model(contact).policy().needs_end;
    if needs_end && time.scheme == SchemeKind::ImplicitMidpoint {
        let problem = Problem::conflict(
            format!(
                "the contact model {} cannot keep rods apart with the scheme implicit-midpoint: it watches the gaps in the middle of a \
                 step, and the end is extrapolated from there",
                contact.model.word()
            ),
            "choose the scheme bdf2 or backward-euler, or the contact model imc",
        );
        return Err(scene.error("contact.model", problem));
    }
    if time.scheme == SchemeKind::ImplicitMidpoint {
        rides(scene)?;
    }
    accuracy(scene)?;
    engine(scene)?;
    if time.integrator == IntegratorKind::SymplecticProjected {
        explicit(scene)?;
    } else {
        only_rods_touch(scene)?;
    }
    Ok(())
}

/// Errors of lagged drag are of first order, and no step sees them.
fn accuracy(scene: &Scene) -> Result<(), SceneError> {
    let (fluid, time) = (&scene.spec.fluid, &scene.spec.time);
    if !fluid.lags() || time.accuracy.is_none() {
        return Ok(());
    }
    let problem = Problem::conflict(
        "time.accuracy cannot be used with lagged drag, whose error is not measured",
        "set fluid.coupling = \"implicit\", or leave out time.accuracy and set time.step",
    );
    Err(scene.error("time.accuracy", problem))
}

/// Forces that are found by solving a step again: implicit steps know them between rods alone.
fn only_rods_touch(scene: &Scene) -> Result<(), SceneError> {
    let spec = &scene.spec;
    if !contact_model(&spec.contact).policy().impulsive() {
        return Ok(());
    }
    let what = match (spec.obstacles.is_empty(), spec.all_bodies().is_empty()) {
        (false, _) => "obstacles",
        (true, false) => "rigid bodies",
        (true, true) => return Ok(()),
    };
    let problem = Problem::conflict(
        format!(
            "with the contact model {}, implicit steps compute contact between rods only, and the scene has {what}",
            spec.contact.model.word()
        ),
        "set time.integrator = \"symplectic-projected\", or contact.model = \"imc\"",
    );
    Err(scene.error("contact.model", problem))
}

/// Contact on a body that may move is looked at where the step ends, which a midpoint step
/// extrapolates.
fn rides(scene: &Scene) -> Result<(), SceneError> {
    if scene.spec.time.integrator != IntegratorKind::Implicit {
        return Ok(());
    }
    let bodies = scene.spec.all_bodies();
    let Some((key, _)) = bodies.iter().find(|(_, body)| body.touch) else {
        return Ok(());
    };
    let problem = Problem::conflict(
        "rods cannot touch a body with the scheme implicit-midpoint: it balances contact in the middle of a step, and the end is \
         extrapolated from there",
        "choose the scheme bdf2 or backward-euler, or set touch = false",
    );
    Err(scene.error(&part(key, "touch"), problem))
}

/// What only an engine of bodies knows, and where there is one.
fn engine(scene: &Scene) -> Result<(), SceneError> {
    let conflict = |key: &str, message: &str, remedy: &str| {
        Err(scene.error(key, Problem::conflict(message, remedy)))
    };
    const TAKE: &str = "set time.integrator = \"symplectic-projected\" and time.engine = \"rapier\", or leave it out";
    let (spec, time) = (&scene.spec, &scene.spec.time);
    let explicit = time.integrator == IntegratorKind::SymplecticProjected;
    if time.engine == EngineKind::Rapier {
        if !explicit {
            let message = "the engine rapier moves bodies in explicit steps only";
            let remedy = "set time.integrator = \"symplectic-projected\", or leave the engine out";
            return conflict("time.engine", message, remedy);
        }
        let joints = spec.all_joints();
        if time.settle && !joints.is_empty() {
            let message = "the search for equilibrium cannot use the joints of the engine rapier";
            let remedy = "set time.settle = false, and damp the motion until it is at rest";
            return conflict("time.settle", message, remedy);
        }
        if let Some((key, _)) = joints.iter().find(|(_, j)| j.strength.is_some()) {
            let message = "joints of the engine rapier do not break";
            // Bodies that collide need the engine.
            let collide = spec.all_bodies().iter().any(|(_, body)| body.collide);
            let remedy = if collide {
                "leave out the strength"
            } else {
                "leave out the strength, or leave out time.engine and set time.integrator = \"implicit\""
            };
            return conflict(&part(key, "strength"), message, remedy);
        }
        return Ok(());
    }
    for (key, body) in spec.all_bodies() {
        if body.collide {
            let message = "bodies meet each other in the engine rapier only";
            return conflict(&part(&key, "collide"), message, TAKE);
        }
    }
    Ok(())
}

/// What explicit steps do not know, told under the key that brings it in.
fn explicit(scene: &Scene) -> Result<(), SceneError> {
    let (spec, engine) = (&scene.spec, scene.spec.time.engine);
    let coupled = spec.fluid.model == FluidKind::StokesletSegments;
    let contact = contact_model(&spec.contact).policy();
    let (key, what, instead) = match NotExplicit::among(&contact, coupled, false) {
        None => return Ok(()),
        Some(NotExplicit::ContactModel) => {
            let what = format!("the contact model {}", spec.contact.model.word());
            let scales = spec.rods.iter().any(|r| r.friction_by_direction.is_some())
                || spec
                    .obstacles
                    .iter()
                    .any(|o| o.friction_by_direction.is_some());
            let instead = match scales {
                true => "contact.model = \"none\" and leave out friction_by_direction",
                false => "contact.model = \"spillmann-teschner\" or \"none\"",
            };
            ("contact.model", what, instead)
        }
        Some(NotExplicit::Fluid) => {
            let what = "a fluid whose flow couples all nodes".to_owned();
            ("fluid.model", what, "fluid.model = \"resistive-force\"")
        }
        // Known of the model or of each rod only.
        Some(
            NotExplicit::SpinInertia
            | NotExplicit::DrivenShape
            | NotExplicit::Viscoelasticity
            | NotExplicit::MagnetsAcross,
        ) => return Ok(()),
    };
    let message = format!("the integrator symplectic-projected cannot compute {what}");
    // An engine goes with explicit steps only.
    let remedy = match engine {
        EngineKind::Free => format!("set time.integrator = \"implicit\", or {instead}"),
        EngineKind::Rapier => format!("set {instead}"),
    };
    Err(scene.error(key, Problem::conflict(message, remedy)))
}

/// Spins that explicit steps do not know: whether angles are held is known of the model.
pub(super) fn spins(scene: &Scene, model: &Model) -> Result<(), SceneError> {
    let explicit = scene.spec.time.integrator == IntegratorKind::SymplecticProjected;
    let unknown = StepError::Unsupported(NotExplicit::SpinInertia);
    match supports(model) {
        Err(error) if explicit && error == unknown => {
            let message = "the integrator symplectic-projected computes spin_inertia = \"full\" only for rods with a held angle";
            let remedy = match scene.spec.time.engine {
                EngineKind::Free => {
                    "set time.integrator = \"implicit\", or spin_inertia = \"angles\", or hold an angle of each rod"
                }
                EngineKind::Rapier => "set spin_inertia = \"angles\", or hold an angle of each rod",
            };
            Err(scene.error("spin_inertia", Problem::conflict(message, remedy)))
        }
        _ => Ok(()),
    }
}

/// Every node and edge must exist, and nothing may be held in two ways at once.
pub(super) fn supports_and_loads(
    scene: &Scene,
    key: &str,
    spec: &RodSpec,
    rod: &Rod,
) -> Result<(), SceneError> {
    let check = Checker {
        scene,
        key,
        nodes: rod.positions.len(),
        edges: rod.edges(),
    };
    for (i, c) in spec.clamps.iter().enumerate() {
        check.edge(c.edge, &format!("clamps[{i}].edge"))?;
    }
    for (i, h) in spec.held.iter().enumerate() {
        check.node(h.node, &format!("held[{i}].node"))?;
    }
    for (i, h) in spec.held_angles.iter().enumerate() {
        check.edge(h.edge, &format!("held_angles[{i}].edge"))?;
    }
    for (i, f) in spec.forces.iter().enumerate() {
        check.node(f.node, &format!("forces[{i}].node"))?;
        f.follows
            .map_or(Ok(()), |e| check.edge(e, &format!("forces[{i}].follows")))?;
    }
    for (i, m) in spec.moments.iter().enumerate() {
        check.edge(m.edge, &format!("moments[{i}].edge"))?;
    }
    check.held_once(spec)
}

impl Checker<'_> {
    fn node(&self, node: EndRef, name: &str) -> Result<(), SceneError> {
        self.exists("node", node.index(self.nodes), self.nodes, name)
    }

    fn edge(&self, edge: EndRef, name: &str) -> Result<(), SceneError> {
        self.exists("edge", edge.index(self.edges), self.edges, name)
    }

    fn exists(
        &self,
        item: &'static str,
        index: usize,
        count: usize,
        name: &str,
    ) -> Result<(), SceneError> {
        if index < count {
            return Ok(());
        }
        Err(self.scene.error(
            &part(self.key, name),
            Problem::NoSuch { item, index, count },
        ))
    }

    fn held_once(&self, spec: &RodSpec) -> Result<(), SceneError> {
        // (node, motion, axes) of all that hold nodes so far.
        let mut taken: Vec<(usize, &MotionSpec, [bool; 3])> = Vec::new();
        for (i, clamp) in spec.clamps.iter().enumerate() {
            let edge = clamp.edge.index(self.edges);
            for node in [edge, (edge + 1) % self.nodes] {
                let held = (node, &clamp.motion, [true; 3]);
                self.free(&taken, held, &format!("clamps[{i}]"))?;
                taken.push(held);
            }
        }
        for (i, h) in spec.held.iter().enumerate() {
            let held = (h.node.index(self.nodes), &h.motion, h.axes.0);
            self.free(&taken, held, &format!("held[{i}]"))?;
            taken.push(held);
        }
        for (i, h) in spec.held_angles.iter().enumerate() {
            let edge = h.edge.index(self.edges);
            if spec.clamps.iter().any(|c| c.edge.index(self.edges) == edge) {
                let message = format!("the angle of edge {edge} is already held by a clamp");
                return self.twice(&format!("held_angles[{i}]"), message);
            }
        }
        Ok(())
    }

    fn free(
        &self,
        taken: &[(usize, &MotionSpec, [bool; 3])],
        (node, motion, axes): (usize, &MotionSpec, [bool; 3]),
        name: &str,
    ) -> Result<(), SceneError> {
        let clash = |(n, m, a): &&(usize, &MotionSpec, [bool; 3])| {
            *n == node && *m != motion && (0..3).any(|k| a[k] && axes[k])
        };
        match taken.iter().find(clash) {
            Some(_) => self.twice(
                name,
                format!("node {node} is held twice, with different motions"),
            ),
            None => Ok(()),
        }
    }

    fn twice(&self, name: &str, message: String) -> Result<(), SceneError> {
        let problem = Problem::conflict(message, "remove one of the two");
        Err(self.scene.error(&part(self.key, name), problem))
    }
}
