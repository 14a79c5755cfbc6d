//! What the rods of all named scenes are: round, of one material.

use crate::spec::{MaterialSpec, RodSpec, SectionSpec, ShapeSpec};
use crate::units::{Density, Length, Number, Pressure};

/// Section and material of a named scene's rods, in its keys `rod_radius`, `young`, `poisson`,
/// `density`.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoundRod {
    radius: Length,
    young: Pressure,
    poisson: Number,
    density: Density,
}

impl RoundRod {
    pub(super) fn new(radius: Length, young: Pressure, poisson: Number, density: Density) -> Self {
        Self {
            radius,
            young,
            poisson,
            density,
        }
    }

    /// A rod of this shape.
    pub(super) fn of_shape(self, shape: ShapeSpec) -> RodSpec {
        let section = SectionSpec::Circle {
            radius: self.radius,
        };
        let material = MaterialSpec {
            young: self.young,
            poisson: Some(self.poisson),
            shear: None,
            density: self.density,
        };
        RodSpec::new(shape, section, material)
    }
}
