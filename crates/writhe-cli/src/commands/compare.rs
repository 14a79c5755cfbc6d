//! `writhe compare`: how far apart two runs are over time (T22 Eq. 22).

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use writhe_results::table::Table;
use writhe_rundir::{Comparison, Difference, RunReader};
use writhe_session::follow::Over;

use crate::args::CompareArgs;
use crate::console;
use crate::files;
use crate::format::{count, length, number};
use crate::report::{Failure, Result};

/// Times that are printed; all are in the CSV.
const PRINTED: usize = 20;

/// Prints the mean difference over time and where the runs differ most.
///
/// # Errors
/// When one of them is no run, when their nodes do not correspond, when they have no time in common, or
/// when what the one has for times is none of the other.
pub fn run(args: &CompareArgs) -> Result<()> {
    let runs = [
        RunReader::open(&args.first)?,
        RunReader::open(&args.second)?,
    ];
    refuse_other_times(&runs)?;
    let comparison = Comparison::new(&runs[0], &runs[1])?;
    if let Some(file) = &args.csv {
        for directory in [&args.first, &args.second] {
            files::refuse_run_files(directory, "--csv", file)?;
        }
        files::write_file(file, csv(comparison.differences()))?;
    }
    match args.json {
        true => console::print_json(&json(&comparison, [&args.first, &args.second])),
        false => console::print(&text(&comparison, [&args.first, &args.second])),
    }
}

/// The times of equilibria that follow a key are their numbers: they say the same of two runs only where
/// both follow this key.
fn refuse_other_times(runs: &[RunReader; 2]) -> Result<()> {
    let keys = runs
        .each_ref()
        .map(|run| run.summary().and_then(Over::of).map(|over| over.key));
    let paths = runs.each_ref().map(|run| run.path().display());
    let told = |index: usize| match &keys[index] {
        Some(key) => format!("`{}` follows equilibria over `{key}`", paths[index]),
        None => format!("`{}` is a run in time", paths[index]),
    };
    if keys[0] == keys[1] {
        return Ok(());
    }
    Err(Failure::bad_input(format!(
        "{}, and {}: their frames do not belong together",
        told(0),
        told(1)
    ))
    .help("compare two runs in time, or two of `writhe follow` over the same key"))
}

fn json(comparison: &Comparison, paths: [&Path; 2]) -> Value {
    let one = |d: &Difference| {
        json!({
            "time_s": d.time,
            "mean_m": d.mean,
            "mean_radii": d.mean_radii,
            "largest_m": d.largest.distance,
            "largest_radii": d.largest.radii,
            "rod": d.largest.rod,
            "node": d.largest.node,
        })
    };
    json!({
        "runs": paths.map(Path::to_string_lossy),
        "frames": comparison.frames,
        "largest_mean": one(comparison.largest_mean()),
        "largest_of_a_node": one(comparison.largest_node()),
        "differences": comparison.differences().iter().map(one).collect::<Vec<_>>(),
    })
}

fn text(comparison: &Comparison, paths: [&Path; 2]) -> String {
    let all = comparison.differences();
    let mut table = Table::new(&[
        "t, s",
        "mean, m",
        "mean, radii",
        "largest, m",
        "rod",
        "node",
    ]);
    for d in evenly(all) {
        table.row([
            number(d.time, 6),
            scientific(d.mean),
            scientific(d.mean_radii),
            scientific(d.largest.distance),
            d.largest.rod.to_string(),
            d.largest.node.to_string(),
        ]);
    }
    let mut text = format!(
        "{} against {}: {} of {} and {} frames are at common times\n\n{table}",
        paths[0].display(),
        paths[1].display(),
        all.len(),
        comparison.frames[0],
        comparison.frames[1],
    );
    if all.len() > PRINTED {
        let _ = writeln!(
            text,
            "({PRINTED} of {}; `--csv FILE` writes all)",
            count(all.len(), "time")
        );
    }
    let (mean, node) = (comparison.largest_mean(), comparison.largest_node());
    let _ = writeln!(
        text,
        "\nLargest mean: {} = {} radii, at t = {} s\nLargest of a node: {} = {} radii, rod {}, node {}, at t = {} s",
        length(mean.mean),
        number(mean.mean_radii, 4),
        number(mean.time, 6),
        length(node.largest.distance),
        number(node.largest.radii, 4),
        node.largest.rod,
        node.largest.node,
        number(node.time, 6),
    );
    text
}

fn scientific(value: f64) -> String {
    format!("{value:.4e}")
}

/// Evenly spaced entries, the first and the last among them.
fn evenly(all: &[Difference]) -> Vec<&Difference> {
    if all.len() <= PRINTED {
        return all.iter().collect();
    }
    let last = all.len() - 1;
    (0..PRINTED)
        .map(|i| &all[i * last / (PRINTED - 1)])
        .collect()
}

fn csv(all: &[Difference]) -> String {
    let mut text =
        String::from("t [s],mean [m],mean [radii],largest [m],largest [radii],rod [1],node [1]\n");
    for d in all {
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{}",
            d.time,
            d.mean,
            d.mean_radii,
            d.largest.distance,
            d.largest.radii,
            d.largest.rod,
            d.largest.node
        );
    }
    text
}
