//! Threads that share work which comes in many short parts, one after the other.
//!
//! A part is some independent tasks of microseconds. To hand each part to a pool of threads would cost
//! as much as to do it: a thread that finds nothing to do for a moment goes to sleep. Here helpers
//! stay awake from the first part to the last. Whoever leads does tasks as they do, and waits for
//! nobody but who has begun one; helpers that never come leave all tasks to it.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use crate::step::awake::End;
use crate::threads;

/// Helpers beside who leads, at most: parts are short.
const MOST_HELPERS: usize = 7;
/// Looks for a new part before a helper lets other programs have its processor.
const PATIENCE: u32 = 1 << 10;

/// What helpers know of the part that is being worked on.
#[derive(Debug, Default)]
pub(super) struct Crew {
    /// Number of the part, in the upper half, and how many of its tasks nobody has taken. In one
    /// place, so that no helper takes a task of a part other than the one that it looked at.
    open: AtomicU64,
    /// Tasks of this part.
    count: AtomicUsize,
    /// What part it is.
    part: AtomicUsize,
    /// Tasks of it that are done.
    done: AtomicUsize,
    over: AtomicBool,
}

/// Who leads: hands out the parts.
pub(super) struct Lead<'a, W> {
    crew: &'a Crew,
    work: &'a W,
}

/// Lets `lead` hand out parts, whose tasks are done by `work(part, task)`, to as many threads as the
/// pool has.
///
/// What leads asks nothing of the pool: it might be given a helper's work to do, which ends when it
/// has ended itself.
pub(super) fn with_crew<W, R>(work: W, lead: impl FnOnce(&Lead<W>) -> R + Send) -> R
where
    W: Fn(usize, usize) + Sync,
    R: Send,
{
    let crew = Crew::default();
    let helpers = (threads::count() - 1).min(MOST_HELPERS);
    if helpers == 0 {
        // Which asks nothing of the pool.
        return lead(&Lead {
            crew: &crew,
            work: &work,
        });
    }
    rayon::scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(|_| crew.help(&work));
        }
        // Even if it panics.
        let _end = End(&crew.over);
        lead(&Lead {
            crew: &crew,
            work: &work,
        })
    })
}

impl<W: Fn(usize, usize) + Sync> Lead<'_, W> {
    /// Has the tasks `0 .. count` of a part done, by this thread alone if they are not `shared`.
    pub fn share(&self, part: usize, count: usize, shared: bool) {
        if !shared {
            return (0..count).for_each(|task| (self.work)(part, task));
        }
        let crew = self.crew;
        crew.part.store(part, Ordering::Relaxed);
        crew.count.store(count, Ordering::Relaxed);
        crew.done.store(0, Ordering::Relaxed);
        let number = (crew.open.load(Ordering::Relaxed) >> 32).wrapping_add(1);
        // What was stored before is seen by who sees this.
        crew.open
            .store(number << 32 | count as u64, Ordering::Release);
        while crew.take_one(self.work) {}
        let mut waited = 0;
        while crew.done.load(Ordering::Acquire) < count {
            wait(&mut waited);
        }
    }
}

impl Crew {
    fn help(&self, work: &(impl Fn(usize, usize) + Sync)) {
        let mut waited = 0;
        while !self.over.load(Ordering::Acquire) {
            match self.take_one(work) {
                true => waited = 0,
                false => wait(&mut waited),
            }
        }
    }

    /// Does one of the open tasks, the first before the last; whether there was one.
    fn take_one(&self, work: &(impl Fn(usize, usize) + Sync)) -> bool {
        let open = self.open.load(Ordering::Acquire);
        let left = open & u64::from(u32::MAX);
        if left == 0 {
            return false;
        }
        let taken =
            (self.open).compare_exchange(open, open - 1, Ordering::AcqRel, Ordering::Relaxed);
        if taken.is_ok() {
            // The part is not over before this task is: these are its own.
            let (part, count) = (&self.part, &self.count);
            let (part, count) = (part.load(Ordering::Relaxed), count.load(Ordering::Relaxed));
            // Even if it panics: nobody waits for ever.
            let _done = Done(&self.done);
            work(part, count - left as usize);
        }
        true
    }
}

/// Looks again soon, or lets others have the processor.
fn wait(waited: &mut u32) {
    *waited += 1;
    match *waited < PATIENCE {
        true => std::hint::spin_loop(),
        false => std::thread::yield_now(),
    }
}

/// Says that a task is done when it is dropped.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn on(threads: usize, work: impl FnOnce() + Send) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(work);
    }

    #[test]
    fn each_task_of_each_part_is_done_once_and_parts_one_after_the_other() {
        for threads in [1, 2, 5] {
            on(threads, || {
                let counts = [7, 1, 0, 40, 3];
                let log = Mutex::new(Vec::new());
                let work = |part, task| log.lock().unwrap().push((part, task));
                with_crew(work, |lead| {
                    for round in 0..500 {
                        for (part, count) in counts.into_iter().enumerate() {
                            lead.share(part, count, (round + part) % 3 != 0);
                            let mut done = std::mem::take(&mut *log.lock().unwrap());
                            done.sort_unstable();
                            let wanted: Vec<_> = (0..count).map(|task| (part, task)).collect();
                            assert_eq!(done, wanted);
                        }
                    }
                });
            });
        }
    }

    #[test]
    fn a_pool_that_is_busy_leaves_all_to_who_leads() {
        on(2, || {
            let (began, over) = (AtomicBool::new(false), AtomicBool::new(false));
            rayon::scope(|scope| {
                scope.spawn(|_| {
                    began.store(true, Ordering::Release);
                    while !over.load(Ordering::Acquire) {
                        std::thread::yield_now();
                    }
                });
                // The other thread has taken it.
                while !began.load(Ordering::Acquire) {
                    std::thread::yield_now();
                }
                let done = AtomicUsize::new(0);
                let work = |_, _| {
                    done.fetch_add(1, Ordering::Relaxed);
                };
                with_crew(work, |lead| lead.share(0, 100, true));
                assert_eq!(done.load(Ordering::Relaxed), 100);
                over.store(true, Ordering::Release);
            });
        });
    }

    #[test]
    fn a_panic_ends_all() {
        let thread = std::thread::spawn(|| {
            on(3, || {
                let work = |_, task| assert_ne!(task, 17, "on purpose");
                with_crew(work, |lead| lead.share(0, 100, true));
            });
        });
        assert!(thread.join().is_err());
    }
}
