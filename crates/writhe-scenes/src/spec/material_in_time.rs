//! What of a rod changes in time by itself: driven strains at rest, viscous parts.

use super::numbers::{Numbers, TablePath};
use crate::error::SceneError;
use crate::tree::{At, Keys, Known, NOT_NEGATIVE, PART, POSITIVE, Read, fields, table, words};
use crate::units::{Angle, AnglePerLength, Curvature, Dimension, Length, Number, Time};

words! {
    /// A strain at rest.
    pub enum StrainKind {
        /// Curvature along m1, 1/m.
        Curvature1 = "curvature1",
        /// Curvature along m2, 1/m.
        Curvature2 = "curvature2",
        /// Twist, rad/m.
        Twist = "twist",
        /// Change of the length over the length.
        Stretch = "stretch",
    }
}

impl StrainKind {
    /// What it is measured in.
    pub(crate) fn dimension(self) -> Dimension {
        match self {
            Self::Curvature1 | Self::Curvature2 => Curvature::DIMENSION,
            Self::Twist => AnglePerLength::DIMENSION,
            Self::Stretch => Dimension::NONE,
        }
    }
}

fields! {
    /// A strain at rest that is driven: as a wave, `amplitude sin(2 pi (s/wavelength - t/period) +
    /// phase)` with s the arc length, or by a table over time and arc length.
    pub struct DrivenSpec {
        /// Which strain.
        pub strain: StrainKind,
        /// Largest value of the wave, in the unit of the strain; excludes `table` and `file`.
        pub amplitude: Option<Number>,
        /// Length of the wave; negative where it travels to the start of the rod. All of the rod
        /// goes in step unless given.
        pub wavelength: Option<Length>,
        /// Period of the wave; it stands still unless given.
        pub period: Option<Time> => POSITIVE,
        /// Phase at the start of the rod; 0 unless given.
        pub phase: Option<Angle>,
        /// Factors at equally spaced places from the start of the rod to its end, linear between
        /// them; 1 unless given.
        pub envelope: Option<Vec<Number>>,
        /// Time over which the wave grows from nothing; 0 unless given.
        pub ramp: Option<Time> => NOT_NEGATIVE,
        /// A row of arc lengths `[0, place, ..]`, m, then rows `[time, value, ..]`, s and the unit of
        /// the strain; linear between, constant outside.
        pub table: Option<Vec<Vec<Number>>>,
    }
    also {
        /// A file with such rows, in place of `table`.
        file: Option<TablePath>,
    }
}

impl Read for DrivenSpec {
    fn wanted() -> String {
        "a table such as { strain = \"curvature1\", amplitude = \"5 1/m\", wavelength = \"0.4 m\", period = \"1 s\" }"
            .into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, &Self::known())?;
        let strain = Self::strain().read(&keys)?;
        let [own, listed, file] = [
            Self::amplitude().name,
            Self::table().name,
            Self::file().name,
        ];
        let given = keys.only(&[own, listed, file])?.unwrap_or(own);
        let table = match keys.at(&Self::file()) {
            Some(at) => Some(Numbers::all_of_file(&at)?.plain()),
            None => Self::table().read(&keys)?,
        };
        let unit = strain.dimension();
        let amplitude = match keys.at(&Self::amplitude()) {
            Some(at) => Some(Number::new(at.number(unit)?)),
            None if table.is_some() => None,
            None => {
                let wanted = format!("{}, such as {}", unit.describe(), unit.example());
                return Err(keys.missing(&Self::amplitude(), wanted));
            }
        };
        let spec = Self {
            strain,
            amplitude,
            wavelength: Self::wavelength().read(&keys)?,
            period: Self::period().read(&keys)?,
            phase: Self::phase().read(&keys)?,
            envelope: Self::envelope().read(&keys)?,
            ramp: Self::ramp().read(&keys)?,
            table,
        };
        spec.check(&keys, given)?;
        Ok(spec)
    }
}

impl DrivenSpec {
    fn check(&self, keys: &Keys, given: &str) -> Result<(), SceneError> {
        let Some(rows) = &self.table else {
            let length = self.wavelength.map_or(1.0, Length::si);
            keys.check(
                &Self::wavelength(),
                length,
                length != 0.0,
                "other than zero",
            )?;
            let empty = self.envelope.as_ref().is_some_and(Vec::is_empty);
            return keys.check(&Self::envelope(), 0.0, !empty, "at least one number");
        };
        // All others are of a wave.
        let mut of_wave = Self::known();
        of_wave.retain(|key| *key != &*Self::strain() && *key != given);
        if let Some(key) = of_wave.into_iter().find(|key| keys.at(key).is_some()) {
            return keys.exclude(key, given);
        }
        let width = rows.first().map_or(0, Vec::len);
        let need =
            "a row of arc lengths [0, place, ..], then rows [time, value, ..] of the same length";
        let even = rows.len() > 1 && width > 1 && rows.iter().all(|row| row.len() == width);
        let shown = format!("{} rows, {width} columns in the first", rows.len());
        keys.check_shown(given, &shown, even, need)?;
        let places = rows[0][1..].is_sorted_by(|a, b| a < b);
        let times = rows[1..].is_sorted_by(|a, b| a[0] < b[0]);
        let need = "arc lengths that ascend along the first row, and times that ascend down the first column";
        keys.check_shown(given, "not ascending", places && times, need)
    }
}

table! {
    /// Retardation times of dashpots beside the springs (Kelvin and Voigt).
    #[derive(Copy)]
    pub struct ViscousSpec: "a table such as { bending = \"2 ms\", twisting = \"2 ms\", stretching = \"2 ms\" }" {
        /// Of bending.
        pub bending: Time = Time::default() => NOT_NEGATIVE,
        /// Of twisting.
        pub twisting: Time = Time::default() => NOT_NEGATIVE,
        /// Of stretching.
        pub stretching: Time = Time::default() => NOT_NEGATIVE,
    }
}

table! {
    /// Parts of the stiffness in series with dashpots (Maxwell).
    #[derive(Copy)]
    pub struct RelaxingSpec: "a table such as { time = \"0.5 s\", bending = 0.4, twisting = 0.4, stretching = 0.4 }" {
        /// Relaxation time.
        pub time: Time => POSITIVE,
        /// Part of the stiffness against bending that relaxes.
        pub bending: Number = Number::default() => PART,
        /// Part of the stiffness against twisting that relaxes.
        pub twisting: Number = Number::default() => PART,
        /// Part of the stiffness against stretching that relaxes.
        pub stretching: Number = Number::default() => PART,
    }
}
