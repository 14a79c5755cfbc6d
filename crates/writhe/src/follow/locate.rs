//! Where along a step a branch folds, is crossed by others, or ends.

use super::FollowError;
use super::corrector::{Found, Outcome, Tangent};
use super::equation::{Equation, Point};

/// Halvings, or steps of false position, at most.
const HALVINGS: usize = 40;
/// Part of a step to which an event is located.
const FINE: f64 = 1e-6;
/// Part of a step within which eigenvalues that change sign are one bifurcation.
const SAME: f64 = 1e-3;

/// A bifurcation within a step.
pub(super) struct Located {
    /// Its distance.
    pub at: f64,
    /// The equilibrium there.
    pub found: Box<Found>,
    /// Number of negative eigenvalues just beyond.
    pub beyond: Option<usize>,
    /// The distance where they were counted.
    pub beyond_at: f64,
}

impl Equation<'_> {
    /// Where the parameter turns back within a step from `here`, whose `end` is (length, tangent):
    /// the distance and the equilibrium. False position for the tangent's parameter (Illinois).
    pub fn fold(
        &self,
        here: &Point,
        tangent: &Tangent,
        end: (f64, &Tangent),
    ) -> Result<(f64, Box<Found>), FollowError> {
        let (mut low, mut high) = ((0.0, tangent.parameter), (end.0, end.1.parameter));
        let mut best: Option<(f64, Box<Found>)> = None;
        let mut side = 0;
        for _ in 0..HALVINGS {
            let at = low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1);
            // Between the two, whatever rounding says.
            let at = at.clamp(low.0.min(high.0), low.0.max(high.0));
            let Outcome::Found(mut found) = self.correct(here, Some((tangent, at)), None)? else {
                break;
            };
            let slope = self.tangent(&mut found, tangent)?.parameter;
            let moved = best.as_ref().map_or(f64::INFINITY, |(b, _)| (at - b).abs());
            best = Some((at, found));
            if moved <= FINE * end.0 || slope == 0.0 {
                break;
            }
            if slope * high.1 > 0.0 {
                high = (at, slope);
                low.1 *= if side == 1 { 0.5 } else { 1.0 };
                side = 1;
            } else {
                low = (at, slope);
                high.1 *= if side == -1 { 0.5 } else { 1.0 };
                side = -1;
            }
        }
        best.ok_or(FollowError::NoStart { correction: end.0 })
    }

    /// Where within the `span` of distances from `here` the count of negative eigenvalues changes
    /// first from that at its beginning; it is another one at its end. By halving.
    pub fn bifurcation(
        &self,
        (here, tangent): (&Point, &Tangent),
        span: (f64, f64),
        (before, after): (Option<usize>, Option<usize>),
    ) -> Result<Option<Located>, FollowError> {
        let (mut low, mut high) = span;
        let mut beyond = after;
        let mut best = None;
        for _ in 0..HALVINGS {
            if high - low <= FINE * span.1 {
                break;
            }
            let at = 0.5 * (low + high);
            let Outcome::Found(mut found) = self.correct(here, Some((tangent, at)), None)? else {
                break;
            };
            match found.linear.negative()? {
                // Nearer than pivots can tell.
                None => {
                    best = Some((at, found));
                    break;
                }
                count if count == before => low = at,
                count => (high, beyond) = (at, count),
            }
            best = Some((at, found));
        }
        // Eigenvalues that are the same by symmetry, and apart by rounding, cross at once.
        let wide = high + SAME * span.1;
        if wide < span.1
            && let Outcome::Found(mut found) = self.correct(here, Some((tangent, wide)), None)?
            && let Some(count) = found.linear.negative()?
        {
            (high, beyond) = (wide, Some(count));
        }
        Ok(best.map(|(at, found)| Located {
            at,
            found,
            beyond,
            beyond_at: high,
        }))
    }

    /// The equilibrium at the parameter `end` between two.
    pub fn land(&self, from: &Point, to: &Point, end: f64) -> Result<Option<Found>, FollowError> {
        let part = (end - from.parameter) / (to.parameter - from.parameter);
        let mut guess = from.clone();
        for (q, there) in guess.state.q.iter_mut().zip(&to.state.q) {
            *q += part * (there - *q);
        }
        // Prescribed unknowns and frames go with the parameter.
        let q = guess.state.q.clone();
        let mut base = self.trial(&from.state, &q, end)?;
        base.state.frames.clone_from(&from.state.frames);
        Ok(match self.correct(&base, None, Some(end))? {
            Outcome::Found(found) => Some(*found),
            Outcome::Lost(_) => None,
        })
    }
}
