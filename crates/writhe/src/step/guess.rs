//! A prediction that came to nothing.
//!
//! A step begins where the motion of the last ones goes on to (decision 0013). Where rods that rub
//! let go or catch, it does not go on: Newton's first correction is then of no use as a whole, and
//! what a line search leaves of it is the beginning of a crawl. The start of the step, with what is
//! prescribed in its place, is the better first guess there (decision 0090).

use super::error::StepError;
use super::newton::Iterate;
use super::residual::Residual;
use super::settings::{LineSearch, StepSettings};
use crate::forces::Acting;

/// Least part of the first correction that speaks for the prediction.
pub(super) const LEAST_TAKEN: f64 = 0.5;

/// The first guess of a solve: a prediction, unless it is told to stay.
#[derive(Debug, Default)]
pub(super) struct Guess {
    stays: bool,
}

impl Guess {
    /// It was found contact by contact, from the prediction on
    /// ([`relax`](super::relaxation::relax)), and is as near as that comes. A heap whose steps were
    /// taken back from there took twenty iterations in place of three (decision 0093).
    pub fn keep(&mut self) {
        self.stays = true;
    }

    /// Whether the first guess, which is evaluated, may be a prediction that friction made void.
    pub fn is_doubtful(&self, residual: &Residual, settings: &StepSettings) -> bool {
        let policy = residual.problem.model.contact.policy();
        // Towards an equilibrium nothing is predicted. Where friction does not act a potential
        // falls, however poor the guess; the published methods and barriers have first guesses of
        // their own.
        !self.stays
            && residual.problem.acting == Acting::All
            && settings.line_search == LineSearch::Automatic
            && policy.iterations_without == 0
            && !policy.barrier
            && !residual.solves_drag()
            && residual.at.potential.is_none()
            && residual.problem.model.rod_friction().is_some()
    }

    /// Puts the iterate to the start of the step, and evaluates it. Once a solve.
    pub fn take_back(
        &mut self,
        residual: &mut Residual,
        iterate: &mut Iterate,
    ) -> Result<(), StepError> {
        self.stays = true;
        let problem = residual.problem;
        let fixed = problem.model.constraints.fixed();
        let places = problem.start.q.iter().zip(problem.target).zip(fixed);
        for (y, ((start, target), fixed)) in iterate.y.iter_mut().zip(places) {
            *y = if *fixed { *target } else { *start };
        }
        problem.follow(&mut iterate.y);
        residual.evaluate(iterate)
    }
}

#[cfg(test)]
mod tests;
