//! What ends a run before its time.

use crate::tree::{positive, section};
use crate::units::{Force, Length, Number};

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
        }
    }
}
