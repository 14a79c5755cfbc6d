//! Simplified Newton: corrections with the matrix at hand, which cost an evaluation and a
//! substitution each, and from which the matrix learns ([`Broyden`]).

use super::broyden::Broyden;
use super::correction::Matrix;
use super::error::StepError;
use super::newton::{Iterate, NewtonReport, converged, shift};
use super::residual::Residual;
use super::settings::StepSettings;

/// Part of a correction that the next one may have: beyond one half quasi-Newton methods need not
/// converge, and a matrix is made anew (Deuflhard, Newton Methods for Nonlinear Problems, 2004, section
/// 2.1.4).
const CONTRACTION: f64 = 0.5;
/// Part of the natural norm that a correction may leave for another one to be worth its evaluation.
const LEFT: f64 = 0.5;

/// Corrects after a whole correction by the matrix, as long as each correction is a part of the one
/// before; returns whether the solution is reached. The natural norm was asked for at the iterate.
pub(super) fn correct(
    residual: &mut Residual,
    settings: &StepSettings,
    iterate: &mut Iterate,
    matrix: &mut Matrix,
    report: &mut NewtonReport,
) -> Result<bool, StepError> {
    // The matrix alone knows of no drag but a local one.
    if residual.solves_drag() {
        return Ok(false);
    }
    let first = std::mem::take(&mut matrix.last);
    let mut broyden = Broyden::new(&residual.problem.model.lever, first);
    let mut made = Made::Good;
    while made == Made::Good && !broyden.is_full() {
        made = correct_once(residual, settings, iterate, &mut broyden, matrix)?;
        report.simplified += u32::from(made != Made::None);
    }
    broyden.give_back(&mut matrix.pool);
    Ok(made == Made::Solution)
}

/// What came of a correction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    /// None was made, or it was taken back.
    None,
    /// It is kept, and another one is not worth its evaluation.
    Poor,
    /// Another one may follow.
    Good,
    /// The solution is reached.
    Solution,
}

fn correct_once(
    residual: &mut Residual,
    settings: &StepSettings,
    iterate: &mut Iterate,
    broyden: &mut Broyden,
    matrix: &mut Matrix,
) -> Result<Made, StepError> {
    let problem = residual.problem;
    let mut dq = (matrix.pool).collect(matrix.simplified.iter().map(|d| -d));
    broyden.correct(&mut dq);
    let bodies = &residual.at.bodies.reduction;
    bodies.expand(&problem.model.topology, &mut dq);
    let small = broyden.growth(&dq) <= CONTRACTION;
    // No way that a barrier or a near pair would shorten.
    if !small || residual.longest_step(&iterate.y, &dq) < 1.0 {
        matrix.pool.give_back(dq);
        return Ok(Made::None);
    }
    let from = iterate.copied(&mut matrix.pool);
    shift(&mut iterate.y, &from.y, 1.0, &dq);
    broyden.push(dq);
    problem.follow(&mut iterate.y);
    residual.evaluate(iterate)?;
    let before = problem.norm(&matrix.simplified);
    let natural = matrix.natural_norm(residual)?;
    let grows = natural > before || natural.is_nan();
    if grows {
        std::mem::replace(iterate, from).give_back(&mut matrix.pool);
        residual.evaluate(iterate)?;
        return Ok(Made::None);
    }
    from.give_back(&mut matrix.pool);
    // A small correction does not tell that the next one is much smaller.
    let foreseen = (f64::INFINITY, Some(natural));
    if converged(residual, settings, iterate, foreseen, matrix)? {
        return Ok(Made::Solution);
    }
    Ok(match natural <= LEFT * before {
        true => Made::Good,
        false => Made::Poor,
    })
}
