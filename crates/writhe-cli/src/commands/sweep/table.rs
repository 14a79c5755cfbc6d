//! What a sweep came to, as text.

use std::path::Path;

use writhe_results::table::{Table, number};
use writhe_rundir::outcome;
use writhe_sweep::{Results, Row};

use crate::report::{Failure, Result};
use crate::shell;

/// Observables that are shown unless some are named, where values differ.
const USUAL: [&str; 3] = ["energy_bend", "energy_twist", "contact_force"];
/// Names that end so are shown, too.
const ENDING: &str = "pull_force";
/// Observables shown at most, unless they are named.
const MOST: usize = 4;

/// The table.
///
/// # Errors
/// A name to show that no run has.
pub fn text(results: &Results, show: &[String]) -> Result<String> {
    let columns = columns(results, show)?;
    let keys = results.parameters.iter();
    let keys = keys.map(|p| p.short(&results.parameters).to_owned());
    let unit = |name: &str| {
        let known = results.columns.iter().find(|(known, _)| known == name);
        known.map_or(String::new(), |(_, unit)| match unit.as_str() {
            "1" | "" => String::new(),
            unit => format!(" [{unit}]"),
        })
    };
    let titles = ["simulated", "steps"]
        .into_iter()
        .chain(columns.iter().map(String::as_str));
    let titles = titles.map(|name| format!("{name}{}", unit(name)));
    let header: Vec<String> = keys.chain(["outcome".to_owned()]).chain(titles).collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let texts = results.parameters.len() + 1;
    let mut table = Table::new(&header).with_text(texts);
    for row in &results.rows {
        let value = |name: &str| number(row.values.get(name).copied(), 4);
        let counts = [
            value("simulated"),
            row.values
                .get("steps")
                .map_or(String::new(), |n| format!("{n}")),
        ];
        let cells = row
            .point
            .values
            .iter()
            .cloned()
            .chain([row.outcome.clone()]);
        let cells = cells
            .chain(counts)
            .chain(columns.iter().map(|name| value(name)));
        table.row(cells);
    }
    let mut text = table.to_string();
    for row in results.rows.iter().filter(|row| is_told(row)) {
        text += &format!("{} {}: {}\n", row.point.name, row.outcome, row.reason);
    }
    Ok(text)
}

/// Where everything is, and how to draw it.
///
/// # Errors
/// A name to show that no run has.
pub fn next_steps(results: &Results, show: &[String], folder: &Path) -> Result<String> {
    let (typed, folder) = (shell::path(folder), folder.display());
    let mut text = format!(
        "Observables are those of the last moment; all of them are in {folder}/results.csv and results.json\n"
    );
    let ended_well = |row: &Row| !row.values.is_empty() && row.outcome != outcome::FAILED;
    if results.rows.iter().any(ended_well) {
        let columns = columns(results, show)?;
        let first = columns.first().map_or("energy_bend", String::as_str);
        let key = shell::word(&results.parameters[0].key);
        text += &format!("curves: writhe plot {typed} {first} --against {key}\n");
    }
    Ok(text)
}

/// Whether its reason is more than the end of the run.
fn is_told(row: &Row) -> bool {
    !row.reason.is_empty() && row.outcome != outcome::FINISHED
}

fn columns(results: &Results, show: &[String]) -> Result<Vec<String>> {
    let known = || results.columns.iter().map(|(name, _)| name);
    if show.is_empty() {
        let values = |name: &str| -> Vec<f64> {
            let rows = results.rows.iter();
            rows.filter_map(|row| row.values.get(name).copied())
                .collect()
        };
        let differs = |name: &&String| {
            let values = values(name);
            values.windows(2).any(|pair| pair[0] != pair[1])
        };
        let wanted = |name: &&String| USUAL.contains(&name.as_str()) || name.ends_with(ENDING);
        let found = known().filter(wanted).filter(differs).take(MOST);
        return Ok(found.cloned().collect());
    }
    // A sweep without a single run has no columns.
    let missing = show
        .iter()
        .find(|name| !known().any(|known| known == *name));
    match missing {
        Some(name) if results.rows.iter().any(|row| !row.values.is_empty()) => {
            let all: Vec<&str> = known().map(String::as_str).collect();
            Err(Failure::bad_input(format!("no run has a column `{name}`"))
                .help(format!("there are {}", all.join(", "))))
        }
        Some(_) => Ok(Vec::new()),
        None => Ok(show.to_vec()),
    }
}
