//! Motions, supports and loads in words.

use std::f64::consts::TAU;

use super::Line;
use crate::spec::{
    AmplitudeSpec, AngleSpec, DirectionsSpec, EndRef, MagneticFieldSpec, MotionSpec, RestSpec,
    RodSpec, ScheduleSpec, WindDragSpec, WindSpec,
};
use crate::units::{Force, Length, Moment, Quantity, Time, number, show};

/// A title by number, and by name if there is one.
pub(super) fn title(what: &str, index: usize, name: &Option<String>) -> String {
    match name {
        Some(name) => format!("{what} {index}: {name}"),
        None => format!("{what} {index}"),
    }
}

/// Numbers in ascending order: "0 to 3, 7".
pub(super) fn ranges(numbers: &[usize]) -> String {
    let mut runs: Vec<[usize; 2]> = Vec::new();
    for n in numbers {
        match runs.last_mut().filter(|run| run[1] + 1 == *n) {
            Some(run) => run[1] = *n,
            None => runs.push([*n, *n]),
        }
    }
    let run = |[a, b]: &[usize; 2]| match a == b {
        true => a.to_string(),
        false => format!("{a} to {b}"),
    };
    const MOST: usize = 6;
    let more = if runs.len() > MOST { ", .." } else { "" };
    let told: Vec<String> = runs.iter().take(MOST).map(run).collect();
    format!("{}{more}", told.join(", "))
}

pub(super) fn count(n: usize, what: &str) -> String {
    if n == 1 {
        format!("1 {what}")
    } else {
        format!("{n} {what}s")
    }
}

fn end(item: &str, end: EndRef) -> String {
    match end {
        EndRef::First => format!("first {item}"),
        EndRef::Last => format!("last {item}"),
        EndRef::Index(i) => format!("{item} {i}"),
    }
}

pub(super) fn list<const M: i32, const KG: i32, const S: i32, const RAD: i32>(
    v: &[Quantity<M, KG, S, RAD>; 3],
) -> String {
    let [x, y, z] = v.map(|q| number(q.si()));
    format!("({x}, {y}, {z})")
}

/// 1.571 rad/s (15 rpm)
pub(super) fn rate(omega: f64) -> String {
    format!(
        "{} rad/s ({} rpm)",
        number(omega),
        number(omega * 60.0 / TAU)
    )
}

pub(super) fn motion(m: &MotionSpec) -> String {
    match m {
        MotionSpec::Still => "still".to_owned(),
        MotionSpec::Velocity(v) => format!("moves at {} m/s", list(v)),
        MotionSpec::Translation(t) => {
            let times = times(&t.amplitude);
            format!("is displaced by {} m{times}", list(&t.by))
        }
        MotionSpec::Rotation(r) => {
            let about = format!("about {} through {} m", list(&r.axis), list(&r.point));
            match (&r.speed, &r.angle) {
                (Some(s), _) => format!("turns at {} {about}", rate(s.si())),
                (None, Some(a)) => format!("turns by {} {about}", angle(a)),
                (None, None) => "still".to_owned(),
            }
        }
        MotionSpec::Path(rows) => format!("follows a path of {}", count(rows.len(), "row")),
        MotionSpec::Sequence(parts) => parts.iter().map(motion).collect::<Vec<_>>().join(", then "),
    }
}

pub(super) fn angle(a: &AngleSpec) -> String {
    a.told(|v| format!("{} rad", number(v)), rate)
}

/// A factor in time, behind what it multiplies; nothing where it is 1.
fn times(amplitude: &AmplitudeSpec) -> String {
    match amplitude {
        ScheduleSpec::Constant(v) if v.si() == 1.0 => String::new(),
        ScheduleSpec::Rate { value, rate } => {
            format!(" times {} + {} t", number(value.si()), number(rate.si()))
        }
        other => format!(" times {}", other.told(number, number)),
    }
}

pub(super) fn wind(wind: &WindSpec) -> String {
    let amplitude = times(&wind.amplitude);
    let gusts = wind.gusts.map_or(String::new(), |g| {
        let part = number(100.0 * g.strength.si());
        format!(
            ", gusts of up to {part} % over {}",
            show(g.period.si(), "s")
        )
    });
    let drag = match wind.drag {
        WindDragSpec::Quadratic {
            density,
            coefficient,
        } => format!(
            "quadratic drag, {} kg/m^3, C = {}",
            number(density.si()),
            number(coefficient.si())
        ),
        WindDragSpec::Linear { coefficient } => {
            format!("linear drag, {}", show(coefficient.si(), "Pa s"))
        }
    };
    let velocity = list(&wind.velocity);
    format!("{velocity} m/s{amplitude}{gusts}; {drag}")
}

pub(super) fn field(field: &MagneticFieldSpec) -> String {
    let mut told = format!("{} T{}", list(&field.field), times(&field.amplitude));
    if field.gradient.is_some() {
        told += ", with a gradient";
    }
    if field.speed.si() != 0.0 {
        told += &format!(
            ", turns about {} at {}",
            list(&field.axis),
            rate(field.speed.si())
        );
    }
    told
}

