//! Newton's method for one step: assemble, solve, limit, line search, converged.

use super::error::{Place, StepError};
use super::phases::Phase;
use super::problem::{Evaluation, Problem};
use super::settings::{LineSearch, StepSettings};
use super::step::Workspace;
use super::system::System;
use crate::solve::SolveError;
use crate::solve::line_search::{
    Armijo, GoldsteinPrice, NaturalMonotonicity, Step, armijo, goldstein_price,
    natural_monotonicity,
};

/// Newton stops early when the simplified next correction (with the old factor) is below this fraction of the tolerance: the
/// factor's local drag underestimates a correction by at most about 12 times.
const NEXT_CORRECTION: f64 = 0.05;
/// Shortest step that the line search tries.
const SHORTEST: f64 = 1e-4;
/// Largest turn of an edge angle in one correction, rad.
const MAX_ANGLE: f64 = 1.0;
/// Largest change of an edge vector in one correction, relative to its length.
const MAX_EDGE_CHANGE: f64 = 0.5;

/// What Newton's method did.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NewtonReport {
    /// Linear solves.
    pub iterations: u32,
    /// Products with the non-local drag.
    pub krylov_iterations: usize,
    /// Corrections that were shortened.
    pub shortened: u32,
}

/// The trial: stage y and, with a non-local fluid, the force F on every node.
#[derive(Clone)]
pub(super) struct Iterate {
    pub y: Vec<f64>,
    pub force: Option<Vec<f64>>,
}

impl Iterate {
    /// Places the iterate at `from + alpha direction`.
    fn advance(&mut self, from: &Self, alpha: f64, (dq, df): (&[f64], Option<&[f64]>)) {
        shift(&mut self.y, &from.y, alpha, dq);
        if let (Some(force), Some(start), Some(df)) = (&mut self.force, &from.force, df) {
            shift(force, start, alpha, df);
        }
    }
}

/// Solves `g(y) = 0`, and `u(y) + B F = 0` with a non-local fluid, starting from `iterate`.
pub(super) fn solve(
    problem: &Problem,
    settings: &StepSettings,
    iterate: &mut Iterate,
    ws: &mut Workspace,
) -> Result<NewtonReport, StepError> {
    let mut report = NewtonReport::default();
    evaluate(problem, iterate, ws)?;
    for _ in 0..settings.max_iterations {
        assemble(problem, &iterate.y, ws)?;
        let (dq, df) = correction(problem, settings, iterate, ws, &mut report)?;
        report.iterations += 1;
        let longest = longest_step(problem, ws, &dq);
        let alpha = search(
            problem,
            settings,
            iterate,
            (&dq, df.as_deref()),
            longest,
            ws,
        )?;
        if alpha < 1.0 {
            report.shortened += 1;
        }
        let size = alpha * problem.size(&dq);
        if !size.is_finite() {
            return Err(StepError::NotFinite {
                what: "Newton correction",
                place: Place::of(
                    &problem.model.topology,
                    dq.iter().position(|v| !v.is_finite()).unwrap_or(0),
                ),
            });
        }
        let settled = size < settings.step_tolerance
            || natural_norm(problem, ws)? < NEXT_CORRECTION * settings.step_tolerance;
        if settled && balanced(problem, settings, iterate, ws) {
            return Ok(report);
        }
    }
    Err(not_converged(
        problem,
        settings,
        &iterate.y,
        report.iterations,
        ws,
    ))
}

/// Evaluates residual, potential and the drag equation at the iterate.
fn evaluate(problem: &Problem, iterate: &Iterate, ws: &mut Workspace) -> Result<(), StepError> {
    let clock = ws.phases.start();
    let lagged = ws.lagged_drag.as_deref();
    let drag = iterate.force.as_deref().or(lagged);
    problem.evaluate(&iterate.y, drag, &mut ws.contact, &mut ws.evaluation)?;
    ws.phases.stop(Phase::Forces, clock);
    if let Some(force) = &iterate.force {
        let clock = ws.phases.start();
        ws.slip.resize(force.len(), 0.0);
        ws.drag.velocity(force, &mut ws.slip)?;
        let velocity = &ws.evaluation.velocity;
        for (slip, dof) in ws
            .slip
            .chunks_exact_mut(3)
            .zip(&problem.model.topology.node_dof)
        {
            for k in 0..3 {
                slip[k] += velocity[dof + k];
            }
        }
        ws.phases.stop(Phase::Drag, clock);
    }
    Ok(())
}

