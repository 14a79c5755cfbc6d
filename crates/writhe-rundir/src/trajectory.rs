//! Writing the trajectory: frames gather in memory and go to disk a chunk at a time.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::atomic;
use crate::bytes::joined;
use crate::crc::crc64_after;
use crate::error::{Result, RunDirError};
use crate::layout::RunLayout;
use crate::schema;
use crate::zarr::{self, ArrayMetadata, GroupMetadata};

/// Name of the group in the run directory.
pub(crate) const TRAJECTORY: &str = "trajectory.zarr";

/// The growing arrays of a run.
#[derive(Debug)]
pub(crate) struct Trajectory {
    /// The group's directory.
    root: PathBuf,
    group: GroupMetadata,
    frames_per_chunk: usize,
    /// Frames appended since the run began.
    frames: usize,
    /// Frames that the metadata on disk announces.
    announced: usize,
    /// The frames of the chunk being filled, by array.
    series: Vec<Series>,
}

/// The chunk being filled of one array, little-endian.
#[derive(Debug)]
struct Series {
    name: String,
    chunk: Vec<u8>,
    /// CRC-64 of all frames before it.
    before: u64,
}

/// All that a checkpoint holds of a trajectory: what is written again where it is damaged, and by
/// what the rest is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Frames.
    pub frames: u64,
    /// The group's document.
    pub group: Vec<u8>,
    /// The arrays without time.
    pub constants: Vec<Constant>,
    /// The arrays with time.
    pub series: Vec<Frames>,
}

/// An array without time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Constant {
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// An array with time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Frames {
    pub name: String,
    /// CRC-64 of its frames.
    pub crc: u64,
}

impl Record {
    /// The contents of an array without time.
    pub(crate) fn constant(&self, name: &str) -> Option<&[u8]> {
        let mut all = self.constants.iter();
        all.find(|known| known.name == name)
            .map(|known| known.bytes.as_slice())
    }
}

impl Trajectory {
    /// Writes the constant arrays and the metadata of a trajectory without frames.
    pub(crate) fn create(run_directory: &Path, layout: &RunLayout) -> Result<Self> {
        let root = run_directory.join(TRAJECTORY);
        let group = schema::group(layout);
        for (name, bytes) in schema::constants(layout) {
            let array = schema::array(&root, &group, name)?;
            write_constant(array, &root.join(name), &bytes)?;
        }
        group.write_arrays(&root, |_| true)?;
        group.write(&root)?;
        // What frames will be in.
        atomic::keep_entries(&root)?;
        Ok(Self::at(root, group, schema::frames_per_chunk(layout), 0))
    }

    /// Opens a trajectory to go on after the frames of a record, which must be on disk. Changes
    /// nothing yet: see [`Trajectory::restore`].
    pub(crate) fn open(
        root: &Path,
        group: GroupMetadata,
        layout: &RunLayout,
        record: &Record,
    ) -> Result<Self> {
        let mut trajectory = Self::at(
            root.to_path_buf(),
            group,
            schema::frames_per_chunk(layout),
            record.frames as usize,
        );
        trajectory.read_chunks()?;
        for (name, crc) in trajectory.series.iter().map(Series::whole) {
            if !record.series.iter().any(|s| s.name == name && s.crc == crc) {
                let reason = "its frames are not those that the checkpoint counts";
                return Err(RunDirError::lost(&root.join(name), reason));
            }
        }
        Ok(trajectory)
    }

    /// What a checkpoint is to hold of it.
    pub(crate) fn record(&self, layout: &RunLayout) -> Result<Record> {
        let constants = schema::constants(layout).into_iter();
        let series = self.series.iter().map(Series::whole);
        Ok(Record {
            frames: self.frames as u64,
            group: self.group.to_json(&self.root)?,
            constants: constants
                .map(|(name, bytes)| Constant {
                    name: name.to_owned(),
                    bytes,
                })
                .collect(),
            series: series
                .map(|(name, crc)| Frames {
                    name: name.to_owned(),
                    crc,
                })
                .collect(),
        })
    }

    fn at(root: PathBuf, group: GroupMetadata, frames_per_chunk: usize, frames: usize) -> Self {
        let series = group
            .per_frame()
            .map(|(name, _)| Series {
                name: name.clone(),
                chunk: Vec::new(),
                before: 0,
            })
            .collect();
        Self {
            root,
            group,
            frames_per_chunk,
            frames,
            announced: frames,
            series,
        }
    }

    /// Frames appended since the run began.
    pub(crate) fn frames(&self) -> usize {
        self.frames
    }

    /// Whether the chunk in memory must be flushed before the next frame.
    pub(crate) fn is_full(&self) -> bool {
        self.frames - self.chunk_start() == self.frames_per_chunk
    }

