//! `writhe-papers record`: everything that is committed under `validation`, measured by one version
//! of the program.
//!
//! [`results`] says what there is and what is of other sources, [`jobs`] runs it in processes,
//! [`status`] tells what is outdated. A process measures an experiment or a case, one thread each,
//! and records row by row: whatever is killed goes on with the same command.

mod jobs;
mod results;
mod status;

use writhe_cli::format::{count, duration};
use writhe_cli::report::{Failure, Result};
use writhe_cli::{console, interrupt};
use writhe_results::provenance::COMMIT;
use writhe_results::sources::{Checkout, SourceError};
use writhe_results::table::{Table, number};

use crate::args::{OutdatedArgs, RecordArgs};
use jobs::{Job, run_all};
use results::Recorded;

/// Records what is missing or of other sources.
///
/// # Errors
/// Where sources are not those of a commit, a name is unknown, a file cannot be used, or something
/// could not be measured.
pub fn run(args: &RecordArgs) -> Result<()> {
    let checkout = Checkout::of_program(COMMIT).map_err(refused)?;
    let mut todo: Vec<Recorded> = results::all(&args.out, &checkout)?
        .into_iter()
        .filter(|result| !result.outdated.is_empty())
        .collect();
    results::keep_only(&mut todo, &args.only)?;
    // Cheapest first; what was never timed by what its kind takes.
    todo.sort_by(|a, b| a.estimate().total_cmp(&b.estimate()));
    console::print(&plan(&todo, args.jobs))?;
    if args.list || todo.is_empty() {
        return Ok(());
    }
    let program = std::env::current_exe()
        .map_err(|error| Failure::failed(format!("this program cannot be found: {error}")))?;
    let jobs: Vec<Job> = todo
        .iter()
        .map(|result| Job::new(result, &program, args))
        .collect();
    let interrupt = interrupt::listen()?;
    let failed = run_all(jobs, args.jobs, &|| interrupt.requested(), &mut |line| {
        console::print(&format!("{line}\n"))
    })?;
    if interrupt.requested() {
        return Err(Failure::failed(
            "stopped by the user; the same command goes on from here",
        ));
    }
    if failed.is_empty() {
        return console::print("All is recorded.\n");
    }
    Err(
        Failure::failed(format!("not all could be recorded: {}", failed.join(", ")))
            .help("the messages are in the logs that the lines above name"),
    )
}

/// Tells what is recorded of other sources than those that stand here.
///
/// # Errors
/// Where there is no checkout, or a file cannot be read.
pub fn outdated(args: &OutdatedArgs) -> Result<()> {
    let checkout = Checkout::here().map_err(refused)?;
    let results = results::all(&args.out, &checkout)?;
    console::print(&status::tell(&results))
}

/// What will be done, and what it costs.
fn plan(todo: &[Recorded], jobs: usize) -> String {
    if todo.is_empty() {
        return "Everything is recorded, of these sources.\n".to_owned();
    }
    let mut table =
        Table::new(&["result", "rows", "processor time, s", "never timed"]).with_text(1);
    for result in todo {
        let timed = result.timed();
        table.row([
            result.name.clone(),
            result.outdated.len().to_string(),
            number(timed.map(|(seconds, _)| seconds), 3),
            match timed.map_or(result.outdated.len(), |(_, others)| others) {
                0 => String::new(),
                others => others.to_string(),
            },
        ]);
    }
    let total: f64 = todo.iter().map(Recorded::estimate).sum();
    let rows = todo.iter().map(|result| result.outdated.len()).sum();
    format!(
        "{table}\n{} of {}: about {} of processor time, {jobs} at a time. Rows that were never timed count as {} s.\n",
        count(rows, "row"),
        count(todo.len(), "result"),
        duration(total),
        results::NEVER_TIMED,
    )
}

/// Why nothing can be recorded that names its sources.
pub(crate) fn refused(error: SourceError) -> Failure {
    let remedy = match &error {
        SourceError::NoCheckout => "call it in a clone of Writhe",
        SourceError::Changed(_) => "commit or stash the changes, and build the program again",
        SourceError::OtherCommit { .. } => {
            "build it again: `cargo run --release -p writhe-papers -- record`"
        }
    };
    Failure::bad_input(format!("what is recorded must name its sources: {error}")).help(remedy)
}
