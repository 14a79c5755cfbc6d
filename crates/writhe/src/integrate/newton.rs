//! Newton's method for one step: assemble, solve, limit, line search, converged.

use super::barrier::prescribed_motion;
use super::error::{Place, StepError};
use super::phases::Phase;
use super::problem::Problem;
use super::search::{Taken, longest_step, natural_norm, search};
use super::settings::{LineSearch, StepSettings};
use super::style::{Manner, NewtonStyle};
use super::system::System;
use super::workspace::Workspace;
use crate::contact::pair::HessianPart;
use crate::solve::SolveError;

/// Newton stops early when the simplified next correction (with the old factor) is below this fraction of the tolerance: the
/// factor's local drag underestimates a correction by at most about 12 times.
const NEXT_CORRECTION: f64 = 0.05;

/// Factor by which a shift of the matrix grows until it helps.
const SHIFT_GROWTH: f64 = 8.0;
/// A matrix shifted by so many mass matrices is one.
const LARGEST_SHIFT: f64 = 1e16;

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

/// The trial: stage y and, with a non-local fluid, the force F on every node; and how far obstacles have come.
#[derive(Clone)]
pub(super) struct Iterate {
    pub y: Vec<f64>,
    pub force: Option<Vec<f64>>,
    /// Part of the time to the stage up to which obstacles have moved, in [0, 1].
    pub progress: f64,
}

