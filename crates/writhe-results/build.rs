//! Tells the crate which commit it is built from: a row of results names the program that made it.

use std::process::Command;

fn main() {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
    };
    let commit = git(&["describe", "--always", "--exclude=*"]);
    let commit = commit.unwrap_or_else(|| "unknown".to_owned());
    // Results that have been recorded meanwhile are no sources.
    let changes = [
        "status",
        "--porcelain",
        "--untracked-files=no",
        "--",
        ":/",
        ":(top,exclude)validation",
    ];
    let dirty = if git(&changes).is_some() {
        "-dirty"
    } else {
        ""
    };
    println!("cargo:rustc-env=WRITHE_COMMIT={commit}{dirty}");
    // Any change of a source makes a commit `-dirty`.
    println!("cargo:rerun-if-changed=..");
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
}
