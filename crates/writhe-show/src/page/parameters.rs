//! The scene's parameters as tables to read.

use toml::{Table, Value};
use writhe_viewer::Section;

/// A list of more values is told by its length.
const MOST_VALUES: usize = 8;

/// The tables of a scene, in its order as far as TOML keeps it; nothing for a text that is no TOML.
pub fn sections(toml: &str) -> Vec<Section> {
    let mut sections = Vec::new();
    if let Ok(table) = toml.parse::<Table>() {
        collect("", &table, &mut sections);
    }
    sections
}

fn collect(name: &str, table: &Table, sections: &mut Vec<Section>) {
    let entries: Vec<(String, String)> = table
        .iter()
        .filter(|(_, value)| !holds_tables(value))
        .map(|(key, value)| (key.clone(), text(value)))
        .collect();
    if !entries.is_empty() {
        sections.push(Section {
            name: name.to_owned(),
            entries,
        });
    }
    let within = |key: &str| match name {
        "" => key.to_owned(),
        name => format!("{name}.{key}"),
    };
    for (key, value) in table {
        match value {
            Value::Table(inner) => collect(&within(key), inner, sections),
            Value::Array(all) if holds_tables(value) => {
                for (index, inner) in all.iter().filter_map(Value::as_table).enumerate() {
                    collect(&format!("{} {index}", within(key)), inner, sections);
                }
            }
            _ => {}
        }
    }
}

fn holds_tables(value: &Value) -> bool {
    match value {
        Value::Table(_) => true,
        Value::Array(all) => all.first().is_some_and(Value::is_table),
        _ => false,
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Float(x) if *x != 0.0 && !(1e-3..1e6).contains(&x.abs()) => format!("{x:e}"),
        Value::Array(all) if all.len() > MOST_VALUES => format!("{} values", all.len()),
        Value::Array(all) => {
            let all: Vec<String> = all.iter().map(text).collect();
            format!("[{}]", all.join(", "))
        }
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::sections;

    #[test]
    fn tables_and_lists_of_tables_are_sections() {
        let toml = "title = \"a\"\n[time]\nstep = 1e-9\n[time.more]\nx = [1, 2]\n[[rods]]\nn = 3\n[[rods]]\nn = 4\n";
        let found = sections(toml);
        let names: Vec<&str> = found.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["", "rods 0", "rods 1", "time", "time.more"]);
        assert_eq!(found[3].entries, [("step".to_owned(), "1e-9".to_owned())]);
        assert_eq!(found[4].entries[0].1, "[1, 2]");
        assert!(sections("not = = toml").is_empty());
    }
}
