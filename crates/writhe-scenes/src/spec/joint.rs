//! Joints between bodies.

use super::{AmplitudeSpec, AngleSpec, Direction, Point, RodRef};
use crate::error::SceneError;
use crate::tree::{DIRECTION, Keys, POSITIVE, table};
use crate::units::{Force, Moment};

table! {
    /// A joint of one body to another, or to the scene: a ball, a hinge or a weld.
    pub struct JointSpec:
        "a [[joints]] section such as { bodies = [0, 1], at = [\"1 cm\", 0, 0], hinge = { axis = [0, 0, 1] } }"
    {
        /// Two bodies, or one that is joined to the scene; by number or name.
        pub bodies: Vec<RodRef>,
        /// The point in common at the start.
        pub at: Point,
        /// The axis in common, if it is a hinge.
        pub hinge: Option<HingeSpec>,
        /// Whether it keeps all directions in common, too.
        pub weld: bool = false,
        /// Largest force that it bears; beyond that it lets go for good.
        pub strength: Option<Force> => POSITIVE,
    }
    check Self::check
}

table! {
    /// The axis of a hinge, and what turns the first body about it.
    pub struct HingeSpec:
        "a table such as { axis = [0, 0, 1] }, with torque = \"1 mN m\" or angle = { rate = \"60 rpm\" } for a motor"
    {
        /// Direction of the axis at the start.
        pub axis: Direction => DIRECTION,
        /// Torque of a motor; excludes `angle`.
        pub torque: Option<Moment>,
        /// Factor of the torque in time.
        pub amplitude: AmplitudeSpec = AmplitudeSpec::one(),
        /// Angle that a motor follows, 0 at the start; excludes `torque`.
        pub angle: Option<AngleSpec>,
    }
    check Self::check
}

impl JointSpec {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        if self.weld && self.hinge.is_some() {
            return keys.exclude(&Self::weld(), &Self::hinge());
        }
        let count = self.bodies.len();
        let shown = format!("a list of {count}");
        let need = "a list of two bodies, or of one that is joined to the scene";
        keys.check_shown(&Self::bodies(), &shown, (1..=2).contains(&count), need)
    }
}

impl HingeSpec {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        keys.only(&[&Self::torque(), &Self::angle()]).map(|_| ())
    }
}
