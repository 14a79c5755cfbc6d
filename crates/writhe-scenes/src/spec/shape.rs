//! Shapes of rods: curves cut into edges, or lists of nodes.

use serde::Serialize;

use super::numbers::Numbers;
use super::{Direction, Point, check_direction};
use crate::error::{Problem, SceneError};
use crate::tree::{At, Keys, Read, positive, table};
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

table! {
    /// A straight line cut into equal edges.
    pub struct StraightSpec {
        /// Start, m.
        pub from: Point = Point::default(),
        /// End, m.
        pub to: Point,
        /// Number of edges.
        pub edges: usize => edges(1),
    }
    check |spec: &Self, keys: &Keys| different(keys, &spec.from, &spec.to)
}

table! {
    /// An arc of a circle cut into equal edges; nodes lie on the circle.
    pub struct ArcSpec {
        /// Start, m.
        pub from: Point = Point::default(),
        /// Direction in which it starts.
        pub tangent: Direction = unit(0),
        /// Direction towards the centre; its part along the tangent is ignored.
        pub towards: Direction = unit(1),
        /// Radius of the circle, m.
        pub radius: Length => positive,
        /// Angle of the arc, rad.
        pub angle: Angle => positive,
        /// Number of edges.
        pub edges: usize => edges(1),
    }
    check |spec: &Self, keys: &Keys| {
        not_parallel(keys, ("tangent", &spec.tangent), ("towards", &spec.towards))
    }
}

table! {
    /// A helix cut into equal edges; nodes lie on the helix.
    pub struct HelixSpec {
        /// Point of the axis where the helix starts, m.
        pub center: Point = Point::default(),
        /// Direction of the axis.
        pub axis: Direction = unit(0),
        /// Direction from the axis to the first node.
        pub start: Direction = unit(1),
        /// Radius of the helix (centreline), m.
        pub radius: Length => positive,
        /// Advance along the axis per turn, m.
        pub pitch: Length => positive,
        /// Number of turns; need not be whole.
        pub turns: Number => positive,
        /// Whether it is left-handed.
        pub left_handed: bool = false,
        /// Number of edges.
        pub edges: usize => edges(1),
    }
    check |spec: &Self, keys: &Keys| not_parallel(keys, ("axis", &spec.axis), ("start", &spec.start))
}

table! {
    /// A closed ring cut into equal edges.
    pub struct RingSpec {
        /// Centre, m.
        pub center: Point = Point::default(),
        /// Normal of its plane.
        pub axis: Direction = unit(2),
        /// Direction from the centre to the first node.
        pub start: Direction = unit(0),
        /// Radius of the circle through the nodes, m.
        pub radius: Length => positive,
        /// Ratio of the semi-axes, second over first; an ellipse keeps the circle's perimeter.
        pub aspect: Number = Number::new(1.0) => positive,
        /// Number of edges.
        pub edges: usize => edges(3),
    }
    check |spec: &Self, keys: &Keys| not_parallel(keys, ("axis", &spec.axis), ("start", &spec.start))
}

/// A direction along a coordinate axis.
pub(crate) fn unit(axis: usize) -> Direction {
    let mut d = Direction::default();
    d[axis] = Number::new(1.0);
    d
}

pub(crate) const KINDS: &[&str] = &["straight", "arc", "helix", "ring", "nodes", "file"];

impl Read for ShapeSpec {
    fn wanted() -> String {
        "a table such as { straight = { from = [0, 0, 0], to = [\"0.2 m\", 0, 0], edges = 40 } }, or arc, helix, ring, nodes, file"
            .into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let (kind, inner) = at.kind(KINDS)?;
        match kind {
            "straight" => Read::read(&inner).map(Self::Straight),
            "arc" => Read::read(&inner).map(Self::Arc),
            "helix" => Read::read(&inner).map(Self::Helix),
            "ring" => Read::read(&inner).map(Self::Ring),
            "nodes" => Vec::<Point>::read(&inner).map(Self::Nodes),
            _ => read_file(&inner).map(Self::Nodes),
        }
    }
}

/// Longest rod that is accepted; beyond this a typing error is more likely.
const MAX_EDGES: usize = 1_000_000;

/// Refuses a number of edges that is less than `least`, or rather a typing error.
pub(crate) fn edges(least: usize) -> impl Fn(&Keys, &str, &usize) -> Result<(), SceneError> {
    move |keys, name, edges| {
        let need = format!("at least {least} and at most {MAX_EDGES}");
        let good = (least..=MAX_EDGES).contains(edges);
        keys.check_shown(name, &edges.to_string(), good, &need)
    }
}

/// Refuses a line without length.
pub(super) fn different(keys: &Keys, from: &Point, to: &Point) -> Result<(), SceneError> {
    let shown = format!("{:?}", to.map(Length::si));
    keys.check_shown("to", &shown, from != to, "different from `from`")
}

/// Two directions that must not be parallel.
fn not_parallel(
    keys: &Keys,
    a: (&str, &Direction),
    b: (&str, &Direction),
) -> Result<(), SceneError> {
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

/// A table of numbers, with or without a header row: x, y, z in the columns of these names, or else
/// in the first three; further columns and lines that start with `#` are ignored.
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
    if let Some(points) = Numbers::of_points(at, &path, &text)? {
        let point = |row: &Vec<f64>| [row[0], row[1], row[2]].map(Length::new);
        return Ok(points.rows.iter().map(point).collect());
    }
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
