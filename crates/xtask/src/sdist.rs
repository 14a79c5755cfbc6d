//! The source distribution of the Python package, with a lock file of its own.
//!
//! maturin packs the crates that the package is built of, and the lock file of the whole workspace.
//! A lock file that names more than is there has to change, and a build that is told `--locked`
//! refuses that. Here it is made to fit before the archive is closed; versions stay what they are.

use std::fs;
use std::path::{Path, PathBuf};

use crate::python;
use crate::step::{Step, check, run};

/// Makes `target/sdist/writhe-VERSION.tar.gz`; returns where it is.
pub fn make(root: &Path) -> Result<PathBuf, String> {
    let python = python::builders(root)?;
    let place = python::target(root).join("sdist");
    let failed = |e: std::io::Error| format!("{}: {e}", place.display());
    if place.exists() {
        fs::remove_dir_all(&place).map_err(failed)?;
    }
    fs::create_dir_all(&place).map_err(failed)?;
    let (to, manifest) = (place.to_string_lossy(), "crates/writhe-python/Cargo.toml");
    run(
        root,
        &Step::new(
            "source distribution of the Python package",
            &python.to_string_lossy(),
            &[
                "-m",
                "maturin",
                "sdist",
                "--manifest-path",
                manifest,
                "--out",
                &to,
            ],
        ),
    )?;
    let archive = only(&place)?;
    run(
        &place,
        &Step::new("its files", "tar", &["-xzf", &archive.to_string_lossy()]),
    )?;
    fs::remove_file(place.join(&archive)).map_err(failed)?;
    let folder = only(&place)?;
    let inside = place.join(&folder);
    for (name, arguments) in [
        ("its lock file", "metadata --quiet --format-version 1"),
        (
            "its lock file fits",
            "metadata --locked --quiet --format-version 1",
        ),
    ] {
        run(&inside, &Step::cargo(name, arguments).silent())?;
    }
    check(
        "nothing but packages that are not there has left it",
        || is_part(&root.join("Cargo.lock"), &inside.join("Cargo.lock")),
    )?;
    let (archive, folder) = (archive.to_string_lossy(), folder.to_string_lossy());
    run(
        &place,
        &Step::new("its archive", "tar", &["-czf", &archive, &folder]),
    )?;
    fs::remove_dir_all(&inside).map_err(failed)?;
    Ok(place.join(&*archive))
}

/// Name of the one file or folder in `place`.
fn only(place: &Path) -> Result<PathBuf, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", place.display());
    let mut names = fs::read_dir(place).map_err(failed)?;
    match (names.next(), names.next()) {
        (Some(one), None) => Ok(one.map_err(failed)?.file_name().into()),
        _ => Err(format!("{} should hold one thing", place.display())),
    }
}

/// Whether every package of the lock file `part` stands in the lock file `whole`, with its version
/// and checksum.
fn is_part(whole: &Path, part: &Path) -> Result<(), String> {
    let read =
        |path: &Path| fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()));
    let (whole, part) = (read(whole)?, read(part)?);
    let all = packages(&whole);
    let own = packages(&part);
    match own.iter().find(|package| !all.contains(package)) {
        None if own.is_empty() => Err("the lock file is empty".to_owned()),
        None => Ok(()),
        Some(other) => Err(format!("the lock file of the workspace has no {other:?}")),
    }
}

/// Name, version and checksum of each package of a lock file; its dependencies may be named with
/// their versions where there are several, and so differ.
fn packages(lock: &str) -> Vec<Vec<&str>> {
    let tables = lock.split("[[package]]").skip(1);
    let told = |line: &&str| {
        ["name = ", "version = ", "checksum = "]
            .iter()
            .any(|key| line.starts_with(key))
    };
    tables
        .map(|table| table.lines().filter(told).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_a_lock_file_are_told_apart() {
        let one = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"1\"\ndependencies = [\n \"b 2.0.0\",\n]\n";
        let other = one.replace("1.0.0", "1.0.1");
        let both = format!("{one}\n[[package]]\nname = \"b\"\nversion = \"2.0.0\"\n");
        assert_eq!(packages(&both).len(), 2);
        assert_eq!(packages(&both)[0], packages(one)[0]);
        assert_ne!(packages(&other)[0], packages(one)[0]);
        let fewer = one.replace(" 2.0.0\"", "\"");
        assert_eq!(packages(&fewer), packages(one));
    }
}
