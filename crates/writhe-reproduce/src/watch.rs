//! Whoever looks on while an experiment goes on.

use writhe::solve::Poll;

/// Sees an experiment go on, and may stop it.
pub trait Watch: Send {
    /// A line about what is done.
    fn say(&mut self, line: &str);
    /// The run `name` has come to `time` of `end`, s.
    fn step(&mut self, name: &str, time: f64, end: f64);
    /// Whether to stop.
    fn stop(&self) -> bool;
    /// The same question, for steps to ask within.
    fn poll(&self) -> Poll {
        Poll::default()
    }
}
