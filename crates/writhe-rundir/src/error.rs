//! What can go wrong with a run directory, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use writhe::rod::kinematics::KinematicsError;

/// Result of an operation on a run directory.
pub type Result<T> = std::result::Result<T, RunDirError>;

/// A failure, with the path it happened at and the remedy in its message.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunDirError {
    /// The directory for a new run already holds something.
    #[error(
        "the directory `{path}` exists and is not empty: continue its run with `--resume`, or choose another directory with `--out`"
    )]
    AlreadyExists {
        /// The directory asked for.
        path: PathBuf,
    },
    /// A file stands where the run directory should be.
    #[error("`{path}` is not a directory: choose another place with `--out`")]
    NotADirectory {
        /// The path asked for, or the file in its way.
        path: PathBuf,
    },
    /// The directory lacks a file that every run has.
    #[error("`{path}` is not a run directory: it has no `{missing}`")]
    NotARun {
        /// The directory asked for.
        path: PathBuf,
        /// The file it lacks.
        missing: String,
    },
    /// Another process is writing the run.
    #[error(
        "`{path}` is being written by another process: wait for it to end, or choose another directory with `--out`"
    )]
    Busy {
        /// The run directory.
        path: PathBuf,
    },
    /// The disk, or the user's share of it, is full.
    #[error(
        "no space left on the disk while {action} `{path}`: free some space and continue with `--resume`; all that the last checkpoint covers is safe"
    )]
    NoSpace {
        /// What was being done.
        action: &'static str,
        /// The file it was done to.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The system refuses access.
    #[error(
        "no permission for {action} `{path}`: change the permissions{}", if *.action == "reading" { "" } else { ", or choose another directory with `--out`" }
    )]
    NoPermission {
        /// What was being done.
        action: &'static str,
        /// The file it was done to.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// What was asked for beside a run, an export or a picture, cannot be written there.
    #[error("`{path}` cannot be written: {}", obstacle(.source))]
    NotWritten {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A folder that frames are to be written to holds frames of a longer run.
    #[error(
        "`{path}` holds frame {there} of another export, and {frames} frames are to be written: choose another folder, or remove what is in it"
    )]
    LaterFrames {
        /// The folder.
        path: PathBuf,
        /// The last frame that is there.
        there: usize,
        /// Frames to write.
        frames: usize,
    },
    /// Any other failure of the system.
    #[error("{action} `{path}` failed ({source}): {}", remedy(.action))]
    Io {
        /// What was being done.
        action: &'static str,
        /// The file it was done to.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The run was killed before it saved a checkpoint.
    #[error(
        "`{path}` holds no checkpoint to resume from: delete it and start again, or choose another directory with `--out`"
    )]
    NoCheckpoint {
        /// The run directory.
        path: PathBuf,
    },
    /// No checkpoint is intact.
    #[error(
        "the checkpoint `{path}` is damaged ({reason}) and no older one is intact: start the run again in another directory with `--out`"
    )]
    CheckpointDamaged {
        /// The newest damaged checkpoint.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The checkpoint is intact, but of another version of the program.
    #[error(
        "the checkpoint `{path}` was written by another version of the program ({reason}): resume with that version, or start again with `--out`"
    )]
    CheckpointIncompatible {
        /// The checkpoint.
        path: PathBuf,
        /// What does not fit.
        reason: String,
    },
    /// The scene file is not the one that the checkpoint belongs to.
    #[error(
        "`{path}` was changed since the checkpoint was saved: restore it to resume, or run the changed scene in another directory with `--out`"
    )]
    SceneChanged {
        /// The scene file.
        path: PathBuf,
    },
    /// The state could not be encoded.
    #[error("the state cannot be written to the checkpoint `{path}`: {reason}")]
    StateNotEncoded {
        /// The checkpoint.
        path: PathBuf,
        /// The encoder's message.
        reason: String,
    },
    /// A file of the run has contents that this crate did not write.
    #[error("`{path}` is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file that a checkpoint covers is missing or is no longer what it was, and nothing else
    /// holds its contents.
    #[error(
        "the run cannot be resumed: `{path}` is damaged ({reason}), and its contents are nowhere else. Put a copy of the file back, or \
         start the run again in another directory with `--out`"
    )]
    Lost {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A symbolic link in the run directory that leads out of it.
    #[error(
        "`{path}` is or lies behind a symbolic link that leads out of the run directory, and is not read: put the file itself there"
    )]
    LeadsOut {
        /// The link, or what lies behind it.
        path: PathBuf,
    },
    /// A state that has no frame: its edges or directors are degenerate.
    #[error("the state at t = {time} s cannot be shown: {source}")]
    StateNotShown {
        /// Its time, s.
        time: f64,
        /// What is degenerate.
        source: KinematicsError,
    },
    /// The description of a new run contradicts itself.
    #[error("the layout of the run is not valid: {reason}")]
    InvalidLayout {
        /// The contradiction.
        reason: String,
    },
    /// A frame or a row of observables does not have the declared size.
    #[error("`{array}` has {found} entries in this frame; the layout declares {expected}")]
    WrongLength {
        /// Name of the array.
        array: String,
        /// Entries that the layout declares.
        expected: usize,
        /// Entries given.
        found: usize,
    },
    /// No frame has this index.
    #[error("frame {index} does not exist: the run holds {frames} frames, counted from 0")]
    NoSuchFrame {
        /// The index asked for.
        index: usize,
        /// Number of frames of the run.
        frames: usize,
    },
    /// No extra array has this name.
    #[error("the run has no array `{name}`: it has {}", .known.join(", "))]
    NoSuchArray {
        /// The name asked for.
        name: String,
        /// The arrays that each frame has.
        known: Vec<String>,
    },
    /// A field that is not measured in this run.
    #[error(
        "there is no field `{name}`{}: choose one of {}",
        if *.no_contacts { " in a run without contact" } else { "" },
        .known.join(", ")
    )]
    UnknownField {
        /// The name asked for.
        name: String,
        /// Those that there are.
        known: Vec<&'static str>,
        /// Whether it would be there in a run with contact.
        no_contacts: bool,
    },
    /// No frame is near this time.
    #[error(
        "there is no frame at t = {time} s: frames go from {first} to {last} s; choose `--at` in this range, or leave it out for the last frame"
    )]
    NoFrameAt {
        /// The time asked for, s.
        time: f64,
        /// Time of the first frame, s.
        first: f64,
        /// Time of the last frame, s.
        last: f64,
    },
    /// A rod with more places along it than a skeleton of glTF may have joints.
    #[error(
        "rod {rod} has {joints} places along it, and a skeleton of glTF holds at most {most}: export it with `--to vtk` or `--to usd`{}",
        if *.smooth { ", or without `--smooth`" } else { "" }
    )]
    TooManyJoints {
        /// The rod.
        rod: usize,
        /// Places along it.
        joints: usize,
        /// How many there may be.
        most: usize,
        /// Whether it would have fewer with straight edges.
        smooth: bool,
    },
    /// Two runs whose nodes do not correspond.
    #[error("the runs cannot be compared: {reason}; both need the same rods with as many nodes")]
    DifferentRods {
        /// What differs.
        reason: String,
    },
    /// Two runs that have no output time in common.
    #[error(
        "the runs have no time in common: the first {first}, the second {second}; write both with the same `output.every`, or one that divides the other"
    )]
    NoCommonTime {
        /// Frames of the first run.
        first: String,
        /// Frames of the second run.
        second: String,
    },
}

