//! Newton's method for one step: assemble, solve, limit, line search, converged.

use super::barrier::prescribed_motion;
use super::control::EASY_ITERATIONS;
use super::correction::{Correction, Matrix, NEXT_CORRECTION, must_descend};
use super::drag::ForceAndFlow;
use super::error::{Location, NotConverged, StepError};
use super::guess::{self, Guess};
use super::hardening::Change;
use super::pool::Pool;
use super::problem::Problem;
use super::recovery::restart;
use super::relaxation;
use super::residual::Residual;
use super::search::{Taken, Way, search};
use super::settings::{LineSearch, StepSettings};
use super::simplified;
use super::smoothing::{Next, Smoothing};
use super::style::{Iteration, NewtonStyle};
use crate::contact::pair::HessianPart;

/// Part of the foreseen next correction that a flow may be off by: beyond it Newton's method would
/// converge to the solution of a rough mobility.
const ROUGH_SHARE: f64 = 0.1;
/// Part of the tolerance that it may be off by at the end.
const UNSEEN: f64 = 1e-3;

/// What Newton's method did.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NewtonReport {
    /// Linear solves, each with a matrix of its own.
    pub iterations: u32,
    /// Corrections beside them, with the matrix at hand.
    pub simplified: u32,
    /// Products with the non-local drag.
    pub krylov_iterations: usize,
    /// Corrections that were shortened.
    pub shortened: u32,
    /// Linear solves until contacts of parallel edges were spread, 0 without.
    pub before_spreading: u32,
    /// What became of the stiffness of contact, if it was raised on the way.
    pub change: Option<Change>,
}

impl NewtonReport {
    /// Adds what another solve did.
    pub fn add(&mut self, other: &Self) {
        self.iterations += other.iterations;
        self.simplified += other.simplified;
        self.krylov_iterations += other.krylov_iterations;
        self.shortened += other.shortened;
        self.before_spreading += other.before_spreading;
        self.change = other.change.or(self.change);
    }
}

/// The trial: stage y and, with a fluid whose force is solved for, that force on every node; and
/// how far obstacles have come.
#[derive(Clone)]
pub(super) struct Iterate {
    /// Unknowns, `(dofs)`.
    pub y: Vec<f64>,
    /// Of the fluid.
    pub drag: Option<ForceAndFlow>,
    /// Part of the time to the stage up to which obstacles have moved, in [0, 1].
    pub progress: f64,
}

impl Iterate {
    /// The same, in vectors of the pool.
    pub(super) fn copied(&self, pool: &mut Pool) -> Self {
        Self {
            y: pool.copy(&self.y),
            drag: self.drag.as_ref().map(|drag| ForceAndFlow {
                force: pool.copy(&drag.force),
                flow: pool.copy(&drag.flow),
                changed: drag.changed,
            }),
            progress: self.progress,
        }
    }

    /// Gives its vectors to the pool.
    pub(super) fn give_back(self, pool: &mut Pool) {
        pool.give_back(self.y);
        if let Some(drag) = self.drag {
            pool.give_back(drag.force);
            pool.give_back(drag.flow);
        }
    }

    /// Places the iterate at `from + alpha correction`; obstacles go on by `alpha` of what is left
    /// of their way.
    pub(super) fn move_along(
        &mut self,
        problem: &Problem,
        from: &Self,
        alpha: f64,
        Correction { dq, drag, .. }: &Correction,
    ) {
        // y + alpha dq and F + alpha dF; welded unknowns follow their bodies exactly.
        shift(&mut self.y, &from.y, alpha, dq);
        problem.follow(&mut self.y);
        if let (Some(drag), Some(from), Some(by)) = (&mut self.drag, &from.drag, drag) {
            drag.shift(from, alpha, by);
        }
        self.progress = from.progress + alpha * (1.0 - from.progress);
    }
}

/// Solves `g(y) = 0`, and `u(y) + B F = 0` with a fluid whose force is solved for, starting from
/// `iterate`.
pub(super) fn solve(
    residual: &mut Residual,
    settings: &StepSettings,
    iterate: &mut Iterate,
    matrix: &mut Matrix,
) -> Result<NewtonReport, StepError> {
    let mut report = NewtonReport::default();
    residual.evaluate(iterate)?;
    let mut guess = Guess::default();
    // There hardly a correction is taken whole before contacts are spread, and sweeps over contacts
    // one by one take longer than Newton's method (decision 0097).
    let along = residual.spread_where_rods_lie_along(iterate)?;
    if !along
        && remaining_motion(&residual.problem, iterate).is_none()
        && relaxation::applies(residual, settings, iterate)
    {
        let relaxed = relaxation::relax(residual, iterate, matrix)?;
        report.change = relaxed.change;
        if relaxed.moved {
            guess.keep();
        }
    }
    let mut smoothing = Smoothing::new(residual, settings, iterate, matrix);
    let solved = correct_until_converged(
        residual,
        settings,
        iterate,
        matrix,
        (&mut guess, &mut smoothing, &mut report),
    );
    smoothing.give_back(matrix);
    solved.map(|()| report)
}

