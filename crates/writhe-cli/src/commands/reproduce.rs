//! `writhe reproduce`: where it went.

use crate::args::MovedArgs;
use crate::report::Failure;
use crate::shell;

/// The program that runs the papers' experiments.
const PROGRAM: &str = "writhe-papers";

/// Names the program that takes the same words.
pub fn moved(args: &MovedArgs) -> Failure {
    let words = args.words.iter().map(|word| word.to_string_lossy());
    let words: String = words
        .map(|word| format!(" {}", shell::word(&word)))
        .collect();
    let typed = if words.is_empty() {
        String::new()
    } else {
        format!(" --{words}")
    };
    Failure::bad_input(format!(
        "`writhe reproduce` is a program of its own now: `{PROGRAM}{words}`"
    ))
    .help(format!(
        "in a copy of Writhe's sources, `cargo run --release -p {PROGRAM}{typed}` builds and runs it; `cargo install --path \
         crates/{PROGRAM}` installs it"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_repeated_as_they_can_be_typed() {
        let words = ["tong2022-table1", "--out", "it's here", ""].map(Into::into);
        let failure = moved(&MovedArgs {
            words: words.to_vec(),
        });
        let wanted = r"`writhe-papers tong2022-table1 --out 'it'\''s here' ''`";
        assert!(failure.message().ends_with(wanted), "{failure}");
    }
}
