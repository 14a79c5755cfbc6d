//! Every table that the parts of a scene are read from, with its keys.

use super::body::GUIDE;
use super::support::HELD;
use super::{
    ArcSpec, AxisSpec, BodySpec, BoxSpec, ClampSpec, DampingSpec, FluidSpec, ForceSpec,
    GravitySpec, GustSpec, HalfSpaceSpec, HeldAngleSpec, HelixSpec, HingeSpec, JointSpec,
    MaterialSpec, MomentSpec, OrientationSpec, OverrideSpec, RingSpec, SphereSpec, StopSpec,
    StraightSpec, TimeSpec, WeldSpec,
};
use super::{
    contact, motion, obstacle, perturbation, repeat, rod, section, shape, solid, time, wind,
};
use crate::tree::Table;

/// The tables of rods, obstacles, bodies, joints, surroundings, time and output.
pub(crate) fn tables() -> Vec<Table> {
    vec![
        Table::new("perturbation", perturbation::KEYS),
        Table::of::<GravitySpec>("gravity"),
        Table::of::<DampingSpec>("damping"),
        Table::new("wind", wind::KEYS),
        Table::of::<GustSpec>("wind.gusts"),
        Table::choice("wind.drag", wind::DRAG),
        Table::new("wind.drag.quadratic", wind::QUADRATIC),
        Table::new("wind.drag.linear", wind::LINEAR),
        Table::of::<FluidSpec>("fluid"),
        Table::new("contact", contact::KEYS),
        Table::choice("contact.stiffness", contact::STIFFNESS),
        Table::choice("contact.friction_solve", contact::FRICTION_SOLVE),
        Table::choice("contact.jacobian", contact::JACOBIAN),
        Table::of::<TimeSpec>("time"),
        Table::of::<StopSpec>("stop"),
        Table::new("output", time::OUTPUT_KEYS),
        Table::new("rods", rod::KEYS),
        Table::new("repeat", &repeat::known()),
        Table::of::<repeat::RingOfCopies>("repeat.ring"),
        Table::of::<repeat::RandomPlace>("repeat.random"),
        Table::choice("shape", shape::KINDS),
        Table::of::<StraightSpec>("shape.straight"),
        Table::of::<ArcSpec>("shape.arc"),
        Table::of::<HelixSpec>("shape.helix"),
        Table::of::<RingSpec>("shape.ring"),
        Table::choice("section", section::KINDS),
        Table::new("section.circle", section::CIRCLE),
        Table::new("section.ellipse", section::SIDES),
        Table::new("section.rectangle", section::SIDES),
        Table::new("section.stiffness", section::DIRECT),
        Table::of::<MaterialSpec>("material"),
        Table::of::<OverrideSpec>("overrides"),
        Table::of::<ClampSpec>("clamps"),
        Table::new("held", HELD),
        Table::of::<HeldAngleSpec>("held_angles"),
        Table::of::<ForceSpec>("forces"),
        Table::of::<MomentSpec>("moments"),
        Table::choice("motion", motion::KINDS),
        Table::new("motion.rotation", motion::ROTATION),
        Table::new("schedule", motion::SCHEDULE),
        Table::new("obstacles", obstacle::KEYS),
        Table::choice("obstacles.shape", obstacle::KINDS),
        Table::of::<HalfSpaceSpec>("obstacles.shape.half_space"),
        Table::of::<SphereSpec>("obstacles.shape.sphere"),
        Table::of::<AxisSpec>("obstacles.shape.capsule"),
        Table::of::<AxisSpec>("obstacles.shape.cylinder"),
        Table::of::<BoxSpec>("obstacles.shape.box"),
        Table::new("obstacles.shape.mesh", obstacle::MESH),
        Table::of::<BodySpec>("bodies"),
        Table::of::<OrientationSpec>("orientation"),
        Table::of::<WeldSpec>("welds"),
        Table::new("guide", GUIDE),
        Table::choice("solid", solid::KINDS),
        Table::new("solid.sphere", solid::SPHERE),
        Table::new("solid.box", solid::BOX),
        Table::new("solid.cylinder", solid::CYLINDER),
        Table::of::<JointSpec>("joints"),
        Table::of::<HingeSpec>("hinge"),
    ]
}
