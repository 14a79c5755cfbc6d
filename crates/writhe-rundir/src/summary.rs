//! What a run came to, in one small JSON file.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize};
use writhe::simulation::Simulation;

use crate::atomic;
use crate::error::{Result, RunDirError};
use crate::inside;

/// How a run ended and what it took: the contents of `summary.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunSummary {
    /// One word: `finished`, `stopped`, `interrupted` or `failed`.
    pub outcome: String,
    /// Why it ended there, in a sentence.
    pub reason: String,
    /// Simulated time reached, s.
    #[serde(deserialize_with = "null_is_nan")]
    pub simulated_s: f64,
    /// Accepted time steps.
    pub steps: u64,
    /// Time steps that were tried and taken back.
    pub rejected_steps: u64,
    /// Newton iterations of accepted steps.
    pub newton_iterations: u64,
    /// Simulated time of the first contact, s.
    pub first_contact_s: Option<f64>,
    /// Smallest distance between the surfaces of two rods that the run saw, m.
    pub smallest_gap_m: Option<f64>,
    /// Accepted steps in which rods passed through each other.
    pub crossings: u64,
    /// Processor time over all threads, s.
    #[serde(deserialize_with = "null_is_nan")]
    pub cpu_s: f64,
    /// Time on the clock on the wall, s.
    #[serde(deserialize_with = "null_is_nan")]
    pub wall_s: f64,
    /// Processor time by phase of the steps, and of what is done beside them, s.
    pub phases_s: BTreeMap<String, f64>,
    /// Whatever else the caller records, beside the fields above.
    #[serde(flatten)]
    pub extra: BTreeMap<String, serde_json::Value>,
}

impl RunSummary {
    /// That of the run in this directory, which may be damaged otherwise; a run in progress has none.
    ///
    /// # Errors
    /// When the file cannot be read, or is damaged.
    pub fn read(directory: impl AsRef<Path>) -> Result<Option<Self>> {
        read(directory.as_ref())
    }

    /// The counts of a simulation that ended with this outcome for this reason; what it took is the
    /// caller's to add.
    pub fn of(simulation: &Simulation, outcome: &str, reason: &str) -> Self {
        let counts = &simulation.statistics;
        Self {
            outcome: outcome.to_owned(),
            reason: reason.to_owned(),
            simulated_s: simulation.state.time,
            steps: counts.steps,
            rejected_steps: counts.rejected_steps,
            newton_iterations: counts.newton_iterations,
            first_contact_s: counts.first_contact,
            smallest_gap_m: counts.smallest_gap,
            // A step in which rods cross is never accepted.
            crossings: 0,
            ..Self::default()
        }
    }
}

/// JSON has no NaN and writes `null` for it.
fn null_is_nan<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

/// Name of the summary in the run directory.
pub(crate) const SUMMARY_FILE: &str = "summary.json";

/// Writes `summary.json`.
pub(crate) fn write(directory: &Path, summary: &RunSummary) -> Result<()> {
    let path = directory.join(SUMMARY_FILE);
    let mut json = serde_json::to_vec_pretty(summary)
        .map_err(|error| RunDirError::io("encoding", &path, std::io::Error::from(error)))?;
    json.push(b'\n');
    atomic::write(&path, &json)
}

/// Reads `summary.json`; a run in progress has none.
pub(crate) fn read(directory: &Path) -> Result<Option<RunSummary>> {
    let path = directory.join(SUMMARY_FILE);
    inside::check(directory, &path)?;
    match fs::read(&path) {
        Ok(json) => serde_json::from_slice(&json)
            .map(Some)
            .map_err(|error| RunDirError::damaged(&path, error)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(RunDirError::io("reading", &path, error)),
    }
}
