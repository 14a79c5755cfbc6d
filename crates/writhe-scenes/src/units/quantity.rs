//! Quantities: a number in SI whose dimension is part of its type.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Dimension, UnitError, parse_quantity};

/// A number in SI with the dimension `m^M kg^KG s^S rad^RAD`; reads bare numbers (SI) and strings
/// with units.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Quantity<const M: i32, const KG: i32, const S: i32, const RAD: i32>(f64);

/// m.
pub type Length = Quantity<1, 0, 0, 0>;
/// s.
pub type Time = Quantity<0, 0, 1, 0>;
/// kg.
pub type Mass = Quantity<0, 1, 0, 0>;
/// rad.
pub type Angle = Quantity<0, 0, 0, 1>;
/// m/s.
pub type Speed = Quantity<1, 0, -1, 0>;
/// rad/s.
pub type AngularSpeed = Quantity<0, 0, -1, 1>;
/// 1/s.
pub type Rate = Quantity<0, 0, -1, 0>;
/// m/s^2.
pub type Acceleration = Quantity<1, 0, -2, 0>;
/// N.
pub type Force = Quantity<1, 1, -2, 0>;
/// N/m.
pub type ForcePerLength = Quantity<0, 1, -2, 0>;
/// N m.
pub type Moment = Quantity<2, 1, -2, 0>;
/// Pa.
pub type Pressure = Quantity<-1, 1, -2, 0>;
/// Pa s.
pub type Viscosity = Quantity<-1, 1, -1, 0>;
/// kg/m^3.
pub type Density = Quantity<-3, 1, 0, 0>;
/// N m^2.
pub type Rigidity = Quantity<3, 1, -2, 0>;
/// kg/m.
pub type MassPerLength = Quantity<-1, 1, 0, 0>;
/// kg m.
pub type InertiaPerLength = Quantity<1, 1, 0, 0>;
/// kg m^2.
pub type Inertia = Quantity<2, 1, 0, 0>;
/// 1/m.
pub type Curvature = Quantity<-1, 0, 0, 0>;
/// rad/m.
pub type AnglePerLength = Quantity<-1, 0, 0, 1>;
/// No unit.
pub type Number = Quantity<0, 0, 0, 0>;

/// A text that is not a quantity of the wanted dimension.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum QuantityError {
    /// Not a quantity at all.
    #[error("`{text}` is not a quantity: {source}")]
    Unit {
        /// As written.
        text: String,
        /// What is wrong.
        source: UnitError,
        /// What was asked for.
        wanted: Dimension,
    },
    /// A quantity of another dimension.
    #[error("`{text}` is {}, where {} is wanted", found.describe(), wanted.describe())]
    Dimension {
        /// As written.
        text: String,
        /// Dimension found.
        found: Dimension,
        /// Dimension asked for.
        wanted: Dimension,
    },
}

impl<const M: i32, const KG: i32, const S: i32, const RAD: i32> Quantity<M, KG, S, RAD> {
    /// Dimension of this type.
    pub const DIMENSION: Dimension = Dimension::new(M, KG, S, RAD);

    /// From a number in SI.
    pub const fn new(si: f64) -> Self {
        Self(si)
    }

    /// The number in SI.
    pub const fn si(self) -> f64 {
        self.0
    }

    /// From a text; without a unit it is taken as SI.
    ///
    /// # Errors
    /// Says which dimension was found and which is wanted.
    pub fn parse(text: &str) -> Result<Self, QuantityError> {
        parse_as(text, Self::DIMENSION).map(Self)
    }
}

/// The number in SI of a text of the wanted dimension; without a unit it is taken as SI.
pub(crate) fn parse_as(text: &str, wanted: Dimension) -> Result<f64, QuantityError> {
    match parse_quantity(text) {
        Ok((_, Some(found))) if !found.fits(wanted) => Err(QuantityError::Dimension {
            text: text.to_owned(),
            found,
            wanted,
        }),
        Ok((value, _)) => Ok(value),
        Err(source) => Err(QuantityError::Unit {
            text: text.to_owned(),
            source,
            wanted,
        }),
    }
}

impl<const M: i32, const KG: i32, const S: i32, const RAD: i32> Serialize
    for Quantity<M, KG, S, RAD>
{
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_f64(self.0)
    }
}

impl<'de, const M: i32, const KG: i32, const S: i32, const RAD: i32> Deserialize<'de>
    for Quantity<M, KG, S, RAD>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<const M: i32, const KG: i32, const S: i32, const RAD: i32>;
        impl<const M: i32, const KG: i32, const S: i32, const RAD: i32> Visitor<'_>
            for Reader<M, KG, S, RAD>
        {
            type Value = Quantity<M, KG, S, RAD>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let wanted = Self::Value::DIMENSION;
                write!(f, "{}, such as {}", wanted.describe(), wanted.example())
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
                if value.is_finite() {
                    Ok(Quantity(value))
                } else {
                    Err(E::custom(format!("{value} is not a finite number")))
                }
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
                Ok(Quantity(value as f64))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
                Ok(Quantity(value as f64))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Quantity::parse(text).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Reader::<M, KG, S, RAD>)
    }
}