/// Assembles and factorises the matrix at the iterate last evaluated.
fn assemble(problem: &Problem, y: &[f64], ws: &mut Workspace) -> Result<(), StepError> {
    let model = problem.model;
    let fixed = model.constraints.fixed();
    let clock = ws.phases.start();
    let storage = System::choose(model, !ws.contact.active().is_empty());
    ws.system.begin(model, storage, ws.contact.candidates())?;
    let mut sink = ws.system.sink(fixed);
    problem.add_stiffness(y, &mut ws.evaluation, &ws.contact, &mut sink);
    if ws.coupled {
        ws.drag.add_resistance(model, problem.stage.rate, &mut sink);
    }
    ws.phases.stop(Phase::Assembly, clock);
    let clock = ws.phases.start();
    ws.system.factor(fixed)?;
    ws.phases.stop(Phase::Solve, clock);
    Ok(())
}

/// Newton's correction (dq, dF); when all forces have a potential it is a direction of descent.
fn correction(
    problem: &Problem,
    settings: &StepSettings,
    iterate: &Iterate,
    ws: &mut Workspace,
    report: &mut NewtonReport,
) -> Result<(Vec<f64>, Option<Vec<f64>>), StepError> {
    let clock = ws.phases.start();
    let rhs: Vec<f64> = ws.evaluation.residual.iter().map(|g| -g).collect();
    let outcome = if iterate.force.is_some() {
        let v: Vec<f64> = ws.slip.iter().map(|s| -s).collect();
        let c = ws.drag.solve(
            problem.model,
            &mut ws.system,
            problem.stage.rate,
            &rhs,
            &v,
            &mut ws.krylov,
        )?;
        report.krylov_iterations += c.krylov_iterations;
        (c.dq, Some(c.df))
    } else if ws.system.has_general() {
        let (dq, iterations) = ws.system.solve_with_general(&rhs, &mut ws.krylov)?;
        report.krylov_iterations += iterations;
        (dq, None)
    } else {
        let mut dq = rhs.clone();
        ws.system.solve(&mut dq)?;
        (dq, None)
    };
    let descent =
        ws.evaluation.potential.is_some() && settings.line_search == LineSearch::Automatic;
    let outcome = if descent && outcome.1.is_none() {
        (descend(problem, ws, &rhs, outcome.0)?, None)
    } else {
        outcome
    };
    ws.phases.stop(Phase::Solve, clock);
    Ok(outcome)
}

/// Shifts the matrix towards the mass matrix until the correction descends: where the Hessian is not positive definite.
fn descend(
    problem: &Problem,
    ws: &mut Workspace,
    rhs: &[f64],
    dq: Vec<f64>,
) -> Result<Vec<f64>, StepError> {
    let slope = |dq: &[f64]| -> f64 { rhs.iter().zip(dq).map(|(r, d)| -r * d).sum() };
    let mut dq = dq;
    let mut shift = 1.0;
    let weight: Vec<f64> = problem
        .model
        .mass
        .iter()
        .zip(problem.model.constraints.fixed())
        .map(|(m, fixed)| {
            if *fixed {
                0.0
            } else {
                m * problem.stage.rate.powi(2)
            }
        })
        .collect();
    while slope(&dq) > 0.0 {
        if shift > 1e16 {
            return Err(SolveError::NotFactored.into());
        }
        ws.system.factor_shifted(shift, &weight)?;
        dq.copy_from_slice(rhs);
        ws.system.solve_unchecked(&mut dq)?;
        shift *= 8.0;
    }
    Ok(dq)
}

/// Largest step that keeps edges from turning over and angles from running away within one correction.
fn longest_step(problem: &Problem, ws: &Workspace, dq: &[f64]) -> f64 {
    let topology = &problem.model.topology;
    let mut worst = 0.0_f64;
    for (edge, nodes) in topology.edge_nodes.iter().enumerate() {
        let [a, b] = nodes.map(|n| crate::rod::kinematics::position(dq, topology.node_dof[n]));
        worst = worst
            .max((b - a).length() / (MAX_EDGE_CHANGE * ws.evaluation.kinematics.edges[edge].length))
            .max(dq[topology.edge_dof[edge]].abs() / MAX_ANGLE);
    }
    if worst > 1.0 { 1.0 / worst } else { 1.0 }
}

