//! The table as text and as JSON.

use serde_json::{Value, json};
use writhe_results::provenance;
use writhe_results::table::{Table, number};

use crate::kernel;
use crate::measure::{Measured, Settings};
use crate::program::Program;

/// Who measured, where, and how fast the machine was.
#[derive(Debug)]
pub struct Heading<'a> {
    /// The program.
    pub program: &'a Program,
    /// The other version that it is measured against.
    pub against: Option<&'a Program>,
    /// How.
    pub settings: &'a Settings,
}

/// The table for people.
pub fn text(heading: &Heading, rows: &[Measured]) -> String {
    let mut columns = vec!["", "", "now", "here"];
    if heading.against.is_some() {
        columns.extend(["the other", "other/now"]);
    }
    columns.extend(["other program", "times as fast", "before", "wanted"]);
    let mut table = Table::new(&columns).with_text(2);
    for row in rows {
        let is_time = row.per != crate::row::Per::Threads.words();
        let shown = |value: Option<f64>| match value {
            Some(value) if is_time => time(value),
            value => number(value, 3),
        };
        let over = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a / b);
        let mut cells = vec![
            row.row.to_owned(),
            row.per.to_owned(),
            shown(row.calibrated),
            shown(row.value),
        ];
        if heading.against.is_some() {
            // A ratio is better the larger it is.
            let gain = match is_time {
                true => over(row.against, row.value),
                false => over(row.value, row.against),
            };
            cells.extend([shown(row.against), number(gain, 3)]);
        }
        let other = row.other.map(|(value, _)| value);
        cells.extend([
            shown(other),
            number(over(other, row.calibrated), 3),
            shown(row.before),
            shown(row.wanted),
        ]);
        table.row(cells);
    }
    let mut out = format!("{}\n{table}", head(heading, rows));
    for row in rows {
        let mut notes = row.notes.clone();
        if let Some(memory) = row.memory {
            notes.push(format!("{:.0} MB", memory as f64 / 1e6));
        }
        if !notes.is_empty() {
            out += &format!("{}: {}; {}\n", row.row, row.what, notes.join("; "));
        }
    }
    out
}

fn head(heading: &Heading, rows: &[Measured]) -> String {
    let made: Vec<String> = provenance::COLUMNS
        .iter()
        .zip(provenance::values())
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    let fastest = rows.iter().map(|row| row.kernel);
    let fastest = fastest.fold(f64::INFINITY, f64::min);
    let against = heading.against.map_or(String::new(), |other| {
        format!(
            "; the other: {} ({})",
            other.path().display(),
            other.version
        )
    });
    let threads = heading.settings.threads;
    let (kernel, reference) = (time(fastest), time(kernel::REFERENCE));
    format!(
        "writhe {}; {}; threads {threads}{against}\n\
         Processor times. `now` is what they are on the reference machine, where a kernel of fixed work takes {reference} (here {kernel});\n\
         `before`, `wanted` and other programs are of that machine.\n",
        heading.program.version,
        made.join(", "),
    )
}

/// A time with its unit.
fn time(seconds: f64) -> String {
    let (value, unit) = match seconds.abs() {
        s if s >= 1.0 => (seconds, "s"),
        s if s >= 1e-3 => (1e3 * seconds, "ms"),
        _ => (1e6 * seconds, "us"),
    };
    format!("{} {unit}", number(value, 3))
}

/// The table for programs.
pub fn json(heading: &Heading, rows: &[Measured]) -> Value {
    let made: serde_json::Map<String, Value> = provenance::COLUMNS
        .iter()
        .zip(provenance::values())
        .map(|(name, value)| ((*name).to_owned(), Value::from(value)))
        .collect();
    let of = |program: &Program| json!({"path": program.path(), "version": program.version});
    json!({
        "program": heading.program.version,
        "made": made,
        "against": heading.against.map(of),
        "threads": heading.settings.threads,
        "whole": heading.settings.whole,
        "reference_kernel_s": kernel::REFERENCE,
        "rows": rows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(time(27.91), "27.9 s");
        assert_eq!(time(1.3e-3), "1.30 ms");
        assert_eq!(time(2.5e-4), "250 us");
    }
}
