//! Files that a user asked for by name.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Read, Result as IoResult};
use std::path::Path;

use writhe_rundir::RUN_FILES;

use crate::report::{Failure, Result};

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

/// Writes the file, and the folders it needs.
///
/// # Errors
/// When the file cannot be written; the message names it.
pub fn write_file(file: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
    folder
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(file, contents))
        .map_err(|error| {
            Failure::failed(format!("writing `{}` failed: {error}", file.display()))
                .help("choose another file")
        })
}

/// Refuses a place given with `option` where `out` would destroy a file of the run in `directory`.
///
/// # Errors
/// When it would.
pub fn refuse_run_files(directory: &Path, option: &str, out: &Path) -> Result<()> {
    let is_run = |path: &Path| {
        let (run, path) = (directory.canonicalize(), path.canonicalize());
        matches!((run, path), (Ok(run), Ok(path)) if run == path)
    };
    let in_run = out.parent().is_some_and(is_run);
    if leads_out(directory, out) {
        return Err(Failure::bad_input(format!(
            "`{}` is or lies behind a symbolic link that leads out of the run directory `{}`",
            out.display(),
            directory.display()
        ))
        .help(format!(
            "remove the link, or choose another place with `{option}`"
        )));
    }
    let name = out.file_name().unwrap_or_default();
    if is_run(out) || in_run && RUN_FILES.iter().any(|file| name == *file) {
        return Err(Failure::bad_input(format!(
            "`{option} {}` would replace files of the run in `{}`",
            out.display(),
            directory.display()
        ))
        .help(format!("choose another place, or leave {option} out")));
    }
    Ok(())
}

/// Whether `out`, which is named as a place in `directory`, is elsewhere by a symbolic link.
fn leads_out(directory: &Path, out: &Path) -> bool {
    let Ok(home) = directory.canonicalize() else {
        return false;
    };
    let inside = out.ancestors().take_while(|place| *place != directory);
    out.starts_with(directory)
        && inside.filter(|place| place.is_symlink()).any(|link| {
            !link
                .canonicalize()
                .is_ok_and(|real| real.starts_with(&home))
        })
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
