//! The beginning of a run: a new directory, or the last checkpoint of an old one.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;
use std::time::Instant;

use writhe::model::Model;
use writhe::observe;
use writhe_rundir::{
    Column, RodLayout, RunDirError, RunDirectory, RunLayout, RunReader, RunSummary,
};

use super::{OWN_COLUMNS, Session};
use crate::checkpoint::Checkpoint;
use crate::differences::differences;
use crate::report::{Failure, Result};
use crate::scene::RunnableScene;
use crate::usage::{Meter, Usage};

/// Everything that a run writes into its directory.
pub const RUN_FILES: [&str; 8] = [
    "scene.toml",
    "trajectory.zarr",
    "observables.csv",
    "checkpoint.bin",
    "checkpoint.previous.bin",
    "summary.json",
    "log.txt",
    ".lock",
];

/// What `begin` found.
#[derive(Debug)]
pub enum Beginning {
    /// A run at its start.
    New(Session),
    /// A run at its last checkpoint.
    Resumed(Session),
    /// A run that is over.
    AlreadyFinished(RunSummary),
}

/// Begins the run of `scene` in the directory `path`, or goes on with it if `resume`.
///
/// # Errors
/// When the directory exists and `resume` is off, holds another scene, or cannot be used.
pub fn begin(scene: &RunnableScene, path: &Path, resume: bool) -> Result<Beginning> {
    if !resume {
        return start(scene, path);
    }
    check_same_scene(scene, path)?;
    if let Some(summary) = finished(path) {
        return Ok(Beginning::AlreadyFinished(summary));
    }
    match RunDirectory::resume::<Checkpoint>(path) {
        Ok((directory, checkpoint)) => go_on(scene, directory, checkpoint),
        // Killed before its first checkpoint: nothing is lost by starting again.
        Err(error @ (RunDirError::NoCheckpoint { .. } | RunDirError::NotARun { .. })) => {
            clear(path, error)?;
            start(scene, path)
        }
        Err(error) => Err(error.into()),
    }
}

fn start(scene: &RunnableScene, path: &Path) -> Result<Beginning> {
    let simulation = scene.simulation()?;
    let directory = RunDirectory::create(path, &layout(&simulation.model), scene.toml())
        .map_err(|error| not_created(error, path))?;
    let mut session = Session {
        simulation,
        directory,
        outputs: scene.outputs(),
        checkpoint_every: scene.checkpoint_every(),
        next: 0,
        meter: Meter::start(Usage::default()),
        saved: Instant::now(),
    };
    session.log("started")?;
    // The state at the start is the first output.
    session.append_frame()?;
    session.next = 1;
    session.checkpoint()?;
    Ok(Beginning::New(session))
}

fn go_on(
    scene: &RunnableScene,
    directory: RunDirectory,
    checkpoint: Checkpoint,
) -> Result<Beginning> {
    let mut simulation = scene.simulation()?;
    if checkpoint.state.q.len() != simulation.state.q.len() {
        return Err(Failure::bad_input(format!(
            "the checkpoint in `{}` has {} unknowns, its scene {}",
            directory.path().display(),
            checkpoint.state.q.len(),
            simulation.state.q.len()
        ))
        .help(
            "it was written by another version of the program: resume with that one, or start again with another `--out`",
        ));
    }
    simulation.state = checkpoint.state;
    simulation.statistics = checkpoint.statistics;
    let session = Session {
        simulation,
        directory,
        outputs: scene.outputs(),
        checkpoint_every: scene.checkpoint_every(),
        next: checkpoint.next_output,
        meter: Meter::start(checkpoint.usage),
        saved: Instant::now(),
    };
    session.log("resumed")?;
    Ok(Beginning::Resumed(session))
}

impl Session {
    fn log(&self, event: &str) -> Result<()> {
        let (time, step) = (self.simulation.state.time, self.simulation.state.step);
        let version = env!("CARGO_PKG_VERSION");
        self.directory.log(&format!(
            "{event} at t = {time} s, step {step}, by writhe {version}"
        ))?;
        Ok(())
    }
}

