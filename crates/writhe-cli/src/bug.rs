//! A panic is a bug of ours: say so.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic;

use crate::console;
use crate::printable::printable;

/// Makes panics ask for a report instead of showing only a Rust message.
pub fn report_panics() {
    panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let message = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        let place = info
            .location()
            .map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
        let mut text = format!(
            "\nThis is a bug in Writhe, please report it with the scene file and these lines:\n  {message}\n  at {place}\n  \
             writhe {}, {} {}\n  command: {}\nA run directory stays as its last checkpoint left it: `--resume` goes on from there.\n",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH,
            command(),
        );
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            text += &backtrace.to_string();
        }
        console::print_error(&printable(&text));
    }));
}

/// What was typed, as far as it is text: whoever reports a panic must not panic over it.
fn command() -> String {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    words.collect::<Vec<_>>().join(" ")
}
