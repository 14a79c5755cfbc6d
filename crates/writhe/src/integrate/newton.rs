//! Newton's method for one step: assemble, solve, limit, line search, converged.

use super::error::{Place, StepError};
use super::problem::{Evaluation, Problem};
use super::settings::{LineSearch, StepSettings};
use super::step::{Phase, Workspace};
use super::system::System;
use crate::solve::SolveError;

/// Fraction of the predicted decrease of the potential that a step must bring.
const SUFFICIENT_DECREASE: f64 = 1e-4;
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
pub(super) struct Iterate {
    pub y: Vec<f64>,
    pub force: Option<Vec<f64>>,
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
        let longest = longest_step(problem, ws, &iterate.y, &dq);
        let alpha = search(problem, settings, iterate, &dq, df.as_deref(), longest, ws)?;
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
        if size < settings.step_tolerance && balanced(problem, settings, iterate, ws) {
            return Ok(report);
        }
    }
    let (residual, dof) = problem.residual(&ws.evaluation.residual);
    Err(StepError::NotConverged {
        iterations: report.iterations,
        time: problem.start.time,
        dt: problem.stage.dt(),
        residual,
        wanted: settings.residual_tolerance * ws.evaluation.force_scale
            + problem.rounding(&iterate.y),
        place: Place::of(&problem.model.topology, dof),
    })
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
        let c = ws
            .drag
            .solve(problem.model, &mut ws.system, problem.stage.rate, &rhs, &v)?;
        report.krylov_iterations += c.krylov_iterations;
        (c.dq, Some(c.df))
    } else if ws.system.has_general() {
        let (dq, iterations) = ws.drag.solve_general(&mut ws.system, &rhs)?;
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
fn longest_step(problem: &Problem, ws: &Workspace, _y: &[f64], dq: &[f64]) -> f64 {
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

/// Moves the iterate along the correction by an accepted fraction, which is returned; evaluates it there.
fn search(
    problem: &Problem,
    settings: &StepSettings,
    iterate: &mut Iterate,
    dq: &[f64],
    df: Option<&[f64]>,
    longest: f64,
    ws: &mut Workspace,
) -> Result<f64, StepError> {
    let from = Iterate {
        y: iterate.y.clone(),
        force: iterate.force.clone(),
    };
    let accept = Acceptance::at(problem, settings, iterate, dq, ws)?;
    let mut alpha = longest;
    loop {
        shift(&mut iterate.y, &from.y, alpha, dq);
        if let (Some(force), Some(start), Some(df)) = (&mut iterate.force, &from.force, df) {
            shift(force, start, alpha, df);
        }
        let outcome = evaluate(problem, iterate, ws);
        let accepted = match &outcome {
            Ok(()) => accept.accepts(problem, settings, alpha, ws)?,
            Err(_) => false,
        };
        if accepted {
            return Ok(alpha);
        }
        alpha *= 0.5;
        if alpha < SHORTEST * longest {
            outcome?;
            let (residual, dof) = problem.residual(&ws.evaluation.residual);
            return Err(StepError::NotConverged {
                iterations: 0,
                time: problem.start.time,
                dt: problem.stage.dt(),
                residual,
                wanted: settings.residual_tolerance * ws.evaluation.force_scale,
                place: Place::of(&problem.model.topology, dof),
            });
        }
    }
}

/// What a line search asks of a trial.
enum Acceptance {
    /// Any evaluable trial.
    Any,
    /// Decrease of the potential: value, slope, rounding, J.
    Potential(f64, f64, f64),
    /// Natural monotonicity: norm of the simplified correction at the start, in radii.
    Natural(f64),
    /// Goldstein-Price on half the squared residual; `value = -slope / 2`.
    Goldstein(f64),
}

impl Acceptance {
    fn at(
        problem: &Problem,
        settings: &StepSettings,
        iterate: &Iterate,
        dq: &[f64],
        ws: &mut Workspace,
    ) -> Result<Self, StepError> {
        let evaluation = &ws.evaluation;
        Ok(match (settings.line_search, evaluation.potential) {
            (LineSearch::None, _) => Self::Any,
            (LineSearch::Goldstein, _) => {
                Self::Goldstein(evaluation.residual.iter().map(|g| g * g).sum())
            }
            (LineSearch::Automatic, Some(potential)) if iterate.force.is_none() => {
                let slope = evaluation.residual.iter().zip(dq).map(|(g, d)| g * d).sum();
                let rounding = 1e-13 * evaluation.potential_scale + rounding(problem, &iterate.y);
                Self::Potential(potential, slope, rounding)
            }
            _ => Self::Natural(natural_norm(problem, ws)?),
        })
    }

    fn accepts(
        &self,
        problem: &Problem,
        settings: &StepSettings,
        alpha: f64,
        ws: &mut Workspace,
    ) -> Result<bool, StepError> {
        Ok(match self {
            Self::Any => true,
            Self::Potential(start, slope, rounding) => match ws.evaluation.potential {
                Some(value) => value <= start + SUFFICIENT_DECREASE * alpha * slope + rounding,
                // Friction came into play: there is nothing to compare with.
                None => true,
            },
            Self::Natural(start) => {
                // Below the tolerance the norm is rounding.
                *start < settings.step_tolerance
                    || natural_norm(problem, ws)? <= (1.0 - 0.25 * alpha) * start
            }
            // T22a Algorithm 2 asks for 0.9 |d0| >= decrease >= 0.1 |d0| per alpha; a decrease beyond the upper bound only asks for
            // a longer step, which a full Newton step is not.
            Self::Goldstein(start) => {
                let value: f64 = ws.evaluation.residual.iter().map(|g| g * g).sum();
                0.5 * (value - start) <= -0.1 * alpha * start
                    || value <= 1e-24 * ws.evaluation.force_scale.powi(2)
            }
        })
    }
}

/// Potential that rounding of the coordinates alone can leave, J: that of a rod at rest, whose energies sum to nothing.
fn rounding(problem: &Problem, y: &[f64]) -> f64 {
    let reach = y.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    let edges = problem.model.topology.edges() as f64;
    edges * problem.rounding(y) * f64::EPSILON * reach
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
