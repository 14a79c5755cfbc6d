//! What a run leaves that was killed before its first checkpoint.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::contacts::CONTACTS_FILE;
use crate::directory::{LOG_FILE, RunDirectory, SCENE_FILE, START_FILE};
use crate::error::{Result, RunDirError};
use crate::lock::LOCK_FILE;
use crate::observables::OBSERVABLES_FILE;
use crate::trajectory::TRAJECTORY;

/// Files and folders, each also as `.NAME.tmp`.
const BEFORE_CHECKPOINT: [&str; 8] = [
    SCENE_FILE,
    TRAJECTORY,
    OBSERVABLES_FILE,
    CONTACTS_FILE,
    LOG_FILE,
    LOCK_FILE,
    START_FILE,
    ".checkpoint.bin.tmp",
];

impl RunDirectory {
    /// Whether a process writes the run in this directory, or is about to.
    pub fn is_busy(path: impl AsRef<Path>) -> bool {
        File::open(path.as_ref().join(LOCK_FILE))
            .is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// As [`resume`](Self::resume), but a run that was killed before its first checkpoint is
    /// `None`, as is one that was never begun: what it left is removed, and nothing is lost by
    /// starting again.
    ///
    /// # Errors
    /// Those of [`resume`](Self::resume), also where a directory without a checkpoint holds
    /// anything that no run leaves.
    pub fn resume_if_started<S: DeserializeOwned>(
        path: impl AsRef<Path>,
    ) -> Result<Option<(Self, S)>> {
        let path = path.as_ref();
        match Self::resume(path) {
            Ok(found) => Ok(Some(found)),
            Err(error @ (RunDirError::NoCheckpoint { .. } | RunDirError::NotARun { .. })) => {
                clear(path, error).map(|()| None)
            }
            Err(error) => Err(error),
        }
    }
}

/// Empties the directory of a run that has no checkpoint yet; `error` if it holds anything else.
fn clear(path: &Path, error: RunDirError) -> Result<()> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(missing) if missing.kind() == ErrorKind::NotFound => return Ok(()),
        Err(_) => return Err(error),
    };
    let names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    let known = |name: &String| {
        BEFORE_CHECKPOINT
            .iter()
            .any(|file| name == file || *name == format!(".{file}.tmp"))
    };
    if !names.iter().all(known) {
        return Err(error);
    }
    // Held by a process that makes this directory at this moment.
    if RunDirectory::is_busy(path) {
        let path = path.to_path_buf();
        return Err(RunDirError::Busy { path });
    }
    for name in names {
        let file = path.join(&name);
        let removed = if file.is_dir() {
            fs::remove_dir_all(&file)
        } else {
            fs::remove_file(&file)
        };
        removed.map_err(|error| RunDirError::io("removing", &file, error))?;
    }
    Ok(())
}
