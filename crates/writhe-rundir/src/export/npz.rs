//! A NumPy archive: a zip file with one `.npy` member per array.
//!
//! Format: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use super::place;
use super::zip::ZipWriter;
use crate::bytes::joined;
use crate::error::{Result, RunDirError};
use crate::layout::RunLayout;
use crate::reader::RunReader;
use crate::schema;

/// Writes the run in `directory` as a NumPy archive, replacing `out`.
///
/// It holds the arrays of the trajectory (`time`, `positions`, `directors`, `radius`,
/// `rod_first_node`, `rod_nodes`, `rod_edges`, `rod_closed`, the extra ones) and each observable by
/// its name, shape (frames).
pub fn export_npz(directory: impl AsRef<Path>, out: impl AsRef<Path>) -> Result<()> {
    let reader = RunReader::open(directory)?;
    let out = out.as_ref();
    place::streamed(out, |file| {
        let mut archive = Archive {
            path: out,
            zip: ZipWriter::new(file),
        };
        archive.add_frames(&reader)?;
        archive.add_constants(reader.layout())?;
        for column in reader.observables().iter().skip(1) {
            archive.add(
                &column.name,
                "<f8",
                &[reader.frames()],
                &joined(&column.values, f64::to_le_bytes),
            )?;
        }
        archive
            .zip
            .finish()
            .map_err(|error| RunDirError::io("writing", out, error))
    })
}

/// The archive being written.
struct Archive<'a> {
    path: &'a Path,
    zip: ZipWriter<&'a mut BufWriter<File>>,
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
        let extra = layout
            .extra
            .iter()
            .map(|array| (array.name.as_str(), shape_of(&array.axes)));
        for (name, mut shape) in built_in.into_iter().chain(extra) {
            shape.insert(0, reader.frames());
            self.start(name, "<f8", &shape)?;
            for index in 0..reader.frames() {
                self.write(&joined(&reader.array(name, index)?, f64::to_le_bytes))?;
            }
            self.end()?;
        }
        Ok(())
    }

    fn add_constants(&mut self, layout: &RunLayout) -> Result<()> {
        for (name, bytes) in schema::constants(layout) {
            let (dtype, length) = match name {
                schema::RADIUS => ("<f8", layout.edges()),
                schema::ROD_CLOSED => ("|i1", layout.rods.len()),
                _ => ("<i8", layout.rods.len()),
            };
            self.add(name, dtype, &[length], &bytes)?;
        }
        Ok(())
    }

    fn add(&mut self, name: &str, dtype: &str, shape: &[usize], bytes: &[u8]) -> Result<()> {
        self.start(name, dtype, shape)?;
        self.write(bytes)?;
        self.end()
    }

    fn start(&mut self, name: &str, dtype: &str, shape: &[usize]) -> Result<()> {
        let started = self.zip.start(&format!("{name}.npy"));
        self.checked(started)?;
        self.write(&npy_header(dtype, shape))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let written = self.zip.write(bytes);
        self.checked(written)
    }

    fn end(&mut self) -> Result<()> {
        let ended = self.zip.end();
        self.checked(ended)
    }

    fn checked(&self, result: io::Result<()>) -> Result<()> {
        result.map_err(|error| RunDirError::io("writing", self.path, error))
    }
}

/// Magic, version 1.0, length, and a Python dictionary padded so that the data begin at a multiple
/// of 64 bytes.
fn npy_header(dtype: &str, shape: &[usize]) -> Vec<u8> {
    const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
    let shape: String = shape.iter().map(|length| format!("{length}, ")).collect();
    let dictionary = format!(
        "{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({}), }}",
        shape.trim_end()
    );
    let length = (MAGIC.len() + 2 + dictionary.len() + 1).next_multiple_of(64) - MAGIC.len() - 2;
    let mut header = MAGIC.to_vec();
    header.extend((length as u16).to_le_bytes());
    header.extend(format!("{dictionary:<width$}\n", width = length - 1).bytes());
    header
}
