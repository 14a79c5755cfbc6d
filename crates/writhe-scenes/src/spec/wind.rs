//! Wind.

use super::{AmplitudeSpec, subsection};
use crate::error::SceneError;
use crate::tree::{At, NOT_NEGATIVE, POSITIVE, Read, Section, choice, section, table};
use crate::units::{Density, Number, Speed, Time, Viscosity};

section! {
    /// Wind that blows everywhere with the same velocity; rods feel it, rigid bodies do not.
    pub struct WindSpec {
        /// Velocity.
        pub velocity: [Speed; 3] | "must be given, unless a named scene has one" = [Speed::default(); 3],
        /// Factor in time.
        pub amplitude: AmplitudeSpec = AmplitudeSpec::one(),
        /// Gusts on top of it.
        pub gusts: Option<GustSpec> = None,
        /// How rods feel it.
        pub drag: WindDragSpec | "as air at 20 degrees C flows past a cylinder" = WindDragSpec::default(),
    }
}

table! {
    /// Speed that rises and falls irregularly, the same in every run: a sum of three waves without
    /// common period.
    #[derive(Copy)]
    pub struct GustSpec: "a table such as { strength = 0.4, period = \"3 s\" }" {
        /// Largest change of the speed, as a part of it.
        pub strength: Number => NOT_NEGATIVE,
        /// Period of the slowest of three waves.
        pub period: Time => POSITIVE,
    }
}

choice! {
    /// How drag follows from the wind's speed.
    pub enum WindDragSpec:
        "a table such as { quadratic = { density = \"1.2 kg/m^3\", coefficient = 1.2 } } or { linear = { coefficient = \"0.01 Pa s\" } }"
    {
        /// `density coefficient diameter / 2` times the square of the speed across the rod, per
        /// length.
        Quadratic = "quadratic" {
            /// Density of the air.
            density: Density = AIR.0 => NOT_NEGATIVE,
            /// Drag coefficient.
            coefficient: Number = AIR.1 => NOT_NEGATIVE,
        },
        /// In proportion to the speed.
        Linear = "linear" {
            /// Force per length and speed.
            coefficient: Viscosity => NOT_NEGATIVE,
        },
    }
}

/// Air at 20 degrees C past a cylinder.
const AIR: (Density, Number) = (Density::new(1.2), Number::new(1.2));

impl Default for WindDragSpec {
    fn default() -> Self {
        let (density, coefficient) = AIR;
        Self::Quadratic {
            density,
            coefficient,
        }
    }
}

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
    pub(crate) fn read(at: Option<At>, default: Option<Self>) -> Result<Option<Self>, SceneError> {
        let Some(keys) = subsection::<Self>(at)? else {
            return Ok(default);
        };
        if default.is_none() && keys.at(&Self::velocity()).is_none() {
            return Err(keys.missing(&Self::velocity(), <[Speed; 3]>::wanted()));
        }
        Self::keyed(&keys, default.unwrap_or_default()).map(Some)
    }
}
