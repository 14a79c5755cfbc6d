//! ParaView: a `.pvd` collection over time of `.vtm` files, each with the blocks of a frame.

mod poly_data;

use std::path::Path;

use glam::DVec3;

use super::frames::{Frames, Mark};
use super::options::ExportOptions;
use super::place;
use super::surroundings::{Kind, Mesh, Thing};
use super::tube::{Tubes, centreline};
use crate::contacts::Touched;
use crate::error::Result;
use poly_data::{Array, PolyData, Shape};

/// Normals are rounded to this, which halves what they take.
const NORMAL: f64 = 1.0 / 4096.0;
/// Sine of the angle by which the fourth corner of a quadrangle may stand out of its plane.
const FLAT: f64 = 1e-9;

/// A part of a frame: its name and its file, or the parts of it.
struct Block {
    name: &'static str,
    files: Vec<(&'static str, String)>,
}

/// Writes the run in `directory` into the folder `out`, created if missing: `run.pvd`, for each
/// frame `frame_000000.vtm` and so on with its blocks beside it, such as `rods_000000.vtp`; what
/// never moves is written once, as `obstacles_still.vtp`. Files of an earlier export are replaced.
///
/// Blocks: `rods`, tubes whose points carry the fields of their nodes as single-precision numbers;
/// `centrelines`, a polyline for each rod with the exact positions, the fields, `radius`, `rod`,
/// `node` (in its rod), `arc` (length at rest from the first node) and the director `m1`;
/// `obstacles`, `bodies`, `joints` and `clamps`, meshes with their number; `body_centres` with the
/// exact positions and orientations; `contacts`, points with force, gap and what touches. Names
/// carry units: `curvature [1/m]`. With a colouring, its field is the one that programs show first.
///
/// # Errors
/// When the run cannot be read, has no such field, or a file cannot be written.
pub fn export_vtk(
    directory: impl AsRef<Path>,
    out: impl AsRef<Path>,
    options: &ExportOptions,
) -> Result<()> {
    let frames = Frames::open(directory.as_ref(), options)?;
    let shown = options
        .colour
        .as_ref()
        .map(|colour| frames.field(&colour.field));
    let shown = shown
        .transpose()?
        .map(|field| named(field.name, field.unit));
    let out = out.as_ref();
    place::folder_of_frames(out, frames.count(), "vtm")?;
    let tubes = Tubes::new(frames.layout(), options.smooth);
    let mut export = Export {
        frames: &frames,
        tubes: &tubes,
        options,
        out,
        shown,
        still: Vec::new(),
    };
    export.write_still()?;
    let mut collection = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<Collection>\n",
    );
    for index in 0..frames.count() {
        let name = export.write_frame(index)?;
        let time = frames.times[index];
        collection += &format!("<DataSet timestep=\"{time:?}\" part=\"0\" file=\"{name}\"/>\n");
    }
    collection += "</Collection>\n</VTKFile>\n";
    place::file(&out.join("run.pvd"), collection.as_bytes())
}

/// An array's name with its unit, if it has one.
fn named(name: &str, unit: &str) -> String {
    match unit {
        "1" => name.to_owned(),
        unit => format!("{name} [{unit}]"),
    }
}

struct Export<'a> {
    frames: &'a Frames,
    tubes: &'a Tubes,
    options: &'a ExportOptions,
    out: &'a Path,
    /// The array by which rods are coloured at first.
    shown: Option<String>,
    /// Kinds of which some never move.
    still: Vec<Kind>,
}

