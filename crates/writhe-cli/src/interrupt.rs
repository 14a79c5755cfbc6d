//! Signals: Ctrl-C stops soon, in the middle of a step too, with all that is done saved; a second
//! one at once, as a kill does. Too large a file is an error and no death.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use writhe::solve::Poll;

use crate::report::{Failure, Result};

/// Whether the user asked to stop.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to Ctrl-C and to the requests to end that job schedulers send (SIGTERM, SIGHUP).
    ///
    /// # Errors
    /// When the system refuses the handler.
    pub fn listen() -> Result<Self> {
        let interrupt = Self::default();
        let flag = interrupt.clone();
        ctrlc::set_handler(move || {
            if flag.0.swap(true, Ordering::SeqCst) {
                std::process::exit(1);
            }
            // Whoever asked may be gone, and the terminal with them.
            let _ = writeln!(std::io::stderr(), "Stopping; once more stops at once.");
        })
        .map_err(|error| Failure::failed(format!("cannot listen to Ctrl-C: {error}")))?;
        Ok(interrupt)
    }

    /// The same question, for a simulation to ask.
    pub fn poll(&self) -> Poll {
        let interrupt = self.clone();
        Poll::new(move || interrupt.requested())
    }

    /// Whether to stop.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
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
