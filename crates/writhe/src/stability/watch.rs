//! A run's watch over its equilibria.

use serde::{Deserialize, Serialize};

use super::{LeftOut, Shape, Stability, stability, stability_of};
use crate::observe::Observed;
use crate::simulation::Simulation;

/// Linear solves of a run before the second look, at least, and how many more before each further
/// one: a look at a state at rest costs about four, or thirty where there is something to find.
const SOLVES: u64 = 8;
/// Solves between looks that is enough: looks then cost a fiftieth of the run.
const ENOUGH: u64 = 200;
/// Solves between looks where the last ones found something.
const SOLVES_AFTER_FINDING: u64 = 300;

/// Looks at outputs for equilibria that are unstable. It changes no state; when it looks is a
/// function of the run alone.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StabilityWatch {
    /// What was found so far.
    pub record: StabilityRecord,
}

/// What a watch found: part of a checkpoint.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StabilityRecord {
    /// States that were looked at.
    pub looks: u64,
    /// Number of these states that were at rest and stable.
    pub stable: u64,
    /// Number of these states that were at rest and unstable.
    pub unstable: u64,
    /// Number of these states of which nothing is known.
    pub left_out: u64,
    /// Why, for the first of these.
    pub why: Option<LeftOut>,
    /// The first unstable equilibrium that two looks in a row saw, or the last look of the run. One
    /// look alone may catch a rod that swings or passes through.
    pub found: Option<Episode>,
    /// What the last look saw.
    last: Option<Episode>,
    /// Linear solves of the run at the last look; `None` before the first.
    solves: Option<u64>,
}

/// An unstable equilibrium that a run was in.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Episode {
    /// Time at which it was seen first, s.
    pub from: f64,
    /// Time at which it, or a later one, was seen last, s.
    pub until: f64,
    /// Whether the last look saw it.
    pub present: bool,
    /// How it would be left.
    pub shape: Shape,
}

impl Simulation {
    /// Whether the state is at rest, and stable there: [`Simulation::settle`] finds equilibria of
    /// either kind.
    pub fn stability(&self) -> Stability {
        stability(&self.model, &self.state)
    }
}

impl StabilityWatch {
    /// Looks at an output, unless the run has done too little since the last look; returns what is
    /// new.
    pub fn output(&mut self, simulation: &Simulation, observed: &Observed) -> Option<Episode> {
        let wanted = match self.record.found {
            Some(episode) if episode.present => SOLVES_AFTER_FINDING,
            // What was seen again and again is looked at less often.
            _ => (SOLVES * (1 + self.record.stable + self.record.left_out)).min(ENOUGH),
        };
        let made = simulation.statistics.newton_iterations;
        let due = self.record.solves.is_none_or(|last| made >= last + wanted);
        let look = || stability_of(&simulation.model, &simulation.state, observed);
        due.then(|| self.see(simulation, look(), false)).flatten()
    }

    /// Looks at the end of a run; returns what is new.
    pub fn end(&mut self, simulation: &Simulation) -> Option<Episode> {
        let made = simulation.statistics.newton_iterations;
        // What one look saw alone is looked at again: at the end it counts.
        let passing = self.record.last.is_some() && self.record.found.is_none();
        let new = self.record.solves != Some(made) || passing;
        let look = || stability(&simulation.model, &simulation.state);
        new.then(|| self.see(simulation, look(), true)).flatten()
    }

    /// Sees what a look told of the state, which is the `last` of the run or not.
    fn see(&mut self, simulation: &Simulation, told: Stability, last: bool) -> Option<Episode> {
        let state = &simulation.state;
        let record = &mut self.record;
        record.looks += 1;
        record.solves = Some(simulation.statistics.newton_iterations);
        let before = record.last.take();
        if let Some(episode) = &mut record.found {
            episode.present = false;
        }
        let shape = match told {
            Stability::Moving => return None,
            Stability::Stable => {
                record.stable += 1;
                return None;
            }
            Stability::LeftOut(why) => {
                record.left_out += 1;
                record.why.get_or_insert(why);
                return None;
            }
            Stability::Unstable(instability) => instability.shape,
        };
        record.unstable += 1;
        let seen = Episode {
            from: state.time,
            until: state.time,
            present: true,
            shape,
        };
        let first = before.unwrap_or(seen);
        record.last = Some(first);
        // One look alone may catch a rod that swings through.
        if before.is_none() && !last {
            return None;
        }
        let new = record.found.is_none();
        let episode = record.found.get_or_insert(first);
        episode.until = state.time;
        episode.present = true;
        new.then_some(*episode)
    }
}
