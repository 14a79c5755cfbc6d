//! What the rods of B08's scenes are: stiffnesses given as numbers, hardly extensible.

use glam::DVec3;

use crate::spec::centreline::through;
use crate::spec::{RestSpec, RodSpec, SectionSpec};
use crate::tree::{POSITIVE, section};
use crate::units::{Force, InertiaPerLength, Length, MassPerLength, Rigidity};

section! {
    /// A rod by its stiffnesses: keys of the scenes that have such a rod, each with defaults of its
    /// own.
    #[derive(Copy)]
    pub struct Wire {
        /// EI, against bending.
        pub bending: Rigidity = Rigidity::new(1.0) => POSITIVE,
        /// GJ, against twisting.
        pub twisting: Rigidity = Rigidity::new(1.0) => POSITIVE,
        /// Radius of the rod.
        pub rod_radius: Length = Length::new(1.0) => POSITIVE,
        /// Mass per length.
        pub mass_per_length: MassPerLength = MassPerLength::new(1.0) => POSITIVE,
    }
}

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
