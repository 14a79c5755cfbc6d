//! Threads that stay awake while a step is made.
//!
//! In a fluid that couples all nodes a step consists of some tens of parts that threads share, of .1
//! to 5 ms each. A thread of the pool that finds nothing to do for a moment goes to sleep, and to wake
//! it takes a good part of what it gains. So helpers look for work until the step is over, a moment
//! at a time (decision 0098).

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::{Scope, Yield};

use crate::model::Model;
use crate::threads;

/// Looks for work before a helper gives way to who may be waiting below it.
const LOOKS: u32 = 64;
/// Nodes in a fluid from which on one helper pays. Where other programs want the processor it does not,
/// which is noticed after some tenths of a second (`pace.rs`).
const FIRST: usize = 64;
/// Nodes for which each further one pays.
const NODES: usize = 512;
/// Helpers at most: between the parts that they share they take processor time for nothing.
const MOST: usize = 7;

/// Helpers that are of use in the steps of a model.
pub(super) fn helpers(model: &Model) -> usize {
    let nodes = model.topology.nodes();
    match model.fluid {
        Some(_) if nodes >= FIRST => (nodes / NODES).clamp(1, MOST),
        _ => 0,
    }
}

/// Does `work` with at most `helpers` threads of the pool awake beside this one.
pub(super) fn awake<R: Send>(helpers: usize, work: impl FnOnce() -> R + Send) -> R {
    let helpers = match helpers {
        0 => 0,
        helpers => helpers.min(threads::count() - 1),
    };
    if helpers == 0 {
        return work();
    }
    let over = AtomicBool::new(false);
    rayon::scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(|scope| help(scope, &over));
        }
        // Even if it panics.
        let _end = End(&over);
        work()
    })
}

/// Does what work there is for a moment, and comes back later. It has to end now and then: a thread
/// that waits until a job of its own is done may take it up meanwhile, and goes on only afterwards.
fn help<'scope>(scope: &Scope<'scope>, over: &'scope AtomicBool) {
    let mut idle = true;
    for _ in 0..LOOKS {
        if over.load(Ordering::Acquire) {
            return;
        }
        match rayon::yield_now() {
            Some(Yield::Executed) => idle = false,
            _ => std::hint::spin_loop(),
        }
    }
    // Where other programs want the processor, or who leads is on the same one, they have it first.
    if idle {
        std::thread::yield_now();
    }
    scope.spawn(|scope| help(scope, over));
}

/// Says that all is over when it is dropped.
pub(super) struct End<'a>(pub &'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::*;

    fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(work)
    }

    /// Loops within loops, in which threads wait for each other, with as many helpers as threads and
    /// more: nobody waits for ever, and nothing is left out.
    #[test]
    fn parts_within_parts_come_to_an_end() {
        let outer = |k: u64| (0..50_u64).into_par_iter().map(|n| n * k).sum::<u64>();
        let part = || (0..40_u64).into_par_iter().map(outer).sum::<u64>();
        for threads in [1, 2, 3, 8] {
            let sums = with_threads(threads, || {
                awake(threads, || (0..200).map(|_| part()).collect::<Vec<_>>())
            });
            assert!(sums.iter().all(|sum| *sum == 1225 * 780), "{threads}");
        }
    }

    #[test]
    fn helpers_within_helpers_come_to_an_end() {
        let inner = || awake(3, || (0..100_u64).into_par_iter().sum::<u64>());
        let all = |_| (0..6).into_par_iter().map(|_| inner()).sum::<u64>();
        let sums = with_threads(4, || awake(3, || (0..50).map(all).collect::<Vec<_>>()));
        assert!(sums.iter().all(|sum| *sum == 6 * 4950));
    }

    #[test]
    fn a_panic_ends_all() {
        let ended = std::panic::catch_unwind(|| {
            with_threads(3, || awake(2, || panic!("as it should")));
        });
        assert!(ended.is_err());
    }
}
