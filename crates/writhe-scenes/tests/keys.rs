//! The keys of the scene file are stated once, in the readers: the book's page `keys.md` and the
//! classes of the Python package are made from there. `cargo xtask keys` makes them anew.

#[path = "keys/page.rs"]
mod page;
#[path = "keys/python.rs"]
mod python;
#[path = "keys/words.rs"]
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use writhe_scenes::{Kind, tables};

/// What asks for writing in place of comparing.
const WRITE: &str = "WRITHE_WRITE_KEYS";

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap().to_path_buf()
}

/// Compares a file with what it should be, or writes it.
fn settle(file: &Path, wanted: &str) {
    let found = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    if found == wanted {
        return;
    }
    if std::env::var_os(WRITE).is_some() {
        fs::write(file, wanted).unwrap();
        return;
    }
    let differ = found.lines().zip(wanted.lines()).find(|(a, b)| a != b);
    panic!(
        "{} is not what the keys say: run `cargo xtask keys`. The first difference: {differ:#?}",
        file.display()
    );
}

#[test]
fn the_page_of_keys_is_what_the_readers_say() {
    let file = root().join("docs/book/src/keys.md");
    let page = fs::read_to_string(&file).unwrap();
    settle(&file, &page::filled(&page, &tables()));
}

#[test]
fn every_table_is_on_the_page() {
    let page = fs::read_to_string(root().join("docs/book/src/keys.md")).unwrap();
    let shown: BTreeSet<String> = page::shown(&page).collect();
    let named = |name: &str| name.starts_with("scene.");
    let missing: Vec<_> = tables()
        .into_iter()
        .filter(|table| !shown.contains(&table.name) && !named(&table.name))
        .map(|table| table.name)
        .collect();
    assert!(missing.is_empty(), "keys.md shows no keys of {missing:?}");
    assert!(shown.contains("scene.*"), "keys.md shows no named scene");
}

#[test]
fn python_has_the_arguments_that_the_readers_say() {
    let folder = root().join("crates/writhe-python/python/writhe");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = files.filter(|file| file.extension().is_some_and(|e| e == "py"));
    let sources: Vec<(PathBuf, String)> = files
        .map(|file| (file.clone(), fs::read_to_string(&file).unwrap()))
        .collect();
    let (tables, names) = (
        tables(),
        python::classes(sources.iter().map(|(_, text)| text.as_str())),
    );
    let mut classes = 0;
    for (file, text) in &sources {
        let (made, count) = python::filled(text, &tables, &names);
        classes += count;
        settle(file, &made);
    }
    assert!(classes > 60, "only {classes} classes of scenes in Python");
}

/// A table that a key holds is told of, too.
#[test]
fn tables_within_tables_are_listed() {
    let all = tables();
    let types: BTreeSet<&str> = all.iter().map(|table| table.of).collect();
    fn held(kind: &Kind, found: &mut Vec<&'static str>) {
        match kind {
            Kind::Table(of) => found.push(of),
            Kind::List(of) | Kind::Several(_, of) => held(of, found),
            Kind::Either(kinds) => kinds.iter().for_each(|kind| held(kind, found)),
            _ => {}
        }
    }
    for table in &all {
        for key in &table.keys {
            let mut found = Vec::new();
            held(&key.kind, &mut found);
            if key.kind == Kind::Inner {
                let inner = format!("{}.{}", table.name, key.name);
                assert!(all.iter().any(|table| table.name == inner), "{inner}");
            }
            for of in found.iter().filter(|of| !of.ends_with("NamedScene")) {
                assert!(
                    types.contains(of),
                    "{}.{}: no table {of}",
                    table.name,
                    key.name
                );
            }
        }
    }
}

/// A meaning is a sentence without its full stop.
#[test]
fn every_key_says_what_it_means() {
    for table in tables() {
        for key in &table.keys {
            let place = format!("{}.{}: `{}`", table.name, key.name, key.meaning);
            assert!(key.meaning.len() > 2, "{place}");
            let first = key.meaning.chars().next().unwrap();
            assert!(!first.is_lowercase() || "pqm".contains(first), "{place}");
            // Units are told by the kind of the value.
            for unit in [", m", ", s", ", N", ", rad", ", Pa", ", kg"] {
                assert!(!key.meaning.ends_with(unit), "{place}");
            }
        }
    }
}

/// What a scene takes where its file says nothing is what the keys state.
#[test]
fn defaults_are_those_that_scenes_take() {
    let text = "[[rods]]\nshape = { straight = { to = [1, 0, 0], edges = 4 } }\n\
                section = { circle = { radius = 1e-3 } }\n\
                material = { young = 1e6, poisson = 0.5, density = 1e3 }\n\
                clamps = [{ edge = \"first\" }]\nheld = [{ node = \"last\" }]\n\
                forces = [{ node = 2, force = [0, 0, 1e-6] }]\n";
    let scene = writhe_scenes::Scene::parse(text, "my.toml").unwrap();
    let resolved: toml::Table = toml::from_str(&scene.resolved().unwrap()).unwrap();
    let rod = resolved["rods"].as_array().unwrap()[0].as_table().unwrap();
    let first = |key: &str| rod[key].as_array().unwrap()[0].as_table().unwrap();
    let places = [
        ("", &resolved),
        ("gravity", resolved["gravity"].as_table().unwrap()),
        ("time", resolved["time"].as_table().unwrap()),
        ("output", resolved["output"].as_table().unwrap()),
        ("rods", rod),
        ("clamps", first("clamps")),
        ("held", first("held")),
        ("forces", first("forces")),
    ];
    let mut compared = 0;
    for (name, found) in places {
        let table = tables()
            .into_iter()
            .find(|table| table.name == name)
            .unwrap();
        for key in table.keys {
            let Some(stated) = key.default.filter(|told| !told.starts_with('(')) else {
                continue;
            };
            let stated: toml::Table = toml::from_str(&format!("x = {stated}")).unwrap();
            let found = found
                .get(key.name)
                .unwrap_or_else(|| panic!("{name}.{}", key.name));
            let same = words::number(found) == words::number(&stated["x"]) || *found == stated["x"];
            assert!(same, "{name}.{}: {found} is not {stated}", key.name);
            compared += 1;
        }
    }
    assert!(compared > 20, "only {compared} defaults");
}

/// Readers and checks of tables name no key by themselves: they take it as it is stated, so that the
/// compiler sees a typing error. The name of a named scene stands beside the keys of all of them.
#[test]
fn no_reader_writes_the_name_of_a_key() {
    const CALLS: [&str; 12] = [
        "at",
        "optional",
        "or",
        "required",
        "missing",
        "check",
        "check_shown",
        "exclude",
        "conflict",
        "only",
        "refuse",
        "unknown",
    ];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    // Where keys are stated, and the files of other programs, which have their own.
    for folder in ["copies", "named", "scene", "spec"] {
        rust_files(&source.join(folder), &mut files);
    }
    assert!(files.len() > 40, "only {} files", files.len());
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for call in CALLS {
            let begins = format!(".{call}(");
            let calls = text.match_indices(&begins).map(|(at, c)| at + c.len());
            let names = calls.filter_map(|after| text[after..].trim_start().strip_prefix('"'));
            let place = file.strip_prefix(&source).unwrap().display().to_string();
            found.extend(names.map(|name| {
                let name = name.split('"').next().unwrap_or_default();
                format!("{place}: .{call}(\"{name}\"")
            }));
        }
    }
    assert_eq!(found, ["named/mod.rs: .missing(\"name\""]);
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}
