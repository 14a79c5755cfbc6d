//! Point forces and moments.

use super::{AmplitudeSpec, EndRef};
use crate::tree::table;
use crate::units::{Force, Moment};

table! {
    /// A force on a node.
    pub struct ForceSpec: "a table such as { node = \"last\", force = [0, 0, \"-2 mN\"] }" {
        /// Which node.
        pub node: EndRef,
        /// Components in space, or along m1, m2 and the tangent of the edge that it follows.
        pub force: [Force; 3],
        /// Factor in time.
        pub amplitude: AmplitudeSpec = AmplitudeSpec::one(),
        /// Edge whose material frame the force turns with; it keeps its direction unless given.
        pub follows: Option<EndRef>,
    }
}

table! {
    /// A moment on an edge.
    pub struct MomentSpec: "a table such as { edge = \"last\", moment = [0, 0, \"1e-4 N m\"] }" {
        /// Which edge.
        pub edge: EndRef,
        /// Components in space, or along m1, m2 and the tangent of the edge that it follows.
        pub moment: [Moment; 3],
        /// Factor in time.
        pub amplitude: AmplitudeSpec = AmplitudeSpec::one(),
        /// Whether it turns with the edge's material frame.
        pub follows: bool = false,
    }
}
