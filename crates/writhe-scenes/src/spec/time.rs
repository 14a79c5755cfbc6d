//! Time stepping and output.

use serde::{Serialize, Serializer};
use writhe::certificate::Certify;

use super::subsection;
use crate::error::{Problem, SceneError};
use crate::tree::{At, Keys, Read, Section, Value, positive, section, words};
use crate::units::{AngularSpeed, Number, Time};

words! {
    /// How a step is made.
    pub enum IntegratorKind {
        /// By Newton's method, forces at its end.
        Implicit = "implicit",
        /// Symplectic Euler, material frames at rest, lengths kept by projection (Bergou et al.
        /// 2008).
        SymplecticProjected = "symplectic-projected",
    }
}

words! {
    /// What moves rigid bodies in explicit steps.
    pub enum EngineKind {
        /// Nothing but rods joins them, and they do not meet.
        Free = "free",
        /// Rapier: with joints and collisions of its own.
        Rapier = "rapier",
    }
}

words! {
    /// Time scheme.
    pub enum SchemeKind {
        /// First order, strongly damped.
        BackwardEuler = "backward-euler",
        /// Second order, damps what the step does not resolve.
        Bdf2 = "bdf2",
        /// BDF2 made exact for motion at `rate`.
        FittedBdf2 = "fitted-bdf2",
        /// Second order, conserves energy of linear systems.
        ImplicitMidpoint = "implicit-midpoint",
    }
}

words! {
    /// How Newton's correction is shortened.
    pub enum LineSearchKind {
        /// Chosen by the forces present.
        Automatic = "automatic",
        /// Goldstein-Price.
        Goldstein = "goldstein",
        /// Full steps.
        None = "none",
    }
}

section! {
    /// Time stepping.
    #[derive(Copy)]
    pub struct TimeSpec {
        /// Simulated time, s.
        pub duration: Time = Time::new(1.0) => positive,
        /// Largest step, s; the first one where `accuracy` is given.
        pub step: Time = Time::new(1e-3) => positive,
        /// What the errors of all steps may sum to, in radii: steps of `bdf2` and `fitted-bdf2`
        /// choose their size by it. Without, steps are as large as `step` says.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub accuracy: Option<Number> = None,
        /// Largest step where `accuracy` is given, s; the duration unless given.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub largest_step: Option<Time> = None,
        /// Step below which the run is given up, s.
        pub smallest_step: Time = Time::new(1e-9) => positive,
        /// How a step is made.
        pub integrator: IntegratorKind = IntegratorKind::Implicit,
        /// What moves rigid bodies in explicit steps.
        pub engine: EngineKind = EngineKind::Free,
        /// Time scheme of implicit steps.
        pub scheme: SchemeKind = SchemeKind::Bdf2,
        /// Rate of the fitted scheme, rad/s; the scene's rotation rate unless given.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub rate: Option<AngularSpeed> = None,
        /// Newton stops when no node moves by more than this many radii ...
        pub tolerance: Number = Number::new(1e-6) => positive,
        /// ... and the residual is below this fraction of the largest force.
        pub residual_tolerance: Number = Number::new(1e-6) => positive,
        /// Newton iterations before a step is given up.
        pub max_iterations: usize = 40,
        /// How Newton's correction is shortened.
        pub line_search: LineSearchKind = LineSearchKind::Automatic,
        /// Whether a failed step is tried again with half its size.
        pub adaptive: bool = true,
        /// Whether the run starts from static equilibrium: before it, rods move to where forces
        /// balance.
        pub settle: bool = false,
    }
}

/// Newton's tolerance over the accuracy of a run, and its bounds: errors of that size add up like
/// those of steps, and early ends of the method leave a twentieth of it.
const TOLERANCE: (f64, [f64; 2]) = (5e-3, [1e-10, 1e-4]);

/// Newton's tolerance, in radii, of a run of this accuracy, in radii.
fn tolerance_for(accuracy: f64) -> f64 {
    let (share, [least, most]) = TOLERANCE;
    (share * accuracy).clamp(least, most)
}

/// Step over smallest step where the step is below the smallest one that is usual.
const HALVINGS: f64 = 1024.0;

impl TimeSpec {
    /// `rate` is that of the scene's own motion, if it has one.
    pub(crate) fn read(
        keys: &Keys,
        default: Self,
        rate: Option<AngularSpeed>,
    ) -> Result<Self, SceneError> {
        let default = Self { rate, ..default };
        let Some(keys) = subsection::<Self>(keys, "time")? else {
            return Ok(default.with_room_below());
        };
        let mut spec = Self::keyed(&keys, default)?;
        if keys.at("smallest_step").is_none() {
            spec = spec.with_room_below();
        }
        spec.check(&keys)?;
        if let Some(accuracy) = spec.accuracy
            && keys.at("tolerance").is_none()
        {
            spec.tolerance = Number::new(tolerance_for(accuracy.si()));
        }
        Ok(spec)
    }

    /// Steps of this size at most for so long, s each.
    pub fn new(duration: f64, step: f64) -> Self {
        Self {
            duration: Time::new(duration),
            step: Time::new(step),
            ..Self::default()
        }
    }