impl Iterate {
    /// Places the iterate at `from + alpha direction`; obstacles go on by `alpha` of what is left of their way.
    pub(super) fn advance(
        &mut self,
        problem: &Problem,
        from: &Self,
        alpha: f64,
        (dq, df): (&[f64], Option<&[f64]>),
    ) {
        shift(&mut self.y, &from.y, alpha, dq);
        problem.follow(&mut self.y);
        if let (Some(force), Some(start), Some(df)) = (&mut self.force, &from.force, df) {
            shift(force, start, alpha, df);
        }
        self.progress = from.progress + alpha * (1.0 - from.progress);
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
    let mut size = f64::INFINITY;
    evaluate(problem, iterate, ws)?;
    let style = NewtonStyle::choose(problem.model, settings.line_search);
    let mut taken = None;
    for n in 0..settings.max_iterations {
        let manner = style.manner(n);
        // While prescribed unknowns and obstacles are on their way there is nothing that must decrease.
        let lift = remaining_motion(problem, iterate);
        let searched = StepSettings {
            line_search: match lift {
                None => manner.line_search,
                Some(_) => LineSearch::None,
            },
            ..*settings
        };
        ws.system.prescribe(lift.as_deref());
        ws.contact.steer(problem.model, taken);
        let falls = descends(&searched, iterate, ws);
        let (Taken { alpha, natural }, dq) =
            match improve(problem, &searched, iterate, manner, ws, &mut report) {
                Err(StepError::NotConverged { .. }) if falls => {
                    search_closer(problem, &searched, iterate, manner.damping, ws, &mut report)?
                }
                // Only the derivative itself surely leads down.
                Err(StepError::NotConverged { .. }) if ws.contact.let_go() => {
                    evaluate(problem, iterate, ws)?;
                    improve(problem, &searched, iterate, manner, ws, &mut report)?
                }
                found => found?,
            };
        taken = Some(alpha);
        if alpha < 1.0 {
            report.shortened += 1;
        } else if lift.is_some() {
            arrive(problem, iterate, ws)?;
        }
        // Damping by rule says nothing about how near the solution is.
        size = alpha / manner.damping * problem.size(&dq);
        if !size.is_finite() {
            return Err(StepError::NotFinite {
                what: "Newton correction",
                place: Place::of(
                    &problem.model.topology,
                    dq.iter().position(|v| !v.is_finite()).unwrap_or(0),
                ),
            });
        }
        if lift.is_some() {
            continue;
        }
        // A correction was solved for and was small: what is left may be rounding. One that is only foreseen may leave none.
        let solved =
            size < settings.step_tolerance && balanced(problem, settings, iterate, ws, true);
        if solved
            || (foreseen(problem, settings, natural, ws)?
                && balanced(problem, settings, iterate, ws, false))
        {
            return Ok(report);
        }
    }
    Err(not_converged(
        problem,
        settings,
        (report.iterations, size),
        ws,
    ))
}

/// Solves for a correction and goes along it; returns what was taken, and the correction.
fn improve(
    problem: &Problem,
    settings: &StepSettings,
    iterate: &mut Iterate,
    manner: Manner,
    ws: &mut Workspace,
    report: &mut NewtonReport,
) -> Result<(Taken, Vec<f64>), StepError> {
    let part = manner.contact.then_some(HessianPart::Exact);
    assemble(problem, &iterate.y, part, ws)?;
    let (dq, df) = correction(problem, settings, iterate, ws, report)?;
    report.iterations += 1;
    let longest = longest_step(problem, &iterate.y, ws, &dq).min(manner.damping);
    let direction = (&dq[..], df.as_deref());
    let taken = search(problem, settings, iterate, direction, longest, ws)
        .map_err(|error| error.after(report.iterations))?;
    Ok((taken, dq))
}

/// Evaluates residual, potential and the drag equation at the iterate.
pub(super) fn evaluate(
    problem: &Problem,
    iterate: &Iterate,
    ws: &mut Workspace,
) -> Result<(), StepError> {
    ws.check_poll()?;
    let clock = ws.phases.start();
    ws.contact.move_obstacles(problem.model, iterate.progress);
    let lagged = ws.lagged_drag.as_ref().map(|drag| &drag.force[..]);
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

/// Assembles and factorises the matrix at the iterate last evaluated, with what is wanted of the derivatives of contact forces.
pub(super) fn assemble(
    problem: &Problem,
    y: &[f64],
    contact: Option<HessianPart>,
    ws: &mut Workspace,
) -> Result<(), StepError> {
    let model = problem.model;
    let fixed = model.constraints.fixed();
    let clock = ws.phases.start();
    let storage = System::choose(model, contact.is_some() && ws.contact.couples());
    ws.system.begin(model, storage, &ws.contact, y)?;
    let mut sink = ws.system.sink(fixed);
    let contact = contact.map(|part| (&ws.contact, part));
    problem.add_stiffness(y, &mut ws.evaluation, contact, &mut sink);
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
pub(super) fn correction(
    problem: &Problem,
    settings: &StepSettings,
    iterate: &Iterate,
    ws: &mut Workspace,
    report: &mut NewtonReport,
) -> Result<(Vec<f64>, Option<Vec<f64>>), StepError> {
    let clock = ws.phases.start();
    let mut rhs: Vec<f64> = ws.evaluation.residual.iter().map(|g| -g).collect();
    ws.system.lift(&mut rhs);
    if iterate.progress < 1.0 {
        push(problem, iterate, ws, &mut rhs);
    }
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
    } else {
        let mut dq = rhs.clone();
        ws.system.solve(&mut dq)?;
        (dq, None)
    };
    let descent = descends(settings, iterate, ws);
    let mut outcome = if descent {
        let dq = descend(problem, &iterate.y, ws, &rhs, outcome.0, report)?;
        (dq, None)
    } else {
        outcome
    };
    let bodies = &ws.evaluation.bodies.reduction;
    bodies.expand(&problem.model.topology, &mut outcome.0);
    ws.phases.stop(Phase::Solve, clock);
    Ok(outcome)
}

/// Makes the correction descend where the Hessian is not positive definite: first leaves out the negative part of contact, then
/// shifts the matrix towards the mass matrix.
fn descend(
    problem: &Problem,
    y: &[f64],
    ws: &mut Workspace,
    rhs: &[f64],
    dq: Vec<f64>,
    report: &mut NewtonReport,
) -> Result<Vec<f64>, StepError> {
    let slope = |dq: &[f64]| -> f64 { rhs.iter().zip(dq).map(|(r, d)| -r * d).sum() };
    let mut dq = dq;
    if slope(&dq) > 0.0 && ws.contact.couples() {
        assemble(problem, y, Some(HessianPart::Projected), ws)?;
        dq.copy_from_slice(rhs);
        ws.system.solve(&mut dq)?;
        report.iterations += 1;
    }
    let mut shift = 1.0;
    let weight = inertia(problem);
    while slope(&dq) > 0.0 {
        if shift > LARGEST_SHIFT {
            return Err(SolveError::NotFactored.into());
        }
        ws.check_poll()?;
        ws.system.factor_shifted(shift, &weight)?;
        dq.copy_from_slice(rhs);
        ws.system.solve_unchecked(&mut dq)?;
        report.iterations += 1;
        shift *= SHIFT_GROWTH;
    }
    Ok(dq)
}

/// Whether a correction descends: all forces have a potential, and the line search looks at it.
fn descends(settings: &StepSettings, iterate: &Iterate, ws: &Workspace) -> bool {
    ws.evaluation.potential.is_some()
        && iterate.force.is_none()
        && settings.line_search == LineSearch::Automatic
}

/// Takes another correction where nothing along Newton's was accepted: its matrix, where nearly singular, promises a decrease
/// far beyond where it holds. Shifted towards the mass matrix, corrections become short and follow the gradient. Returns what was
/// taken, and the correction.
fn search_closer(
    problem: &Problem,
    settings: &StepSettings,
    iterate: &mut Iterate,
    damping: f64,
    ws: &mut Workspace,
    report: &mut NewtonReport,
) -> Result<(Taken, Vec<f64>), StepError> {
    let weight = inertia(problem);
    let mut shift = 1.0;
    loop {
        evaluate(problem, iterate, ws)?;
        let mut dq: Vec<f64> = ws.evaluation.residual.iter().map(|g| -g).collect();
        ws.system.factor_shifted(shift, &weight)?;
        ws.system.solve_unchecked(&mut dq)?;
        report.iterations += 1;
        let bodies = &ws.evaluation.bodies.reduction;
        bodies.expand(&problem.model.topology, &mut dq);
        let longest = longest_step(problem, &iterate.y, ws, &dq).min(damping);
        match search(problem, settings, iterate, (&dq, None), longest, ws) {
            Err(StepError::NotConverged { .. }) if shift < LARGEST_SHIFT => {}
            found => {
                let taken = found.map_err(|error| error.after(report.iterations))?;
                return Ok((taken, dq));
            }
        }
        shift *= SHIFT_GROWTH;
    }
}

/// Diagonal of the mass matrix as it stands in the stiffness, zero at prescribed unknowns.
pub(super) fn inertia(problem: &Problem) -> Vec<f64> {
    let fixed = problem.model.constraints.fixed();
    let rate_sq = problem.stage.rate.powi(2);
    let masses = problem.model.mass.iter().zip(fixed);
    let mut weight: Vec<f64> = masses
        .map(|(m, fixed)| if *fixed { 0.0 } else { m * rate_sq })
        .collect();
    let bodies = problem.model.bodies.list.iter();
    for (assembly, dof) in bodies.zip(&problem.model.topology.body_dof) {
        for dof in (dof + 3..dof + 6).filter(|dof| !fixed[*dof]) {
            weight[dof] = assembly.mass * problem.model.lever[dof].powi(2) * rate_sq;
        }
    }
    weight
}

/// What prescribed unknowns have still to go, if they or obstacles have not arrived.
fn remaining_motion(problem: &Problem, iterate: &Iterate) -> Option<Vec<f64>> {
    let motion = prescribed_motion(problem.model, &iterate.y, problem.target);
    (iterate.progress < 1.0 || motion.iter().any(|d| *d != 0.0)).then_some(motion)
}

/// Adds to a right-hand side what the way that obstacles have still to go asks of the rods that they touch.
fn push(problem: &Problem, iterate: &Iterate, ws: &Workspace, rhs: &mut [f64]) {
    let model = problem.model;
    let mut push = vec![0.0; rhs.len()];
    let at = problem.trial(&iterate.y, &ws.evaluation);
    ws.contact.obstacles().push(model, &at, &mut push);
    let bodies = &ws.evaluation.bodies.reduction;
    bodies.reduce(&model.topology, &mut push);
    for ((r, p), fixed) in rhs.iter_mut().zip(&push).zip(model.constraints.fixed()) {
        *r += if *fixed { 0.0 } else { *p };
    }
}

/// Puts prescribed unknowns and obstacles where they belong to the last bit, after a whole correction.
fn arrive(problem: &Problem, iterate: &mut Iterate, ws: &mut Workspace) -> Result<(), StepError> {
    let fixed = problem.model.constraints.fixed().iter();
    for ((y, target), fixed) in iterate.y.iter_mut().zip(problem.target).zip(fixed) {
        if *fixed {
            *y = *target;
        }
    }
    problem.follow(&mut iterate.y);
    iterate.progress = 1.0;
    evaluate(problem, iterate, ws)
}

pub(super) fn not_converged(
    problem: &Problem,
    settings: &StepSettings,
    (iterations, correction): (u32, f64),
    ws: &Workspace,
) -> StepError {
    let (residual, wanted, dof) = problem.imbalance(settings, &ws.evaluation, true);
    StepError::NotConverged {
        iterations,
        time: problem.start.time,
        dt: problem.stage.dt(),
        correction,
        residual,
        wanted,
        place: Place::of(&problem.model.topology, dof),
    }
}

/// Whether the simplified next correction is small enough to do without; `natural` is its size where that is known.
pub(super) fn foreseen(
    problem: &Problem,
    settings: &StepSettings,
    natural: Option<f64>,
    ws: &mut Workspace,
) -> Result<bool, StepError> {
    let natural = natural.map_or_else(|| natural_norm(problem, ws), Ok)?;
    Ok(natural < NEXT_CORRECTION * settings.step_tolerance)
}

/// Whether forces balance, up to rounding if that counts, and, with a fluid, nodes move with it.
pub(super) fn balanced(
    problem: &Problem,
    settings: &StepSettings,
    iterate: &Iterate,
    ws: &Workspace,
    rounding: bool,
) -> bool {
    let (residual, allowed, _) = problem.imbalance(settings, &ws.evaluation, rounding);
    if residual > allowed {
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

fn shift(out: &mut [f64], from: &[f64], alpha: f64, by: &[f64]) {
    for ((out, from), by) in out.iter_mut().zip(from).zip(by) {
        *out = from + alpha * by;
    }
}
