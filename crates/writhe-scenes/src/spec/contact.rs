//! Contact between rods.

use serde::Serialize;

use crate::error::{Problem, SceneError};
use crate::tree::{At, Given, Keys, Read, Value, words};
use crate::units::{Length, Moment, Number, Speed};

words! {
    /// Which contact model.
    pub enum ContactKind {
        /// Implicit Contact Model.
        Imc = "imc",
        /// Incremental Potential Contact.
        Ipc = "ipc",
        /// Contact by the smoothed distance.
        ImcSmooth = "imc-smooth",
        /// Forces found by solving the step again.
        SpillmannTeschner = "spillmann-teschner",
        /// Rods pass through each other.
        None = "none",
    }
}

words! {
    /// How friction holds what sticks.
    pub enum StaticFrictionSpec {
        /// By a slow slip.
        Creep = "creep",
        /// By a spring that remembers the slip.
        Anchor = "anchor",
    }
}

/// When Newton's matrix holds the derivatives of contact forces.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JacobianSpec {
    /// Always.
    Full,
    /// After so many iterations without.
    Hybrid(usize),
}

/// How friction enters the equations of a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FrictionSolveSpec {
    /// With the normal forces of its end.
    Implicit,
    /// So many solves, each with the normal forces of the one before.
    Lagged(usize),
}

/// Keys of one contact model or of a few; the others have none.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct OwnKeys {
    /// Penalty stiffness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<StiffnessSpec>,
    /// Slip speed below which friction is less than the full one, m/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slip_tolerance: Option<Speed>,
    /// Whether friction acts on the surfaces, which spin, or (false) on the axes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_on_twist: Option<bool>,
    /// How friction holds what sticks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub static_friction: Option<StaticFrictionSpec>,
    /// Slip at which an anchored contact slides, over the radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presliding: Option<Number>,
    /// How friction enters the equations of a step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_solve: Option<FrictionSolveSpec>,
    /// How sharply the energy turns on, over the radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy_sharpness: Option<Number>,
    /// How sharply closest points are clamped to their edges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance_sharpness: Option<Number>,
    /// When Newton's matrix holds the derivatives of contact forces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jacobian: Option<JacobianSpec>,
    /// Slip speed at which half the friction acts, radii per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slip_limit: Option<Number>,
    /// How sharply friction turns on, seconds per radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slip_sharpness: Option<Number>,
}

/// Rule for the penalty stiffness.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StiffnessSpec {
    /// Raised until rods penetrate by less than 0.3 % of the radius.
    Automatic,
    /// Scale, m, times the largest nodal force without contact (the paper's rule).
    LargestForce(Length),
    /// A given value, N m.
    #[serde(untagged)]
    Given(Moment),
}

/// Contact between rods.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ContactSpec {
    /// Which model.
    pub model: ContactKind,
    /// Gap at which contact begins, over the radius.
    pub tolerance: Number,
    /// Friction coefficient.
    pub friction: Number,
    /// What only some models have.
    #[serde(flatten)]
    pub own: OwnKeys,
}

pub(crate) const KEYS: &[&str] = &[
    "model",
    "tolerance",
    "friction",
    "slip_tolerance",
    "friction_on_twist",
    "static_friction",
    "presliding",
    "friction_solve",
    "stiffness",
    "energy_sharpness",
    "distance_sharpness",
    "jacobian",
    "slip_limit",
    "slip_sharpness",
];
pub(crate) const STIFFNESS: &[&str] = &["largest_force"];
pub(crate) const FRICTION_SOLVE: &[&str] = &["lagged"];
pub(crate) const JACOBIAN: &[&str] = &["hybrid"];

impl Default for ContactSpec {
    fn default() -> Self {
        Self::of(ContactKind::Imc)
    }
}

