//! The rows of an experiment, one after the other.

use std::fs;
use std::path::Path;

use writhe_results::table::Table;
use writhe_rundir::processor_time;

use crate::bench::{Bench, Options};
use crate::error::{ReproduceError, Result};
use crate::experiments::{Experiment, Row};
use crate::rows::Rows;
use crate::watch::Watch;

/// What came of it.
#[derive(Debug)]
pub struct Outcome {
    /// The experiment in words, and its table.
    pub text: String,
    /// Rows that could not be measured, and why.
    pub failed: Vec<(String, ReproduceError)>,
}

/// Measures the rows of `experiment` that are not recorded yet, on one thread, and shows all of
/// them, in `NAME.txt` too.
///
/// # Errors
/// When the user stops it or a file cannot be used. A row that cannot be measured is part of the
/// outcome.
pub fn reproduce(
    experiment: &dyn Experiment,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Outcome> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| ReproduceError::Threads(error.to_string()))?;
    pool.install(|| on_this_thread(experiment, options, watch))
}

fn on_this_thread(
    experiment: &dyn Experiment,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Outcome> {
    let all = experiment.rows(options.span);
    let names: Vec<&str> = all.iter().map(Row::name).collect();
    check_only(experiment, &names, &options.only)?;
    for folder in [&options.out, &options.runs] {
        fs::create_dir_all(folder)
            .map_err(|error| ReproduceError::io("creating", folder, error))?;
    }
    let file = format!("{}{}.csv", experiment.name(), options.span.suffix());
    let path = options.out.join(file);
    let mut rows = match Rows::open(&path, &columns(experiment)) {
        // What is recorded in another form is of other sources.
        Err(ReproduceError::OtherColumns { .. }) if options.again => {
            fs::remove_file(&path).map_err(|e| ReproduceError::io("removing", &path, e))?;
            Rows::open(&path, &columns(experiment))?
        }
        rows => rows?,
    };
    let mut failed = Vec::new();
    let mut bench = Bench::new(options, watch);
    let wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|o| o == name);
    for row in all.iter().filter(|row| wanted(row.name())) {
        let name = row.name();
        if is_there(&rows, name, options) {
            continue;
        }
        bench.say(&format!("{}: {name}", experiment.name()));
        let clock = processor_time();
        match row.measure(&mut bench) {
            Ok(mut values) => {
                values.insert(0, name.to_owned());
                let cpu = processor_time() - clock;
                rows.add(values, cpu, options.sources.first().map(String::as_str))?;
            }
            Err(ReproduceError::Interrupted) => return Err(ReproduceError::Interrupted),
            Err(error) => failed.push((name.to_owned(), error)),
        }
    }
    let done: Vec<&str> = names.into_iter().filter(|name| rows.has(name)).collect();
    let mut text = format!("{}: {}\n\n", experiment.name(), experiment.about());
    text += &printed(experiment, &rows, &done);
    text += &format!("\n{}\n", experiment.notes(&rows, &bench));
    for line in experiment.finish(&rows, &mut bench)? {
        text += &format!("{line}\n");
    }
    bench.write(
        &format!("{}{}.txt", experiment.name(), bench.span.suffix()),
        text.as_bytes(),
    )?;
    text += &format!("All is in {}\n", options.out.display());
    Ok(Outcome { text, failed })
}

/// Whether a row need not be measured.
fn is_there(rows: &Rows, name: &str, options: &Options) -> bool {
    match options.again && !options.sources.is_empty() {
        true => rows.is_current(name, &options.sources),
        false => rows.has(name),
    }
}

/// The rows of an experiment that are recorded in the folder `out`; `None` if they are of a version
/// with other columns.
///
/// # Errors
/// When the file cannot be read.
pub fn recorded(experiment: &dyn Experiment, out: &Path) -> Result<Option<Rows>> {
    let file = out.join(format!("{}.csv", experiment.name()));
    match Rows::open(&file, &columns(experiment)) {
        Err(ReproduceError::OtherColumns { .. }) => Ok(None),
        rows => rows.map(Some),
    }
}

fn columns(experiment: &dyn Experiment) -> Vec<&'static str> {
    let own = experiment.columns().iter().map(|(name, _)| *name);
    std::iter::once("row").chain(own).collect()
}

/// The table of those columns that have a short heading.
fn printed(experiment: &dyn Experiment, rows: &Rows, done: &[&str]) -> String {
    let shown: Vec<_> = experiment
        .columns()
        .iter()
        .filter(|(_, heading)| !heading.is_empty())
        .collect();
    let headings = shown.iter().map(|(_, heading)| *heading);
    let header: Vec<&str> = std::iter::once("row").chain(headings).collect();
    let mut table = Table::new(&header).with_text(1);
    for name in done {
        let value = |column: &str| rows.text(name, column).unwrap_or_default().to_owned();
        let values = shown.iter().map(|(column, _)| value(column));
        table.row(std::iter::once((*name).to_owned()).chain(values));
    }
    table.to_string()
}

fn check_only(experiment: &dyn Experiment, names: &[&str], only: &[String]) -> Result<()> {
    match only.iter().find(|row| !names.contains(&row.as_str())) {
        None => Ok(()),
        Some(row) => Err(ReproduceError::NoSuchRow {
            experiment: experiment.name(),
            row: row.clone(),
            known: names.join(", "),
        }),
    }
}
