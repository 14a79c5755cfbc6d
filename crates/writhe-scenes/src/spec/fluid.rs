//! Fluid around the rods.

use serde::Serialize;

use super::subsection;
use crate::error::SceneError;
use crate::tree::{Keys, Read};
use crate::units::{Length, Number, Viscosity};

/// Which drag the rods feel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FluidKind {
    /// No fluid.
    None,
    /// Regularised Stokeslet segments: the flow couples all nodes.
    StokesletSegments,
    /// Resistive-force theory: local drag coefficients.
    ResistiveForce,
}

/// How drag enters a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CouplingKind {
    /// Solved for together with the positions.
    Implicit,
    /// From the start of the step; limits the step.
    Lagged,
}

/// Where the coefficients of resistive-force theory come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResistiveRule {
    /// Gray and Hancock 1955.
    GrayHancock,
    /// Lighthill 1976.
    Lighthill,
    /// `tangential` and `normal` as given.
    Explicit,
}

/// Fluid around the rods. Keys that the model does not use are kept, so that the model can be switched alone.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FluidSpec {
    /// Which drag.
    pub model: FluidKind,
    /// Viscosity, Pa s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viscosity: Option<Viscosity>,
    /// Regularisation length over the radius (Stokeslet segments).
    pub regularisation: Number,
    /// How drag enters a step (Stokeslet segments).
    pub coupling: CouplingKind,
    /// Where coefficients come from (resistive force).
    pub rule: ResistiveRule,
    /// Wavelength of the rod's shape, m (Gray-Hancock, Lighthill).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wavelength: Option<Length>,
    /// Radius of the helix, m (Lighthill).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub helix_radius: Option<Length>,
    /// Drag per length and speed along the rod, Pa s (explicit).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tangential: Option<Viscosity>,
    /// Drag per length and speed across the rod, Pa s (explicit).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal: Option<Viscosity>,
}

/// Density that Reynolds numbers are told with, kg/m^3: a Stokes flow needs none, and most liquids are as dense as water.
pub const FLUID_DENSITY: f64 = 1000.0;
/// Reynolds number beyond which the inertia of a fluid matters.
pub const LARGEST_REYNOLDS: f64 = 0.1;

/// Regularisation over radius that matches slender-body theory: sqrt(e).
pub(crate) const SLENDER_BODY_REGULARISATION: f64 = 1.648_721_270_700_128_2;

impl Default for FluidSpec {
    fn default() -> Self {
        Self {
            model: FluidKind::None,
            viscosity: None,
            regularisation: Number::new(SLENDER_BODY_REGULARISATION),
            coupling: CouplingKind::Implicit,
            rule: ResistiveRule::GrayHancock,
            wavelength: None,
            helix_radius: None,
            tangential: None,
            normal: None,
        }
    }
}

const KEYS: &[&str] = &[
    "model",
    "viscosity",
    "regularisation",
    "coupling",
    "rule",
    "wavelength",
    "helix_radius",
    "tangential",
    "normal",
];

impl FluidSpec {
    pub(crate) fn read(keys: &Keys, default: Self) -> Result<Self, SceneError> {
        let Some(keys) = subsection(keys, "fluid", KEYS)? else {
            return Ok(default);
        };
        let word = |name: &str| keys.at(name);
        let spec = Self {
            model: word("model").map_or(Ok(default.model), |at| {
                at.word(&[
                    ("none", FluidKind::None),
                    ("stokeslet-segments", FluidKind::StokesletSegments),
                    ("resistive-force", FluidKind::ResistiveForce),
                ])
            })?,
            viscosity: keys.optional("viscosity")?.or(default.viscosity),
            regularisation: keys.or("regularisation", default.regularisation)?,
            coupling: word("coupling").map_or(Ok(default.coupling), |at| {
                at.word(&[
                    ("implicit", CouplingKind::Implicit),
                    ("lagged", CouplingKind::Lagged),
                ])
            })?,
            rule: word("rule").map_or(Ok(default.rule), |at| {
                at.word(&[
                    ("gray-hancock", ResistiveRule::GrayHancock),
                    ("lighthill", ResistiveRule::Lighthill),
                    ("explicit", ResistiveRule::Explicit),
                ])
            })?,
            wavelength: keys.optional("wavelength")?.or(default.wavelength),
            helix_radius: keys.optional("helix_radius")?.or(default.helix_radius),
            tangential: keys.optional("tangential")?.or(default.tangential),
            normal: keys.optional("normal")?.or(default.normal),
        };
        spec.check(&keys)?;
        Ok(spec)
    }

    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        let given = [
            ("viscosity", self.viscosity.map(Viscosity::si)),
            ("regularisation", Some(self.regularisation.si())),
            ("wavelength", self.wavelength.map(Length::si)),
            ("helix_radius", self.helix_radius.map(Length::si)),
            ("tangential", self.tangential.map(Viscosity::si)),
            ("normal", self.normal.map(Viscosity::si)),
        ];
        for (name, value) in given {
            value.map_or(Ok(()), |v| keys.positive(name, v))?;
        }
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
