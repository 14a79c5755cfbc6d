//! `writhe reproduce`: a paper's experiment, ours beside the paper's.

use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use writhe::solve::Poll;
use writhe_reproduce::bench::Span;
use writhe_reproduce::{Experiment, Options, ReproduceError, Watch, all, find, reproduce};

use crate::args::ReproduceArgs;
use crate::console;
use crate::format::{count, number};
use crate::interrupt::Interrupt;
use crate::report::{Failure, Result};

/// Runs what is not recorded yet, and prints the table.
///
/// # Errors
/// An experiment or row that does not exist, a file that cannot be used, an interrupt, rows that could not be measured.
pub fn run(args: &ReproduceArgs) -> Result<()> {
    let Some(name) = &args.name else {
        return console::print(&list());
    };
    let experiment = find(name).map_err(failure)?;
    let span = if args.quick { Span::Quick } else { Span::Full };
    if args.list {
        return console::print(&rows(experiment, span));
    }
    let options = Options {
        span,
        out: args
            .out
            .clone()
            .unwrap_or_else(|| Path::new("reproduce").join(name)),
        runs: args.runs.clone(),
        only: args.only.clone(),
    };
    let mut watch = Terminal::new(Interrupt::listen()?);
    let outcome = reproduce(experiment, &options, &mut watch);
    watch.bar.finish_and_clear();
    let outcome = outcome.map_err(failure)?;
    console::print(&outcome.text)?;
    if outcome.failed.is_empty() {
        return Ok(());
    }
    let reasons = outcome
        .failed
        .iter()
        .map(|(row, error)| format!("\n  {row}: {error}"));
    Err(Failure::failed(format!(
        "{} could not be measured:{}",
        count(outcome.failed.len(), "row"),
        reasons.collect::<String>()
    )))
}

fn list() -> String {
    let mut text = "Experiments:\n".to_owned();
    for experiment in all() {
        text += &format!("  {:<22} {}\n", experiment.name(), experiment.about());
    }
    text + "Run one with `writhe reproduce NAME`; `writhe reproduce NAME --list` shows its rows.\n"
}

fn rows(experiment: &dyn Experiment, span: Span) -> String {
    let mut text = format!("{}: {}\n", experiment.name(), experiment.about());
    for row in experiment.rows(span) {
        text += &format!("  {}\n", row.name());
    }
    text
}

fn failure(error: ReproduceError) -> Failure {
    let message = error.to_string();
    match error {
        ReproduceError::RunDirectory(error) => error.into(),
        ReproduceError::NoSuchExperiment { .. }
        | ReproduceError::NoSuchRow { .. }
        | ReproduceError::OtherRun { .. }
        | ReproduceError::OtherColumns { .. } => Failure::bad_input(message),
        _ => Failure::failed(message),
    }
}

/// Time between two updates of the line.
const UPDATE: Duration = Duration::from_millis(200);

/// One line that says what runs and how far it is; nothing where standard error is no terminal.
struct Terminal {
    interrupt: Interrupt,
    bar: ProgressBar,
    last: Instant,
}

impl Terminal {
    fn new(interrupt: Interrupt) -> Self {
        let target = ProgressDrawTarget::stderr_with_hz(5);
        let bar = ProgressBar::with_draw_target(Some(1000), target);
        // The template is constant and right: the plain bar is a fallback that is never seen.
        let style = ProgressStyle::with_template("{bar:16.cyan/dim} {wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("━━─");
        bar.set_style(style);
        Self {
            interrupt,
            bar,
            last: Instant::now(),
        }
    }
}

impl Watch for Terminal {
    fn say(&mut self, line: &str) {
        self.bar.println(line);
    }

    fn step(&mut self, name: &str, time: f64, end: f64) {
        if self.bar.is_hidden() || self.last.elapsed() < UPDATE {
            return;
        }
        self.last = Instant::now();
        self.bar.set_position((1000.0 * time / end) as u64);
        let (time, end) = (number(time, 5), number(end, 4));
        self.bar.set_message(format!("{name}: {time} of {end} s"));
    }

    fn stop(&self) -> bool {
        self.interrupt.requested()
    }

    fn poll(&self) -> Poll {
        self.interrupt.poll()
    }
}
