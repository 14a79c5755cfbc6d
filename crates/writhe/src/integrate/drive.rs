//! How hard what drives the rods has to push: what tells a jam from a failure.
//!
//! A drive is what moves as prescribed, be it against whatever force: a clamp, a held node or angle, a body, an obstacle. Its reaction is
//! the largest force on an unknown that it moves, a torque counting as the force at the lever of its angle, or the sum of the normal forces on
//! moving obstacles if that is larger. The last few are part of the state, at least half a full step apart, so that they tell of the drive and
//! not of the smallest steps before a failure.

use super::settings::StepSettings;
use crate::state::{Reaction, State};

/// Reactions that are remembered.
pub(crate) const REMEMBERED: usize = 8;
/// Time between two of them over the step of the settings, at least.
const APART: f64 = 0.5;
/// Motion over the length scale that is rounding.
pub(super) const STILL: f64 = 1e-12;
/// Growth from the first half of the remembered reactions to the second that counts.
const GROWTH: f64 = 1e-3;

/// The reactions to remember after a step that ended at `time`, s; `force`, N, is `None` where nothing moved.
pub(super) fn remember(
    start: &State,
    time: f64,
    force: Option<f64>,
    settings: &StepSettings,
) -> Vec<Reaction> {
    let Some(force) = force else {
        return Vec::new();
    };
    let mut reactions = start.reactions.clone();
    if (reactions.last()).is_none_or(|last| time - last.time >= APART * settings.dt) {
        reactions.push(Reaction { time, force });
        if reactions.len() > REMEMBERED {
            reactions.remove(0);
        }
    }
    reactions
}

/// Whether a drive has gone on for several steps against a growing reaction.
pub(crate) fn grows(reactions: &[Reaction]) -> bool {
    let (early, late) = reactions.split_at(reactions.len() / 2);
    let sum = |part: &[Reaction]| part.iter().map(|r| r.force).sum::<f64>();
    reactions.len() == REMEMBERED && sum(late) > (1.0 + GROWTH) * sum(early)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reactions(force: impl Fn(usize) -> f64, count: usize) -> Vec<Reaction> {
        let reaction = |i: usize| Reaction {
            time: 0.01 * i as f64,
            force: force(i),
        };
        (0..count).map(reaction).collect()
    }

    #[test]
    fn a_reaction_grows_over_several_steps_or_not() {
        assert!(grows(&reactions(|i| 1.0 + 0.1 * i as f64, REMEMBERED)));
        // It may fluctuate.
        let rough = |i: usize| 1.0 + 0.1 * i as f64 + 0.1 * (i % 2) as f64;
        assert!(grows(&reactions(rough, REMEMBERED)));
        for (force, count) in [(0.1, REMEMBERED - 1), (0.0, REMEMBERED), (-0.1, REMEMBERED)] {
            assert!(!grows(&reactions(|i| 1.0 + force * i as f64, count)));
        }
        assert!(!grows(&[]));
    }
}
