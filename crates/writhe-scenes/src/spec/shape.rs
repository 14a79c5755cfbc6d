//! Shapes of rods: curves cut into edges, or lists of nodes.

use serde::Serialize;

use super::{Direction, Point, check_direction};
use crate::error::{Problem, SceneError};
use crate::tree::{At, Keys, Read};
use crate::units::{Angle, Length, Number};

/// Shape of a rod.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ShapeSpec {
    /// A straight line.
    Straight(StraightSpec),
    /// An arc of a circle.
    Arc(ArcSpec),
    /// A helix.
    Helix(HelixSpec),
    /// A closed circle, or an ellipse of the same perimeter.
    Ring(RingSpec),
    /// Node positions, m.
    Nodes(Vec<Point>),
}

/// A straight line cut into equal edges.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StraightSpec {
    /// Start, m.
    pub from: Point,
    /// End, m.
    pub to: Point,
    /// Number of edges.
    pub edges: usize,
}

/// An arc of a circle cut into equal edges; nodes lie on the circle.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArcSpec {
    /// Start, m.
    pub from: Point,
    /// Direction in which it starts.
    pub tangent: Direction,
    /// Direction towards the centre; its part along the tangent is ignored.
    pub towards: Direction,
    /// Radius of the circle, m.
    pub radius: Length,
    /// Angle of the arc, rad.
    pub angle: Angle,
    /// Number of edges.
    pub edges: usize,
}

/// A helix cut into equal edges; nodes lie on the helix.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HelixSpec {
    /// Point of the axis where the helix starts, m.
    pub center: Point,
    /// Direction of the axis.
    pub axis: Direction,
    /// Direction from the axis to the first node.
    pub start: Direction,
    /// Radius of the helix (centreline), m.
    pub radius: Length,
    /// Advance along the axis per turn, m.
    pub pitch: Length,
    /// Number of turns; need not be whole.
    pub turns: Number,
    /// Whether it is left-handed.
    pub left_handed: bool,
    /// Number of edges.
    pub edges: usize,
}

/// A closed ring cut into equal edges.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RingSpec {
    /// Centre, m.
    pub center: Point,
    /// Normal of its plane.
    pub axis: Direction,
    /// Direction from the centre to the first node.
    pub start: Direction,
    /// Radius of the circle through the nodes, m.
    pub radius: Length,
    /// Ratio of the semi-axes, second over first; an ellipse keeps the circle's perimeter.
    pub aspect: Number,
    /// Number of edges.
    pub edges: usize,
}

/// A direction along a coordinate axis.
pub(crate) fn unit(axis: usize) -> Direction {
    let mut d = Direction::default();
    d[axis] = Number::new(1.0);
    d
}

const KINDS: &[&str] = &["straight", "arc", "helix", "ring", "nodes", "file"];

impl Read for ShapeSpec {
    fn wanted() -> String {
        "a table such as { straight = { from = [0, 0, 0], to = [\"0.2 m\", 0, 0], edges = 40 } }, or arc, helix, ring, nodes, file"
            .into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let (kind, inner) = at.kind(KINDS)?;
        match kind {
            "straight" => read_straight(&inner),
            "arc" => read_arc(&inner),
            "helix" => read_helix(&inner),
            "ring" => read_ring(&inner),
            "nodes" => Vec::<Point>::read(&inner).map(Self::Nodes),
            _ => read_file(&inner).map(Self::Nodes),
        }
    }
}

/// Longest rod that is accepted; beyond this a typing error is more likely.
const MAX_EDGES: usize = 1_000_000;

pub(crate) fn read_edges(
    keys: &Keys,
    name: &str,
    default: Option<usize>,
    least: usize,
) -> Result<usize, SceneError> {
    let edges = match default {
        Some(n) => keys.or(name, n)?,
        None => keys.required(name)?,
    };
    let need = format!("at least {least} and at most {MAX_EDGES}");
    keys.check_shown(
        name,
        &edges.to_string(),
        (least..=MAX_EDGES).contains(&edges),
        &need,
    )?;
    Ok(edges)
}

fn read_straight(at: &At) -> Result<ShapeSpec, SceneError> {
    let keys = Keys::new(at, &["from", "to", "edges"])?;
    let from: Point = keys.or("from", Point::default())?;
    let to: Point = keys.required("to")?;
    let shown = format!("{:?}", to.map(Length::si));
    keys.check_shown("to", &shown, from != to, "different from `from`")?;
    Ok(ShapeSpec::Straight(StraightSpec {
        from,
        to,
        edges: read_edges(&keys, "edges", None, 1)?,
    }))
}

