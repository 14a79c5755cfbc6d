//! Text on the terminal or in a pipe.

use std::io::{self, ErrorKind, IsTerminal, Write};

use crate::printable::printable;
use crate::report::{Failure, Result};

/// Writes to standard output, as it can be shown; a reader that went away (`writhe check | head`)
/// is no error.
///
/// # Errors
/// When the text cannot be written, say to a full disk.
pub fn print(text: &str) -> Result<()> {
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

/// Writes to standard error, where nothing more can be done about failures.
pub fn print_error(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Tells someone who watches what is being done; nobody else.
pub fn print_progress(text: &str) {
    if io::stderr().is_terminal() {
        print_error(text);
    }
}