/// Newton's iterations from the iterate, which is evaluated.
fn correct_until_converged(
    residual: &mut Residual,
    settings: &StepSettings,
    iterate: &mut Iterate,
    matrix: &mut Matrix,
    (guess, smoothing, report): (&mut Guess, &mut Smoothing, &mut NewtonReport),
) -> Result<(), StepError> {
    let problem = residual.problem;
    let style = NewtonStyle::choose(problem.model, settings.line_search);
    let (mut size, mut taken) = (f64::INFINITY, None);
    // Iterations so far, since friction was made smoother if it was.
    let mut n = 0;
    while n < settings.max_iterations {
        let mut iteration = style.iteration(n);
        // While prescribed unknowns and obstacles are on their way there is nothing that must
        // decrease.
        let lift = remaining_motion(&problem, iterate);
        let searched = StepSettings {
            line_search: match lift {
                None => smoothing.line_search(iteration.line_search),
                Some(_) => LineSearch::None,
            },
            ..*settings
        };
        matrix.system.prescribe(lift.as_deref());
        (residual.contact).update_directions(problem.model, &residual.at.contact, taken);
        let doubtful = n == 0 && lift.is_none() && guess.is_doubtful(residual, &searched);
        if doubtful {
            iteration.shortest = guess::LEAST_TAKEN;
        }

        // y <- y + alpha dq with dg/dy dq = -g; where that is of no use, by a recovery.
        let falls = must_descend(residual, &searched, iterate);
        let improved = improve(residual, &searched, iterate, iteration, matrix, report);
        if doubtful && matches!(improved, Err(StepError::NotConverged(_))) {
            guess.take_back(residual, iterate)?;
            smoothing.begin_at(iterate);
            continue;
        }
        let (Taken { alpha, natural }, dq) = match improved {
            Ok(found) => found,
            Err(error) => {
                let how = (iteration, falls);
                match restart(residual, &searched, iterate, how, matrix, report, error) {
                    Ok(found) => found,
                    Err(error @ StepError::NotConverged(_)) => {
                        // Nearest points of parallel edges may be why. The search left some trial
                        // evaluated.
                        residual.evaluate(iterate)?;
                        if !residual.spread_parallel_contacts(iterate)? {
                            return Err(error);
                        }
                        (report.before_spreading, taken) = (n, None);
                        continue;
                    }
                    Err(error) => return Err(error),
                }
            }
        };
        taken = Some(alpha);
        if alpha < 1.0 {
            report.shortened += 1;
        } else if lift.is_some() {
            complete_motion(residual, iterate)?;
        }

        // Damping by rule says nothing about how near the solution is.
        size = alpha / iteration.damping * problem.size(&dq);
        check_finite(&problem, size, &dq)?;
        matrix.keep(dq);
        n += 1;
        if lift.is_some() {
            continue;
        }
        let way = (n, alpha, size, natural.unwrap_or(0.0));
        match smoothing.after(residual, iterate, way, matrix)? {
            Next::Check => {}
            Next::GoOn => {
                taken = Some(alpha).filter(|_| !smoothing.changed());
                continue;
            }
            Next::Restart => {
                (n, taken) = (0, None);
                continue;
            }
        }
        // The method goes on from what it knows exactly, and ends with that.
        let known = natural.unwrap_or(size);
        let natural = match residual.confirm_flow(iterate, ROUGH_SHARE * known)? {
            true => None,
            false => natural,
        };
        if converged(residual, settings, iterate, (size, natural), matrix)?
            && (!residual.confirm_flow(iterate, UNSEEN * settings.step_tolerance)?
                || converged(residual, settings, iterate, (size, None), matrix)?)
        {
            return Ok(());
        }
        let whole = alpha == 1.0;
        if whole
            && iteration.simplified
            && simplified::correct(residual, settings, iterate, matrix, report)?
        {
            return Ok(());
        }
        // Nearest points of parallel edges may be what keeps the method from converging.
        let stalls = n.saturating_sub(report.before_spreading) >= EASY_ITERATIONS;
        if stalls && residual.spread_parallel_contacts(iterate)? {
            report.before_spreading = n;
        }
    }
    Err(not_converged(residual, settings, (report.iterations, size)))
}

