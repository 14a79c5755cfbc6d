//! Signals: Ctrl-C stops after the step at hand, a second one at once; too large a file is an error and no death.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
        })
        .map_err(|error| Failure::failed(format!("cannot listen to Ctrl-C: {error}")))?;
        Ok(interrupt)
    }

    /// Whether to stop.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Lets a write beyond the largest allowed file size (`ulimit -f`) fail with an error instead of killing the process: blocks
/// SIGXFSZ in this thread and those that it starts.
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