    /// Adds a frame in memory: the values of each array by name.
    pub(crate) fn push<'a>(&mut self, values_of: impl Fn(&str) -> &'a [f64]) {
        if self.is_full() {
            self.series.iter_mut().for_each(Series::begin_next);
        }
        for series in &mut self.series {
            let values = joined(values_of(&series.name), f64::to_le_bytes);
            series.chunk.extend(values);
        }
        self.frames += 1;
    }

    /// Puts all frames on disk: the chunks first, then the metadata that announces them.
    pub(crate) fn flush(&mut self) -> Result<()> {
        if self.announced == self.frames {
            return Ok(());
        }
        self.write_last_chunk()?;
        self.group.set_frames(self.frames);
        self.group
            .write_arrays(&self.root, ArrayMetadata::is_per_frame)?;
        self.group.write(&self.root)?;
        self.announced = self.frames;
        Ok(())
    }

    /// Writes the documents and the arrays without time as the record has them, and cuts the files
    /// off after its frames: the metadata first, then the chunks.
    pub(crate) fn restore(&mut self, record: &Record) -> Result<()> {
        self.group.set_frames(self.frames);
        self.group.write(&self.root)?;
        self.group.write_arrays(&self.root, |_| true)?;
        for Constant { name, bytes } in &record.constants {
            let array = schema::array(&self.root, &self.group, name)?;
            write_constant(array, &self.root.join(name), bytes)?;
        }
        atomic::keep_entries(&self.root)?;
        for series in &self.series {
            remove_chunks_from(
                &self.root.join(&series.name),
                self.frames.div_ceil(self.frames_per_chunk),
            )?;
        }
        if self.frames > 0 {
            self.write_last_chunk()
        } else {
            Ok(())
        }
    }

    /// Whether the documents and the arrays without time are on disk as the record has them,
    /// announcing its frames or more.
    pub(crate) fn is_intact(&self, record: &Record) -> Result<bool> {
        let Ok(on_disk) = GroupMetadata::read(&self.root) else {
            return Ok(false);
        };
        let announced = schema::array(&self.root, &on_disk, schema::TIME)?.frames();
        let mut expected = self.group.clone();
        expected.set_frames(announced.max(self.frames));
        let same = |Constant { name, bytes }: &Constant| {
            let array = schema::array(&self.root, &self.group, name)?;
            let path = array.chunk_file(&self.root.join(name), 0);
            Ok(bytes.is_empty() || fs::read(path).is_ok_and(|found| found == *bytes))
        };
        for constant in &record.constants {
            if !same(constant)? {
                return Ok(false);
            }
        }
        expected.is_on_disk(&self.root)
    }

    /// First frame of the chunk in memory. A full chunk stays in memory until the next frame comes.
    fn chunk_start(&self) -> usize {
        self.frames.saturating_sub(1) / self.frames_per_chunk * self.frames_per_chunk
    }

    fn write_last_chunk(&mut self) -> Result<()> {
        let index = self.chunk_start() / self.frames_per_chunk;
        for series in &mut self.series {
            let array = schema::array(&self.root, &self.group, &series.name)?;
            let frames = series.chunk.len();
            // Frames that are still to come have the fill value.
            let to_come = chunk_bytes(array, self.frames_per_chunk) - frames;
            let fill = f64::NAN.to_le_bytes().repeat(to_come / size_of::<f64>());
            series.chunk.extend(fill);
            let written = write_chunk(array, &self.root.join(&series.name), index, &series.chunk);
            series.chunk.truncate(frames);
            written?;
        }
        Ok(())
    }

    /// Reads the frames of all chunks, each of which must be there in full; those of the last stay
    /// in memory.
    fn read_chunks(&mut self) -> Result<()> {
        let chunks = self.frames.div_ceil(self.frames_per_chunk);
        let last = self.frames - self.chunk_start();
        for series in &mut self.series {
            let array = schema::array(&self.root, &self.group, &series.name)?;
            if array.values_per_frame() == 0 {
                continue;
            }
            let size = chunk_bytes(array, self.frames_per_chunk);
            for index in 0..chunks {
                let path = array.chunk_file(&self.root.join(&series.name), index);
                let bytes = fs::read(&path).map_err(|error| RunDirError::lost(&path, error))?;
                if bytes.len() != size {
                    let reason = format!("{} bytes instead of {size}", bytes.len());
                    return Err(RunDirError::lost(&path, reason));
                }
                series.begin_next();
                series.chunk = bytes;
            }
            series.chunk.truncate(chunk_bytes(array, last));
        }
        Ok(())
    }
}

impl Series {
    /// Empties the chunk, which is full.
    fn begin_next(&mut self) {
        self.before = crc64_after(self.before, &self.chunk);
        self.chunk.clear();
    }

    /// Name and CRC-64 of all frames.
    fn whole(&self) -> (&str, u64) {
        (&self.name, crc64_after(self.before, &self.chunk))
    }
}

/// Size of `frames` frames of an array, bytes.
fn chunk_bytes(array: &ArrayMetadata, frames: usize) -> usize {
    size_of::<f64>() * array.values_per_frame() * frames
}

/// Writes a chunk of frames, unless the array has no elements.
fn write_chunk(array: &ArrayMetadata, directory: &Path, index: usize, bytes: &[u8]) -> Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let path = array.chunk_file(directory, index);
    atomic::create_directories_of(&path)?;
    atomic::write(&path, bytes)
}

/// Writes an array without time, unless it has no elements. A checkpoint holds it: what a power cut
/// takes of it is written again.
fn write_constant(array: &ArrayMetadata, directory: &Path, bytes: &[u8]) -> Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let path = array.chunk_file(directory, 0);
    path.parent().map_or(Ok(()), atomic::make_directories)?;
    atomic::replace(&path, bytes)
}

/// Removes the chunks with index `first` and beyond, last one first.
fn remove_chunks_from(array_directory: &Path, first: usize) -> Result<()> {
    let directory = zarr::chunk_directory(array_directory);
    let failed = |error| RunDirError::io("reading", &directory, error);
    let entries = match fs::read_dir(&directory) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(failed)?,
    };
    let mut beyond = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // `.7.tmp` is what a kill leaves of chunk 7 of an array that has no axis but time.
        let index = name
            .strip_prefix('.')
            .and_then(|name| name.strip_suffix(".tmp"))
            .unwrap_or(&name);
        if let Some(index) = index.parse::<usize>().ok().filter(|index| *index >= first) {
            beyond.push((index, entry.path()));
        }
    }
    beyond.sort();
    for (_, path) in beyond.iter().rev() {
        if path.is_dir() {
            atomic::remove_directory(path)?
        } else {
            atomic::remove_file(path)?
        }
    }
    Ok(())
}
