//! The beginning of a run: a new directory, or the last checkpoint of an old one.

use std::fs;
use std::path::Path;

use writhe::certificate::Watch;
use writhe::simulation::Simulation;
use writhe::solve::Poll;
use writhe_rundir::{
    FUNCTIONS_FILE, Recording, RunDirError, RunDirectory, RunReader, RunSummary, outcome,
};

use super::lengthen::{self, Longer};
use super::{Led, OwnColumns, Session};
use crate::checkpoint::Checkpoint;
use crate::differences::differences;
use crate::failure::{Failure, Result};
use crate::findings::Findings;
use crate::follow::Over;
use crate::interrupt::Interrupt;
use crate::origin::{Origin, Start};
use crate::scene::RunnableScene;
use crate::shell;
use crate::usage::{Meter, Usage};

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

/// Begins the run of `scene` in the directory `path`, or goes on with it if `resume`; its steps
/// stop when `interrupt` says so. A run that goes on may become longer: `time.duration` may be more
/// than it was.
///
/// # Errors
/// When the directory exists and `resume` is off, holds another scene, or cannot be used.
pub fn begin(
    scene: &RunnableScene,
    path: &Path,
    resume: bool,
    interrupt: &Interrupt,
) -> Result<Beginning> {
    begin_from(None, scene, path, resume, interrupt)
}

/// The same of a run that begins where another one stood. A run that goes on does so by what it
/// kept of that; it is asked for again, or not.
///
/// # Errors
/// Those of [`begin`], and where the other run is no beginning for this one.
pub fn begin_from(
    origin: Option<&Origin>,
    scene: &RunnableScene,
    path: &Path,
    resume: bool,
    interrupt: &Interrupt,
) -> Result<Beginning> {
    let poll = interrupt.poll();
    if !resume {
        return start(origin, scene, path, &poll);
    }
    // Before anything of the run is changed, and also where nothing is left to do.
    check_same_origin(origin, path)?;
    check_not_followed(path)?;
    RunDirectory::restore_scene(path, scene.toml())?;
    let (longer, notes) = match lengthen::prepare(scene, path)? {
        Some(Longer { scene, notes }) => (Some(scene), notes),
        None => (None, Vec::new()),
    };
    let scene = longer.as_ref().unwrap_or(scene);
    check_same_scene(scene, path)?;
    if let Some(summary) = finished(path) {
        return Ok(Beginning::AlreadyFinished(summary));
    }
    check_not_led(path)?;
    match RunDirectory::resume_if_started::<Checkpoint>(path)? {
        Some((directory, checkpoint)) => {
            let began = RunDirectory::start::<Start>(path)?;
            go_on(scene, directory, checkpoint, (began, notes), poll)
        }
        None => start(origin, scene, path, &poll),
    }
}

/// A run that goes on, or is over, began where it did. One without a checkpoint begins again, wherever
/// it is asked to.
fn check_same_origin(origin: Option<&Origin>, path: &Path) -> Result<()> {
    let Some(origin) = origin else {
        return Ok(());
    };
    // What is wrong with a checkpoint is told when it is opened.
    if RunDirectory::checkpoints::<Checkpoint>(path).is_err() {
        return Ok(());
    }
    let asked = origin.to_string();
    let is_asked =
        |from: &str| from == asked || Origin::parse(from).is_ok_and(|from| from.is_same(origin));
    let how = match RunDirectory::start::<Start>(path)? {
        Some(start) if is_asked(&start.from) => return Ok(()),
        Some(start) => format!("from `{}`", start.from),
        None => "where its scene says".to_owned(),
    };
    Err(Failure::bad_input(format!(
        "the run in `{}` began {how}, not from `{asked}`",
        path.display()
    ))
    .help("leave `--from` out to go on with it, or choose another directory with `--out DIR`"))
}

