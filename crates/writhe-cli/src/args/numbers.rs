//! Numbers that are typed. What is none is told with how to write it: an option that takes one also
//! takes a value that begins with a hyphen, so that it is this that is told.

/// A number above 0.
pub fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|n: &f64| n.is_finite() && *n > 0.0)
        .ok_or_else(|| "write it as a number above 0, e.g. 0.5".to_owned())
}

/// A number of seconds.
pub fn seconds(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok();
    number
        .filter(|n: &f64| n.is_finite())
        .ok_or_else(|| "write it as a number of seconds, e.g. 0.5".to_owned())
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
        assert!(seconds("nan").is_err() && seconds("1 s").is_err());
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
