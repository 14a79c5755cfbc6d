//! A paper's experiment, ours beside the paper's.

use std::path::Path;

use writhe_cli::args::ValidateArgs;
use writhe_cli::commands;
use writhe_cli::console;
use writhe_cli::format::count;
use writhe_cli::interrupt;
use writhe_cli::report::{Failure, Result};
use writhe_reproduce::bench::Span;
use writhe_reproduce::{Experiment, Options, ReproduceError, all, find, reproduce};
use writhe_results::provenance::COMMIT;
use writhe_results::sources::{Checkout, Origin};

use crate::args::Arguments;
use crate::record::refused;
use crate::terminal::Terminal;

/// Runs what is not recorded yet, and prints the table.
///
/// # Errors
/// An experiment or row that does not exist, a file that cannot be used, an interrupt, rows that
/// could not be measured.
pub fn run(args: &Arguments) -> Result<()> {
    let Some(name) = &args.name else {
        return console::print(&list());
    };
    if let Some(case) = writhe_validate::catalogue::find(name) {
        return validate(case.name, args);
    }
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
        sources: sources(Origin::Experiment(name), args.again)?,
        again: args.again,
    };
    let mut watch = Terminal::new(interrupt::listen()?);
    let outcome = reproduce(experiment, &options, &mut watch);
    watch.clear();
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

/// Measures and records a case of `writhe validate`.
fn validate(case: &str, args: &Arguments) -> Result<()> {
    sources(Origin::Case(case), args.again)?;
    commands::validate::run(&ValidateArgs {
        cases: vec![case.to_owned()],
        list: args.list,
        quick: args.quick,
        csv: None,
        record: args.out.clone(),
        json: false,
    })
}

/// Hashes of sources of which a result counts as current, where the sources are those of this program:
/// `needed` to know what is outdated, without which rows that are there would pass for measured.
fn sources(origin: Origin, needed: bool) -> Result<Vec<String>> {
    match Checkout::of_program(COMMIT) {
        Ok(checkout) => {
            let hashes = checkout.hashes(origin, &checkout.same_bits());
            Ok(hashes.unwrap_or_default())
        }
        // The checkout has gone on, perhaps since others were measured.
        Err(error) if needed => Err(refused(error)),
        Err(_) => Ok(Vec::new()),
    }
}

fn list() -> String {
    let mut text = "Experiments:\n".to_owned();
    for experiment in all() {
        text += &format!("  {:<22} {}\n", experiment.name(), experiment.about());
    }
    text + "Run one with `writhe-papers NAME`; `writhe-papers NAME --list` shows its rows.\n"
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