pub(super) fn rest(spec: &RodSpec) -> &'static str {
    match spec.rest {
        RestSpec::Initial => "the initial shape",
        RestSpec::Straight => "straight",
        RestSpec::Shape(_) => "another shape",
    }
}

/// One line for each thing that a rod does by itself or that follows it.
fn in_time(spec: &RodSpec) -> Vec<Line> {
    let mut lines = Vec::new();
    for load in &spec.line_loads {
        let told = match (&load.force, &load.pressure) {
            (Some(force), _) => format!("{} N/m along m1, m2, t", list(force)),
            (None, pressure) => format!(
                "{} N/m, a pressure",
                number(pressure.unwrap_or_default().si())
            ),
        };
        lines.push(Line::new("line load", told));
    }
    for driven in &spec.driven {
        let strain = driven.strain.word();
        let told = match driven.amplitude {
            Some(amplitude) => {
                let unit = driven.strain.dimension();
                let with = |told: &str, number: Option<f64>, unit: &str| {
                    number.map_or(String::new(), |n| format!(", {told} {}", show(n, unit)))
                };
                format!(
                    "{strain} at rest, a wave of {} {unit}{}{}{}",
                    number(amplitude.si()),
                    with("length", driven.wavelength.map(Length::si), "m"),
                    with("period", driven.period.map(Time::si), "s"),
                    with("growing over", driven.ramp.map(Time::si), "s")
                )
            }
            None => format!("{strain} at rest, by a table"),
        };
        lines.push(Line::new("driven", told));
    }
    if let Some(v) = spec.viscous {
        let times = [v.bending, v.twisting, v.stretching];
        lines.push(Line::new(
            "viscous",
            format!("{} s: bending, twisting, stretching", list(&times)),
        ));
    }
    if let Some(r) = spec.relaxing {
        let shares = [r.bending, r.twisting, r.stretching];
        let told = format!(
            "{} of bending, twisting, stretching in {}",
            list(&shares),
            show(r.time.si(), "s")
        );
        lines.push(Line::new("relaxing", told));
    }
    if let Some(by) = spec.friction_by_direction {
        lines.push(Line::new("friction", by_direction(by)));
    }
    if let Some(rows) = &spec.magnetisation {
        let rows: Vec<String> = rows.iter().map(list).collect();
        lines.push(Line::new(
            "magnetised",
            format!("{} A/m along m1, m2, t", rows.join(", ")),
        ));
    }
    lines
}

/// Friction by direction, of an obstacle or a rod.
pub(super) fn by_direction(by: DirectionsSpec) -> String {
    let [forward, backward, across] =
        [by.forward, by.backward, by.across].map(|mu| number(mu.si()));
    format!("{forward} towards a rod's last node, {backward} towards its first, {across} across")
}

/// One line for each support and load.
pub(super) fn supports_and_loads(spec: &RodSpec) -> Vec<Line> {
    let mut lines = Vec::new();
    for c in &spec.clamps {
        let where_ = if c.half_edge {
            ", half of it behind the clamp plane"
        } else {
            ""
        };
        lines.push(Line::new(
            "clamp",
            format!("{}{where_}: {}", end("edge", c.edge), motion(&c.motion)),
        ));
    }
    for h in &spec.held {
        let axes = h.axes.letters();
        lines.push(Line::new(
            "held",
            format!("{} in {axes}: {}", end("node", h.node), motion(&h.motion)),
        ));
    }
    for h in &spec.held_angles {
        lines.push(Line::new(
            "held angle",
            format!("{}: {}", end("edge", h.edge), angle(&h.angle)),
        ));
    }
    for f in &spec.forces {
        let frame = match f.follows {
            Some(e) => format!(" along m1, m2, t of {}", end("edge", e)),
            None => String::new(),
        };
        let si: [Force; 3] = f.force;
        lines.push(Line::new(
            "force",
            format!(
                "{} N{frame}{} on {}",
                list(&si),
                times(&f.amplitude),
                end("node", f.node)
            ),
        ));
    }
    for m in &spec.moments {
        let frame = if m.follows { " along m1, m2, t" } else { "" };
        let si: [Moment; 3] = m.moment;
        lines.push(Line::new(
            "moment",
            format!(
                "{} N m{frame}{} on {}",
                list(&si),
                times(&m.amplitude),
                end("edge", m.edge)
            ),
        ));
    }
    if let Some(f) = &spec.foundation {
        let part = match f.edges {
            Some([first, last]) => format!(", edges {first} to {last}"),
            None => String::new(),
        };
        let slack = match &f.plane {
            Some(p) => format!(
                "on the plane through {} m with normal {}",
                list(&p.point),
                list(&p.normal)
            ),
            None => "where it began".to_owned(),
        };
        lines.push(Line::new(
            "foundation",
            format!(
                "{} across, {} along, {slack}{part}",
                show(f.normal.si(), "Pa"),
                show(f.tangential.si(), "Pa")
            ),
        ));
    }
    lines.extend(in_time(spec));
    lines
}
