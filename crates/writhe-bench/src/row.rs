//! A row of the table: what is run, what its number is per, and what it is compared with.

use std::path::PathBuf;

/// A row.
#[derive(Debug, Clone)]
pub struct Row {
    /// Name to type, e.g. `flagella-2`.
    pub name: String,
    /// What is run, in a few words.
    pub what: String,
    /// The scene.
    pub scene: Source,
    /// What the number is.
    pub per: Per,
    /// Size of a step, s.
    pub step: f64,
    /// Simulated time of the short window, s.
    pub window: f64,
    /// Simulated time of the whole run, s.
    pub whole: f64,
    /// What another program takes per the same, on the machine of the table's set-up, and which.
    pub other: Option<(f64, &'static str)>,
    /// What Writhe took when the table was set up, on that machine.
    pub before: Option<f64>,
    /// What is aimed at, on that machine.
    pub wanted: Option<f64>,
}

/// Where a scene comes from.
#[derive(Debug, Clone)]
pub enum Source {
    /// Text of a scene file, TOML.
    Text(String),
    /// A scene file of the user's, which may name others beside it.
    File {
        /// Where it is.
        path: PathBuf,
        /// Changes `KEY=VALUE`, as by `--set`.
        changes: Vec<String>,
    },
}

impl Row {
    /// The row of a user's scene, which runs to its end, `duration`, s, by steps of `step`, s.
    pub fn of_file(
        (path, changes): (PathBuf, Vec<String>),
        (name, what): (String, String),
        step: f64,
        duration: f64,
    ) -> Self {
        Self {
            name,
            what,
            scene: Source::File { path, changes },
            per: Per::Run,
            step,
            window: duration,
            whole: duration,
            other: None,
            before: None,
            wanted: None,
        }
    }
}

/// What the number of a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Per {
    /// Processor time per step of the row's size, s: what shorter steps take counts as well.
    Step,
    /// Per linear solve of Newton's method, s.
    Iteration,
    /// Per simulated second, s.
    Second,
    /// Of the whole run, s: from a window an estimate.
    Run,
    /// Of looking at and writing one frame, s.
    Frame,
    /// Time on the clock with one thread over that with two.
    Threads,
}

impl Per {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Step => "a step",
            Self::Iteration => "a Newton iteration",
            Self::Second => "a simulated second",
            Self::Run => "the whole run",
            Self::Frame => "a frame",
            Self::Threads => "gain by 2 threads",
        }
    }

    /// Whether it is a time, and not a ratio.
    pub fn is_time(self) -> bool {
        self != Self::Threads
    }
}
