//! No circles: the modules of a crate that stand directly below its root never import each other in
//! a circle, so that each can be read, and changed, after those that it stands on.
//!
//! What the root re-exports counts as its module: `crate::Scene` is `crate::scene::Scene`. Test
//! code is left out.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use crate::rust_source::{crates, module_of, paths, rust_files};

/// Modules, those that each imports, and for each of these a file that does so.
type Imports = BTreeMap<String, BTreeMap<String, PathBuf>>;

#[test]
fn modules_of_a_crate_do_not_import_each_other_in_a_circle() {
    let members = fs::read_dir(crates()).unwrap().map(|e| e.unwrap().path());
    let members: Vec<PathBuf> = members
        .chain(["core", "extension"].map(|tests| crates().join("../tests").join(tests)))
        .filter(|folder| folder.join("Cargo.toml").exists())
        .collect();
    let name = |folder: &Path| folder.file_name().unwrap().to_string_lossy().into_owned();
    let mut wrong = Vec::new();
    for folder in members {
        let source = folder.join("src");
        let read = |file: PathBuf| {
            let text = fs::read_to_string(&file).unwrap();
            (file.strip_prefix(&source).unwrap().to_owned(), text)
        };
        let sources: Vec<_> = rust_files(&source).into_iter().map(read).collect();
        let name = name(&folder);
        let found = circles(&sources);
        wrong.extend(found.into_iter().map(|wrong| format!("{name}: {wrong}")));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The circles in the sources (path below the folder `src`, text) of a crate, in words.
fn circles(sources: &[(PathBuf, String)]) -> Vec<String> {
    let imports = imports(sources);
    let mut told: BTreeSet<&str> = BTreeSet::new();
    let mut wrong = Vec::new();
    for module in imports.keys() {
        let Some(circle) = circle(&imports, module) else {
            continue;
        };
        // Each is told once, under the first of its modules.
        if circle.iter().all(|m| told.insert(m)) {
            wrong.push(drawn(&imports, &circle));
        }
    }
    wrong
}

/// The circle in words, with a file for each of its arrows.
fn drawn(imports: &Imports, circle: &[&str]) -> String {
    let mut text = "modules import each other in a circle; move what one needs of the other to where both may see it".to_owned();
    for (from, to) in circle.iter().zip(circle.iter().cycle().skip(1)) {
        text += &format!("\n    {from} -> {to}: {}", imports[*from][*to].display());
    }
    text
}

/// The shortest circle of imports that begins at `module`, if there is one.
fn circle<'a>(imports: &'a Imports, module: &str) -> Option<Vec<&'a str>> {
    let (module, _) = imports.get_key_value(module)?;
    let mut open = VecDeque::from([vec![module.as_str()]]);
    let mut seen = BTreeSet::new();
    while let Some(path) = open.pop_front() {
        for next in imports.get(path[path.len() - 1])?.keys() {
            if next == module {
                return Some(path);
            }
            if seen.insert(next) {
                open.push_back([path.as_slice(), &[next.as_str()]].concat());
            }
        }
    }
    None
}

fn imports(sources: &[(PathBuf, String)]) -> Imports {
    let top = |module: &str| module.split("::").next().unwrap_or_default().to_owned();
    let is_test = |part: &str| part == "tests" || part == "testing" || part.ends_with("_tests");
    let (mut roots, mut inner) = (Vec::new(), Vec::new());
    for (file, text) in sources {
        let module = module_of(file);
        match module.as_str() {
            "" | "main" => roots.push(text),
            _ if module.split("::").any(is_test) => {}
            _ => inner.push((file, module, text)),
        }
    }
    let mut all: Imports = inner
        .iter()
        .map(|(_, module, _)| (top(module), BTreeMap::new()))
        .collect();
    // The root's names, and the module that each comes from.
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for path in roots.iter().flat_map(|text| paths("", text)) {
        let path = path.trim_start_matches("extern ");
        if let Some((module, rest)) = path.split_once("::")
            && all.contains_key(module)
        {
            let name = rest.rsplit("::").next().unwrap_or(rest);
            names.insert(name.to_owned(), module.to_owned());
        }
    }
    for (file, module, text) in inner {
        let from = top(&module);
        for path in paths(&module, text) {
            let first = top(&path);
            let to = if all.contains_key(&first) {
                &first
            } else if let Some(module) = names.get(&first) {
                module
            } else {
                continue;
            };
            if *to != from {
                let arrows = all.entry(from.clone()).or_default();
                arrows.entry(to.clone()).or_insert_with(|| file.clone());
            }
        }
    }
    all
}

// ---- Does the rule bite?
// -------------------------------------------------------------------------

fn found(sources: &[(&str, &str)]) -> Vec<String> {
    let sources = sources
        .iter()
        .map(|(file, text)| (file.into(), (*text).to_owned()));
    circles(&sources.collect::<Vec<_>>())
}

#[test]
fn planted_circles_are_found_with_a_file_for_each_arrow() {
    let lib = ("lib.rs", "mod a;\nmod b;\nmod c;\npub use c::deep::Item;");
    for sources in [
        [
            ("a/x.rs", "use crate::b::B;"),
            ("b.rs", "use crate::a::x::A;"),
            ("c.rs", ""),
        ],
        [
            ("a/x.rs", "fn f() { crate::b::g() }"),
            ("b.rs", "use super::{c::C};"),
            ("c.rs", "use crate::{a, d};"),
        ],
        [
            ("a/x.rs", "use crate::Item;"),
            ("b.rs", ""),
            ("c/deep.rs", "use super::super::a::x::A;"),
        ],
    ] {
        let wrong = found(&[&[lib][..], &sources].concat());
        assert_eq!(wrong.len(), 1, "{sources:?}: {wrong:?}");
        assert!(wrong[0].contains("\n    a -> "), "{wrong:?}");
        assert!(wrong[0].contains(": a/x.rs\n"), "{wrong:?}");
    }
}

#[test]
fn what_goes_one_way_and_what_tests_import_makes_no_circle() {
    for back in [
        ("b.rs", "use std::fmt; use crate::c; use self::inner::X;"),
        ("b.rs", "#[cfg(test)]\nmod tests { use crate::a::A; }"),
        (
            "b.rs",
            "//! See [`crate::a`].\nconst A: &str = \"crate::a\";",
        ),
        ("b/tests.rs", "use crate::a::A;"),
        ("b/testing.rs", "use crate::a::A;"),
        ("b_tests.rs", "use crate::a::A;"),
        ("main.rs", "mod a;\nmod b;\nuse a::A;\nuse b::B;"),
    ] {
        let sources = [("a.rs", "use crate::b::B;"), ("b/mod.rs", ""), back];
        let wrong = found(&sources);
        assert!(wrong.is_empty(), "{back:?}: {wrong:?}");
    }
}
