//! Commands as they can be typed.

use std::path::Path;

/// A word as a shell takes it for one.
#[must_use]
pub fn word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=+,:@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// A path as a shell takes it for one word, and a program for no option: `./-d`.
#[must_use]
pub fn path(path: &Path) -> String {
    let text = path.display().to_string();
    match text.starts_with('-') {
        true => word(&format!("./{text}")),
        false => word(&text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_shell() {
        assert_eq!(word("a/b.toml"), "a/b.toml");
        assert_eq!(word("it's 1 s"), r"'it'\''s 1 s'");
        assert_eq!(word("rods[0].radius"), "'rods[0].radius'");
        assert_eq!(word(""), "''");
        assert_eq!(path(Path::new("my dir")), "'my dir'");
        assert_eq!(path(Path::new("-d/a b")), "'./-d/a b'");
        assert_eq!(path(Path::new("runs/-d")), "runs/-d");
    }
}
