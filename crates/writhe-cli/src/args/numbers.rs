//! Numbers that are typed. What is none is told with how to write it: an option that takes one also
//! takes a value that begins with a hyphen, so that it is this that is told.

use crate::times::{time, times};

/// How times are written.
const TIMES: &str = "in seconds, e.g. 0.5, or with a unit, e.g. \"50 ms\"";

/// A number above 0.
pub fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|n: &f64| n.is_finite() && *n > 0.0)
        .ok_or_else(|| "write it as a number above 0, e.g. 0.5".to_owned())
}

/// A time, s, that may be written with a unit.
pub fn seconds(text: &str) -> Result<f64, String> {
    time(text).map_err(|why| format!("{why}; write it {TIMES}"))
}

/// Times, s, that are separated by commas and may have units.
#[derive(Debug, Clone)]
pub struct Times(pub Vec<f64>);

impl Times {
    pub fn read(text: &str) -> Result<Self, String> {
        let read = times(text, ",");
        read.map(Self)
            .map_err(|why| format!("{why}; write times {TIMES}, separated by commas"))
    }
}

/// A time above 0, s, that may be written with a unit.
pub fn positive_seconds(text: &str) -> Result<f64, String> {
    match seconds(text)? {
        time if time > 0.0 => Ok(time),
        _ => Err(format!("write it as a time above 0, {TIMES}")),
    }
}

/// A whole number within these bounds.
pub fn whole<N>(
    low: u64,
    high: u64,
    example: u64,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static
where
    N: TryFrom<u64>,
{
    move |text| {
        let number = text.trim().parse::<u64>().ok();
        let within = number.filter(|n| (low..=high).contains(n));
        within.and_then(|n| N::try_from(n).ok()).ok_or_else(|| {
            let range = match (low, high) {
                (0, u64::MAX) => String::new(),
                (low, u64::MAX) => format!(" from {low} on"),
                (low, high) => format!(" from {low} to {high}"),
            };
            format!("write it as a whole number{range}, e.g. {example}")
        })
    }
}

/// A whole number that counts something; what a command makes of 0 it says itself.
pub fn count(text: &str) -> Result<usize, String> {
    whole(0, u64::MAX, 4)(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_told_with_a_remedy() {
        assert_eq!(positive("0.5"), Ok(0.5));
        assert!(["0", "-1", "inf", "x"].iter().all(|t| positive(t).is_err()));
        assert_eq!(seconds("-0.5"), Ok(-0.5));
        assert_eq!(seconds("50 ms"), Ok(0.05));
        assert!(seconds("nan").is_err() && seconds("inf").is_err());
        let told = seconds("1 kg").unwrap_err();
        assert!(told.contains("`1 kg` is a mass (kg), where a time (s) is wanted"));
        assert!(told.contains("in seconds, e.g. 0.5, or with a unit, e.g. \"50 ms\""));
        assert_eq!(positive_seconds("2 min"), Ok(120.0));
        assert!(["0", "-1 ms"].iter().all(|t| positive_seconds(t).is_err()));
        assert_eq!((count("0"), count("12")), (Ok(0), Ok(12)));
        let told = count("-2").unwrap_err();
        assert_eq!(told, "write it as a whole number, e.g. 4");
        let hundred = |text: &str| whole::<u16>(1, 100, 5)(text);
        assert_eq!(hundred("100"), Ok(100));
        for wrong in ["0", "101", "70000", "1.5", "-3", ""] {
            let told = hundred(wrong).unwrap_err();
            assert_eq!(told, "write it as a whole number from 1 to 100, e.g. 5");
        }
        let told = whole::<u32>(1, u64::MAX, 2)("-1").unwrap_err();
        assert!(told.contains("from 1 on"), "{told}");
        assert!(whole::<u16>(0, u64::MAX, 2)("65536").is_err());
    }
}