impl Export<'_> {
    fn things(&self, kind: Kind) -> impl Iterator<Item = &Thing> {
        let all = self.options.surroundings.things.iter();
        all.filter(move |thing| thing.kind == kind)
    }

    /// Writes what never moves, once for all frames.
    fn write_still(&mut self) -> Result<()> {
        for kind in Kind::ALL {
            let still: Vec<&Thing> = self.things(kind).filter(|t| t.is_still()).collect();
            if still.is_empty() || self.frames.count() == 0 {
                continue;
            }
            let file = meshes(&still, 0).file(None);
            place::file(&self.out.join(still_file(kind)), &file)?;
            self.still.push(kind);
        }
        Ok(())
    }

    /// Writes a frame; the name of its file.
    fn write_frame(&self, index: usize) -> Result<String> {
        let time = self.frames.times[index];
        let mut blocks = Vec::new();
        let mut put = |name: &'static str, part: &'static str, data: PolyData| -> Result<()> {
            let file = format!("{name}_{index:06}.vtp");
            place::file(&self.out.join(&file), &data.file(Some(time)))?;
            blocks.push(Block {
                name,
                files: vec![(part, file)],
            });
            Ok(())
        };
        let [rods, lines] = self.rods(index)?;
        put("rods", "", rods)?;
        put("centrelines", "", lines)?;
        if self.frames.has_contacts() {
            let (positions, _) = self.frames.shape(index)?;
            let marks = self
                .frames
                .marks(index, &positions, &self.options.surroundings);
            put("contacts", "", contacts(&marks))?;
        }
        if self.things(Kind::Body).next().is_some() {
            put("body_centres", "", centres(self.things(Kind::Body), index))?;
        }
        for kind in Kind::ALL {
            if self.things(kind).all(Thing::is_still) {
                continue;
            }
            let moving: Vec<&Thing> = self.things(kind).filter(|t| !t.is_still()).collect();
            put(kind.plural(), "moving", meshes(&moving, index))?;
        }
        for kind in &self.still {
            let (name, file) = (kind.plural(), ("still", still_file(*kind)));
            match blocks.iter_mut().find(|block| block.name == name) {
                Some(block) => block.files.push(file),
                None => blocks.push(Block {
                    name,
                    files: vec![file],
                }),
            }
        }
        let name = format!("frame_{index:06}.vtm");
        place::file(&self.out.join(&name), multiblock(&blocks).as_bytes())?;
        Ok(name)
    }

    /// The tubes, and the centrelines.
    fn rods(&self, index: usize) -> Result<[PolyData; 2]> {
        let frame = self.frames.measured(index)?;
        let placed = self.tubes.frames(&frame.positions, &frame.directors);
        let (points, normals): (Vec<DVec3>, Vec<DVec3>) = self.tubes.surface(&placed).unzip();
        let mut at_points = vec![Array::singles("normal", 3, numbers(&normals).map(rounded))];
        let mut at_nodes = Vec::new();
        for (field, values) in &frame.fields {
            let name = named(field.name, field.unit);
            at_points.push(Array::singles(&name, 1, self.tubes.at_points(values)));
            at_nodes.push(Array::doubles(&name, 1, values.clone()));
        }
        let radius = &self.tubes.radius;
        at_points.push(Array::singles(
            "radius [m]",
            1,
            self.tubes.at_points(radius),
        ));
        at_nodes.push(Array::doubles("radius [m]", 1, radius.clone()));
        let of_points = self.tubes.rods.iter().enumerate();
        let of_points =
            of_points.flat_map(|(rod, tube)| std::iter::repeat_n(rod as i32, tube.points.len()));
        at_points.push(Array::whole("rod", of_points.collect()));
        let spans = || self.tubes.rods.iter().map(|tube| tube.span).enumerate();
        let nodes =
            || spans().flat_map(|(rod, span)| (0..span.rod.nodes).map(move |node| (rod, node)));
        at_nodes.push(Array::whole(
            "rod",
            nodes().map(|(rod, _)| rod as i32).collect(),
        ));
        at_nodes.push(Array::whole(
            "node",
            nodes().map(|(_, node)| node as i32).collect(),
        ));
        at_nodes.push(Array::doubles("arc [m]", 1, self.frames.arcs()));
        // The tubes' own frames stand at nodes too, but may be those of a smooth curve.
        let m1 = Tubes::new(self.frames.layout(), false).frames(&frame.positions, &frame.directors);
        let m1: Vec<DVec3> = m1.iter().map(|frame| frame.rotation * DVec3::X).collect();
        at_nodes.push(Array::doubles("m1", 3, numbers(&m1).collect()));
        let lines = spans().map(|(_, span)| {
            let nodes = span.first_node..span.first_node + span.rod.nodes;
            nodes
                .chain(span.rod.closed.then_some(span.first_node))
                .collect()
        });
        let texts = |curve: &str| vec![("centreline", vec![curve.to_owned()]), units()];
        let tubes = PolyData {
            points: numbers(&points).collect(),
            at_points,
            cells: vec![(Shape::Polygons, self.tubes.faces().cloned().collect())],
            texts: texts(centreline(self.options.smooth)),
            shown: self.shown.clone(),
            normals: Some("normal"),
            ..PolyData::default()
        };
        let lines = PolyData {
            points: frame.positions.as_flattened().to_vec(),
            exact: true,
            at_points: at_nodes,
            cells: vec![(Shape::Lines, lines.collect())],
            texts: texts(centreline(false)),
            shown: self.shown.clone(),
            ..PolyData::default()
        };
        Ok([tubes, lines])
    }
}

