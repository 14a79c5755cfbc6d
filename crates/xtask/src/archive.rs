//! A release: one archive with the stripped program and what belongs to it, its checksum, and the
//! section of the changelog.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::python;
use crate::step::{Step, check, run};

/// Files of the repository that go into the archive.
const DOCUMENTS: [&str; 5] = [
    "README.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "LICENSE-APACHE",
    "LICENSE-MIT",
];

/// Licence of the font that the program holds.
const FONT_LICENCE: &str = "crates/writhe-lettering/fonts/OFL.txt";

/// Shells whose completions go into the archive, and how the files are called there.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "writhe.bash"),
    ("zsh", "_writhe"),
    ("fish", "writhe.fish"),
];

/// How the program is built. The level of its last crate would be that of the whole when all crates
/// are optimised together at the link, and that crate is otherwise made small.
const BUILD: &str =
    "rustc --profile packed --locked --package writhe-cli --bin writhe -- -C opt-level=3";

/// Makes `target/dist/writhe-VERSION-TARGET.tar.gz`, `SHA256SUMS` and `CHANGES.md` beside it.
pub fn make(root: &Path) -> Result<(), String> {
    run(root, &Step::cargo("the program, with optimisation", BUILD))?;
    let target = python::target(root);
    let program = target.join("packed").join("writhe");
    let version = said(&program, &["--version"])?;
    let version = version.trim().rsplit(' ').next().unwrap_or("0").to_owned();
    let name = format!("writhe-{version}-{}", host()?);
    let dist = target.join("dist");
    let folder = dist.join(&name);
    check("files of the archive", || {
        fill(root, &program, &dist, &folder, &version)
    })?;
    let archive = format!("{name}.tar.gz");
    run(
        &dist,
        &Step::new("archive", "tar", &["-czf", &archive, &name]),
    )?;
    let sums = said_in(&dist, "sha256sum", &[&archive])?;
    let write = |file: &str, text: &str| {
        fs::write(dist.join(file), text).map_err(|e| format!("{file}: {e}"))
    };
    write("SHA256SUMS", &sums)?;
    let size = |path: &Path| fs::metadata(path).map_or(0.0, |m| m.len() as f64 / 1e6);
    println!(
        "\n{} ({:.1} MB, the program {:.1} MB)\n{sums}",
        dist.join(&archive).display(),
        size(&dist.join(&archive)),
        size(&program),
    );
    Ok(())
}

/// Puts everything into `folder`, and the changes of this version beside it.
fn fill(
    root: &Path,
    program: &Path,
    dist: &Path,
    folder: &Path,
    version: &str,
) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    if dist.exists() {
        fs::remove_dir_all(dist).map_err(failed)?;
    }
    let completions = folder.join("completions");
    let manual = folder.join("man");
    fs::create_dir_all(&completions).map_err(failed)?;
    fs::create_dir_all(&manual).map_err(failed)?;
    fs::copy(program, folder.join("writhe")).map_err(failed)?;
    for document in DOCUMENTS {
        fs::copy(root.join(document), folder.join(document)).map_err(failed)?;
    }
    fs::copy(root.join(FONT_LICENCE), folder.join("LICENSE-FONT")).map_err(failed)?;
    for (shell, file) in SHELLS {
        let script = said(program, &["completions", shell])?;
        fs::write(completions.join(file), script).map_err(failed)?;
    }
    said(program, &["man", "--out", &manual.to_string_lossy()])?;
    let log = fs::read_to_string(root.join("CHANGELOG.md")).map_err(failed)?;
    let changes = changes(&log, version)
        .ok_or_else(|| format!("CHANGELOG.md has no section of {version}, nor `[Unreleased]`"))?;
    fs::write(dist.join("CHANGES.md"), changes).map_err(failed)
}

/// The section of the changelog about this version, or else about what is not released.
fn changes(log: &str, version: &str) -> Option<String> {
    let section = |title: &str| {
        let (_, after) = log.split_once(&format!("\n## [{title}]"))?;
        let (_, text) = after.split_once('\n')?;
        let text = text.split("\n## [").next()?;
        Some(format!("{}\n", text.trim()))
    };
    section(version).or_else(|| section("Unreleased"))
}

/// The machine that rustc builds for.
fn host() -> Result<String, String> {
    let text = said_in(Path::new("."), "rustc", &["-vV"])?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| "`rustc -vV` names no host".to_owned())
}

fn said(program: &Path, arguments: &[&str]) -> Result<String, String> {
    said_in(Path::new("."), &program.to_string_lossy(), arguments)
}

/// What a program prints.
fn said_in(folder: &Path, program: &str, arguments: &[&str]) -> Result<String, String> {
    let line = format!("`{program} {}`", arguments.join(" "));
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .map_err(|e| format!("{line}: {e}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{line} failed: {errors}"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_of_a_version_is_found() {
        let log = "# Changelog\n\n## [Unreleased]\n\n- c\n\n## [0.1.0] - 2026-01-01\n\n- b\n- a\n";
        assert_eq!(changes(log, "0.1.0").unwrap(), "- b\n- a\n");
        assert_eq!(changes(log, "0.2.0").unwrap(), "- c\n");
        assert_eq!(changes("# Changelog\n", "0.1.0"), None);
    }

    #[test]
    fn the_changelog_has_a_section_to_show() {
        let log = fs::read_to_string(crate::root().join("CHANGELOG.md")).unwrap();
        assert!(changes(&log, env!("CARGO_PKG_VERSION")).is_some());
    }
}
