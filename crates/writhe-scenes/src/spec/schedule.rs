//! Numbers in time: constant, at a constant rate, as a sine, a ramp, a smooth step or a table.

use std::f64::consts::TAU;

use serde::Serialize;

use super::numbers::{Column, Numbers, Rows, TablePath};
use crate::error::SceneError;
use crate::tree::{
    At, Described, Keys, Kind, Known, POSITIVE, Read, Stated, Value, described, keys,
};
use crate::units::{Angle, AngularSpeed, Dimension, Number, Quantity, Rate, Time, number};

/// A number in time.
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
    /// A sine.
    Sine {
        /// What it is like.
        sine: SineSpec<V>,
    },
    /// From one value to another, linear in time.
    Ramp {
        /// From where to where, and when.
        ramp: RampSpec<V>,
    },
    /// From one value to another; it begins and ends without speed and acceleration.
    SmoothStep {
        /// From where to where, and when.
        smooth_step: RampSpec<V>,
    },
    /// Linear between `[time, value]`, constant outside.
    Table {
        /// Rows, times ascending.
        table: Vec<(Time, V)>,
    },
}

/// `mean + amplitude sin(2 pi t/period + phase)`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SineSpec<V> {
    /// Largest deviation from the mean.
    pub amplitude: V,
    /// Time of a whole swing, s.
    pub period: Time,
    /// Where of a swing it begins, rad.
    pub phase: Angle,
    /// What it swings about.
    pub mean: V,
}

/// From one value to another; constant before and after.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RampSpec<V> {
    /// Before.
    pub from: V,
    /// After.
    pub to: V,
    /// When it begins, s.
    pub start: Time,
    /// How long it takes, s.
    pub duration: Time,
}

/// Factor of a load.
pub type AmplitudeSpec = ScheduleSpec<Number, Rate>;
/// Angle, rad.
pub type AngleSpec = ScheduleSpec<Angle, AngularSpeed>;

impl AmplitudeSpec {
    /// 1 at all times.
    pub(crate) const fn one() -> Self {
        Self::Constant(Number::new(1.0))
    }
}

keys! {
    /// A number in time, said in one way.
    pub(crate) struct Schedule {
        /// The number at t = 0; goes with `rate`.
        value: Number = Number::new(0.0),
        /// Its change per second.
        rate: Option<Number>,
        /// A sine.
        sine: Option<Sine>,
        /// From one number to another, linear in time.
        ramp: Option<Ramp>,
        /// The same, beginning and ending without speed and acceleration: 10s³ - 15s⁴ + 6s⁵.
        smooth_step: Option<Ramp>,
        /// Rows `[time, number]`, times ascending, linear between them, constant outside.
        table: Option<Rows>,
        /// A file with such a table.
        file: Option<TablePath>,
        /// Which columns of the file are meant, by name or by number from 0.
        columns: Option<Vec<Column>>,
        /// Units of their bare numbers; those of the header, or SI unless given.
        units: Option<Vec<String>>,
    }
}

keys! {
    /// `mean + amplitude sin(2 pi t/period + phase)`.
    pub(crate) struct Sine {
        /// Largest deviation from the mean, in the unit of the number.
        amplitude: Number,
        /// Time of a whole swing.
        period: Time => POSITIVE,
        /// Where of a swing it begins.
        phase: Angle = Angle::default(),
        /// What it swings about, in the unit of the number.
        mean: Number = Number::default(),
    }
}

keys! {
    /// From one number to another; constant before and after.
    pub(crate) struct Ramp {
        /// The number before.
        from: Number = Number::default(),
        /// The number after.
        to: Number,
        /// When it begins.
        start: Time = Time::default(),
        /// How long it takes.
        duration: Time => POSITIVE,
    }
}

described! {
    Schedule => Kind::table::<Schedule>();
    Sine => Kind::table::<Sine>();
    Ramp => Kind::table::<Ramp>();
}

impl<V: Described, R> Described for ScheduleSpec<V, R> {
    fn kind() -> Kind {
        Kind::Either(vec![V::kind(), Schedule::kind()])
    }
}

const TIME: Dimension = Dimension::new(0, 0, 1, 0);

/// A quantity in time.
pub trait InSi: Copy + Default {
    /// What it is.
    const DIMENSION: Dimension;
    /// From a number in SI.
    fn of(si: f64) -> Self;
    /// In SI.
    fn in_si(self) -> f64;
}

impl<const M: i32, const KG: i32, const S: i32, const RAD: i32> InSi for Quantity<M, KG, S, RAD> {
    const DIMENSION: Dimension = Self::DIMENSION;

    fn of(si: f64) -> Self {
        Self::new(si)
    }

    fn in_si(self) -> f64 {
        self.si()
    }
}

impl<V: InSi, R: InSi> ScheduleSpec<V, R> {
    /// Largest change per second.
    pub fn largest_rate(&self) -> f64 {
        match self {
            Self::Constant(_) => 0.0,
            Self::Rate { rate, .. } => rate.in_si().abs(),
            Self::Sine { sine } => (sine.amplitude.in_si() * TAU / sine.period.si()).abs(),
            Self::Ramp { ramp } => ramp.mean_rate(),
            // The derivative of the step is largest in its middle.
            Self::SmoothStep { smooth_step } => 1.875 * smooth_step.mean_rate(),
            Self::Table { table } => table
                .windows(2)
                .map(|w| {
                    let [(t0, a), (t1, b)] = [w[0], w[1]];
                    ((b.in_si() - a.in_si()) / (t1.si() - t0.si())).abs()
                })
                .fold(0.0, f64::max),
        }
    }

