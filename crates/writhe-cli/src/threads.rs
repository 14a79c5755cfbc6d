//! How many threads a command works with.

use crate::report::{Failure, Result};

/// The number of threads that `--threads` says.
///
/// # Errors
/// When it is none.
pub fn checked(threads: usize) -> Result<usize> {
    match threads {
        0 => Err(
            Failure::bad_input("--threads 0: nothing works without a thread")
                .help("take 1 or more; one for each core unless given"),
        ),
        threads => Ok(threads),
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
