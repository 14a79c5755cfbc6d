//! Units with a prefix that suits the numbers before them: axes of plots and bars of colours write
//! the same.

/// Prefixes by powers of a thousand, from -4 on.
const PREFIXES: [&str; 8] = ["p", "n", "µ", "m", "", "k", "M", "G"];
/// What a unit that takes prefixes begins with.
const TAKE_PREFIXES: [&str; 9] = ["m", "N", "J", "Pa", "W", "V", "Hz", "s", "g"];

/// The power of a thousand that suits numbers up to `largest`; 0 for none.
pub fn thousands(largest: f64) -> i32 {
    if largest > 0.0 {
        ((largest.log10() + 1e-9) / 3.0).floor() as i32
    } else {
        0
    }
}

/// The unit with the prefix for this power of a thousand; `None` if it takes none, or there is none.
pub fn prefixed(unit: &str, power: i32) -> Option<String> {
    let first = unit.split([' ', '/', '*', '·']).next().unwrap_or_default();
    // Nobody writes kiloseconds.
    let fits = TAKE_PREFIXES.contains(&first) && !(first == "s" && power > 0);
    let prefix = PREFIXES.get(usize::try_from(power + 4).ok()?)?;
    fits.then(|| format!("{prefix}{unit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_unit_takes_the_prefix() {
        let of = |largest, unit| prefixed(unit, thousands(largest));
        assert_eq!(of(3.97e-6, "N").as_deref(), Some("µN"));
        assert_eq!(of(1e-3, "m/s").as_deref(), Some("mm/s"));
        assert_eq!(of(0.0, "N m").as_deref(), Some("N m"));
        assert_eq!(of(2e4, "Pa").as_deref(), Some("kPa"));
        for (largest, unit) in [(1e-4, "1/m"), (1e-4, ""), (5e3, "s"), (1e-14, "N")] {
            assert_eq!(of(largest, unit), None, "{largest} {unit}");
        }
    }
}
