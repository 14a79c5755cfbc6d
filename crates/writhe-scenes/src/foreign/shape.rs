//! Shapes: rows of node coordinates `x y z`, m, whatever follows on a line ignored (those programs
//! write an angle there).

use std::fmt::Write;

use glam::DVec3;

use super::{ImportError, Imported, quoted};

/// How a list of nodes becomes a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeUse {
    /// Both ends are clamped and pulled away from each other, each along its own edge.
    Knot,
    /// It is free, and at rest as it is.
    Rod,
    /// Its last node is joined to the first.
    Ring,
}

/// Speed of each end of a knot, m/s, and how long it waits, s (C21).
const PULL: (f64, f64) = (6e-3, 2.0);
/// Largest coordinate, m.
const LARGEST: f64 = 1e6;
/// Part of a rod that its ends must be nearer than it is long, to be pulled apart.
const LEAST: f64 = 1e-3;
/// Radius, m, and material (Pa, kg/m^3) of the rods of C21: a shape says nothing of them.
const SILICONE: (f64, f64, f64) = (1.6e-3, 1.8e5, 1180.0);

/// The nodes of a shape.
pub(super) fn read(text: &str, file: &str) -> Result<Vec<DVec3>, ImportError> {
    let mut nodes = Vec::new();
    for (i, content) in text.lines().enumerate() {
        let content = content.trim();
        if content.is_empty() || content.starts_with('#') || nodes.is_empty() && names(content) {
            continue;
        }
        let mut numbers = content
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|w| !w.is_empty())
            .map(|w| w.parse::<f64>().ok().filter(|x| x.abs() <= LARGEST));
        let mut next = || numbers.next().flatten();
        match (next(), next(), next()) {
            (Some(x), Some(y), Some(z)) => nodes.push(DVec3::new(x, y, z)),
            _ => {
                return Err(ImportError::new(
                    format!(
                        "{file}, line {}: `{content}` does not begin with three coordinates in metres",
                        i + 1
                    ),
                    "write a node on each line: x y z, in metres",
                ));
            }
        }
    }
    if nodes.len() < 3 {
        return Err(ImportError::new(
            format!("{file} has {} nodes: a rod needs at least 3", nodes.len()),
            "write a node on each line: x y z, in metres",
        ));
    }
    Ok(nodes)
}

/// Whether a line holds names of columns.
pub(super) fn names(line: &str) -> bool {
    let words = line
        .split(|c: char| c.is_whitespace() || ",;".contains(c))
        .filter(|word| !word.is_empty())
        .map(|word| word.trim_matches('"').to_lowercase());
    let words: Vec<String> = words.collect();
    words.len() >= 3
        && words
            .iter()
            .zip(["x", "y", "z"])
            .all(|(word, name)| word == name)
        && words
            .iter()
            .all(|word| word.starts_with(char::is_alphabetic))
}

/// Length of a polygon, m.
pub(super) fn contour(nodes: &[DVec3]) -> f64 {
    nodes.windows(2).map(|e| e[0].distance(e[1])).sum()
}

/// The list of nodes as TOML.
pub(super) fn toml(nodes: &[DVec3]) -> String {
    let mut out = "[rods.shape]\nnodes = [\n".to_owned();
    for x in nodes {
        let _ = writeln!(out, "    [{:?}, {:?}, {:?}],", x.x, x.y, x.z);
    }
    out + "]\n"
}

/// A clamped end that moves along `direction` by `rows` of time, s, and way, m.
pub(super) fn clamp(edge: &str, direction: DVec3, rows: &[(f64, f64)]) -> String {
    let rows = rows.iter().map(|(time, way)| {
        let x = direction * *way + 0.0;
        format!("[{time:?}, {:?}, {:?}, {:?}]", x.x, x.y, x.z)
    });
    let rows = rows.collect::<Vec<_>>().join(", ");
    format!("[[rods.clamps]]\nedge = \"{edge}\"\nmotion = {{ path = [{rows}] }}\n\n")
}

/// The scene of a shape alone.
pub(super) fn scene(
    mut nodes: Vec<DVec3>,
    file: &str,
    used: ShapeUse,
) -> Result<Imported, ImportError> {
    let ((speed, wait), (radius, young, density)) = (PULL, SILICONE);
    let last = nodes.len() - 1;
    let mut notes = vec![format!(
        "a shape says nothing of radius and material: they are those of Choi et al. 2021 (h = {radius} m, silicone); change them to yours"
    )];
    let (closed, rest, mut duration, mut clamps) = match used {
        ShapeUse::Knot => ("false", "straight", 0.0, String::new()),
        ShapeUse::Rod => ("false", "initial", 1.0, String::new()),
        ShapeUse::Ring => ("true", "straight", 10.0, String::new()),
    };
    if used == ShapeUse::Ring && nodes[0].distance(nodes[last]) < 1e-9 * contour(&nodes) {
        nodes.pop();
        notes.push("the last node lies on the first and is left out".to_owned());
    }
    if used == ShapeUse::Knot {
        let outwards = [nodes[0] - nodes[1], nodes[last] - nodes[last - 1]];
        let [first, second] = outwards.map(DVec3::normalize_or_zero);
        if first == DVec3::ZERO || second == DVec3::ZERO {
            return Err(ImportError::new(
                format!(
                    "{file}: two nodes at an end are in one place, so the direction of the pull is not known"
                ),
                "remove one of them",
            ));
        }
        let pulled = contour(&nodes) - nodes[0].distance(nodes[last]);
        if pulled < LEAST * contour(&nodes) {
            return Err(ImportError::new(
                format!("{file}: the rod is straight, so there is nothing to pull"),
                "import it with --as rod",
            ));
        }
        duration = wait + pulled / (2.0 * speed);
        let rows = [(0.0, 0.0), (wait, 0.0), (duration, 0.5 * pulled)];
        clamps = clamp("first", first, &rows) + &clamp("last", second, &rows);
        notes.push(format!(
            "each end waits for {wait} s and is pulled along its own edge at {speed} m/s until the rod is as far apart as it is long"
        ));
    }
    let settle = used == ShapeUse::Knot;
    let certify = if used == ShapeUse::Rod {
        "\"automatic\""
    } else {
        "true"
    };
    let toml = format!(
        "title = {title}

[damping]
viscosity = 0.01

[contact]
friction = 0.1

[time]
duration = {duration:?}
step = 0.0025
settle = {settle}

[output]
certify = {certify}

[[rods]]
name = \"rod\"
closed = {closed}
rest = \"{rest}\"
section = {{ circle = {{ radius = {radius:?} }} }}
material = {{ young = {young:?}, poisson = 0.5, density = {density:?} }}

{clamps}{nodes}",
        title = quoted(&format!("Shape of {file}")),
        nodes = self::toml(&nodes),
    );
    Ok(Imported { toml, notes })
}