impl ContactSpec {
    /// The defaults of a model.
    pub(crate) fn of(model: ContactKind) -> Self {
        let of_gap = |friction_solve| OwnKeys {
            stiffness: Some(StiffnessSpec::Automatic),
            slip_tolerance: Some(Speed::new(1e-4)),
            friction_on_twist: Some(true),
            static_friction: Some(StaticFrictionSpec::Creep),
            presliding: Some(Number::new(1e-3)),
            friction_solve: Some(friction_solve),
            ..OwnKeys::default()
        };
        let of_slip = OwnKeys {
            slip_limit: Some(Number::new(0.15)),
            slip_sharpness: Some(Number::new(50.0)),
            ..OwnKeys::default()
        };
        let own = match model {
            ContactKind::None | ContactKind::Imc => of_gap(FrictionSolveSpec::Implicit),
            ContactKind::Ipc => of_gap(FrictionSolveSpec::Lagged(1)),
            ContactKind::SpillmannTeschner => of_slip,
            ContactKind::ImcSmooth => OwnKeys {
                stiffness: Some(StiffnessSpec::Automatic),
                energy_sharpness: Some(Number::new(50.0)),
                distance_sharpness: Some(Number::new(50.0)),
                jacobian: Some(JacobianSpec::Full),
                ..of_slip
            },
        };
        Self {
            model,
            tolerance: Number::new(match model {
                ContactKind::ImcSmooth => 0.15,
                ContactKind::SpillmannTeschner => 1e-4,
                _ => 0.01,
            }),
            friction: Number::new(0.0),
            own,
        }
    }

    pub(crate) fn read(keys: &Keys, default: Self) -> Result<Self, SceneError> {
        let Some(at) = keys.at("contact") else {
            return Ok(default);
        };
        let keys = Keys::new(&at, KEYS)?;
        let model = keys.or("model", default.model)?;
        let default = if model == default.model {
            default
        } else {
            Self::of(model)
        };
        let spec = Self {
            model,
            tolerance: keys.or("tolerance", default.tolerance)?,
            friction: keys.or("friction", default.friction)?,
            own: OwnKeys::read(&keys, model, default.own)?,
        };
        let tolerance = spec.tolerance.si();
        let need = "greater than zero and below 0.5 (it is a fraction of the radius)";
        keys.check(
            "tolerance",
            tolerance,
            tolerance > 0.0 && tolerance < 0.5,
            need,
        )?;
        coefficient(&keys, "friction", &spec.friction)?;
        Ok(spec)
    }
}

/// Refuses a coefficient of friction that is negative, or beyond any that two surfaces have.
pub(super) fn coefficient(keys: &Keys, name: &str, mu: &impl Given) -> Result<(), SceneError> {
    let mu = mu.given().unwrap_or_default();
    let need = "from 0 to 100 (dry surfaces have 0.1 to 2)";
    keys.check(name, mu, (0.0..=100.0).contains(&mu), need)
}