fn read_arc(at: &At) -> Result<ShapeSpec, SceneError> {
    let keys = Keys::new(
        at,
        &["from", "tangent", "towards", "radius", "angle", "edges"],
    )?;
    let spec = ArcSpec {
        from: keys.or("from", Point::default())?,
        tangent: keys.or("tangent", unit(0))?,
        towards: keys.or("towards", unit(1))?,
        radius: keys.required("radius")?,
        angle: keys.required("angle")?,
        edges: read_edges(&keys, "edges", None, 1)?,
    };
    keys.positive("radius", spec.radius.si())?;
    keys.positive("angle", spec.angle.si())?;
    check_pair(
        &keys,
        ("tangent", &spec.tangent),
        ("towards", &spec.towards),
    )?;
    Ok(ShapeSpec::Arc(spec))
}

fn read_helix(at: &At) -> Result<ShapeSpec, SceneError> {
    let known = &[
        "center",
        "axis",
        "start",
        "radius",
        "pitch",
        "turns",
        "left_handed",
        "edges",
    ];
    let keys = Keys::new(at, known)?;
    let spec = HelixSpec {
        center: keys.or("center", Point::default())?,
        axis: keys.or("axis", unit(0))?,
        start: keys.or("start", unit(1))?,
        radius: keys.required("radius")?,
        pitch: keys.required("pitch")?,
        turns: keys.required("turns")?,
        left_handed: keys.or("left_handed", false)?,
        edges: read_edges(&keys, "edges", None, 1)?,
    };
    keys.positive("radius", spec.radius.si())?;
    keys.positive("pitch", spec.pitch.si())?;
    keys.positive("turns", spec.turns.si())?;
    check_pair(&keys, ("axis", &spec.axis), ("start", &spec.start))?;
    Ok(ShapeSpec::Helix(spec))
}

fn read_ring(at: &At) -> Result<ShapeSpec, SceneError> {
    let keys = Keys::new(
        at,
        &["center", "axis", "start", "radius", "aspect", "edges"],
    )?;
    let spec = RingSpec {
        center: keys.or("center", Point::default())?,
        axis: keys.or("axis", unit(2))?,
        start: keys.or("start", unit(0))?,
        radius: keys.required("radius")?,
        aspect: keys.or("aspect", Number::new(1.0))?,
        edges: read_edges(&keys, "edges", None, 3)?,
    };
    keys.positive("radius", spec.radius.si())?;
    keys.positive("aspect", spec.aspect.si())?;
    check_pair(&keys, ("axis", &spec.axis), ("start", &spec.start))?;
    Ok(ShapeSpec::Ring(spec))
}

/// Two directions that must not be parallel.
fn check_pair(keys: &Keys, a: (&str, &Direction), b: (&str, &Direction)) -> Result<(), SceneError> {
    check_direction(keys, a.0, a.1)?;
    check_direction(keys, b.0, b.1)?;
    let vector = |d: &Direction| glam::DVec3::from_array(d.map(Number::si)).normalize_or_zero();
    let sine = vector(a.1).cross(vector(b.1)).length();
    let shown = format!("{:?}", b.1.map(Number::si));
    keys.check_shown(
        b.0,
        &shown,
        sine > 1e-9,
        &format!("not parallel to `{}`", a.0),
    )
}

/// A table of numbers: x, y, z in the first three columns, m; further columns and lines that start with `#` are ignored.
fn read_file(at: &At) -> Result<Vec<Point>, SceneError> {
    let path = String::read(at)?;
    let fail = |message: String| Problem::File {
        path: path.clone(),
        message,
    };
    let text = match at.files.read(&path) {
        Ok(text) => text,
        Err(message) => return at.fail(fail(message)),
    };
    let mut nodes = Vec::new();
    for (line, content) in text.lines().enumerate() {
        let content = content.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let columns = content
            .split([' ', '\t', ',', ';'])
            .filter(|c| !c.is_empty())
            .take(3);
        let numbers: Vec<f64> = columns.filter_map(|c| c.parse().ok()).collect();
        match numbers.as_slice() {
            [x, y, z] if numbers.iter().all(|v| v.is_finite()) => {
                nodes.push([*x, *y, *z].map(Length::new));
            }
            _ => {
                let message = format!("line {} does not start with three finite numbers", line + 1);
                return at.fail(fail(message));
            }
        }
    }
    Ok(nodes)
}
