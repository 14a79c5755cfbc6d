//! Welds where rods cross.

use super::RodRef;
use crate::error::SceneError;
use crate::tree::{At, POSITIVE, Read, Value, described, table};
use crate::units::Length;

table! {
    /// Which rods are welded where they cross.
    pub struct WeldCrossings: "true, or a table such as { rods = [\"warp\", \"weft\"] }" {
        /// Which rods, by number or name; all unless given.
        pub rods: Option<Vec<RodRef>>,
        /// Distance of two centrelines up to which they cross; a tenth more than their radii
        /// together unless given.
        pub within: Option<Length> => POSITIVE,
    }
}

/// Whether rods are welded where they cross.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CrossingsSpec(pub Option<WeldCrossings>);

impl Read for CrossingsSpec {
    fn wanted() -> String {
        WeldCrossings::wanted()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match at.node.value {
            Value::Boolean(false) => Ok(Self(None)),
            Value::Boolean(true) => Ok(Self(Some(WeldCrossings {
                rods: None,
                within: None,
            }))),
            Value::Table(_) => WeldCrossings::read(at).map(|spec| Self(Some(spec))),
            _ => at.wrong_type(Self::wanted()),
        }
    }
}

described! { CrossingsSpec => Either(vec![Flag, WeldCrossings::kind()]); }
