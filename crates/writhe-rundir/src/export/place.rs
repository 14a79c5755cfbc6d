//! Where exports go: files and folders of the user's choice, which are no part of the run. What fails
//! there has nothing to do with its checkpoints.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use crate::atomic;
use crate::error::{Result, RunDirError};

/// Makes a folder, and those that it needs.
pub(super) fn folder(path: &Path) -> Result<()> {
    told(atomic::create_directories(path))
}

/// Replaces a file by one that holds `bytes`, in a folder that is there.
pub(super) fn file(path: &Path, bytes: &[u8]) -> Result<()> {
    told(atomic::write_anew(path, bytes))
}

/// Replaces a file by one that holds `bytes`, and makes the folders that it needs.
pub(super) fn single_file(path: &Path, bytes: &[u8]) -> Result<()> {
    told(atomic::create_directories_of(path))?;
    file(path, bytes)
}

/// The same with what `fill` writes, for contents too large for the memory.
pub(super) fn streamed(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<()>,
) -> Result<()> {
    told(atomic::create_directories_of(path).and_then(|()| atomic::write_streamed(path, fill)))
}

/// What the run itself does stays as it is.
fn told(result: Result<()>) -> Result<()> {
    result.map_err(|error| match error {
        RunDirError::NoSpace { path, source, .. }
        | RunDirError::NoPermission { path, source, .. } => {
            RunDirError::NotWritten { path, source }
        }
        RunDirError::Io {
            path,
            source,
            action,
        } if action != "reading" => RunDirError::NotWritten { path, source },
        RunDirError::NotADirectory { path } => RunDirError::NotWritten {
            path,
            source: io::ErrorKind::NotADirectory.into(),
        },
        error => error,
    })
}