/// Solves for a correction and goes along it; returns what was taken, and the correction.
pub(super) fn improve(
    residual: &mut Residual,
    settings: &StepSettings,
    iterate: &mut Iterate,
    iteration: Iteration,
    matrix: &mut Matrix,
    report: &mut NewtonReport,
) -> Result<(Taken, Vec<f64>), StepError> {
    // C21's hybrid leaves contact out of the matrix in its first iterations (decision 0016).
    let part = iteration.contact.then_some(HessianPart::Exact);
    matrix.assemble(residual, &iterate.y, part)?;
    let correction = matrix.correction(residual, settings, iterate, report)?;
    report.iterations += 1;
    let longest = residual.longest_step(&iterate.y, &correction.dq);
    let longest = longest.min(iteration.damping);
    let way = Way {
        longest,
        shortest: iteration.shortest,
        slow: iteration.slow,
    };
    let taken = search(residual, settings, iterate, &correction, way, matrix)
        .map_err(|error| error.after(report.iterations))?;
    Ok((taken, correction.dq))
}

/// Whether the iterate is the solution, after a correction of the size `size`, in radii, whose
/// simplified successor has the size `natural` where that is known.
pub(super) fn converged(
    residual: &Residual,
    settings: &StepSettings,
    iterate: &Iterate,
    (size, natural): (f64, Option<f64>),
    matrix: &mut Matrix,
) -> Result<bool, StepError> {
    // A correction was solved for and was small: what is left may be rounding.
    if size < settings.step_tolerance && residual.is_balanced(settings, iterate, true) {
        return Ok(true);
    }
    // The next one is foreseen to be small. That may leave no rounding.
    let natural = natural.map_or_else(|| matrix.natural_norm(residual), Ok)?;
    Ok(natural < NEXT_CORRECTION * settings.step_tolerance
        && residual.is_balanced(settings, iterate, false))
}

/// What prescribed unknowns have still to go, if they or obstacles have not arrived.
fn remaining_motion(problem: &Problem, iterate: &Iterate) -> Option<Vec<f64>> {
    // Only barriers leave any: without one the first guess has arrived (decision 0010).
    let model = problem.model;
    let fixed = model.constraints.fixed().iter().enumerate();
    let mut prescribed = fixed.filter(|(dof, fixed)| **fixed && !model.bodies.follows(*dof));
    let left = iterate.progress < 1.0
        || prescribed.any(|(dof, _)| problem.target[dof] - iterate.y[dof] != 0.0);
    left.then(|| prescribed_motion(model, &iterate.y, problem.target))
}

/// Puts prescribed unknowns and obstacles where they belong to the last bit, after a whole
/// correction.
fn complete_motion(residual: &mut Residual, iterate: &mut Iterate) -> Result<(), StepError> {
    let problem = residual.problem;
    let fixed = problem.model.constraints.fixed().iter();
    for ((y, target), fixed) in iterate.y.iter_mut().zip(problem.target).zip(fixed) {
        if *fixed {
            *y = *target;
        }
    }
    problem.follow(&mut iterate.y);
    iterate.progress = 1.0;
    residual.evaluate(iterate)
}

fn check_finite(problem: &Problem, size: f64, dq: &[f64]) -> Result<(), StepError> {
    if size.is_finite() {
        return Ok(());
    }
    let dof = dq.iter().position(|v| !v.is_finite()).unwrap_or(0);
    Err(StepError::NotFinite {
        what: "Newton correction",
        place: Location::of(&problem.model.topology, dof),
    })
}

/// What to say after `iterations`, the last of which made a correction of `correction` radii.
pub(super) fn not_converged(
    residual: &Residual,
    settings: &StepSettings,
    (iterations, correction): (u32, f64),
) -> StepError {
    let problem = residual.problem;
    let (largest, wanted, dof) = residual.imbalance(settings, true);
    StepError::NotConverged(Box::new(NotConverged {
        iterations,
        time: problem.start.time,
        dt: problem.stage.dt(),
        correction,
        wanted_correction: settings.step_tolerance,
        residual: largest,
        wanted,
        place: Location::of(&problem.model.topology, dof),
    }))
}

/// `from + alpha by`.
pub(super) fn shift(out: &mut [f64], from: &[f64], alpha: f64, by: &[f64]) {
    for ((out, from), by) in out.iter_mut().zip(from).zip(by) {
        *out = from + alpha * by;
    }
}
