//! What ends a run before its time.

use serde::Serialize;

use super::subsection;
use crate::error::SceneError;
use crate::tree::Keys;
use crate::units::{Force, Length, Number};

/// Conditions of which any ends a run; none unless given.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct StopSpec {
    /// Force of a clamp or another support, N, that is not exceeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force: Option<Force>,
    /// Radius of a knot's loop, m, that is not fallen short of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loop_radius: Option<Length>,
    /// Strain of a rod that is not exceeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stretch: Option<Number>,
}

const KEYS: &[&str] = &["force", "loop_radius", "stretch"];

impl StopSpec {
    pub(crate) fn read(keys: &Keys) -> Result<Self, SceneError> {
        let Some(keys) = subsection(keys, "stop", KEYS)? else {
            return Ok(Self::default());
        };
        let spec = Self {
            force: keys.optional("force")?,
            loop_radius: keys.optional("loop_radius")?,
            stretch: keys.optional("stretch")?,
        };
        for (name, value) in [
            ("force", spec.force.map(Force::si)),
            ("loop_radius", spec.loop_radius.map(Length::si)),
            ("stretch", spec.stretch.map(Number::si)),
        ] {
            value.map_or(Ok(()), |value| keys.positive(name, value))?;
        }
        Ok(spec)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl From<StopSpec> for writhe::stop::Stop {
    fn from(spec: StopSpec) -> Self {
        Self {
            force: spec.force.map(Force::si),
            loop_radius: spec.loop_radius.map(Length::si),
            stretch: spec.stretch.map(Number::si),
        }
    }
}