/// Moves the iterate along the correction by an accepted fraction, which is returned; it is evaluated there.
fn search(
    problem: &Problem,
    settings: &StepSettings,
    iterate: &mut Iterate,
    direction: (&[f64], Option<&[f64]>),
    longest: f64,
    ws: &mut Workspace,
) -> Result<f64, StepError> {
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
        iterate.advance(&from, alpha, direction);
        evaluate(problem, iterate, ws)
            .and_then(|()| merit.value(problem, ws))
            .unwrap_or_else(|error| {
                failure = Some(error);
                f64::NAN
            })
    };
    let outcome = match merit {
        Merit::None => {
            let value = trial(longest);
            Ok(Step {
                alpha: longest,
                value,
                evaluations: 1,
            })
        }
        Merit::Potential { rounding } => armijo(
            &mut trial,
            start,
            slope.min(-f64::MIN_POSITIVE),
            &Armijo {
                first_step: longest,
                smallest_step: SHORTEST * longest,
                rounding: rounding / start.abs().max(f64::MIN_POSITIVE),
                ..Armijo::default()
            },
        ),
        // Below the tolerance the norm is rounding.
        Merit::Natural => natural_monotonicity(
            &mut trial,
            if start < settings.step_tolerance {
                f64::MAX
            } else {
                start
            },
            &NaturalMonotonicity {
                first_step: longest,
                smallest_step: SHORTEST * longest,
            },
        ),
        Merit::SquaredResidual => goldstein_price(
            &mut trial,
            start,
            slope.min(-f64::MIN_POSITIVE),
            &GoldsteinPrice {
                longest_step: longest,
                ..GoldsteinPrice::default()
            },
        ),
    };
    match outcome {
        Ok(step) if step.value.is_finite() => {
            if step.alpha != last {
                iterate.advance(&from, step.alpha, direction);
                evaluate(problem, iterate, ws)?;
            }
            Ok(step.alpha)
        }
        _ => Err(failure.unwrap_or_else(|| not_converged(problem, settings, &from.y, 0, ws))),
    }
}

fn not_converged(
    problem: &Problem,
    settings: &StepSettings,
    y: &[f64],
    iterations: u32,
    ws: &Workspace,
) -> StepError {
    let (residual, dof) = problem.residual(&ws.evaluation.residual);
    StepError::NotConverged {
        iterations,
        time: problem.start.time,
        dt: problem.stage.dt(),
        residual,
        wanted: settings.residual_tolerance * ws.evaluation.force_scale + problem.rounding(y),
        place: Place::of(&problem.model.topology, dof),
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
                let (largest, _) = problem.residual(&ws.evaluation.residual);
                if largest <= problem.rounding(&iterate.y) {
                    Self::None
                } else {
                    Self::SquaredResidual
                }
            }
            (LineSearch::Automatic, Some(_)) if iterate.force.is_none() => Self::Potential {
                rounding: 1e-13 * ws.evaluation.potential_scale,
            },
            (LineSearch::Automatic, _) => Self::Natural,
        })
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
fn natural_norm(problem: &Problem, ws: &mut Workspace) -> Result<f64, StepError> {
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

fn shift(out: &mut [f64], from: &[f64], alpha: f64, by: &[f64]) {
    for ((out, from), by) in out.iter_mut().zip(from).zip(by) {
        *out = from + alpha * by;
    }
}

/// Whether forces balance and, with a fluid, nodes move with it.
fn balanced(problem: &Problem, settings: &StepSettings, iterate: &Iterate, ws: &Workspace) -> bool {
    let Evaluation {
        residual,
        force_scale,
        ..
    } = &ws.evaluation;
    let (largest, _) = problem.residual(residual);
    if largest > settings.residual_tolerance * force_scale + problem.rounding(&iterate.y) {
        return false;
    }
    let largest =
        |values: &mut dyn Iterator<Item = &f64>| values.fold(0.0_f64, |a, v| a.max(v.abs()));
    if iterate.force.is_none() {
        return true;
    }
    let nodes = problem.model.topology.node_dof.iter();
    let speed = largest(&mut nodes.flat_map(|dof| &ws.evaluation.velocity[*dof..dof + 3]));
    let floor = 8.0
        * f64::EPSILON
        * problem.stage.rate
        * iterate.y.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
    largest(&mut ws.slip.iter()) <= settings.residual_tolerance * speed + floor
}
