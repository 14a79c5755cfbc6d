//! Which arrays a trajectory has: from the layout of a run to Zarr metadata, and back.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::bytes::{floats, joined};
use crate::error::{Result, RunDirError};
use crate::inside;
use crate::layout::{Axis, Column, ExtraArray, RodLayout, RunLayout};
use crate::zarr::{ArrayMetadata, DataType, Extent, GroupMetadata, METADATA_FILE};

/// Version of the directory's format, in the group's attributes: since 2 the table of contacts has
/// those with obstacles and bodies.
const FORMAT_VERSION: u64 = 2;
/// The oldest that is read.
const OLDEST_VERSION: u64 = 1;
const FORMAT_KEY: &str = "writhe_format";
/// The extra arrays in the order of a frame; the metadata of a group has no order.
const EXTRA_KEY: &str = "extra_arrays";

pub(crate) const TIME: &str = "time";
pub(crate) const POSITIONS: &str = "positions";
pub(crate) const DIRECTORS: &str = "directors";
pub(crate) const RADIUS: &str = "radius";
pub(crate) const ROD_FIRST_NODE: &str = "rod_first_node";
pub(crate) const ROD_NODES: &str = "rod_nodes";
pub(crate) const ROD_EDGES: &str = "rod_edges";
pub(crate) const ROD_CLOSED: &str = "rod_closed";

/// The arrays that every trajectory has.
pub(crate) const BUILT_IN: [&str; 8] = [
    TIME,
    POSITIONS,
    DIRECTORS,
    RADIUS,
    ROD_FIRST_NODE,
    ROD_NODES,
    ROD_EDGES,
    ROD_CLOSED,
];

/// Chunks aim at this size, bytes.
const CHUNK_BYTES: usize = 1 << 20;
/// Runs of few nodes would otherwise put a whole run into one chunk, rewritten at each checkpoint.
const MOST_FRAMES_PER_CHUNK: usize = 256;

/// Frames in a chunk: the layout's own wish, or what makes the largest array's chunk about 1 MiB.
pub(crate) fn frames_per_chunk(layout: &RunLayout) -> usize {
    let extra = layout.extra.iter().map(|array| layout.extra_length(array));
    let largest = extra.fold(3 * layout.nodes().max(layout.edges()), usize::max);
    let fitting = CHUNK_BYTES / (size_of::<f64>() * largest.max(1));
    layout
        .frames_per_chunk
        .unwrap_or(fitting.clamp(1, MOST_FRAMES_PER_CHUNK))
}

/// The metadata of an empty trajectory.
pub(crate) fn group(layout: &RunLayout) -> GroupMetadata {
    let per_frame = |axes: &[Axis]| {
        let axes: Vec<_> = axes
            .iter()
            .map(|axis| (axis.name(), layout.length(axis)))
            .collect();
        ArrayMetadata::new(
            DataType::Float64,
            Extent::PerFrame(frames_per_chunk(layout)),
            &axes,
        )
    };
    let constant = |data_type, axis: &Axis| {
        ArrayMetadata::new(
            data_type,
            Extent::Constant,
            &[(axis.name(), layout.length(axis))],
        )
    };
    let per_rod = |description| constant(DataType::Int64, &Axis::Rod).described("", description);
    let built_in = [
        (TIME, per_frame(&[]).described("s", "time")),
        (
            POSITIONS,
            per_frame(&[Axis::Node, Axis::Xyz]).described("m", "position of the node"),
        ),
        (
            DIRECTORS,
            per_frame(&[Axis::Edge, Axis::Xyz]).described("1", "material director m1 of the edge"),
        ),
        (
            RADIUS,
            constant(DataType::Float64, &Axis::Edge).described("m", "radius of the edge"),
        ),
        (ROD_FIRST_NODE, per_rod("first node of the rod")),
        (ROD_NODES, per_rod("number of nodes of the rod")),
        (ROD_EDGES, per_rod("number of edges of the rod")),
        (
            ROD_CLOSED,
            constant(DataType::Int8, &Axis::Rod)
                .described("", "1 where the rod is closed, 0 where open"),
        ),
    ];
    let extra = layout.extra.iter().map(|array| {
        (
            array.name.as_str(),
            per_frame(&array.axes).described(&array.unit, &array.description),
        )
    });
    let arrays = built_in
        .into_iter()
        .chain(extra)
        .map(|(name, array)| (name.to_owned(), array))
        .collect();
    GroupMetadata::new(attributes(layout), arrays)
}

fn attributes(layout: &RunLayout) -> BTreeMap<String, Value> {
    let extra: Vec<&str> = layout
        .extra
        .iter()
        .map(|array| array.name.as_str())
        .collect();
    BTreeMap::from([
        (FORMAT_KEY.to_owned(), json!(FORMAT_VERSION)),
        (
            "generator".to_owned(),
            json!(concat!("writhe ", env!("CARGO_PKG_VERSION"))),
        ),
        (EXTRA_KEY.to_owned(), json!(extra)),
    ])
}

