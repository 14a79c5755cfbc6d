//! A row of the table: what is run, what its number is per, and what it is compared with.

/// A row.
#[derive(Debug, Clone)]
pub struct Row {
    /// Name to type, e.g. `flagella-2`.
    pub name: &'static str,
    /// What is run, in a few words.
    pub what: &'static str,
    /// The scene file, TOML.
    pub scene: String,
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
