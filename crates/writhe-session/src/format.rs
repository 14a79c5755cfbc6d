//! Numbers as people read them.

/// `value` with about `digits` significant digits, without trailing zeros.
pub fn number(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let digits = digits.max(1);
    // The exponent after rounding: 9.996 has four digits before the point of 10.00.
    let scientific = format!("{value:.*e}", digits - 1);
    let exponent = scientific
        .split_once('e')
        .and_then(|(_, e)| e.parse::<i32>().ok())
        .unwrap_or(0);
    if !(-4..=6).contains(&exponent) {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        return format!("{}e{exponent}", without_trailing_zeros(mantissa));
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    without_trailing_zeros(&format!("{value:.decimals$}")).to_owned()
}

/// `value` with all of its digits, so that what is printed is what is compared with.
pub fn exact(value: f64) -> String {
    let shortest = format!("{value:e}");
    let mantissa = shortest
        .split_once('e')
        .map_or("", |(mantissa, _)| mantissa);
    let digits = mantissa.chars().filter(char::is_ascii_digit).count();
    number(value, digits)
}

/// `shown` with few digits, or as many more as it takes to be on the same side of `bound` as the
/// value itself.
pub fn beside(value: f64, bound: f64, shown: impl Fn(usize) -> String) -> String {
    const MOST: usize = 17;
    let inside = |text: &str| text.parse::<f64>().is_ok_and(|v| v.abs() <= bound.abs());
    let mut texts = (2..MOST).map(&shown);
    let faithful = texts.find(|text| inside(text) == (value.abs() <= bound.abs()));
    faithful.unwrap_or_else(|| shown(MOST))
}

fn without_trailing_zeros(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

/// A length given in m, with a prefix that suits it.
pub fn length(metres: f64) -> String {
    with_prefix(metres, "m")
}

/// A time step given in s, with a prefix that suits it.
pub fn short_time(seconds: f64) -> String {
    with_prefix(seconds, "s")
}

/// A quantity in a unit without a prefix, with one that suits it.
pub fn with_prefix(value: f64, unit: &str) -> String {
    const PREFIXES: [(f64, &str); 4] = [(1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")];
    let size = value.abs();
    let (scale, prefix) = PREFIXES
        .into_iter()
        .find(|(scale, _)| size >= 0.9995 * scale)
        .unwrap_or(if size > 0.0 { (1e-9, "n") } else { (1.0, "") });
    format!("{} {prefix}{unit}", number(value / scale, 3))
}

/// A time on the clock given in s: `0.35 s`, `12.3 s`, `4 min 5 s`, `2 h 5 min`.
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() {
        return "unknown".to_owned();
    }
    if seconds < 59.95 {
        return format!("{} s", number(seconds.max(0.0), 3));
    }
    let whole = seconds.round() as u64;
    if whole < 3600 {
        format!("{} min {} s", whole / 60, whole % 60)
    } else {
        format!("{} h {} min", whole / 3600, whole % 3600 / 60)
    }
}

/// `1 rod`, `2 rods`.
pub fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (value, text) in [
            (0.0, "0"),
            (0.0100, "0.01"),
            (9.996, "10"),
            (12.345, "12.3"),
            (25012.0, "25012"),
            (-1.25e-7, "-1.25e-7"),
            (3e9, "3e9"),
        ] {
            assert_eq!(number(value, 3), text);
        }
    }

    #[test]
    fn bounds_keep_their_digits() {
        for (value, text) in [
            (0.12, "0.12"),
            (1e-3, "0.001"),
            (1.5e-7, "1.5e-7"),
            (0.0, "0"),
            (2.0, "2"),
        ] {
            assert_eq!(exact(value), text);
        }
        let error =
            |value: f64, bound: f64| beside(value, bound, |n| format!("{value:.*e}", n - 1));
        assert_eq!(error(0.11, 0.12), "1.1e-1");
        assert_eq!(error(0.1204, 0.12), "1.204e-1");
        assert_eq!(error(-0.1204, 0.12), "-1.204e-1");
        assert_eq!(error(f64::NAN, 0.12), "NaN");
    }

    #[test]
    fn units() {
        assert_eq!(length(1.3e-6), "1.3 µm");
        assert_eq!(length(-2e-3), "-2 mm");
        assert_eq!(length(0.0), "0 m");
        assert_eq!(length(0.99999), "1 m");
        assert_eq!(length(1e-12), "0.001 nm");
        assert_eq!(short_time(0.01), "10 ms");
        assert_eq!(duration(245.2), "4 min 5 s");
        assert_eq!(duration(59.99), "1 min 0 s");
        assert_eq!(duration(7505.0), "2 h 5 min");
        assert_eq!(count(1, "rod"), "1 rod");
        assert_eq!(count(2, "rod"), "2 rods");
    }
}
