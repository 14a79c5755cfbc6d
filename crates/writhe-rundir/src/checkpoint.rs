//! The checkpoint: the caller's state, and what the other files of the run held when it was saved.
//!
//! ```text
//! magic "WRITHECP" | named arrays, which begin with the number of their schema u32 | CRC-64 of all before u64   (integers little-endian)
//! ```
//!
//! Arrays under `files` are of the other files; the rest is the caller's. Schemas below 6 stored
//! values by their places, in postcard, behind the same magic.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use writhe::state::arrays::{Arrays, ArraysError};
use writhe::state::{FIRST_NAMED, SCHEMA};

use crate::atomic;
use crate::crc::crc64;
use crate::error::{Result, RunDirError};
use crate::growing::Covered;
use crate::inside;
use crate::trajectory::Record;

const MAGIC: [u8; 8] = *b"WRITHECP";

const NEWEST: &str = "checkpoint.bin";
const PREVIOUS: &str = "checkpoint.previous.bin";
/// Name of what a checkpoint knows of the other files.
const FILES: &str = "files";

/// What a checkpoint knows of the other files of its run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Files {
    /// CRC-64 of `scene.toml`.
    pub scene: u64,
    /// The trajectory.
    pub trajectory: Record,
    /// Rows of `observables.csv`.
    pub observables: Covered,
    /// Rows of `contacts.csv`, in a run with contact.
    pub contacts: Option<Covered>,
}

/// A checkpoint that can be resumed from.
#[derive(Debug)]
pub(crate) struct Found {
    pub files: Files,
    /// The caller's state.
    state: Arrays,
    /// The file it was read from.
    pub path: PathBuf,
}

/// Why a file is no usable checkpoint.
#[derive(Debug, PartialEq, Eq)]
enum Flaw {
    Torn(&'static str),
    /// Intact, but of another version.
    Other(String),
}

/// The state as arrays.
pub(crate) fn arrays_of<S: Serialize>(directory: &Path, state: &S) -> Result<Arrays> {
    let mut arrays = Arrays::new(SCHEMA.version);
    arrays
        .add("", state)
        .map_err(|error| not_encoded(directory, &error))?;
    Ok(arrays)
}

fn not_encoded(directory: &Path, error: &ArraysError) -> RunDirError {
    RunDirError::StateNotEncoded {
        path: directory.join(NEWEST),
        reason: error.to_string(),
    }
}

/// The error of a state that is not of its scene.
pub(crate) fn incompatible(directory: &Path, reason: &impl ToString) -> RunDirError {
    RunDirError::CheckpointIncompatible {
        path: directory.join(NEWEST),
        reason: reason.to_string(),
    }
}

impl Found {
    /// The caller's state.
    pub(crate) fn decode_state<S: DeserializeOwned>(&self) -> Result<S> {
        let state = self.state.read("", &SCHEMA);
        state.map_err(|error| RunDirError::CheckpointIncompatible {
            path: self.path.clone(),
            reason: error.to_string(),
        })
    }
}

/// Makes this the newest checkpoint and keeps the one before; `state` is the caller's.
pub(crate) fn write(directory: &Path, files: &Files, state: Arrays) -> Result<()> {
    let newest = directory.join(NEWEST);
    let bytes = to_bytes(files, state).map_err(|error| not_encoded(directory, &error))?;
    let staged = atomic::stage(&newest, &bytes)?;
    // A repetition after a failure may find its work done; it must not push itself into the place
    // of the one before.
    if is_as(&newest, &bytes).is_ok_and(|same| !same) {
        // Between the two renames there is no newest checkpoint: a kill there resumes from the
        // previous one.
        atomic::rename(&newest, &directory.join(PREVIOUS))?;
    }
    atomic::rename(&staged, &newest)
}

/// Whether a file is as long as this checkpoint and ends with its checksum: the same, or a damaged
/// copy of it.
fn is_as(path: &Path, checkpoint: &[u8]) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut crc = [0; 8];
    let before = file.seek(SeekFrom::End(-8))?;
    file.read_exact(&mut crc)?;
    Ok(before + 8 == checkpoint.len() as u64 && checkpoint.ends_with(&crc))
}

