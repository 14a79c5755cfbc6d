//! Command line of Writhe.
//!
//! [`args`] is what a user types, [`commands`] what is done, one module each. A run is a [`session`]: a simulation and the directory
//! it writes, advanced from one output time to the next (in `writhe-session`, which Python shares). Whatever goes wrong is a
//! [`report::Failure`]: one clear message, exit code 2 for bad input and 1 for anything that failed
//! later.
//!
//! Another command line is built on the same front end, as `writhe-papers` is: [`program`] around
//! its work, [`console`], [`progress`], [`interrupt`], [`mod@format`] and [`report`] in it.

pub mod args;
pub mod bug;
pub mod commands;
pub mod console;
pub mod converge;
pub mod files;
pub mod interrupt;
pub mod observable;
pub mod program;
pub mod progress;
pub mod report;
pub mod scene;
pub mod threads;
pub mod times;
pub mod typed;
pub mod view;
pub mod wanted;
pub mod written;

pub use writhe_session::{crush, differences, format, origin, printable, session, shell, summary};

use std::process::ExitCode;

use args::{Arguments, Command};

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    program::run(|arguments: &Arguments| {
        threads::share(arguments.general.threads)?;
        console::set_quiet(arguments.general.quiet);
        command(arguments)
    })
}

fn command(arguments: &Arguments) -> report::Result<()> {
    let general = &arguments.general;
    match &arguments.command {
        Command::New(args) => commands::new::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Import(args) => commands::import::run(args),
        Command::Run(args) => commands::run::run(args, general),
        Command::Settle(args) => commands::settle::run(args),
        Command::Follow(args) => commands::follow::run(args),
        Command::Sweep(args) => commands::sweep::run(args, general),
        Command::Export(args) => commands::export::run(args),
        Command::View(args) => commands::view::run(args),
        Command::Render(args) => commands::render::run(args),
        Command::Plot(args) => commands::plot::run(args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Validate(args) => commands::validate::run(args),
        Command::Converge(args) => commands::converge::run(args),
        Command::Bench(args) => commands::bench::run(args, general),
        Command::Completions(args) => commands::completions::run(args),
        Command::Man(args) => commands::completions::manual(args),
        Command::Reproduce(args) => Err(commands::reproduce::moved(args)),
    }
}
