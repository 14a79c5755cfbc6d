//! Joints between bodies.

use serde::Serialize;

use super::motion::{AmplitudeSpec, AngleSpec, ScheduleSpec};
use super::{Direction, Point, RodRef, check_direction};
use crate::error::SceneError;
use crate::tree::{At, Keys, Read};
use crate::units::{Force, Moment, Number};

/// A joint of one body to another, or to the scene: a ball, a hinge or a weld.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JointSpec {
    /// Two bodies, or one that is joined to the scene; by number or name.
    pub bodies: Vec<RodRef>,
    /// The point in common at the start, m.
    pub at: Point,
    /// The axis in common, if it is a hinge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hinge: Option<HingeSpec>,
    /// Whether it keeps all directions in common, too.
    pub weld: bool,
    /// Largest force, N, that it bears; beyond it lets go for good.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<Force>,
}

/// The axis of a hinge, and what turns the first body about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HingeSpec {
    /// Its direction at the start.
    pub axis: Direction,
    /// Torque of a motor, N m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torque: Option<Moment>,
    /// Factor of the torque in time.
    pub amplitude: AmplitudeSpec,
    /// Angle that a motor follows, rad, 0 at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angle: Option<AngleSpec>,
}

impl Read for JointSpec {
    fn wanted() -> String {
        "a [[joints]] section such as { bodies = [0, 1], at = [\"1 cm\", 0, 0], hinge = { axis = [0, 0, 1] } }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, &["bodies", "at", "hinge", "weld", "strength"])?;
        let spec = Self {
            bodies: keys.required("bodies")?,
            at: keys.required("at")?,
            hinge: keys.optional("hinge")?,
            weld: keys.or("weld", false)?,
            strength: keys.optional("strength")?,
        };
        if spec.weld && spec.hinge.is_some() {
            return keys.exclude("weld", "hinge");
        }
        keys.positive("strength", spec.strength.map_or(1.0, |f| f.si()))?;
        let count = spec.bodies.len();
        let shown = format!("a list of {count}");
        let need = "a list of two bodies, or of one that is joined to the scene";
        keys.check_shown("bodies", &shown, (1..=2).contains(&count), need)?;
        Ok(spec)
    }
}

impl Read for HingeSpec {
    fn wanted() -> String {
        "a table such as { axis = [0, 0, 1] }, with torque = \"1 mN m\" or angle = { rate = \"60 rpm\" } for a motor".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, &["axis", "torque", "amplitude", "angle"])?;
        let spec = Self {
            axis: keys.required("axis")?,
            torque: keys.optional("torque")?,
            amplitude: keys.or("amplitude", ScheduleSpec::Constant(Number::new(1.0)))?,
            angle: keys.optional("angle")?,
        };
        check_direction(&keys, "axis", &spec.axis)?;
        if spec.torque.is_some() && spec.angle.is_some() {
            return keys.exclude("torque", "angle");
        }
        Ok(spec)
    }
}
