//! What sources say: messages of errors.

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
