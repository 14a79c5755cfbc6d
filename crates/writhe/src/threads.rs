//! Who shares work: the threads of the pool, or this thread alone.
//!
//! All that shares work asks here, so that a step can be made without other threads where they do not
//! pay (`step/pace.rs`): loops by [`grain`], two halves by [`join`], crews by [`count`]. Work of one
//! thread stays on it and asks nothing of the pool. Results are the same bits either way.

use std::cell::Cell;

thread_local! {
    /// Whether this thread shares nothing now.
    static ALONE: Cell<bool> = const { Cell::new(false) };
    /// Whether there was work that others could have had.
    static COULD_SHARE: Cell<bool> = const { Cell::new(false) };
}

/// Does `work` by this thread alone.
pub(crate) fn alone<R>(work: impl FnOnce() -> R) -> R {
    // Even if it panics.
    let _before = Before(ALONE.replace(true));
    work()
}

/// Puts back what was before when it is dropped.
struct Before(bool);

impl Drop for Before {
    fn drop(&mut self) {
        ALONE.set(self.0);
    }
}

/// Does `work`; and whether this thread met any that several threads could have shared.
pub(crate) fn notice_sharing<R>(work: impl FnOnce() -> R) -> (R, bool) {
    let before = COULD_SHARE.replace(false);
    let done = work();
    let shared = COULD_SHARE.get();
    COULD_SHARE.set(before || shared);
    (done, shared)
}

/// Threads that share work which is met now.
pub(crate) fn count() -> usize {
    let threads = rayon::current_num_threads();
    if threads > 1 {
        COULD_SHARE.set(true);
    }
    match ALONE.get() {
        true => 1,
        false => threads,
    }
}

/// Does both, at once if another thread has the time.
pub(crate) fn join<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    match count() {
        1 => (a(), b()),
        _ => rayon::join(a, b),
    }
}

/// Items of a loop over `items` that a thread takes at once, for `with_min_len` of a parallel
/// iterator: `least`, or all of them.
pub(crate) fn grain(items: usize, least: usize) -> usize {
    match items < 2 * least || count() == 1 {
        // A loop that is not split stays on its thread.
        true => usize::MAX,
        false => least,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::thread::{ThreadId, current};

    use rayon::prelude::*;

    use super::*;

    fn on<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(work)
    }

    /// Threads that did a loop, and both halves of something.
    fn who() -> HashSet<ThreadId> {
        let items = 0..64_usize;
        let part = |_| {
            std::thread::sleep(std::time::Duration::from_micros(200));
            current().id()
        };
        let mut who: HashSet<_> = (items.into_par_iter().with_min_len(grain(64, 1)))
            .map(part)
            .collect();
        let (a, b) = join(|| part(0), || part(1));
        who.extend([a, b]);
        who
    }

    #[test]
    fn one_thread_has_all_while_it_is_alone() {
        on(3, || {
            assert!(who().len() > 1);
            assert_eq!(alone(who), HashSet::from([current().id()]));
            alone(|| {
                alone(|| assert_eq!(count(), 1));
                assert_eq!(count(), 1);
            });
            assert_eq!(count(), 3);
        });
    }

    /// The calling thread is none of a pool's.
    #[test]
    fn nothing_is_handed_to_a_pool() {
        assert_eq!(alone(who), HashSet::from([current().id()]));
    }

    #[test]
    fn others_are_back_after_a_panic() {
        on(2, || {
            let ended = std::panic::catch_unwind(|| alone(|| panic!("on purpose")));
            assert!(ended.is_err() && count() == 2);
        });
    }

    #[test]
    fn what_could_be_shared_is_noticed() {
        let could = |threads, work: fn()| on(threads, move || notice_sharing(work).1);
        let two = || assert_eq!(join(|| 1, || 2), (1, 2));
        let by_one = || alone(|| assert_eq!(join(|| 1, || 2), (1, 2)));
        assert!(could(2, two) && could(2, by_one));
        assert!(!could(2, || ()) && !could(1, two));
        // Too short to be split.
        assert!(!could(2, || assert_eq!(grain(15, 8), usize::MAX)));
        assert!(could(2, || assert_eq!(grain(16, 8), 8)));
        // What is noticed within is noticed around it.
        assert!(on(2, move || notice_sharing(|| notice_sharing(two)).1));
    }
}