/// A directory that cannot be made is bad input, whatever the reason.
fn not_created(error: RunDirError, path: &Path) -> Failure {
    match error {
        RunDirError::AlreadyExists { .. } => Failure::bad_input(format!(
            "the run directory `{}` exists and is not empty",
            path.display()
        ))
        .help("continue its run with `--resume`, or choose another directory with `--out DIR`"),
        RunDirError::NotADirectory { path: in_the_way } => Failure::bad_input(format!(
            "the run directory `{}` cannot be made: `{}` is a file",
            path.display(),
            in_the_way.display()
        ))
        .help("choose another place with `--out DIR`"),
        RunDirError::Io { .. } if !path.exists() => Failure::bad_input(error.to_string()),
        error => error.into(),
    }
}

fn layout(model: &Model) -> RunLayout {
    let rods = model.topology.rods.iter().map(|rod| RodLayout {
        nodes: rod.nodes,
        closed: rod.closed,
    });
    let columns = observe::columns(model).into_iter();
    let own = OWN_COLUMNS.map(|(name, unit)| (name.to_owned(), unit));
    RunLayout {
        rods: rods.collect(),
        radius: model.radius.clone(),
        observables: columns
            .chain(own)
            .map(|(name, unit)| Column::new(name, unit))
            .collect(),
        ..RunLayout::default()
    }
}

/// The scene in the run directory is the truth: a resumed run must have the same.
fn check_same_scene(scene: &RunnableScene, path: &Path) -> Result<()> {
    let file = path.join("scene.toml");
    // Whatever else is wrong with the directory is told when it is opened.
    let Ok(of_run) = fs::read_to_string(&file) else {
        return Ok(());
    };
    if of_run == scene.toml() {
        return Ok(());
    }
    let mut message = format!(
        "the scene is not the one of the run in `{}`, which cannot change in the middle",
        path.display()
    );
    for line in differences(&of_run, scene.toml()) {
        message += "\n  ";
        message += &line;
    }
    Err(Failure::bad_input(message).help(format!(
        "resume the run as it was with `writhe run {} --out {} --resume`, or run the changed scene in another directory with \
         `--out DIR`",
        file.display(),
        path.display()
    )))
}

fn finished(path: &Path) -> Option<RunSummary> {
    let reader = RunReader::open(path).ok()?;
    reader
        .summary()
        .filter(|s| s.outcome == "finished")
        .cloned()
}

/// What a run may leave before its first checkpoint.
const BEFORE_CHECKPOINT: [&str; 6] = [
    "scene.toml",
    "trajectory.zarr",
    "observables.csv",
    "log.txt",
    ".lock",
    ".checkpoint.bin.tmp",
];

/// Empties the directory of a run that has no checkpoint yet; `error` if it holds anything else.
fn clear(path: &Path, error: RunDirError) -> Result<()> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(missing) if missing.kind() == ErrorKind::NotFound => return Ok(()),
        Err(_) => return Err(error.into()),
    };
    let names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    let known = |name: &String| {
        BEFORE_CHECKPOINT
            .iter()
            .any(|file| name == file || *name == format!(".{file}.tmp"))
    };
    if !names.iter().all(known) {
        return Err(error.into());
    }
    // Held by a process that makes this directory at this moment.
    if let Ok(lock) = File::open(path.join(".lock"))
        && let Err(TryLockError::WouldBlock) = lock.try_lock()
    {
        let path = path.to_path_buf();
        return Err(RunDirError::Busy { path }.into());
    }
    for name in names {
        let file = path.join(&name);
        let removed = if file.is_dir() {
            fs::remove_dir_all(&file)
        } else {
            fs::remove_file(&file)
        };
        removed.map_err(|error| {
            Failure::failed(format!("removing `{}` failed: {error}", file.display()))
        })?;
    }
    Ok(())
}
