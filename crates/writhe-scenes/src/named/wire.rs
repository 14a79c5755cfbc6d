//! What the rods of B08's scenes are: stiffnesses given as numbers, hardly extensible.

use crate::error::SceneError;
use crate::spec::{RestSpec, RodSpec, SectionSpec, ShapeSpec};
use crate::tree::Keys;
use crate::units::{Force, InertiaPerLength, Length, MassPerLength, Rigidity};

/// A rod's section by its stiffnesses, in the keys `bending`, `twisting`, `rod_radius`, `mass_per_length`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wire {
    /// EI along m1 and m2, N m^2.
    pub bending: [f64; 2],
    /// GJ, N m^2.
    pub twisting: f64,
    /// m.
    pub radius: f64,
    /// kg/m.
    pub mass_per_length: f64,
    /// EA, N.
    pub stretching: f64,
}

impl Wire {
    /// Refuses what no rod can have, by its key.
    pub(super) fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        keys.positive("bending", self.bending[0].min(self.bending[1]))?;
        keys.positive("twisting", self.twisting)?;
        keys.positive("rod_radius", self.radius)?;
        keys.positive("mass_per_length", self.mass_per_length)
    }

    /// A rod through these nodes.
    pub(super) fn through(&self, nodes: &[glam::DVec3], rest: RestSpec) -> RodSpec {
        let points = nodes.iter().map(|x| x.to_array().map(Length::new));
        let section = SectionSpec::Stiffness {
            ea: Force::new(self.stretching),
            ei1: Rigidity::new(self.bending[0]),
            ei2: Rigidity::new(self.bending[1]),
            gj: Rigidity::new(self.twisting),
            mass_per_length: MassPerLength::new(self.mass_per_length),
            inertia_per_length: InertiaPerLength::new(
                0.5 * self.mass_per_length * self.radius * self.radius,
            ),
            radius: Length::new(self.radius),
        };
        RodSpec {
            rest,
            ..RodSpec::of(ShapeSpec::Nodes(points.collect()), section, None)
        }
    }
}
