//! Point forces and moments.

use serde::Serialize;

use super::{AmplitudeSpec, EndRef};
use crate::error::SceneError;
use crate::tree::{At, Keys, Read};
use crate::units::{Force, Moment, Number};

/// A force on a node.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ForceSpec {
    /// Which node.
    pub node: EndRef,
    /// Components, N: of space, or along m1, m2, t of the edge that it follows.
    pub force: [Force; 3],
    /// Factor in time.
    pub amplitude: AmplitudeSpec,
    /// Edge whose material frame the force turns with; a dead load without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follows: Option<EndRef>,
}

/// A moment on an edge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MomentSpec {
    /// Which edge.
    pub edge: EndRef,
    /// Components, N m: of space, or along m1, m2, t of the edge.
    pub moment: [Moment; 3],
    /// Factor in time.
    pub amplitude: AmplitudeSpec,
    /// Whether it turns with the edge's material frame.
    pub follows: bool,
}

fn one() -> AmplitudeSpec {
    AmplitudeSpec::Constant(Number::new(1.0))
}

impl Read for ForceSpec {
    fn wanted() -> String {
        "a table such as { node = \"last\", force = [0, 0, \"-2 mN\"] }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, &["node", "force", "amplitude", "follows"])?;
        Ok(Self {
            node: keys.required("node")?,
            force: keys.required("force")?,
            amplitude: keys.or("amplitude", one())?,
            follows: keys.optional("follows")?,
        })
    }
}

impl Read for MomentSpec {
    fn wanted() -> String {
        "a table such as { edge = \"last\", moment = [0, 0, \"1e-4 N m\"] }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, &["edge", "moment", "amplitude", "follows"])?;
        Ok(Self {
            edge: keys.required("edge")?,
            moment: keys.required("moment")?,
            amplitude: keys.or("amplitude", one())?,
            follows: keys.or("follows", false)?,
        })
    }
}
