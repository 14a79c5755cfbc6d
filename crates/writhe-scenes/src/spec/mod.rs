//! What a scene file says, checked key by key, with every default filled in. Not physics types: `build` converts them once.

mod bending;
mod body;
mod contact;
mod environment;
mod fluid;
mod index;
mod joint;
mod load;
mod motion;
mod obstacle;
mod perturbation;
mod rod;
mod section;
mod shape;
mod solid;
mod stop;
mod support;
mod time;
mod wind;

use serde::Serialize;

pub use bending::BendingSpec;
pub use body::{BodySpec, GuideSpec, OrientationSpec, RodRef, WeldSpec};
pub use contact::{
    ContactKind, ContactSpec, FrictionSolveSpec, JacobianSpec, OwnKeys, StaticFrictionSpec,
    StiffnessSpec,
};
pub use environment::{DampingSpec, GravitySpec};
pub use fluid::{
    CouplingKind, FLUID_DENSITY, FluidKind, FluidSpec, LARGEST_REYNOLDS, ResistiveRule,
};
pub use index::EndRef;
pub use joint::{HingeSpec, JointSpec};
pub use load::{ForceSpec, MomentSpec};
pub use motion::{AmplitudeSpec, AngleSpec, MotionSpec, RotationSpec, ScheduleSpec};
pub use obstacle::{
    AxisSpec, BoxSpec, HalfSpaceSpec, MeshSpec, ObstacleShapeSpec, ObstacleSpec, SphereSpec,
};
pub use perturbation::{PERTURBATION_PER_RADIUS, PerturbationSpec};
pub use rod::{OverrideSpec, RestSpec, RodSpec};
pub use section::{MaterialSpec, SectionSpec};
pub use shape::{ArcSpec, HelixSpec, RingSpec, ShapeSpec, StraightSpec};
pub use solid::SolidSpec;
pub use stop::StopSpec;
pub use support::{ClampSpec, HeldAngleSpec, HeldSpec};
pub use time::{
    CertifySpec, EngineKind, IntegratorKind, LineSearchKind, OutputSpec, SchemeKind, TimeSpec,
};
pub use wind::{GustSpec, WindDragSpec, WindSpec};

pub(crate) use fluid::SLENDER_BODY_REGULARISATION;
pub(crate) use section::check_poisson;
pub(crate) use shape::{read_edges, unit};

use crate::error::{Problem, SceneError};
use crate::named::NamedScene;
use crate::tree::{At, Keys, Read};
use crate::units::AngularSpeed;

/// A point or displacement, m.
pub type Point = [crate::units::Length; 3];
/// A direction; its length does not matter.
pub type Direction = [crate::units::Number; 3];

/// A whole scene, with every default.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneSpec {
    /// What the scene is called in reports.
    pub title: String,
    /// A named scene, which makes its own rods.
    #[serde(rename = "scene", skip_serializing_if = "Option::is_none")]
    pub named: Option<NamedScene>,
    /// How far rods deviate from their shapes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perturbation: Option<PerturbationSpec>,
    /// How the curvature of a vertex is measured.
    pub bending: BendingSpec,
    /// Gravity.
    pub gravity: GravitySpec,
    /// Damping by the surroundings.
    pub damping: DampingSpec,
    /// Wind, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wind: Option<WindSpec>,
    /// Fluid around the rods.
    pub fluid: FluidSpec,
    /// Contact.
    pub contact: ContactSpec,
    /// Time stepping.
    pub time: TimeSpec,
    /// What ends the run before its time.
    #[serde(skip_serializing_if = "StopSpec::is_empty")]
    pub stop: StopSpec,
    /// What is written when.
    pub output: OutputSpec,
    /// Rods of a free scene.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rods: Vec<RodSpec>,
    /// What is rigid and in their way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<ObstacleSpec>,
    /// What is rigid and moves with rods.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<BodySpec>,
    /// What joins bodies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<JointSpec>,
}

/// What a scene takes where its file says nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Defaults {
    /// Title.
    pub title: String,
    /// Gravity.
    pub gravity: GravitySpec,
    /// Damping.
    pub damping: DampingSpec,
    /// Wind.
    pub wind: Option<WindSpec>,
    /// Fluid.
    pub fluid: FluidSpec,
    /// Contact.
    pub contact: ContactSpec,
    /// Time; its rate is that of the rods' motion unless given.
    pub time: TimeSpec,
    /// Whether outputs carry certificates.
    pub certify: CertifySpec,
    /// Open rods that certificates take for one closed curve.
    pub joined: Vec<Vec<usize>>,
}

impl Default for Defaults {
    fn default() -> Self {
        Self {
            title: "Elastic rods".to_owned(),
            gravity: GravitySpec::default(),
            damping: DampingSpec::default(),
            wind: None,
            fluid: FluidSpec::default(),
            contact: ContactSpec::default(),
            time: TimeSpec::default(),
            certify: CertifySpec::Automatic,
            joined: Vec::new(),
        }
    }
}

const KEYS: &[&str] = &[
    "title",
    "scene",
    "rods",
    "obstacles",
    "bodies",
    "joints",
    "perturbation",
    "bending",
    "gravity",
    "damping",
    "wind",
    "fluid",
    "contact",
    "time",
    "stop",
    "output",
];

