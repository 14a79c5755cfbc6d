//! The binary `writhe-papers`: the papers' experiments, ours beside theirs.
//!
//! [`args`] is what a user types, [`experiment`] what is done, [`terminal`] what is seen meanwhile;
//! [`record`] measures all of them, [`pages`] shows what is recorded.
//! The rest of the front end is that of `writhe`.

mod args;
mod experiment;
mod pages;
mod record;
mod terminal;

use std::process::ExitCode;

use args::{All, Arguments};
use writhe_cli::program;

fn main() -> ExitCode {
    program::run(|arguments: &Arguments| match &arguments.all {
        None => experiment::run(arguments),
        Some(All::Record(args)) => record::run(args),
        Some(All::Outdated(args)) => record::outdated(args),
        Some(All::Pages(args)) => pages::run(args),
    })
}
