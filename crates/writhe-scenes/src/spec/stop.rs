//! What ends a run before its time.

use serde::Serialize;
use writhe::stop::Rest;

use crate::error::SceneError;
use crate::tree::{At, Measured, POSITIVE, Read, Value, described, section};
use crate::units::{Force, Length, Number, Speed};

section! {
    /// Conditions of which any ends a run; none unless given.
    #[derive(Copy)]
    pub struct StopSpec {
        /// Ends the run with the step in which a support comes to need more force.
        pub force: Option<Force> = None => POSITIVE,
        /// Ends the run with a step in which the loop of a knot comes to a smaller radius; looked at after every tenth.
        pub loop_radius: Option<Length> = None => POSITIVE,
        /// Ends the run with the step in which a rod comes to be stretched by more of its length.
        pub stretch: Option<Number> = None => POSITIVE,
        /// Ends the run at rest: true when what moves has a thousandth of the radius to go at most, or when
        /// nothing reaches this speed any more; not before loads and motions have come to their ends.
        pub at_rest: Option<AtRestSpec> = None => POSITIVE,
    }
    missing Self::is_empty;
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
    /// What the core takes; `None` for no such end.
    fn rest(self) -> Option<Rest> {
        match self {
            Self::Automatic(wanted) => wanted.then_some(Rest::Automatic),
            Self::Speed(speed) => Some(Rest::Speed(speed.si())),
        }
    }
}

impl Measured for AtRestSpec {
    fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Automatic(_) => Vec::new(),
            Self::Speed(speed) => speed.numbers(),
        }
    }
}

described! { AtRestSpec => Either(vec![Flag, Speed::kind()]); }

impl Read for AtRestSpec {
    fn wanted() -> String {
        "true, false or a speed, such as \"1 um/s\"".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let other = || at.wrong_type(Self::wanted());
        match &at.node.value {
            Value::Boolean(wanted) => Ok(Self::Automatic(*wanted)),
            Value::Text(t) if t.starts_with(char::is_alphabetic) => other(),
            Value::Array(_) | Value::Table(_) => other(),
            _ => Speed::read(at).map(Self::Speed),
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
