//! Newton's method by way of smoother friction.
//!
//! Where a step throws many contacts from sticking to slipping or back, Newton's method sees no slope
//! in those that slip, turns over those that stick, and goes a thousandth of each correction. With a
//! slip tolerance a hundred times as large the same balance is smooth, and a few whole corrections
//! find it. From there the tolerance becomes smaller again, tenfold each time, to what it should be.
//! What makes that work are friction's directions (decision 0021): they are forces, which hardly
//! change with the tolerance, while the slip of what sticks is proportional to it. So the matrix is
//! made with the directions that were found with the larger tolerance, and its first corrections are
//! taken whole: on their way the residual may grow (decision 0084).

use super::correction::Matrix;
use super::error::StepError;
use super::newton::Iterate;
use super::residual::Residual;
use super::settings::{LineSearch, StepSettings};
use crate::kernels::friction::{Friction, StaticFriction};

/// Factor on the slip tolerance at first, and by which it falls.
const FIRST: f64 = 1e2;
const FALL: f64 = 10.0;
/// Part of a correction up to which it was shortened much.
const SHORT: f64 = 0.125;
/// So many of those, while the natural norm is above this part of what the first correction left,
/// or so many iterations show that Newton's method makes no way.
const CRAWLING: u32 = 3;
const LITTLE_WAY: f64 = 0.3;
const LONG: u32 = 20;
/// Correction, in radii and over the factor, at which the tolerance falls.
const SETTLED: f64 = 1e-6;
/// Corrections after a fall that are taken whole.
const WHOLE: u32 = 2;

/// How friction is made smoother within one solve, once at most.
pub(super) struct Smoothing {
    /// Factor on the slip tolerance.
    factor: f64,
    /// The first guess, until friction was made smoother; `None` where that is of no use.
    first: Option<Iterate>,
    /// Corrections that were shortened much.
    crawled: u32,
    /// Natural norm that the first correction left, in radii.
    begun: f64,
    /// Corrections to come that are taken whole.
    whole: u32,
}

/// What Newton's method is to do after a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// As ever: friction is what it should be.
    Check,
    /// Begin anew with smoother friction: count iterations from here.
    Restart,
    /// Go on: friction is smoother than it should be, or just was.
    GoOn,
}

impl Smoothing {
    /// For a solve from the first guess `iterate`, which is evaluated.
    pub fn new(
        residual: &Residual,
        settings: &StepSettings,
        iterate: &Iterate,
        matrix: &mut Matrix,
    ) -> Self {
        let model = residual.problem.model;
        let policy = model.contact.policy();
        let remembers = |f: Friction| f.stick != StaticFriction::Creep;
        let of_use = settings.line_search == LineSearch::Automatic
            && policy.iterations_without == 0
            && model.has_friction()
            && !model.rod_friction().is_some_and(remembers)
            && !residual.contact.any_lags();
        Self {
            factor: 1.0,
            first: of_use.then(|| iterate.copied(&mut matrix.pool)),
            crawled: 0,
            begun: 0.0,
            whole: 0,
        }
    }

    /// The first guess is another one.
    pub fn begin_at(&mut self, iterate: &Iterate) {
        if let Some(first) = &mut self.first {
            first.y.clone_from(&iterate.y);
        }
    }

    /// How the next correction is searched along.
    pub fn line_search(&mut self, wanted: LineSearch) -> LineSearch {
        match self.whole {
            0 => wanted,
            _ => {
                self.whole -= 1;
                LineSearch::None
            }
        }
    }

    /// After the correction number `done`, from 1, of which the part `alpha` was taken; what was
    /// taken is `size` radii long and left the natural norm `natural`, in radii.
    pub fn after(
        &mut self,
        residual: &mut Residual,
        iterate: &mut Iterate,
        (done, alpha, size, natural): (u32, f64, f64, f64),
        matrix: &mut Matrix,
    ) -> Result<Next, StepError> {
        if self.factor > 1.0 {
            if alpha == 1.0 && size < SETTLED * self.factor {
                self.whole = WHOLE;
                self.set((self.factor / FALL).max(1.0), residual, iterate)?;
            }
            return Ok(Next::GoOn);
        }
        if done == 1 {
            self.begun = natural;
        }
        self.crawled += u32::from(alpha <= SHORT);
        let crawls = self.crawled >= CRAWLING && natural > LITTLE_WAY * self.begun;
        // What friction does not act in has a potential, along which Newton's method descends; and
        // friction with obstacles has no directions that could stay.
        let obstacles = residual.at.contact.obstacles().has_solved_friction();
        if !(crawls || done >= LONG) || residual.at.potential.is_some() || obstacles {
            return Ok(Next::Check);
        }
        let Some(first) = self.first.take() else {
            return Ok(Next::Check);
        };
        std::mem::replace(iterate, first).give_back(&mut matrix.pool);
        self.set(FIRST, residual, iterate)?;
        Ok(Next::Restart)
    }

    /// Whether the tolerance just fell.
    pub fn changed(&self) -> bool {
        self.whole == WHOLE
    }

    /// Gives the kept vectors to the pool.
    pub fn give_back(self, matrix: &mut Matrix) {
        if let Some(first) = self.first {
            first.give_back(&mut matrix.pool);
        }
    }

    fn set(
        &mut self,
        factor: f64,
        residual: &mut Residual,
        iterate: &Iterate,
    ) -> Result<(), StepError> {
        self.factor = factor;
        residual.contact.smooth_friction(factor);
        residual.evaluate(iterate)
    }
}
