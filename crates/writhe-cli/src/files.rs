//! Files that a user asked for by name.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use writhe_rundir::{RUN_FILES, RunDirError, RunDirectory, RunReader};

pub use writhe_session::files::{read, read_text};

use crate::report::{Failure, Result};
use crate::scene::RunnableScene;

/// Made in a folder and removed, to see whether it takes files.
const PROBE: &str = ".writhe-place.tmp";
/// What a sweep writes beside its runs.
const SWEEP_FILES: [&str; 3] = ["sweep.json", "results.csv", "results.json"];

/// Writes a file that the user named, and the folders it needs. A file that is there is replaced, but
/// no scene and no file of a run.
///
/// # Errors
/// When the file is one of these, or cannot be written; the message names it.
pub fn write_file(file: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    refuse_to_replace(file)?;
    replace_file(file, contents)
}

/// Refuses a file or folder that a result is to be written to, where that would replace a scene, a file
/// of any run or sweep, or files in the folder of a run.
///
/// # Errors
/// When it would; the message names the file.
pub fn refuse_to_replace(file: &Path) -> Result<()> {
    let another = "choose another place";
    let shown = file.display();
    let real = real_place(file);
    if real.exists() && real.extension().is_some_and(|end| end == "toml") {
        return Err(Failure::bad_input(format!(
            "`{shown}` is a scene, which a result would replace"
        ))
        .help(another));
    }
    let what = match owner(file) {
        Some(what) => what,
        None if is_run(&real) => "a run",
        None => return Ok(()),
    };
    let message = format!("`{shown}` is {what}, which a result would replace");
    Err(Failure::bad_input(message).help(another))
}

/// What a file belongs to that is no result of one command, whatever links lead to it.
pub fn owner(file: &Path) -> Option<&'static str> {
    let real = real_place(file);
    let is_of = |files: &[&str], is_whole: fn(&Path) -> bool| {
        real.ancestors().any(|place| {
            let name = place.file_name().unwrap_or_default();
            files.iter().any(|of_whole| name == *of_whole) && place.parent().is_some_and(is_whole)
        })
    };
    match () {
        () if is_of(&RUN_FILES, is_run) => Some("a file of a run"),
        () if is_of(&SWEEP_FILES, is_sweep) => Some("a file of a sweep"),
        () => None,
    }
}

/// Makes the folder that a file needs, and tries whether the file can be written: what takes hours to
/// measure is not to be lost.
///
/// # Errors
/// When it cannot be written, or is one that a result must not replace.
pub fn check_place(file: &Path) -> Result<()> {
    refuse_to_replace(file)?;
    let unwritten = |error| unwritten(file, error);
    if file.is_dir() {
        return Err(unwritten(ErrorKind::IsADirectory.into()));
    }
    if file.is_file() {
        let opened = OpenOptions::new().append(true).open(file);
        return opened.map(|_| ()).map_err(unwritten);
    }
    // A device or a pipe needs no folder that takes files.
    if file.exists() {
        return Ok(());
    }
    let real = behind_links(file);
    let folder = real.parent().filter(|f| !f.as_os_str().is_empty());
    try_folder(folder.unwrap_or(Path::new("."))).map_err(unwritten)
}

/// Makes a folder and a file in it, which is removed.
fn try_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let probe = folder.join(PROBE);
    match File::create_new(&probe) {
        // Of another process, or one that was killed: the folder takes files.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        made => made.and_then(|_| fs::remove_file(&probe)),
    }
}

/// Where a result goes whose place is a link: what that leads to is replaced, and the link stays.
pub fn behind_links(file: &Path) -> PathBuf {
    match file.is_symlink() {
        true => real_place(file),
        false => file.to_path_buf(),
    }
}

/// Where a file is, or would be made, behind all links.
pub fn real_place(file: &Path) -> PathBuf {
    if let Ok(real) = file.canonicalize() {
        return real;
    }
    // Nothing is there yet: its folder, or that of what a link names, may be.
    let named = match file.read_link() {
        Ok(target) => file.parent().unwrap_or(Path::new("")).join(target),
        Err(_) => file.to_path_buf(),
    };
    let folder = named
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (folder, named.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => std::path::absolute(&named).unwrap_or(named),
    }
}

/// Whether a folder holds a run, an intact one or not.
fn is_run(folder: &Path) -> bool {
    folder.join("scene.toml").is_file() && folder.join("trajectory.zarr").is_dir()
}

fn is_sweep(folder: &Path) -> bool {
    folder.join(SWEEP_FILES[0]).is_file()
}

/// Writes the file, whatever was there, and the folders it needs.
///
/// # Errors
/// When the file cannot be written; the message names it.
pub fn replace_file(file: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
    folder
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(file, contents))
        .map_err(|error| unwritten(file, error))
}

/// What is told of a file or folder that the system does not let be written.
pub fn unwritten(file: &Path, source: io::Error) -> Failure {
    let path = file.to_path_buf();
    RunDirError::NotWritten { path, source }.into()
}

/// Removes the run in `directory`, with all that is in it, for one of `scene`, read from `file`, in
/// its place; nothing where there is none. A scene that cannot run costs no result.
///
/// # Errors
/// What is wrong with the scene; a scene that would be removed; what is there and no run; a run in progress; a directory that cannot
/// be removed.
pub fn remove_run(scene: &RunnableScene, file: &Path, directory: &Path) -> Result<()> {
    scene.describe()?;
    let shown = directory.display();
    let is_empty = |mut entries: fs::ReadDir| entries.next().is_none();
    if directory.read_dir().map_or(true, is_empty) {
        return Ok(());
    }
    let another = "choose another directory with `--out DIR`";
    let is_link = directory.is_symlink();
    if is_link || RunReader::open(directory).is_err() {
        return Err(Failure::bad_input(format!(
            "--force replaces runs, and `{shown}` {}",
            if is_link {
                "is a symbolic link"
            } else {
                "is none"
            }
        ))
        .help(another));
    }
    if let (Ok(file), Ok(inside)) = (file.canonicalize(), directory.canonicalize())
        && file.starts_with(&inside)
    {
        return Err(Failure::bad_input(format!(
            "--force would remove the scene `{}`, which is in `{shown}`",
            file.display()
        ))
        .help(format!("move the scene out of it, or {another}")));
    }
    if RunDirectory::is_busy(directory) {
        return Err(Failure::bad_input(format!(
            "the run in `{shown}` is being written by another process"
        ))
        .help(another));
    }
    fs::remove_dir_all(directory)
        .map_err(|error| Failure::failed(format!("removing `{shown}` failed: {error}")))
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
