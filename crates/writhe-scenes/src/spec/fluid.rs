//! Fluid around the rods.

use crate::error::SceneError;
use crate::tree::{Keys, POSITIVE, Read, section, words};
use crate::units::{Length, Number, Viscosity};

words! {
    /// Which drag the rods feel.
    pub enum FluidKind {
        /// No fluid.
        None = "none",
        /// Regularised Stokeslet segments: the flow couples all nodes.
        StokesletSegments = "stokeslet-segments",
        /// Resistive-force theory: local drag coefficients.
        ResistiveForce = "resistive-force",
    }
}

words! {
    /// How drag enters a step.
    pub enum CouplingKind {
        /// Solved for together with the positions.
        Implicit = "implicit",
        /// From the start of the step; limits the step.
        Lagged = "lagged",
    }
}

words! {
    /// Where the coefficients of resistive-force theory come from.
    pub enum ResistiveRule {
        /// Gray and Hancock 1955.
        GrayHancock = "gray-hancock",
        /// Lighthill 1976.
        Lighthill = "lighthill",
        /// `tangential` and `normal` as given.
        Explicit = "explicit",
    }
}

section! {
    /// Fluid around the rods. Keys that the model does not use are kept, so that the model can be
    /// switched alone.
    #[derive(Copy)]
    pub struct FluidSpec {
        /// Which drag the rods feel.
        pub model: FluidKind = FluidKind::None,
        /// Viscosity of the fluid; needed but with `rule = "explicit"`.
        pub viscosity: Option<Viscosity> = None => POSITIVE,
        /// Regularisation length over the radius (Stokeslet segments).
        pub regularisation: Number = Number::new(SLENDER_BODY_REGULARISATION) => POSITIVE,
        /// How drag enters a step (Stokeslet segments).
        pub coupling: CouplingKind = CouplingKind::Implicit,
        /// Where the drag coefficients come from (resistive force).
        pub rule: ResistiveRule = ResistiveRule::GrayHancock,
        /// Wavelength of the rod's shape (`"gray-hancock"`, `"lighthill"`).
        pub wavelength: Option<Length> = None => POSITIVE,
        /// Radius of the helix (`"lighthill"`).
        pub helix_radius: Option<Length> = None => POSITIVE,
        /// Drag per length and speed along the rod (`"explicit"`).
        pub tangential: Option<Viscosity> = None => POSITIVE,
        /// Drag per length and speed across the rod (`"explicit"`).
        pub normal: Option<Viscosity> = None => POSITIVE,
    }
    check Self::check
}

/// Density that Reynolds numbers are told with, kg/m^3: a Stokes flow needs none, and most liquids
/// are as dense as water.
pub const FLUID_DENSITY: f64 = 1000.0;
/// Reynolds number beyond which the inertia of a fluid matters.
pub const LARGEST_REYNOLDS: f64 = 0.1;

/// Regularisation over radius that matches slender-body theory: sqrt(e).
pub(crate) const SLENDER_BODY_REGULARISATION: f64 = 1.648_721_270_700_128_2;

impl FluidSpec {
    /// Whether drag is that of the velocities at the start of each step.
    pub fn lags(&self) -> bool {
        self.model == FluidKind::StokesletSegments && self.coupling == CouplingKind::Lagged
    }

    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        let explicit = self.rule == ResistiveRule::Explicit;
        let resistive = self.model == FluidKind::ResistiveForce;
        let needed = [
            (
                "viscosity",
                self.viscosity.is_none(),
                self.model != FluidKind::None && !(resistive && explicit),
            ),
            (
                "tangential",
                self.tangential.is_none(),
                resistive && explicit,
            ),
            ("normal", self.normal.is_none(), resistive && explicit),
        ];
        if let Some((name, ..)) = needed
            .iter()
            .find(|(_, missing, needed)| *missing && *needed)
        {
            return Err(keys.missing(name, Viscosity::wanted()));
        }
        let lengths = [
            (
                "wavelength",
                self.wavelength.is_none(),
                resistive && !explicit,
            ),
            (
                "helix_radius",
                self.helix_radius.is_none(),
                resistive && self.rule == ResistiveRule::Lighthill,
            ),
        ];
        match lengths
            .iter()
            .find(|(_, missing, needed)| *missing && *needed)
        {
            Some((name, ..)) => Err(keys.missing(name, Length::wanted())),
            None => Ok(()),
        }
    }
}
