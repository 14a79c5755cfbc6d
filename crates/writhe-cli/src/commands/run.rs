//! `writhe run`: simulates a scene into a run directory.

use std::io::IsTerminal;
use std::path::Path;

use writhe::simulation::SimulationError;
use writhe_rundir::{RunSummary, outcome};

use crate::args::{GeneralArgs, RunArgs};
use crate::console;
use crate::crush::Crush;
use crate::files;
use crate::format::{count, number, short_time};
use crate::interrupt;
use crate::origin::Origin;
use crate::progress::Progress;
use crate::report::{Failure, Result};
use crate::scene::{self, RunnableScene};
use crate::session::{Beginning, Outcome, Session, begin_from};
use crate::shell;
use crate::summary;
use crate::view::browser;
use crate::view::server::Server;

/// Simulates, and says how it went.
///
/// # Errors
/// Bad input, a directory that cannot be written, a simulation that failed, an interrupt by the
/// user.
pub fn run(args: &RunArgs, general: &GeneralArgs) -> Result<()> {
    console::set_json(args.json);
    let scene = scene::read(&args.scene, args.duration.as_deref())?;
    let directory = args
        .out
        .clone()
        .unwrap_or_else(|| Path::new("runs").join(scene.name()));
    // From the first file on: a request to stop must not find the process deaf.
    let interrupt = interrupt::listen()?;
    let origin = args.from.as_deref().map(Origin::parse).transpose()?;
    let (origin, resume) = (origin.as_ref(), args.resume);
    if args.force {
        refuse_own_origin(origin, &directory)?;
        files::remove_run(&scene, &args.scene.file, &directory)?;
    }
    let mut session = match begin_from(origin, &scene, &directory, resume, &interrupt)? {
        Beginning::New(session) => {
            console::tell(&start_line(&scene, &session, ""))?;
            tell_notes(&session)?;
            for warning in scene.warnings()? {
                console::print_error(&format!("{warning}\n"));
            }
            session
        }
        Beginning::Resumed(session) => {
            let from = format!(" from t = {} s", number(session.simulation().state.time, 6));
            console::tell(&start_line(&scene, &session, &from))?;
            tell_notes(&session)?;
            session
        }
        Beginning::AlreadyFinished(done) => {
            console::tell("Nothing to do, this run is over.\n")?;
            return tell_summary(args, &done, &directory);
        }
    };
    let watcher = if args.live {
        let server = Server::bind(session.path(), None)?;
        let address = server.address();
        console::tell(&format!("Watch it at {address}\n"))?;
        if !args.no_open {
            browser::open(&address);
        }
        session = session.watched();
        Some(server.start())
    } else {
        None
    };
    let mut progress = Progress::new(session.simulation().state.time, session.outputs().end());
    let outcome = session.advance(&interrupt, |simulation, report| {
        progress.step(simulation.state.time, report);
    });
    progress.clear();
    if let Some(watcher) = watcher {
        watcher.wait_until_the_end_is_told();
    }
    match outcome? {
        Outcome::Finished(reason) => tell_summary(
            args,
            &session.summary(outcome::FINISHED, &reason),
            session.path(),
        ),
        Outcome::Stopped(reason) => tell_summary(
            args,
            &session.summary(outcome::STOPPED, &reason),
            session.path(),
        ),
        Outcome::Interrupted => Err(interrupted(args, general, &session)),
        Outcome::Failed(error) => Err(failed(&error, &session)),
    }
}

/// The summary in words, or as the JSON that is in the run directory; what it warns of is told in
/// any case.
fn tell_summary(args: &RunArgs, summary: &RunSummary, directory: &Path) -> Result<()> {
    // The words hold the warnings, too.
    if args.json || console::is_quiet() {
        for warning in summary::warnings(summary, directory) {
            console::print_error(&format!("warning: {warning}\n"));
        }
    }
    if !args.json {
        return console::tell(&summary::text(summary, directory));
    }
    let json = serde_json::to_value(summary)
        .map_err(|error| Failure::failed(format!("the summary cannot be told: {error}")))?;
    console::print_json(&json)
}

