//! Stiffness that is raised within a solve, where rods lie along each other.
//!
//! A stack sinks in by its weight from the first stiffness on, and each raise is the price of a solve if
//! it takes a try of its own. The depth that contacts come to is known long before: after the first
//! correction, if it was taken whole, to a third, since contacts that are all pressed together are nearly
//! linear. The other way round, from contacts that do not bear yet, a correction with a stiff law throws
//! rods off; so the iterate that is too deep is where the stiffer law begins. With friction it is moved
//! back towards the first guess, to some depth, since what slipped on the way down would slip back; and
//! the first correction is made once more with smoother friction (decision 0102).

use super::contact::{MAX_PENETRATION, too_deep};
use super::error::StepError;
use super::hardening::{Change, change_within};
use super::newton::Iterate;
use super::pool::Pool;
use super::residual::Residual;

/// Raises of a solve; more are made by tries of their own.
const MOST: u32 = 8;
/// Factor by which the stiffness is raised farther than depths ask for: loads are those of a stack that
/// has hardly begun to press.
const RESERVE: f64 = 4.0;
/// Depth to go on from, over the one that is allowed.
const BEGIN: f64 = 3.0;

/// What was done about contacts that are too deep.
pub(super) enum Raised {
    /// Nothing.
    No,
    /// The iterate is the first guess again, for a first correction with smoother friction.
    Again,
    /// The stiffness was raised.
    By(Change),
}

/// The raises of one solve.
pub(super) struct Raising {
    /// The unknowns of the first guess, `(dofs)`; `None` where nothing is raised so.
    first: Option<Vec<f64>>,
    raises: u32,
    /// Whether the first correction was made again.
    again: bool,
}

impl Raising {
    /// For a solve from the first guess `iterate` on, with rods that lie along each other or not.
    pub fn new(along: bool, iterate: &Iterate, pool: &mut Pool) -> Self {
        // A fluid's force would have to be moved back, too.
        let first = (along && iterate.drag.is_none()).then(|| pool.copy(&iterate.y));
        Self {
            first,
            raises: 0,
            again: false,
        }
    }

    /// After a correction that led to the iterate, from where another one of `next` radii is foreseen:
    /// raises the stiffness and moves the iterate if contacts are too deep for certain; it is to be
    /// evaluated anew then. `first` for the first correction, if it was taken whole.
    pub fn after(
        &mut self,
        residual: &mut Residual,
        iterate: &mut Iterate,
        (next, first): (f64, bool),
    ) -> Result<Raised, StepError> {
        let Some(guess) = self.first.as_ref().filter(|_| self.raises < MOST) else {
            return Ok(Raised::No);
        };
        let first = first && self.raises == 0;
        let uncertain = if first { 0.0 } else { next };
        // Far from the solution a depth says nothing.
        if uncertain > MAX_PENETRATION {
            return Ok(Raised::No);
        }
        let contacts: Vec<_> = residual.at.contact.penetrations().collect();
        let deep = too_deep(residual, &contacts)?;
        let Some(deep) = deep.filter(|deep| deep.depth > deep.allowed + uncertain) else {
            return Ok(Raised::No);
        };
        let rubs = residual.at.potential.is_none();
        if first && rubs && !std::mem::replace(&mut self.again, true) {
            // What stuck on the way down is where smoother friction would not have left it.
            iterate.y.clone_from(guess);
            return Ok(Raised::Again);
        }
        self.raises += 1;
        let change = change_within(residual, RESERVE * deep.stiffness)?;
        let part = match rubs {
            true => (BEGIN * deep.allowed / deep.depth).min(1.0),
            false => 1.0,
        };
        for (y, first) in iterate.y.iter_mut().zip(guess) {
            *y = first + part * (*y - first);
        }
        residual.problem.follow(&mut iterate.y);
        Ok(Raised::By(change))
    }

    /// Whether any raise was made.
    pub fn has_raised(&self) -> bool {
        self.raises > 0
    }

    /// Gives the kept vector to the pool.
    pub fn give_back(self, pool: &mut Pool) {
        if let Some(first) = self.first {
            pool.give_back(first);
        }
    }
}
