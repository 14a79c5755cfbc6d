//! What a run costs.

/// Processor time of this process over all its threads, s; NaN where the system does not tell.
/// Enters no result.
pub fn processor_time() -> f64 {
    #[cfg(unix)]
    {
        use nix::time::{ClockId, clock_gettime};
        clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).map_or(f64::NAN, |time| {
            time.tv_sec() as f64 + 1e-9 * time.tv_nsec() as f64
        })
    }
    #[cfg(not(unix))]
    f64::NAN
}
