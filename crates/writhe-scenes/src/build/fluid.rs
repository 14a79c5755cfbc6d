//! Fluids of the core.

use writhe::loads::resistive_force::{DragCoefficients, DragLaw};
use writhe::loads::{Coupling, Fluid};

use crate::spec::{CouplingKind, FluidSpec, ResistiveRule};
use crate::units::{Length, Viscosity};

pub(super) fn stokeslet_segments(spec: &FluidSpec) -> Fluid {
    Fluid {
        viscosity: viscosity(spec),
        regularisation: spec.regularisation.si(),
        coupling: match spec.coupling {
            CouplingKind::Implicit => Coupling::Implicit,
            CouplingKind::Lagged => Coupling::Lagged,
        },
    }
}

/// Viscosity, Pa s, and law of resistive-force theory; the reader of the scene has seen to it that what the rule needs is there.
pub(super) fn resistive_force(spec: &FluidSpec) -> (f64, DragLaw) {
    let wavelength = spec.wavelength.map_or(0.0, Length::si);
    let law = match spec.rule {
        ResistiveRule::Explicit => DragLaw::Explicit(DragCoefficients {
            tangential: spec.tangential.map_or(0.0, Viscosity::si),
            normal: spec.normal.map_or(0.0, Viscosity::si),
        }),
        ResistiveRule::Lighthill => DragLaw::Lighthill {
            wavelength,
            helix_radius: spec.helix_radius.map_or(0.0, Length::si),
        },
        ResistiveRule::GrayHancock => DragLaw::GrayHancock { wavelength },
    };
    (viscosity(spec), law)
}

fn viscosity(spec: &FluidSpec) -> f64 {
    spec.viscosity.map_or(0.0, Viscosity::si)
}
