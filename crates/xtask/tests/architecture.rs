//! The rules of import: who may name whom. ARCHITECTURE.md says why.
//!
//! Sources are cut into tokens, comments, strings and `#[cfg(test)]` items left out; every path
//! that begins with `crate`, `self` or `super` is resolved to the module that it names, in `use`
//! trees and in expressions alike. A path must be written out: `use crate::loads;` or
//! `crate::loads::*` hides what follows and is refused where only some items are allowed.

mod circles;
mod rust_source;

use std::fs;

use rust_source::{crates, inside, module_of, paths, rust_files};

// ---- The rules
// -----------------------------------------------------------------------------------------------------------

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
    // Kernels see numbers, the geometry of edges and the strains of vertices.
    (
        "kernels",
        Rule::Only(&[
            "rod::geometry",
            "rod::kinematics::EdgeAxis",
            "rod::kinematics::EdgeGeometry",
            // The same of several edges side by side.
            "rod::kinematics::EdgeWindow",
            "rod::kinematics::row",
            "rod::strain",
            "error",
            "lanes",
        ]),
    ),
    ("kernels::ccd", Rule::Only(&["kernels::distance"])),
    ("kernels::candidates", Rule::Only(&[])),
    // A contact model is its settings, its law and what it asks for: no rods, and no step.
    ("contact_model", Rule::Only(&["error", "kernels"])),
    // What forces are evaluated at knows rods, and nothing that exerts a force.
    ("assembly", Rule::Only(&["rod"])),
    // Forces are given at a trial; who asks, and when, is none of their business.
    (
        "loads",
        Rule::Not(&["step", "simulation", "observe", "certificate", "contact"]),
    ),
    (
        "contact",
        Rule::Not(&["step", "simulation", "observe", "certificate"]),
    ),
    // Bodies are moved; they know what forces and derivatives are.
    (
        "bodies",
        Rule::Not(&[
            "model",
            "contact",
            "step",
            "simulation",
            "observe",
            "certificate",
        ]),
    ),
    // Knots are made of points.
    (
        "knot",
        Rule::Only(&["kernels::candidates", "kernels::distance", "lanes"]),
    ),
    // Linear algebra names no physics.
    ("solve", Rule::Only(&["threads"])),
    // Whoever computes a flow sees rods as flat arrays, and linear algebra.
    (
        "fluid",
        Rule::Not(&[
            "contact",
            "step",
            "simulation",
            "observe",
            "certificate",
            "bodies",
        ]),
    ),
    // The step knows the fluid by the traits of its medium.
    (
        "step",
        Rule::OnlyFrom(
            "fluid",
            &[
                "Fluid",
                "FluidError",
                "Coupling",
                "Medium",
                "Mobility",
                "Rods",
            ],
        ),
    ),
    // The step knows loads by their trait, as a list in the model.
    ("step", Rule::OnlyFrom("loads", &["Load"])),
    // Of contact it knows the frame of a step, the set of a trial, contacts about a trial, and the
    // crossing check; no law of a contact model.
    (
        "step",
        Rule::OnlyFrom(
            "contact",
            &[
                "Beginning",
                "ContactFrame",
                "ContactSet",
                "frame::Approach",
                "frame::Surface",
                "frame::largest_motion",
                "obstacle::frame::Instant",
                "pair::HessianPart",
                "set::ContactPower",
                "set::Penetration",
                "set::add_friction_of_forces",
                "site",
                "sweep::Sweep",
            ],
        ),
    ),
    (
        "step",
        Rule::OnlyFrom(
            "contact_model",
            &[
                "policy",
                "hardening",
                "ObstacleForce",
                "PairForce",
                "Stiffness",
            ],
        ),
    ),
    ("step", Rule::OnlyFrom("kernels", &["friction"])),
    (
        "step",
        Rule::Not(&["simulation", "observe", "certificate", "stability"]),
    ),
    // Arithmetic knows nothing.
    ("lanes", Rule::Only(&[])),
    ("threads", Rule::Only(&[])),
    ("rod", Rule::Only(&["lanes", "threads"])),
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

