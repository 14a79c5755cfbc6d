//! How scenes hold their rods: one end still, the other on its way.

use glam::DVec3;

use crate::spec::centreline::place;
use crate::spec::{AngleSpec, ClampSpec, EndRef, MotionSpec, RotationSpec};
use crate::units::{Angle, Number, Time};

/// Clamps of the first edge, which stands still, and of the last.
pub(super) fn clamps(last: MotionSpec) -> Vec<ClampSpec> {
    vec![
        ClampSpec::new(EndRef::First, MotionSpec::Still),
        ClampSpec::new(EndRef::Last, last),
    ]
}

/// The last of `nodes`, two at least, turns about the last edge by `turned` within the time
/// `taking`.
pub(super) fn turning(nodes: &[DVec3], turned: Angle, taking: Time) -> MotionSpec {
    let end = nodes[nodes.len() - 1];
    let axis = (end - nodes[nodes.len() - 2]).normalize();
    let table = vec![(Time::new(0.0), Angle::new(0.0)), (taking, turned)];
    MotionSpec::Rotation(RotationSpec {
        point: place(end),
        axis: axis.to_array().map(Number::new),
        speed: None,
        angle: Some(AngleSpec::Table { table }),
    })
}
