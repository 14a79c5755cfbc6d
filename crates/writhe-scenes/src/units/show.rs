//! Numbers for people: four digits and a fitting prefix.

const PREFIXES: [(&str, f64); 7] = [
    ("G", 1e9),
    ("M", 1e6),
    ("k", 1e3),
    ("", 1.0),
    ("m", 1e-3),
    ("µ", 1e-6),
    ("n", 1e-9),
];

/// `value` (SI) with a prefixed unit: `show(3e6, "Pa")` is "3 MPa". For one simple unit, not a
/// product.
pub fn show(value: f64, unit: &str) -> String {
    let size = value.abs();
    // Nobody says kiloseconds.
    let largest = if unit == "s" { 1.0 } else { f64::INFINITY };
    let fits = |(_, p): &&(&str, f64)| *p <= largest && size >= *p * 0.9999;
    match PREFIXES.iter().find(fits) {
        Some((prefix, p)) if size < 1e12 => format!("{} {prefix}{unit}", number(value / p)),
        _ => format!("{} {unit}", number(value)),
    }
}

/// Four significant digits, without trailing zeros; scientific where that is shorter.
pub fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let power = value.abs().log10().floor() as i32;
    if !(-3..5).contains(&power) {
        let text = format!("{value:.3e}");
        return match text.split_once('e') {
            Some((digits, exponent)) => format!("{}e{exponent}", trimmed(digits)),
            None => text,
        };
    }
    let decimals = usize::try_from(3 - power).unwrap_or(0);
    trimmed(&format!("{value:.decimals$}")).to_owned()
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    }
}
