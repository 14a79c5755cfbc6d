//! Tables for people.

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

/// Lines of equal columns, the first to the left and the others to the right.
pub fn align(lines: &[Vec<String>]) -> String {
    let count = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut out = String::new();
    for line in lines {
        let mut text = String::new();
        for (column, cell) in line.iter().enumerate() {
            let width = widths[column];
            if column == 0 {
                text += &format!("{cell:<width$}");
            } else {
                text += &format!("  {cell:>width$}");
            }
        }
        out += text.trim_end();
        out.push('\n');
    }
    out
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
    fn columns_are_aligned() {
        let line = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let text = align(&[line(["row", "a", "paper"]), line(["m10", "3.00", ""])]);
        assert_eq!(text, "row     a  paper\nm10  3.00\n");
    }
}
