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
    /// Over, and its files are no longer what it wrote: why. To go on with it writes again what can
    /// be, and changes nothing where results are lost.
    Damaged(String),
}

impl State {
    /// Looks at a directory.
    pub fn of(directory: &Path) -> Self {
        if RunDirectory::is_busy(directory) {
            return Self::Busy;
        }
        match RunReader::open(directory) {
            Ok(reader) => match reader.summary() {
                Some(summary) if is_end(summary) => Self::Over(Box::new(summary.clone())),
                _ => Self::Begun,
            },
            // Nobody would look for what is wrong with a run that is told to be missing.
            Err(error) if has_ended(directory) => Self::Damaged(error.to_string()),
            // Also one that was killed while it was made: it begins again.
            Err(_) => Self::Missing,
        }
    }

    /// Whether there is nothing left to run.
    pub fn is_over(&self) -> bool {
        matches!(self, Self::Over(_))
    }
}

/// Whether a run with this summary is not to be gone on with.
fn is_end(summary: &RunSummary) -> bool {
    summary.outcome != outcome::INTERRUPTED
}

/// Whether a directory that cannot be read has the summary of a run that is over.
fn has_ended(directory: &Path) -> bool {
    matches!(RunSummary::read(directory), Ok(Some(summary)) if is_end(&summary))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A directory without results is begun anew, unless it says that it had some.
    #[test]
    fn what_ended_and_cannot_be_read_is_damaged() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path();
        assert_eq!(State::of(&directory.join("none")), State::Missing);
        assert_eq!(State::of(directory), State::Missing);
        let with = |summary: &str| {
            fs::write(directory.join("summary.json"), summary).unwrap();
            State::of(directory)
        };
        assert_eq!(with("{ \"outcome\": \"interrupted\" }"), State::Missing);
        assert_eq!(with("rubbish"), State::Missing);
        let State::Damaged(why) = with("{ \"outcome\": \"finished\" }") else {
            panic!("a run that has ended is not damaged");
        };
        assert!(why.contains("scene.toml"), "{why}");
    }
}
