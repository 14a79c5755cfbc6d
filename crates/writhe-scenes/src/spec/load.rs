//! Point forces and moments.

use super::{AmplitudeSpec, EndRef};
use crate::tree::table;
use crate::units::{Force, Moment, Number};

table! {
    /// A force on a node.
    pub struct ForceSpec: "a table such as { node = \"last\", force = [0, 0, \"-2 mN\"] }" {
        /// Which node.
        pub node: EndRef,
        /// Components, N: of space, or along m1, m2, t of the edge that it follows.
        pub force: [Force; 3],
        /// Factor in time.
        pub amplitude: AmplitudeSpec = AmplitudeSpec::Constant(Number::new(1.0)),
        /// Edge whose material frame the force turns with; a dead load without it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub follows: Option<EndRef>,
    }
}

table! {
    /// A moment on an edge.
    pub struct MomentSpec: "a table such as { edge = \"last\", moment = [0, 0, \"1e-4 N m\"] }" {
        /// Which edge.
        pub edge: EndRef,
        /// Components, N m: of space, or along m1, m2, t of the edge.
        pub moment: [Moment; 3],
        /// Factor in time.
        pub amplitude: AmplitudeSpec = AmplitudeSpec::Constant(Number::new(1.0)),
        /// Whether it turns with the edge's material frame.
        pub follows: bool = false,
    }
}
