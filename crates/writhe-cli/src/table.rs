//! Tables in plain text: columns as wide as they need, numbers to the right.

use std::fmt;

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
    fn columns_line_up() {
        let mut table = Table::new(&["what", "value"]).with_text(1);
        table.row(["a".to_owned(), "1".to_owned()]);
        table.row(["longer".to_owned(), "22.5".to_owned()]);
        table.row(["note".to_owned()]);
        let wanted = "what    value\na           1\nlonger   22.5\nnote\n";
        assert_eq!(table.to_string(), wanted);
    }
}
