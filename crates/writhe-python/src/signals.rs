//! Ctrl-C and exceptions in the middle of a step: the simulation is told to stop, and the exception
//! is raised when it has.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use writhe::solve::Poll;

/// Time between two looks for signals: taking the interpreter's lock must not be felt.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Whether Python wants the work to stop, and why; all clones share it.
#[derive(Clone, Default)]
pub struct Signals(Arc<Inner>);

#[derive(Default)]
struct Inner {
    stopped: AtomicBool,
    why: Mutex<Option<PyErr>>,
    /// The thread that works, and when it last looked.
    looked: Mutex<Option<(ThreadId, Instant)>>,
}

impl Signals {
    /// Nothing has happened yet: at the start of new work.
    pub fn reset(&self) {
        self.0.stopped.store(false, Ordering::SeqCst);
        *lock(&self.0.why) = None;
        *lock(&self.0.looked) = Some((thread::current().id(), Instant::now()));
    }

    /// Stops the work for this exception; a second one is dropped.
    pub fn stop(&self, why: PyErr) {
        lock(&self.0.why).get_or_insert(why);
        self.0.stopped.store(true, Ordering::SeqCst);
    }

    /// The exception that stopped the work.
    pub fn take(&self) -> Option<PyErr> {
        lock(&self.0.why).take()
    }

    /// Whether to stop. Must not be asked by a thread that holds the interpreter's lock.
    pub fn stopped(&self) -> bool {
        if self.0.stopped.load(Ordering::SeqCst) {
            return true;
        }
        let Ok(mut looked) = self.0.looked.try_lock() else {
            return false;
        };
        // Handlers run in Python's main thread alone, never in those of a parallel loop.
        let here = thread::current().id();
        match *looked {
            Some((thread, then)) if thread == here && then.elapsed() >= BETWEEN_LOOKS => {
                *looked = Some((here, Instant::now()));
            }
            _ => return false,
        }
        drop(looked);
        match Python::try_attach(|py| py.check_signals()) {
            Some(Err(why)) => {
                self.stop(why);
                true
            }
            _ => false,
        }
    }

    /// The same question, for a simulation to ask.
    pub fn poll(&self) -> Poll {
        let signals = self.clone();
        Poll::new(move || signals.stopped())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
