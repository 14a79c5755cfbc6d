//! Wall time by part of a step.

use std::time::{Duration, Instant};

/// Parts of a step that are timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Forces,
    Assembly,
    Solve,
    Mobility,
    Drag,
    Candidates,
    Crossings,
    Contact,
    Projection,
    Angles,
}

/// Wall time spent in each part of the steps, for summaries only: it enters no result.
#[derive(Debug, Clone, Copy, Default)]
pub struct Phases {
    times: [Duration; 10],
}

impl Phases {
    const NAMES: [&'static str; 10] = [
        "forces",
        "assembly",
        "solve",
        "mobility",
        "drag",
        "contact candidates",
        "crossing check",
        "contact corrections",
        "projection",
        "quasistatic angles",
    ];

    pub(super) fn start(&self) -> Instant {
        Instant::now()
    }

    pub(super) fn stop(&mut self, phase: Phase, since: Instant) {
        self.add(phase, since.elapsed());
    }

    pub(super) fn add(&mut self, phase: Phase, time: Duration) {
        self.times[phase as usize] += time;
    }

    /// The sum of both.
    pub(super) fn and(mut self, other: Self) -> Self {
        for (time, more) in self.times.iter_mut().zip(other.times) {
            *time += more;
        }
        self
    }

    /// Name and time of each part, s.
    pub fn seconds(&self) -> impl Iterator<Item = (&'static str, f64)> {
        Self::NAMES
            .into_iter()
            .zip(self.times)
            .map(|(name, time)| (name, time.as_secs_f64()))
    }
}
