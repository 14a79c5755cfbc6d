//! The little of Zarr v3 that a trajectory needs: metadata documents, and where a chunk lies.
//!
//! Specification: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html>. Chunks are
//! uncompressed little-endian (the `bytes` codec). The group's document repeats those of its
//! arrays, as zarr-python and xarray do ("consolidated metadata"): one small file, replaced whole,
//! announces all the arrays of a new frame at once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::atomic;
use crate::error::{Result, RunDirError};

/// Name of the metadata document of a group or an array.
pub(crate) const METADATA_FILE: &str = "zarr.json";

/// Type of an array's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DataType {
    Float64,
    Int64,
    Int8,
}

/// `zarr.json` of an array.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ArrayMetadata {
    zarr_format: u32,
    node_type: String,
    /// Length of each axis.
    pub shape: Vec<usize>,
    pub data_type: DataType,
    chunk_grid: ChunkGrid,
    chunk_key_encoding: Value,
    fill_value: Value,
    codecs: Value,
    /// Name of each axis.
    pub dimension_names: Vec<String>,
    /// What xarray shows beside the array: `units` and `long_name`.
    pub attributes: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ChunkGrid {
    name: String,
    configuration: ChunkShape,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ChunkShape {
    chunk_shape: Vec<usize>,
}

/// `zarr.json` of the group, with those of its arrays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct GroupMetadata {
    zarr_format: u32,
    node_type: String,
    pub attributes: BTreeMap<String, Value>,
    consolidated_metadata: Consolidated,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Consolidated {
    kind: String,
    must_understand: bool,
    metadata: BTreeMap<String, ArrayMetadata>,
}

/// Whether the first axis is time: such an array starts with no frame and grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All in one chunk.
    Constant,
    /// Time is put before the given axes, chunked by this number of frames.
    PerFrame(usize),
}

impl ArrayMetadata {
    /// An array over `axes` (name, length).
    pub(crate) fn new(data_type: DataType, extent: Extent, axes: &[(&str, usize)]) -> Self {
        let mut shape: Vec<usize> = axes.iter().map(|(_, length)| *length).collect();
        let mut chunk_shape: Vec<usize> = shape.iter().map(|length| (*length).max(1)).collect();
        let mut dimension_names: Vec<String> =
            axes.iter().map(|(name, _)| (*name).to_owned()).collect();
        if let Extent::PerFrame(frames_per_chunk) = extent {
            shape.insert(0, 0);
            chunk_shape.insert(0, frames_per_chunk);
            dimension_names.insert(0, "time".to_owned());
        }
        Self {
            zarr_format: 3,
            node_type: "array".into(),
            shape,
            data_type,
            chunk_grid: ChunkGrid {
                name: "regular".into(),
                configuration: ChunkShape { chunk_shape },
            },
            chunk_key_encoding: json!({"name": "default", "configuration": {"separator": "/"}}),
            fill_value: if data_type == DataType::Float64 {
                json!("NaN")
            } else {
                json!(0)
            },
            codecs: json!([{"name": "bytes", "configuration": {"endian": "little"}}]),
            dimension_names,
            attributes: BTreeMap::new(),
        }
    }

    /// The same array with a unit and a few words on what it is.
    pub(crate) fn described(mut self, unit: &str, description: &str) -> Self {
        if !unit.is_empty() {
            self.attributes.insert("units".into(), unit.into());
        }
        self.attributes
            .insert("long_name".into(), description.into());
        self
    }

    /// Whether the first axis is time.
    pub(crate) fn is_per_frame(&self) -> bool {
        self.dimension_names
            .first()
            .is_some_and(|name| name == "time")
    }

    /// Number of frames of an array that has time as its first axis.
    pub(crate) fn frames(&self) -> usize {
        self.shape.first().copied().unwrap_or(0)
    }

    /// Length of a chunk along the first axis; at least 1.
    pub(crate) fn frames_per_chunk(&self) -> usize {
        self.chunk_grid
            .configuration
            .chunk_shape
            .first()
            .copied()
            .unwrap_or(1)
            .max(1)
    }

    /// Numbers in one frame of an array that has time as its first axis.
    pub(crate) fn values_per_frame(&self) -> usize {
        self.shape.iter().skip(1).product()
    }