/// Our packages, and which of ours each may depend on. Scenes and run directories build on the
/// core, scenes on the engine of bodies too, if it is asked for; command line and Python build on
/// those; pictures are drawn from plain arrays.
const OURS: &[(&str, &[&str])] = &[
    ("writhe", &[]),
    ("writhe-lettering", &[]),
    ("writhe-render", &["writhe-lettering"]),
    ("writhe-viewer", &[]),
    ("writhe-plot", &["writhe-lettering"]),
    ("writhe-rundir", &["writhe"]),
    ("writhe-scenes", &["writhe", "writhe-rapier"]),
    ("writhe-rapier", &["writhe"]),
    ("writhe-validate", &["writhe", "writhe-scenes"]),
    ("writhe-results", &["writhe-render", "writhe-scenes"]),
    // It times programs from outside; scenes are for its tests.
    ("writhe-bench", &["writhe-results", "writhe-scenes"]),
    (
        "writhe-reproduce",
        &[
            "writhe",
            "writhe-plot",
            "writhe-render",
            "writhe-results",
            "writhe-rundir",
            "writhe-scenes",
            "writhe-validate",
        ],
    ),
    // A run and the directory that it leaves: for the command line and for Python.
    (
        "writhe-session",
        &["writhe", "writhe-rundir", "writhe-scenes"],
    ),
    // Runs of a scene over values of its keys: for both. It draws and starts nothing.
    (
        "writhe-sweep",
        &["writhe-rundir", "writhe-scenes", "writhe-session"],
    ),
    // A run to look at: for both, too.
    (
        "writhe-show",
        &[
            "writhe",
            "writhe-render",
            "writhe-results",
            "writhe-rundir",
            "writhe-scenes",
            "writhe-session",
            "writhe-viewer",
        ],
    ),
    // The command line knows no experiment; the program of the papers is built on its front end.
    (
        "writhe-cli",
        &[
            "writhe",
            "writhe-bench",
            "writhe-plot",
            "writhe-render",
            "writhe-results",
            "writhe-rundir",
            "writhe-scenes",
            "writhe-session",
            "writhe-show",
            "writhe-sweep",
            "writhe-validate",
            "writhe-viewer",
        ],
    ),
    (
        "writhe-papers",
        &[
            "writhe",
            "writhe-cli",
            "writhe-reproduce",
            "writhe-results",
            "writhe-validate",
        ],
    ),
    (
        "writhe-python",
        &[
            "writhe",
            "writhe-plot",
            "writhe-rapier",
            "writhe-render",
            "writhe-results",
            "writhe-rundir",
            "writhe-scenes",
            "writhe-session",
            "writhe-show",
            "writhe-sweep",
            "writhe-viewer",
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

/// A step by one thread shares nothing: who shares work asks `threads` whether it may.
#[test]
fn all_that_shares_work_asks_for_threads() {
    // The answer itself; simulations side by side, which are no step; what `fronts` has asked for.
    let excepted = [
        "threads",
        "simulation::side_by_side",
        "solve::blocks::fronts::dense",
    ];
    let source = crates().join("writhe/src");
    let mut sharing = 0;
    for file in rust_files(&source) {
        let module = module_of(file.strip_prefix(&source).unwrap());
        if excepted.contains(&module.as_str()) || module.split("::").any(|part| part == "tests") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let passed_by = ["rayon::join", "rayon::current_num_threads"];
        let found = passed_by.iter().find(|name| text.contains(**name));
        assert!(found.is_none(), "{}: {found:?}", file.display());
        let shares = text.contains("rayon::");
        assert!(!shares || text.contains("threads::"), "{}", file.display());
        sharing += usize::from(shares);
    }
    assert!(sharing > 5, "{sharing}");
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

// ---- Do the rules bite?
// --------------------------------------------------------------------------------------------------

#[test]
fn forbidden_paths_are_found_however_they_are_written() {
    for (module, text) in [
        ("kernels::elastic::bend", "use crate::model::Model;"),
        (
            "kernels::elastic::bend",
            "use super::super::super::model::Model;",
        ),
        (
            "kernels::elastic::bend",
            "use crate::rod::kinematics::{EdgeGeometry, Frames};",
        ),
        ("kernels::distance", "fn f(m: &crate::model::Model) {}"),
        (
            "loads::gravity",
            "use crate::{rod::Topology, step::{Scheme}};",
        ),
        (
            "contact_model::imc",
            "fn f() { let x = crate::step::implicit_step; }",
        ),
        ("solve::band", "use crate::rod::Topology as T;"),
        ("solve::band", "use crate::*;"),
        ("knot::kind", "use crate::rod::Topology;"),
        (
            "step::drag",
            "use crate::fluid::stokeslet_segments::mobility::DenseMobility;",
        ),
        (
            "step::drag",
            "use crate::assembly::Trial;
use crate::loads::Gravity;",
        ),
        ("step::drag", "use crate::loads;"),
        ("step::drag", "use crate::loads::*;"),
        (
            "step::drag",
            "use crate::assembly::Trial;
use crate::loads::self;",
        ),
        ("step", "use super::loads::Gravity;"),
        (
            "step::advance",
            "mod inner { use super::super::super::loads::Gravity; }",
        ),
        (
            "step::advance",
            "use crate::kernels::elastic::bend::Bending;",
        ),
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
            "kernels::elastic::bend",
            "use crate::rod::geometry::outer; use super::stretch::Gradient;",
        ),
        (
            "kernels::elastic::bend",
            "//! See [`crate::model`].\n/* crate::model */ const A: &str = \"crate::model\";",
        ),
        (
            "kernels::elastic::bend",
            "#[cfg(test)] mod tests { use crate::model::Model; fn f() { {} } }",
        ),
        (
            "kernels::elastic::bend",
            "#[cfg(test)]\nuse crate::model::Model;",
        ),
        (
            "kernels::distance",
            "use glam::DVec3; fn f<'a>(c: &'a char) -> char { '\"' }",
        ),
        (
            "solve::band",
            "use super::error::SolveError; use crate::solve::refine;",
        ),
        (
            "step::drag",
            "use crate::assembly::Blocks;
use crate::fluid::{Fluid, Medium}; use crate::model::Model;",
        ),
        (
            "step::advance",
            "use crate::contact::{ContactSet, sweep::Sweep};",
        ),
        (
            "step::advance",
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
            "writhe-cli",
            "[dependencies]\nwrithe-reproduce.workspace = true",
        ),
        (
            "writhe-cli",
            "[dev-dependencies]\nwrithe-papers.workspace = true",
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

// ---- Modules
// -------------------------------------------------------------------------------------------------------------

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

// ---- Packages
// ------------------------------------------------------------------------------------------------------------

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