    /// What it does, `shown` telling a value.
    pub(crate) fn told(
        &self,
        shown: impl Fn(f64) -> String,
        rate: impl Fn(f64) -> String,
    ) -> String {
        let value = |v: &V| shown(v.in_si());
        let from_to = |r: &RampSpec<V>| {
            let [start, end] = [r.start.si(), r.start.si() + r.duration.si()].map(number);
            format!(
                "{} to {} from t = {start} s to {end} s",
                value(&r.from),
                value(&r.to)
            )
        };
        match self {
            Self::Constant(v) => value(v),
            Self::Rate { value: v, rate: r } => format!("{} and {}", value(v), rate(r.in_si())),
            Self::Sine { sine } => format!(
                "a sine of {} about {} with a period of {} s",
                value(&sine.amplitude),
                value(&sine.mean),
                number(sine.period.si())
            ),
            Self::Ramp { ramp } => from_to(ramp),
            Self::SmoothStep { smooth_step } => format!("{}, smoothly", from_to(smooth_step)),
            Self::Table { table } => match table.len() {
                1 => "a table of 1 row".to_owned(),
                rows => format!("a table of {rows} rows"),
            },
        }
    }
}

impl<V: InSi> RampSpec<V> {
    fn mean_rate(&self) -> f64 {
        ((self.to.in_si() - self.from.in_si()) / self.duration.si()).abs()
    }
}

impl<V: Read + InSi, R: Read> Read for ScheduleSpec<V, R> {
    fn wanted() -> String {
        format!(
            "{}, or {{ rate = .. }}, or {{ table = [[time, value], ..] }}, or one of `sine`, `ramp`, `smooth_step`, `file`",
            V::wanted()
        )
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        if !matches!(at.node.value, Value::Table(_)) {
            return V::read(at).map(Self::Constant);
        }
        let keys = Keys::new(at, &Schedule::known())?;
        // Keys that go with one way of saying it only; all others are such ways.
        let file = Schedule::file().name;
        let own = [
            (Schedule::value().name, Schedule::rate().name),
            (Schedule::columns().name, file),
            (Schedule::units().name, file),
        ];
        let mut ways = Schedule::known();
        ways.retain(|key| own.iter().all(|(name, _)| name != key));
        let way = match keys.only(&ways)? {
            None if keys.at(&Schedule::value()).is_none() => return at.wrong_type(Self::wanted()),
            way => way.unwrap_or(Schedule::rate().name),
        };
        if let Some((name, _)) = own.iter().find(|(n, w)| *w != way && keys.at(n).is_some()) {
            return keys.exclude(name, way);
        }
        if let Some(sine) = keys.optional(&Schedule::sine())? {
            return Ok(Self::Sine { sine });
        }
        if let Some(ramp) = keys.optional(&Schedule::ramp())? {
            return Ok(Self::Ramp { ramp });
        }
        if let Some(smooth_step) = keys.optional(&Schedule::smooth_step())? {
            return Ok(Self::SmoothStep { smooth_step });
        }
        let wanted = [("time", TIME), ("value", V::DIMENSION)];
        if let Some(table) = keys.at(&Schedule::table()) {
            return Ok(rows(
                Numbers::listed(&table, &wanted)?.rising(&table, "times", "s")?,
            ));
        }
        if way == file {
            return Ok(rows(
                Numbers::of_file(&keys, &wanted)?.rising(at, "times", "s")?,
            ));
        }
        Ok(Self::Rate {
            value: Schedule::value().of().read(&keys)?,
            rate: keys.required(&Schedule::rate())?,
        })
    }
}

impl Stated<Number> {
    /// The same in the unit of the number in time.
    fn of<V: InSi>(self) -> Stated<V> {
        let numbers: fn(&V) -> Vec<f64> = |value| vec![value.in_si()];
        Stated {
            name: self.name,
            default: self.default.map(|value| V::of(value.si())),
            bound: self.bound.map(|(bound, _)| (bound, numbers)),
        }
    }
}

fn rows<V: InSi, R>(numbers: Numbers) -> ScheduleSpec<V, R> {
    let row = |row: &Vec<f64>| (Time::new(row[0]), V::of(row[1]));
    ScheduleSpec::Table {
        table: numbers.rows.iter().map(row).collect(),
    }
}

impl<V: Read + InSi> Read for SineSpec<V> {
    fn wanted() -> String {
        "a table such as { amplitude = .., period = \"2 s\" }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, &Sine::known())?;
        Ok(Self {
            amplitude: Sine::amplitude().of().read(&keys)?,
            period: Sine::period().read(&keys)?,
            phase: Sine::phase().read(&keys)?,
            mean: Sine::mean().of().read(&keys)?,
        })
    }
}

impl<V: Read + InSi> Read for RampSpec<V> {
    fn wanted() -> String {
        "a table such as { to = .., duration = \"2 s\" }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, &Ramp::known())?;
        let duration = Ramp::duration().read(&keys)?;
        let start = Ramp::start().read(&keys)?;
        // Times so far apart that they do not differ are no ramp.
        if start.si() + duration.si() <= start.si() {
            let message = "the duration is lost against the start";
            return keys.refuse(&Ramp::duration(), message, "take a longer one");
        }
        Ok(Self {
            from: Ramp::from().of().read(&keys)?,
            to: Ramp::to().of().read(&keys)?,
            start,
            duration,
        })
    }
}
