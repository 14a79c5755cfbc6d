//! Motions of clamps and held nodes, amplitudes of loads, angles in time.

use serde::Serialize;

use super::{Direction, Point, check_direction};
use crate::error::{Problem, SceneError};
use crate::tree::{At, Keys, Read, Value};
use crate::units::{Angle, AngularSpeed, Length, Number, Rate, Speed, Time};

/// A number in time: constant, with a constant rate, or a table of `[time, value]`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ScheduleSpec<V, R> {
    /// The same at all times.
    Constant(V),
    /// `value + rate t`.
    Rate {
        /// At t = 0.
        value: V,
        /// Per second.
        rate: R,
    },
    /// Linear between `[time, value]`, constant outside.
    Table {
        /// Rows, times ascending.
        table: Vec<(Time, V)>,
    },
}

/// Factor of a load.
pub type AmplitudeSpec = ScheduleSpec<Number, Rate>;
/// Angle, rad.
pub type AngleSpec = ScheduleSpec<Angle, AngularSpeed>;

impl<V: Read + Default, R: Read> Read for ScheduleSpec<V, R> {
    fn wanted() -> String {
        format!(
            "{}, or {{ rate = .. }}, or {{ table = [[time, value], ..] }}",
            V::wanted()
        )
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        if !matches!(at.node.value, Value::Table(_)) {
            return V::read(at).map(Self::Constant);
        }
        let keys = Keys::new(at, SCHEDULE)?;
        match keys.at("table") {
            Some(table) => {
                let rows = Vec::<(Time, V)>::read(&table)?;
                ascending(&table, rows.iter().map(|r| r.0))?;
                Ok(Self::Table { table: rows })
            }
            None => Ok(Self::Rate {
                value: keys.or("value", V::default())?,
                rate: keys.required("rate")?,
            }),
        }
    }
}

/// Whether numbers ascend.
pub(super) fn ascending_numbers(numbers: impl Iterator<Item = f64>) -> bool {
    let numbers: Vec<f64> = numbers.collect();
    numbers.windows(2).all(|pair| pair[0] < pair[1])
}

fn ascending(at: &At, times: impl Iterator<Item = Time>) -> Result<(), SceneError> {
    let times: Vec<f64> = times.map(Time::si).collect();
    if times.is_empty() {
        return at.wrong_type("a table with at least one row".into());
    }
    match times.windows(2).position(|t| t[1] <= t[0]) {
        Some(row) => at.fail(Problem::Range {
            value: format!(
                "{} s after {} s (row {})",
                times[row + 1],
                times[row],
                row + 1
            ),
            need: "a table whose times ascend".into(),
        }),
        None => Ok(()),
    }
}

/// How a clamp or held node moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MotionSpec {
    /// Not at all.
    Still,
    /// With a constant velocity, m/s.
    Velocity([Speed; 3]),
    /// About an axis.
    Rotation(RotationSpec),
    /// Displacements in time: rows `[t, x, y, z]`.
    Path(Vec<[f64; 4]>),
    /// Several motions at the same time, each applied to the result of those before it.
    Sequence(Vec<MotionSpec>),
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

/// One row of a path, kept in SI.
struct PathRow([f64; 4]);

impl Read for PathRow {
    fn wanted() -> String {
        "a list of 4: time and displacement, such as [\"2 s\", \"10 mm\", 0, 0]".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match at.elements().as_deref() {
            Some([t, x, y, z]) => Ok(Self([
                Time::read(t)?.si(),
                Length::read(x)?.si(),
                Length::read(y)?.si(),
                Length::read(z)?.si(),
            ])),
            _ => at.wrong_type(Self::wanted()),
        }
    }
}

/// Of a number in time.
pub(crate) const SCHEDULE: &[&str] = &["value", "rate", "table"];
pub(crate) const ROTATION: &[&str] = &["point", "axis", "speed", "angle"];
pub(crate) const KINDS: &[&str] = &["velocity", "rotation", "path", "sequence"];

impl Read for MotionSpec {
    fn wanted() -> String {
        "\"still\", or a table such as { velocity = [0, 0, \"6 mm/s\"] }, { rotation = { axis = [1, 0, 0], speed = \"15 rpm\" } }, \
         { path = [[time, x, y, z], ..] } or { sequence = [..] }"
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
            "path" => {
                let rows = Vec::<PathRow>::read(&inner)?;
                ascending(&inner, rows.iter().map(|r| Time::new(r.0[0])))?;
                Ok(Self::Path(rows.into_iter().map(|r| r.0).collect()))
            }
            _ => Read::read(&inner).map(Self::Sequence),
        }
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
