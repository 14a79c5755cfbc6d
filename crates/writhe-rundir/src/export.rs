//! A run in the formats of other programs.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use npyz::npz::NpzWriter;
use npyz::{AutoSerialize, WriterBuilder};

use crate::atomic;
use crate::error::{Result, RunDirError};
use crate::observables::{OBSERVABLES_FILE, push_row};
use crate::reader::RunReader;
use crate::schema;

const NODES_FILE: &str = "nodes.csv";

/// One member of an archive without the zip64 extension.
const LARGEST_MEMBER: u64 = u32::MAX as u64 - 4096;

/// Writes the run in `directory` as comma-separated values into the folder `out`, created if missing; files of an
/// earlier export are replaced.
///
/// `nodes.csv` has one row per frame and node, `t [s],rod,node,x [m],y [m],z [m]`, nodes counted from 0 in each rod;
/// `observables.csv` one row per frame.
pub fn export_csv(directory: impl AsRef<Path>, out: impl AsRef<Path>) -> Result<()> {
    let reader = RunReader::open(directory)?;
    let out = out.as_ref();
    atomic::create_directories(out)?;
    let nodes = out.join(NODES_FILE);
    atomic::write_streamed(&nodes, |file| write_nodes(&reader, &nodes, file))?;
    atomic::write(&out.join(OBSERVABLES_FILE), observables_table(&reader).as_bytes())
}

fn write_nodes(reader: &RunReader, path: &Path, file: &mut BufWriter<File>) -> Result<()> {
    let failed = |error| RunDirError::io("writing", path, error);
    writeln!(file, "t [s],rod,node,x [m],y [m],z [m]").map_err(failed)?;
    for (index, time) in reader.times()?.into_iter().enumerate() {
        let positions = reader.positions(index)?;
        let mut remaining = positions.as_slice();
        for (rod, layout) in reader.layout().rods.iter().enumerate() {
            let (of_rod, rest) = remaining.split_at_checked(layout.nodes).unwrap_or((remaining, &[]));
            for (node, [x, y, z]) in of_rod.iter().enumerate() {
                writeln!(file, "{time:e},{rod},{node},{x:e},{y:e},{z:e}").map_err(failed)?;
            }
            remaining = rest;
        }
    }
    Ok(())
}

fn observables_table(reader: &RunReader) -> String {
    let mut text = String::new();
    for (i, column) in reader.observables().iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}{} [{}]", if i > 0 { "," } else { "" }, column.name, column.unit);
    }
    text.push('\n');
    for row in 0..reader.frames() {
        push_row(&mut text, reader.observables().iter().filter_map(|column| column.values.get(row).copied()));
    }
    text
}

/// Writes the run in `directory` as a NumPy archive, replacing `out`.
///
/// It holds the arrays of the trajectory (`time`, `positions`, `directors`, `radius`, `rod_first_node`, `rod_nodes`,
/// `rod_edges`, `rod_closed`, the extra ones) and each observable by its name, shape (frames).
pub fn export_npz(directory: impl AsRef<Path>, out: impl AsRef<Path>) -> Result<()> {
    let reader = RunReader::open(directory)?;
    let out = out.as_ref();
    atomic::write_streamed(out, |file| {
        let mut archive = Archive { path: out, zip: NpzWriter::new(file) };
        archive.add_frames(&reader)?;
        archive.add_constants(&reader)?;
        for column in reader.observables().iter().skip(1) {
            archive.add(&column.name, &[reader.frames()], &column.values)?;
        }
        archive.close()
    })
}

/// The archive being written.
struct Archive<'a> {
    path: &'a Path,
    zip: NpzWriter<&'a mut BufWriter<File>>,
}

impl Archive<'_> {
    /// The arrays with time, a frame at a time.
    fn add_frames(&mut self, reader: &RunReader) -> Result<()> {
        let layout = reader.layout();
        let built_in = [
            (schema::TIME, vec![]),
            (schema::POSITIONS, vec![layout.nodes(), 3]),
            (schema::DIRECTORS, vec![layout.edges(), 3]),
        ];
        let shape_of = |axes: &[_]| axes.iter().map(|axis| layout.length(axis)).collect();
        let extra = layout.extra.iter().map(|array| (array.name.as_str(), shape_of(&array.axes)));
        for (name, mut shape) in built_in.into_iter().chain(extra) {
            shape.insert(0, reader.frames());
            self.add_chunked(name, &shape, (0..reader.frames()).map(|index| reader.array(name, index)))?;
        }
        Ok(())
    }

    fn add_constants(&mut self, reader: &RunReader) -> Result<()> {
        let layout = reader.layout();
        let rods = [layout.rods.len()];
        let integers = |values: Vec<usize>| values.into_iter().map(|value| value as i64).collect::<Vec<_>>();
        let nodes = layout.rods.iter().map(|rod| rod.nodes).collect();
        let edges = layout.rods.iter().map(|rod| rod.edges()).collect();
        let closed: Vec<i8> = layout.rods.iter().map(|rod| i8::from(rod.closed)).collect();
        self.add(schema::RADIUS, &[layout.edges()], &layout.radius)?;
        self.add(schema::ROD_FIRST_NODE, &rods, &integers(layout.first_nodes()))?;
        self.add(schema::ROD_NODES, &rods, &integers(nodes))?;
        self.add(schema::ROD_EDGES, &rods, &integers(edges))?;
        self.add(schema::ROD_CLOSED, &rods, &closed)
    }

    fn add<T: AutoSerialize + Copy>(&mut self, name: &str, shape: &[usize], values: &[T]) -> Result<()> {
        self.add_chunked(name, shape, std::iter::once(Ok(values.to_vec())))
    }

    fn add_chunked<T: AutoSerialize>(
        &mut self,
        name: &str,
        shape: &[usize],
        chunks: impl Iterator<Item = Result<Vec<T>>>,
    ) -> Result<()> {
        let shape: Vec<u64> = shape.iter().map(|length| *length as u64).collect();
        let bytes = shape.iter().product::<u64>() * size_of::<T>() as u64;
        if bytes > LARGEST_MEMBER {
            return Err(RunDirError::TooLargeForNpz { array: name.to_owned(), bytes });
        }
        let failed = |error| RunDirError::io("writing", self.path, error);
        let member = self.zip.array(name, Default::default()).map_err(failed)?;
        let mut member = member.default_dtype().shape(&shape).begin_nd().map_err(failed)?;
        for chunk in chunks {
            member.extend(chunk?).map_err(failed)?;
        }
        member.finish().map_err(failed)
    }

    /// Writes the archive's table of contents.
    fn close(mut self) -> Result<()> {
        let closed = self.zip.zip_writer().finish().map_err(std::io::Error::from);
        closed.map(drop).map_err(|error| RunDirError::io("writing", self.path, error))
    }
}
