//! Rust sources as tests read them: which files there are, which module each is, and the paths that
//! it names.
#![allow(dead_code, reason = "each test file uses a part")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of all crates.
pub fn crates() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap().to_path_buf()
}

/// Whether `path` is `part` or inside it.
pub fn inside(path: &str, part: &str) -> bool {
    path.strip_prefix(part)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// `contact/imc.rs` is `contact::imc`; `mod.rs` and `lib.rs` name their folder.
pub fn module_of(file: &Path) -> String {
    let mut parts: Vec<String> = file
        .with_extension("")
        .iter()
        .map(|p| p.to_string_lossy().into_owned())
        .collect();
    if matches!(parts.last().map(String::as_str), Some("mod" | "lib")) {
        parts.pop();
    }
    parts.join("::")
}

/// Paths named in the text: within the crate from its root, `loads::Trial`; others and macros as
/// `extern std::fmt`, `extern println!`.
pub fn paths(module: &str, text: &str) -> BTreeSet<String> {
    let tokens = without_tests(tokens(text));
    let at: Vec<String> = module
        .split("::")
        .filter(|m| !m.is_empty())
        .map(str::to_owned)
        .collect();
    let mut out = BTreeSet::new();
    let mut open: Vec<Option<String>> = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let word = tokens[i].as_str();
        match word {
            "{" => {
                let name = (i >= 2 && tokens[i - 2] == "mod").then(|| tokens[i - 1].clone());
                open.push(name);
            }
            "}" => {
                open.pop();
            }
            _ => {}
        }
        let starts = is_word(word) && (i == 0 || tokens[i - 1] != "::" || !after_word(&tokens, i));
        if starts && tokens.get(i + 1).is_some_and(|t| t == "!") {
            out.insert(format!("extern {word}!"));
        }
        if !starts || tokens.get(i + 1).is_none_or(|t| t != "::") {
            i += 1;
            continue;
        }
        let mut here = at.clone();
        here.extend(open.iter().flatten().cloned());
        let mut base = Vec::new();
        let end = tree(&tokens, i, &mut base, &mut |path| {
            out.insert(resolve(&here, path));
        });
        i = end.max(i + 1);
    }
    out
}

/// Whether the `::` before token `i` continues a path (`a::b`) and does not begin one (`::std`).
fn after_word(tokens: &[String], i: usize) -> bool {
    i >= 2 && (is_word(&tokens[i - 2]) || tokens[i - 2] == ">")
}

/// Reads a path or `use` tree from token `i`; calls `leaf` with each full path; returns where it
/// ends.
fn tree(
    tokens: &[String],
    mut i: usize,
    base: &mut Vec<String>,
    leaf: &mut impl FnMut(&[String]),
) -> usize {
    let depth = base.len();
    loop {
        match tokens.get(i).map(String::as_str) {
            Some("{") => {
                i += 1;
                while tokens.get(i).is_some_and(|t| t != "}") {
                    i = tree(tokens, i, base, leaf).max(i + 1);
                    while tokens
                        .get(i)
                        .is_some_and(|t| t == "as" || t == "_" || t == ",")
                        || (i > 0 && tokens[i - 1] == "as")
                    {
                        i += 1;
                    }
                }
                i += 1;
                break;
            }
            Some("*") => {
                i += 1;
                leaf(base);
                break;
            }
            Some(word) if is_word(word) => {
                // `a::{self}` is `a`.
                if word != "self" || base.is_empty() {
                    base.push(word.to_owned());
                }
                i += 1;
                if tokens.get(i).is_some_and(|t| t == "::") {
                    i += 1;
                    continue;
                }
                leaf(base);
                break;
            }
            _ => {
                leaf(base);
                break;
            }
        }
    }
    base.truncate(depth);
    i
}

fn resolve(here: &[String], path: &[String]) -> String {
    let mut full: Vec<String> = match path.first().map(String::as_str) {
        Some("crate") => return path[1..].join("::"),
        Some("self" | "super") => here.to_vec(),
        _ => return format!("extern {}", path.join("::")),
    };
    for part in path {
        match part.as_str() {
            "self" => {}
            "super" => {
                full.pop();
            }
            _ => full.push(part.clone()),
        }
    }
    full.join("::")
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Words, `::` and single characters; comments and literals left out.
fn tokens(text: &str) -> Vec<String> {
    let c: Vec<char> = text.chars().collect();
    let at = |i: usize| c.get(i).copied().unwrap_or('\0');
    let mut out = Vec::new();
    let mut i = 0;
    while i < c.len() {
        match (c[i], at(i + 1)) {
            ('/', '/') => {
                while i < c.len() && c[i] != '\n' {
                    i += 1;
                }
            }
            ('/', '*') => {
                i += 2;
                while i < c.len() && (c[i], at(i + 1)) != ('*', '/') {
                    i += 1;
                }
                i += 2;
            }
            ('"', _) => i = after_string(&c, i + 1),
            ('\'', next) => {
                // A lifetime has no closing quote; an escape always does.
                if next == '\\' {
                    i += 3;
                    while i < c.len() && c[i] != '\'' {
                        i += 1;
                    }
                    i += 1;
                } else {
                    i += if at(i + 2) == '\'' { 3 } else { 2 };
                }
            }
            (':', ':') => {
                out.push("::".to_owned());
                i += 2;
            }
            (first, _) if first.is_alphanumeric() || first == '_' => {
                let start = i;
                while i < c.len() && (c[i].is_alphanumeric() || c[i] == '_') {
                    i += 1;
                }
                let word: String = c[start..i].iter().collect();
                match (word.as_str(), at(i)) {
                    ("r" | "br", '"' | '#') if at(i) == '"' || matches!(at(i + 1), '"' | '#') => {
                        i = after_raw_string(&c, i);
                    }
                    ("b", '"') => i = after_string(&c, i + 1),
                    _ => out.push(word),
                }
            }
            (space, _) if space.is_whitespace() => i += 1,
            (other, _) => {
                out.push(other.to_string());
                i += 1;
            }
        }
    }
    out
}

fn after_string(c: &[char], mut i: usize) -> usize {
    while i < c.len() && c[i] != '"' {
        i += if c[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

fn after_raw_string(c: &[char], mut i: usize) -> usize {
    let mut hashes = 0;
    while c.get(i) == Some(&'#') {
        hashes += 1;
        i += 1;
    }
    i += 1;
    while i < c.len() {
        let closing = c[i] == '"' && (1..=hashes).all(|k| c.get(i + k) == Some(&'#'));
        i += 1;
        if closing {
            return i + hashes;
        }
    }
    i
}

/// Leaves out items under `#[cfg(test)]`.
fn without_tests(tokens: Vec<String>) -> Vec<String> {
    let marker = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut out = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        if !tokens[i..].iter().take(marker.len()).eq(marker.iter()) {
            out.push(tokens[i].clone());
            i += 1;
            continue;
        }
        let mut depth = 0;
        while i < tokens.len() {
            match tokens[i].as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            i += 1;
            let last = tokens[i - 1].as_str();
            if depth == 0 && (last == "}" || last == ";") {
                break;
            }
        }
    }
    out
}

/// All sources in the folder and below.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
    out
}
