//! Files that a scene names, read by the caller: this crate opens none.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a file that is no text is not read.
pub(crate) const NO_TEXT: &str = "it is no text (not UTF-8)";

type Reader = dyn Fn(&Path) -> io::Result<Vec<u8>> + Send + Sync;

/// How a scene's files are found and read.
#[derive(Clone, Default)]
pub struct Files {
    base: PathBuf,
    reader: Option<Arc<Reader>>,
}

impl Files {
    /// Files relative to `base`, read by `reader` (for example `std::fs::read`).
    pub fn new(
        base: impl Into<PathBuf>,
        reader: impl Fn(&Path) -> io::Result<Vec<u8>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            base: base.into(),
            reader: Some(Arc::new(reader)),
        }
    }

    /// No files: a scene that names one is refused.
    pub fn none() -> Self {
        Self::default()
    }

    pub(crate) fn read(&self, path: &str) -> Result<String, String> {
        let bytes = self.read_bytes(path)?;
        String::from_utf8(bytes).map_err(|_| NO_TEXT.to_owned())
    }

    pub(crate) fn read_bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        match &self.reader {
            Some(reader) => reader(&self.base.join(path)).map_err(|e| e.to_string()),
            None => Err("scenes from this source cannot name files".to_owned()),
        }
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Files({})", self.base.display())
    }
}
