//! The rigid bodies: mass, inertia, what is welded to them, how they move.

use glam::DVec3;

use super::facts::Facts;
use super::{Line, Section, words};
use crate::build::{body, welds};
use crate::error::SceneError;
use crate::spec::centreline::vector;
use crate::spec::{BodySpec, GuideSpec, JointSpec, RodRef, SolidSpec};
use crate::units::{Force, Length, Number, number, show};

/// One table for each body; joints share one.
pub(super) fn sections(facts: &Facts) -> Result<Vec<Section>, SceneError> {
    let all = facts.spec.all_bodies();
    let mut sections = Vec::new();
    let mut joints = Vec::new();
    let rods = facts.welded_to();
    for (index, (key, spec)) in all.iter().enumerate() {
        let welded = welds(facts.scene, key, spec, &rods)?;
        if spec.joint && spec.motion.is_none() && spec.guide.is_none() {
            joints.push((index, welded));
            continue;
        }
        sections.push(Section {
            title: words::title("Body", index, &spec.name),
            lines: lines(facts, spec, &welded),
        });
    }
    sections.extend(joined(facts, &joints));
    sections.extend(between_bodies(facts));
    Ok(sections)
}

/// Joints beyond this number are counted and not listed.
const LISTED: usize = 8;

/// What is welded to a body: rod and edge.
type Welded = Vec<(usize, usize)>;

fn joined(facts: &Facts, joints: &[(usize, Welded)]) -> Option<Section> {
    let line = |(index, welded): &(usize, Welded)| (*index, edges(facts, welded));
    listed(
        "Joints of rods, without mass of their own",
        joints.iter().map(line),
    )
}

/// Joints between bodies, a line each.
fn between_bodies(facts: &Facts) -> Option<Section> {
    let name = |body: &RodRef| match body {
        RodRef::Index(index) => format!("body {index}"),
        RodRef::Name(name) => name.clone(),
    };
    let line = |joint: &JointSpec| {
        let first = joint.bodies.first().map(name).unwrap_or_default();
        let second = joint.bodies.get(1).map_or("the scene".to_owned(), name);
        let at = words::list(&joint.at);
        let (kind, strength) = (kind(joint), strength(joint));
        format!("{first} to {second} at {at} m, {kind}{strength}")
    };
    let joints = facts.spec.all_joints();
    let lines = joints.iter().enumerate();
    listed(
        "Joints between bodies",
        lines.map(|(index, (_, joint))| (index, line(joint))),
    )
}

/// A line for each of the first joints, and the number of the others.
fn listed(title: &str, joints: impl ExactSizeIterator<Item = (usize, String)>) -> Option<Section> {
    let more = joints.len().saturating_sub(LISTED);
    let joints = joints.take(LISTED);
    let mut lines: Vec<Line> = joints
        .map(|(index, told)| Line::new(&format!("joint {index}"), told))
        .collect();
    if more > 0 {
        lines.push(Line::new("and", words::count(more, "more joint")));
    }
    (!lines.is_empty()).then(|| Section {
        title: title.to_owned(),
        lines,
    })
}

fn strength(joint: &JointSpec) -> String {
    let told = |f: &Force| format!(", which breaks beyond {}", show(f.si(), "N"));
    joint.strength.as_ref().map_or(String::new(), told)
}

fn kind(joint: &JointSpec) -> String {
    let Some(hinge) = &joint.hinge else {
        let kind = if joint.weld { "a weld" } else { "a ball" };
        return kind.to_owned();
    };
    let axis = words::list(&hinge.axis);
    let motor = match (&hinge.torque, &hinge.angle) {
        (Some(torque), _) => format!(", driven by a torque of {}", show(torque.si(), "N m")),
        (None, Some(angle)) => format!(", driven: {}", words::angle(angle)),
        (None, None) => String::new(),
    };
    format!("a hinge about {axis}{motor}")
}

