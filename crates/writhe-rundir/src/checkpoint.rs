//! The checkpoint: the caller's state, and what the other files of the run held when it was saved.
//!
//! ```text
//! magic "WRITHECP" | format version u32 | checkpoint (postcard) | CRC-64 of all before u64           (integers little-endian)
//! ```

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::atomic;
use crate::crc::crc64;
use crate::error::{Result, RunDirError};
use crate::growing::Covered;
use crate::inside;
use crate::trajectory::Record;

const MAGIC: [u8; 8] = *b"WRITHECP";
/// Number of the checkpoint's format. It is raised whenever anything that is saved gains, loses or changes a field: values are stored
/// without their names.
pub const CHECKPOINT_FORMAT: u32 = 5;

const NEWEST: &str = "checkpoint.bin";
const PREVIOUS: &str = "checkpoint.previous.bin";

/// What a checkpoint file holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    /// CRC-64 of `scene.toml`.
    pub scene: u64,
    /// The trajectory.
    pub trajectory: Record,
    /// Rows of `observables.csv`.
    pub observables: Covered,
    /// Rows of `contacts.csv`, in a run with contact.
    pub contacts: Option<Covered>,
    /// The caller's state in postcard.
    pub state: Vec<u8>,
}

/// A checkpoint that can be resumed from.
#[derive(Debug)]
pub(crate) struct Found {
    pub checkpoint: Checkpoint,
    /// The file it was read from.
    pub path: PathBuf,
}

/// Why a file is no usable checkpoint.
#[derive(Debug, PartialEq, Eq)]
enum Flaw {
    Torn(&'static str),
    OtherVersion(u32),
}

/// The state in postcard.
pub(crate) fn encode_state<S: Serialize>(directory: &Path, state: &S) -> Result<Vec<u8>> {
    postcard::to_stdvec(state).map_err(|error| not_encoded(directory, &error))
}

fn not_encoded(directory: &Path, error: &postcard::Error) -> RunDirError {
    RunDirError::StateNotEncoded {
        path: directory.join(NEWEST),
        reason: error.to_string(),
    }
}

impl Found {
    /// The caller's state.
    pub(crate) fn decode_state<S: DeserializeOwned>(&self) -> Result<S> {
        let incompatible = |reason: String| RunDirError::CheckpointIncompatible {
            path: self.path.clone(),
            reason,
        };
        let (state, rest) = postcard::take_from_bytes(&self.checkpoint.state)
            .map_err(|error| incompatible(format!("the state does not decode: {error}")))?;
        if !rest.is_empty() {
            return Err(incompatible(format!(
                "the state is {} bytes longer than expected",
                rest.len()
            )));
        }
        Ok(state)
    }
}

/// Makes this the newest checkpoint and keeps the one before.
pub(crate) fn write(directory: &Path, checkpoint: &Checkpoint) -> Result<()> {
    let newest = directory.join(NEWEST);
    let bytes = checkpoint
        .to_bytes()
        .map_err(|error| not_encoded(directory, &error))?;
    let staged = atomic::stage(&newest, &bytes)?;
    // A repetition after a failure may find its work done; it must not push itself into the place of the one before.
    if fs::read(&newest).is_ok_and(|present| present != bytes) {
        // Between the two renames there is no newest checkpoint: a kill there resumes from the previous one.
        atomic::rename(&newest, &directory.join(PREVIOUS))?;
    }
    atomic::rename(&staged, &newest)
}

/// The newest checkpoint that is intact. Changes nothing.
pub(crate) fn find(directory: &Path) -> Result<Found> {
    let mut torn = None;
    for name in [NEWEST, PREVIOUS] {
        let path = directory.join(name);
        inside::check(directory, &path)?;
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(RunDirError::io("reading", &path, error)),
        };
        match Checkpoint::from_bytes(&bytes) {
            Ok(checkpoint) => return Ok(Found { checkpoint, path }),
            Err(Flaw::OtherVersion(version)) => {
                let reason =
                    format!("its format is {version}, this program's is {CHECKPOINT_FORMAT}");
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

impl Checkpoint {
    fn to_bytes(&self) -> postcard::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(self.state.len() + 64);
        bytes.extend(MAGIC);
        bytes.extend(CHECKPOINT_FORMAT.to_le_bytes());
        bytes = postcard::to_extend(self, bytes)?;
        bytes.extend(crc64(&bytes).to_le_bytes());
        Ok(bytes)
    }

    fn from_bytes(bytes: &[u8]) -> std::result::Result<Self, Flaw> {
        let (covered, crc) = bytes
            .split_last_chunk()
            .ok_or(Flaw::Torn("it is cut short"))?;
        if crc64(covered) != u64::from_le_bytes(*crc) {
            return Err(Flaw::Torn("its checksum is wrong"));
        }
        let (magic, rest) = covered
            .split_first_chunk()
            .ok_or(Flaw::Torn("it is cut short"))?;
        if *magic != MAGIC {
            return Err(Flaw::Torn("it is no checkpoint"));
        }
        let (version, rest) = rest
            .split_first_chunk()
            .ok_or(Flaw::Torn("it is cut short"))?;
        let version = u32::from_le_bytes(*version);
        if version != CHECKPOINT_FORMAT {
            return Err(Flaw::OtherVersion(version));
        }
        postcard::from_bytes(rest).map_err(|_| Flaw::Torn("it does not decode"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Checkpoint {
        Checkpoint {
            scene: 1,
            trajectory: Record {
                frames: 2,
                group: b"{}".to_vec(),
                constants: vec![("radius".to_owned(), vec![0; 8])],
                series: vec![("time".to_owned(), 7)],
            },
            observables: Covered { bytes: 3, crc: 9 },
            contacts: None,
            state: vec![4, 5, 6],
        }
    }

    #[test]
    fn round_trip() {
        assert_eq!(
            Checkpoint::from_bytes(&example().to_bytes().unwrap()).unwrap(),
            example()
        );
    }

    #[test]
    fn no_truncation_and_no_flipped_bit_is_taken_for_a_checkpoint() {
        let bytes = example().to_bytes().unwrap();
        for length in 0..bytes.len() {
            assert!(Checkpoint::from_bytes(&bytes[..length]).is_err());
        }
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(Checkpoint::from_bytes(&flipped).is_err());
        }
    }

    #[test]
    fn another_version_is_named() {
        let mut bytes = example().to_bytes().unwrap();
        bytes[8] = 9;
        let covered = bytes.len() - 8;
        let crc = crc64(&bytes[..covered]).to_le_bytes();
        bytes[covered..].copy_from_slice(&crc);
        assert_eq!(Checkpoint::from_bytes(&bytes), Err(Flaw::OtherVersion(9)));
    }
}
