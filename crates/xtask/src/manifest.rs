//! What every `Cargo.toml` must say.

use std::fs;
use std::path::Path;

/// The workspace states a minimum Rust version and every package inherits it.
pub fn check_rust_version(root: &Path) -> Result<(), String> {
    let read = |path: &Path| {
        fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
    };
    let workspace = root.join("Cargo.toml");
    let version = value(&read(&workspace)?, "[workspace.package]", "rust-version")
        .ok_or("Cargo.toml has no `rust-version` under [workspace.package]")?;
    if version.trim_matches('"').split('.').count() < 2 {
        return Err(format!("`rust-version = {version}` is not a version"));
    }
    let crates = root.join("crates");
    let list = fs::read_dir(&crates).map_err(|e| format!("{}: {e}", crates.display()))?;
    for entry in list.flatten() {
        let path = entry.path().join("Cargo.toml");
        if path.is_file()
            && value(&read(&path)?, "[package]", "rust-version.workspace").as_deref()
                != Some("true")
        {
            return Err(format!(
                "{} needs `rust-version.workspace = true` under [package]",
                path.display()
            ));
        }
    }
    Ok(())
}

/// The value of `key = value` in a section of a TOML file, as it stands there.
fn value(toml: &str, section: &str, key: &str) -> Option<String> {
    toml.lines()
        .map(str::trim)
        .skip_while(|line| *line != section)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .find_map(|line| {
            let (name, value) = line.split_once('=')?;
            (name.trim() == key).then(|| value.trim().to_owned())
        })
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn values_are_looked_up_in_their_section() {
        let toml = "[a]\nx = 1\n[b]\nx = 2 \ny.z = true\n";
        assert_eq!(value(toml, "[b]", "x").as_deref(), Some("2"));
        assert_eq!(value(toml, "[b]", "y.z").as_deref(), Some("true"));
        assert_eq!(value(toml, "[a]", "y.z"), None);
    }
}