fn start(
    origin: Option<&Origin>,
    scene: &RunnableScene,
    path: &Path,
    poll: &Poll,
) -> Result<Beginning> {
    let start = origin.map(|origin| start_of(origin, scene)).transpose()?;
    let place = start.as_ref().map(|start| &start.place);
    let simulation = scene.beginning_at(place, poll)?;
    let mut session = prepare(scene, simulation, path, None)?;
    if let Some(start) = start {
        session.keep_start(start)?;
    }
    session.begin()?;
    Ok(Beginning::New(session))
}

/// Where a run of this scene begins that begins where another one stood.
///
/// # Errors
/// When the other run cannot be read, or is no beginning for this scene.
pub fn start_of(origin: &Origin, scene: &RunnableScene) -> Result<Start> {
    let model = scene.simulation()?.model;
    origin.read(&model, &scene.names(&model))
}

/// A new run of `simulation`, of this scene, before its first output; with what leads it, if the
/// scene alone does not.
pub(super) fn prepare(
    scene: &RunnableScene,
    simulation: Simulation,
    path: &Path,
    led: Option<Led>,
) -> Result<Session> {
    let outputs = scene.outputs();
    let watch = watch(scene, &simulation)?;
    let is_led = led.is_some();
    let (functions, shown) = led.map_or((None, Vec::new()), |led| (Some(led.functions), led.shown));
    let own = OwnColumns::new(watch.as_ref(), shown);
    let names = scene.names(&simulation.model);
    let recording = Recording::create(path, scene.toml(), simulation, outputs, own)
        .map_err(|error| not_created(error, path))?
        .ended_by(scene.stop());
    // Functions that lead a run act at output times, on the state there.
    let recording = match is_led {
        true => recording,
        false => recording.passing_outputs(),
    };
    let mut session = Session {
        recording,
        checkpoint_every: scene.checkpoint_every(),
        checkpoint_owed: false,
        meter: Meter::start(Usage::default()),
        watch,
        findings: Findings::default(),
        surroundings: scene.surroundings(),
        names,
        notes: Vec::new(),
    };
    if let Some(functions) = functions {
        session.recording.directory().led_by(&functions)?;
    }
    session.log("started")?;
    Ok(session)
}

fn go_on(
    scene: &RunnableScene,
    directory: RunDirectory,
    checkpoint: Checkpoint,
    (began, notes): (Option<Start>, Vec<String>),
    poll: Poll,
) -> Result<Beginning> {
    let mut simulation = scene.simulation()?;
    if let Some(start) = began {
        scene.place(&mut simulation, &start.place)?;
    }
    directory.check_fit(&checkpoint.state, &simulation.model)?;
    // The start is what the watch compares with.
    let mut watch = watch(scene, &simulation)?;
    if let (Some(watch), Some(record)) = (&mut watch, checkpoint.certified) {
        watch.record = record;
    }
    simulation.state = checkpoint.state;
    simulation.statistics = checkpoint.statistics;
    simulation.ask(poll);
    let outputs = scene.outputs();
    // Where a shorter run ended between two outputs, one of them is still to come.
    let next = outputs
        .after(simulation.state.time)
        .min(checkpoint.next_output);
    let own = OwnColumns::new(watch.as_ref(), Vec::new());
    let names = scene.names(&simulation.model);
    let mut session = Session {
        recording: Recording::resumed(directory, simulation, outputs, next, own)
            .ended_by(scene.stop())
            .passing_outputs(),
        checkpoint_every: scene.checkpoint_every(),
        checkpoint_owed: false,
        meter: Meter::start(checkpoint.usage),
        watch,
        findings: checkpoint.findings,
        surroundings: scene.surroundings(),
        names,
        notes,
    };
    session.log("resumed")?;
    session.log_notes()?;
    Ok(Beginning::Resumed(session))
}

/// The watch over the certificate of a run that is at its start.
fn watch(scene: &RunnableScene, simulation: &Simulation) -> Result<Option<Watch>> {
    let Simulation { model, state, .. } = simulation;
    Watch::start(model, state, scene.certify()).map_err(|source| {
        let time = state.time;
        RunDirError::StateNotShown { time, source }.into()
    })
}