impl RunDirError {
    /// The error of an operation of the system: `action` is a participle ("writing").
    pub(crate) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        use io::ErrorKind as Kind;
        let path = path.to_path_buf();
        match source.kind() {
            Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => Self::NoSpace {
                action,
                path,
                source,
            },
            Kind::PermissionDenied | Kind::ReadOnlyFilesystem => Self::NoPermission {
                action,
                path,
                source,
            },
            Kind::NotADirectory => Self::NotADirectory { path },
            _ => Self::Io {
                action,
                path,
                source,
            },
        }
    }

    /// The error of a file of which a checkpoint knows, and which is not as it was.
    pub(crate) fn lost(path: &Path, reason: impl ToString) -> Self {
        Self::Lost {
            path: path.to_path_buf(),
            reason: reason.to_string(),
        }
    }

    /// The error of a file whose contents make no sense.
    pub(crate) fn damaged(path: &Path, reason: impl ToString) -> Self {
        Self::Damaged {
            path: path.to_path_buf(),
            reason: reason.to_string(),
        }
    }
}

/// Why the system writes nothing there, and what to do.
fn obstacle(error: &io::Error) -> String {
    use io::ErrorKind as Kind;
    match error.kind() {
        Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => {
            "no space is left on the disk; free some, or choose another place".to_owned()
        }
        Kind::PermissionDenied | Kind::ReadOnlyFilesystem => {
            "there is no permission to; change it, or choose another place".to_owned()
        }
        Kind::NotADirectory | Kind::AlreadyExists => {
            "a file stands where a folder is needed; choose another place".to_owned()
        }
        Kind::IsADirectory | Kind::DirectoryNotEmpty => {
            "it is a folder, and a file is to be written; name a file".to_owned()
        }
        _ => format!("{error}; choose another place"),
    }
}

/// What to do where the system fails at `action`.
fn remedy(action: &str) -> &'static str {
    match action {
        "reading" => "check the disk, and whether the file is there",
        _ => {
            "check the disk; all that the last checkpoint covers is safe, `--resume` continues from it"
        }
    }
}
