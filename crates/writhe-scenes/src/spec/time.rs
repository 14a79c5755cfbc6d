//! Time stepping and output.

use serde::{Serialize, Serializer};
use writhe::certificate::Certify;

use super::subsection;
use crate::error::SceneError;
use crate::tree::{At, Keys, Read, Value};
use crate::units::{AngularSpeed, Number, Time};

/// How a step is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntegratorKind {
    /// By Newton's method, forces at its end.
    Implicit,
    /// Symplectic Euler, material frames at rest, lengths kept by projection (Bergou et al. 2008).
    SymplecticProjected,
}

/// What moves rigid bodies in explicit steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineKind {
    /// Nothing but rods joins them, and they do not meet.
    Free,
    /// Rapier: with joints and collisions of its own.
    Rapier,
}

/// Time scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SchemeKind {
    /// First order, strongly damped.
    BackwardEuler,
    /// Second order, damps what the step does not resolve.
    Bdf2,
    /// BDF2 made exact for motion at `rate`.
    FittedBdf2,
    /// Second order, conserves energy of linear systems.
    ImplicitMidpoint,
}

/// How Newton's correction is shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineSearchKind {
    /// Chosen by the forces present.
    Automatic,
    /// Goldstein-Price.
    Goldstein,
    /// Full steps.
    None,
}

/// Time stepping.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TimeSpec {
    /// Simulated time, s.
    pub duration: Time,
    /// Largest step, s.
    pub step: Time,
    /// Step below which the run is given up, s.
    pub smallest_step: Time,
    /// How a step is made.
    pub integrator: IntegratorKind,
    /// What moves rigid bodies in explicit steps.
    pub engine: EngineKind,
    /// Time scheme of implicit steps.
    pub scheme: SchemeKind,
    /// Rate of the fitted scheme, rad/s; the scene's rotation rate unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<AngularSpeed>,
    /// Newton stops when no node moves by more than this many radii ...
    pub tolerance: Number,
    /// ... and the residual is below this fraction of the largest force.
    pub residual_tolerance: Number,
    /// Newton iterations before a step is given up.
    pub max_iterations: usize,
    /// How Newton's correction is shortened.
    pub line_search: LineSearchKind,
    /// Whether a failed step is tried again with half its size.
    pub adaptive: bool,
    /// Whether the run starts from static equilibrium: before it, rods move to where forces balance.
    pub settle: bool,
}

impl Default for TimeSpec {
    fn default() -> Self {
        Self {
            duration: Time::new(1.0),
            step: Time::new(1e-3),
            smallest_step: Time::new(1e-9),
            integrator: IntegratorKind::Implicit,
            engine: EngineKind::Free,
            scheme: SchemeKind::Bdf2,
            rate: None,
            tolerance: Number::new(1e-6),
            residual_tolerance: Number::new(1e-6),
            max_iterations: 40,
            line_search: LineSearchKind::Automatic,
            adaptive: true,
            settle: false,
        }
    }
}

const KEYS: &[&str] = &[
    "duration",
    "step",
    "smallest_step",
    "integrator",
    "engine",
    "scheme",
    "rate",
    "tolerance",
    "residual_tolerance",
    "max_iterations",
    "line_search",
    "adaptive",
    "settle",
];

/// Step over smallest step where the step is below the smallest one that is usual.
const HALVINGS: f64 = 1024.0;

impl TimeSpec {
    /// `rate` is that of the scene's own motion, if it has one.
    pub(crate) fn read(
        keys: &Keys,
        default: Self,
        rate: Option<AngularSpeed>,
    ) -> Result<Self, SceneError> {
        let found = subsection(keys, "time", KEYS)?;
        let Some(keys) = &found else {
            return Ok(Self { rate, ..default }.with_room_below());
        };
        let word = |name: &str| keys.at(name);
        let spec = Self {
            duration: keys.or("duration", default.duration)?,
            step: keys.or("step", default.step)?,
            smallest_step: default.smallest_step,
            integrator: word("integrator").map_or(Ok(default.integrator), |at| {
                at.word(&[
                    ("implicit", IntegratorKind::Implicit),
                    ("symplectic-projected", IntegratorKind::SymplecticProjected),
                ])
            })?,
            engine: word("engine").map_or(Ok(default.engine), |at| {
                at.word(&[("free", EngineKind::Free), ("rapier", EngineKind::Rapier)])
            })?,
            scheme: word("scheme").map_or(Ok(default.scheme), |at| {
                at.word(&[
                    ("backward-euler", SchemeKind::BackwardEuler),
                    ("bdf2", SchemeKind::Bdf2),
                    ("fitted-bdf2", SchemeKind::FittedBdf2),
                    ("implicit-midpoint", SchemeKind::ImplicitMidpoint),
                ])
            })?,
            rate: keys.optional("rate")?.or(rate),
            tolerance: keys.or("tolerance", default.tolerance)?,
            residual_tolerance: keys.or("residual_tolerance", default.residual_tolerance)?,
            max_iterations: keys.or("max_iterations", default.max_iterations)?,
            line_search: word("line_search").map_or(Ok(default.line_search), |at| {
                at.word(&[
                    ("automatic", LineSearchKind::Automatic),
                    ("goldstein", LineSearchKind::Goldstein),
                    ("none", LineSearchKind::None),
                ])
            })?,
            adaptive: keys.or("adaptive", default.adaptive)?,
            settle: keys.or("settle", default.settle)?,
        };
        let spec = match keys.optional("smallest_step")? {
            Some(smallest_step) => Self {
                smallest_step,
                ..spec
            },
            None => spec.with_room_below(),
        };
        spec.check(keys)?;
        Ok(spec)
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
            ("duration", self.duration.si()),
            ("step", self.step.si()),
            ("smallest_step", self.smallest_step.si()),
            ("tolerance", self.tolerance.si()),
            ("residual_tolerance", self.residual_tolerance.si()),
        ] {
            keys.positive(name, value)?;
        }
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
    /// Simulated time between checkpoints, s; a 20th of the duration unless given.
    pub checkpoint_every: Time,
    /// Whether outputs carry certificates.
    pub certify: CertifySpec,
    /// Open rods that certificates take for one closed curve, the last end of each joined to the first of the next.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joined: Vec<Vec<usize>>,
}

const OUTPUT_KEYS: &[&str] = &["every", "checkpoint_every", "certify", "joined"];

impl OutputSpec {
    pub(crate) fn read(
        keys: &Keys,
        duration: f64,
        certify: CertifySpec,
        joined: Vec<Vec<usize>>,
    ) -> Result<Self, SceneError> {
        let default = Self {
            every: Time::new(duration / 200.0),
            checkpoint_every: Time::new(duration / 20.0),
            certify,
            joined,
        };
        let Some(keys) = subsection(keys, "output", OUTPUT_KEYS)? else {
            return Ok(default);
        };
        let spec = Self {
            every: keys.or("every", default.every)?,
            checkpoint_every: keys.or("checkpoint_every", default.checkpoint_every)?,
            certify: keys.or("certify", default.certify)?,
            joined: keys.or("joined", default.joined)?,
        };
        keys.positive("every", spec.every.si())?;
        keys.positive("checkpoint_every", spec.checkpoint_every.si())?;
        Ok(spec)
    }
}
