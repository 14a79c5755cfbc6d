//! The user's browser.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// Opens a file or an address, if this computer has something to open it with; the user was told
/// where it is.
pub fn open(what: impl AsRef<OsStr>) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    // A computer without a browser is no failure.
    let _ = Command::new(program)
        .args(arguments)
        .arg(what)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
}
