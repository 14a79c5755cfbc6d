//! Time stepping and output.

use serde::{Serialize, Serializer};
use writhe::certificate::Certify;

use super::{part, subsection};
use crate::error::{Problem, SceneError};
use crate::tree::{At, Bound, Keys, POSITIVE, Read, Section, Value, described, section, words};
use crate::units::{AngularSpeed, Number, Time};

words! {
    /// How a step is made.
    pub enum IntegratorKind {
        /// By Newton's method, with the forces at its end.
        Implicit = "implicit",
        /// Explicitly: symplectic Euler, with lengths that are kept by projection and frames in
        /// equilibrium (Bergou et al. 2008).
        SymplecticProjected = "symplectic-projected",
    }
}

words! {
    /// What moves rigid bodies in explicit steps.
    pub enum EngineKind {
        /// A plain engine: bodies are joined by rods only and do not meet each other.
        Free = "free",
        /// Rapier, with its joints and collisions.
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
        /// As the forces that are present need it.
        Automatic = "automatic",
        /// By the rule of Goldstein and Price.
        Goldstein = "goldstein",
        /// Never.
        None = "none",
    }
}

section! {
    /// Time stepping.
    #[derive(Copy)]
    pub struct TimeSpec {
        /// Simulated time.
        pub duration: Time = Time::new(1.0) => POSITIVE,
        /// Largest step; the first one where `accuracy` is given.
        pub step: Time = Time::new(1e-3) => POSITIVE,
        /// What the errors of all steps may sum to, in radii: steps of `bdf2` and `fitted-bdf2`
        /// choose their size by it. Steps are as large as `step` says unless given.
        pub accuracy: Option<Number> = None => ACCURACY,
        /// Largest step where `accuracy` is given; the duration unless given.
        pub largest_step: Option<Time> = None,
        /// Step below which the run is given up.
        pub smallest_step: Time = Time::new(1e-9) => POSITIVE,
        /// How a step is made.
        pub integrator: IntegratorKind = IntegratorKind::Implicit,
        /// What moves rigid bodies in explicit steps.
        pub engine: EngineKind = EngineKind::Free,
        /// Time scheme of implicit steps.
        pub scheme: SchemeKind = SchemeKind::Bdf2,
        /// Rate of the fitted scheme; that at which the scene is turned unless given.
        pub rate: Option<AngularSpeed> = None => POSITIVE,
        /// Newton's method stops when no node moves by more radii than this, and the residual is
        /// small, too; 0.005 of `accuracy` where that is given.
        pub tolerance: Number = Number::new(1e-6) => TOLERANCE,
        /// Largest residual with which Newton's method stops, over the largest force.
        pub residual_tolerance: Number = Number::new(1e-6) => TOLERANCE,
        /// Iterations of Newton's method before a step is given up.
        pub max_iterations: usize = 40 => Bound::within(1.0, 1e5),
        /// How a correction of Newton's method is shortened.
        pub line_search: LineSearchKind = LineSearchKind::Automatic,
        /// Whether a failed step is tried again with half its size.
        pub adaptive: bool = true,
        /// Whether the run starts from static equilibrium: before it, rods move to where forces
        /// balance.
        pub settle: bool = false,
    }
}

const ACCURACY: Bound =
    Bound::within(1e-9, 1.0).why("the sum of the errors of all steps, in radii");
const TOLERANCE: Bound = Bound::within(0.0, 1.0)
    .open([true, false])
    .why("a part of the radius, and of the largest force");

/// Newton's tolerance over the accuracy of a run, and its bounds: errors of that size add up like
/// those of steps, and early ends of the method leave a twentieth of it.
const OF_ACCURACY: (f64, [f64; 2]) = (5e-3, [1e-10, 1e-4]);

/// Newton's tolerance, in radii, of a run of this accuracy, in radii.
fn tolerance_for(accuracy: f64) -> f64 {
    let (share, [least, most]) = OF_ACCURACY;
    (share * accuracy).clamp(least, most)
}

/// Step over smallest step where the step is below the smallest one that is usual.
const HALVINGS: f64 = 1024.0;

