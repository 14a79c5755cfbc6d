//! First guess of a fluid's force from those of the last steps: of a force that is solved for with
//! the unknowns, their continuation by the time scheme; of lagged drag, the polynomial through them.
//!
//! A guess costs nothing and a product with the mobility does: in smooth motion of flagella at 1 ms
//! the force of the step before leaves 1e-3 of the velocity unexplained, the line through two
//! forces 3e-6, the parabola through three 4e-9 to 1e-8. A cubic would gain a digit or two more at
//! rest and lose where contacts come and go.

use crate::state::{PastForce, State};
use crate::step::scheme::Stage;

/// Forces that are kept.
const KEPT: usize = 4;
/// Forces that a polynomial goes through at most.
const POINTS: usize = 3;
/// Part of a step by which instants of equal steps may be apart.
const EQUAL: f64 = 1e-6;
/// Weights of equal steps are 3, -3 and 1. Where steps grow they would blow up what the forces have
/// of noise; then fewer are taken.
const LARGEST_WEIGHTS: f64 = 10.0;

/// Guess of the force at the start of a step; the last known where there is no history.
pub(in crate::step) fn lagged_force(start: &State) -> Vec<f64> {
    extrapolate(&start.drag_history, start.time).unwrap_or_else(|| start.hydrodynamic_force.clone())
}

/// Guess of the force in a step, where it is solved for. In smooth motion of flagella at 20 ms the
/// force of the step before leaves 2e-6 radii to correct after an iteration, and so one more.
pub(in crate::step) fn solved_force(start: &State, stage: &Stage) -> Vec<f64> {
    let equal = |(k, past): (usize, &PastForce)| {
        let back = stage.time - past.time - (k + 1) as f64 * stage.dt();
        back.abs() < EQUAL * stage.dt()
    };
    let past = &start.drag_history;
    match &past[..] {
        [a, b, c, d] if stage.takes_two_steps() && past.iter().enumerate().all(equal) => {
            stage.next_force([a, b, c, d].map(|past| &past.force[..]))
        }
        _ => extrapolate(past, stage.time).unwrap_or_else(|| start.hydrodynamic_force.clone()),
    }
}

/// The history after a step from `start` with `force` at `time`, s.
pub(in crate::step) fn remember(start: &State, time: f64, force: Vec<f64>) -> Vec<PastForce> {
    let newest = PastForce { time, force };
    let older = start.drag_history.iter().take(KEPT - 1).cloned();
    std::iter::once(newest).chain(older).collect()
}

/// The force at a `time`, s, between those that are kept: the polynomial through the last of them;
/// `None` without any.
pub(crate) fn force_at(history: &[PastForce], time: f64) -> Option<Vec<f64>> {
    extrapolate(history, time)
}

fn extrapolate(history: &[PastForce], time: f64) -> Option<Vec<f64>> {
    // The parabola, the line or the last force: the first whose weights stay small.
    (1..=history.len().min(POINTS)).rev().find_map(|count| {
        let past = &history[..count];
        let weights = weights(past, time);
        let sizes: f64 = weights.iter().map(|w| w.abs()).sum();
        (sizes <= LARGEST_WEIGHTS).then(|| combine(past, &weights))
    })
}

/// Lagrange's weights: `w_i = prod_j (t - t_j) / (t_i - t_j)`.
fn weights(past: &[PastForce], time: f64) -> Vec<f64> {
    let others = |i: usize| past.iter().enumerate().filter(move |(j, _)| *j != i);
    let weight = |(i, own): (usize, &PastForce)| {
        others(i)
            .map(|(_, other)| (time - other.time) / (own.time - other.time))
            .product()
    };
    past.iter().enumerate().map(weight).collect()
}

fn combine(past: &[PastForce], weights: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; past[0].force.len()];
    for (past, weight) in past.iter().zip(weights) {
        for (sum, f) in sum.iter_mut().zip(&past.force) {
            *sum += weight * f;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn past(times: &[f64], force: impl Fn(f64) -> f64) -> Vec<PastForce> {
        let at = |time: &f64| PastForce {
            time: *time,
            force: vec![force(*time), -force(*time)],
        };
        times.iter().map(at).collect()
    }

    #[test]
    fn as_many_forces_as_there_are_give_the_degree() {
        let parabola = |t: f64| 2.0 - 3.0 * t + 5.0 * t * t;
        let history = past(&[0.9, 0.8, 0.65], parabola);
        let guess = extrapolate(&history, 1.0).unwrap();
        assert!((guess[0] - parabola(1.0)).abs() < 1e-13);
        assert_eq!(guess[1], -guess[0]);
        let line = |t: f64| 2.0 - 3.0 * t;
        let guess = extrapolate(&past(&[0.9, 0.8], line), 1.0).unwrap();
        assert!((guess[0] - line(1.0)).abs() < 1e-14);
        let guess = extrapolate(&past(&[0.9], parabola), 1.0).unwrap();
        assert_eq!(guess[0], parabola(0.9));
        assert_eq!(extrapolate(&[], 1.0), None);
    }

    /// A step ten times those before, and two forces of the same instant.
    #[test]
    fn forces_that_lie_too_near_each_other_are_left_out() {
        for times in [[0.9, 0.89, 0.88], [0.9, 0.9, 0.8]] {
            let history = past(&times, |t| t * t);
            let guess = extrapolate(&history, 1.0).unwrap();
            assert_eq!(guess[0], 0.9 * 0.9);
        }
    }
}
