//! Reference tables in the sources.

/// Name and numbers of each row after the header; a field that is no number is NaN.
pub fn rows(text: &str) -> impl Iterator<Item = (&str, Vec<f64>)> {
    text.lines()
        .skip(1)
        .filter(|line| !line.is_empty())
        .map(|line| {
            let (name, rest) = line.split_once(',').unwrap_or((line, ""));
            let numbers = rest
                .split(',')
                .map(|f| f.trim().parse().unwrap_or(f64::NAN));
            (name, numbers.collect())
        })
}
