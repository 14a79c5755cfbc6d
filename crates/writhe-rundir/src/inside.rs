//! Files of a run are in its directory: a symbolic link that leads out of it is not followed.
//!
//! A run directory may come from elsewhere; what it names must not be taken from the reader's own
//! files.

use std::fs;
use std::path::Path;

use crate::error::{Result, RunDirError};

/// Fails if `path`, a file in the directory `home`, is elsewhere by a symbolic link. A missing file
/// is told by who reads it.
pub(crate) fn check(home: &Path, path: &Path) -> Result<()> {
    let (Ok(real_home), Ok(real)) = (home.canonicalize(), path.canonicalize()) else {
        return Ok(());
    };
    if real.starts_with(real_home) {
        return Ok(());
    }
    Err(RunDirError::LeadsOut {
        path: path.to_path_buf(),
    })
}

/// What the file `path` in the directory `home` holds.
pub(crate) fn read(home: &Path, path: &Path) -> Result<Vec<u8>> {
    check(home, path)?;
    fs::read(path).map_err(|error| RunDirError::io("reading", path, error))
}
