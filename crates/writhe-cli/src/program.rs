//! What a command line does around its work: signals and panics, reading what was typed, telling
//! what went wrong.

use std::borrow::Cow;
use std::process::ExitCode;

use clap::Parser;

use crate::printable::{is_printable, printable};
use crate::report::Result;
use crate::typed::as_typed;
use crate::{bug, console, interrupt};

/// Reads the arguments of this process, does `work` with them, and tells on standard error why it
/// failed, if it did.
pub fn run<A: Parser>(work: impl FnOnce(&A) -> Result<()>) -> ExitCode {
    bug::report_panics();
    interrupt::report_large_files();
    let arguments = match A::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // What was typed is repeated in the message; colours are left out where it would
            // colour, too.
            let text = error.render();
            if std::env::args_os().any(|word| !is_printable(&word.to_string_lossy())) {
                console::print_error(&printable(&text.to_string()));
                return ExitCode::from(2);
            }
            // Help holds commands to type.
            let plain = text.to_string();
            if let Cow::Owned(typed) = as_typed(&plain)
                && !error.use_stderr()
                && console::print_file(&typed).is_ok()
            {
                return ExitCode::SUCCESS;
            }
            error.exit()
        }
    };
    match work(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            console::print_error(&failure.render());
            failure.exit_code()
        }
    }
}
