//! Signals: Ctrl-C stops soon, in the middle of a step too, with all that is done saved; a second
//! one at once, as a kill does. Too large a file is an error and no death.

use std::io::Write as _;

use crate::report::{Failure, Result};

pub use writhe_session::interrupt::Interrupt;

/// Listens to Ctrl-C and to the requests to end that job schedulers send (SIGTERM, SIGHUP).
///
/// # Errors
/// When the system refuses the handler.
pub fn listen() -> Result<Interrupt> {
    let interrupt = Interrupt::default();
    let asked = interrupt.clone();
    ctrlc::set_handler(move || {
        if asked.request() {
            std::process::exit(1);
        }
        // Whoever asked may be gone, and the terminal with them.
        let _ = writeln!(std::io::stderr(), "Stopping; once more stops at once.");
    })
    .map_err(|error| Failure::failed(format!("cannot listen to Ctrl-C: {error}")))?;
    Ok(interrupt)
}

/// Lets a write beyond the largest allowed file size (`ulimit -f`) fail with an error instead of
/// killing the process: blocks SIGXFSZ in this thread and those that it starts.
pub fn report_large_files() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        let mut signals = SigSet::empty();
        signals.add(Signal::SIGXFSZ);
        // Without the block such a write still ends the process, which a checkpoint survives.
        let _ = signals.thread_block();
    }
}
