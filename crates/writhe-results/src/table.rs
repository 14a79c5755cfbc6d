//! Tables for people: columns as wide as they need, numbers to the right.

use std::fmt;

/// Numbers with about `digits` significant digits; an empty text for none.
pub fn number(value: impl Into<Option<f64>>, digits: usize) -> String {
    let Some(value) = value.into() else {
        return String::new();
    };
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return String::new();
    }
    let exponent = value.abs().log10().floor() as i32;
    if (-4..=6).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        format!("{value:.decimals$}")
    } else {
        format!("{value:.*e}", digits.saturating_sub(1))
    }
}

/// A table with a header.
#[derive(Debug, Clone)]
pub struct Table {
    rows: Vec<Vec<String>>,
    /// Columns before this one are text and stand to the left.
    text_columns: usize,
}

impl Table {
    /// An empty table whose columns hold numbers.
    pub fn new(header: &[&str]) -> Self {
        Self {
            rows: vec![header.iter().map(|&h| h.to_owned()).collect()],
            text_columns: 0,
        }
    }

    /// The first `columns` hold text.
    pub fn with_text(mut self, columns: usize) -> Self {
        self.text_columns = columns;
        self
    }

    /// Adds a row; it may be shorter than the header.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|c| c.chars().count()).max().unwrap_or(0)
        };
        (0..columns).map(width).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                if column > 0 {
                    line += "  ";
                }
                line += &if column < self.text_columns {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(number(3.004, 3), "3.00");
        assert_eq!(number(601_000.0, 3), "601000");
        assert_eq!(number(1.25e-7, 3), "1.25e-7");
        assert_eq!(number(None, 3), "");
        assert_eq!(number(f64::NAN, 3), "");
    }

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&["what", "value"]).with_text(1);
        table.row(["a".to_owned(), "1".to_owned()]);
        table.row(["longer".to_owned(), "22.5".to_owned()]);
        table.row(["note".to_owned()]);
        let wanted = "what    value\na           1\nlonger   22.5\nnote\n";
        assert_eq!(table.to_string(), wanted);
    }
}