/// Writes a checkpoint that was found before once more, as the newest one.
pub(crate) fn write_found(directory: &Path, found: Found) -> Result<()> {
    write(directory, &found.files, found.state)
}

/// The newest checkpoint that is intact. Changes nothing.
pub(crate) fn find(directory: &Path) -> Result<Found> {
    let (path, arrays) = newest_intact(directory)?;
    found(path, arrays)
}

/// All checkpoints that are intact, the newest first; one at least. Changes nothing.
pub(crate) fn find_all(directory: &Path) -> Result<Vec<Found>> {
    let (path, arrays) = newest_intact(directory)?;
    let is_newest = path == directory.join(NEWEST);
    let mut all = vec![found(path, arrays)?];
    if is_newest && let Ok((path, arrays)) = first_intact(directory, &[PREVIOUS]) {
        all.push(found(path, arrays)?);
    }
    Ok(all)
}

fn found(path: PathBuf, mut arrays: Arrays) -> Result<Found> {
    match arrays.take(FILES).read(FILES, &SCHEMA) {
        Ok(files) => Ok(Found {
            files,
            state: arrays,
            path,
        }),
        Err(error) => {
            let reason = error.to_string();
            Err(RunDirError::CheckpointIncompatible { path, reason })
        }
    }
}

/// All arrays of the newest checkpoint that is intact, and its file. Changes nothing.
pub(crate) fn newest_intact(directory: &Path) -> Result<(PathBuf, Arrays)> {
    first_intact(directory, &[NEWEST, PREVIOUS])
}

fn first_intact(directory: &Path, names: &[&str]) -> Result<(PathBuf, Arrays)> {
    let mut torn = None;
    for name in names {
        let path = directory.join(name);
        inside::check(directory, &path)?;
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(RunDirError::io("reading", &path, error)),
        };
        match from_bytes(&bytes) {
            Ok(arrays) => return Ok((path, arrays)),
            Err(Flaw::Other(reason)) => {
                return Err(RunDirError::CheckpointIncompatible { path, reason });
            }
            Err(Flaw::Torn(reason)) => torn = torn.or(Some((path, reason))),
        }
    }
    Err(match torn {
        Some((path, reason)) => RunDirError::CheckpointDamaged {
            path,
            reason: reason.to_owned(),
        },
        None => RunDirError::NoCheckpoint {
            path: directory.to_path_buf(),
        },
    })
}

/// Makes `found` the newest checkpoint, so that the next one cannot push a damaged file over it.
pub(crate) fn promote(directory: &Path, found: &Found) -> Result<()> {
    let newest = directory.join(NEWEST);
    atomic::remove_leftover(&newest)?;
    if found.path == newest {
        Ok(())
    } else {
        atomic::rename(&found.path, &newest)
    }
}

fn to_bytes(files: &Files, state: Arrays) -> std::result::Result<Vec<u8>, ArraysError> {
    let mut arrays = state;
    arrays.add(FILES, files)?;
    let mut bytes = MAGIC.to_vec();
    arrays.append_to(&mut bytes)?;
    bytes.extend(crc64(&bytes).to_le_bytes());
    Ok(bytes)
}

