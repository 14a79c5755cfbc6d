//! How hard what drives the rods has to push: what tells a jam from a failure.
//!
//! A drive is what moves as prescribed, be it against whatever force: a clamp, a held node or
//! angle, a body, an obstacle. Its reaction is the largest force on an unknown that it moves, a
//! torque counting as the force at the lever of its angle, or the sum of the normal forces on
//! moving obstacles if that is larger. The state remembers some over the whole time for which it
//! has moved: where they grow too many, every other one is forgotten. So they tell of the drive and
//! not of the smallest steps before a failure.

use super::settings::StepSettings;
use crate::state::{Reaction, State};

/// Reactions that are remembered at most.
const MOST: usize = 16;
/// Reactions that tell whether they grow.
const ENOUGH: usize = 8;
/// Time between the first two of them over the step of the settings, at least.
const APART: f64 = 0.5;
/// Motion over the length scale that is rounding.
pub(super) const STILL: f64 = 1e-12;
/// Growth from the first half of the remembered reactions to the second that counts.
const GROWTH: f64 = 0.01;

/// The reactions to remember after a step that ended at `time`, s; `force`, N, is `None` where
/// nothing moved.
pub(super) fn remember(
    start: &State,
    time: f64,
    force: Option<f64>,
    settings: &StepSettings,
) -> Vec<Reaction> {
    let Some(force) = force else {
        return Vec::new();
    };
    // As far apart as the first two; that doubles whenever every other one is forgotten.
    let mut reactions = start.reactions.clone();
    let apart = match &reactions[..] {
        [first, second, ..] => second.time - first.time,
        _ => APART * settings.accuracy.map_or(settings.dt, |a| a.first),
    };
    // Times add up with rounding.
    let is_due = |last: &Reaction| time - last.time >= (1.0 - 1e-9) * apart;
    if reactions.last().is_none_or(is_due) {
        reactions.push(Reaction { time, force });
    }
    if reactions.len() > MOST {
        reactions = reactions.into_iter().step_by(2).collect();
    }
    reactions
}

/// Whether a drive has gone on for several steps against a growing reaction.
pub(crate) fn grows(reactions: &[Reaction]) -> bool {
    let mean = |part: &[Reaction]| part.iter().map(|r| r.force).sum::<f64>() / part.len() as f64;
    let (early, late) = reactions.split_at(reactions.len() / 2);
    reactions.len() >= ENOUGH && mean(late) > (1.0 + GROWTH) * mean(early)
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
        assert!(grows(&reactions(|i| 1.0 + 0.1 * i as f64, ENOUGH)));
        // It may fluctuate.
        let rough = |i: usize| 1.0 + 0.1 * i as f64 + 0.1 * (i % 2) as f64;
        assert!(grows(&reactions(rough, ENOUGH + 3)));
        for (force, count) in [(0.1, ENOUGH - 1), (0.0, ENOUGH), (-0.1, ENOUGH)] {
            assert!(!grows(&reactions(|i| 1.0 + force * i as f64, count)));
        }
        assert!(!grows(&[]));
    }

    /// However long a drive goes on, its whole course is remembered, at even distances; once it
    /// rests, nothing is.
    #[test]
    fn the_whole_course_of_a_drive_is_remembered() {
        let rod = crate::rod::Rod::open(
            vec![glam::DVec3::ZERO, glam::DVec3::X, 2.0 * glam::DVec3::X],
            crate::rod::Section::circle(crate::rod::Material::new(1e6, 0.5, 1000.0), 0.1),
        );
        let builder = crate::model::ModelBuilder::new().rod(rod.unwrap());
        let (_, mut state) = builder.build().unwrap();
        let settings = StepSettings {
            dt: 0.01,
            ..StepSettings::default()
        };
        for step in 1..=1000 {
            let time = 0.01 * f64::from(step);
            state.reactions = remember(&state, time, Some(time), &settings);
            assert!(state.reactions.len() <= MOST);
        }
        let times: Vec<f64> = state.reactions.iter().map(|r| r.time).collect();
        assert_eq!(times[0], 0.01);
        assert!(times.len() > MOST / 2 - 1 && 10.0 - times[times.len() - 1] <= times[1] - times[0]);
        for pair in times.windows(2) {
            assert!((pair[1] - pair[0] - (times[1] - times[0])).abs() < 0.011);
        }
        assert!(grows(&state.reactions));
        assert!(remember(&state, 10.01, None, &settings).is_empty());
    }
}
