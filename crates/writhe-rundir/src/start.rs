//! Where a run began that did not begin where its scene says: `start.bin`, named arrays and a
//! checksum, written once.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use writhe::state::SCHEMA;
use writhe::state::arrays::Arrays;

use crate::atomic;
use crate::crc::crc64;
use crate::directory::{RunDirectory, START_FILE};
use crate::error::{Result, RunDirError};
use crate::inside;

const MAGIC: [u8; 8] = *b"WRITHEST";

impl RunDirectory {
    /// Keeps where the run began; before its first checkpoint.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_start<S: Serialize>(&self, start: &S) -> Result<()> {
        let file = self.path().join(START_FILE);
        let not_encoded = |error: &dyn ToString| RunDirError::StateNotEncoded {
            path: file.clone(),
            reason: error.to_string(),
        };
        let mut arrays = Arrays::new(SCHEMA.version);
        arrays.add("", start).map_err(|e| not_encoded(&e))?;
        let mut bytes = MAGIC.to_vec();
        arrays.append_to(&mut bytes).map_err(|e| not_encoded(&e))?;
        bytes.extend(crc64(&bytes).to_le_bytes());
        atomic::write(&file, &bytes)
    }

    /// Where the run in this directory began; `None` if that was where its scene says.
    ///
    /// # Errors
    /// When the file cannot be read, or is not what was written.
    pub fn start<S: DeserializeOwned>(path: impl AsRef<Path>) -> Result<Option<S>> {
        let file = path.as_ref().join(START_FILE);
        inside::check(path.as_ref(), &file)?;
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(RunDirError::io("reading", &file, error)),
        };
        let lost = |reason: &dyn ToString| RunDirError::lost(&file, reason.to_string());
        let intact = bytes.split_last_chunk().and_then(|(covered, crc)| {
            let whole = crc64(covered) == u64::from_le_bytes(*crc);
            covered.strip_prefix(&MAGIC).filter(|_| whole)
        });
        let arrays = intact.ok_or_else(|| lost(&"its checksum is wrong"))?;
        let arrays = Arrays::from_bytes(arrays).map_err(|error| lost(&error))?;
        let start = arrays.read("", &SCHEMA);
        start.map(Some).map_err(|error| lost(&error))
    }
}
