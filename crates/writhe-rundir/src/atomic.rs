//! Every change to the disk goes through here: files are replaced whole, or grow at a known length.
//!
//! Replacing is: write a temporary file beside the target, fsync it, rename it over the target,
//! fsync the directory. A kill leaves the old file or the new one, and at worst a temporary file
//! that the next replacement overwrites.
//!
//! To wait for the disk takes as long as hundreds of small steps. What can be written again from
//! elsewhere is replaced without ([`replace`]): a kill leaves it whole, a power cut may not.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::{Result, RunDirError};
use crate::fault::before_operation;

/// Replaces the file `path` by one that holds `bytes`.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let temporary = stage(path, bytes)?;
    rename(&temporary, path)
}

/// The same without waiting for the disk: for what can be written again from elsewhere, since a power
/// cut may leave the old file or a torn one.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let temporary = temporary_name(path);
    let written = before_operation()
        .and_then(|()| File::create(&temporary))
        .and_then(|mut file| write_or_tear(&mut file, bytes));
    clean_up_if_failed(
        &temporary,
        written.map_err(|error| RunDirError::io("writing", path, error)),
    )?;
    before_operation()
        .and_then(|()| fs::rename(&temporary, path))
        .map_err(|error| RunDirError::io("renaming to", path, error))
}

/// The same for a folder that others may have filled: what lies in the place of the temporary file,
/// a link perhaps, is not written to.
pub(crate) fn replace_anew(path: &Path, bytes: &[u8]) -> Result<()> {
    remove_leftover(path)?;
    replace(path, bytes)
}

/// Writes `bytes` to the temporary file of `path`, durably, and returns its name.
pub(crate) fn stage(path: &Path, bytes: &[u8]) -> Result<PathBuf> {
    let temporary = temporary_name(path);
    let written = write_durably(&temporary, bytes);
    clean_up_if_failed(
        &temporary,
        written.map_err(|error| RunDirError::io("writing", path, error)),
    )?;
    Ok(temporary)
}

/// Replaces the file `path` by what `fill` writes, for contents too large for the memory.
pub(crate) fn write_streamed(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<()>,
) -> Result<()> {
    remove_leftover(path)?;
    let temporary = temporary_name(path);
    let failed = |error| RunDirError::io("writing", path, error);
    let written = File::create(&temporary).map_err(failed).and_then(|file| {
        let mut writer = BufWriter::with_capacity(1 << 16, file);
        fill(&mut writer)?;
        writer
            .flush()
            .and_then(|()| writer.get_ref().sync_all())
            .map_err(failed)
    });
    clean_up_if_failed(&temporary, written)?;
    clean_up_if_failed(&temporary, rename(&temporary, path))
}

/// Renames durably, replacing `to` if it exists.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<()> {
    before_operation()
        .and_then(|()| fs::rename(from, to))
        .and_then(|()| sync_parent(to))
        .map_err(|error| RunDirError::io("renaming to", to, error))
}

/// Makes the file end with `bytes` from position `length` on, dropping whatever was there; durable.
pub(crate) fn write_from(path: &Path, length: u64, bytes: &[u8]) -> Result<()> {
    let write = || {
        before_operation()?;
        let mut file = OpenOptions::new().write(true).open(path)?;
        if file.metadata()?.len() > length {
            file.set_len(length)?;
        }
        file.seek(SeekFrom::Start(length))?;
        write_or_tear(&mut file, bytes)?;
        before_operation()?;
        file.sync_all()
    };
    write().map_err(|error| RunDirError::io("appending to", path, error))
}

/// Creates the directory and its missing parents, durably.
pub(crate) fn create_directories(path: &Path) -> Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = parent(path) {
        create_directories(parent)?;
    }
    let created = before_operation().and_then(|()| match fs::create_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(io::ErrorKind::NotADirectory.into())
        }
        created => created,
    });
    created
        .and_then(|()| sync_parent(path))
        .map_err(|error| RunDirError::io("creating the directory", path, error))
}

/// Creates the directory and its missing parents without waiting for the disk: see [`replace`].
pub(crate) fn make_directories(path: &Path) -> Result<()> {
    before_operation()
        .and_then(|()| fs::create_dir_all(path))
        .map_err(|error| RunDirError::io("creating the directory", path, error))
}

/// Makes all that a directory lists survive a power cut.
pub(crate) fn keep_entries(directory: &Path) -> Result<()> {
    sync_directory(directory).map_err(|error| RunDirError::io("writing", directory, error))
}

/// Creates the directories that a file needs, durably.
pub(crate) fn create_directories_of(file: &Path) -> Result<()> {
    parent(file).map_or(Ok(()), create_directories)
}

/// Removes a file that may be missing.
pub(crate) fn remove_file(path: &Path) -> Result<()> {
    remove(path, |path| fs::remove_file(path))
}

/// Removes a directory, with all that is in it, that may be missing.
pub(crate) fn remove_directory(path: &Path) -> Result<()> {
    remove(path, |path| fs::remove_dir_all(path))
}

/// Removes the temporary file of `path` that a killed process may have left.
pub(crate) fn remove_leftover(path: &Path) -> Result<()> {
    remove_file(&temporary_name(path))
}

fn remove(path: &Path, how: impl FnOnce(&Path) -> io::Result<()>) -> Result<()> {
    let removed = before_operation().and_then(|()| match how(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    });
    removed.map_err(|error| RunDirError::io("removing", path, error))
}

fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    before_operation()?;
    let mut file = File::create(path)?;
    write_or_tear(&mut file, bytes)?;
    before_operation()?;
    file.sync_all()
}

/// Writes all of `bytes`, or half of them where a test makes the disk fail.
fn write_or_tear(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    if let Err(error) = before_operation() {
        file.write_all(&bytes[..bytes.len() / 2])?;
        return Err(error);
    }
    file.write_all(bytes)
}

/// Removes the temporary file after a failure, to give its space back, and passes the failure on.
fn clean_up_if_failed(temporary: &Path, written: Result<()>) -> Result<()> {
    if written.is_err() {
        // The first failure is the one to report; a leftover file is overwritten by the next
        // attempt.
        let _ = remove_file(temporary);
    }
    written
}

/// `DIR/.NAME.tmp` for `DIR/NAME`.
fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.tmp"))
}

/// The directory that holds `path`; `None` for the root and for a bare name, whose directory is the
/// current one.
fn parent(path: &Path) -> Option<&Path> {
    path.parent()
        .filter(|parent| !parent.as_os_str().is_empty())
}

/// Makes a rename or a creation in the parent directory survive a power cut.
fn sync_parent(path: &Path) -> io::Result<()> {
    sync_directory(parent(path).unwrap_or(Path::new(".")))
}

/// Makes renames and creations in a directory survive a power cut.
#[cfg(unix)]
fn sync_directory(directory: &Path) -> io::Result<()> {
    before_operation()?;
    match File::open(directory)?.sync_all() {
        // Some network file systems cannot sync a directory.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        synced => synced,
    }
}

/// Other systems cannot open a directory as a file.
#[cfg(not(unix))]
fn sync_directory(_directory: &Path) -> io::Result<()> {
    before_operation()
}
