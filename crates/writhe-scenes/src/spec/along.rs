//! Values that vary along a rod: a list with one for each edge or vertex, or a table over the arc
//! length, linear between its rows.

use std::cell::RefCell;
use std::collections::BTreeMap;

use glam::DVec3;
use writhe::kernels::polyline::Polyline;

use super::numbers::{Numbers, TableAlong, Wanted};
use super::{ClampSpec, EndRef, RodSpec, ShapeSpec, radius};
use crate::error::{Problem, SceneError};
use crate::spec::centreline::nodes;
use crate::tree::{AlongRod, At, Keys, Known, Value};
use crate::units::Dimension;

const LENGTH: Dimension = Dimension::new(1, 0, 0, 0);

/// An edge of a rod whose values are read.
struct Spot<'a> {
    /// Its number.
    number: usize,
    /// Where edges are.
    places: &'a Places,
    /// Tables that were read, by their keys.
    tables: &'a RefCell<BTreeMap<String, Vec<Vec<f64>>>>,
}

/// Arc lengths from the start of a rod, m.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Places {
    /// Of nodes; of a closed rod also of the first one, behind the last.
    pub nodes: Vec<f64>,
    /// Of the middles of edges.
    pub edges: Vec<f64>,
    /// Of vertices.
    pub vertices: Vec<f64>,
    /// Length of the rod.
    pub whole: f64,
    /// The file that has the nodes, if one has them.
    pub file: Option<String>,
}

impl RodSpec {
    /// Where the rod lies as it is described.
    pub(crate) fn centreline(&self) -> Polyline {
        let nodes = Places::nodes(&self.shape, self.closed, &self.clamps);
        Polyline::new(nodes, self.closed)
    }

    /// Largest radius, m.
    pub(crate) fn thickest(&self) -> f64 {
        let others = self.overrides.iter().filter_map(|o| o.section.as_ref());
        others.map(radius).fold(radius(&self.section), f64::max)
    }
}

impl Places {
    /// Nodes of a rod as it is described, m.
    pub fn nodes(shape: &ShapeSpec, closed: bool, clamps: &[ClampSpec]) -> Vec<DVec3> {
        nodes(shape, behind(shape, closed, clamps))
    }

    /// Of a rod as it is described: half an edge behind a clamp is before the start.
    pub fn of(shape: &ShapeSpec, closed: bool, clamps: &[ClampSpec]) -> Self {
        let behind = behind(shape, closed, clamps);
        let nodes = nodes(shape, behind);
        let n = nodes.len();
        let edges = if closed { n } else { n.saturating_sub(1) };
        let lengths: Vec<f64> = (0..edges)
            .map(|e| DVec3::distance(nodes[e], nodes[(e + 1) % n]))
            .collect();
        let half = |there: bool, e: Option<&f64>| match there {
            true => 0.5 * e.copied().unwrap_or_default(),
            false => 0.0,
        };
        let ends = [
            half(behind[0], lengths.first()),
            half(behind[1], lengths.last()),
        ];
        let mut arcs = vec![-ends[0]];
        for length in &lengths {
            arcs.push(arcs[arcs.len() - 1] + length);
        }
        let inner = if closed { 1..edges + 1 } else { 1..edges };
        Self {
            edges: arcs.windows(2).map(|a| 0.5 * (a[0] + a[1])).collect(),
            vertices: inner.map(|node| arcs[node]).collect(),
            whole: lengths.iter().sum::<f64>() - ends[0] - ends[1],
            nodes: arcs,
            file: None,
        }
    }

    /// The same for a shape that `shape` may read from a file.
    pub fn with_file(self, shape: &At) -> Self {
        let file = Keys::unchecked(shape).unknown(&TableAlong::file());
        let inner = file
            .as_ref()
            .and_then(|at| Keys::unchecked(at).unknown(&TableAlong::file()));
        let path = inner.or(file).and_then(|at| at.text().map(str::to_owned));
        Self { file: path, ..self }
    }
}

/// At which ends half an edge lies outside the stated shape; that it may is checked elsewhere.
fn behind(shape: &ShapeSpec, closed: bool, clamps: &[ClampSpec]) -> [bool; 2] {
    let last = nodes(shape, [false; 2]).len().saturating_sub(2);
    let mut behind = [false; 2];
    for clamp in clamps.iter().filter(|c| c.half_edge && !closed) {
        match clamp.edge {
            EndRef::First | EndRef::Index(0) => behind[0] = true,
            EndRef::Last => behind[1] = true,
            EndRef::Index(e) if e == last => behind[1] = true,
            EndRef::Index(_) => {}
        }
    }
    behind
}

/// Reads `of` once for each edge.
pub(crate) fn for_each_edge<T>(
    places: &Places,
    of: impl Fn(&dyn AlongRod) -> Result<T, SceneError>,
) -> Result<Vec<T>, SceneError> {
    let tables = RefCell::default();
    let read = |number| {
        of(&Spot {
            number,
            places,
            tables: &tables,
        })
    };
    (0..places.edges.len()).map(read).collect()
}

/// Whether a value in a table, or in a table of it, is a list or a table.
pub(crate) fn varies(at: &At, depth: usize) -> bool {
    match &at.node.value {
        Value::Table(entries) if depth > 0 => entries.iter().any(|(_, node)| {
            let inner = At { node, ..at.clone() };
            varies(&inner, depth - 1)
        }),
        Value::Table(_) | Value::Array(_) => true,
        _ => false,
    }
}

