//! The list of tables and keys knows what scenes hold.

use std::collections::BTreeSet;

use toml::Value;
use writhe_scenes::{FREE, Scene, names, tables, template};

/// Every table of a scene with its keys, wherever it stands.
fn keys_of(value: &Value, found: &mut Vec<BTreeSet<String>>) {
    match value {
        Value::Table(table) => {
            found.push(table.keys().cloned().collect());
            table.values().for_each(|inner| keys_of(inner, found));
        }
        Value::Array(list) => list.iter().for_each(|inner| keys_of(inner, found)),
        _ => {}
    }
}

/// What stands in a scene, as it is written and with every default, is some table of the list.
#[test]
fn scenes_hold_listed_tables() {
    let listed: Vec<BTreeSet<String>> = tables()
        .into_iter()
        .map(|table| table.keys.iter().map(|key| key.name.to_owned()).collect())
        .collect();
    for name in names().iter().chain(FREE) {
        let text = template(name).unwrap();
        let resolved = Scene::parse(text, name).unwrap().resolved().unwrap();
        for text in [text, resolved.as_str()] {
            let mut found = Vec::new();
            keys_of(&Value::Table(toml::from_str(text).unwrap()), &mut found);
            assert!(found.len() > 1, "{name}");
            for keys in found {
                let known = listed.iter().any(|table| keys.is_subset(table));
                assert!(known, "{name}: no table has {keys:?}");
            }
        }
    }
}

#[test]
fn tables_have_names_and_keys_of_their_own() {
    let all = tables();
    let names: BTreeSet<&str> = all.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names.len(), all.len());
    for table in &all {
        let keys: BTreeSet<&str> = table.keys.iter().map(|key| key.name).collect();
        assert_eq!(keys.len(), table.keys.len(), "{table:?}");
        assert!(!keys.is_empty(), "{table:?}");
    }
    let find = |name: &str| all.iter().find(|table| table.name == name).unwrap();
    assert!(find("shape").is_choice && !find("shape.arc").is_choice);
    let has = |table: &str, key: &str| find(table).keys.iter().any(|k| k.name == key);
    assert!(has("scene.knot", "unknotting_number") && has("", "rods"));
}