impl TimeSpec {
    /// `rate` is that of the scene's own motion, if it has one.
    pub(crate) fn read(
        at: Option<At>,
        default: Self,
        rate: Option<AngularSpeed>,
    ) -> Result<Self, SceneError> {
        let default = Self { rate, ..default };
        let Some(keys) = subsection::<Self>(at)? else {
            return Ok(default.with_room_below());
        };
        let mut spec = Self::keyed(&keys, default)?;
        if keys.at(&Self::smallest_step()).is_none() {
            spec = spec.with_room_below();
        }
        spec.check(&keys)?;
        if let Some(accuracy) = spec.accuracy
            && keys.at(&Self::tolerance()).is_none()
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
        let (step, smallest) = (self.step.si(), self.smallest_step.si());
        let need = format!("at most the step, {step} s");
        keys.check(&Self::smallest_step(), smallest, smallest <= step, &need)?;
        self.check_accuracy(keys)?;
        match (self.scheme, self.rate) {
            (SchemeKind::FittedBdf2, None) => Err(keys.missing(
                &Self::rate(),
                "the rate at which the scene is driven, such as \"15 rpm\" (nothing in it turns steadily; or use scheme = \"bdf2\")".into(),
            )),
            _ => Ok(()),
        }
    }
}

impl TimeSpec {
    /// Whether an accuracy goes with the rest.
    fn check_accuracy(&self, keys: &Keys) -> Result<(), SceneError> {
        if self.accuracy.is_none() {
            return match self.largest_step {
                Some(_) => keys.refuse(
                    &Self::largest_step(),
                    "it bounds steps that choose their size by an accuracy, and none is given",
                    "set time.step, which is the largest step then, or give time.accuracy",
                ),
                None => Ok(()),
            };
        }
        if let Some(largest) = self.largest_step.map(Time::si) {
            let need = format!("at least the first step, {} s", self.step.si());
            let good = largest >= self.step.si();
            keys.check(&Self::largest_step(), largest, good, &need)?;
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
        keys.refuse(&Self::accuracy(), message, remedy)
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

section! {
    /// What is written when.
    pub struct OutputSpec {
        /// Simulated time between frames.
        pub every: Time | "a 200th of the duration, a step at least" = Time::default() => POSITIVE,
        /// Simulated time between checkpoints, beside the one every 10 s of the clock.
        pub checkpoint_every: Option<Time> = None => POSITIVE,
        /// Whether outputs carry certificates: types of knots, linking numbers, twist and writhe.
        pub certify: CertifySpec = CertifySpec::Automatic,
        /// Open rods that certificates take for one closed curve, the last end of each joined to the
        /// first of the next, such as `[[0, 1]]`.
        pub joined: Vec<Vec<usize>> = Vec::new(),
        /// Whether the table of observables has what each support exerts, six columns each; with at
        /// most 12 supports unless given.
        pub supports: Option<bool> = None,
    }
}

described! {
    CertifySpec => Either(vec![
        Flag,
        Words(vec![("automatic", "if a rod is closed or knotted at the start")]),
    ]);
}

/// Outputs that a run may have: more are a mistake.
const MOST_OUTPUTS: f64 = 1e9;

impl OutputSpec {
    /// Of a run with such a duration and such steps, which a default does not cut, in a scene with these
    /// certificates.
    pub(crate) fn read(
        at: Option<At>,
        time: &TimeSpec,
        certify: CertifySpec,
        joined: Vec<Vec<usize>>,
    ) -> Result<Self, SceneError> {
        let duration = time.duration.si();
        let step = match time.accuracy {
            Some(_) => 0.0,
            None => time.step.si().min(duration),
        };
        let default = Self {
            every: Time::new((duration / 200.0).max(step)),
            certify,
            joined,
            ..Self::default()
        };
        let keys = subsection::<Self>(at.clone())?;
        let read = part(at, default)?;
        let outputs = duration / read.every.si();
        match keys.and_then(|keys| keys.at(&Self::every())) {
            Some(at) if outputs > MOST_OUTPUTS => {
                let message = format!("{outputs:.1e} outputs, which no run comes to the end of");
                let remedy = "leave it out for 200 of them, or check its unit";
                at.fail(Problem::conflict(message, remedy))
            }
            _ => Ok(read),
        }
    }
}
