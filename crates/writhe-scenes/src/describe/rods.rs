//! The rods: sizes, stiffnesses, supports.

use writhe::rod::Section as EdgeSection;

use super::facts::{Facts, RodFacts, range};
use super::{Line, Section, words};
use crate::units::{number, show};

/// More tables than this are rather told together.
const MOST_TABLES: usize = 8;

/// A table for each kind of rod. Rods that differ in their place alone share one, and so do the
/// copies of a rod that is repeated; where there are many kinds, rods of one make.
pub(super) fn sections(facts: &Facts) -> Vec<Section> {
    let shown: Vec<Vec<Line>> = facts.rods.iter().map(|rod| lines(&[rod])).collect();
    let source = |rod: usize| facts.scene.written(&facts.rods[rod].key);
    let alike = |a: usize, b: usize| {
        let ((a_key, a_copy), (b_key, b_copy)) = (source(a), source(b));
        let copies = a_copy.is_some() && b_copy.is_some() && a_key == b_key;
        copies || shown[a] == shown[b]
    };
    let mut groups = gathered(facts.rods.len(), alike);
    if groups.len() > MOST_TABLES {
        let make = |rod: usize| {
            let rod = &facts.rods[rod];
            (rod.rod.closed, is_isotropic(rod), words::rest(&rod.spec))
        };
        groups = gathered(facts.rods.len(), |a, b| make(a) == make(b));
    }
    groups.iter().map(|rods| section(facts, rods)).collect()
}

/// Puts each rod to the first group whose first rod is like it.
fn gathered(rods: usize, alike: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for rod in 0..rods {
        match groups.iter_mut().find(|group| alike(group[0], rod)) {
            Some(group) => group.push(rod),
            None => groups.push(vec![rod]),
        }
    }
    groups
}

fn section(facts: &Facts, rods: &[usize]) -> Section {
    let members: Vec<&RodFacts> = rods.iter().map(|rod| &facts.rods[*rod]).collect();
    let mut lines = lines(&members);
    let supports = words::supports_and_loads(&members[0].spec);
    let differs = |rod: &&RodFacts| words::supports_and_loads(&rod.spec) != supports;
    let title = match rods {
        [one] => words::title("Rod", *one, &facts.rods[*one].spec.name),
        [first, ..] => {
            let numbers = words::ranges(rods);
            let count = rods.len();
            let same = members
                .iter()
                .all(|rod| self::lines(&[rod]) == self::lines(&members[..1]));
            let alike = if same { "alike" } else { "of one kind" };
            let first = match members.iter().any(differs) {
                true => format!("; supports and loads are those of rod {first}"),
                false => String::new(),
            };
            format!("Rods {numbers}: {count} {alike}{first}")
        }
        [] => "Rods".to_owned(),
    };
    lines.extend(supports);
    Section { title, lines }
}

fn is_isotropic(rod: &RodFacts) -> bool {
    rod.rod.sections.iter().all(|s| s.ei1 == s.ei2)
}

/// The sizes of rods, from the least to the largest.
fn lines(rods: &[&RodFacts]) -> Vec<Line> {
    let kind = if rods[0].rod.closed { "closed" } else { "open" };
    let over = |value: &dyn Fn(&RodFacts) -> f64, shown: &dyn Fn(f64) -> String| {
        between(rods.iter().map(|rod| value(rod)), shown)
    };
    let per_edge = |f: fn(&EdgeSection) -> f64, unit: &str| {
        let sections = rods.iter().flat_map(|rod| rod.rod.sections.iter());
        between(sections.map(f), |v| format!("{} {unit}", number(v)))
    };
    let whole = |v: f64| format!("{v}");
    let nodes = over(&|r| r.rod.positions.len() as f64, &whole);
    let edges = over(&|r| r.rod.edges() as f64, &whole);
    let word = if edges == "1" { "edge" } else { "edges" };
    let metres = |v: f64| show(v, "m");
    let edge_lengths = rods.iter().flat_map(|r| r.edges.iter().copied());
    let radii = rods.iter().flat_map(|r| r.rod.sections.iter());
    let mut lines = vec![
        Line::new("nodes", format!("{nodes}, {kind}, {edges} {word}")),
        Line::new(
            "length L",
            match rods.iter().all(|rod| length(rod) == length(rods[0])) {
                true => length(rods[0]),
                false => over(&|r| r.free_length, &metres),
            },
        ),
        Line::new("edge lengths", between(edge_lengths, metres)),
        Line::new("radius h", between(radii.map(|s| s.radius), metres)),
        Line::new(
            "slenderness L/h",
            over(&|r| r.length / r.radius[1], &number),
        ),
        Line::new("stretching EA", per_edge(|s| s.ea, "N")),
    ];
    if rods.iter().all(|rod| is_isotropic(rod)) {
        lines.push(Line::new("bending EI", per_edge(|s| s.ei1, "N m^2")));
    } else {
        lines.push(Line::new("bending EI1", per_edge(|s| s.ei1, "N m^2")));
        lines.push(Line::new("bending EI2", per_edge(|s| s.ei2, "N m^2")));
    }
    lines.push(Line::new("twisting GJ", per_edge(|s| s.gj, "N m^2")));
    let mass = over(&|r| r.mass, &|v| show(1e3 * v, "g"));
    let each = if rods.len() > 1 { " each" } else { "" };
    lines.push(Line::new("mass", format!("{mass}{each}")));
    lines.push(Line::new("rest shape", words::rest(&rods[0].spec)));
    let twist = |r: &RodFacts| r.spec.twist.si();
    if rods.iter().any(|rod| twist(rod) != 0.0) {
        let turns = over(&|r| twist(r) / std::f64::consts::TAU, &number);
        let twist = over(&twist, &number);
        lines.push(Line::new(
            "initial twist",
            format!("{twist} rad ({turns} turns)"),
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
