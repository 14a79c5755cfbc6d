//! Command line of Writhe.
//!
//! [`args`] is what a user types, [`commands`] what is done, one module each. A run is a [`session`]: a simulation and the directory
//! it writes, advanced from one output time to the next. Whatever goes wrong is a [`report::Failure`]: one clear message, exit
//! code 2 for bad input and 1 for anything that failed later.

pub mod args;
pub mod bug;
pub mod camera;
pub mod checkpoint;
pub mod commands;
pub mod console;
pub mod crush;
pub mod differences;
pub mod files;
pub mod findings;
pub mod format;
pub mod interrupt;
pub mod joints;
pub mod names;
pub mod obstacles;
pub mod picture;
pub mod progress;
pub mod report;
pub mod scene;
pub mod session;
pub mod summary;
pub mod usage;
pub mod view;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    bug::report_panics();
    interrupt::report_large_files();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // What was typed is repeated in the message; colours are left out where it would colour, too.
            let text = error.render();
            if std::env::args_os().any(|word| !console::is_printable(&word.to_string_lossy())) {
                console::print_error(&console::printable(&text.to_string()));
                return ExitCode::from(2);
            }
            error.exit()
        }
    };
    let outcome = match &arguments.command {
        Command::New(args) => commands::new::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Import(args) => commands::import::run(args),
        Command::Run(args) => commands::run::run(args),
        Command::Export(args) => commands::export::run(args),
        Command::View(args) => commands::view::run(args),
        Command::Render(args) => commands::render::run(args),
        Command::Plot(args) => commands::plot::run(args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Validate(args) => commands::validate::run(args),
        Command::Reproduce(args) => commands::reproduce::run(args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            console::print_error(&failure.render());
            failure.exit_code()
        }
    }
}