impl SceneSpec {
    pub(crate) fn read(root: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(root, KEYS)?;
        let named = keys.optional::<NamedScene>("scene")?;
        let rods = match keys.at("rods").filter(|_| named.is_some()) {
            Some(at) => return at.fail(both_kinds_of_rods()),
            None => keys.or("rods", Vec::<RodSpec>::new())?,
        };
        if named.is_none() && rods.is_empty() {
            return Err(keys.missing(
                "rods",
                "[[rods]] sections, or [scene] name = \"flagella\"".into(),
            ));
        }
        let defaults = named
            .as_ref()
            .map_or_else(Defaults::default, NamedScene::defaults);
        let rate = named
            .as_ref()
            .map_or_else(|| largest_rate(&rods), NamedScene::rate)
            .map(AngularSpeed::new);
        let time = TimeSpec::read(&keys, defaults.time, rate)?;
        Ok(Self {
            title: keys.or("title", defaults.title)?,
            perturbation: keys.optional("perturbation")?,
            bending: keys.or("bending", BendingSpec::Averaged)?,
            gravity: GravitySpec::read(&keys, defaults.gravity)?,
            damping: DampingSpec::read(&keys, defaults.damping)?,
            wind: WindSpec::read(&keys, defaults.wind)?,
            fluid: FluidSpec::read(&keys, defaults.fluid)?,
            contact: ContactSpec::read(&keys, defaults.contact)?,
            stop: StopSpec::read(&keys)?,
            output: OutputSpec::read(&keys, time.duration.si(), defaults.certify, defaults.joined)?,
            time,
            named,
            rods,
            obstacles: keys.or("obstacles", Vec::new())?,
            bodies: keys.or("bodies", Vec::new())?,
            joints: keys.or("joints", Vec::new())?,
        })
    }

    /// The rods to build and the key under which errors about them are reported.
    pub fn all_rods(&self) -> Vec<(String, RodSpec)> {
        match &self.named {
            Some(named) => {
                let rods = named.rods().into_iter();
                rods.map(|r| ("scene".to_owned(), r)).collect()
            }
            None => {
                let rods = self.rods.iter().enumerate();
                rods.map(|(i, r)| (format!("rods[{i}]"), r.clone()))
                    .collect()
            }
        }
    }

    /// The bodies to build, those of a named scene first, and the key under which errors about them are reported.
    pub fn all_bodies(&self) -> Vec<(String, BodySpec)> {
        self.all(NamedScene::bodies, "bodies", &self.bodies)
    }

    /// The joints between bodies, in the same way.
    pub fn all_joints(&self) -> Vec<(String, JointSpec)> {
        self.all(NamedScene::joints, "joints", &self.joints)
    }

    /// What a named scene brings, then what stands in a section, with keys.
    fn all<T: Clone>(
        &self,
        brings: fn(&NamedScene) -> Vec<T>,
        section: &str,
        own: &[T],
    ) -> Vec<(String, T)> {
        let named = self.named.as_ref().map_or_else(Vec::new, brings);
        let named = named.into_iter().map(|item| ("scene".to_owned(), item));
        let own = own.iter().enumerate();
        let own = own.map(|(i, item)| (format!("{section}[{i}]"), item.clone()));
        named.chain(own).collect()
    }
}

/// Largest rate, rad/s, at which any clamp or held node turns steadily.
fn largest_rate(rods: &[RodSpec]) -> Option<f64> {
    let clamps = rods.iter().flat_map(|r| r.clamps.iter().map(|c| &c.motion));
    let held = rods.iter().flat_map(|r| r.held.iter().map(|h| &h.motion));
    clamps
        .chain(held)
        .filter_map(MotionSpec::rate)
        .reduce(f64::max)
}

fn both_kinds_of_rods() -> Problem {
    Problem::Conflict {
        message: "a named scene makes its own rods".into(),
        remedy: "remove [[rods]], or remove [scene] and describe all rods here".into(),
    }
}

/// A section that may be missing: its keys, if it is there.
pub(crate) fn subsection<'a>(
    keys: &Keys<'a>,
    name: &str,
    known: &'static [&'static str],
) -> Result<Option<Keys<'a>>, SceneError> {
    keys.at(name).map(|at| Keys::new(&at, known)).transpose()
}

/// Refuses a direction of zero length.
pub(crate) fn check_direction(keys: &Keys, name: &str, d: &Direction) -> Result<(), SceneError> {
    let length = d.iter().map(|x| x.si() * x.si()).sum::<f64>();
    keys.check_shown(
        name,
        "[0, 0, 0]",
        length > 0.0,
        "a direction of length greater than zero",
    )
}

impl<T: Read, V: Read> Read for (T, V) {
    fn wanted() -> String {
        format!("a list of 2: {} and {}", T::wanted(), V::wanted())
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match at.elements().as_deref() {
            Some([a, b]) => Ok((T::read(a)?, V::read(b)?)),
            _ => at.wrong_type(Self::wanted()),
        }
    }
}