impl Session {
    /// Writes the state at the start, which is the first output.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.frame()?;
        self.checkpoint()
    }

    /// Keeps where the run began that began where another one stood.
    pub(super) fn keep_start(&mut self, start: Start) -> Result<()> {
        self.recording.directory().keep_start(&start)?;
        self.notes = start.notes;
        self.log_notes()
    }

    fn log_notes(&mut self) -> Result<()> {
        for note in self.notes.clone() {
            self.recording.directory().log(&note)?;
        }
        Ok(())
    }

    fn log(&mut self, event: &str) -> Result<()> {
        let (time, step) = self.now();
        let version = env!("CARGO_PKG_VERSION");
        self.recording.directory().log(&format!(
            "{event} at t = {time} s, after step {step}, by writhe {version}"
        ))?;
        Ok(())
    }
}

/// What functions of a program led, no directory holds.
fn check_not_led(path: &Path) -> Result<()> {
    if !path.join(FUNCTIONS_FILE).exists() {
        return Ok(());
    }
    let message = format!(
        "the run in `{}` followed functions of a program, which its directory does not hold",
        path.display()
    );
    Err(Failure::bad_input(message).help("run the program again, into another directory"))
}

/// Equilibria that follow a key are no steps, and no run goes on from them.
fn check_not_followed(path: &Path) -> Result<()> {
    // What is wrong with a summary is told when the directory is opened.
    let summary = RunSummary::read(path).ok().flatten();
    let Some(over) = summary.and_then(|summary| Over::of(&summary)) else {
        return Ok(());
    };
    let message = format!(
        "`{}` holds equilibria over `{}`, which no run goes on from",
        path.display(),
        over.key
    );
    Err(Failure::bad_input(message).help(
        "follow all anew with `writhe follow` and `--force`, or begin a run at one of them with `--from`",
    ))
}

/// A directory that cannot be made is bad input, whatever the reason.
pub(super) fn not_created(error: RunDirError, path: &Path) -> Failure {
    match error {
        RunDirError::AlreadyExists { .. } => Failure::bad_input(format!(
            "the run directory `{}` exists and is not empty",
            path.display()
        ))
        .help("continue its run with `--resume`, or choose another directory with `--out DIR`; `--force` replaces it"),
        RunDirError::NotADirectory { path: in_the_way } => Failure::bad_input(format!(
            "the run directory `{}` cannot be made: `{}` is a file",
            path.display(),
            in_the_way.display()
        ))
        .help("choose another place with `--out DIR`"),
        RunDirError::Io { source, .. } if !path.exists() => Failure::bad_input(format!(
            "the run directory `{}` cannot be made: {source}",
            path.display()
        ))
        .help("choose another place with `--out DIR`"),
        error => error.into(),
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
    if let Err(failure) = RunnableScene::of_run(&of_run) {
        return Err(Failure::bad_input(format!(
            "`{}` is damaged: {}",
            file.display(),
            failure.message()
        ))
        .help(
            "resume the run by the scene that it had, duration included: the file is written again",
        ));
    }
    let mut message = format!(
        "the scene differs from that of the run in `{}`, and a run cannot change in the middle",
        path.display()
    );
    for line in differences(&of_run, scene.toml()) {
        message += "\n  ";
        message += &line;
    }
    Err(Failure::bad_input(message).help(format!(
        "resume the run as it was with `writhe run {} --out {} --resume`, or run the changed scene in another directory with \
         `--out DIR`",
        shell::path(&file),
        shell::path(path)
    )))
}

/// The summary of a run that is over and of which nothing is missing.
fn finished(path: &Path) -> Option<RunSummary> {
    let reader = RunReader::open(path).ok()?;
    let summary = reader
        .summary()
        .filter(|s| s.outcome == outcome::FINISHED)?;
    RunDirectory::is_intact::<Checkpoint>(path).then(|| summary.clone())
}