fn lines(facts: &Facts, spec: &BodySpec, welded: &Welded) -> Vec<Line> {
    let body = body(spec);
    let mut lines = vec![Line::new("mass", show(1e3 * body.mass, "g"))];
    if !spec.joint {
        let j = [0, 1, 2].map(|k| number(body.inertia.col(k)[k]));
        let kind = match (spec.inertia, spec.solid) {
            (None, Some(_)) => ", of the homogeneous solid",
            _ => "",
        };
        let shown = format!("({}, {}, {}) kg m^2{kind}", j[0], j[1], j[2]);
        lines.push(Line::new("inertia", shown));
    }
    if let Some(solid) = &spec.solid {
        let touch = match (spec.touch, spec.friction) {
            (true, Some(mu)) => format!(", which rods touch with friction {}", mu.si()),
            (true, None) => ", which rods touch".to_owned(),
            (false, _) => ", which rods do not touch".to_owned(),
        };
        let meet = match (spec.collide, spec.restitution.si()) {
            (true, e) => format!(
                "; bodies meet it with friction {} and restitution {}",
                number(spec.friction.map_or(0.0, Number::si)),
                number(e)
            ),
            (false, _) => String::new(),
        };
        let shown = format!("{}{touch}{meet}", shape(solid));
        lines.push(Line::new("solid", shown));
    }
    lines.push(Line::new(
        "position",
        format!("{} m", words::list(&spec.position)),
    ));
    if spec.orientation.angle.si() != 0.0 {
        let turn = &spec.orientation;
        let angle = number(turn.angle.si().to_degrees());
        let shown = format!("turned by {angle} deg about {}", words::list(&turn.axis));
        lines.push(Line::new("orientation", shown));
    }
    if vector(&spec.velocity) != DVec3::ZERO {
        let shown = format!("{} m/s", words::list(&spec.velocity));
        lines.push(Line::new("velocity", shown));
    }
    if vector(&spec.angular_velocity) != DVec3::ZERO {
        let shown = format!("{} rad/s", words::list(&spec.angular_velocity));
        lines.push(Line::new("angular velocity", shown));
    }
    lines.push(Line::new("welded to it", edges(facts, welded)));
    let motion = spec.motion.as_ref().map(words::motion);
    let guide = spec.guide.as_ref().map(guided);
    let free = || "free".to_owned();
    lines.push(Line::new("motion", motion.or(guide).unwrap_or_else(free)));
    lines
}

fn guided(guide: &GuideSpec) -> String {
    let parts = [
        ("keeps", guide.position.letters()),
        ("does not turn about", guide.turn.letters()),
    ];
    let said = parts.iter().filter(|(_, axes)| !axes.is_empty());
    let said: Vec<String> = said.map(|(what, axes)| format!("{what} {axes}")).collect();
    format!("{}, free otherwise", said.join(", "))
}

fn edges(facts: &Facts, welded: &Welded) -> String {
    if welded.is_empty() {
        return "nothing".to_owned();
    }
    let edge = |(rod, edge): &(usize, usize)| {
        let facts = &facts.rods[*rod];
        let name = match &facts.spec.name {
            Some(name) => format!(" ({name})"),
            None => String::new(),
        };
        let last = facts.rod.edges() - 1;
        let which = match *edge {
            0 => "first edge".to_owned(),
            e if e == last => "last edge".to_owned(),
            e => format!("edge {e}"),
        };
        format!("{which} of rod {rod}{name}")
    };
    welded.iter().map(edge).collect::<Vec<_>>().join(", ")
}

fn shape(solid: &SolidSpec) -> String {
    let size = |length: Length| show(length.si(), "m");
    match *solid {
        SolidSpec::Sphere { radius } => format!("sphere of radius {}", size(radius)),
        SolidSpec::Box { size: sides } => {
            let [a, b, c] = sides.map(size);
            format!("box {a} x {b} x {c}")
        }
        SolidSpec::Cylinder { radius, length } => format!(
            "cylinder of radius {} and length {} along its own z",
            size(radius),
            size(length)
        ),
    }
}
