//! What a run costs: time on the clock, processor time, time by part of the steps and beside them.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use writhe::step::{Phases, SharedTime};
use writhe_rundir::processor_time;

/// Time spent on a run, in s, over all processes that worked on it. Enters no result.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Time on the clock.
    pub wall: f64,
    /// Processor time over all threads.
    pub cpu: f64,
    /// Processor time by part of the steps, and of what is beside them: [`Beside`].
    pub phases: BTreeMap<String, f64>,
    /// Time on the clock of steps that one thread made, since others did not pay. Of this process alone:
    /// no checkpoint holds it.
    #[serde(skip)]
    pub by_one: f64,
}

/// What a run does beside steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// Looks at states and writes what they show.
    Outputs,
    /// Saves what it can be resumed from.
    Checkpoints,
}

impl Beside {
    /// As summaries call it.
    fn name(self) -> &'static str {
        match self {
            Self::Outputs => "outputs",
            Self::Checkpoints => "checkpoints",
        }
    }
}

/// Usage of this process on top of that of earlier ones.
#[derive(Debug)]
pub struct Meter {
    /// With what this process did beside the steps.
    earlier: Usage,
    since: Instant,
}

/// Something beside the steps that has begun.
#[derive(Debug)]
#[must_use]
pub struct Begun {
    what: Beside,
    processor_time: f64,
}

impl Meter {
    /// Starts now.
    pub fn start(earlier: Usage) -> Self {
        Self {
            earlier,
            since: Instant::now(),
        }
    }

    /// Time on the clock since the start of this process' work, s.
    pub fn elapsed(&self) -> f64 {
        self.since.elapsed().as_secs_f64()
    }

    /// Begins what is counted as soon as it [ends](Self::end).
    pub fn begin(&self, what: Beside) -> Begun {
        Begun {
            what,
            processor_time: processor_time(),
        }
    }

    /// Counts what ended, where the system tells.
    pub fn end(&mut self, begun: Begun) {
        let spent = processor_time() - begun.processor_time;
        if spent.is_finite() {
            let parts = &mut self.earlier.phases;
            *parts.entry(begun.what.name().to_owned()).or_default() += spent;
        }
    }

    /// Everything so far; `phases` and `shared` are those of this process.
    pub fn read(&self, phases: &Phases, shared: &SharedTime) -> Usage {
        let mut usage = self.earlier.clone();
        usage.wall += self.elapsed();
        usage.cpu += processor_time();
        usage.by_one += shared.by_one.as_secs_f64();
        for (name, seconds) in phases.seconds() {
            *usage.phases.entry(name.to_owned()).or_default() += seconds;
        }
        usage
    }
}
