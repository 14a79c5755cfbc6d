//! Text on the terminal or in a pipe.
//!
//! There are answers, which go to standard output; remarks about the work, which go there too unless
//! the answer is JSON, and nowhere with `--quiet`; errors and warnings, which go to standard error;
//! progress, which goes there and is for who waits.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::printable::printable;
use crate::report::{Failure, Result};
use crate::typed::as_typed;

/// Whether remarks and progress are left out.
static QUIET: AtomicBool = AtomicBool::new(false);
/// Whether standard output is for JSON alone.
static JSON: AtomicBool = AtomicBool::new(false);

/// Leaves remarks and progress out, or not.
pub fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Whether remarks and progress are left out.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Keeps standard output for JSON, or not.
pub fn set_json(json: bool) {
    JSON.store(json, Ordering::Relaxed);
}

/// Writes an answer to standard output, as it can be shown; a reader that went away
/// (`writhe check | head`) is no error.
///
/// # Errors
/// When the text cannot be written, say to a full disk.
pub fn print(text: &str) -> Result<()> {
    print_file(&as_typed(text))
}

/// Writes what goes into a file to standard output; the same but that commands stay as they are.
///
/// # Errors
/// When the text cannot be written, say to a full disk.
pub fn print_file(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    let written = out
        .write_all(printable(text).as_bytes())
        .and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::failed(format!(
            "writing to standard output failed: {error}"
        ))),
        _ => Ok(()),
    }
}

/// Prints JSON.
///
/// # Errors
/// When it cannot be written.
pub fn print_json(value: &serde_json::Value) -> Result<()> {
    print_file(&format!("{value:#}\n"))
}

/// Tells of the work that is done: what would be no part of an answer.
///
/// # Errors
/// When the text cannot be written.
pub fn tell(text: &str) -> Result<()> {
    if is_quiet() {
        return Ok(());
    }
    if JSON.load(Ordering::Relaxed) {
        print_error(&printable(&as_typed(text)));
        return Ok(());
    }
    print(text)
}

/// Writes to standard error, where nothing more can be done about failures.
pub fn print_error(text: &str) {
    let _ = io::stderr().lock().write_all(as_typed(text).as_bytes());
}

/// Tells someone who watches what is being done; nobody else.
pub fn print_progress(text: &str) {
    if io::stderr().is_terminal() && !is_quiet() {
        print_error(text);
    }
}