/// What every file says of its units.
fn units() -> (&'static str, Vec<String>) {
    let text = "SI: lengths in m, times in s; names of arrays have their units in brackets";
    ("units", vec![text.to_owned()])
}

fn still_file(kind: Kind) -> String {
    format!("{}_still.vtp", kind.plural())
}

/// A part of a unit normal, rounded.
fn rounded(x: f64) -> f64 {
    (x / NORMAL).round() * NORMAL
}

/// The triangles of a mesh; two in a row that make a flat quadrangle are one, which takes half as
/// much.
fn polygons(mesh: &Mesh) -> Vec<Vec<usize>> {
    let at = |corner: u32| mesh.vertices[corner as usize];
    let mut polygons: Vec<Vec<usize>> = Vec::new();
    let mut rest = mesh.triangles.as_slice();
    while let [[a, b, c], others @ ..] = rest {
        rest = others;
        let mut corners = vec![*a, *b, *c];
        if let [[first, second, d], after @ ..] = others
            && (first, second) == (a, c)
        {
            let (across, normal) = (at(*d) - at(*a), (at(*b) - at(*a)).cross(at(*c) - at(*a)));
            let other = (at(*c) - at(*a)).cross(across);
            let flat = across.dot(normal).abs() <= FLAT * across.length() * normal.length();
            // One without area would hide a corner of the other.
            if flat && normal.dot(other) > 0.0 {
                corners.push(*d);
                rest = after;
            }
        }
        polygons.push(corners.into_iter().map(|i| i as usize).collect());
    }
    polygons
}

fn numbers(vectors: &[DVec3]) -> impl Iterator<Item = f64> {
    vectors.iter().flat_map(|v| v.to_array())
}

/// Things in a frame as one surface, whose polygons carry their number.
fn meshes(things: &[&Thing], index: usize) -> PolyData {
    let (mut points, mut normals) = (Vec::new(), Vec::new());
    let (mut cells, mut of_cells, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for thing in things {
        let Some(Some(pose)) = thing.poses.get(index) else {
            continue;
        };
        let first = points.len();
        points.extend(thing.mesh.vertices.iter().map(|x| pose.place(*x)));
        normals.extend(thing.mesh.normals.iter().map(|n| pose.turn(*n)));
        let own = polygons(&thing.mesh);
        of_cells.extend(std::iter::repeat_n(thing.index as i32, own.len()));
        let moved = |corners: Vec<usize>| corners.into_iter().map(|i| first + i).collect();
        cells.extend(own.into_iter().map(moved));
        names.push(thing.name());
    }
    PolyData {
        points: numbers(&points).collect(),
        at_points: vec![Array::singles("normal", 3, numbers(&normals).map(rounded))],
        at_cells: vec![Array::whole("number", of_cells)],
        cells: vec![(Shape::Polygons, cells)],
        texts: vec![("names", names), units()],
        normals: Some("normal"),
        ..PolyData::default()
    }
}

/// Centres of mass of bodies in a frame, with orientations.
fn centres<'a>(bodies: impl Iterator<Item = &'a Thing>, index: usize) -> PolyData {
    let (mut points, mut turns, mut which, mut names) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for body in bodies {
        if let Some(Some(pose)) = body.poses.get(index) {
            points.extend(pose.position.to_array());
            turns.extend(pose.rotation.to_array());
            which.push(body.index as i32);
            names.push(body.name());
        }
    }
    PolyData {
        cells: vec![(Shape::Vertices, (0..which.len()).map(|i| vec![i]).collect())],
        points,
        exact: true,
        at_points: vec![
            Array::whole("number", which),
            Array::doubles("quaternion (x, y, z, w)", 4, turns),
        ],
        texts: vec![("names", names), units()],
        ..PolyData::default()
    }
}

