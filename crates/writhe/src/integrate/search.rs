//! How far to go along Newton's correction: what must decrease, and how long a step may be.

use super::error::StepError;
use super::newton::{Iterate, evaluate, not_converged};
use super::problem::Problem;
use super::settings::{LineSearch, StepSettings};
use super::workspace::Workspace;
use crate::solve::line_search::{
    Armijo, GoldsteinPrice, LineSearchError, NaturalMonotonicity, Step, armijo, goldstein_price,
    natural_monotonicity,
};

/// Shortest step that the line search tries.
const SHORTEST: f64 = 1e-4;
/// Largest turn of an edge angle in one correction, rad.
const MAX_ANGLE: f64 = 1.0;
/// Largest change of an edge vector in one correction, relative to its length.
const MAX_EDGE_CHANGE: f64 = 0.5;

/// Largest step along the correction `dq` from `y` that keeps edges from turning over, angles from running away and rods from flying off
/// by more than their length within one correction, and the gaps of a barrier open.
pub(super) fn longest_step(problem: &Problem, y: &[f64], ws: &mut Workspace, dq: &[f64]) -> f64 {
    let topology = &problem.model.topology;
    let farthest = problem.model.rod_length.iter().copied().fold(0.0, f64::max);
    let mut worst = 0.0_f64;
    for (edge, nodes) in topology.edge_nodes.iter().enumerate() {
        let [a, b] = nodes.map(|n| crate::rod::kinematics::position(dq, topology.node_dof[n]));
        worst = worst
            .max((b - a).length() / (MAX_EDGE_CHANGE * ws.evaluation.kinematics.edges[edge].length))
            .max(a.length() / farthest)
            .max(dq[topology.edge_dof[edge]].abs() / MAX_ANGLE);
    }
    if worst > 1.0 {
        let shorter: Vec<f64> = dq.iter().map(|d| d / worst).collect();
        ws.contact.max_step(problem.model, y, &shorter, 1.0 / worst) / worst
    } else {
        ws.contact.max_step(problem.model, y, dq, 1.0)
    }
}

/// What was taken of a correction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken {
    /// The accepted fraction.
    pub alpha: f64,
    /// The natural norm there, in radii, where the search looked at it.
    pub natural: Option<f64>,
}

/// Moves the iterate along the correction by an accepted fraction; it is evaluated there. Where none is accepted the
/// iterate stays, and what is evaluated is some trial.
pub(super) fn search(
    problem: &Problem,
    settings: &StepSettings,
    iterate: &mut Iterate,
    direction: (&[f64], Option<&[f64]>),
    longest: f64,
    ws: &mut Workspace,
) -> Result<Taken, StepError> {
    let merit = Merit::choose(problem, settings, iterate, ws)?;
    let start = merit.value(problem, ws)?;
    let slope = match merit {
        Merit::Potential { .. } => ws
            .evaluation
            .residual
            .iter()
            .zip(direction.0)
            .map(|(g, d)| g * d)
            .sum(),
        _ => -2.0 * start,
    };
    let from = iterate.clone();
    let mut failure = None;
    let mut last = 0.0;
    let mut trial = |alpha: f64| {
        last = alpha;
        iterate.advance(problem, &from, alpha, direction);
        evaluate(problem, iterate, ws)
            .and_then(|()| merit.value(problem, ws))
            .unwrap_or_else(|error| {
                failure = Some(error);
                f64::NAN
            })
    };
    match merit.decrease(&mut trial, start, slope, longest, settings) {
        Ok(step) if step.value.is_finite() => {
            if step.alpha != last {
                iterate.advance(problem, &from, step.alpha, direction);
                evaluate(problem, iterate, ws)?;
            }
            Ok(Taken {
                alpha: step.alpha,
                natural: matches!(merit, Merit::Natural).then_some(step.value),
            })
        }
        _ => {
            *iterate = from;
            Err(failure.unwrap_or_else(|| {
                let correction = last * problem.size(direction.0);
                not_converged(problem, settings, (0, correction), ws)
            }))
        }
    }
}

/// What a line search decreases.
#[derive(Clone, Copy)]
enum Merit {
    /// Nothing: full steps.
    None,
    /// The incremental potential, J, known up to `rounding`.
    Potential { rounding: f64 },
    /// The norm of the simplified correction, in radii.
    Natural,
    /// Half the squared residual.
    SquaredResidual,
}

impl Merit {
    fn choose(
        problem: &Problem,
        settings: &StepSettings,
        iterate: &Iterate,
        ws: &Workspace,
    ) -> Result<Self, StepError> {
        Ok(match (settings.line_search, ws.evaluation.potential) {
            (LineSearch::None, _) => Self::None,
            (LineSearch::Goldstein, _) => {
                // At rounding there is nothing left to decrease.
                let exact = StepSettings {
                    residual_tolerance: 0.0,
                    ..*settings
                };
                let (largest, rounding, _) = problem.imbalance(&exact, &ws.evaluation, true);
                if largest <= rounding {
                    Self::None
                } else {
                    Self::SquaredResidual
                }
            }
            (LineSearch::Automatic, Some(_)) if iterate.force.is_none() => Self::Potential {
                rounding: problem.potential_rounding(&iterate.y, &ws.evaluation),
            },
            (LineSearch::Automatic, _) => Self::Natural,
        })
    }

    /// The fraction of the correction, at most `longest`, at which it has decreased enough; `start` is its value and `slope` its
    /// derivative by the fraction where the correction begins.
    fn decrease(
        self,
        trial: &mut impl FnMut(f64) -> f64,
        start: f64,
        slope: f64,
        longest: f64,
        settings: &StepSettings,
    ) -> Result<Step, LineSearchError> {
        let slope = slope.min(-f64::MIN_POSITIVE);
        match self {
            Self::None => Ok(Step {
                alpha: longest,
                value: trial(longest),
                evaluations: 1,
            }),
            Self::Potential { rounding } => {
                let bounds = Armijo {
                    first_step: longest,
                    smallest_step: SHORTEST * longest,
                    rounding,
                    ..Armijo::default()
                };
                armijo(trial, start, slope, &bounds)
            }
            Self::Natural => {
                // Below the tolerance the norm is rounding.
                let rounding = start < settings.step_tolerance;
                let bounds = NaturalMonotonicity {
                    first_step: longest,
                    smallest_step: SHORTEST * longest,
                };
                natural_monotonicity(trial, if rounding { f64::MAX } else { start }, &bounds)
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
    fn value(self, problem: &Problem, ws: &mut Workspace) -> Result<f64, StepError> {
        Ok(match self {
            Self::None => 0.0,
            // Where friction comes into play within the line search there is nothing to compare with: the trial is taken.
            Self::Potential { .. } => ws.evaluation.potential.unwrap_or(f64::MIN),
            Self::Natural => natural_norm(problem, ws)?,
            Self::SquaredResidual => {
                0.5 * ws.evaluation.residual.iter().map(|g| g * g).sum::<f64>()
            }
        })
    }
}

/// Norm of `M^-1 (g, u + B F)` with the factor at hand, in radii.
pub(super) fn natural_norm(problem: &Problem, ws: &mut Workspace) -> Result<f64, StepError> {
    let mut dq = ws.evaluation.residual.clone();
    if ws.coupled {
        let mut df = ws.slip.clone();
        ws.drag.precondition(
            problem.model,
            &mut ws.system,
            problem.stage.rate,
            &mut dq,
            &mut df,
        )?;
    } else {
        ws.system.solve_unchecked(&mut dq)?;
    }
    Ok(problem.norm(&dq))
}
