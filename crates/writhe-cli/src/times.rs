//! Times that are typed, with a unit or in seconds.

use writhe_scenes::units::Time;

/// A time, s; else why it is none.
pub fn time(text: &str) -> Result<f64, String> {
    let time = Time::parse(text.trim());
    time.map(Time::si).map_err(|error| error.to_string())
}

/// Two times, s; a unit of the second alone is that of both.
pub fn times(from: &str, to: &str) -> Result<[f64; 2], String> {
    let from = match unit_of(from) {
        "" => format!("{from} {}", unit_of(to)),
        _ => from.to_owned(),
    };
    Ok([time(&from)?, time(to)?])
}

/// What stands behind a number.
pub fn unit_of(text: &str) -> &str {
    text.trim_start_matches(|c: char| {
        c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E' | '_' | ' ')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_of_the_last_is_that_of_both() {
        assert_eq!(time(" 50 ms "), Ok(0.05));
        assert_eq!(times("1", "2 ms"), Ok([0.001, 0.002]));
        assert_eq!(times("1 ms", "2"), Ok([0.001, 2.0]));
        assert!(times("1 kg", "2").unwrap_err().contains("is a mass"));
    }
}
