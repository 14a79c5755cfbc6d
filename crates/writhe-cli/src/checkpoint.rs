//! What a run needs to go on bit for bit.

use serde::{Deserialize, Serialize};
use writhe::certificate::Record;
use writhe::simulation::{Simulation, Statistics};
use writhe::state::State;

use crate::findings::Findings;
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
    /// What the summary warns of.
    pub findings: Findings,
}

impl Checkpoint {
    /// The checkpoint of a simulation that has written all outputs before `next_output`.
    pub fn of(
        simulation: &Simulation,
        next_output: u64,
        usage: Usage,
        certified: Option<Record>,
        findings: Findings,
    ) -> Self {
        Self {
            state: simulation.state.clone(),
            statistics: simulation.statistics,
            next_output,
            usage,
            certified,
            findings,
        }
    }
}

#[cfg(test)]
mod shape;

#[cfg(test)]
mod tests {
    use std::fs;

    use serde::Deserialize;
    use writhe_rundir::CHECKPOINT_FORMAT;

    use super::shape::shape_of;
    use super::*;

    const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/checkpoint/shape.txt");

    /// A checkpoint holds values without their names: a program that expects other fields would take one for another. The record ties the
    /// fields to the number by which old checkpoints are refused.
    #[test]
    fn a_checkpoint_of_another_shape_has_another_format_number() {
        let recorded = fs::read_to_string(RECORD).unwrap_or_default();
        let number = |text: &str| -> Option<u32> {
            let first = text.lines().next()?;
            first.strip_prefix("format ")?.parse().ok()
        };
        let present = format!("format {CHECKPOINT_FORMAT}\n{}", shape_of::<Checkpoint>());
        if present == recorded {
            return;
        }
        let is_new = number(&recorded).is_none_or(|number| number < CHECKPOINT_FORMAT);
        assert!(
            is_new,
            "what a checkpoint holds is not what {RECORD} says: raise CHECKPOINT_FORMAT in crates/writhe-rundir/src/checkpoint.rs, now \
             {CHECKPOINT_FORMAT}, and run this test with WRITHE_RECORD=1.\nIt holds:\n{present}"
        );
        assert!(
            std::env::var_os("WRITHE_RECORD").is_some(),
            "CHECKPOINT_FORMAT was raised to {CHECKPOINT_FORMAT}: run this test with WRITHE_RECORD=1 and commit {RECORD}, which it writes"
        );
        fs::write(RECORD, present).unwrap();
    }

    #[derive(Deserialize)]
    #[expect(dead_code)]
    enum Choice {
        Nothing,
        Pair(u8, f64),
        Named { name: String },
    }

    #[derive(Deserialize)]
    #[expect(dead_code)]
    struct Whole {
        inner: Option<Vec<Choice>>,
        last: (bool, [f64; 2]),
    }

    #[test]
    fn a_shape_names_fields_types_and_all_variants() {
        let choice = "Whole\n  inner:\n    option\n      sequence\n        enum Choice: Nothing | Pair | Named\n";
        let last =
            "  last:\n    tuple of 2\n      bool\n      tuple of 2\n        f64\n        f64\n";
        let expected = [
            format!("{choice}{last}"),
            format!("variant 1 of every enum\n{choice}          u8\n          f64\n{last}"),
            format!("variant 2 of every enum\n{choice}          name:\n            string\n{last}"),
        ];
        assert_eq!(shape_of::<Whole>(), expected.concat());
    }
}
