//! Motions of clamps, held nodes, obstacles and bodies.

use serde::Serialize;

use super::numbers::{FILE, Numbers};
use super::{AmplitudeSpec, AngleSpec, Direction, Point, check_direction};
use crate::error::SceneError;
use crate::tree::{At, Keys, Read, Value};
use crate::units::{AngularSpeed, Dimension, Speed};

/// How a clamp or held node moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MotionSpec {
    /// Not at all.
    Still,
    /// With a constant velocity, m/s.
    Velocity([Speed; 3]),
    /// Along a vector.
    Translation(TranslationSpec),
    /// About an axis.
    Rotation(RotationSpec),
    /// Displacements in time: rows `[t, x, y, z]`.
    Path(Vec<[f64; 4]>),
    /// Several motions at the same time, each applied to the result of those before it.
    Sequence(Vec<MotionSpec>),
}

/// A displacement along a vector.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TranslationSpec {
    /// The displacement, m.
    pub by: Point,
    /// Factor in time.
    pub amplitude: AmplitudeSpec,
}

/// A rotation about an axis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RotationSpec {
    /// A point of the axis, m.
    pub point: Point,
    /// Its direction.
    pub axis: Direction,
    /// Constant rate, rad/s; excludes `angle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<AngularSpeed>,
    /// Angle in time, rad; excludes `speed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angle: Option<AngleSpec>,
}

impl MotionSpec {
    /// Constant rate of its fastest steady rotation, rad/s.
    pub fn rate(&self) -> Option<f64> {
        match self {
            Self::Rotation(RotationSpec { speed: Some(s), .. }) => {
                Some(s.si().abs()).filter(|s| *s > 0.0)
            }
            Self::Sequence(parts) => parts.iter().filter_map(Self::rate).reduce(f64::max),
            _ => None,
        }
    }
}

const LENGTH: Dimension = Dimension::new(1, 0, 0, 0);
/// Columns of a path.
const PATH: [(&str, Dimension); 4] = [
    ("time", Dimension::new(0, 0, 1, 0)),
    ("x", LENGTH),
    ("y", LENGTH),
    ("z", LENGTH),
];

pub(crate) const TRANSLATION: &[&str] = &["by", "amplitude"];
pub(crate) const ROTATION: &[&str] = &["point", "axis", "speed", "angle"];
pub(crate) const KINDS: &[&str] = &["velocity", "translation", "rotation", "path", "sequence"];

impl Read for MotionSpec {
    fn wanted() -> String {
        "\"still\", or a table such as { velocity = [0, 0, \"6 mm/s\"] }, { rotation = { axis = [1, 0, 0], speed = \"15 rpm\" } }, \
         { translation = { by = [0, 0, \"5 mm\"], amplitude = .. } }, { path = [[time, x, y, z], ..] } or { sequence = [..] }"
            .into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match at.node.value {
            Value::Text(_) => return at.word(&[("still", ())]).map(|()| Self::Still),
            Value::Table(_) => {}
            _ => return at.wrong_type(Self::wanted()),
        }
        let (kind, inner) = at.kind(KINDS)?;
        match kind {
            "velocity" => Read::read(&inner).map(Self::Velocity),
            "rotation" => Read::read(&inner).map(Self::Rotation),
            "translation" => Read::read(&inner).map(Self::Translation),
            "path" => path(&inner).map(Self::Path),
            _ => Read::read(&inner).map(Self::Sequence),
        }
    }
}

/// Rows `[t, x, y, z]` in SI, of the scene or of a file.
fn path(at: &At) -> Result<Vec<[f64; 4]>, SceneError> {
    let numbers = match at.node.value {
        Value::Table(_) => Numbers::of_file(&Keys::new(at, FILE)?, &PATH)?,
        _ => Numbers::listed(at, &PATH)?,
    };
    let rows = numbers.rising(at, "times", "s")?.rows;
    Ok(rows.iter().map(|r| [r[0], r[1], r[2], r[3]]).collect())
}

impl Read for TranslationSpec {
    fn wanted() -> String {
        "a table such as { by = [0, 0, \"5 mm\"], amplitude = { sine = { amplitude = 1, period = \"2 s\" } } }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, TRANSLATION)?;
        Ok(Self {
            by: keys.required("by")?,
            amplitude: keys.required("amplitude")?,
        })
    }
}

impl Read for RotationSpec {
    fn wanted() -> String {
        "a table with keys `point`, `axis` and `speed` or `angle`".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, ROTATION)?;
        let axis = keys.required("axis")?;
        check_direction(&keys, "axis", &axis)?;
        let angle = keys.optional("angle")?;
        let speed = match (&angle, keys.optional("speed")?) {
            (None, None) => return Err(keys.missing("speed", AngularSpeed::wanted())),
            (Some(_), Some(_)) => return keys.exclude("speed", "angle"),
            (_, speed) => speed,
        };
        Ok(Self {
            point: keys.or("point", Point::default())?,
            axis,
            speed,
            angle,
        })
    }
}
