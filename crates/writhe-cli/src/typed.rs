//! Commands as they work where this program was started.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

use clap::CommandFactory as _;

use crate::args::Arguments;
use crate::shell;

/// What is typed before the arguments where this program was started by `cargo run`.
const BY_CARGO: &str = "cargo run --release --";

/// A text with the commands of `writhe` as they work where this program was started: by
/// `cargo run` or by its path, there may be no `writhe` to call. Cargo says so to what it starts, and
/// of which package that is; what a test of this package starts is told the same unless the test
/// takes it back.
pub fn as_typed(text: &str) -> Cow<'_, str> {
    let package = std::env::var_os("CARGO_PKG_NAME");
    let by_cargo =
        std::env::var_os("CARGO").is_some() && package.is_some_and(|name| name == "writhe-cli");
    if by_cargo {
        return Cow::Owned(with_program(text, BY_CARGO));
    }
    match std::env::args_os().next().as_deref().and_then(by_path) {
        Some(program) => Cow::Owned(with_program(text, &program)),
        None => Cow::Borrowed(text),
    }
}

/// The path by which this program was started, as a shell takes it; `None` where its name was enough.
fn by_path(called: &OsStr) -> Option<String> {
    let path = Path::new(called);
    let is_own = path.file_stem().is_some_and(|name| name == "writhe");
    let is_name = path
        .parent()
        .is_none_or(|folder| folder.as_os_str().is_empty());
    (is_own && !is_name).then(|| shell::path(path))
}

/// The text with `program` for the word `writhe` where a command of it follows.
fn with_program(text: &str, program: &str) -> String {
    const CALLED: &str = "writhe ";
    let commands = Arguments::command();
    let is_command = |rest: &str| {
        let word = rest.split(|c: char| !c.is_alphanumeric()).next();
        word.is_some_and(|word| {
            word == "COMMAND" || commands.get_subcommands().any(|c| c.get_name() == word)
        })
    };
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(CALLED) {
        let (before, after) = (&rest[..at], &rest[at + CALLED.len()..]);
        out += before;
        let begins = before.chars().last().or(out.chars().last());
        let is_word = begins.is_none_or(|c| c.is_whitespace() || "`('\"".contains(c));
        match is_word && is_command(after) {
            true => out += &format!("{program} "),
            false => out += CALLED,
        }
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::{by_path, with_program};

    #[test]
    fn commands_work_where_cargo_started_the_program() {
        let told = with_program("see `writhe check a.toml`, writhe run b", "cargo run --");
        assert_eq!(told, "see `cargo run -- check a.toml`, cargo run -- run b");
        for kept in [
            "version of writhe that",
            "the writhe of a curve",
            "writhe-papers",
            "by writhe 1",
        ] {
            assert_eq!(with_program(kept, "x"), kept);
        }
    }

    #[test]
    fn a_program_that_was_started_by_its_path_is_told_by_it() {
        let program = |called: &str| by_path(OsStr::new(called));
        assert_eq!(program("writhe"), None);
        assert_eq!(program("../own/writhe").unwrap(), "../own/writhe");
        assert_eq!(program("/my tools/writhe").unwrap(), "'/my tools/writhe'");
        assert_eq!(program("/usr/bin/writhe-papers"), None);
    }
}
