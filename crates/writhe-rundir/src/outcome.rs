//! How a run ended, in the one word of its summary.

/// To the end of its time, or of what the scene waits for.
pub const FINISHED: &str = "finished";
/// At a state beyond which nothing can be simulated: a result.
pub const STOPPED: &str = "stopped";
/// By whoever runs it; it can go on.
pub const INTERRUPTED: &str = "interrupted";
/// At a step that cannot be made, or where its results cannot be written.
pub const FAILED: &str = "failed";
