//! Universal Scene Description, as text, with time samples: a `BasisCurves` for each rod, an `Xform`
//! with a `Mesh` for each thing around them, `Points` for contacts and `BasisCurves` for their
//! forces.
//!
//! Schema: <https://openusd.org/release/api/class_usd_geom_basis_curves.html>.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use glam::{DQuat, DVec3};

use super::arrow::Arrows;
use super::frames::{Field, Frames, Mark, Measured, Scale};
use super::options::ExportOptions;
use super::place;
use super::surroundings::{Kind, Pose, Thing, turn_the_short_way};
use super::tube::{Tubes, centreline};
use crate::contacts::Touched;
use crate::error::{Result, RunDirError};
use crate::spans::Span;

/// Width of a contact's point and of the line of its force, in radii of the thickest rod.
const POINT: f64 = 0.6;
const LINE: f64 = 0.3;

/// Writes the run in `directory` as `out` (`.usda`), in m, z up; time codes count frames.
///
/// Points of rods and, as primvars of each vertex, `curvature`, `twist`, `stretch`, `speed` and
/// `contact_force` have time samples; with a colouring, colours too. Things are in the scopes
/// `obstacles`, `bodies`, `joints` and `clamps`, by kind and number: `/run/bodies/body0`. Units are
/// in the custom data of each primvar, centreline, colours and the scale of arrows in that of the
/// layer.
///
/// # Errors
/// When the run cannot be read, has no such field, or the file cannot be written.
pub fn export_usd(
    directory: impl AsRef<Path>,
    out: impl AsRef<Path>,
    options: &ExportOptions,
) -> Result<()> {
    let frames = Frames::open(directory.as_ref(), options)?;
    let out = out.as_ref();
    let all = (0..frames.count()).map(|index| frames.measured(index));
    let all: Vec<Measured> = all.collect::<Result<_>>()?;
    let colouring = options.colour.as_ref();
    let scale = colouring.map(|colouring| frames.scale(colouring, 0..frames.count()));
    let tubes = Tubes::new(frames.layout(), false);
    let radius = &frames.layout().radius;
    let thickest = radius.iter().copied().fold(0.0, f64::max);
    let marks = all.iter().enumerate();
    let marks =
        marks.map(|(index, frame)| frames.marks(index, &frame.positions, &options.surroundings));
    let stage = Stage {
        frames: &frames,
        all: &all,
        marks: marks.collect(),
        radius: &tubes.radius,
        thickest,
        arrows: Arrows::new(thickest, frames.largest_force()),
        scale: scale.transpose()?,
        options,
    };
    place::streamed(out, |file| {
        let spans = tubes.rods.iter().map(|tube| tube.span);
        let written = stage.write(spans, file);
        written.map_err(|error| RunDirError::io("writing", out, error))
    })
}

struct Stage<'a> {
    frames: &'a Frames,
    all: &'a [Measured],
    marks: Vec<Vec<Mark>>,
    /// Radius at each node, and the largest, m.
    radius: &'a [f64],
    thickest: f64,
    arrows: Arrows,
    scale: Option<Scale>,
    options: &'a ExportOptions,
}

type Out<'a> = &'a mut BufWriter<File>;