/// Contacts as points. `force` is that on the rod of `rod`; what is not touched is -1.
fn contacts(marks: &[Mark]) -> PolyData {
    let numbers = |value: fn(&Mark) -> f64| marks.iter().map(value).collect::<Vec<f64>>();
    let which = |value: fn(&Mark) -> Option<usize>| {
        let number = |mark| value(mark).map_or(-1, |i| i as i32);
        marks.iter().map(number).collect::<Vec<i32>>()
    };
    let force = marks
        .iter()
        .flat_map(|m| (m.contact.force * m.normal).to_array());
    let normal = marks.iter().flat_map(|m| m.normal.to_array());
    PolyData {
        points: marks
            .iter()
            .flat_map(|mark| mark.point.to_array())
            .collect(),
        exact: true,
        at_points: vec![
            Array::doubles("force [N]", 3, force.collect()),
            Array::doubles("normal_force [N]", 1, numbers(|m| m.contact.force)),
            Array::doubles("normal", 3, normal.collect()),
            Array::doubles("gap [m]", 1, numbers(|m| m.contact.gap)),
            Array::whole("rod", which(|m| Some(m.contact.rod))),
            Array::doubles("arc [m]", 1, numbers(|m| m.contact.arc)),
            Array::whole(
                "other_rod",
                which(|m| match m.contact.with {
                    Touched::Rod { rod, .. } => Some(rod),
                    _ => None,
                }),
            ),
            Array::doubles(
                "other_arc [m]",
                1,
                numbers(|m| match m.contact.with {
                    Touched::Rod { arc, .. } => arc,
                    _ => -1.0,
                }),
            ),
            Array::whole(
                "obstacle",
                which(|m| match m.contact.with {
                    Touched::Obstacle(index) => Some(index),
                    _ => None,
                }),
            ),
            Array::whole(
                "body",
                which(|m| match m.contact.with {
                    Touched::Body(index) => Some(index),
                    _ => None,
                }),
            ),
        ],
        cells: vec![(Shape::Vertices, (0..marks.len()).map(|i| vec![i]).collect())],
        texts: vec![units()],
        shown: Some("normal_force [N]".to_owned()),
        ..PolyData::default()
    }
}

/// The file that names the blocks of a frame.
fn multiblock(blocks: &[Block]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"vtkMultiBlockDataSet\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<vtkMultiBlockDataSet>\n",
    );
    for (index, Block { name, files }) in blocks.iter().enumerate() {
        match files.as_slice() {
            [(_, file)] => {
                text += &format!("<DataSet index=\"{index}\" name=\"{name}\" file=\"{file}\"/>\n");
            }
            parts => {
                text += &format!("<Block index=\"{index}\" name=\"{name}\">\n");
                for (k, (part, file)) in parts.iter().enumerate() {
                    text += &format!("<DataSet index=\"{k}\" name=\"{part}\" file=\"{file}\"/>\n");
                }
                text += "</Block>\n";
            }
        }
    }
    text + "</vtkMultiBlockDataSet>\n</VTKFile>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_pairs_of_triangles_are_quadrangles() {
        let mesh = |last: DVec3| Mesh {
            vertices: vec![DVec3::ZERO, DVec3::X, DVec3::X + DVec3::Y, last],
            normals: vec![DVec3::Z; 4],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        };
        assert_eq!(polygons(&mesh(DVec3::Y)), [vec![0, 1, 2, 3]]);
        let apart = [vec![0, 1, 2], vec![0, 2, 3]];
        assert_eq!(polygons(&mesh(DVec3::Y + DVec3::Z)), apart, "bent");
        assert_eq!(polygons(&mesh(DVec3::ZERO)), apart, "without area");
        assert_eq!(polygons(&mesh(DVec3::X)), apart, "folded back");
    }
}