impl AlongRod for Spot<'_> {
    fn value(&self, at: &At, dimension: Dimension) -> Result<f64, SceneError> {
        // Values of a list are no lists.
        let plain = at.everywhere();
        let count = self.places.edges.len();
        if let Some(elements) = plain.elements() {
            let listed = elements.len();
            return match elements.get(self.number) {
                Some(element) if listed == count => element.number(dimension),
                _ => plain.fail(wrong_count(listed, count, "edge")),
            };
        }
        let mut tables = self.tables.borrow_mut();
        if !tables.contains_key(&plain.path) {
            let wanted = [("arc length", LENGTH), ("value", dimension)];
            let rows = over(&plain, &wanted, &self.places.edges, self.places)?;
            tables.insert(plain.path.clone(), rows);
        }
        let rows = tables.get(&plain.path).map_or(&[][..], Vec::as_slice);
        Ok(at_arc(rows, self.places.edges[self.number], 1))
    }

    fn place(&self) -> String {
        let arc = crate::units::number(self.places.edges[self.number]);
        format!("at edge {}, {arc} m along the rod", self.number)
    }
}

fn wrong_count(listed: usize, count: usize, item: &str) -> Problem {
    Problem::conflict(
        format!(
            "the list has {listed} values, and the rod has {count} of what they are for, {item} by {item}"
        ),
        format!(
            "give one for each {item}, or a table over arc length: {{ table = [[0, ..], [\"10 cm\", ..]] }}"
        ),
    )
}

/// The rows of a table over arc length, which must reach over all of `arcs` and not be much longer
/// than the rod.
fn over(
    at: &At,
    wanted: &[Wanted],
    arcs: &[f64],
    places: &Places,
) -> Result<Vec<Vec<f64>>, SceneError> {
    let whole = places.whole;
    let keys = Keys::new(at, &TableAlong::known())?;
    let columns = keys.at(&TableAlong::columns()).and_then(|at| at.elements());
    if keys.at(&TableAlong::table()).is_none()
        && columns.is_some_and(|c| c.len() + 1 == wanted.len())
    {
        return beside_nodes(at, &keys, wanted, places);
    }
    let numbers = match (keys.at(&TableAlong::table()), keys.at(&TableAlong::file())) {
        (Some(_), Some(_)) => return keys.exclude(&TableAlong::table(), &TableAlong::file()),
        (Some(table), None) => {
            if let Some(name) = [TableAlong::columns().name, TableAlong::units().name]
                .into_iter()
                .find(|n| keys.at(n).is_some())
            {
                return keys.exclude(name, &TableAlong::table());
            }
            Numbers::listed(&table, wanted)?
        }
        (None, _) => Numbers::of_file(&keys, wanted)?,
    };
    let numbers = numbers.rising(at, "arc lengths", "m")?;
    let ends = |rows: &[Vec<f64>]| Some([rows.first()?[0], rows.last()?[0]]);
    let [from, to] = ends(&numbers.rows).unwrap_or_default();
    let slack = 1e-9 * whole;
    let [first, last] = [arcs.first(), arcs.last()].map(|a| a.copied().unwrap_or_default());
    let reaches = from <= first + slack && to >= last - slack;
    if reaches && to <= 2.0 * whole {
        return Ok(numbers.rows);
    }
    let message = format!(
        "the table goes from {from} m to {to} m of arc length, and the rod from 0 to {whole} m"
    );
    let remedy = match reaches {
        false => {
            "give rows from the start to the end of the rod, or check the unit of arc length: units = [\"mm\", ..]"
        }
        true => {
            "check the unit of arc length, units = [\"mm\", ..]; a table may be up to twice as long as the rod"
        }
    };
    at.fail(Problem::conflict(message, remedy))
}

/// Columns of the file of the nodes, a row for each of them, with the arc lengths of the nodes before
/// them.
fn beside_nodes(
    at: &At,
    keys: &Keys,
    wanted: &[Wanted],
    places: &Places,
) -> Result<Vec<Vec<f64>>, SceneError> {
    let own = keys.at(&TableAlong::file());
    let path = own.as_ref().and_then(At::text);
    if path.is_none() || path != places.file.as_deref() {
        let message = "without a column of arc length, rows are those of the nodes, and this is not the file of the shape";
        let names: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
        let remedy = format!("name columns for {}", names.join(", "));
        return at.fail(Problem::conflict(message, remedy));
    }
    let mut rows = Numbers::of_file(keys, &wanted[1..])?.rows;
    // The first node of a closed rod comes again.
    if rows.len() + 1 == places.nodes.len() {
        rows.extend(rows.first().cloned());
    }
    let rows = places.nodes.iter().zip(rows);
    Ok(rows
        .map(|(arc, row)| [&[*arc], &row[..]].concat())
        .collect())
}

/// Column `column` at an arc length; constant beyond the ends.
fn at_arc(rows: &[Vec<f64>], arc: f64, column: usize) -> f64 {
    let after = rows.partition_point(|row| row[0] <= arc);
    match (rows.get(after.wrapping_sub(1)), rows.get(after)) {
        (Some(a), Some(b)) => {
            let part = (arc - a[0]) / (b[0] - a[0]);
            a[column] + (b[column] - a[column]) * part
        }
        (Some(a), None) | (None, Some(a)) => a[column],
        (None, None) => 0.0,
    }
}

/// Columns of a table over arc length at each vertex of a rod.
pub(crate) fn at_vertices(
    at: &At,
    columns: &[Wanted],
    places: &Places,
) -> Result<Vec<Vec<f64>>, SceneError> {
    let wanted = [&[("arc length", LENGTH)], columns].concat();
    let rows = over(at, &wanted, &places.vertices, places)?;
    let row = |arc: &f64| (1..wanted.len()).map(|c| at_arc(&rows, *arc, c)).collect();
    Ok(places.vertices.iter().map(row).collect())
}
