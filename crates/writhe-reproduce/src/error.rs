//! What can go wrong.

use std::path::{Path, PathBuf};

use writhe::simulation::SimulationError;
use writhe_plot::PlotError;
use writhe_render::RenderError;
use writhe_rundir::RunDirError;
use writhe_scenes::SceneError;
use writhe_validate::case::CaseError;

/// Result of this crate.
pub type Result<T> = std::result::Result<T, ReproduceError>;

/// Why a row has no result.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// No such experiment.
    #[error("there is no experiment `{name}`; there are {known}")]
    NoSuchExperiment {
        /// Name asked for.
        name: String,
        /// Names that exist.
        known: String,
    },
    /// No such row.
    #[error("`{experiment}` has no row `{row}`; its rows are {known}")]
    NoSuchRow {
        /// Experiment.
        experiment: &'static str,
        /// Row asked for.
        row: String,
        /// Rows that exist.
        known: String,
    },
    /// The user stopped it.
    #[error("stopped by the user; the same command goes on from here")]
    Interrupted,
    /// A scene that this version of the program does not know.
    #[error("run `{run}`: {}: {}; {}", .source.key, .source.message(), .source.remedy())]
    Scene {
        /// Name of the run.
        run: String,
        /// What is wrong.
        source: Box<SceneError>,
    },
    /// A set-up that experiments share with the validation.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// A simulation without a run directory.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A run directory of something else.
    #[error(
        "the run directory `{path}` holds another run than is wanted now; remove it, or choose another place with --runs"
    )]
    OtherRun {
        /// Its path.
        path: PathBuf,
    },
    /// Results of another version.
    #[error(
        "`{path}` has other columns than this version writes: move it away, or choose another place with --out"
    )]
    OtherColumns {
        /// The CSV file.
        path: PathBuf,
    },
    /// A run that must touch and did not.
    #[error("run `{run}` came to no contact by t = {by} s")]
    NoContact {
        /// Name of the run.
        run: String,
        /// End of the run, s.
        by: f64,
    },
    /// A run whose rods find no equilibrium to start from.
    #[error("run `{run}` finds no equilibrium to start from: {reason}")]
    NoStart {
        /// Name of the run.
        run: String,
        /// Why.
        reason: String,
    },
    /// A state that cannot be shown.
    #[error("run `{run}`: the state cannot be shown: {reason}")]
    State {
        /// Name of the run.
        run: String,
        /// Why.
        reason: String,
    },
    /// A file.
    #[error("{doing} `{path}` failed: {source}")]
    Io {
        /// What was tried.
        doing: &'static str,
        /// Which file.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A run directory.
    #[error(transparent)]
    RunDirectory(#[from] RunDirError),
    /// A picture.
    #[error("the picture cannot be made: {0}")]
    Picture(#[from] RenderError),
    /// A figure.
    #[error("the figure cannot be made: {0}")]
    Figure(#[from] PlotError),
    /// Threads.
    #[error("no thread could be started: {0}")]
    Threads(String),
}

impl ReproduceError {
    pub(crate) fn io(doing: &'static str, path: &Path, source: std::io::Error) -> Self {
        let path = path.to_path_buf();
        Self::Io {
            doing,
            path,
            source,
        }
    }
}
