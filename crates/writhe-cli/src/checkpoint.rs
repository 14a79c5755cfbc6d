//! What a run needs to go on bit for bit.

use serde::{Deserialize, Serialize};
use writhe::certificate::Record;
use writhe::simulation::{Simulation, Statistics};
use writhe::state::State;

use crate::usage::Usage;

/// A run between two steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// State of the simulation.
    pub state: State,
    /// Counts so far.
    pub statistics: Statistics,
    /// Index of the output time that comes next.
    pub next_output: u64,
    /// Time spent so far, for the summary only.
    pub usage: Usage,
    /// What the watch over the certificate found so far.
    pub certified: Option<Record>,
}

impl Checkpoint {
    /// The checkpoint of a simulation that has written all outputs before `next_output`.
    pub fn of(
        simulation: &Simulation,
        next_output: u64,
        usage: Usage,
        certified: Option<Record>,
    ) -> Self {
        Self {
            state: simulation.state.clone(),
            statistics: simulation.statistics,
            next_output,
            usage,
            certified,
        }
    }
}
