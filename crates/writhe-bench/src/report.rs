//! The table as text and as JSON.

use serde_json::{Value, json};
use writhe_results::provenance;
use writhe_results::table::{Table, number};

use crate::kernel;
use crate::measure::{Elsewhere, Measured, Settings};
use crate::program::Program;
use crate::row::Per;

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

/// The tables for people.
pub fn text(heading: &Heading, rows: &[Measured]) -> String {
    let mut out = format!("{}\n{}", head(heading, rows), measured(heading, rows));
    // Rows of one scene stand together and are told once.
    let told_before = |i: usize| i > 0 && rows[i - 1].row == rows[i].row;
    let notes: String = (0..rows.len())
        .filter(|i| !told_before(*i))
        .map(|i| note(&rows[i]))
        .collect();
    out += &format!("\n{notes}");
    if rows.iter().any(|row| row.elsewhere.is_known()) {
        out += &format!("\n{ELSEWHERE}\n{}", elsewhere(rows));
    }
    out
}

const ELSEWHERE: &str = "\
Figures of another machine, one thread, in the units above. The kernel was not
timed there, so set beside the times above they tell an order of magnitude.";

/// What was measured here.
fn measured(heading: &Heading, rows: &[Measured]) -> Table {
    let mut columns = vec!["row", "of", "time", "kernels"];
    if heading.against.is_some() {
        columns.extend(["other", "gain"]);
    }
    let mut table = Table::new(&columns).with_text(2);
    for row in rows {
        let mut cells = vec![
            row.row.clone(),
            row.per.to_owned(),
            shown(row, row.value),
            number(row.kernels, 3),
        ];
        if heading.against.is_some() {
            let over = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a / b);
            // A ratio is better the larger it is.
            let gain = match is_time(row) {
                true => over(row.against, row.value),
                false => over(row.value, row.against),
            };
            cells.extend([shown(row, row.against), number(gain, 3)]);
        }
        table.row(cells);
    }
    table
}

/// What is known from another machine.
fn elsewhere(rows: &[Measured]) -> Table {
    let columns = ["row", "other program", "takes", "Writhe took", "aim"];
    let mut table = Table::new(&columns).with_text(2);
    for row in rows.iter().filter(|row| row.elsewhere.is_known()) {
        let Elsewhere {
            other,
            before,
            wanted,
        } = &row.elsewhere;
        table.row([
            row.row.clone(),
            other.map_or("", |(_, which)| which).to_owned(),
            shown(row, other.map(|(value, _)| value)),
            shown(row, *before),
            shown(row, *wanted),
        ]);
    }
    table
}

/// What a row runs, and what is to be said of it.
fn note(row: &Measured) -> String {
    let mut parts = vec![format!("{}: {}", row.row, row.what)];
    parts.extend(row.notes.iter().cloned());
    if let Some(memory) = row.memory {
        parts.push(format!("{:.0} MB", memory as f64 / 1e6));
    }
    wrapped(&parts.join("; "))
}

fn is_time(row: &Measured) -> bool {
    row.per != Per::Threads.words()
}

fn shown(row: &Measured, value: Option<f64>) -> String {
    match value {
        Some(value) if is_time(row) => time(value),
        value => number(value, 3),
    }
}

/// Columns of a terminal.
const WIDTH: usize = 80;

/// A paragraph in lines of a terminal, all but the first indented.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.trim().is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            out += &format!("{line}\n");
            line = format!("  {word}");
        } else if line.is_empty() {
            word.clone_into(&mut line);
        } else {
            line += &format!(" {word}");
        }
    }
    out + &line + "\n"
}

fn head(heading: &Heading, rows: &[Measured]) -> String {
    let made: Vec<String> = provenance::COLUMNS
        .iter()
        .zip(provenance::values())
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    let kernels: Vec<f64> = rows.iter().map(|row| row.kernel).collect();
    let against = heading.against.map_or(String::new(), |other| {
        let path = other.path().display();
        wrapped(&format!("other: {path} ({})", other.version))
    });
    let threads = heading.settings.threads;
    let who = format!(
        "writhe {}; {}; runs with {threads} thread{}",
        heading.program.version,
        made.join(", "),
        if threads == 1 { "" } else { "s" },
    );
    let others: Vec<f64> = rows.iter().filter_map(|row| row.others).collect();
    let busy = match others.is_empty() {
        true => String::new(),
        false => format!(
            " Other programs kept {:.1} cores busy meanwhile (the median of the rows).",
            kernel::median(&others)
        ),
    };
    let kernel = format!(
        "Processor times; `kernels` is a time over that of a kernel of fixed work, which was timed \
         between the runs and takes {} here.{busy}",
        time(kernel::median(&kernels)),
    );
    format!("{}{against}{}", wrapped(&who), wrapped(&kernel))
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
        "rows": rows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_a_terminal() {
        let text = wrapped(&"some words of a note; ".repeat(12));
        assert!(text.lines().count() > 2 && text.ends_with('\n'));
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
        assert!(text.lines().skip(1).all(|line| line.starts_with("  ")));
    }

    #[test]
    fn times_have_units() {
        assert_eq!(time(27.91), "27.9 s");
        assert_eq!(time(1.3e-3), "1.30 ms");
        assert_eq!(time(2.5e-4), "250 us");
    }
}
