//! What is said of a fluid: what it does not slow, and where its flow is too coarse for the mesh.

use glam::DVec3;

use super::Remark;
use super::facts::{Facts, RodFacts};
use super::remarks::{note, warning};
use crate::build::part;
use crate::spec::{ContactKind, FluidKind, MotionSpec, ScheduleSpec};
use crate::units::{number, show};

pub(super) fn remarks(facts: &Facts) -> Vec<Remark> {
    if facts.spec.fluid.model == FluidKind::None {
        return Vec::new();
    }
    let mut remarks = Vec::new();
    remarks.extend(facts.rods.iter().find_map(|rod| short_edges(facts, rod)));
    remarks.extend(lubrication(facts));
    remarks.extend(bodies(facts));
    remarks.extend(facts.rods.iter().find_map(spin));
    remarks
}

/// Forces on nodes that are nearer to each other than the flow around them is smeared out.
fn short_edges(facts: &Facts, rod: &RodFacts) -> Option<Remark> {
    let fluid = facts.spec.fluid;
    if fluid.model != FluidKind::StokesletSegments {
        return None;
    }
    let sections = rod.rod.sections.iter().zip(&rod.edges).enumerate();
    let over = |(_, (section, edge)): &(usize, (&writhe::rod::Section, &f64))| {
        **edge / (section.radius * fluid.regularisation.si())
    };
    let (index, (section, edge)) = sections.min_by(|a, b| over(a).total_cmp(&over(b)))?;
    let length = section.radius * fluid.regularisation.si();
    (*edge < length).then(|| {
        let message = format!(
            "edge {index} is {} long and the flow is smeared out over {} (regularisation times radius): forces of the fluid on single nodes mean \
             little there, and lagged drag needs tiny steps; take fewer edges, a thinner rod or a smaller fluid.regularisation",
            show(*edge, "m"),
            show(length, "m")
        );
        warning(part(&rod.key, "shape"), message)
    })
}

/// Rods that may touch in a flow that is smeared out: nothing resists the last of their approach.
fn lubrication(facts: &Facts) -> Option<Remark> {
    let spec = facts.spec;
    let smeared = spec.fluid.model == FluidKind::StokesletSegments;
    let touch = spec.contact.model != ContactKind::None && facts.rods.len() > 1;
    (smeared && touch).then(|| {
        let message = format!(
            "the flow is smoothed over {} radii, so there is no lubrication between rods that are nearer than that, although the real drag against their approach grows as (radius/gap)^1.5. When rods first touch, and how a bundle slides, depends on the regularisation: compare runs with 1.02 and 1.6487 before you quote either",
            number(spec.fluid.regularisation.si())
        );
        note("fluid.regularisation", message)
    })
}

/// Bodies feel no fluid.
fn bodies(facts: &Facts) -> Option<Remark> {
    let all = facts.spec.all_bodies();
    let moves = |body: &crate::spec::BodySpec| !body.joint && body.motion.is_none();
    let (key, _) = all.iter().find(|(_, body)| moves(body))?;
    let message = "the fluid acts on rods only: rigid bodies, a cell body for example, feel no drag and drive no flow";
    Some(warning(key, message.to_owned()))
}

/// A straight rod strays from a line by less than so many radii.
const STRAIGHT: f64 = 3.0;

/// The spin of an edge about itself feels no fluid. For a rod whose shape turns with it that is a
/// small part of the torque.
fn spin(rod: &RodFacts) -> Option<Remark> {
    if !spins(rod) {
        return None;
    }
    let key = part(&rod.key, "shape");
    let said = "the fluid does not resist the spin of a rod about its own centreline";
    Some(if stray(rod) < STRAIGHT * rod.radius[1] {
        warning(
            key,
            format!(
                "{said}: a straight rod spins freely in it, without torque, and drives no flow around itself"
            ),
        )
    } else {
        note(
            key,
            format!(
                "{said}; the drag on its coils as they turn is included. For a helix of radius R the missing part is about (h/R)^2 of the torque"
            ),
        )
    })
}

/// Whether something turns edges of the rod about themselves.
fn spins(rod: &RodFacts) -> bool {
    let turns = |motion: &MotionSpec| turning(motion);
    let spec = &rod.spec;
    spec.clamps.iter().any(|c| turns(&c.motion))
        || !spec.moments.is_empty()
        || spec
            .held_angles
            .iter()
            .any(|h| !matches!(h.angle, ScheduleSpec::Constant(_)))
}

fn turning(motion: &MotionSpec) -> bool {
    match motion {
        MotionSpec::Rotation(_) => true,
        MotionSpec::Sequence(parts) => parts.iter().any(turning),
        MotionSpec::Still
        | MotionSpec::Velocity(_)
        | MotionSpec::Translation(_)
        | MotionSpec::Path(_) => false,
    }
}

/// Largest distance of a node from the line through the ends, m.
fn stray(rod: &RodFacts) -> f64 {
    let x = &rod.rod.positions;
    let (first, last) = (x[0], x[x.len() - 1]);
    let along = (last - first).normalize_or_zero();
    let away = |x: &DVec3| (*x - first).reject_from(along).length();
    if rod.rod.closed || along == DVec3::ZERO {
        return f64::INFINITY;
    }
    x.iter().map(away).fold(0.0, f64::max)
}
