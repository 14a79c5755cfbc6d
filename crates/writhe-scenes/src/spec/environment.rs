//! Gravity and damping.

use serde::Serialize;

use super::subsection;
use crate::error::SceneError;
use crate::tree::Keys;
use crate::units::{Acceleration, Viscosity};

/// Uniform gravity.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct GravitySpec {
    /// m/s^2.
    pub acceleration: [Acceleration; 3],
}

impl GravitySpec {
    /// Earth's gravity along -z.
    pub fn earth() -> Self {
        Self::down(Acceleration::new(9.81))
    }

    /// Gravity along -z.
    pub fn down(acceleration: Acceleration) -> Self {
        let [x, y] = [Acceleration::default(); 2];
        Self {
            acceleration: [x, y, Acceleration::new(-acceleration.si())],
        }
    }

    /// Whether there is any.
    pub fn is_on(&self) -> bool {
        self.acceleration.iter().any(|a| a.si() != 0.0)
    }

    pub(crate) fn read(keys: &Keys, default: Self) -> Result<Self, SceneError> {
        let Some(keys) = subsection(keys, "gravity", &["acceleration"])? else {
            return Ok(default);
        };
        Ok(Self {
            acceleration: keys.or("acceleration", default.acceleration)?,
        })
    }
}

/// Damping force `-viscosity x length x velocity` on every node.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct DampingSpec {
    /// Pa s; 0 for none.
    pub viscosity: Viscosity,
}

impl DampingSpec {
    pub(crate) fn read(keys: &Keys, default: Self) -> Result<Self, SceneError> {
        let Some(keys) = subsection(keys, "damping", &["viscosity"])? else {
            return Ok(default);
        };
        let viscosity = keys.or("viscosity", default.viscosity)?;
        keys.not_negative("viscosity", viscosity.si())?;
        Ok(Self { viscosity })
    }
}
