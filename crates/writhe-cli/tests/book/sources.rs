//! What sources say: keys that readers take, messages of errors.

use std::fs;
use std::path::{Path, PathBuf};

use super::pages::root;

/// Sources that say something to users, beside those of the command line.
const ERRORS: [&str; 12] = [
    "writhe/src/follow/error.rs",
    "writhe/src/step/error.rs",
    "writhe/src/simulation/error.rs",
    "writhe/src/rod/kinematics.rs",
    "writhe/src/rod/builder.rs",
    "writhe/src/error.rs",
    "writhe/src/bodies/engine.rs",
    "writhe-scenes/src/error.rs",
    "writhe-scenes/src/units/parse.rs",
    "writhe-scenes/src/units/quantity.rs",
    "writhe-rundir/src/error.rs",
    "writhe/src/simulation/jam.rs",
];
/// Messages of programs that use the libraries wrongly; no user of the command line meets them.
const INTERNAL: [&str; 5] = [
    "stopped on request",
    "the state at t = ",
    "the layout of the run is not valid",
    "entries in this frame; the layout declares",
    "rod {rod}: {source}",
];

/// Lists `&["key", ..]` in the sources of a folder, and the fields of what `table!` and `section!`
/// read, with their file.
pub fn key_lists(folder: &Path) -> Vec<(String, Vec<String>)> {
    let mut lists = Vec::new();
    for path in sources(folder) {
        let text = fs::read_to_string(&path).unwrap();
        // Tests of a source are no readers.
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let after = text.split("&[").skip(1);
        let inside = after.filter_map(|rest| rest.split(']').next());
        lists.extend(inside.filter_map(names).map(|keys| (name.clone(), keys)));
        let tables = text
            .split("table! {")
            .skip(1)
            .chain(text.split("section! {").skip(1));
        let tables = tables.filter_map(|rest| rest.split("\n}").next());
        lists.extend(tables.map(|table| (name.clone(), fields(table))));
    }
    lists
}

/// Names of public fields.
fn fields(table: &str) -> Vec<String> {
    let lines = table
        .lines()
        .filter_map(|line| line.trim().strip_prefix("pub "));
    let names = lines.filter_map(|line| Some(line.split_once(": ")?.0.to_owned()));
    names.filter(|name| !name.contains(' ')).collect()
}

/// The names in a list of quoted names; `None` if it is something else.
fn names(list: &str) -> Option<Vec<String>> {
    let items = list
        .split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty());
    let name = |item: &str| {
        let inner = item.strip_prefix('"')?.strip_suffix('"')?;
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        inner.chars().all(plain).then(|| inner.to_owned())
    };
    let names: Option<Vec<String>> = items.map(name).collect();
    names.filter(|names| !names.is_empty())
}

/// All texts in the sources that say something, one after the other, as they come out.
pub fn texts() -> String {
    let crates = root().join("crates");
    let mut files: Vec<PathBuf> = ERRORS.iter().map(|file| crates.join(file)).collect();
    files.push(crates.join("writhe/src/solve/error.rs"));
    files.push(crates.join("writhe/src/error/overlap.rs"));
    files.push(crates.join("writhe/src/error/obstacle_overlap.rs"));
    files.push(crates.join("writhe/src/stability/shape.rs"));
    files.push(crates.join("writhe-plot/src/error.rs"));
    files.extend(sources(&crates.join("writhe-cli/src")));
    files.extend(sources(&crates.join("writhe-session/src")));
    files.extend(sources(&crates.join("writhe-show/src")));
    files.extend(sources(&crates.join("writhe-sweep/src")));
    let read = |file: PathBuf| unbroken(&fs::read_to_string(file).unwrap());
    files.into_iter().map(read).collect()
}

/// What `#[error("..")]` of the sources says, with its file.
pub fn errors() -> Vec<(&'static str, String)> {
    let mut errors = Vec::new();
    for file in ERRORS {
        let text = unbroken(&fs::read_to_string(root().join("crates").join(file)).unwrap());
        for rest in text.split("#[error(").skip(1) {
            let message = rest.trim_start().strip_prefix('"');
            let Some(message) = message.and_then(|m| m.split('"').next()) else {
                continue;
            };
            if !INTERNAL.iter().any(|part| message.contains(part)) {
                errors.push((file, message.to_owned()));
            }
        }
    }
    assert!(errors.len() > 60, "only {} errors", errors.len());
    errors
}

/// What stands between the placeholders of a message.
pub fn literal_parts(message: &str) -> impl Iterator<Item = &str> {
    let parts = message.split('{').enumerate();
    parts
        .filter_map(|(i, part)| match i {
            0 => Some(part),
            _ => part.split_once('}').map(|(_, literal)| literal),
        })
        .map(str::trim)
}

/// A source whose texts are not broken over lines.
fn unbroken(text: &str) -> String {
    let mut parts = text.split("\\\n");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + part.trim_start())
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}
