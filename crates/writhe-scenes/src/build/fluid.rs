//! Fluids of the core.

use std::f64::consts::{PI, TAU};

use writhe::loads::{Coupling, Fluid, Load};

use crate::Scene;
use crate::error::{Problem, SceneError};
use crate::spec::{CouplingKind, FluidSpec, ResistiveRule};

/// Drag per length and speed of resistive-force theory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResistiveForce {
    /// Along the rod, Pa s.
    pub tangential: f64,
    /// Across the rod, Pa s.
    pub normal: f64,
}

impl ResistiveForce {
    /// Coefficients for rods of radius `radius`, m. `lambda` is the wavelength:
    ///
    /// Gray and Hancock 1955: `ct = 2 pi mu / (ln(2 lambda/h) - 1/2)`, `cn = 4 pi mu / (ln(2 lambda/h) + 1/2)`;
    /// Lighthill 1976: `ct = 2 pi mu / ln q`, `cn = 4 pi mu / (ln q + 1/2)`, `q = 0.18 lambda / (h cos theta)`,
    /// `tan theta = 2 pi R / lambda`.
    ///
    /// `None` where the rule has no meaning (a rod too thick for its wavelength).
    pub fn from_spec(spec: &FluidSpec, radius: f64) -> Option<Self> {
        let given = |x: Option<crate::units::Viscosity>| x.map(|v| v.si());
        if spec.rule == ResistiveRule::Explicit {
            return Some(Self {
                tangential: given(spec.tangential)?,
                normal: given(spec.normal)?,
            });
        }
        let mu = given(spec.viscosity)?;
        let lambda = spec.wavelength?.si();
        let (along, across) = match spec.rule {
            ResistiveRule::Lighthill => {
                let angle = (TAU * spec.helix_radius?.si() / lambda).atan();
                let log = (0.18 * lambda / (radius * angle.cos())).ln();
                (log, log + 0.5)
            }
            _ => {
                let log = (2.0 * lambda / radius).ln();
                (log - 0.5, log + 0.5)
            }
        };
        let positive = along > 0.0 && across > 0.0;
        positive.then(|| Self {
            tangential: TAU * mu / along,
            normal: 4.0 * PI * mu / across,
        })
    }
}

pub(super) fn stokeslet_segments(spec: &FluidSpec) -> Fluid {
    Fluid {
        viscosity: spec.viscosity.unwrap_or_default().si(),
        regularisation: spec.regularisation.si(),
        coupling: match spec.coupling {
            CouplingKind::Implicit => Coupling::Implicit,
            CouplingKind::Lagged => Coupling::Lagged,
        },
    }
}

/// The core has no resistive-force load yet: this is where it is made.
pub(super) fn resistive_force_load(scene: &Scene) -> Result<Box<dyn Load>, SceneError> {
    let what = "the fluid model \"resistive-force\"";
    let instead = "model = \"stokeslet-segments\", or damping.viscosity for drag that is equal in all directions";
    Err(scene.error("fluid.model", Problem::NotAvailable { what, instead }))
}
