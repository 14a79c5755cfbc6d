//! Documentation and its tests, from what the tests of Rust have built.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::python::target;
use crate::step::Step;

/// Names the rustdoc that this program stands for.
const RUSTDOC: &str = "WRITHE_RUSTDOC";
/// Names the folder that pages go to.
const PAGES: &str = "WRITHE_PAGES";
/// Options of documentation tests that take a value of their own.
const OF_TESTS: [&str; 2] = ["--test-run-directory", "--test-args"];

/// Where this program is. To be asked before the tests are built: they replace it by the same one, and
/// some systems then say that it was deleted.
pub fn this_program() -> Result<PathBuf, String> {
    env::current_exe().map_err(|e| format!("where this program is: {e}"))
}

/// Documentation tests, and the pages of the same crates in `target/doc`: `cargo doc` would read all
/// dependencies once more.
pub fn step(root: &Path, this: &Path) -> Step {
    let rustdoc = env::var("RUSTDOC").unwrap_or_else(|_| "rustdoc".to_owned());
    Step::cargo(
        "documentation and its tests",
        "test --workspace --doc --locked",
    )
    .env("RUSTDOC", &this.to_string_lossy())
    .env(RUSTDOC, &rustdoc)
    .env(PAGES, &target(root).join("doc").to_string_lossy())
    .linted()
}

/// If cargo called this program in place of rustdoc, to test documentation: does that, and then writes
/// the pages, any warning being an error.
pub fn as_rustdoc() -> Option<ExitCode> {
    let (program, pages) = (env::var_os(RUSTDOC)?, env::var_os(PAGES)?);
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let run = |arguments: &[OsString]| {
        let status = Command::new(&program).args(arguments).status();
        match status {
            Ok(status) => status.success(),
            Err(error) => {
                eprintln!("xtask: cannot start {}: {error}", program.display());
                false
            }
        }
    };
    let done = run(&arguments) && of_pages(&arguments, &pages).is_none_or(|pages| run(&pages));
    Some(match done {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// The options of rustdoc that write the pages of what it was asked to test; `None` if it was not.
fn of_pages(arguments: &[OsString], pages: &OsStr) -> Option<Vec<OsString>> {
    let mut kept = Vec::new();
    let (mut tests, mut rest) = (false, arguments.iter());
    while let Some(argument) = rest.next() {
        if argument == "--test" {
            tests = true;
        } else if OF_TESTS.iter().any(|option| argument == option) {
            rest.next();
        } else {
            kept.push(argument.clone());
        }
    }
    kept.extend(["-Dwarnings".into(), "--out-dir".into(), pages.to_owned()]);
    tests.then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn pages_are_of_what_is_tested() {
        let tested = words(
            "--crate-name a --test src/lib.rs --test-run-directory /a --extern b=b.rlib --test-args c",
        );
        let pages = words("--crate-name a src/lib.rs --extern b=b.rlib -Dwarnings --out-dir doc");
        assert_eq!(of_pages(&tested, OsStr::new("doc")), Some(pages));
        assert_eq!(
            of_pages(&words("--version --verbose"), OsStr::new("doc")),
            None
        );
    }
}
