//! Lines of code of each crate: without blank lines, comments and tests. Sizes are looked at, not
//! enforced.

use std::fs;
use std::path::{Path, PathBuf};

/// Files that are named as the longest.
const LONGEST: usize = 5;

/// Prints the lines of code of the crates `names`, of all without names, their sum, and the longest
/// files.
pub fn print(root: &Path, names: &[&str]) -> Result<(), String> {
    let crates = root.join("crates");
    let mut found: Vec<String> = match names {
        [] => entries(&crates)?.iter().map(|path| name(path)).collect(),
        names => names.iter().map(|name| (*name).to_owned()).collect(),
    };
    found.sort();
    let (mut sum, mut files) = (0, Vec::new());
    for name in &found {
        let source = crates.join(name).join("src");
        if !source.is_dir() {
            return Err(format!(
                "there is no crate `{name}` in {}",
                crates.display()
            ));
        }
        let lines = of_folder(&source, &mut files)?;
        println!("{lines:7}  {name}");
        sum += lines;
    }
    println!("{sum:7}  in all; the longest files:");
    files.sort_by(|(a, p), (b, q)| b.cmp(a).then(p.cmp(q)));
    for (lines, path) in files.iter().take(LONGEST) {
        let path = path.strip_prefix(&crates).unwrap_or(path);
        println!("{lines:7}  {}", path.display());
    }
    Ok(())
}

fn of_folder(folder: &Path, files: &mut Vec<(usize, PathBuf)>) -> Result<usize, String> {
    let mut sum = 0;
    for path in entries(folder)? {
        // Files and folders of tests: `#[cfg(test)] mod tests;` names them.
        if ["tests", "testing"].contains(&path.file_stem().map_or("", |s| s.to_str().unwrap_or("")))
        {
            continue;
        }
        if path.is_dir() {
            sum += of_folder(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&path);
            let lines = of_text(&text.map_err(|e| format!("{}: {e}", path.display()))?);
            sum += lines;
            files.push((lines, path));
        }
    }
    Ok(sum)
}

/// Lines of code of a formatted source file.
fn of_text(text: &str) -> usize {
    let mut count = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let code = line.trim();
        if code == "#[cfg(test)]" {
            skip_item(&mut lines);
        } else if !code.is_empty() && !code.starts_with("//") {
            count += 1;
        }
    }
    count
}

/// Skips an item with its attributes: up to its closing brace, which formatting puts at its own
/// indent, or to a semicolon.
fn skip_item<'a>(lines: &mut impl Iterator<Item = &'a str>) {
    let mut indent = None;
    for line in lines {
        if line.trim_start().starts_with("#[") {
            continue;
        }
        let own = line.len() - line.trim_start().len();
        let first = indent.is_none();
        let indent = *indent.get_or_insert(own);
        let ends = line.ends_with(';') || line.ends_with('}');
        if (first || own == indent) && ends {
            return;
        }
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let read = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<PathBuf> = read.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    (path.file_name().unwrap_or_default())
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::of_text;

    #[test]
    fn blanks_comments_and_tests_are_left_out() {
        let text = "//! What it is.\n\nuse a::b;\n\n/// A function.\nfn f() {\n    // Why.\n    g();\n}\n\n\
                    #[cfg(test)]\nuse c::d;\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {\n    }\n}\n";
        assert_eq!(of_text(text), 4);
    }

    #[test]
    fn code_behind_a_test_item_counts() {
        let text = "impl A {\n    #[cfg(test)]\n    fn only_in_tests(\n        &self,\n    ) {\n        f();\n    }\n\n    fn g() {}\n}\n";
        assert_eq!(of_text(text), 3);
    }
}
