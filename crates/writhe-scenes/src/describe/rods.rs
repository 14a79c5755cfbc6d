//! The rods: sizes, stiffnesses, supports.

use writhe::rod::Section as EdgeSection;

use super::facts::{Facts, RodFacts, range};
use super::{Line, Section, words};
use crate::units::{number, show};

/// One table for each kind of rod; rods that differ in their place alone share one.
pub(super) fn sections(facts: &Facts) -> Vec<Section> {
    let mut sections: Vec<(Vec<usize>, Vec<Line>, Vec<Line>)> = Vec::new();
    for (i, rod) in facts.rods.iter().enumerate() {
        let lines = lines(rod);
        match sections.last_mut().filter(|(_, known, _)| *known == lines) {
            Some((rods, ..)) => rods.push(i),
            None => sections.push((vec![i], lines, words::supports_and_loads(&rod.spec))),
        }
    }
    let section = |(rods, mut lines, supports): (Vec<usize>, Vec<Line>, Vec<Line>)| {
        lines.extend(supports);
        Section {
            title: title(facts, &rods),
            lines,
        }
    };
    sections.into_iter().map(section).collect()
}

fn title(facts: &Facts, rods: &[usize]) -> String {
    match rods {
        [first, .., last] => format!(
            "Rods {first} to {last}: {} alike; supports and loads are those of rod {first}",
            rods.len()
        ),
        [one] => words::title("Rod", *one, &facts.rods[*one].spec.name),
        [] => "Rods".to_owned(),
    }
}

fn lines(r: &RodFacts) -> Vec<Line> {
    let kind = if r.rod.closed { "closed" } else { "open" };
    let nodes = r.rod.positions.len();
    let per_edge = |f: fn(&EdgeSection) -> f64, unit: &str| {
        between(r.rod.sections.iter().map(f), |v| {
            format!("{} {unit}", number(v))
        })
    };
    let mut lines = vec![
        Line::new(
            "nodes",
            format!("{nodes}, {kind}, {}", words::count(r.rod.edges(), "edge")),
        ),
        Line::new("length L", length(r)),
        Line::new(
            "edge lengths",
            between(r.edges.iter().copied(), |v| show(v, "m")),
        ),
        Line::new(
            "radius h",
            between(r.rod.sections.iter().map(|s| s.radius), |v| show(v, "m")),
        ),
        Line::new("slenderness L/h", number(r.length / r.radius[1])),
        Line::new("stretching EA", per_edge(|s| s.ea, "N")),
    ];
    if r.rod.sections.iter().all(|s| s.ei1 == s.ei2) {
        lines.push(Line::new("bending EI", per_edge(|s| s.ei1, "N m^2")));
    } else {
        lines.push(Line::new("bending EI1", per_edge(|s| s.ei1, "N m^2")));
        lines.push(Line::new("bending EI2", per_edge(|s| s.ei2, "N m^2")));
    }
    lines.push(Line::new("twisting GJ", per_edge(|s| s.gj, "N m^2")));
    lines.push(Line::new("mass", show(1e3 * r.mass, "g")));
    lines.push(Line::new("rest shape", words::rest(&r.spec)));
    if r.spec.twist.si() != 0.0 {
        let twist = r.spec.twist.si();
        let turns = number(twist / std::f64::consts::TAU);
        lines.push(Line::new(
            "initial twist",
            format!("{} rad ({turns} turns)", number(twist)),
        ));
    }
    lines
}

fn length(r: &RodFacts) -> String {
    if r.free_length == r.length {
        show(r.length, "m")
    } else {
        format!(
            "{} from the clamp's middle (contour {})",
            show(r.free_length, "m"),
            show(r.length, "m")
        )
    }
}

/// One value where all show alike, otherwise the smallest and largest.
fn between(values: impl Iterator<Item = f64>, shown: impl Fn(f64) -> String) -> String {
    let [low, high] = range(values).map(shown);
    if low == high {
        low
    } else {
        format!("{low} to {high}")
    }
}
