//! What ends a run before its time.

use serde::Serialize;
use writhe::stop::Rest;

use crate::error::SceneError;
use crate::tree::{At, Keys, Read, Value, positive, section};
use crate::units::{Force, Length, Number, Speed};

section! {
    /// Conditions of which any ends a run; none unless given.
    #[derive(Copy)]
    pub struct StopSpec {
        /// Force of a clamp or another support, N, that is not exceeded.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub force: Option<Force> = None => positive,
        /// Radius of a knot's loop, m, that is not fallen short of.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub loop_radius: Option<Length> = None => positive,
        /// Strain of a rod that is not exceeded.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub stretch: Option<Number> = None => positive,
        /// Whether the run ends when all is at rest, or below which speed, m/s, that is so.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub at_rest: Option<AtRestSpec> = None => AtRestSpec::check,
    }
}

/// What counts as rest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum AtRestSpec {
    /// Whether swings of a thousandth of the radius do; false for no such end.
    Automatic(bool),
    /// Everything moves slower, m/s.
    Speed(Speed),
}

impl AtRestSpec {
    /// A speed is greater than zero.
    fn check(keys: &Keys, name: &str, given: &Option<Self>) -> Result<(), SceneError> {
        match given {
            Some(Self::Speed(speed)) => positive(keys, name, speed),
            _ => Ok(()),
        }
    }

    /// What the core takes; `None` for no such end.
    fn rest(self) -> Option<Rest> {
        match self {
            Self::Automatic(wanted) => wanted.then_some(Rest::Automatic),
            Self::Speed(speed) => Some(Rest::Speed(speed.si())),
        }
    }
}

impl Read for AtRestSpec {
    fn wanted() -> String {
        "true, false or a speed, such as \"1 um/s\"".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match &at.node.value {
            Value::Boolean(wanted) => Ok(Self::Automatic(*wanted)),
            Value::Text(_) | Value::Integer(_) | Value::Float(_) => {
                Speed::read(at).map(Self::Speed)
            }
            _ => at.wrong_type(Self::wanted()),
        }
    }
}

impl StopSpec {
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
            at_rest: spec.at_rest.and_then(AtRestSpec::rest),
        }
    }
}
