//! How many threads a command works with.

use crate::report::{Failure, Result};

/// Threads at most: to start more takes longer than what they do.
const MOST: usize = 1024;

/// The number of threads that `--threads` says.
///
/// # Errors
/// When it is none, or too many.
pub fn checked(threads: usize) -> Result<usize> {
    match threads {
        0 => Err(
            Failure::bad_input("--threads 0: nothing works without a thread")
                .help("take 1 or more; one for each core unless given"),
        ),
        1..=MOST => Ok(threads),
        _ => Err(Failure::bad_input(format!(
            "--threads {threads}: {MOST} are the most, and more than there are cores gain nothing"
        ))
        .help("take as many as the machine has cores, which is what happens without `--threads`")),
    }
}

/// Sizes the pool that all parallel loops of this process share: as `--threads` says, or one thread
/// for each core.
///
/// # Errors
/// When there are to be none, or they cannot be started.
pub fn share(threads: Option<usize>) -> Result<()> {
    let Some(threads) = threads else {
        return Ok(());
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(checked(threads)?);
    pool.build_global()
        .map_err(|error| Failure::failed(format!("{threads} threads cannot be started: {error}")))
}