fn from_bytes(bytes: &[u8]) -> std::result::Result<Arrays, Flaw> {
    let short = Flaw::Torn("it is cut short");
    let Some((covered, crc)) = bytes.split_last_chunk() else {
        return Err(short);
    };
    if crc64(covered) != u64::from_le_bytes(*crc) {
        return Err(Flaw::Torn("its checksum is wrong"));
    }
    let Some((magic, rest)) = covered.split_first_chunk() else {
        return Err(short);
    };
    if *magic != MAGIC {
        return Err(Flaw::Torn("it is no checkpoint"));
    }
    let (found, own) = (Arrays::schema_of(rest).ok_or(short)?, SCHEMA.version);
    let other = format!("its schema is {found}, this program's is {own}");
    if found < FIRST_NAMED {
        let reason = format!("{other}: below {FIRST_NAMED} values were stored without names");
        return Err(Flaw::Other(reason));
    }
    Arrays::from_bytes(rest).map_err(|error| match error {
        ArraysError::Torn(reason) if found <= own => Flaw::Torn(reason),
        // Whatever is wrong with it here may be right there.
        error => Flaw::Other(format!(
            "{other}: it was saved by a later version, and {error}"
        )),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trajectory::{Constant, Frames};

    fn files() -> Files {
        Files {
            scene: 1,
            trajectory: Record {
                frames: 2,
                group: b"{}".to_vec(),
                constants: vec![Constant {
                    name: "radius".to_owned(),
                    bytes: vec![0; 8],
                }],
                series: vec![Frames {
                    name: "time".to_owned(),
                    crc: 7,
                }],
            },
            observables: Covered { bytes: 3, crc: 9 },
            contacts: Some(Covered { bytes: 4, crc: 8 }),
        }
    }

    fn example() -> Vec<u8> {
        let state = arrays_of(Path::new(""), &(4.5, 6.5)).unwrap();
        to_bytes(&files(), state).unwrap()
    }

    fn with_crc(mut bytes: Vec<u8>) -> Vec<u8> {
        let covered = bytes.len() - 8;
        let crc = crc64(&bytes[..covered]).to_le_bytes();
        bytes[covered..].copy_from_slice(&crc);
        bytes
    }

    #[test]
    fn round_trip() {
        let mut arrays = from_bytes(&example()).unwrap();
        let found: Files = arrays.take(FILES).read(FILES, &SCHEMA).unwrap();
        assert_eq!(found, files());
        assert_eq!(arrays.read("", &SCHEMA), Ok((4.5, 6.5)));
    }

    #[test]
    fn no_truncation_and_no_flipped_bit_is_taken_for_a_checkpoint() {
        let bytes = example();
        for length in 0..bytes.len() {
            assert!(from_bytes(&bytes[..length]).is_err());
        }
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(from_bytes(&flipped).is_err());
        }
    }

    #[test]
    fn another_version_is_named() {
        for version in [5, 99] {
            let mut bytes = example();
            bytes[8] = version;
            // Whatever stands behind the number.
            bytes.truncate(12);
            bytes.extend([9; 16]);
            let Err(Flaw::Other(told)) = from_bytes(&with_crc(bytes)) else {
                panic!("taken for a checkpoint");
            };
            let named = format!(
                "its schema is {version}, this program's is {}",
                SCHEMA.version
            );
            assert!(told.starts_with(&named), "{told}");
        }
    }

    /// What a checkpoint knows of the files is tied to its number here, what it holds besides where
    /// it is put together.
    #[test]
    fn other_arrays_of_the_files_have_another_schema() {
        let arrays = from_bytes(&example()).unwrap().take(FILES);
        let mut found = format!("schema {}\n", SCHEMA.version);
        for array in arrays.list() {
            let (name, dtype) = (array.name(), array.dtype().name());
            found += &format!("{name} {dtype} {}\n", array.shape().len());
        }
        let known = "\
schema 12
files.scene <u8 0
files.trajectory.frames <u8 0
files.trajectory.group |u1 1
files.trajectory.constants:count <u8 0
files.trajectory.constants.name:length <u8 1
files.trajectory.constants.name |u1 1
files.trajectory.constants.bytes:count <u8 1
files.trajectory.constants.bytes |u1 1
files.trajectory.series:count <u8 0
files.trajectory.series.name:length <u8 1
files.trajectory.series.name |u1 1
files.trajectory.series.crc <u8 1
files.observables.bytes <u8 0
files.observables.crc <u8 0
files.contacts:present |b1 0
files.contacts.bytes <u8 0
files.contacts.crc <u8 0
";
        assert_eq!(
            found, known,
            "raise SCHEMA in crates/writhe/src/state/schema.rs and say there what older checkpoints lack, then set this right"
        );
    }
}
