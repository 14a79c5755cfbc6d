//! The table of what the runs of a sweep came to, as rows, CSV and JSON.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};
use writhe_rundir::{RunReader, RunSummary, outcome};
use writhe_session::failure::Result;

use crate::axis::Axis;
use crate::parameter::Parameter;
use crate::point::Point;
use crate::record::replace;
use crate::state::State;
use crate::sweep::Sweep;

/// Names of the files.
pub const FILES: [&str; 2] = ["results.csv", "results.json"];

/// The outcome of a point while there is no end.
pub const MISSING: &str = "missing";

/// The outcome of a point whose run is over and cannot be read: it has no values.
pub const DAMAGED: &str = "damaged";

/// What the summary tells of every run, with units.
pub const COUNTS: [(&str, &str); 6] = [
    ("simulated", "s"),
    ("steps", "1"),
    ("rejected_steps", "1"),
    ("newton_iterations", "1"),
    ("first_contact", "s"),
    ("least_gap", "m"),
];

/// What a point came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The point.
    pub point: Point,
    /// `finished`, `stopped`, `failed`, `damaged` where its run cannot be read, or `missing` while
    /// there is no end.
    pub outcome: String,
    /// Why it ended so.
    pub reason: String,
    /// Counts and, of the last row of its table, observables, by column.
    pub values: BTreeMap<String, f64>,
}

/// What all points came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// Keys and values.
    pub parameters: Vec<Parameter>,
    /// Their values as numbers of one unit, where they are.
    pub axes: Vec<Option<Axis>>,
    /// Columns with their units, in order.
    pub columns: Vec<(String, String)>,
    /// A row for each point.
    pub rows: Vec<Row>,
}

impl Results {
    /// What the runs of a sweep came to so far; `failures` are why points have no run, by their
    /// index.
    pub fn of(sweep: &Sweep, failures: &BTreeMap<usize, String>) -> Self {
        let counts = COUNTS.map(|(name, unit)| (name.to_owned(), unit.to_owned()));
        let mut columns = counts.to_vec();
        let row = |point: &Point| {
            let (outcome, reason, values) = match Ended::of(&sweep.directory(point)) {
                Ended::Whole(summary, reader) => {
                    let values = values_of(&summary, &reader, &mut columns);
                    (summary.outcome, summary.reason, values)
                }
                Ended::Damaged(reason) => (DAMAGED.to_owned(), reason, BTreeMap::new()),
                Ended::Not => match failures.get(&point.index) {
                    Some(reason) => (outcome::FAILED.to_owned(), reason.clone(), BTreeMap::new()),
                    None => (MISSING.to_owned(), String::new(), BTreeMap::new()),
                },
            };
            Row {
                point: point.clone(),
                outcome,
                reason,
                values,
            }
        };
        let rows = sweep.points().iter().map(row).collect();
        Self {
            parameters: sweep.parameters().to_vec(),
            axes: sweep.axes().to_vec(),
            columns,
            rows,
        }
    }

    /// Writes `results.csv` and `results.json` into the folder.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let [csv, json] = FILES;
        replace(&folder.join(csv), &self.to_csv())?;
        let text = serde_json::to_string_pretty(&self.to_json()).unwrap_or_default();
        replace(&folder.join(json), &(text + "\n"))
    }

    /// A row for each point: name, keys, outcome, reason, columns.
    pub fn to_csv(&self) -> String {
        let keys = self.parameters.iter().map(|p| quoted(&p.key));
        let columns = self.columns.iter();
        let columns = columns.map(|(name, unit)| format!("{name} [{unit}]"));
        let header = ["run".to_owned()]
            .into_iter()
            .chain(keys)
            .chain(["outcome".to_owned(), "reason".to_owned()])
            .chain(columns);
        let mut text = header.collect::<Vec<_>>().join(",") + "\n";
        for row in &self.rows {
            let values = self.columns.iter().map(|(name, _)| {
                let value = row.values.get(name).filter(|value| value.is_finite());
                // All digits that read back exactly, and counts as such.
                let shown = |value: &f64| format!("{value:?}").trim_end_matches(".0").to_owned();
                value.map_or(String::new(), shown)
            });
            let cells = [quoted(&row.point.name)]
                .into_iter()
                .chain(row.point.values.iter().map(|value| quoted(value)))
                .chain([row.outcome.clone(), quoted(&row.reason)])
                .chain(values);
            text += &(cells.collect::<Vec<_>>().join(",") + "\n");
        }
        text
    }

    /// The same as JSON.
    pub fn to_json(&self) -> Value {
        let units: Map<String, Value> = self
            .columns
            .iter()
            .map(|(name, unit)| (name.clone(), json!(unit)))
            .collect();
        let row = |row: &Row| {
            let keys = self.parameters.iter().zip(&row.point.values);
            let keys: Map<String, Value> = keys
                .map(|(p, value)| (p.key.clone(), json!(value)))
                .collect();
            json!({
                "run": row.point.name,
                "parameters": keys,
                "outcome": row.outcome,
                "reason": row.reason,
                "values": row.values,
            })
        };
        let axes = self.parameters.iter().zip(&self.axes);
        let axes: Map<String, Value> = axes
            .filter_map(|(p, axis)| Some((p.key.clone(), json!(axis.as_ref()?))))
            .collect();
        json!({ "axes": axes, "units": units, "rows": self.rows.iter().map(row).collect::<Vec<_>>() })
    }
}

/// What there is of a run that may be over.
enum Ended {
    /// Its end, and all that it wrote.
    Whole(Box<RunSummary>, Box<RunReader>),
    /// Why it cannot be read.
    Damaged(String),
    /// Nothing that would count.
    Not,
}

impl Ended {
    fn of(directory: &Path) -> Self {
        match State::of(directory) {
            State::Over(summary) => match RunReader::open(directory) {
                Ok(reader) => Self::Whole(summary, Box::new(reader)),
                // It was whole a moment ago.
                Err(error) => Self::Damaged(error.to_string()),
            },
            State::Damaged(why) => Self::Damaged(why),
            State::Missing | State::Busy | State::Begun => Self::Not,
        }
    }
}

/// Counts and the last row of the table of a run, by column; columns that are new are added.
fn values_of(
    summary: &RunSummary,
    reader: &RunReader,
    columns: &mut Vec<(String, String)>,
) -> BTreeMap<String, f64> {
    let mut values = counts_of(summary);
    // The time is what is simulated.
    for column in reader.observables().iter().skip(1) {
        // Counts are in both.
        if !columns.iter().any(|(name, _)| *name == column.name) {
            columns.push((column.name.clone(), column.unit.clone()));
        }
        if let Some(last) = column.values.last() {
            values.entry(column.name.clone()).or_insert(*last);
        }
    }
    values
}

fn counts_of(summary: &RunSummary) -> BTreeMap<String, f64> {
    let values = [
        Some(summary.simulated_s),
        Some(summary.steps as f64),
        Some(summary.rejected_steps as f64),
        Some(summary.newton_iterations as f64),
        summary.first_contact_s,
        summary.smallest_gap_m,
    ];
    let named = COUNTS.iter().zip(values);
    let named = named.filter_map(|((name, _), value)| Some(((*name).to_owned(), value?)));
    named.collect()
}

/// A cell of CSV.
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
