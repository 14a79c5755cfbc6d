//! Where exports and pictures go: files and folders of the user's choice, which are no part of the run.
//! What fails there has nothing to do with its checkpoints.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::atomic;
use crate::error::{Result, RunDirError};

/// Makes a folder, and those that it needs.
pub(super) fn folder(path: &Path) -> Result<()> {
    told(path, atomic::create_directories(path))
}

/// Makes a folder for files of `frames` frames, `frame_000012.ending` each. One that holds later frames
/// is refused: they would be taken for some of these.
pub(super) fn folder_of_frames(path: &Path, frames: usize, ending: &str) -> Result<()> {
    folder(path)?;
    let number = |name: &str| {
        let digits = name.strip_prefix("frame_")?.strip_suffix(ending)?;
        digits.strip_suffix('.')?.parse::<usize>().ok()
    };
    let entries = path.read_dir().into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    match names.filter_map(|name| number(&name)).max() {
        Some(last) if last >= frames => Err(RunDirError::LaterFrames {
            path: path.to_path_buf(),
            there: last,
            frames,
        }),
        _ => Ok(()),
    }
}

/// Replaces a file by one that holds `bytes`, in a folder that is there: one of thousands, perhaps,
/// which do not wait for the disk, as what a power cut takes can be exported again.
pub(super) fn file(path: &Path, bytes: &[u8]) -> Result<()> {
    told(path, atomic::replace_anew(path, bytes))
}

/// Replaces a file by one that holds `bytes`, and makes the folders that it needs. A device or a pipe is
/// written to, and stays what it is.
pub(super) fn single_file(path: &Path, bytes: &[u8]) -> Result<()> {
    streamed(path, |file| {
        file.write_all(bytes)
            .map_err(|source| not_written(path, source))
    })
}

/// The same with what `fill` writes, for contents too large for the memory.
pub(super) fn streamed(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<()>,
) -> Result<()> {
    if !is_stream(path) {
        let made = atomic::create_directories_of(path);
        return told(path, made.and_then(|()| atomic::write_streamed(path, fill)));
    }
    told(path, spool(fill, path))
}

/// Writes to a file without a name, as formats go back to what they have written, and all of that to a
/// stream.
fn spool(fill: impl FnOnce(&mut BufWriter<File>) -> Result<()>, stream: &Path) -> Result<()> {
    let failed = |source| not_written(stream, source);
    let mut writer = BufWriter::new(nameless()?);
    fill(&mut writer)?;
    let whole = writer
        .into_inner()
        .map_err(|error| failed(error.into_error()));
    let copied = whole.and_then(|mut whole| {
        whole.rewind().map_err(failed)?;
        let stream = OpenOptions::new().write(true).open(stream);
        io::copy(&mut whole, &mut stream.map_err(failed)?).map_err(failed)
    });
    copied.map(|_| ())
}

/// A file that is gone when it is closed, also where the program is killed.
fn nameless() -> Result<File> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("writhe-{}-{number}", std::process::id()));
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create_new(true).open(&path);
    let file = file.map_err(|source| not_written(&path, source))?;
    let _ = fs::remove_file(&path);
    Ok(file)
}

/// Whether there is something, or a link to it, that is neither a file nor a folder.
fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn not_written(path: &Path, source: io::Error) -> RunDirError {
    let path = path.to_path_buf();
    RunDirError::NotWritten { path, source }
}

/// What the system does not let be written is told by the place that was asked for; what cannot be read
/// of the run stays as it is.
fn told(path: &Path, result: Result<()>) -> Result<()> {
    result.map_err(|error| match error {
        RunDirError::NoSpace { source, .. } | RunDirError::NoPermission { source, .. } => {
            not_written(path, source)
        }
        RunDirError::Io { source, action, .. } if action != "reading" => not_written(path, source),
        RunDirError::NotADirectory { .. } => not_written(path, io::ErrorKind::NotADirectory.into()),
        error => error,
    })
}
