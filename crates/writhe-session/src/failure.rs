//! Why a run was not begun, or did not go on: what whoever started it tells its user.

use std::fmt;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use writhe_rundir::RunDirError;

use crate::shell;

/// Result of what may not be possible.
pub type Result<T> = std::result::Result<T, Failure>;

/// What went wrong, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure(Box<Details>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Details {
    blame: Blame,
    message: String,
    remedy: Option<String>,
    key: Option<String>,
    place: Option<Place>,
}

/// Where the blame lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blame {
    /// The input: nothing was done.
    BadInput,
    /// Something that went wrong later.
    Failed,
}

/// Lines of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// All of its text.
    pub text: String,
    /// Bytes of the text.
    pub span: Range<usize>,
}

impl Failure {
    /// The input is wrong and nothing was done.
    pub fn bad_input(message: impl Into<String>) -> Self {
        Self::new(Blame::BadInput, message.into())
    }

    /// Something went wrong while working.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(Blame::Failed, message.into())
    }

    fn new(blame: Blame, message: String) -> Self {
        Self(Box::new(Details {
            blame,
            message,
            remedy: None,
            key: None,
            place: None,
        }))
    }

    /// Adds what to do about it.
    pub fn help(mut self, remedy: impl Into<String>) -> Self {
        self.0.remedy = Some(remedy.into());
        self
    }

    /// Adds the key of the scene that it is about; none for the empty one.
    pub fn at_key(mut self, key: &str) -> Self {
        self.0.key = Some(key.to_owned()).filter(|key| !key.is_empty());
        self
    }

    /// Adds where in a scene it stands.
    pub fn at_place(mut self, place: Option<Place>) -> Self {
        self.0.place = place;
        self
    }

    /// Where the blame lies.
    pub fn blame(&self) -> Blame {
        self.0.blame
    }

    /// What went wrong.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to do about it.
    pub fn remedy(&self) -> Option<&str> {
        self.0.remedy.as_deref()
    }

    /// Dotted path of the key of the scene that it is about.
    pub fn key(&self) -> Option<&str> {
        self.0.key.as_deref()
    }

    /// Where in a scene it stands.
    pub fn place(&self) -> Option<&Place> {
        self.0.place.as_ref()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Failure {}

impl From<RunDirError> for Failure {
    /// A directory that cannot be used is bad input; a disk that fails is not.
    fn from(error: RunDirError) -> Self {
        let message = error.to_string();
        match error {
            RunDirError::NotARun { path, .. } => {
                Self::bad_input(message).help(instead_of_a_run(&path))
            }
            RunDirError::Damaged { path, .. } => {
                Self::bad_input(message).help(how_to_restore(&path))
            }
            RunDirError::NotWritten { source, .. } => match is_of_a_place(source.kind()) {
                true => Self::bad_input(message),
                false => Self::failed(message),
            },
            RunDirError::NoSpace { .. }
            | RunDirError::Io { .. }
            | RunDirError::StateNotEncoded { .. }
            | RunDirError::StateNotShown { .. }
            | RunDirError::InvalidLayout { .. }
            | RunDirError::WrongLength { .. } => Self::failed(message),
            _ => Self::bad_input(message),
        }
    }
}

/// Whether the system objects to the place, and not for a reason of its own.
fn is_of_a_place(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::NotADirectory
            | ErrorKind::AlreadyExists
            | ErrorKind::IsADirectory
            | ErrorKind::DirectoryNotEmpty
    )
}

/// What to do about a file of a run that is damaged.
fn how_to_restore(path: &Path) -> &'static str {
    let name = path.file_name().unwrap_or_default();
    let is_made_again = |file: &&str| name == *file;
    match ["scene.toml", "summary.json", "zarr.json"]
        .iter()
        .any(is_made_again)
    {
        true => {
            "`writhe run SCENE --out DIR --resume` with the run's scene and folder writes it again"
        }
        false => {
            "put a copy of it back, or run the scene again in another directory with `--out DIR`"
        }
    }
}

/// What to name where `path` is no run.
fn instead_of_a_run(path: &Path) -> String {
    let is_a_run = |path: &Path| path.join("scene.toml").is_file();
    let within = std::fs::read_dir(path).into_iter().flatten().flatten();
    let first = within.map(|e| e.path()).filter(|path| is_a_run(path)).min();
    if path.extension().is_some_and(|end| end == "toml") {
        let scene = shell::path(path);
        return format!("a scene is run first: `writhe run {scene}`");
    }
    match (first, path.exists()) {
        (Some(run), _) => format!("it holds runs: name one, such as `{}`", shell::path(&run)),
        (None, true) => "name a folder that `writhe run` has written".to_owned(),
        (None, false) => {
            "there is no such folder: `writhe run` prints the name of the one that it writes"
                .to_owned()
        }
    }
}
