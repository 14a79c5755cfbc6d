//! What changed between two scenes, key by key.

use std::collections::BTreeMap;

use toml::Value;

/// Differences that are told before the rest is only counted.
const TOLD: usize = 6;

/// One line for each key that differs: its value in the scene of the run, and in the scene given
/// now.
pub fn differences(of_run: &str, now: &str) -> Vec<String> {
    let (of_run, now) = (flat(of_run), flat(now));
    let keys: std::collections::BTreeSet<&String> = of_run.keys().chain(now.keys()).collect();
    let shown = |value: Option<&String>| value.map_or("not there".to_owned(), Clone::clone);
    let mut lines: Vec<String> = keys
        .into_iter()
        .filter(|key| of_run.get(*key) != now.get(*key))
        .map(|key| {
            format!(
                "{key}: {} in the run, {} now",
                shown(of_run.get(key)),
                shown(now.get(key))
            )
        })
        .collect();
    if lines.is_empty() {
        lines.push("the text or its comments differ".to_owned());
    } else if lines.len() > TOLD {
        let rest = lines.split_off(TOLD - 1).len();
        lines.push(format!("and {rest} more"));
    }
    lines
}

/// The key that is all these scenes differ in, and its values in them; `None` if there are more, or
/// none.
pub fn only_difference(scenes: &[&str]) -> Option<(String, Vec<String>)> {
    let all: Vec<BTreeMap<String, String>> = scenes.iter().map(|scene| flat(scene)).collect();
    let first = all.first()?;
    let keys: std::collections::BTreeSet<&String> = all.iter().flat_map(BTreeMap::keys).collect();
    let differs = |key: &&&String| all.iter().any(|scene| scene.get(**key) != first.get(**key));
    let mut different = keys.iter().filter(differs);
    let (key, None) = (different.next()?, different.next()) else {
        return None;
    };
    let values = all.iter().map(|scene| scene.get(*key).cloned());
    Some(((*key).clone(), values.collect::<Option<_>>()?))
}

/// All values by dotted key.
fn flat(toml: &str) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    if let Ok(table) = toml::from_str::<toml::Table>(toml) {
        flatten(String::new(), &Value::Table(table), &mut values);
    }
    values
}

fn flatten(path: String, value: &Value, values: &mut BTreeMap<String, String>) {
    match value {
        Value::Table(table) => {
            let dot = if path.is_empty() { "" } else { "." };
            for (key, value) in table {
                flatten(format!("{path}{dot}{key}"), value, values);
            }
        }
        Value::Array(array) if array.iter().any(Value::is_table) => {
            for (index, value) in array.iter().enumerate() {
                flatten(format!("{path}[{index}]"), value, values);
            }
        }
        value => {
            values.insert(path, value.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{differences, only_difference};

    #[test]
    fn scenes_of_a_sweep_differ_in_one_key() {
        let scene = |mu: &str, nodes: &str| format!("nodes = {nodes}\n[contact]\nfriction = {mu}");
        let (a, b, c) = (scene("0.1", "5"), scene("0.2", "5"), scene("0.3", "6"));
        let found = only_difference(&[&a, &b]).unwrap();
        assert_eq!(found.0, "contact.friction");
        assert_eq!(found.1, ["0.1", "0.2"]);
        assert_eq!(only_difference(&[&a, &c]), None);
        assert_eq!(only_difference(&[&a, &a]), None);
    }

    #[test]
    fn keys_that_differ_are_named() {
        let a = "x = 1\n[[rods]]\nnodes = 5\n[contact]\nfriction = 0.1";
        let b = "x = 1\ny = [1, 2]\n[[rods]]\nnodes = 6\n[contact]\nfriction = 0.1";
        assert_eq!(
            differences(a, b),
            [
                "rods[0].nodes: 5 in the run, 6 now",
                "y: not there in the run, [1, 2] now"
            ]
        );
        assert_eq!(differences(a, a).len(), 1);
    }

    #[test]
    fn many_are_counted() {
        let keys = |value: u32| {
            (0..10)
                .map(|i| format!("k{i} = {value}\n"))
                .collect::<String>()
        };
        let lines = differences(&keys(1), &keys(2));
        assert_eq!(lines.len(), 6);
        assert_eq!(lines[5], "and 5 more");
    }
}
