//! What a key says of its value, in words.

use toml::Value;
use writhe_scenes::units::Dimension;
use writhe_scenes::{Key, Kind};

/// What is left of a kind where numbers are concerned: their unit.
pub fn unit(kind: &Kind) -> Option<String> {
    match kind {
        Kind::Quantity(Dimension::NONE) => None,
        Kind::Quantity(dimension) => Some(dimension.to_string()),
        Kind::List(of) | Kind::Several(_, of) => unit(of),
        Kind::Either(kinds) => kinds.iter().find_map(unit),
        _ => None,
    }
}

/// The words that a value may be, with their meanings.
pub fn choices(kind: &Kind) -> Vec<(&'static str, &'static str)> {
    match kind {
        Kind::Words(words) => words.clone(),
        Kind::Either(kinds) => kinds.iter().flat_map(choices).collect(),
        _ => Vec::new(),
    }
}

/// A default in words, without its brackets; `None` where there is none.
pub fn default(key: &Key) -> Option<&str> {
    let told = key.default.as_deref()?;
    Some(
        told.strip_prefix('(')
            .and_then(|t| t.strip_suffix(')'))
            .unwrap_or(told),
    )
}

/// A number, or a list of numbers, whether written as whole ones or not.
pub fn number(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::Float(x) => Some(vec![*x]),
        Value::Integer(n) => Some(vec![*n as f64]),
        Value::Array(list) => {
            let all: Option<Vec<Vec<f64>>> = list.iter().map(number).collect();
            all.map(|all| all.concat())
        }
        _ => None,
    }
}

/// A meaning without the points of its last sentence.
pub fn meaning(text: &str) -> &str {
    text.trim().trim_end_matches('.')
}
