//! How far to go along Newton's correction: what must decrease.

use super::correction::{Correction, Matrix};
use super::error::StepError;
use super::newton::{Iterate, not_converged};
use super::residual::Residual;
use super::settings::{LineSearch, StepSettings};
use crate::kernels::friction::StaticFriction;
use crate::solve::line_search::{
    Armijo, GoldsteinPrice, LineSearchError, NaturalMonotonicity, Step, armijo, goldstein_price,
    natural_monotonicity,
};

/// Shortest step that the line search tries.
pub(super) const SHORTEST: f64 = 1e-4;
/// Factor by which the natural norm may grow where friction's directions are unknowns of their own:
/// they are right one correction after the positions that they belong to. Until then the norm says
/// little, and a correction that is shortened for it begins a crawl (decision 0089).
const GROWTH: f64 = 2.0;

/// Which parts of a correction are looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    /// The first, and the largest.
    pub longest: f64,
    /// The smallest, over the largest.
    pub shortest: f64,
    /// Whether corrections below the tolerance must make progress, too: the method is slow.
    pub slow: bool,
}

impl Way {
    /// As far as the search is of any use.
    pub fn whole(longest: f64) -> Self {
        Self {
            longest,
            shortest: SHORTEST,
            slow: false,
        }
    }
}

/// What was taken of a correction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken {
    /// The accepted fraction.
    pub alpha: f64,
    /// The natural norm there, in radii, where the search looked at it last.
    pub natural: Option<f64>,
}

/// Moves the iterate along the correction by an accepted fraction; it is evaluated there. Where
/// none is accepted the iterate stays, and what is evaluated is some trial.
pub(super) fn search(
    residual: &mut Residual,
    settings: &StepSettings,
    iterate: &mut Iterate,
    correction: &Correction,
    way: Way,
    matrix: &mut Matrix,
) -> Result<Taken, StepError> {
    let problem = residual.problem;
    let merit = Merit::choose(residual, settings, iterate);
    let start = match (merit, correction.natural) {
        (Merit::Natural { .. }, Some(known)) => known,
        _ => merit.value(residual, matrix)?,
    };
    // Derivative by alpha along dq.
    let slope = match merit {
        Merit::Potential { .. } => {
            // g . dq
            let along = residual.at.residual.iter().zip(&correction.dq);
            along.map(|(g, d)| g * d).sum()
        }
        // (|g|^2 / 2)' = -|g|^2 along Newton's correction; the others do not ask for it.
        Merit::None | Merit::Natural { .. } | Merit::SquaredResidual => -2.0 * start,
    };
    let from = iterate.copied(&mut matrix.pool);
    let mut failure = None;
    let mut last = 0.0;
    // A trial that cannot be evaluated is NaN, which the searches answer with a shorter one.
    let mut trial = |alpha: f64| {
        last = alpha;
        iterate.move_along(&problem, &from, alpha, correction);
        residual
            .evaluate(iterate)
            .and_then(|()| merit.value(residual, matrix))
            .unwrap_or_else(|error| {
                failure = Some(error);
                f64::NAN
            })
    };
    let found = merit.decrease(&mut trial, (start, slope), way, settings);
    match found {
        Ok(step) if step.value.is_finite() => {
            // The search may have looked elsewhere after what it took.
            let looked_last = step.alpha == last;
            if !looked_last {
                iterate.move_along(&problem, &from, step.alpha, correction);
                residual.evaluate(iterate)?;
            }
            from.give_back(&mut matrix.pool);
            let natural = looked_last && matches!(merit, Merit::Natural { .. });
            Ok(Taken {
                alpha: step.alpha,
                natural: natural.then_some(step.value),
            })
        }
        _ => {
            std::mem::replace(iterate, from).give_back(&mut matrix.pool);
            Err(failure.unwrap_or_else(|| {
                let correction = last * problem.size(&correction.dq);
                not_converged(residual, settings, (0, correction))
            }))
        }
    }
}

