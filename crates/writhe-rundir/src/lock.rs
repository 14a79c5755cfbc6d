//! One writer for each run directory: an advisory lock that ends with the process, however it ends.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::error::{Result, RunDirError};

/// Name of the empty file that carries the lock.
pub(crate) const LOCK_FILE: &str = ".lock";

/// Held while a process writes the run.
#[derive(Debug)]
pub(crate) struct WriterLock {
    _file: File,
}

impl WriterLock {
    /// Takes the lock of `directory`, or says that another process has it.
    pub(crate) fn acquire(directory: &Path) -> Result<Self> {
        let path = directory.join(LOCK_FILE);
        let file =
            File::create(&path).map_err(|error| RunDirError::io("creating", &path, error))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(RunDirError::Busy {
                path: directory.to_path_buf(),
            }),
            // A file system without locks is no reason to refuse the run.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self { _file: file }),
        }
    }
}
