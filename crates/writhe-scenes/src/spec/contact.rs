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
    /// Incremental Potential Contact.
    Ipc,
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
    /// Solves of a step with the normal forces of the one before, the default of ipc; 0 for friction that is fully implicit.
    pub lagged_friction: usize,
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
            lagged_friction: 0,
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
            "lagged_friction",
            "stiffness",
        ];
        let Some(keys) = subsection(keys, "contact", known)? else {
            return Ok(default);
        };
        let model = keys.at("model").map_or(Ok(default.model), |at| {
            at.word(&[
                ("imc", ContactKind::Imc),
                ("ipc", ContactKind::Ipc),
                ("none", ContactKind::None),
            ])
        })?;
        let default = match model {
            ContactKind::Ipc if default.model != model => Self {
                lagged_friction: 1,
                ..default
            },
            _ => default,
        };
        let spec = Self {
            model,
            tolerance: keys.or("tolerance", default.tolerance)?,
            friction: keys.or("friction", default.friction)?,
            slip_tolerance: keys.or("slip_tolerance", default.slip_tolerance)?,
            friction_on_twist: keys.or("friction_on_twist", default.friction_on_twist)?,
            lagged_friction: keys.or("lagged_friction", default.lagged_friction)?,
            stiffness: keys.or("stiffness", default.stiffness)?,
        };
        let tolerance = spec.tolerance.si();
        let need = "greater than zero and below 0.5 (it is a fraction of the radius)";
        keys.check(
            "tolerance",
            tolerance,
            tolerance > 0.0 && tolerance < 0.5,
            need,
        )?;
        keys.not_negative("friction", spec.friction.si())?;
        keys.positive("slip_tolerance", spec.slip_tolerance.si())?;
        let rounds = spec.lagged_friction;
        keys.check(
            "lagged_friction",
            rounds as f64,
            rounds <= 100,
            "a number of solves from 1 to 100, or 0 for friction that is fully implicit",
        )?;
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
