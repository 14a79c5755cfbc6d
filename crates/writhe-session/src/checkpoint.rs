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
mod sample;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use serde::de::DeserializeOwned;
    use writhe::state::SCHEMA;
    use writhe::state::arrays::Arrays;

    use super::sample::samples_of;
    use super::*;

    const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/checkpoint/arrays.txt");

    /// All arrays that a type can have: name, type, axes that are known, `n` where a list is. Of
    /// choices, their names.
    fn arrays_of<T: Serialize + DeserializeOwned>() -> String {
        let mut lines = BTreeMap::new();
        let mut choices: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for sample in samples_of::<T>() {
            let mut arrays = Arrays::new(0);
            arrays.add("", &sample).unwrap();
            for array in arrays.list() {
                if array.name().ends_with(":variants") {
                    let known = choices.entry(array.name().to_owned()).or_default();
                    let name = String::from_utf8(array.bytes().to_vec()).unwrap();
                    if !known.contains(&name) {
                        known.push(name);
                    }
                    continue;
                }
                // What is one in a sample is as many as there are.
                let axes = array.shape().iter();
                let axes = axes.map(|length| match length {
                    0 | 1 => "n".to_owned(),
                    length => length.to_string(),
                });
                let axes = axes.collect::<Vec<_>>().join(", ");
                let line = format!("{} ({axes})", array.dtype().name());
                lines.insert(array.name().to_owned(), line);
            }
        }
        let choices = choices
            .into_iter()
            .map(|(name, all)| (name, all.join(" | ")));
        lines.extend(choices);
        let lines = lines.iter().map(|(name, line)| format!("{name} {line}\n"));
        lines.collect()
    }

    /// A program takes defaults for nothing that a checkpoint of its own schema lacks, and refuses
    /// what it does not know. The record ties the arrays to the number by which it tells.
    #[test]
    fn a_checkpoint_of_other_arrays_has_another_schema() {
        let recorded = fs::read_to_string(RECORD).unwrap_or_default();
        let number = |text: &str| -> Option<u32> {
            let first = text.lines().next()?;
            first.strip_prefix("schema ")?.parse().ok()
        };
        let own = SCHEMA.version;
        let present = format!("schema {own}\n{}", arrays_of::<Checkpoint>());
        if present == recorded {
            return;
        }
        let is_new = number(&recorded).is_none_or(|number| number < own);
        assert!(
            is_new,
            "what a checkpoint holds is not what {RECORD} says: raise SCHEMA in crates/writhe/src/state/schema.rs, now {own}, say there what \
             older checkpoints lack, keep a checkpoint of the new schema in crates/writhe-cli/tests/checkpoints, and run this test with \
             WRITHE_RECORD=1.\nIt holds:\n{present}"
        );
        assert!(
            std::env::var_os("WRITHE_RECORD").is_some(),
            "SCHEMA was raised to {own}: run this test with WRITHE_RECORD=1 and commit {RECORD}, which it writes"
        );
        fs::write(RECORD, present).unwrap();
    }

    /// What older checkpoints may lack is something that present ones have.
    #[test]
    fn what_was_added_is_there() {
        let all = arrays_of::<Checkpoint>();
        for added in SCHEMA.added {
            let is_of = |line: &str| {
                let rest = line.strip_prefix(added.field);
                rest.is_some_and(|rest| rest.starts_with([' ', '.', ':']))
            };
            assert!(all.lines().any(is_of), "{added:?}");
            assert!(added.since <= SCHEMA.version, "{added:?}");
        }
    }

    #[derive(Serialize, serde::Deserialize)]
    enum Choice {
        Nothing,
        Pair(u8, u8),
        Named { name: String },
    }

    #[derive(Serialize, serde::Deserialize)]
    struct Whole {
        inner: Option<Vec<Choice>>,
        last: [f64; 2],
    }

    #[test]
    fn all_arrays_and_all_choices_are_listed() {
        let expected = "\
inner.Named.name |u1 (n)
inner.Named.name:length <u8 (n)
inner.Pair |u1 (n, 2)
inner:count <u8 ()
inner:present |b1 ()
inner:variant |u1 (n)
inner:variants Nothing | Pair | Named
last <f8 (2)
";
        assert_eq!(arrays_of::<Whole>(), expected);
    }
}
