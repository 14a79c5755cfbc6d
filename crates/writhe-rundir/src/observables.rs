//! `observables.csv`: a header with names and units, then one row per output time.
//!
//! Numbers are written with the fewest digits that read back to the same 64 bits.

use std::fmt::Write;
use std::path::Path;

use crate::error::{Result, RunDirError};
use crate::growing::{Covered, GrowingFile};
use crate::inside;
use crate::layout::Column;

/// Name of the file in the run directory and in an export.
pub(crate) const OBSERVABLES_FILE: &str = "observables.csv";

/// Characters that a message shows of what stands where a title or a number should.
const LONGEST_SHOWN: usize = 40;

/// A column of observables as read back.
#[derive(Debug, Clone, PartialEq)]
pub struct Observable {
    /// Name; the first column is the time `t`.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// One value per frame, shape (frames).
    pub values: Vec<f64>,
}

/// Writes a file that has a header only.
pub(crate) fn create(run_directory: &Path, columns: &[Column]) -> Result<GrowingFile> {
    GrowingFile::create(run_directory.join(OBSERVABLES_FILE), &header(columns))
}

/// Opens a file to go on after what a checkpoint covers. Changes nothing yet: see
/// [`GrowingFile::truncate`].
pub(crate) fn open(run_directory: &Path, covered: Covered) -> Result<GrowingFile> {
    GrowingFile::open(run_directory.join(OBSERVABLES_FILE), covered)
}

/// Adds a row in memory.
pub(crate) fn push(file: &mut GrowingFile, time: f64, values: &[f64]) {
    let values = values.iter().copied();
    push_row(file.pending(), std::iter::once(time).chain(values));
}

/// Appends one row: shortest exact decimals, separated by commas.
pub(crate) fn push_row(text: &mut String, values: impl Iterator<Item = f64>) {
    for (i, value) in values.enumerate() {
        let comma = if i > 0 { "," } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(text, "{comma}{value:e}");
    }
    text.push('\n');
}

fn header(columns: &[Column]) -> String {
    let titles = columns
        .iter()
        .map(|column| format!(",{} [{}]", column.name, column.unit));
    format!("t [s]{}\n", titles.collect::<String>())
}

/// Reads the header of a run's file: the columns after the time.
pub(crate) fn read_columns(run_directory: &Path) -> Result<Vec<Column>> {
    let path = run_directory.join(OBSERVABLES_FILE);
    let bytes = inside::read(run_directory, &path)?;
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let header = String::from_utf8_lossy(&bytes[..end.unwrap_or(0)]);
    let all = parse(&header).map_err(|reason| RunDirError::damaged(&path, reason))?;
    Ok(all
        .into_iter()
        .skip(1)
        .map(|column| Column::new(column.name, column.unit))
        .collect())
}

/// Reads the whole rows of a run's file, time first; a torn row at the end of a run in progress is
/// left out.
pub(crate) fn read(run_directory: &Path) -> Result<Vec<Observable>> {
    let path = run_directory.join(OBSERVABLES_FILE);
    let bytes = inside::read(run_directory, &path)?;
    let text = String::from_utf8_lossy(&bytes);
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    parse(whole).map_err(|reason| RunDirError::damaged(&path, reason))
}

/// The error of a table that has not a row for each frame of a run that is over.
pub(crate) fn lacks_rows(run_directory: &Path, rows: usize, frames: usize) -> RunDirError {
    let reason = format!("it has {rows} whole rows, and the run ended with {frames} frames");
    RunDirError::damaged(&run_directory.join(OBSERVABLES_FILE), reason)
}

fn parse(text: &str) -> std::result::Result<Vec<Observable>, String> {
    let mut lines = text.lines();
    let titles = lines.next().ok_or("it has no header")?.split(',');
    let mut columns = titles
        .map(parse_title)
        .collect::<std::result::Result<Vec<_>, _>>()?;
    for (row, line) in lines.enumerate() {
        let number = row + 2;
        let mut cells = line.split(',');
        for column in &mut columns {
            let cell = cells.next().ok_or(format!("line {number} is short"))?;
            let value = cell.parse().map_err(|_| {
                let shown: String = cell.chars().take(LONGEST_SHOWN).collect();
                format!("line {number} holds `{shown}`, which is no number")
            })?;
            column.values.push(value);
        }
        if cells.next().is_some() {
            return Err(format!("line {number} is long"));
        }
    }
    Ok(columns)
}

fn parse_title(title: &str) -> std::result::Result<Observable, String> {
    let parts = title
        .strip_suffix(']')
        .and_then(|title| title.split_once(" ["));
    let shown: String = title.chars().take(LONGEST_SHOWN).collect();
    let (name, unit) = parts.ok_or(format!("the title `{shown}` is not `name [unit]`"))?;
    Ok(Observable {
        name: name.to_owned(),
        unit: unit.to_owned(),
        values: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_number_reads_back_bit_for_bit(values in prop::collection::vec(prop::num::f64::ANY, 1..5)) {
            let columns: Vec<_> = (0..values.len()).map(|i| Column::new(format!("c{i}"), "1")).collect();
            let mut text = header(&columns);
            push_row(&mut text, std::iter::once(0.0).chain(values.iter().copied()));
            let read = parse(text.trim_end()).unwrap();
            for (value, column) in values.iter().zip(&read[1..]) {
                let found = column.values[0];
                prop_assert!(found.to_bits() == value.to_bits() || (found.is_nan() && value.is_nan()));
            }
        }
    }

    #[test]
    fn the_header_carries_units() {
        let columns = [
            Column::new("energy_stretch", "J"),
            Column::new("writhe", "1"),
        ];
        assert_eq!(header(&columns), "t [s],energy_stretch [J],writhe [1]\n");
    }

    #[test]
    fn says_which_line_is_wrong() {
        assert!(
            parse("t [s]\n0e0\nx")
                .unwrap_err()
                .contains("line 3 holds `x`")
        );
        assert!(
            parse("t [s]\n0e0,1e0")
                .unwrap_err()
                .contains("line 2 is long")
        );
        assert!(
            parse("t [s],a [J]\n0e0")
                .unwrap_err()
                .contains("line 2 is short")
        );
        assert!(parse("t").unwrap_err().contains("name [unit]"));
    }
}
