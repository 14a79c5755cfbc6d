//! The book and the README show commands of `writhe-papers` that it takes, of experiments that it
//! has.

mod common;

// Other tests use the rest of it.
#[allow(dead_code)]
#[path = "../../writhe-cli/tests/book/pages.rs"]
mod pages;

use common::{PROGRAM, Place};
use pages::{Page, chapters, root};

/// What is done with all results at once.
const OF_ALL: [&str; 3] = ["record", "outdated", "pages"];

#[test]
fn commands_are_those_of_the_program() {
    assert!(PROGRAM.contains("writhe-papers"));
    let mut pages = chapters();
    for page in ["README.md", "validation/README.md"] {
        pages.push(Page::read(&root().join(page)));
    }
    let place = Place::new();
    let mut count = 0;
    for page in pages {
        for words in page.commands("writhe-papers") {
            // What is done with all results wants a checkout.
            let of_all = words
                .get(1)
                .is_some_and(|word| OF_ALL.contains(&word.as_str()));
            let last = if of_all { "--help" } else { "--list" };
            let words = words[1..].iter().map(String::as_str);
            let words: Vec<&str> = words.chain([last]).collect();
            let output = place.run(&words);
            assert!(output.status.success(), "{}: {words:?}", page.name());
            count += 1;
        }
    }
    assert!(count > 15, "only {count} commands");
}

#[test]
fn pages_of_the_papers_are_made_of_what_is_recorded() {
    let place = Place::new();
    let from = root().join("validation");
    let out = place.path(".");
    place.succeeds(&[
        "pages",
        "--from",
        &from.to_string_lossy(),
        "--out",
        &out.to_string_lossy(),
    ]);
    for paper in ["bergou2008", "choi2021", "tong2022"] {
        let name = format!("papers-{paper}.md");
        let book = root().join("docs/book/src").join(&name);
        let there = std::fs::read_to_string(book).unwrap_or_default();
        assert!(
            place.read(&name) == there,
            "{name} is not of what is recorded: call `writhe-papers pages` and commit"
        );
    }
}
