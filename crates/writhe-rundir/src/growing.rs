//! A text file that grows by whole lines: those that wait in memory, and where on disk the whole ones end.

use std::fs;
use std::path::{Path, PathBuf};

use crate::atomic;
use crate::error::{Result, RunDirError};

/// A file of lines.
#[derive(Debug)]
pub(crate) struct GrowingFile {
    path: PathBuf,
    /// Bytes on disk that are whole lines.
    written: u64,
    /// Lines that are not on disk yet.
    pending: String,
}

impl GrowingFile {
    /// Writes a file that has a header only.
    pub(crate) fn create(path: PathBuf, header: &str) -> Result<Self> {
        atomic::write(&path, header.as_bytes())?;
        Ok(Self {
            path,
            written: header.len() as u64,
            pending: String::new(),
        })
    }

    /// A file to go on after its first `length` bytes, which are whole lines. Changes nothing yet: see [`GrowingFile::truncate`].
    pub(crate) fn open(path: PathBuf, length: u64) -> Self {
        Self {
            path,
            written: length,
            pending: String::new(),
        }
    }

    /// Lines in memory, to add to.
    pub(crate) fn pending(&mut self) -> &mut String {
        &mut self.pending
    }

    /// Puts all lines on disk.
    pub(crate) fn flush(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        // After a failure the file may end in a torn line: the next attempt writes over it.
        atomic::write_from(&self.path, self.written, self.pending.as_bytes())?;
        self.written += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// Cuts the file off after the length that [`GrowingFile::open`] was told.
    pub(crate) fn truncate(&self) -> Result<()> {
        atomic::write_from(&self.path, self.written, &[])
    }

    /// Length of the lines on disk, bytes.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }
}

/// The whole file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| RunDirError::io("reading", path, error))
}
