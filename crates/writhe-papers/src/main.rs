//! The binary `writhe-papers`: the papers' experiments, ours beside theirs.
//!
//! [`args`] is what a user types, [`experiment`] what is done, [`terminal`] what is seen meanwhile.
//! The rest of the front end is that of `writhe`.

mod args;
mod experiment;
mod terminal;

use std::process::ExitCode;

use args::Arguments;
use writhe_cli::program;

fn main() -> ExitCode {
    program::run(|arguments: &Arguments| experiment::run(arguments))
}