/// A run does not begin where it stood that it replaces.
fn refuse_own_origin(origin: Option<&Origin>, directory: &Path) -> Result<()> {
    let same = |origin: &Origin| {
        let (a, b) = (origin.directory.canonicalize(), directory.canonicalize());
        matches!((&a, &b), (Ok(a), Ok(b)) if a.starts_with(b))
    };
    match origin.is_some_and(same) {
        true => Err(Failure::bad_input(format!(
            "--force would remove `{}`, where this run is to begin",
            directory.display()
        ))
        .help("choose another directory with `--out DIR`")),
        false => Ok(()),
    }
}

fn tell_notes(session: &Session) -> Result<()> {
    for note in session.notes() {
        console::tell(&format!("Note: {note}\n"))?;
    }
    Ok(())
}

fn start_line(scene: &RunnableScene, session: &Session, from: &str) -> String {
    let topology = &session.simulation().model.topology;
    let how_to_stop = if std::io::stderr().is_terminal() {
        " (Ctrl-C saves and stops)"
    } else {
        ""
    };
    format!(
        "Simulating {}: {}, {}, {} s{from} -> {}{how_to_stop}\n",
        scene.name(),
        count(topology.rods.len(), "rod"),
        count(topology.nodes(), "node"),
        number(session.outputs().end(), 6),
        session.path().display(),
    )
}

fn interrupted(args: &RunArgs, general: &GeneralArgs, session: &Session) -> Failure {
    let state = &session.simulation().state;
    Failure::failed(format!(
        "interrupted at t = {} s after {}; all is saved in `{}`",
        number(state.time, 6),
        count(state.step as usize, "step"),
        session.path().display()
    ))
    .help(format!(
        "go on with: {}",
        resume_command(args, general, session.path())
    ))
}

/// The same command with `--resume`.
fn resume_command(args: &RunArgs, general: &GeneralArgs, directory: &Path) -> String {
    let mut words = vec![
        "writhe".to_owned(),
        "run".to_owned(),
        shell::path(&args.scene.file),
    ];
    for set in &args.scene.set {
        words.push("--set".to_owned());
        words.push(shell::word(&set.to_string()));
    }
    if let Some(duration) = &args.duration {
        words.push("--duration".to_owned());
        words.push(shell::word(duration));
    }
    if let Some(from) = &args.from {
        // One word, for a directory may begin as options do; and the run is asked for again by the
        // name that it was begun from.
        words.push(format!("--from={}", shell::word(from)));
    }
    if let Some(threads) = general.threads {
        words.push("--threads".to_owned());
        words.push(threads.to_string());
    }
    for (wanted, option) in [(general.quiet, "--quiet"), (args.json, "--json")] {
        if wanted {
            words.push(option.to_owned());
        }
    }
    words.push("--out".to_owned());
    words.push(shell::path(directory));
    words.push("--resume".to_owned());
    words.join(" ")
}

fn failed(error: &SimulationError, session: &Session) -> Failure {
    let (directory, typed) = (session.path().display(), shell::path(session.path()));
    let saved = format!(
        "The last good state is saved in {directory} as its last frame (look at it with `writhe render {typed}`) and as a \
         checkpoint."
    );
    let (step, time, dt, cause, remedy, how) = match error {
        SimulationError::StepTooSmall {
            step,
            time,
            dt,
            cause,
            remedy,
        } => (step, time, dt, cause, remedy, "even with a size of"),
        SimulationError::FixedStep {
            step,
            time,
            dt,
            cause,
            remedy,
        } => (step, time, dt, cause, remedy, "with its fixed size of"),
        error => {
            let message = format!("the simulation cannot go on: {error}");
            return Failure::failed(session.names().tell(&message)).help(saved);
        }
    };
    let crush = Crush::of(&session.simulation().model, &session.simulation().state);
    let (cause, remedy) = match crush {
        None => (cause.to_string(), (*remedy).to_owned()),
        Some(crush) => (
            format!("{}.\nWhat gave way: {cause}", crush.cause()),
            crush.remedy(),
        ),
    };
    let cause = session.names().tell(&cause);
    Failure::failed(format!(
        "the simulation cannot go on: step {} at t = {} s failed {how} {}:\n{cause}",
        step + 1,
        number(*time, 9),
        short_time(*dt),
    ))
    .help(format!("try {remedy}.\n{saved}"))
}
