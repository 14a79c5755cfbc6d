//! Times that are typed, with a unit or in seconds.

use writhe_scenes::units::Time;

/// A time, s; else why it is none.
pub fn time(text: &str) -> Result<f64, String> {
    let time = Time::parse(text.trim());
    time.map(Time::si).map_err(|error| error.to_string())
}

/// Times, s, separated by `separator`; a number without a unit has that of the next one which has one.
pub fn times(text: &str, separator: &str) -> Result<Vec<f64>, String> {
    let mut unit = "";
    let mut times = Vec::new();
    for typed in text.rsplit(separator) {
        let typed = typed.trim();
        let own = unit_of(typed);
        times.push(match own {
            "" => time(&format!("{typed} {unit}"))?,
            _ => time(typed)?,
        });
        unit = if own.is_empty() { unit } else { own };
    }
    times.reverse();
    Ok(times)
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
    fn a_unit_goes_for_what_stands_before_it() {
        assert_eq!(time(" 50 ms "), Ok(0.05));
        let list = |text| times(text, ",");
        assert_eq!(list("0, 1,2 ms"), Ok(vec![0.0, 0.001, 0.002]));
        assert_eq!(list("1 ms,2"), Ok(vec![0.001, 2.0]));
        assert_eq!(list("1,2 ms,3,4 min"), Ok(vec![0.001, 0.002, 180.0, 240.0]));
        assert_eq!(list("-1e-3"), Ok(vec![-0.001]));
        assert_eq!(times("1 to 2 ms", " to "), Ok(vec![0.001, 0.002]));
        assert!(list("1 kg,2").unwrap_err().contains("`1 kg` is a mass"));
        for none in ["", "1,,2", "1,", "x", "1,nan"] {
            assert!(list(none).is_err(), "{none}");
        }
    }
}
