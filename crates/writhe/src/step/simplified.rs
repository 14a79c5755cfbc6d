//! Simplified Newton: corrections with the matrix at hand, which cost a substitution each.

use super::correction::Matrix;
use super::error::StepError;
use super::newton::{Iterate, NewtonReport, converged, shift};
use super::residual::Residual;
use super::settings::StepSettings;

/// Part of a correction that the next one with the same matrix may have. Near the solution the
/// method converges linearly with this factor; a matrix made anew costs two of these corrections.
/// Knots take the same time with .02 to .1, and more with .2 (decision 0064).
const CONTRACTION: f64 = 0.06;
/// Part of a correction that the foreseen next one may have: beyond it the correction is taken
/// back.
const FORESEEN: f64 = 0.12;
/// So many corrections make of 1 radius the tolerance's millionth.
const MOST: u32 = 4;

/// Corrects as long as each correction is a small part of the one before, of `size` radii the
/// first; returns whether the solution is reached. The natural norm was asked for at the iterate.
pub(super) fn correct(
    residual: &mut Residual,
    settings: &StepSettings,
    iterate: &mut Iterate,
    mut size: f64,
    matrix: &mut Matrix,
    report: &mut NewtonReport,
) -> Result<bool, StepError> {
    let problem = residual.problem;
    // The matrix alone knows of no drag but a local one.
    if residual.solves_drag() {
        return Ok(false);
    }
    for _ in 0..MOST {
        let mut dq = (matrix.pool).collect(matrix.simplified.iter().map(|d| -d));
        let bodies = &residual.at.bodies.reduction;
        bodies.expand(&problem.model.topology, &mut dq);
        let next = problem.size(&dq);
        let small = next <= CONTRACTION * size;
        // No way that a barrier or a near pair would shorten.
        if !small || residual.longest_step(&iterate.y, &dq) < 1.0 {
            matrix.pool.give_back(dq);
            return Ok(false);
        }
        let from = iterate.copied(&mut matrix.pool);
        shift(&mut iterate.y, &from.y, 1.0, &dq);
        matrix.pool.give_back(dq);
        problem.follow(&mut iterate.y);
        residual.evaluate(iterate)?;
        let before = problem.norm(&matrix.simplified);
        let natural = matrix.natural_norm(residual)?;
        let falls = natural <= FORESEEN * before;
        if !falls {
            std::mem::replace(iterate, from).give_back(&mut matrix.pool);
            residual.evaluate(iterate)?;
            return Ok(false);
        }
        from.give_back(&mut matrix.pool);
        report.simplified += 1;
        size = next;
        // A small correction does not tell that the next one is much smaller.
        let foreseen = (f64::INFINITY, Some(natural));
        if converged(residual, settings, iterate, foreseen, matrix)? {
            return Ok(true);
        }
    }
    Ok(false)
}