    /// The file of the chunk `index` along the first axis, in the array's directory.
    pub(crate) fn chunk_file(&self, array_directory: &Path, index: usize) -> PathBuf {
        let file = chunk_directory(array_directory).join(index.to_string());
        (1..self.shape.len()).fold(file, |file, _| file.join("0"))
    }
}

/// The directory that holds the chunks of an array.
pub(crate) fn chunk_directory(array_directory: &Path) -> PathBuf {
    array_directory.join("c")
}

impl GroupMetadata {
    /// A group of these arrays.
    pub(crate) fn new(
        attributes: BTreeMap<String, Value>,
        arrays: BTreeMap<String, ArrayMetadata>,
    ) -> Self {
        let consolidated_metadata = Consolidated {
            kind: "inline".into(),
            must_understand: false,
            metadata: arrays,
        };
        Self {
            zarr_format: 3,
            node_type: "group".into(),
            attributes,
            consolidated_metadata,
        }
    }

    /// Reads the group's document.
    pub(crate) fn read(group_directory: &Path) -> Result<Self> {
        let path = group_directory.join(METADATA_FILE);
        let json = fs::read(&path).map_err(|error| RunDirError::io("reading", &path, error))?;
        Self::from_json(group_directory, &json)
    }

    /// The group of a document.
    pub(crate) fn from_json(group_directory: &Path, json: &[u8]) -> Result<Self> {
        let path = group_directory.join(METADATA_FILE);
        serde_json::from_slice(json).map_err(|error| RunDirError::damaged(&path, error))
    }

    /// The group's document.
    pub(crate) fn to_json(&self, group_directory: &Path) -> Result<Vec<u8>> {
        to_json(&group_directory.join(METADATA_FILE), self)
    }

    /// Whether all documents, the group's own and those of its arrays, are on disk as they should
    /// be.
    pub(crate) fn is_on_disk(&self, group_directory: &Path) -> Result<bool> {
        let same = |directory: &Path, json: Vec<u8>| {
            fs::read(directory.join(METADATA_FILE)).is_ok_and(|found| found == json)
        };
        for (name, array) in self.arrays() {
            let directory = group_directory.join(name);
            if !same(&directory, to_json(&directory, array)?) {
                return Ok(false);
            }
        }
        Ok(same(group_directory, self.to_json(group_directory)?))
    }

    /// The arrays by name.
    pub(crate) fn arrays(&self) -> &BTreeMap<String, ArrayMetadata> {
        &self.consolidated_metadata.metadata
    }

    /// The arrays that have time as their first axis.
    pub(crate) fn per_frame(&self) -> impl Iterator<Item = (&String, &ArrayMetadata)> {
        self.arrays()
            .iter()
            .filter(|(_, array)| array.is_per_frame())
    }

    /// Sets the length of the time axis everywhere.
    pub(crate) fn set_frames(&mut self, frames: usize) {
        for array in self
            .consolidated_metadata
            .metadata
            .values_mut()
            .filter(|array| array.is_per_frame())
        {
            if let Some(length) = array.shape.first_mut() {
                *length = frames;
            }
        }
    }

    /// Writes the documents of the arrays that `choose` accepts.
    pub(crate) fn write_arrays(
        &self,
        group_directory: &Path,
        choose: impl Fn(&ArrayMetadata) -> bool,
    ) -> Result<()> {
        for (name, array) in self.arrays().iter().filter(|(_, array)| choose(array)) {
            write_document(&group_directory.join(name), array)?;
        }
        Ok(())
    }

    /// Writes the group's own document.
    pub(crate) fn write(&self, group_directory: &Path) -> Result<()> {
        write_document(group_directory, self)
    }
}

/// A checkpoint holds all documents: what a power cut takes of them is written again.
fn write_document(directory: &Path, document: &impl Serialize) -> Result<()> {
    atomic::make_directories(directory)?;
    let path = directory.join(METADATA_FILE);
    atomic::replace(&path, &to_json(&path, document)?)
}

fn to_json(path: &Path, document: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec_pretty(document)
        .map_err(|error| RunDirError::io("encoding", path, std::io::Error::from(error)))
}
