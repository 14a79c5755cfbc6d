//! The book and the README show commands of `writhe-papers` that it takes, of experiments that it
//! has.

mod common;

// Other tests use the rest of it.
#[allow(dead_code)]
#[path = "../../writhe-cli/tests/book/pages.rs"]
mod pages;

use common::{PROGRAM, Place};
use pages::{Page, chapters, root};

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
            let words = words[1..].iter().map(String::as_str);
            let words: Vec<&str> = words.chain(["--list"]).collect();
            let output = place.run(&words);
            assert!(output.status.success(), "{}: {words:?}", page.name());
            count += 1;
        }
    }
    assert!(count > 15, "only {count} commands");
}
