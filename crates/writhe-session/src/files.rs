//! Files that a user or a scene named, read whole.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Read, Result as IoResult};
use std::path::Path;

/// A file that is read whole has at most so many bytes.
const MOST_BYTES: u64 = 256 << 20;

/// What the file holds, which must not be larger than `MOST_BYTES`.
///
/// # Errors
/// When it cannot be read, or is too large.
pub fn read(path: &Path) -> IoResult<Vec<u8>> {
    read_at_most(path, MOST_BYTES)
}

/// The same of a file that a scene names: a pipe would let the program wait without end.
///
/// # Errors
/// When it is no regular file, cannot be read, or is too large.
pub fn read_regular(path: &Path) -> IoResult<Vec<u8>> {
    let kind = fs::metadata(path)?;
    if !kind.is_file() {
        let what = if kind.is_dir() {
            "a folder"
        } else {
            "a pipe or a device"
        };
        let message = format!("it is {what} and no regular file: copy what is meant into one");
        return Err(Error::new(ErrorKind::InvalidInput, message));
    }
    read(path)
}

/// The text that the file holds.
///
/// # Errors
/// As [`read`]; also when it is no text.
pub fn read_text(path: &Path) -> IoResult<String> {
    String::from_utf8(read(path)?).map_err(|_| ErrorKind::InvalidData.into())
}

fn read_at_most(path: &Path, most: u64) -> IoResult<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!(
            "it is larger than {} MiB: is it the file that is meant?",
            most >> 20
        );
        return Err(Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_beyond_the_limit_are_not_read() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        fs::write(&file, "12345").unwrap();
        assert_eq!(read_at_most(&file, 5).unwrap(), b"12345");
        let error = read_at_most(&file, 4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert!(read_regular(place.path()).is_err());
    }
}
