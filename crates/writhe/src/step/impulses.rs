//! Contact forces found by solving the step again (Spillmann and Teschner 2008).
//!
//! Contact is not part of the matrix K of a Newton iteration. With the forces F of the last solve,
//! the residual r they leave, and the gaps g of the pairs with their derivatives C, one iteration
//! is
//!
//! ```text
//! dq = -K^-1 r                            the step solved with the forces at hand
//! F + dF >= 0,   g + C (dq + K^-1 C^T dF) >= 0,   one of the two zero for each pair
//! ```
//!
//! and then q += dq + K^-1 C^T dF. Spillmann and Teschner correct pair after pair by the mass that
//! it moves; pairs of one knot share nodes and push on each other, so here all are corrected at
//! once: the second line is the solution of a quadratic programme in dF whose matrix, the
//! compliance C K^-1 C^T, is known by its products. Each product is a solve with the factor at
//! hand; the masses scale it. Gaps, directions and residual are then evaluated anew, until forces
//! balance and gaps are closed.

pub(super) mod gaps;

use super::correction::Matrix;
use super::error::StepError;
use super::newton::{Iterate, NewtonReport, converged, not_converged};
use super::problem::Problem;
use super::residual::Residual;
use super::search::{Taken, Way, search};
use super::settings::{LineSearch, StepSettings};
use gaps::{MassCompliance, closed, correct};

/// As [`super::newton::solve`], with contact forces that are corrected between the solves until
/// gaps are closed within `tolerance`, over the radius.
pub(super) fn solve(
    residual: &mut Residual,
    tolerance: f64,
    settings: &StepSettings,
    iterate: &mut Iterate,
    matrix: &mut Matrix,
) -> Result<NewtonReport, StepError> {
    let problem = residual.problem;
    let model = problem.model;
    let tolerance = tolerance * problem.length;
    let mut report = NewtonReport::default();
    let mut size = f64::INFINITY;
    let mut pairs = Vec::new();
    let mass_compliance = MassCompliance::of_nodes(mass_compliance(&problem));
    residual.evaluate(iterate)?;
    for _ in 0..settings.max_iterations {
        // Contact forces change with the correction, and with them whatever might have to decrease.
        let free = residual.contact.candidates().is_empty();
        let searched = StepSettings {
            line_search: if free {
                settings.line_search
            } else {
                LineSearch::None
            },
            ..*settings
        };
        // dq = -K^-1 r, contact not in K.
        matrix.assemble(residual, &iterate.y, None)?;
        let mut correction = matrix.correction(residual, &searched, iterate, &mut report)?;
        report.iterations += 1;
        // F + dF >= 0, g + C (dq + K^-1 C^T dF) >= 0: adds K^-1 C^T dF to dq.
        let margin = residual.contact.margin();
        (residual.contact).approaches(model, (&iterate.y, false), margin, &mut pairs);
        let (dq, system) = (&mut correction.dq, &mut matrix.system);
        report.krylov_iterations += correct(&mut pairs, &mass_compliance, dq, tolerance, |x| {
            system.poll.check()?;
            system.solve_unchecked(x)
        })?;
        residual.contact.set_forces(&pairs);

        let longest = residual.longest_step(&iterate.y, &correction.dq);
        let Taken { alpha, natural } = search(
            residual,
            &searched,
            iterate,
            &correction,
            Way::whole(longest),
            matrix,
        )?;
        if alpha < 1.0 {
            report.shortened += 1;
        }
        size = alpha * problem.size(&correction.dq);
        // Gaps anew: closest points and normals have moved.
        let margin = residual.contact.margin();
        (residual.contact).approaches(model, (&iterate.y, false), margin, &mut pairs);
        if pairs.iter().all(|pair| closed(pair, tolerance))
            && converged(residual, settings, iterate, (size, natural), matrix)?
        {
            return Ok(report);
        }
    }
    let depth = pairs.iter().fold(0.0, |d: f64, pair| d.max(-pair.gap));
    if depth > tolerance {
        return Err(StepError::NotKeptApart {
            iterations: report.iterations,
            depth: depth / problem.length,
            allowed: tolerance / problem.length,
        });
    }
    let done = (report.iterations, size);
    Err(not_converged(residual, settings, done))
}

/// By how much a force on an unknown moves it by its mass alone, m/N, `(dofs)`; 0 if it is held.
fn mass_compliance(problem: &Problem) -> Vec<f64> {
    // The part of K by inertia is a^2 M.
    let rate_sq = problem.stage.rate * problem.stage.rate;
    let fixed = problem.model.constraints.fixed().iter();
    let masses = problem.model.mass.iter().zip(fixed);
    masses
        .map(|(m, fixed)| if *fixed { 0.0 } else { 1.0 / (m * rate_sq) })
        .collect()
}