impl Stage<'_> {
    fn write(&self, spans: impl Iterator<Item = Span>, file: Out) -> std::io::Result<()> {
        let rate = 1.0 / self.frames.interval();
        let last = self.code(self.frames.count().saturating_sub(1));
        let mut told = format!(
            "        string centreline = \"{}\"\n        string units = \"m, s\"\n",
            centreline(self.options.smooth)
        );
        if let Some(scale) = &self.scale {
            told += &format!("        string colour = \"{}\"\n", scale.told());
        }
        if self.frames.has_contacts() {
            let scale = self.arrows.length_per_force;
            told += &format!("        double arrows_metres_per_newton = {scale:?}\n");
        }
        writeln!(
            file,
            "#usda 1.0\n(\n    defaultPrim = \"run\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n    startTimeCode = 0\n    endTimeCode = {last}\n    \
             timeCodesPerSecond = {rate:?}\n    framesPerSecond = {rate:?}\n    customLayerData = {{\n{told}    }}\n)\n\ndef Xform \"run\"\n{{"
        )?;
        for (index, span) in spans.enumerate() {
            self.rod(index, &span, file)?;
        }
        for kind in Kind::ALL {
            let things = || {
                self.options
                    .surroundings
                    .things
                    .iter()
                    .filter(move |t| t.kind == kind)
            };
            if things().next().is_some() {
                writeln!(file, "    def Scope \"{}\"\n    {{", kind.plural())?;
                things().try_for_each(|thing| self.thing(thing, file))?;
                writeln!(file, "    }}")?;
            }
        }
        if self.frames.has_contacts() {
            self.contacts(file)?;
        }
        writeln!(file, "}}")
    }

    /// Time code of a frame: its number, or what is between where frames are not evenly spaced.
    fn code(&self, frame: usize) -> f64 {
        let times = self.frames.times();
        let passed = times[frame] - times[0];
        // Numbers without the rounding of times.
        (passed / self.frames.interval() * 1e6).round() / 1e6
    }

    /// An array with a value for each frame.
    fn samples(
        &self,
        file: Out,
        depth: usize,
        name: &str,
        values: impl Iterator<Item = String>,
    ) -> std::io::Result<()> {
        let space = "    ".repeat(depth);
        writeln!(file, "{space}{name}.timeSamples = {{")?;
        for (frame, value) in values.enumerate() {
            writeln!(file, "{space}    {}: [{value}],", self.code(frame))?;
        }
        writeln!(file, "{space}}}")
    }

    /// An attribute of a thing: one value, or one for each frame where it changes.
    fn changing(
        &self,
        file: Out,
        name: &str,
        values: impl Iterator<Item = String>,
    ) -> std::io::Result<()> {
        let space = " ".repeat(12);
        let values: Vec<String> = values.collect();
        match values.as_slice() {
            [] => Ok(()),
            [first, rest @ ..] if rest.iter().all(|value| value == first) => {
                writeln!(file, "{space}{name} = {first}")
            }
            all => {
                writeln!(file, "{space}{name}.timeSamples = {{")?;
                for (frame, value) in all.iter().enumerate() {
                    writeln!(file, "{space}    {}: {value},", self.code(frame))?;
                }
                writeln!(file, "{space}}}")
            }
        }
    }

    fn rod(&self, index: usize, span: &Span, file: Out) -> std::io::Result<()> {
        let nodes = span.first_node..span.first_node + span.rod.nodes;
        let kind = match self.options.smooth {
            true => "uniform token type = \"cubic\"\n        uniform token basis = \"catmullRom\"",
            false => "uniform token type = \"linear\"",
        };
        let wrap = match (span.rod.closed, self.options.smooth) {
            (true, _) => "periodic",
            (false, true) => "pinned",
            (false, false) => "nonperiodic",
        };
        let widths = self.radius[nodes.clone()].iter().map(|r| number(2.0 * r));
        let colour = match &self.scale {
            None => format!(
                "        color3f[] primvars:displayColor = [{}] (\n            interpolation = \"constant\"\n        )\n",
                triple(super::rod_colour(index))
            ),
            Some(_) => "        color3f[] primvars:displayColor (\n            interpolation = \"vertex\"\n        )\n".to_owned(),
        };
        write!(
            file,
            "    def BasisCurves \"rod{index}\"\n    {{\n        {kind}\n        uniform token wrap = \"{wrap}\"\n        int[] curveVertexCounts = [{}]\n        \
             float[] widths = [{}] (\n            interpolation = \"vertex\"\n        )\n{colour}",
            span.rod.nodes,
            listed(widths)
        )?;
        let frames = || self.all.iter();
        let points =
            |frame: &Measured| listed(frame.positions[nodes.clone()].iter().map(|x| triple(*x)));
        self.samples(file, 2, "point3f[] points", frames().map(points))?;
        let fields: Vec<Field> = self
            .all
            .iter()
            .take(1)
            .flat_map(|f| f.fields.iter().map(|(field, _)| *field))
            .collect();
        for field in fields {
            let name = format!("float[] primvars:{}", field.name);
            writeln!(
                file,
                "        {name} (\n            customData = {{\n                string unit = \"{}\"\n            }}\n            interpolation = \"vertex\"\n        )",
                field.unit
            )?;
            let values = |frame: &Measured| {
                listed(frame.of(field)[nodes.clone()].iter().map(|x| number(*x)))
            };
            self.samples(file, 2, &name, frames().map(values))?;
        }
        if let Some(scale) = &self.scale {
            let colours = |frame: &Measured| {
                listed(
                    frame.of(scale.field)[nodes.clone()]
                        .iter()
                        .map(|x| triple(scale.colour(*x))),
                )
            };
            self.samples(
                file,
                2,
                "color3f[] primvars:displayColor",
                frames().map(colours),
            )?;
        }
        writeln!(file, "    }}")
    }

    fn thing(&self, thing: &Thing, file: Out) -> std::io::Result<()> {
        writeln!(
            file,
            "        def Xform \"{}\" (\n            customData = {{\n                string kind = \"{}\"\n                int number = {}\n                string label = \"{}\"\n            }}\n        )\n        {{",
            thing.name(),
            thing.kind.name(),
            thing.index,
            thing.label.replace(['"', '\\', '\n', '\r'], " ")
        )?;
        // Where it is not there it stays where it was last, unseen.
        let first = thing.poses.iter().flatten().next().copied();
        let poses = thing
            .poses
            .iter()
            .scan(first.unwrap_or(Pose::IDENTITY), |last, pose| {
                *last = pose.unwrap_or(*last);
                Some(*last)
            });
        let poses: Vec<Pose> = poses.collect();
        let mut turns: Vec<DQuat> = poses.iter().map(|pose| pose.rotation).collect();
        turn_the_short_way(&mut turns);
        let place = |x: DVec3| format!("({:?}, {:?}, {:?})", x.x, x.y, x.z);
        let turn = |q: &DQuat| format!("({:?}, {:?}, {:?}, {:?})", q.w, q.x, q.y, q.z);
        self.changing(
            file,
            "double3 xformOp:translate",
            poses.iter().map(|p| place(p.position)),
        )?;
        self.changing(file, "quatd xformOp:orient", turns.iter().map(turn))?;
        let size = |pose: &Pose| place(DVec3::new(1.0, 1.0, pose.length));
        self.changing(file, "double3 xformOp:scale", poses.iter().map(size))?;
        writeln!(
            file,
            "            uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\", \"xformOp:scale\"]"
        )?;
        if thing.poses.iter().any(Option::is_none) {
            let seen = |pose: &Option<Pose>| {
                if pose.is_some() {
                    "\"inherited\""
                } else {
                    "\"invisible\""
                }
                .to_owned()
            };
            self.changing(file, "token visibility", thing.poses.iter().map(seen))?;
        }
        let mesh = &thing.mesh;
        let vectors = |all: &[DVec3]| listed(all.iter().map(|x| triple(x.to_array())));
        writeln!(
            file,
            "            def Mesh \"mesh\"\n            {{\n                uniform token subdivisionScheme = \"none\"\n                bool doubleSided = 1\n                \
             int[] faceVertexCounts = [{}]\n                int[] faceVertexIndices = [{}]\n                point3f[] points = [{}]\n                \
             normal3f[] normals = [{}] (\n                    interpolation = \"vertex\"\n                )\n                \
             color3f[] primvars:displayColor = [{}]\n                float[] primvars:displayOpacity = [{:?}]\n            }}\n        }}",
            listed(mesh.triangles.iter().map(|_| "3".to_owned())),
            listed(mesh.triangles.iter().flatten().map(ToString::to_string)),
            vectors(&mesh.vertices),
            vectors(&mesh.normals),
            triple(thing.colour),
            thing.opacity as f32
        )
    }

    /// Points of contact with what is known of them, and a line along each force.
    fn contacts(&self, file: Out) -> std::io::Result<()> {
        let marks = || self.marks.iter();
        let of =
            |value: fn(&Mark) -> String| move |marks: &Vec<Mark>| listed(marks.iter().map(value));
        let which = |which: fn(&Mark) -> Option<usize>| {
            move |marks: &Vec<Mark>| {
                listed(
                    marks
                        .iter()
                        .map(|m| which(m).map_or(-1, |i| i as i64).to_string()),
                )
            }
        };
        let width = |of_radius: f64| {
            format!(
                "float[] widths = [{}] (\n            interpolation = \"constant\"\n        )",
                number(of_radius * self.thickest)
            )
        };
        let red = "color3f[] primvars:displayColor = [(0.55, 0.02, 0.02)]";
        writeln!(
            file,
            "    def Points \"contacts\"\n    {{\n        {}\n        {red}",
            width(2.0 * POINT)
        )?;
        let point = of(|m| triple(m.point.to_array()));
        self.samples(file, 2, "point3f[] points", marks().map(point))?;
        let mut primvar = |name: &str, unit: &str, values: &dyn Fn(&Vec<Mark>) -> String| {
            writeln!(
                file,
                "        {name} (\n            customData = {{\n                string unit = \"{unit}\"\n            }}\n            interpolation = \"vertex\"\n        )"
            )?;
            self.samples(file, 2, name, marks().map(values))
        };
        primvar(
            "vector3f[] primvars:force",
            "N",
            &of(|m| triple((m.contact.force * m.normal).to_array())),
        )?;
        primvar(
            "float[] primvars:normal_force",
            "N",
            &of(|m| number(m.contact.force)),
        )?;
        primvar("float[] primvars:gap", "m", &of(|m| number(m.contact.gap)))?;
        primvar("float[] primvars:arc", "m", &of(|m| number(m.contact.arc)))?;
        primvar("int[] primvars:rod", "1", &which(|m| Some(m.contact.rod)))?;
        primvar(
            "int[] primvars:other_rod",
            "1",
            &which(|m| match m.contact.with {
                Touched::Rod { rod, .. } => Some(rod),
                _ => None,
            }),
        )?;
        primvar(
            "int[] primvars:obstacle",
            "1",
            &which(|m| match m.contact.with {
                Touched::Obstacle(index) => Some(index),
                _ => None,
            }),
        )?;
        primvar(
            "int[] primvars:body",
            "1",
            &which(|m| match m.contact.with {
                Touched::Body(index) => Some(index),
                _ => None,
            }),
        )?;
        writeln!(
            file,
            "    }}\n    def BasisCurves \"contact_forces\"\n    {{\n        uniform token type = \"linear\"\n        uniform token wrap = \"nonperiodic\"\n        {}\n        {red}",
            width(2.0 * LINE)
        )?;
        let pairs = |marks: &Vec<Mark>| listed(marks.iter().map(|_| "2".to_owned()));
        self.samples(file, 2, "int[] curveVertexCounts", marks().map(pairs))?;
        let ends = |marks: &Vec<Mark>| {
            listed(marks.iter().flat_map(|m| {
                let tip = m.point + self.arrows.length_per_force * m.contact.force * m.normal;
                [m.point, tip].map(|x| triple(x.to_array()))
            }))
        };
        self.samples(file, 2, "point3f[] points", marks().map(ends))?;
        writeln!(file, "    }}")
    }
}

fn number(x: f64) -> String {
    format!("{:?}", x as f32)
}

fn triple([x, y, z]: [f64; 3]) -> String {
    format!("({:?}, {:?}, {:?})", x as f32, y as f32, z as f32)
}

fn listed(values: impl Iterator<Item = String>) -> String {
    values.collect::<Vec<_>>().join(", ")
}
