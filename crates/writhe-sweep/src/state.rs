//! How far the run of a point is.

use std::path::Path;

use writhe_rundir::{RunDirectory, RunReader, RunSummary, outcome};

/// How far a run is, as its directory says.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// Not begun.
    Missing,
    /// Some process writes it.
    Busy,
    /// It is to be gone on with: interrupted, or killed.
    Begun,
    /// Over: finished, stopped or failed.
    Over(Box<RunSummary>),
}

impl State {
    /// Looks at a directory.
    pub fn of(directory: &Path) -> Self {
        if RunDirectory::is_busy(directory) {
            return Self::Busy;
        }
        match RunReader::open(directory) {
            Ok(reader) => match reader.summary() {
                Some(summary) if summary.outcome != outcome::INTERRUPTED => {
                    Self::Over(Box::new(summary.clone()))
                }
                _ => Self::Begun,
            },
            // Also one that was killed while it was made: it begins again.
            Err(_) => Self::Missing,
        }
    }

    /// Whether there is nothing left to run.
    pub fn is_over(&self) -> bool {
        matches!(self, Self::Over(_))
    }
}
