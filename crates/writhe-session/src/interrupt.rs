//! The wish to stop: asked in the middle of a step too, with all that is done saved.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use writhe::solve::Poll;

/// Whether someone asked to stop; all clones share the answer.
#[derive(Debug, Clone, Default)]
pub struct Interrupt {
    asked: Arc<AtomicBool>,
    also: Poll,
}

impl Interrupt {
    /// One that `also` can say, besides whoever [requests](Self::request) it.
    pub fn of(also: Poll) -> Self {
        let asked = Arc::default();
        Self { asked, also }
    }

    /// Asks to stop; returns whether someone had asked before.
    pub fn request(&self) -> bool {
        self.asked.swap(true, Ordering::SeqCst)
    }

    /// Whether to stop.
    pub fn requested(&self) -> bool {
        self.asked.load(Ordering::SeqCst) || self.also.stopped()
    }

    /// The same question, for a simulation to ask.
    pub fn poll(&self) -> Poll {
        let interrupt = self.clone();
        Poll::new(move || interrupt.requested())
    }
}
