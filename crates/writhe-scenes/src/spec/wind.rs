//! Wind.

use serde::Serialize;

use super::AmplitudeSpec;
use crate::error::SceneError;
use crate::tree::{At, Keys, Read, not_negative, positive, table};
use crate::units::{Density, Number, Speed, Time, Viscosity};

/// Wind that blows everywhere with the same velocity; rods feel it, rigid bodies do not.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WindSpec {
    /// Velocity, m/s.
    pub velocity: [Speed; 3],
    /// Factor in time.
    pub amplitude: AmplitudeSpec,
    /// Gusts on top of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gusts: Option<GustSpec>,
    /// How rods feel it.
    pub drag: WindDragSpec,
}

table! {
    /// Speed that rises and falls irregularly, the same in every run: a sum of three waves without
    /// common period.
    #[derive(Copy)]
    pub struct GustSpec: "a table such as { strength = 0.4, period = \"3 s\" }" {
        /// Largest change of the speed, as a part of it.
        pub strength: Number => not_negative,
        /// Period of the slowest wave, s.
        pub period: Time => positive,
    }
}

/// How drag follows from the wind's speed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WindDragSpec {
    /// `density coefficient diameter / 2` times the square of the speed across the rod, per length.
    Quadratic {
        /// Density of air, kg/m^3.
        density: Density,
        /// Drag coefficient.
        coefficient: Number,
    },
    /// In proportion to the speed.
    Linear {
        /// Force per length and speed, Pa s.
        coefficient: Viscosity,
    },
}

impl Default for WindDragSpec {
    /// Air at 20 degrees C past a cylinder.
    fn default() -> Self {
        Self::Quadratic {
            density: Density::new(1.2),
            coefficient: Number::new(1.2),
        }
    }
}

pub(crate) const KEYS: &[&str] = &["velocity", "amplitude", "gusts", "drag"];
pub(crate) const DRAG: &[&str] = &["quadratic", "linear"];
pub(crate) const QUADRATIC: &[&str] = &["density", "coefficient"];
pub(crate) const LINEAR: &[&str] = &["coefficient"];

impl GustSpec {
    /// Speed at `time`, s, over that without gusts.
    pub fn factor(&self, time: f64) -> f64 {
        let turn = std::f64::consts::TAU * time / self.period.si();
        // 0 at the start; the largest sum of the waves is 1.
        let waves = 0.5 * turn.sin() + 0.3 * (2.414 * turn).sin() + 0.2 * (5.196 * turn).sin();
        1.0 + self.strength.si() * waves
    }
}

impl WindSpec {
    pub(crate) fn read(keys: &Keys, default: Option<Self>) -> Result<Option<Self>, SceneError> {
        let Some(at) = keys.at("wind") else {
            return Ok(default);
        };
        let keys = Keys::new(&at, KEYS)?;
        let velocity = match &default {
            Some(d) => keys.or("velocity", d.velocity)?,
            None => keys.required("velocity")?,
        };
        let steady = || AmplitudeSpec::Constant(Number::new(1.0));
        let drag = default.as_ref().map(|d| d.drag).unwrap_or_default();
        let gusts = keys.optional("gusts")?;
        Ok(Some(Self {
            velocity,
            amplitude: keys.or(
                "amplitude",
                default
                    .as_ref()
                    .map_or_else(steady, |d| d.amplitude.clone()),
            )?,
            gusts: gusts.or(default.as_ref().and_then(|d| d.gusts)),
            drag: keys.or("drag", drag)?,
        }))
    }
}

impl Read for WindDragSpec {
    fn wanted() -> String {
        "a table such as { quadratic = { density = \"1.2 kg/m^3\", coefficient = 1.2 } } or { linear = { coefficient = \"0.01 Pa s\" } }"
            .into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let (kind, inner) = at.kind(DRAG)?;
        if kind == "linear" {
            let keys = Keys::new(&inner, LINEAR)?;
            let coefficient: Viscosity = keys.required("coefficient")?;
            keys.not_negative("coefficient", coefficient.si())?;
            return Ok(Self::Linear { coefficient });
        }
        let keys = Keys::new(&inner, QUADRATIC)?;
        let density: Density = keys.or("density", Density::new(1.2))?;
        let coefficient: Number = keys.or("coefficient", Number::new(1.2))?;
        keys.not_negative("density", density.si())?;
        keys.not_negative("coefficient", coefficient.si())?;
        Ok(Self::Quadratic {
            density,
            coefficient,
        })
    }
}