impl OwnKeys {
    fn read(keys: &Keys, model: ContactKind, default: Self) -> Result<Self, SceneError> {
        let own = Self {
            stiffness: own(keys, model, "stiffness", default.stiffness)?,
            slip_tolerance: own(keys, model, "slip_tolerance", default.slip_tolerance)?,
            friction_on_twist: own(keys, model, "friction_on_twist", default.friction_on_twist)?,
            static_friction: own(keys, model, "static_friction", default.static_friction)?,
            presliding: own(keys, model, "presliding", default.presliding)?,
            friction_solve: own(keys, model, "friction_solve", default.friction_solve)?,
            energy_sharpness: own(keys, model, "energy_sharpness", default.energy_sharpness)?,
            distance_sharpness: own(
                keys,
                model,
                "distance_sharpness",
                default.distance_sharpness,
            )?,
            jacobian: own(keys, model, "jacobian", default.jacobian)?,
            slip_limit: own(keys, model, "slip_limit", default.slip_limit)?,
            slip_sharpness: own(keys, model, "slip_sharpness", default.slip_sharpness)?,
        };
        match own.stiffness {
            None | Some(StiffnessSpec::Automatic) => Ok(()),
            Some(StiffnessSpec::Given(k)) => keys.positive("stiffness", k.si()),
            Some(StiffnessSpec::LargestForce(s)) => keys.positive("stiffness", s.si()),
        }?;
        let lagged = matches!(own.friction_solve, Some(FrictionSolveSpec::Lagged(_)));
        if lagged && own.static_friction == Some(StaticFrictionSpec::Anchor) {
            let message = "anchors need friction that is solved for; lagged friction has no memory";
            let remedy = "set `friction_solve = \"implicit\"` or leave `static_friction` out";
            return keys.conflict("static_friction", Problem::conflict(message, remedy));
        }
        if let Some(v) = own.presliding.map(Number::si) {
            let need = "greater than zero and below 0.5 (it is a fraction of the radius)";
            keys.check("presliding", v, v > 0.0 && v < 0.5, need)?;
        }
        if let Some(v) = own.slip_tolerance {
            keys.positive("slip_tolerance", v.si())?;
        }
        for (key, value) in [
            ("slip_limit", own.slip_limit),
            ("slip_sharpness", own.slip_sharpness),
        ] {
            keys.positive(key, value.map_or(1.0, Number::si))?;
        }
        for (key, value) in [
            ("energy_sharpness", own.energy_sharpness),
            ("distance_sharpness", own.distance_sharpness),
        ] {
            let value = value.map_or(50.0, Number::si);
            keys.check(key, value, value >= 5.0, "at least 5")?;
        }
        if let Some(FrictionSolveSpec::Lagged(rounds)) = own.friction_solve {
            let good = (1..=100).contains(&rounds);
            let need = "between 1 and 100 solves";
            keys.check("friction_solve", rounds as f64, good, need)?;
        }
        if let Some(JacobianSpec::Hybrid(omega)) = own.jacobian {
            let good = omega <= 1000;
            keys.check(
                "jacobian",
                omega as f64,
                good,
                "between 0 and 1000 iterations",
            )?;
        }
        Ok(own)
    }
}

/// A key that the model has if it has a default; otherwise it is refused.
fn own<T: Read>(
    keys: &Keys,
    model: ContactKind,
    name: &'static str,
    default: Option<T>,
) -> Result<Option<T>, SceneError> {
    if default.is_some() || keys.at(name).is_none() {
        return Ok(keys.optional(name)?.or(default));
    }
    let model = model.word();
    let message = format!("`{name}` means nothing with the contact model \"{model}\"");
    let remedy = "leave it out or choose another model";
    keys.conflict(name, Problem::conflict(message, remedy))
}

/// A word, or a number of times in a table with this key.
fn word_or_times<T: Copy>(
    at: &At,
    word: (&'static str, T),
    (key, of): (&[&'static str], fn(usize) -> T),
    wanted: String,
) -> Result<T, SceneError> {
    match &at.node.value {
        Value::Table(_) => Keys::new(at, key)?.required(key[0]).map(of),
        Value::Text(_) => at.word(&[word]),
        _ => at.wrong_type(wanted),
    }
}

impl Read for JacobianSpec {
    fn wanted() -> String {
        "\"full\" or { hybrid = iterations }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let times = (JACOBIAN, Self::Hybrid as fn(usize) -> Self);
        word_or_times(at, ("full", Self::Full), times, Self::wanted())
    }
}

impl Read for FrictionSolveSpec {
    fn wanted() -> String {
        "\"implicit\" or { lagged = solves of a step }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let times = (FRICTION_SOLVE, Self::Lagged as fn(usize) -> Self);
        word_or_times(at, ("implicit", Self::Implicit), times, Self::wanted())
    }
}

impl Read for StiffnessSpec {
    fn wanted() -> String {
        "\"automatic\", a stiffness such as \"1e-6 N m\", or { largest_force = scale in m }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match &at.node.value {
            Value::Table(_) => {
                let keys = Keys::new(at, STIFFNESS)?;
                keys.required("largest_force").map(Self::LargestForce)
            }
            Value::Text(t) if t.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
                Moment::read(at).map(Self::Given)
            }
            Value::Text(_) => at.word(&[("automatic", Self::Automatic)]),
            Value::Integer(_) | Value::Float(_) => Moment::read(at).map(Self::Given),
            _ => at.wrong_type(Self::wanted()),
        }
    }
}
