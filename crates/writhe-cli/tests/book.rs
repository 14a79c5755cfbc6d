//! The book in `docs/book` tells the truth: chapters, links, commands, scenes, keys, messages.

#[path = "book/pages.rs"]
mod pages;
#[path = "book/sources.rs"]
mod sources;

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use clap::{CommandFactory, Parser};
use pages::{Fence, Page, chapters, root};
use writhe::observe::{Entry, observe};
use writhe_cli::args::{Arguments, Command};
use writhe_scenes::Scene;

#[test]
fn the_summary_lists_every_chapter_and_nothing_else() {
    let book = root().join("docs/book/src");
    let summary = Page::read(&book.join("SUMMARY.md"));
    let listed: BTreeSet<PathBuf> = summary.links().map(|link| book.join(link)).collect();
    let there: BTreeSet<PathBuf> = chapters().into_iter().map(|page| page.path).collect();
    assert!(there.len() > 15, "only {} chapters", there.len());
    assert_eq!(listed, there);
}

#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    for page in chapters() {
        for link in page.links().filter(|link| !link.contains("://")) {
            let target = normal(&page.path.with_file_name(link));
            if !target.exists() {
                wrong.push(format!("{}: {link}", page.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The path without `..`, which need not exist on the way.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

#[test]
fn commands_are_those_of_the_command_line() {
    let mut pages = chapters();
    pages.push(Page::read(&root().join("README.md")));
    let mut used = BTreeSet::new();
    let mut count = 0;
    for page in pages {
        for words in page.commands("writhe") {
            let line = words.join(" ");
            let parsed = Arguments::try_parse_from(&words);
            let arguments = parsed.unwrap_or_else(|e| panic!("{}: `{line}`: {e}", page.name()));
            used.insert(words[1].clone());
            check_names(&arguments.command, &line);
            count += 1;
        }
        for words in page.inline_commands("writhe") {
            let known = words.len() == 1
                || Arguments::command().find_subcommand(&words[1]).is_some()
                || words[1].starts_with('-')
                || words[1] == "COMMAND";
            assert!(known, "{}: `{}`", page.name(), words.join(" "));
        }
    }
    assert!(count > 50, "only {count} commands");
    let all = Arguments::command();
    for command in all.get_subcommands().filter(|c| !c.is_hide_set()) {
        let name = command.get_name();
        assert!(used.contains(name), "the book never shows `writhe {name}`");
    }
}

/// Names of scenes and cases exist.
fn check_names(command: &Command, line: &str) {
    match command {
        Command::New(args) => {
            let name = args.name.as_deref().filter(|name| *name != "NAME");
            assert!(
                name.is_none_or(|n| writhe_scenes::template(n).is_some()),
                "{line}"
            );
        }
        Command::Validate(args) => {
            for case in &args.cases {
                assert!(
                    writhe_validate::catalogue::find(case).is_some(),
                    "{line}: {case}"
                );
            }
        }
        Command::Reproduce(_) => panic!("`{line}` went elsewhere"),
        _ => {}
    }
}

#[test]
fn scenes_can_be_built() {
    let mut count = 0;
    for page in chapters() {
        for Fence { text, .. } in page.fences().filter(|fence| fence.language == "toml") {
            let place = format!("{}:\n{text}", page.name());
            let scene = Scene::parse(&text, "book.toml").unwrap_or_else(|e| panic!("{place}: {e}"));
            scene.build().unwrap_or_else(|e| panic!("{place}: {e}"));
            scene.describe().unwrap_or_else(|e| panic!("{place}: {e}"));
            count += 1;
        }
    }
    assert!(count > 7, "only {count} scenes");
}

#[test]
fn every_named_scene_has_a_section_and_a_row() {
    let read = |name: &str| Page::read(&root().join("docs/book/src").join(name)).text;
    let (table, all) = (read("scenes.md"), chapters());
    for name in writhe_scenes::names() {
        assert!(table.contains(&format!("`{name}`")), "{name} in scenes.md");
        let titled = |page: &Page| {
            let headings = page.text.lines().filter(|line| line.starts_with("## "));
            headings
                .into_iter()
                .any(|h| h.contains(&format!("`{name}`")))
        };
        let own = *name == "knot" || all.iter().any(titled);
        assert!(own, "no section of {name}");
    }
}

#[test]
fn messages_are_those_of_the_sources() {
    let page = Page::read(&root().join("docs/book/src/messages.md"));
    let quoted: Vec<String> = page.quoted_code().collect();
    assert!(quoted.len() > 70, "only {} messages", quoted.len());
    // Quotes of a message's own are left out inside of code.
    let texts = sources::texts().replace('`', "");
    for message in &quoted {
        for part in message.split('…').map(str::trim).filter(|p| p.len() > 3) {
            assert!(
                texts.contains(part),
                "no source says \"{part}\" of: {message}"
            );
        }
    }
    let all = quoted.join("\n");
    let mut missing = Vec::new();
    for (file, message) in sources::errors() {
        let plain = message.replace('`', "");
        let longest = sources::literal_parts(&plain).max_by_key(|part| part.len());
        if longest.is_some_and(|part| part.len() > 12 && !all.contains(part)) {
            missing.push(format!("{file}: {message}"));
        }
    }
    assert!(missing.is_empty(), "not in messages.md: {missing:#?}");
}

/// Names of the columns of a run, with number 0 and without axes.
fn kinds_of_columns(scene: &Scene) -> BTreeSet<String> {
    let setup = scene.build().unwrap();
    let kind = |name: &str| -> String {
        let without = ["_x", "_y", "_z", "_w"]
            .iter()
            .find_map(|axis| name.strip_suffix(axis));
        let mut kind = String::new();
        for c in without.unwrap_or(name).chars() {
            match c.is_ascii_digit() {
                true if kind.ends_with('0') => {}
                true => kind.push('0'),
                false => kind.push(c),
            }
        }
        kind
    };
    let mut all: Vec<Entry> = Vec::new();
    let seen = observe(&setup.model, &setup.state).unwrap();
    seen.visit(&setup.model, &mut all);
    all.iter().map(|entry| kind(&entry.name)).collect()
}

#[test]
fn every_column_of_observables_is_in_the_page_on_files() {
    let told: BTreeSet<String> = Page::read(&root().join("docs/book/src/files.md"))
        .code_words()
        .collect();
    // What no template has.
    let rest = r#"
[[rods]]
shape = { straight = { from = [0, 0, 0], to = [0.2, 0, 0], edges = 10 } }
section = { circle = { radius = "1 mm" } }
material = { young = "3 MPa", poisson = 0.5, density = 1000 }
held = [{ node = 2 }]
held_angles = [{ edge = 5 }]

[[bodies]]
mass = 1
inertia = [1, 1, 1]
position = [0, 1, 0]
motion = { velocity = [1, 0, 0] }

[[bodies]]
mass = 1
inertia = [1, 1, 1]
position = [0, 2, 0]
guide = { position = "xy", turn = "z" }

[[obstacles]]
shape = { sphere = { center = [0, 0, 1], radius = 0.1 } }
    "#;
    let templates = writhe_scenes::names().iter().map(|name| {
        let mut scene = Scene::parse(writhe_scenes::template(name).unwrap(), name).unwrap();
        if *name == "hanging-chain" {
            scene.set("scene.strength=1").unwrap();
        }
        scene
    });
    let mut kinds =
        kinds_of_columns(&Scene::parse(rest, "rest.toml").unwrap_or_else(|e| panic!("{e}")));
    templates.for_each(|scene| kinds.extend(kinds_of_columns(&scene)));
    for wanted in [
        "moved_body0_force",
        "guided_body0_torque",
        "joints_broken",
        "rod0_hydrodynamic_force",
        "obstacle_gap",
    ] {
        assert!(kinds.contains(wanted), "no scene of this test has {wanted}");
    }
    let is_told = |kind: &String| told.contains(kind) || told.contains(&format!("{kind}_x"));
    let missing: Vec<_> = kinds.iter().filter(|kind| !is_told(kind)).collect();
    assert!(missing.is_empty(), "not in files.md: {missing:#?}");
}