/// The contents of the arrays without time, little-endian.
pub(crate) fn constants(layout: &RunLayout) -> [(&'static str, Vec<u8>); 5] {
    let integers = |values: Vec<usize>| joined(&values, |value| (value as i64).to_le_bytes());
    let of_rods =
        |value: fn(&RodLayout) -> usize| integers(layout.rods.iter().map(value).collect());
    [
        (RADIUS, joined(&layout.radius, f64::to_le_bytes)),
        (ROD_FIRST_NODE, integers(layout.first_nodes())),
        (ROD_NODES, of_rods(|rod| rod.nodes)),
        (ROD_EDGES, of_rods(RodLayout::edges)),
        (
            ROD_CLOSED,
            layout.rods.iter().map(|rod| u8::from(rod.closed)).collect(),
        ),
    ]
}

/// The layout that a trajectory on disk was created with; columns and the table of contacts are not
/// the trajectory's.
pub(crate) fn read_layout(
    root: &Path,
    group: &GroupMetadata,
    observables: Vec<Column>,
    contacts: bool,
) -> Result<RunLayout> {
    let constant = |name: &str| read_constant(root, group, name);
    layout_of(root, group, constant, observables, contacts)
}

/// The layout that a group and the contents of its arrays without time describe.
pub(crate) fn layout_of(
    root: &Path,
    group: &GroupMetadata,
    constant: impl Fn(&str) -> Result<Vec<u8>>,
    observables: Vec<Column>,
    contacts: bool,
) -> Result<RunLayout> {
    check_format(root, group)?;
    let counts = constant(ROD_NODES)?;
    let counts = counts
        .as_chunks()
        .0
        .iter()
        .map(|bytes| i64::from_le_bytes(*bytes));
    let closed = constant(ROD_CLOSED)?;
    let rods = counts.zip(closed).map(|(nodes, closed)| RodLayout {
        nodes: nodes as usize,
        closed: closed != 0,
    });
    let layout = RunLayout {
        rods: rods.collect(),
        radius: floats(&constant(RADIUS)?).collect(),
        observables,
        extra: read_extra(root, group)?,
        contacts,
        frames_per_chunk: Some(array(root, group, TIME)?.frames_per_chunk()),
    };
    check_shapes(root, group, &layout)?;
    Ok(layout)
}

/// The metadata of the array `name`.
pub(crate) fn array<'a>(
    root: &Path,
    group: &'a GroupMetadata,
    name: &str,
) -> Result<&'a ArrayMetadata> {
    group
        .arrays()
        .get(name)
        .ok_or_else(|| damaged(root, format!("the array `{name}` is missing")))
}

fn check_format(root: &Path, group: &GroupMetadata) -> Result<()> {
    match group.attributes.get(FORMAT_KEY).and_then(Value::as_u64) {
        Some(OLDEST_VERSION..=FORMAT_VERSION) => Ok(()),
        Some(newer) => Err(damaged(
            root,
            format!("format {newer} is of another version of the program"),
        )),
        None => Err(damaged(root, "it was not written by this program")),
    }
}

fn read_extra(root: &Path, group: &GroupMetadata) -> Result<Vec<ExtraArray>> {
    let names = group
        .attributes
        .get(EXTRA_KEY)
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let read = |name: &str| {
        let array = array(root, group, name)?;
        let axes = array.dimension_names.iter().zip(&array.shape).skip(1);
        let attribute = |key| array.attributes.get(key).cloned().unwrap_or_default();
        Ok(ExtraArray {
            name: name.to_owned(),
            axes: axes
                .map(|(name, length)| Axis::from_name(name, *length))
                .collect(),
            unit: attribute("units"),
            description: attribute("long_name"),
        })
    };
    names.filter_map(Value::as_str).map(read).collect()
}

/// The whole of an array without time.
fn read_constant(root: &Path, group: &GroupMetadata, name: &str) -> Result<Vec<u8>> {
    let array = array(root, group, name)?;
    if array.shape.contains(&0) {
        return Ok(Vec::new());
    }
    let path = array.chunk_file(&root.join(name), 0);
    inside::read(root, &path)
}

/// What a layout says must be what the metadata says, lest a frame be read at a wrong place.
fn check_shapes(root: &Path, group: &GroupMetadata, layout: &RunLayout) -> Result<()> {
    layout
        .check(&BUILT_IN)
        .map_err(|error| damaged(root, error))?;
    for (name, expected) in self::group(layout).arrays() {
        let found = array(root, group, name)?;
        let skip = usize::from(expected.is_per_frame());
        let same = found.is_per_frame() == expected.is_per_frame()
            && found.data_type == expected.data_type
            && found.frames_per_chunk() == expected.frames_per_chunk()
            && found
                .shape
                .iter()
                .skip(skip)
                .eq(expected.shape.iter().skip(skip));
        if !same {
            return Err(damaged(
                root,
                format!("the array `{name}` does not have the shape of the others"),
            ));
        }
    }
    Ok(())
}

fn damaged(root: &Path, reason: impl ToString) -> RunDirError {
    RunDirError::damaged(&root.join(METADATA_FILE), reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_nodes(nodes: usize) -> RunLayout {
        let rods = vec![RodLayout {
            nodes,
            closed: true,
        }];
        RunLayout {
            rods,
            radius: vec![1.0; nodes],
            ..RunLayout::default()
        }
    }

    #[test]
    fn chunks_are_about_a_mebibyte() {
        assert_eq!(frames_per_chunk(&of_nodes(10)), 256);
        assert_eq!(frames_per_chunk(&of_nodes(1000)), 43);
        assert_eq!(frames_per_chunk(&of_nodes(1_000_000)), 1);
        assert_eq!(frames_per_chunk(&RunLayout::default()), 256);
    }
}
