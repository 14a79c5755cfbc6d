//! A text file that grows by whole lines: those that wait in memory, and where on disk the whole
//! ones end.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::atomic;
use crate::crc::{crc64, crc64_after};
use crate::error::{Result, RunDirError};

/// The beginning of a file that a checkpoint covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Covered {
    /// Its length, bytes.
    pub bytes: u64,
    /// Its CRC-64.
    pub crc: u64,
}

impl Covered {
    /// Fails unless `contents`, those of the file `path`, begin with what is covered.
    pub(crate) fn check(&self, path: &Path, contents: &[u8]) -> Result<()> {
        let length = usize::try_from(self.bytes).ok();
        let Some(covered) = length.and_then(|length| contents.get(..length)) else {
            let (all, found) = (self.bytes, contents.len());
            let reason =
                format!("the checkpoint counts {all} bytes of whole rows, the file has {found}");
            return Err(RunDirError::lost(path, reason));
        };
        if crc64(covered) != self.crc {
            let reason = "its rows are not those that the checkpoint counts";
            return Err(RunDirError::lost(path, reason));
        }
        Ok(())
    }
}

/// A file of lines.
#[derive(Debug)]
pub(crate) struct GrowingFile {
    path: PathBuf,
    /// What is on disk in whole lines.
    written: Covered,
    /// Lines that are not on disk yet.
    pending: String,
}

impl GrowingFile {
    /// Writes a file that has a header only.
    pub(crate) fn create(path: PathBuf, header: &str) -> Result<Self> {
        atomic::write(&path, header.as_bytes())?;
        Ok(Self {
            path,
            written: Covered {
                bytes: header.len() as u64,
                crc: crc64(header.as_bytes()),
            },
            pending: String::new(),
        })
    }

    /// A file to go on after what is `covered`, which is there. Changes nothing yet: see
    /// [`GrowingFile::truncate`].
    ///
    /// # Errors
    /// When the file does not hold what is covered.
    pub(crate) fn open(path: PathBuf, covered: Covered) -> Result<Self> {
        let contents = fs::read(&path).map_err(|error| RunDirError::lost(&path, error))?;
        covered.check(&path, &contents)?;
        Ok(Self {
            path,
            written: covered,
            pending: String::new(),
        })
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
        let pending = self.pending.as_bytes();
        atomic::write_from(&self.path, self.written.bytes, pending)?;
        self.written = Covered {
            bytes: self.written.bytes + pending.len() as u64,
            crc: crc64_after(self.written.crc, pending),
        };
        self.pending.clear();
        Ok(())
    }

    /// Cuts the file off after what is covered.
    pub(crate) fn truncate(&self) -> Result<()> {
        atomic::write_from(&self.path, self.written.bytes, &[])
    }

    /// The lines on disk.
    pub(crate) fn written(&self) -> Covered {
        self.written
    }
}
