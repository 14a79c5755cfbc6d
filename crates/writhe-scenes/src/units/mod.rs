//! Quantities with units: bare numbers are SI, strings may carry a unit (`"15 rpm"`, `"3 MPa"`,
//! `"1e-6 N m^2"`).

mod dimension;
mod parse;
mod quantity;
mod show;
mod table;
#[cfg(test)]
mod tests;

pub use dimension::Dimension;
pub use parse::{UnitError, parse_quantity};
pub(crate) use parse::{number_length, parse_unit, scaled};
pub(crate) use quantity::parse_as;
pub use quantity::{
    Acceleration, Angle, AnglePerLength, AngularSpeed, Curvature, Density, Force, ForcePerLength,
    Inertia, InertiaPerLength, Length, Mass, MassPerLength, Moment, Number, Pressure, Quantity,
    QuantityError, Rate, Rigidity, Speed, Time, Viscosity,
};
pub use show::{number, show};
