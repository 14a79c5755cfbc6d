//! What a scene file says, checked key by key, with every default filled in. Not physics types:
//! `build` converts them once.

mod along;
mod bending;
mod body;
pub(crate) mod centreline;
mod contact;
mod crossings;
mod environment;
mod fluid;
mod foundation;
mod index;
mod joint;
mod load;
mod magnetic;
mod material_in_time;
mod motion;
mod numbers;
mod obstacle;
mod perturbation;
mod repeat;
mod rod;
mod schedule;
mod section;
mod shape;
mod solid;
mod spin_inertia;
mod stop;
mod support;
mod tables;
mod time;
mod wind;

pub(crate) use along::Places;
pub use bending::BendingSpec;
pub use body::{BodySpec, GuideSpec, OrientationSpec, RodRef, WeldSpec};
pub use contact::{
    ContactKind, ContactSpec, FrictionSolveSpec, JacobianSpec, OwnKeys, StaticFrictionSpec,
    StiffnessSpec,
};
pub(crate) use crossings::{CrossingsSpec, WeldCrossings};
pub use environment::{DampingSpec, GravitySpec};
pub use fluid::{
    CouplingKind, FLUID_DENSITY, FluidKind, FluidSpec, LARGEST_REYNOLDS, ResistiveRule,
};
pub use foundation::{FoundationSpec, PlaneSpec};
pub use index::EndRef;
pub use joint::{HingeSpec, JointSpec};
pub use load::{ForceSpec, MomentSpec};
pub use magnetic::{LineLoadSpec, MagneticFieldSpec};
pub use material_in_time::{DrivenSpec, RelaxingSpec, StrainKind, ViscousSpec};
pub use motion::{MotionSpec, RotationSpec, TranslationSpec};
pub use obstacle::{
    AxisSpec, BoxSpec, DirectionsSpec, FunnelSpec, HalfSpaceSpec, MeshSpec, ObstacleShapeSpec,
    ObstacleSpec, SphereSpec,
};
pub use perturbation::{PERTURBATION_PER_RADIUS, PerturbationSpec};
pub(crate) use repeat::{RandomPlace, RandomTurn, RepeatSpec, RepeatTable};
pub use rod::{OverrideSpec, RestSpec, RodSpec};
pub use schedule::{AmplitudeSpec, AngleSpec, InSi, RampSpec, ScheduleSpec, SineSpec};
pub use section::{MaterialSpec, SectionSpec};
pub use shape::{ArcSpec, HelixSpec, RingSpec, ShapeSpec, StraightSpec};
pub use solid::SolidSpec;
pub use spin_inertia::SpinInertiaSpec;
pub use stop::{AtRestSpec, StopSpec};
pub use support::{Axes, ClampSpec, HeldAngleSpec, HeldSpec};
pub use time::{
    CertifySpec, EngineKind, IntegratorKind, LineSearchKind, OutputSpec, SchemeKind, TimeSpec,
};
pub use wind::{GustSpec, WindDragSpec, WindSpec};

pub(crate) use fluid::SLENDER_BODY_REGULARISATION;
pub(crate) use section::{POISSON, radius};
pub(crate) use shape::{edges, unit};
pub(crate) use tables::tables;

use crate::error::SceneError;
use crate::tree::{At, Keys, Read, Section};

/// A point or displacement, m.
pub type Point = [crate::units::Length; 3];
/// A direction; its length does not matter.
pub type Direction = [crate::units::Number; 3];

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

/// The keys of a section, if it is there.
fn subsection<'a, S: Section>(at: Option<At<'a>>) -> Result<Option<Keys<'a>>, SceneError> {
    at.map(|at| Keys::new(&at, &S::known())).transpose()
}

/// A section as its keys say, or else the default.
pub(crate) fn part<S: Section>(at: Option<At>, default: S) -> Result<S, SceneError> {
    match subsection::<S>(at)? {
        Some(keys) => S::keyed(&keys, default),
        None => Ok(default),
    }
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
