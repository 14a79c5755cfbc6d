//! Writing the trajectory: frames gather in memory and go to disk a chunk at a time.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::atomic;
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
}

impl Trajectory {
    /// Writes the constant arrays and the metadata of a trajectory without frames.
    pub(crate) fn create(run_directory: &Path, layout: &RunLayout) -> Result<Self> {
        let root = run_directory.join(TRAJECTORY);
        let group = schema::group(layout);
        for (name, bytes) in schema::constants(layout) {
            let array = schema::array(&root, &group, name)?;
            write_chunk(array, &root.join(name), 0, &bytes)?;
        }
        group.write_arrays(&root, |_| true)?;
        group.write(&root)?;
        Ok(Self::at(root, group, schema::frames_per_chunk(layout), 0))
    }

    /// Opens a trajectory to go on after its first `frames` frames, which must be on disk. Changes nothing yet:
    /// see [`Trajectory::truncate`].
    pub(crate) fn open(
        root: &Path,
        group: GroupMetadata,
        layout: &RunLayout,
        frames: usize,
    ) -> Result<Self> {
        let mut trajectory = Self::at(
            root.to_path_buf(),
            group,
            schema::frames_per_chunk(layout),
            frames,
        );
        trajectory.check_chunks()?;
        trajectory.read_last_chunk()?;
        Ok(trajectory)
    }

    fn at(root: PathBuf, group: GroupMetadata, frames_per_chunk: usize, frames: usize) -> Self {
        let series = group
            .per_frame()
            .map(|(name, _)| Series {
                name: name.clone(),
                chunk: Vec::new(),
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
            self.series
                .iter_mut()
                .for_each(|series| series.chunk.clear());
        }
        for series in &mut self.series {
            series.chunk.extend(
                values_of(&series.name)
                    .iter()
                    .flat_map(|value| value.to_le_bytes()),
            );
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

    /// Cuts the files off after the frames that [`Trajectory::open`] was told: the metadata first, then the chunks.
    pub(crate) fn truncate(&mut self) -> Result<()> {
        self.group.set_frames(self.frames);
        self.group.write(&self.root)?;
        self.group
            .write_arrays(&self.root, ArrayMetadata::is_per_frame)?;
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

    /// First frame of the chunk in memory. A full chunk stays in memory until the next frame comes.
    fn chunk_start(&self) -> usize {
        self.frames.saturating_sub(1) / self.frames_per_chunk * self.frames_per_chunk
    }

    fn write_last_chunk(&mut self) -> Result<()> {
        let index = self.chunk_start() / self.frames_per_chunk;
        for series in &mut self.series {
            let array = schema::array(&self.root, &self.group, &series.name)?;
            let frames = series.chunk.len();
            series
                .chunk
                .extend(padding(array, self.frames_per_chunk).skip(frames));
            let written = write_chunk(array, &self.root.join(&series.name), index, &series.chunk);
            series.chunk.truncate(frames);
            written?;
        }
        Ok(())
    }

    /// Fails unless each chunk up to the last frame is there in full.
    fn check_chunks(&self) -> Result<()> {
        for (name, array) in self
            .group
            .per_frame()
            .filter(|(_, array)| array.values_per_frame() > 0)
        {
            let size = chunk_bytes(array, self.frames_per_chunk) as u64;
            for index in 0..self.frames.div_ceil(self.frames_per_chunk) {
                let path = array.chunk_file(&self.root.join(name), index);
                let found = fs::metadata(&path)
                    .map_err(|error| RunDirError::io("reading", &path, error))?
                    .len();
                if found != size {
                    return Err(RunDirError::damaged(
                        &path,
                        format!("{found} bytes instead of {size}"),
                    ));
                }
            }
        }
        Ok(())
    }

    /// Takes the frames of the last chunk back into memory.
    fn read_last_chunk(&mut self) -> Result<()> {
        let index = self.chunk_start() / self.frames_per_chunk;
        let frames = self.frames - self.chunk_start();
        for series in &mut self.series {
            let array = schema::array(&self.root, &self.group, &series.name)?;
            let bytes = chunk_bytes(array, frames);
            if bytes > 0 {
                let path = array.chunk_file(&self.root.join(&series.name), index);
                series.chunk =
                    fs::read(&path).map_err(|error| RunDirError::io("reading", &path, error))?;
                series.chunk.truncate(bytes);
            }
        }
        Ok(())
    }
}

/// Size of `frames` frames of an array, bytes.
fn chunk_bytes(array: &ArrayMetadata, frames: usize) -> usize {
    size_of::<f64>() * array.values_per_frame() * frames
}

/// A chunk full of the fill value NaN.
fn padding(array: &ArrayMetadata, frames: usize) -> impl Iterator<Item = u8> {
    let bytes = f64::NAN.to_le_bytes();
    (0..chunk_bytes(array, frames)).map(move |i| bytes[i % bytes.len()])
}

/// Writes a chunk, unless the array has no elements.
fn write_chunk(array: &ArrayMetadata, directory: &Path, index: usize, bytes: &[u8]) -> Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let path = array.chunk_file(directory, index);
    if let Some(parent) = path.parent() {
        atomic::create_directories(parent)?;
    }
    atomic::write(&path, bytes)
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