/// Whether all friction has directions that are unknowns of their own: that with obstacles has none,
/// nor has friction with a memory.
fn steers(residual: &Residual) -> bool {
    let friction = residual.problem.model.rod_friction();
    friction.is_some_and(|f| f.stick == StaticFriction::Creep)
        && !residual.at.contact.obstacles().has_solved_friction()
}

/// What a line search decreases.
#[derive(Clone, Copy)]
enum Merit {
    /// Nothing: full steps.
    None,
    /// The incremental potential, J, known up to `rounding`.
    Potential { rounding: f64 },
    /// The norm of the simplified correction, in radii, which may grow by this factor.
    Natural { growth: f64 },
    /// Half the squared residual.
    SquaredResidual,
}

impl Merit {
    fn choose(residual: &Residual, settings: &StepSettings, iterate: &Iterate) -> Self {
        match (settings.line_search, residual.at.potential) {
            (LineSearch::None, _) => Self::None,
            (LineSearch::Goldstein, _) => {
                // At rounding there is nothing left to decrease.
                let exact = StepSettings {
                    residual_tolerance: 0.0,
                    ..*settings
                };
                let (largest, rounding, _) = residual.imbalance(&exact, true);
                if largest <= rounding {
                    Self::None
                } else {
                    Self::SquaredResidual
                }
            }
            (LineSearch::Automatic, Some(_)) if iterate.drag.is_none() => Self::Potential {
                rounding: (residual.problem).potential_rounding(&iterate.y, residual.at),
            },
            (LineSearch::Automatic, _) => Self::Natural {
                growth: if steers(residual) { GROWTH } else { 1.0 },
            },
        }
    }

    /// The fraction of the correction at which it has decreased enough; `start` is its value and `slope` its derivative by the fraction where the correction begins.
    fn decrease(
        self,
        trial: &mut impl FnMut(f64) -> f64,
        (start, slope): (f64, f64),
        way: Way,
        settings: &StepSettings,
    ) -> Result<Step, LineSearchError> {
        // At the solution it rounds to zero or beyond; searches want descent.
        let slope = slope.min(-f64::MIN_POSITIVE);
        let Way {
            longest,
            shortest,
            slow,
        } = way;
        let smallest_step = shortest * longest;
        match self {
            Self::None => Ok(Step {
                alpha: longest,
                value: trial(longest),
                evaluations: 1,
            }),
            Self::Potential { rounding } => {
                let bounds = Armijo {
                    first_step: longest,
                    smallest_step,
                    rounding,
                    ..Armijo::default()
                };
                armijo(trial, start, slope, &bounds)
            }
            Self::Natural { growth } => {
                let bounds = NaturalMonotonicity {
                    first_step: longest,
                    smallest_step,
                    growth,
                };
                let mut decrease = |start: f64| natural_monotonicity(trial, start, &bounds);
                // Below the tolerance the norm is rounding, or the step is so short that it moves
                // nothing farther: there friction that turns round makes whole corrections cycle.
                let small = start < settings.step_tolerance;
                match small && !slow {
                    true => decrease(f64::MAX),
                    false => decrease(start).or_else(|error| match small {
                        true => decrease(f64::MAX),
                        false => Err(error),
                    }),
                }
            }
            Self::SquaredResidual => {
                let bounds = GoldsteinPrice {
                    longest_step: longest,
                    ..GoldsteinPrice::default()
                };
                goldstein_price(trial, start, slope, &bounds)
            }
        }
    }

    /// Its value at the trial last evaluated.
    fn value(self, residual: &Residual, matrix: &mut Matrix) -> Result<f64, StepError> {
        Ok(match self {
            Self::None => 0.0,
            // Where friction comes into play within the line search there is nothing to compare
            // with: the trial is taken.
            Self::Potential { .. } => residual.at.potential.unwrap_or(f64::MIN),
            Self::Natural { .. } => matrix.natural_norm(residual)?,
            Self::SquaredResidual => 0.5 * residual.at.residual.iter().map(|g| g * g).sum::<f64>(),
        })
    }
}
