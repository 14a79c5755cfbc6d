//! Universal Scene Description, as text: a `BasisCurves` for each rod, with time samples.
//!
//! Schema: <https://openusd.org/release/api/class_usd_geom_basis_curves.html>.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::frames::{Frames, Measured};
use super::tube::Tubes;
use crate::atomic;
use crate::error::{Result, RunDirError};
use crate::spans::Span;

/// Writes the run in `directory` as `out` (`.usda`), in m, z up; time codes count frames.
///
/// Points, and as primvars of each vertex `curvature`, `twist`, `stretch`, `speed` and
/// `contact_force`, have time samples. `rest` as for VTK.
pub fn export_usd(
    directory: impl AsRef<Path>,
    out: impl AsRef<Path>,
    rest: Option<Vec<f64>>,
) -> Result<()> {
    let frames = Frames::open(directory.as_ref(), rest)?;
    let out = out.as_ref();
    let all: Vec<Measured> = (0..frames.count())
        .map(|index| frames.measured(index))
        .collect::<Result<_>>()?;
    atomic::write_streamed(out, |file| {
        write(&frames, &all, file).map_err(|error| RunDirError::io("writing", out, error))
    })
}

fn write(frames: &Frames, all: &[Measured], file: &mut BufWriter<File>) -> std::io::Result<()> {
    let rate = 1.0 / frames.interval();
    let last = frames.count().saturating_sub(1);
    writeln!(
        file,
        "#usda 1.0\n(\n    defaultPrim = \"run\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n    startTimeCode = 0\n    endTimeCode = {last}\n    \
         timeCodesPerSecond = {rate:?}\n    framesPerSecond = {rate:?}\n)\n\ndef Xform \"run\"\n{{"
    )?;
    let tubes = Tubes::new(frames.layout());
    for (index, span) in tubes.spans.iter().enumerate() {
        curve(index, span, &tubes.radius, all, file)?;
    }
    writeln!(file, "}}")
}

fn curve(
    index: usize,
    span: &Span,
    radius: &[f64],
    all: &[Measured],
    file: &mut BufWriter<File>,
) -> std::io::Result<()> {
    let nodes = span.first_node..span.first_node + span.rod.nodes;
    let wrap = if span.rod.closed {
        "periodic"
    } else {
        "pinned"
    };
    let widths: Vec<String> = radius[nodes.clone()]
        .iter()
        .map(|r| format!("{:?}", 2.0 * r))
        .collect();
    writeln!(
        file,
        "    def BasisCurves \"rod{index}\"\n    {{\n        uniform token type = \"cubic\"\n        uniform token basis = \"catmullRom\"\n        \
         uniform token wrap = \"{wrap}\"\n        int[] curveVertexCounts = [{}]\n        float[] widths = [{}] (\n            interpolation = \"vertex\"\n        )",
        span.rod.nodes,
        widths.join(", ")
    )?;
    let point =
        |[x, y, z]: &[f64; 3]| format!("({:?}, {:?}, {:?})", *x as f32, *y as f32, *z as f32);
    samples(file, "point3f[] points", all, |frame| {
        frame.positions[nodes.clone()].iter().map(point).collect()
    })?;
    let fields = all.first().map_or(0, |frame| frame.fields.len());
    for field in 0..fields {
        let name = format!("float[] primvars:{}", all[0].fields[field].0);
        let interpolation = " (\n            interpolation = \"vertex\"\n        )";
        writeln!(file, "        {name}{interpolation}")?;
        samples(file, &name, all, |frame| {
            let values = &frame.fields[field].1[nodes.clone()];
            values.iter().map(|x| format!("{:?}", *x as f32)).collect()
        })?;
    }
    writeln!(file, "    }}")
}

/// An attribute with a value for each frame.
fn samples(
    file: &mut BufWriter<File>,
    name: &str,
    all: &[Measured],
    values: impl Fn(&Measured) -> Vec<String>,
) -> std::io::Result<()> {
    writeln!(file, "        {name}.timeSamples = {{")?;
    for (index, frame) in all.iter().enumerate() {
        writeln!(file, "            {index}: [{}],", values(frame).join(", "))?;
    }
    writeln!(file, "        }}")
}