    /// The same with a smallest step below the step, where nobody chose it.
    fn with_room_below(self) -> Self {
        let smallest = self.smallest_step.si();
        Self {
            smallest_step: match smallest <= self.step.si() {
                true => self.smallest_step,
                false => Time::new(self.step.si() / HALVINGS),
            },
            ..self
        }
    }

    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        for (name, value) in [
            ("tolerance", self.tolerance.si()),
            ("residual_tolerance", self.residual_tolerance.si()),
        ] {
            let need = "at most 1 (a part of the radius, and of the largest force)";
            keys.check(name, value, value <= 1.0, need)?;
        }
        let (step, smallest) = (self.step.si(), self.smallest_step.si());
        let need = format!("at most the step, {step} s");
        keys.check("smallest_step", smallest, smallest <= step, &need)?;
        self.check_accuracy(keys)?;
        let iterations = self.max_iterations;
        let good = (1..=100_000).contains(&iterations);
        keys.check_shown(
            "max_iterations",
            &iterations.to_string(),
            good,
            "from 1 to 100000",
        )?;
        match (self.scheme, self.rate) {
            (SchemeKind::FittedBdf2, None) => Err(keys.missing(
                "rate",
                "the rate at which the scene is driven, such as \"15 rpm\" (nothing in it turns steadily; or use scheme = \"bdf2\")".into(),
            )),
            (_, Some(rate)) => keys.positive("rate", rate.si()),
            _ => Ok(()),
        }
    }
}

impl TimeSpec {
    /// Whether an accuracy goes with the rest.
    fn check_accuracy(&self, keys: &Keys) -> Result<(), SceneError> {
        let Some(accuracy) = self.accuracy.map(Number::si) else {
            return match self.largest_step {
                Some(_) => keys.conflict(
                    "largest_step",
                    Problem::conflict(
                        "it bounds steps that choose their size by an accuracy, and none is given",
                        "set time.step, which is the largest step then, or give time.accuracy",
                    ),
                ),
                None => Ok(()),
            };
        };
        let need = "from 1e-9 to 1 (the sum of the errors of all steps, in radii)";
        keys.check("accuracy", accuracy, (1e-9..=1.0).contains(&accuracy), need)?;
        if let Some(largest) = self.largest_step.map(Time::si) {
            let need = format!("at least the first step, {} s", self.step.si());
            keys.check("largest_step", largest, largest >= self.step.si(), &need)?;
        }
        let (what, remedy) = match (self.integrator, self.scheme) {
            (IntegratorKind::SymplecticProjected, _) => (
                "the integrator symplectic-projected",
                "leave out time.accuracy, and set time.step",
            ),
            (_, SchemeKind::BackwardEuler | SchemeKind::ImplicitMidpoint) => (
                "this scheme",
                "set time.scheme = \"bdf2\", or leave out time.accuracy and set time.step",
            ),
            _ if !self.adaptive => (
                "adaptive = false",
                "leave out time.accuracy or time.adaptive: steps of one size cannot follow an error",
            ),
            _ => return Ok(()),
        };
        let message = format!(
            "steps choose their size by an accuracy with bdf2 and fitted-bdf2, not with {what}"
        );
        keys.conflict("accuracy", Problem::conflict(message, remedy))
    }
}

/// Whether outputs carry certificates: types of knots, linking numbers, twist and writhe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertifySpec {
    /// If a rod is closed or knotted at the start.
    Automatic,
    /// As given.
    Given(bool),
}

impl From<CertifySpec> for Certify {
    fn from(spec: CertifySpec) -> Self {
        match spec {
            CertifySpec::Automatic => Self::Automatic,
            CertifySpec::Given(true) => Self::On,
            CertifySpec::Given(false) => Self::Off,
        }
    }
}

impl Serialize for CertifySpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Automatic => serializer.serialize_str("automatic"),
            Self::Given(given) => serializer.serialize_bool(*given),
        }
    }
}

impl Read for CertifySpec {
    fn wanted() -> String {
        "true, false or \"automatic\"".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match &at.node.value {
            Value::Boolean(given) => Ok(Self::Given(*given)),
            Value::Text(_) => at.word(&[("automatic", Self::Automatic)]),
            _ => at.wrong_type(Self::wanted()),
        }
    }
}

/// What is written when.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OutputSpec {
    /// Simulated time between frames, s; a 200th of the duration unless given.
    pub every: Time,
    /// Simulated time between checkpoints, s, beside those that the clock asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint_every: Option<Time>,
    /// Whether outputs carry certificates.
    pub certify: CertifySpec,
    /// Open rods that certificates take for one closed curve, the last end of each joined to the
    /// first of the next.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joined: Vec<Vec<usize>>,
    /// Whether the table of observables has columns of what each support exerts; if there are at
    /// most a dozen supports unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supports: Option<bool>,
}

pub(crate) const OUTPUT_KEYS: &[&str] =
    &["every", "checkpoint_every", "certify", "joined", "supports"];

impl OutputSpec {
    pub(crate) fn read(
        keys: &Keys,
        duration: f64,
        certify: CertifySpec,
        joined: Vec<Vec<usize>>,
    ) -> Result<Self, SceneError> {
        let default = Self {
            every: Time::new(duration / 200.0),
            checkpoint_every: None,
            certify,
            joined,
            supports: None,
        };
        let Some(at) = keys.at("output") else {
            return Ok(default);
        };
        let keys = Keys::new(&at, OUTPUT_KEYS)?;
        let spec = Self {
            every: keys.or("every", default.every)?,
            checkpoint_every: keys.optional("checkpoint_every")?,
            certify: keys.or("certify", default.certify)?,
            joined: keys.or("joined", default.joined)?,
            supports: keys.optional("supports")?,
        };
        keys.positive("every", spec.every.si())?;
        if let Some(every) = spec.checkpoint_every {
            keys.positive("checkpoint_every", every.si())?;
        }
        Ok(spec)
    }
}
