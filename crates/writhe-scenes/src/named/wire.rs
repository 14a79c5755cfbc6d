//! What the rods of B08's scenes are: stiffnesses given as numbers, hardly extensible.

use glam::DVec3;
use serde::Serialize;

use crate::error::SceneError;
use crate::spec::centreline::through;
use crate::spec::{RestSpec, RodSpec, SectionSpec};
use crate::tree::{Keys, Known, Section, positive};
use crate::units::{Force, InertiaPerLength, Length, MassPerLength, Rigidity};

/// A rod by its stiffnesses: keys of the scenes that have such a rod.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Wire {
    /// EI, N m^2.
    pub bending: Rigidity,
    /// GJ, N m^2.
    pub twisting: Rigidity,
    /// Radius of the rod, m.
    pub rod_radius: Length,
    /// Mass per length, kg/m.
    pub mass_per_length: MassPerLength,
}

const KEYS: &[&str] = &["bending", "twisting", "rod_radius", "mass_per_length"];

impl Wire {
    /// From SI units.
    pub(super) fn new(bending: f64, twisting: f64, rod_radius: f64, mass_per_length: f64) -> Self {
        Self {
            bending: Rigidity::new(bending),
            twisting: Rigidity::new(twisting),
            rod_radius: Length::new(rod_radius),
            mass_per_length: MassPerLength::new(mass_per_length),
        }
    }

    /// An isotropic rod through these nodes, of stiffness `ea`, N, against stretching.
    pub(super) fn through(&self, nodes: &[DVec3], rest: RestSpec, ea: f64) -> RodSpec {
        self.anisotropic(nodes, rest, ea, self.bending)
    }

    /// The same with another EI against bending across the first director.
    pub(super) fn anisotropic(
        &self,
        nodes: &[DVec3],
        rest: RestSpec,
        ea: f64,
        across: Rigidity,
    ) -> RodSpec {
        let polar = 0.5 * self.mass_per_length.si() * self.rod_radius.si().powi(2);
        let section = SectionSpec::Stiffness {
            ea: Force::new(ea),
            ei1: self.bending,
            ei2: across,
            gj: self.twisting,
            mass_per_length: self.mass_per_length,
            inertia_per_length: InertiaPerLength::new(polar),
            radius: self.rod_radius,
        };
        RodSpec {
            rest,
            ..RodSpec::of(through(nodes), section, None)
        }
    }
}

impl Known for Wire {
    fn known() -> Vec<&'static str> {
        KEYS.to_vec()
    }
}

impl Section for Wire {
    fn keyed(keys: &Keys, d: Self) -> Result<Self, SceneError> {
        let wire = Self {
            bending: keys.or("bending", d.bending)?,
            twisting: keys.or("twisting", d.twisting)?,
            rod_radius: keys.or("rod_radius", d.rod_radius)?,
            mass_per_length: keys.or("mass_per_length", d.mass_per_length)?,
        };
        positive(keys, "bending", &wire.bending)?;
        positive(keys, "twisting", &wire.twisting)?;
        positive(keys, "rod_radius", &wire.rod_radius)?;
        positive(keys, "mass_per_length", &wire.mass_per_length)?;
        Ok(wire)
    }
}
