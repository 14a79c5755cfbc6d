//! Fluids of the core.

use writhe::fluid::{Coupling, Fluid, StokesletSegments};
use writhe::loads::resistive_force::{DragCoefficients, DragLaw};
use writhe::step::largest_lagged_step;

use writhe::model::Model;
use writhe::state::State;

use super::contact_model;
use super::scheme;
use crate::error::{Problem, SceneError};
use crate::scene::Scene;
use crate::spec::{CouplingKind, FluidSpec, IntegratorKind, ResistiveRule};
use crate::units::{Length, Viscosity, show};

/// Largest step that lagged drag allows at the start, s; infinite where drag does not lag. A scene
/// whose step is larger is refused.
pub(crate) fn lagged_step(scene: &Scene, model: &Model, state: &State) -> Result<f64, SceneError> {
    let time = &scene.spec.time;
    if time.integrator != IntegratorKind::Implicit {
        return Ok(f64::INFINITY);
    }
    // A geometry without a flow is told by the first step.
    let largest = largest_lagged_step(model, state, scheme(time)).unwrap_or(f64::INFINITY);
    if time.step.si() <= largest {
        return Ok(largest);
    }
    let problem = Problem::conflict(
        format!(
            "lagged drag is not stable with steps of {}: these rods in this fluid need steps of at most {}",
            show(time.step.si(), "s"),
            show(largest, "s")
        ),
        format!(
            "set time.step = \"{}\", or {}",
            show(largest, "s"),
            instead(scene)
        ),
    );
    Err(scene.error("time.step", problem))
}

/// What allows longer steps. Each of these the scene must be able to take.
fn instead(scene: &Scene) -> &'static str {
    let spec = &scene.spec;
    if !spec.all_bodies().is_empty() {
        return "make the edges longer; with rigid bodies, drag must stay lagged";
    }
    if contact_model(&spec.contact).policy().impulsive() {
        return "set contact.model = \"imc\" and fluid.coupling = \"implicit\", which is stable at any size";
    }
    "fluid.coupling = \"implicit\", which is stable at any size"
}

pub(super) fn stokeslet_segments(spec: &FluidSpec) -> Fluid {
    let coupling = match spec.coupling {
        CouplingKind::Implicit => Coupling::Implicit,
        CouplingKind::Lagged => Coupling::Lagged,
    };
    let medium = StokesletSegments {
        viscosity: viscosity(spec),
        regularisation: spec.regularisation.si(),
    };
    Fluid::new(medium, coupling)
}

/// Viscosity, Pa s, and law of resistive-force theory; the reader of the scene has seen to it that
/// what the rule needs is there.
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
