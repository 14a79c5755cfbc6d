//! Motions of clamps, held nodes, obstacles and bodies.

use super::numbers::{Numbers, TableFile};
use super::{AmplitudeSpec, AngleSpec, Direction, Point};
use crate::error::SceneError;
use crate::tree::{At, DIRECTION, Keys, Known, Read, Value, choice, table};
use crate::units::{AngularSpeed, Dimension, Speed};

choice! {
    /// How a clamp, a held node, a body or an obstacle moves.
    pub enum MotionSpec:
        "\"still\", or a table such as { velocity = [0, 0, \"6 mm/s\"] }, { rotation = { axis = [1, 0, 0], speed = \"15 rpm\" } }, \
         { translation = { by = [0, 0, \"5 mm\"], amplitude = .. } }, { path = [[time, x, y, z], ..] } or { sequence = [..] }"
    {
        /// A constant velocity.
        Velocity([Speed; 3]) = "velocity",
        /// A displacement along a vector.
        Translation(TranslationSpec) = "translation",
        /// A rotation about an axis.
        Rotation(RotationSpec) = "rotation",
        /// Displacements in time: rows `[t, x, y, z]`, s and m, times ascending, linear between
        /// them; or a file with such a table.
        Path(Vec<[f64; 4]>) = "path" by path,
        /// Several motions at the same time, each applied to the result of those before it.
        Sequence(Vec<MotionSpec>) = "sequence",
    }
    /// Not at all.
    word Still = "still";
}

table! {
    /// A displacement along a vector.
    pub struct TranslationSpec:
        "a table such as { by = [0, 0, \"5 mm\"], amplitude = { sine = { amplitude = 1, period = \"2 s\" } } }"
    {
        /// The displacement.
        pub by: Point,
        /// Factor in time.
        pub amplitude: AmplitudeSpec,
    }
}

table! {
    /// A rotation about an axis.
    pub struct RotationSpec: "a table with keys `point`, `axis` and `speed` or `angle`" {
        /// A point of the axis.
        pub point: Point = Point::default(),
        /// Direction of the axis.
        pub axis: Direction => DIRECTION,
        /// Constant rate; excludes `angle`.
        pub speed: Option<AngularSpeed>,
        /// Angle in time; excludes `speed`.
        pub angle: Option<AngleSpec>,
    }
    check Self::check
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

/// Rows `[t, x, y, z]` in SI, of the scene or of a file.
fn path(at: &At) -> Result<Vec<[f64; 4]>, SceneError> {
    let numbers = match at.node.value {
        Value::Table(_) => Numbers::of_file(&Keys::new(at, &TableFile::known())?, &PATH)?,
        _ => Numbers::listed(at, &PATH)?,
    };
    let rows = numbers.rising(at, "times", "s")?.rows;
    Ok(rows.iter().map(|r| [r[0], r[1], r[2], r[3]]).collect())
}

impl RotationSpec {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        match keys.only(&[&Self::speed(), &Self::angle()])? {
            None => Err(keys.missing(&Self::speed(), AngularSpeed::wanted())),
            Some(_) => Ok(()),
        }
    }
}
