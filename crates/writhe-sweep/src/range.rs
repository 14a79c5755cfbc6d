//! Values of a key as text: lists `2,3,5`, ranges `0.1:0.8:0.1` and `5mm:10mm:1mm`, even in the
//! logarithm `1kPa:1MPa:log4`.

use writhe_scenes::units::parse_quantity;
use writhe_session::failure::{Failure, Result};

/// The most values of a key.
const MOST: usize = 100_000;
/// Digits of a value in a range: more would show rounding (0.30000000000000004).
const DIGITS: usize = 12;
/// What a range is written like.
const EXAMPLE: &str = "write START:END:STEP, such as 0.1:0.8:0.1 or 5mm:10mm:1mm, START:END:logN for N values even in the logarithm, or a list, \
                       such as 2,3,5";

/// The values that `text` says for `key`, as a scene file takes them.
///
/// # Errors
/// A range that is empty, never ends or mixes units; a list with a gap.
pub fn values(key: &str, text: &str) -> Result<Vec<String>> {
    if text.trim().is_empty() {
        return Err(wrong(key, text, "names no value"));
    }
    let items = split(text, ',');
    if items.iter().any(|item| item.trim().is_empty()) {
        return Err(wrong(key, text, "has no value at one of its commas"));
    }
    if items.len() > 1 {
        return Ok(items.iter().map(|item| item.trim().to_owned()).collect());
    }
    match split(text, ':').as_slice() {
        [_] => Ok(vec![text.trim().to_owned()]),
        [from, to, step] => range(key, text, [from, to, step]),
        parts => {
            let what = format!("is no range: it has {} parts in place of 3", parts.len());
            Err(wrong(key, text, &what))
        }
    }
}

/// Parts between separators that stand in no brackets and no quotes.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut quote, mut start) = (0_i32, None, 0);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            (None, c) if c == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn range(key: &str, text: &str, [from, to, step]: [&str; 3]) -> Result<Vec<String>> {
    let step = step.trim();
    let (from, to) = (Bound::read(key, text, from)?, Bound::read(key, text, to)?);
    if let Some(count) = step.strip_prefix("log") {
        return logarithmic(key, text, [from, to], count);
    }
    let step = Bound::read(key, text, step)?;
    let ([from, to, step], unit) = alike(key, text, [from, to, step])?;
    if step == 0.0 {
        return Err(wrong(key, text, "never ends: its step is 0"));
    }
    if (to - from) * step < 0.0 {
        return Err(wrong(
            key,
            text,
            "is empty: its steps lead away from its end",
        ));
    }
    let last = ((to - from) / step + 1e-9).floor();
    if last >= MOST as f64 {
        return Err(wrong(key, text, &format!("has more than {MOST} values")));
    }
    let value = |index: usize| shown(from + index as f64 * step, unit);
    Ok((0..=last as usize).map(value).collect())
}

fn logarithmic(
    key: &str,
    text: &str,
    [from, to]: [Bound<'_>; 2],
    count: &str,
) -> Result<Vec<String>> {
    let ([from, to, _], unit) = alike(key, text, [from, to, to])?;
    let count = count.trim().parse().ok().filter(|n| (2..=MOST).contains(n));
    let Some(count) = count else {
        return Err(wrong(
            key,
            text,
            &format!("needs a number of values from 2 to {MOST} after `log`"),
        ));
    };
    if !(from > 0.0 && to > 0.0) {
        return Err(wrong(
            key,
            text,
            "has no logarithm: its ends must be greater than zero",
        ));
    }
    let value = |index: usize| match index {
        0 => shown(from, unit),
        i if i + 1 == count => shown(to, unit),
        i => shown(from * (to / from).powf(i as f64 / (count - 1) as f64), unit),
    };
    Ok((0..count).map(value).collect())
}

/// A number with its unit as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound<'a> {
    /// In that unit.
    pub number: f64,
    /// The unit; empty for none.
    pub unit: &'a str,
    /// In SI.
    pub si: f64,
}

/// A value as a number with its unit: `5 mm`, `"5 mm"`, `0.1`; `None` if it is none.
pub fn number_and_unit(value: &str) -> Option<Bound<'_>> {
    let value = value.trim().trim_matches(['"', '\'']).trim();
    let (si, _) = parse_quantity(value).ok()?;
    // The longest beginning that is a number.
    let ends = value.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
    let (number, end) = ends
        .into_iter()
        .find_map(|end| Some((value[..end].parse::<f64>().ok()?, end)))?;
    (number.is_finite() && si.is_finite()).then(|| Bound {
        number,
        unit: value[end..].trim(),
        si,
    })
}

