//! Contact between rods.

use serde::Serialize;

use super::subsection;
use crate::error::SceneError;
use crate::tree::{At, Keys, Read, Value};
use crate::units::{Length, Moment, Number, Speed};

/// Which contact model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContactKind {
    /// Rods pass through each other.
    None,
    /// Implicit Contact Model.
    Imc,
}

/// How friction holds what sticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StaticFrictionKind {
    /// By a slow slip.
    Creep,
    /// By a spring that remembers the slip.
    Anchor,
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
    /// Slip speed below which friction is less than the full one, m/s.
    pub slip_tolerance: Speed,
    /// Whether friction acts on the surfaces, which spin, or (false) on the axes.
    pub friction_on_twist: bool,
    /// How friction holds what sticks.
    pub static_friction: StaticFrictionKind,
    /// Slip at which an anchored contact slides, over the radius.
    pub presliding: Number,
    /// Penalty stiffness.
    pub stiffness: StiffnessSpec,
}

impl Default for ContactSpec {
    fn default() -> Self {
        Self {
            model: ContactKind::Imc,
            tolerance: Number::new(0.01),
            friction: Number::new(0.0),
            slip_tolerance: Speed::new(1e-4),
            friction_on_twist: true,
            static_friction: StaticFrictionKind::Creep,
            presliding: Number::new(1e-3),
            stiffness: StiffnessSpec::Automatic,
        }
    }
}

impl ContactSpec {
    pub(crate) fn read(keys: &Keys, default: Self) -> Result<Self, SceneError> {
        let known = &[
            "model",
            "tolerance",
            "friction",
            "slip_tolerance",
            "friction_on_twist",
            "static_friction",
            "presliding",
            "stiffness",
        ];
        let Some(keys) = subsection(keys, "contact", known)? else {
            return Ok(default);
        };
        let spec = Self {
            model: keys.at("model").map_or(Ok(default.model), |at| {
                at.word(&[("imc", ContactKind::Imc), ("none", ContactKind::None)])
            })?,
            tolerance: keys.or("tolerance", default.tolerance)?,
            friction: keys.or("friction", default.friction)?,
            slip_tolerance: keys.or("slip_tolerance", default.slip_tolerance)?,
            friction_on_twist: keys.or("friction_on_twist", default.friction_on_twist)?,
            static_friction: keys.at("static_friction").map_or(
                Ok(default.static_friction),
                |at| {
                    at.word(&[
                        ("creep", StaticFrictionKind::Creep),
                        ("anchor", StaticFrictionKind::Anchor),
                    ])
                },
            )?,
            presliding: keys.or("presliding", default.presliding)?,
            stiffness: keys.or("stiffness", default.stiffness)?,
        };
        let need = "greater than zero and below 0.5 (it is a fraction of the radius)";
        for (name, value) in [
            ("tolerance", spec.tolerance),
            ("presliding", spec.presliding),
        ] {
            let value = value.si();
            keys.check(name, value, value > 0.0 && value < 0.5, need)?;
        }
        keys.not_negative("friction", spec.friction.si())?;
        keys.positive("slip_tolerance", spec.slip_tolerance.si())?;
        match spec.stiffness {
            StiffnessSpec::Automatic => Ok(()),
            StiffnessSpec::Given(k) => keys.positive("stiffness", k.si()),
            StiffnessSpec::LargestForce(s) => keys.positive("stiffness", s.si()),
        }?;
        Ok(spec)
    }
}

impl Read for StiffnessSpec {
    fn wanted() -> String {
        "\"automatic\", a stiffness such as \"1e-6 N m\", or { largest_force = scale in m }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match &at.node.value {
            Value::Table(_) => {
                let keys = Keys::new(at, &["largest_force"])?;
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
