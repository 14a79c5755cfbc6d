//! The rules of import: who may name whom. ARCHITECTURE.md says why.
//!
//! Sources are cut into tokens, comments, strings and `#[cfg(test)]` items left out; every path that begins with `crate`, `self` or
//! `super` is resolved to the module that it names, in `use` trees and in expressions alike. A path must be written out:
//! `use crate::loads;` or `crate::loads::*` hides what follows and is refused where only some items are allowed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

// ---- The rules -----------------------------------------------------------------------------------------------------------

/// What a part of the core may name of the rest of the core.
enum Rule {
    /// These paths and what is inside them, and nothing else outside the part itself.
    Only(&'static [&'static str]),
    /// Anything but these.
    Not(&'static [&'static str]),
    /// From the module, which is allowed otherwise, only these items.
    OnlyFrom(&'static str, &'static [&'static str]),
}

/// Part of the core (a module, by path), and what it may name.
const CORE: &[(&str, Rule)] = &[
    // Energies on fixed stencils see numbers and the geometry of edges.
    (
        "elastic",
        Rule::Only(&["rod::geometry", "rod::kinematics::EdgeGeometry"]),
    ),
    // The distance of two segments sees points.
    ("contact::distance", Rule::Only(&["rod::geometry"])),
    ("contact::ccd", Rule::Only(&["contact::distance"])),
    ("contact::candidates", Rule::Only(&[])),
    // Forces are given at a trial; who asks, and when, is none of their business.
    (
        "loads",
        Rule::Not(&[
            "integrate",
            "simulation",
            "observe",
            "certificate",
            "contact",
        ]),
    ),
    (
        "contact",
        Rule::Not(&["integrate", "simulation", "observe", "certificate"]),
    ),
    // Knots are made of points.
    (
        "knot",
        Rule::Only(&["contact::candidates", "contact::distance"]),
    ),
    // Linear algebra names no physics.
    ("solve", Rule::Only(&[])),
    // The step knows loads by their trait, as a list in the model; the fluid by the velocity that nodal forces cause.
    (
        "integrate",
        Rule::OnlyFrom(
            "loads",
            &["Load", "Trial", "Blocks", "Fluid", "Coupling", "Flow"],
        ),
    ),
    // Of contact it knows the evaluation of a step and its instants, the crossing check, and which unknowns a pair of edges couples.
    (
        "integrate",
        Rule::OnlyFrom(
            "contact",
            &[
                "ContactModel",
                "ContactStep",
                "obstacle::surface::Instants",
                "Stiffness",
                "ipc::largest_stiffness",
                "pair::HessianPart",
                "sweep::Sweep",
                "step::nodes",
                "step::coupled_dofs",
                "step::Approach",
            ],
        ),
    ),
    (
        "integrate",
        Rule::Not(&["elastic", "simulation", "observe", "certificate"]),
    ),
    (
        "rod",
        Rule::Not(&["model", "state", "loads", "contact", "solve", "integrate"]),
    ),
];

/// What the core does not do: touch files, print, read the environment, end the process.
const CORE_NEVER: &[&str] = &[
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::io",
    "println!",
    "print!",
    "eprintln!",
    "eprint!",
    "dbg!",
];

/// Packages that the core never depends on, besides all of ours.
const CORE_NEVER_DEPENDS: &[&str] = &["clap", "pyo3", "numpy", "miette", "indicatif", "toml"];

/// Our packages, and which of ours each may depend on. Scenes and run directories build on the core; command line and Python build
/// on those; pictures are drawn from plain arrays.
const OURS: &[(&str, &[&str])] = &[
    ("writhe", &[]),
    ("writhe-render", &[]),
    ("writhe-rundir", &["writhe"]),
    ("writhe-scenes", &["writhe"]),
    ("writhe-rapier", &["writhe"]),
    ("writhe-validate", &["writhe"]),
    (
        "writhe-reproduce",
        &["writhe", "writhe-render", "writhe-rundir", "writhe-scenes"],
    ),
    (
        "writhe-cli",
        &[
            "writhe",
            "writhe-rapier",
            "writhe-render",
            "writhe-reproduce",
            "writhe-rundir",
            "writhe-scenes",
            "writhe-validate",
        ],
    ),
    (
        "writhe-python",
        &[
            "writhe",
            "writhe-rapier",
            "writhe-render",
            "writhe-rundir",
            "writhe-scenes",
        ],
    ),
    ("xtask", &[]),
];

#[test]
fn modules_of_the_core_keep_the_rules_of_import() {
    let source = crates().join("writhe/src");
    let mut wrong = Vec::new();
    let files = rust_files(&source);
    assert!(files.len() > 20, "no sources in {}", source.display());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let module = module_of(file.strip_prefix(&source).unwrap());
        // `#[cfg(test)] mod tests;` in a file or folder of its own.
        if module.split("::").any(|part| part == "tests") {
            continue;
        }
        for broken in violations(&module, &text) {
            wrong.push(format!("{}: {broken}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn packages_depend_on_each_other_in_one_direction() {
    let mut wrong = Vec::new();
    for entry in fs::read_dir(crates()).unwrap() {
        let manifest = entry.unwrap().path().join("Cargo.toml");
        let Ok(text) = fs::read_to_string(&manifest) else {
            continue;
        };
        wrong.extend(wrong_dependencies(&text));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

// ---- Do the rules bite? --------------------------------------------------------------------------------------------------

#[test]
fn forbidden_paths_are_found_however_they_are_written() {
    for (module, text) in [
        ("elastic::bend", "use crate::model::Model;"),
        ("elastic::bend", "use super::super::model::Model;"),
        (
            "elastic::bend",
            "use crate::rod::kinematics::{EdgeGeometry, Frames};",
        ),
        ("contact::distance", "fn f(m: &crate::model::Model) {}"),
        (
            "loads::gravity",
            "use crate::{rod::Topology, integrate::{Scheme}};",
        ),
        (
            "contact::imc",
            "fn f() { let x = crate::integrate::implicit_step; }",
        ),
        ("solve::band", "use crate::rod::Topology as T;"),
        ("solve::band", "use crate::*;"),
        ("knot::kind", "use crate::rod::Topology;"),
        (
            "integrate::drag",
            "use crate::loads::stokeslet_segments::mobility::Mobility;",
        ),
        ("integrate::drag", "use crate::loads::{Trial, Gravity};"),
        ("integrate::drag", "use crate::loads;"),
        ("integrate::drag", "use crate::loads::*;"),
        ("integrate::drag", "use crate::loads::{self, Trial};"),
        ("integrate", "use super::loads::Gravity;"),
        (
            "integrate::step",
            "mod inner { use super::super::super::loads::Gravity; }",
        ),
        ("integrate::step", "use crate::elastic::bend::Bending;"),
        ("model", "use std::{fmt, fs::File};"),
        ("model", "fn f() { ::std::process::exit(1) }"),
        ("model", "fn f() { eprintln!(\"x\"); }"),
        ("model", "use writhe_scenes::Scene;"),
        ("model", "#[cfg(test)] mod tests { } use std::env;"),
    ] {
        assert!(!violations(module, text).is_empty(), "{module}: {text}");
    }
}

#[test]
fn allowed_paths_comments_and_tests_are_left_alone() {
    for (module, text) in [
        (
            "elastic::bend",
            "use crate::rod::geometry::outer; use super::strain::Gradient;",
        ),
        (
            "elastic::bend",
            "//! See [`crate::model`].\n/* crate::model */ const A: &str = \"crate::model\";",
        ),
        (
            "elastic::bend",
            "#[cfg(test)] mod tests { use crate::model::Model; fn f() { {} } }",
        ),
        ("elastic::bend", "#[cfg(test)]\nuse crate::model::Model;"),
        (
            "contact::distance",
            "use glam::DVec3; fn f<'a>(c: &'a char) -> char { '\"' }",
        ),
        (
            "solve::band",
            "use super::error::SolveError; use crate::solve::refine;",
        ),
        (
            "integrate::drag",
            "use crate::loads::{Blocks, Flow, Fluid}; use crate::model::Model;",
        ),
        (
            "integrate::step",
            "use crate::contact::{ContactStep, sweep::Sweep};",
        ),
        (
            "integrate::step",
            "fn f() { r#\"crate::loads::Gravity\"#; self.model.loads.len(); }",
        ),
        ("model", "use std::fmt; use serde::Serialize;"),
    ] {
        let found = violations(module, text);
        assert!(found.is_empty(), "{module}: {text}: {found:?}");
    }
}

#[test]
fn forbidden_dependencies_are_found() {
    let manifest = |name: &str, rest: &str| format!("[package]\nname = \"{name}\"\n{rest}");
    for (name, rest) in [
        ("writhe", "[dependencies]\nclap.workspace = true"),
        (
            "writhe",
            "[dependencies.writhe-scenes]\npath = \"../writhe-scenes\"",
        ),
        (
            "writhe",
            "[target.'cfg(unix)'.dependencies]\nwrithe-rundir = \"0.1\"",
        ),
        (
            "writhe",
            "[dev-dependencies]\nwrithe-scenes.workspace = true",
        ),
        (
            "writhe-scenes",
            "[dependencies]\nwrithe-cli = { path = \"..\" }",
        ),
        (
            "writhe-cli",
            "[dependencies]\nwrithe-python.workspace = true",
        ),
        (
            "writhe-python",
            "[dependencies]\nwrithe-cli.workspace = true",
        ),
        (
            "writhe-python",
            "[dependencies]\ncli = { package = \"writhe-cli\", path = \"..\" }",
        ),
        ("writhe-new", "[dependencies]"),
        ("xtask", "[dependencies]\nanything = \"1\""),
    ] {
        let text = manifest(name, rest);
        assert!(!wrong_dependencies(&text).is_empty(), "{text}");
    }
    let good = manifest(
        "writhe-cli",
        "[dependencies]\nwrithe.workspace = true\nclap = \"4\"",
    );
    assert!(wrong_dependencies(&good).is_empty());
}

// ---- Modules -------------------------------------------------------------------------------------------------------------

/// What is wrong in the text of `module` (a path such as `contact::imc`, empty for the crate root).
fn violations(module: &str, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for path in paths(module, text) {
        if let Some(outside) = path.strip_prefix("extern ") {
            if let Some(never) = CORE_NEVER.iter().find(|n| inside(outside, n)) {
                wrong.push(format!("the core must not use {never} ({outside})"));
            }
            if outside.starts_with("writhe_") {
                wrong.push(format!("the core must not use {outside}"));
            }
            continue;
        }
        for (part, rule) in CORE {
            if !inside(module, part) || inside(&path, part) {
                continue;
            }
            // A parent's path, as in `use crate::*`, reaches everything below it.
            let broken = match rule {
                Rule::Only(allowed) => !allowed.iter().any(|a| inside(&path, a)),
                Rule::Not(forbidden) => forbidden
                    .iter()
                    .any(|f| inside(&path, f) || path.is_empty()),
                Rule::OnlyFrom(from, items) => {
                    path.is_empty()
                        || path.strip_prefix(from).is_some_and(|rest| {
                            (rest.is_empty() || rest.starts_with("::"))
                                && !items
                                    .iter()
                                    .any(|i| inside(rest.trim_start_matches("::"), i))
                        })
                }
            };
            if broken {
                wrong.push(format!("`{part}` must not name crate::{path}"));
            }
        }
    }
    wrong
}

/// Whether `path` is `part` or inside it.
fn inside(path: &str, part: &str) -> bool {
    path.strip_prefix(part)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// `contact/imc.rs` is `contact::imc`; `mod.rs` and `lib.rs` name their folder.
fn module_of(file: &Path) -> String {
    let mut parts: Vec<String> = file
        .with_extension("")
        .iter()
        .map(|p| p.to_string_lossy().into_owned())
        .collect();
    if matches!(parts.last().map(String::as_str), Some("mod" | "lib")) {
        parts.pop();
    }
    parts.join("::")
}

/// Paths named in the text: within the crate from its root, `loads::Trial`; others and macros as `extern std::fmt`, `extern println!`.
fn paths(module: &str, text: &str) -> BTreeSet<String> {
    let tokens = without_tests(tokens(text));
    let at: Vec<String> = module
        .split("::")
        .filter(|m| !m.is_empty())
        .map(str::to_owned)
        .collect();
    let mut out = BTreeSet::new();
    let mut open: Vec<Option<String>> = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let word = tokens[i].as_str();
        match word {
            "{" => {
                let name = (i >= 2 && tokens[i - 2] == "mod").then(|| tokens[i - 1].clone());
                open.push(name);
            }
            "}" => {
                open.pop();
            }
            _ => {}
        }
        let starts = is_word(word) && (i == 0 || tokens[i - 1] != "::" || !after_word(&tokens, i));
        if starts && tokens.get(i + 1).is_some_and(|t| t == "!") {
            out.insert(format!("extern {word}!"));
        }
        if !starts || tokens.get(i + 1).is_none_or(|t| t != "::") {
            i += 1;
            continue;
        }
        let mut here = at.clone();
        here.extend(open.iter().flatten().cloned());
        let mut base = Vec::new();
        let end = tree(&tokens, i, &mut base, &mut |path| {
            out.insert(resolve(&here, path));
        });
        i = end.max(i + 1);
    }
    out
}

/// Whether the `::` before token `i` continues a path (`a::b`) and does not begin one (`::std`).
fn after_word(tokens: &[String], i: usize) -> bool {
    i >= 2 && (is_word(&tokens[i - 2]) || tokens[i - 2] == ">")
}

/// Reads a path or `use` tree from token `i`; calls `leaf` with each full path; returns where it ends.
fn tree(
    tokens: &[String],
    mut i: usize,
    base: &mut Vec<String>,
    leaf: &mut impl FnMut(&[String]),
) -> usize {
    let depth = base.len();
    loop {
        match tokens.get(i).map(String::as_str) {
            Some("{") => {
                i += 1;
                while tokens.get(i).is_some_and(|t| t != "}") {
                    i = tree(tokens, i, base, leaf).max(i + 1);
                    while tokens
                        .get(i)
                        .is_some_and(|t| t == "as" || t == "_" || t == ",")
                        || (i > 0 && tokens[i - 1] == "as")
                    {
                        i += 1;
                    }
                }
                i += 1;
                break;
            }
            Some("*") => {
                i += 1;
                leaf(base);
                break;
            }
            Some(word) if is_word(word) => {
                // `a::{self}` is `a`.
                if word != "self" || base.is_empty() {
                    base.push(word.to_owned());
                }
                i += 1;
                if tokens.get(i).is_some_and(|t| t == "::") {
                    i += 1;
                    continue;
                }
                leaf(base);
                break;
            }
            _ => {
                leaf(base);
                break;
            }
        }
    }
    base.truncate(depth);
    i
}

fn resolve(here: &[String], path: &[String]) -> String {
    let mut full: Vec<String> = match path.first().map(String::as_str) {
        Some("crate") => return path[1..].join("::"),
        Some("self" | "super") => here.to_vec(),
        _ => return format!("extern {}", path.join("::")),
    };
    for part in path {
        match part.as_str() {
            "self" => {}
            "super" => {
                full.pop();
            }
            _ => full.push(part.clone()),
        }
    }
    full.join("::")
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Words, `::` and single characters; comments and literals left out.
fn tokens(text: &str) -> Vec<String> {
    let c: Vec<char> = text.chars().collect();
    let at = |i: usize| c.get(i).copied().unwrap_or('\0');
    let mut out = Vec::new();
    let mut i = 0;
    while i < c.len() {
        match (c[i], at(i + 1)) {
            ('/', '/') => {
                while i < c.len() && c[i] != '\n' {
                    i += 1;
                }
            }
            ('/', '*') => {
                i += 2;
                while i < c.len() && (c[i], at(i + 1)) != ('*', '/') {
                    i += 1;
                }
                i += 2;
            }
            ('"', _) => i = after_string(&c, i + 1),
            ('\'', next) => {
                // A lifetime has no closing quote; an escape always does.
                if next == '\\' {
                    i += 3;
                    while i < c.len() && c[i] != '\'' {
                        i += 1;
                    }
                    i += 1;
                } else {
                    i += if at(i + 2) == '\'' { 3 } else { 2 };
                }
            }
            (':', ':') => {
                out.push("::".to_owned());
                i += 2;
            }
            (first, _) if first.is_alphanumeric() || first == '_' => {
                let start = i;
                while i < c.len() && (c[i].is_alphanumeric() || c[i] == '_') {
                    i += 1;
                }
                let word: String = c[start..i].iter().collect();
                match (word.as_str(), at(i)) {
                    ("r" | "br", '"' | '#') if at(i) == '"' || matches!(at(i + 1), '"' | '#') => {
                        i = after_raw_string(&c, i);
                    }
                    ("b", '"') => i = after_string(&c, i + 1),
                    _ => out.push(word),
                }
            }
            (space, _) if space.is_whitespace() => i += 1,
            (other, _) => {
                out.push(other.to_string());
                i += 1;
            }
        }
    }
    out
}

fn after_string(c: &[char], mut i: usize) -> usize {
    while i < c.len() && c[i] != '"' {
        i += if c[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

fn after_raw_string(c: &[char], mut i: usize) -> usize {
    let mut hashes = 0;
    while c.get(i) == Some(&'#') {
        hashes += 1;
        i += 1;
    }
    i += 1;
    while i < c.len() {
        let closing = c[i] == '"' && (1..=hashes).all(|k| c.get(i + k) == Some(&'#'));
        i += 1;
        if closing {
            return i + hashes;
        }
    }
    i
}

/// Leaves out items under `#[cfg(test)]`.
fn without_tests(tokens: Vec<String>) -> Vec<String> {
    let marker = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut out = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        if !tokens[i..].iter().take(marker.len()).eq(marker.iter()) {
            out.push(tokens[i].clone());
            i += 1;
            continue;
        }
        let mut depth = 0;
        while i < tokens.len() {
            match tokens[i].as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            i += 1;
            let last = tokens[i - 1].as_str();
            if depth == 0 && (last == "}" || last == ";") {
                break;
            }
        }
    }
    out
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
    out
}

// ---- Packages ------------------------------------------------------------------------------------------------------------

fn crates() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap().to_path_buf()
}

/// What is wrong with the dependencies in a `Cargo.toml`.
fn wrong_dependencies(toml: &str) -> Vec<String> {
    let mut name = String::new();
    let mut found = Vec::new();
    let mut section = String::new();
    for line in toml.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_matches(['[', ']']).to_owned();
            if let Some((_, package)) = section.split_once("dependencies.") {
                found.push(package.to_owned());
            }
            continue;
        }
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        let key = key.trim();
        if section == "package" && key == "name" {
            name = value.trim().trim_matches('"').to_owned();
        }
        if section.ends_with("dependencies") {
            found.push(key.split('.').next().unwrap_or(key).to_owned());
        }
        if section.contains("dependencies")
            && let Some((_, package)) = line.split_once("package = \"")
        {
            found.push(package.split('"').next().unwrap_or(package).to_owned());
        }
    }
    let Some((_, allowed)) = OURS.iter().find(|(ours, _)| *ours == name) else {
        return vec![format!(
            "{name}: say in tests/architecture.rs what it may depend on"
        )];
    };
    let ours = |package: &str| OURS.iter().any(|(ours, _)| *ours == package);
    let refused = |package: &str| match name.as_str() {
        "xtask" => true,
        "writhe" => ours(package) || CORE_NEVER_DEPENDS.contains(&package),
        _ => ours(package) && !allowed.contains(&package),
    };
    found
        .iter()
        .filter(|package| refused(package))
        .map(|package| format!("{name} must not depend on {package}"))
        .collect()
}

// ---- Documents --------------------------------------------------------------------------------------------------------------

#[test]
fn the_example_of_the_readme_is_the_one_in_examples() {
    let read = |path: &str| fs::read_to_string(crates().join(path)).unwrap();
    let example = read("writhe/examples/cantilever.rs");
    let (_, code) = example.split_once("\n\n").unwrap();
    assert!(
        read("../README.md").contains(code.trim_end()),
        "README.md and crates/writhe/examples/cantilever.rs differ"
    );
}

#[test]
fn documents_point_at_files_that_exist() {
    let root = crates().join("..");
    let sources = rust_files(&crates());
    let mut pages: Vec<PathBuf> = markdown(&root);
    pages.extend(markdown(&root.join("docs")));
    pages.extend(markdown(&root.join("docs/decisions")));
    let mut wrong = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for target in text.split("](").skip(1).filter_map(|t| t.split(')').next()) {
            // Pictures are made by a run and come after the text.
            let elsewhere = target.contains("://") || target.ends_with(".png");
            if !elsewhere && !page.with_file_name(target).exists() {
                wrong.push(format!("{}: no {target}", page.display()));
            }
        }
        for word in text.split(['`', ' ', ',', '(', '\n']) {
            if word.ends_with(".rs") && !sources.iter().any(|s| s.ends_with(word)) {
                wrong.push(format!("{}: no source {word}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn markdown(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|e| e.unwrap().path());
    paths
        .filter(|p| p.extension().is_some_and(|e| e == "md"))
        .collect()
}