impl<'a> Bound<'a> {
    fn read(key: &str, text: &str, part: &'a str) -> Result<Self> {
        let wrong_part = || {
            let part = part.trim();
            wrong(key, text, &format!("has `{part}` where a number belongs"))
        };
        number_and_unit(part).ok_or_else(wrong_part)
    }
}

/// The numbers in one unit: that of all of them, or else SI.
fn alike<'a>(key: &str, text: &str, all: [Bound<'a>; 3]) -> Result<([f64; 3], &'a str)> {
    let [first, ..] = all;
    if all.iter().all(|bound| bound.unit == first.unit) {
        return Ok((all.map(|bound| bound.number), first.unit));
    }
    let dimension = |bound: &Bound<'_>| {
        let read = parse_quantity(&format!("1 {}", bound.unit)).ok();
        read.and_then(|(_, dimension)| dimension)
    };
    if all
        .iter()
        .any(|bound| dimension(bound) != dimension(&first))
    {
        return Err(wrong(key, text, "mixes units that do not go together"));
    }
    Ok((all.map(|bound| bound.si), ""))
}

fn shown(value: f64, unit: &str) -> String {
    let rounded = format!("{value:.*e}", DIGITS - 1);
    let value: f64 = rounded.parse().unwrap_or(value);
    // Not -0.
    let number = format!("{}", value + 0.0);
    match unit {
        "" => number,
        unit => format!("{number} {unit}"),
    }
}

fn wrong(key: &str, text: &str, what: &str) -> Failure {
    Failure::bad_input(format!("`{key}={text}` {what}"))
        .at_key(key)
        .help(EXAMPLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        values("k", text).unwrap()
    }

    #[test]
    fn lists_and_ranges() {
        assert_eq!(of("2, 3,5"), ["2", "3", "5"]);
        assert_eq!(of("5 mm"), ["5 mm"]);
        assert_eq!(of("[0, 1],[2, 3]"), ["[0, 1]", "[2, 3]"]);
        assert_eq!(of("\"a,b\",c"), ["\"a,b\"", "c"]);
        assert_eq!(of("0.1:0.8:0.1").len(), 8);
        assert_eq!(of("0.1:0.4:0.1"), ["0.1", "0.2", "0.3", "0.4"]);
        assert_eq!(of("2:6:2"), ["2", "4", "6"]);
        // The end where a step meets it.
        assert_eq!(of("0:1:0.4"), ["0", "0.4", "0.8"]);
        assert_eq!(of("3:1:-1"), ["3", "2", "1"]);
        assert_eq!(of("5mm:7mm:1mm"), ["5 mm", "6 mm", "7 mm"]);
        assert_eq!(of("9 mm:1.1 cm:1 mm"), ["0.009", "0.01", "0.011"]);
        assert_eq!(of("1:1:1"), ["1"]);
        assert_eq!(
            of("1kPa:1000kPa:log4"),
            ["1 kPa", "10 kPa", "100 kPa", "1000 kPa"]
        );
    }

    #[test]
    fn what_is_no_range_is_told() {
        for (text, why) in [
            ("0:1:0", "never ends: its step is 0"),
            ("0.8:0.1:0.1", "is empty: its steps lead away from its end"),
            ("0:1e9:0.1", "has more than 100000 values"),
            ("1:2", "is no range: it has 2 parts in place of 3"),
            ("1:2:x", "has `x` where a number belongs"),
            ("1:2:inf", "has `inf` where a number belongs"),
            ("1,,2", "has no value at one of its commas"),
            ("", "names no value"),
            ("1 mm:2 s:1 mm", "mixes units that do not go together"),
            ("0:1:log3", "its ends must be greater than zero"),
            (
                "1:2:log1",
                "a number of values from 2 to 100000 after `log`",
            ),
        ] {
            let error = values("contact.friction", text).unwrap_err();
            let start = format!("`contact.friction={text}` ");
            assert!(error.message().starts_with(&start), "{error}");
            assert!(error.message().contains(why), "{text}: {error}");
            assert!(error.remedy().unwrap().contains("START:END:STEP"));
        }
    }
}
