//! Documents that tell the truth about the sources, and sources that are short enough to read.

mod rust_source;

use std::fs;
use std::path::{Path, PathBuf};

use rust_source::{crates, rust_files};

#[test]
fn the_example_of_the_readme_is_the_one_in_examples() {
    let read = |path: &str| fs::read_to_string(crates().join(path)).unwrap();
    let example = read("writhe/examples/cantilever.rs");
    let (_, code) = example.split_once("\n\n").unwrap();
    assert!(
        read("../README.md").contains(code.trim_end()),
        "README.md and crates/writhe/examples/cantilever.rs differ"
    );
}

#[test]
fn documents_point_at_files_that_exist() {
    let root = crates().join("..");
    let mut sources = rust_files(&crates());
    sources.extend(rust_files(&root.join("tests")));
    let mut pages: Vec<PathBuf> = markdown(&root);
    pages.extend(markdown(&root.join("docs")));
    pages.extend(markdown(&root.join("docs/decisions")));
    pages.extend(markdown(&root.join("docs/book/src")));
    pages.extend(markdown(&root.join("validation")));
    let mut wrong = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for target in text.split("](").skip(1).filter_map(|t| t.split(')').next()) {
            let target = target.split('#').next().unwrap_or_default();
            if !target.contains("://") && !page.with_file_name(target).exists() {
                wrong.push(format!("{}: no {target}", page.display()));
            }
        }
        for word in text.split(['`', ' ', ',', '(', '\n']) {
            if word.ends_with(".rs") && !sources.iter().any(|s| s.ends_with(word)) {
                wrong.push(format!("{}: no source {word}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn markdown(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|e| e.unwrap().path());
    paths
        .filter(|p| p.extension().is_some_and(|e| e == "md"))
        .collect()
}
