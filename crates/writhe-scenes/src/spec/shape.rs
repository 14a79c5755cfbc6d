//! Shapes of rods: curves cut into edges, or lists of nodes.

use super::numbers::{Numbers, POINTS, TableFile};
use super::{Direction, Point};
use crate::error::{Problem, SceneError};
use crate::tree::{At, Bound, DIRECTION, Keys, Kind, Known, POSITIVE, Read, Value, choice, table};
use crate::units::{Angle, Length, Number};

choice! {
    /// Shape of a rod.
    pub enum ShapeSpec:
        "a table such as { straight = { from = [0, 0, 0], to = [\"0.2 m\", 0, 0], edges = 40 } }, or arc, helix, ring, nodes, file"
    {
        /// A straight line.
        Straight(StraightSpec) = "straight",
        /// An arc of a circle.
        Arc(ArcSpec) = "arc",
        /// A helix.
        Helix(HelixSpec) = "helix",
        /// A closed circle, or an ellipse of the same perimeter.
        Ring(RingSpec) = "ring",
        /// Positions of the nodes.
        Nodes(Vec<Point>) = "nodes",
    }
    also {
        /// A file with the nodes: x, y, z in the columns of these names, or else in the first
        /// three, m; or a table that names its columns and their units.
        "file": Kind::Either(vec![Kind::File, Kind::table::<TableFile>()]) => |at: &At| read_file(at).map(Self::Nodes),
    }
}

table! {
    /// A straight line cut into equal edges.
    pub struct StraightSpec {
        /// Start.
        pub from: Point = Point::default(),
        /// End.
        pub to: Point,
        /// Number of edges.
        pub edges: usize => edges(1),
    }
    check |spec: &Self, keys: &Keys| different(keys, &spec.from, (&Self::to(), &spec.to))
}

table! {
    /// An arc of a circle cut into equal edges; nodes lie on the circle.
    pub struct ArcSpec {
        /// Start.
        pub from: Point = Point::default(),
        /// Direction in which it starts.
        pub tangent: Direction = unit(0) => DIRECTION,
        /// Direction towards the centre; its part along the tangent is ignored.
        pub towards: Direction = unit(1) => DIRECTION,
        /// Radius of the circle.
        pub radius: Length => POSITIVE,
        /// Angle of the arc.
        pub angle: Angle => POSITIVE,
        /// Number of edges.
        pub edges: usize => edges(1),
    }
    check |spec: &Self, keys: &Keys| {
        not_parallel(keys, (&Self::tangent(), &spec.tangent), (&Self::towards(), &spec.towards))
    }
}

table! {
    /// A helix cut into equal edges; nodes lie on the helix.
    pub struct HelixSpec {
        /// Point of the axis where the helix starts.
        pub center: Point = Point::default(),
        /// Direction of the axis.
        pub axis: Direction = unit(0) => DIRECTION,
        /// Direction from the axis to the first node.
        pub start: Direction = unit(1) => DIRECTION,
        /// Radius of the centreline.
        pub radius: Length => POSITIVE,
        /// Advance along the axis per turn.
        pub pitch: Length => POSITIVE,
        /// Number of turns; need not be whole.
        pub turns: Number => POSITIVE,
        /// Whether it is left-handed.
        pub left_handed: bool = false,
        /// Number of edges.
        pub edges: usize => edges(1),
    }
    check |spec: &Self, keys: &Keys| not_parallel(keys, (&Self::axis(), &spec.axis), (&Self::start(), &spec.start))
}

table! {
    /// A closed ring cut into equal edges.
    pub struct RingSpec {
        /// Centre.
        pub center: Point = Point::default(),
        /// Normal of its plane.
        pub axis: Direction = unit(2) => DIRECTION,
        /// Direction from the centre to the first node.
        pub start: Direction = unit(0) => DIRECTION,
        /// Radius of the circle through the nodes.
        pub radius: Length => POSITIVE,
        /// Ratio of the semi-axes, second over first; an ellipse keeps the circle's perimeter.
        pub aspect: Number = Number::new(1.0) => POSITIVE,
        /// Number of edges.
        pub edges: usize => edges(3),
    }
    check |spec: &Self, keys: &Keys| not_parallel(keys, (&Self::axis(), &spec.axis), (&Self::start(), &spec.start))
}

/// A direction along a coordinate axis.
pub(crate) fn unit(axis: usize) -> Direction {
    let mut d = Direction::default();
    d[axis] = Number::new(1.0);
    d
}

/// Longest rod that is accepted; beyond this a typing error is more likely.
const MAX_EDGES: usize = 1_000_000;

/// A number of edges that is at least this, and no typing error.
pub(crate) const fn edges(least: usize) -> Bound {
    Bound::within(least as f64, MAX_EDGES as f64)
}

/// Refuses a line without length, at the key of its end.
pub(super) fn different(keys: &Keys, from: &Point, to: (&str, &Point)) -> Result<(), SceneError> {
    let shown = format!("{:?}", to.1.map(Length::si));
    keys.check_shown(to.0, &shown, from != to.1, "different from `from`")
}

/// Two directions that must not be parallel.
fn not_parallel(
    keys: &Keys,
    a: (&str, &Direction),
    b: (&str, &Direction),
) -> Result<(), SceneError> {
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
/// in the first three, or in those that are named; further columns and lines that start with `#` are
/// ignored.
fn read_file(at: &At) -> Result<Vec<Point>, SceneError> {
    let point = |row: &Vec<f64>| [row[0], row[1], row[2]].map(Length::new);
    if matches!(at.node.value, Value::Table(_)) {
        let keys = Keys::new(at, &TableFile::known())?;
        let points = Numbers::of_file(&keys, &POINTS)?;
        return Ok(points.rows.iter().map(point).collect());
    }
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
