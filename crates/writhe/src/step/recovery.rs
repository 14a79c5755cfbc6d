//! What Newton's method does where its correction is of no use: named recoveries, each list in the
//! order in which they are tried.

use super::correction::{Correction, Matrix, inertia};
use super::error::StepError;
use super::newton::{Iterate, NewtonReport, improve};
use super::residual::Residual;
use super::search::{Taken, Way, search};
use super::settings::StepSettings;
use super::style::Iteration;
use crate::contact::pair::HessianPart;
use crate::solve::SolveError;

/// Where the correction leads uphill, since the tangent is not positive definite: each in turn,
/// until it leads down.
const UPHILL: [Downhill; 2] = [Downhill::PositiveContact, Downhill::Shift];

/// What turns a correction downhill.
#[derive(Debug, Clone, Copy)]
enum Downhill {
    /// The negative part of the Hessians of contacts is left out.
    PositiveContact,
    /// The tangent is shifted towards the mass matrix as far as it takes.
    Shift,
}

/// Where nothing along the correction is accepted: the first that applies.
const STALLED: [Restart; 2] = [Restart::ShiftUntilAccepted, Restart::ExactFriction];

/// What another correction is made with.
#[derive(Debug, Clone, Copy)]
enum Restart {
    /// The tangent, where nearly singular, promises a decrease far beyond where it holds. Shifted
    /// towards the mass matrix, corrections become short and follow the gradient. Where the
    /// potential must fall.
    ShiftUntilAccepted,
    /// The derivative of friction itself, in place of the slope along remembered directions: only
    /// it surely leads down.
    ExactFriction,
}

/// Factor by which a shift of the matrix grows until it helps.
const SHIFT_GROWTH: f64 = 8.0;
/// A matrix shifted by so many mass matrices is one.
const LARGEST_SHIFT: f64 = 1e16;

/// Makes the correction `dq` for the right-hand side `rhs`, minus the gradient, descend, if it does
/// not.
pub(super) fn descend(
    residual: &mut Residual,
    matrix: &mut Matrix,
    y: &[f64],
    rhs: &[f64],
    mut dq: Vec<f64>,
    report: &mut NewtonReport,
) -> Result<Vec<f64>, StepError> {
    let uphill = |dq: &[f64]| -> bool {
        // g . dq with rhs = -g.
        let slope: f64 = rhs.iter().zip(dq).map(|(r, d)| -r * d).sum();
        slope > 0.0
    };
    for remedy in UPHILL {
        if !uphill(&dq) {
            break;
        }
        match remedy {
            Downhill::PositiveContact if residual.at.contact.couples(&residual.contact) => {
                matrix.assemble(residual, y, Some(HessianPart::Projected))?;
                dq.copy_from_slice(rhs);
                matrix.system.solve(&mut dq)?;
                report.iterations += 1;
            }
            Downhill::PositiveContact => {}
            Downhill::Shift => {
                let weight = inertia(&residual.problem);
                let mut shift = 1.0;
                while uphill(&dq) {
                    if shift > LARGEST_SHIFT {
                        return Err(SolveError::NotFactored.into());
                    }
                    residual.check_poll()?;
                    // (K + shift a^2 M) dq = -g
                    matrix.system.factor_shifted(shift, &weight)?;
                    dq.copy_from_slice(rhs);
                    matrix.system.solve_unchecked(&mut dq)?;
                    report.iterations += 1;
                    shift *= SHIFT_GROWTH;
                }
            }
        }
    }
    Ok(dq)
}

/// Takes another correction where nothing along Newton's was accepted, which failed with `error`;
/// `falls` where the potential must fall. Returns what was taken, and the correction.
pub(super) fn restart(
    residual: &mut Residual,
    settings: &StepSettings,
    iterate: &mut Iterate,
    (iteration, falls): (Iteration, bool),
    matrix: &mut Matrix,
    report: &mut NewtonReport,
    error: StepError,
) -> Result<(Taken, Vec<f64>), StepError> {
    // Another correction is for a search that found nothing, not for what went wrong elsewhere.
    if !matches!(error, StepError::NotConverged(_)) {
        return Err(error);
    }
    for remedy in STALLED {
        match remedy {
            Restart::ShiftUntilAccepted if falls => {
                let damping = iteration.damping;
                return shift_until_accepted(residual, settings, iterate, damping, matrix, report);
            }
            Restart::ExactFriction if residual.contact.drop_directions() => {
                residual.evaluate(iterate)?;
                return improve(residual, settings, iterate, iteration, matrix, report);
            }
            Restart::ShiftUntilAccepted | Restart::ExactFriction => {}
        }
    }
    Err(error)
}

fn shift_until_accepted(
    residual: &mut Residual,
    settings: &StepSettings,
    iterate: &mut Iterate,
    damping: f64,
    matrix: &mut Matrix,
    report: &mut NewtonReport,
) -> Result<(Taken, Vec<f64>), StepError> {
    let weight = inertia(&residual.problem);
    let mut shift = 1.0;
    loop {
        // The failed search left some trial evaluated; wanted is the gradient at the iterate.
        residual.evaluate(iterate)?;
        let mut dq: Vec<f64> = residual.at.residual.iter().map(|g| -g).collect();
        matrix.system.factor_shifted(shift, &weight)?;
        matrix.system.solve_unchecked(&mut dq)?;
        report.iterations += 1;
        let bodies = &residual.at.bodies.reduction;
        bodies.expand(&residual.problem.model.topology, &mut dq);
        let longest = residual.longest_step(&iterate.y, &dq).min(damping);
        let correction = Correction {
            dq,
            drag: None,
            natural: None,
        };
        let way = Way::whole(longest);
        match search(residual, settings, iterate, &correction, way, matrix) {
            Err(StepError::NotConverged(_)) if shift < LARGEST_SHIFT => {}
            found => {
                let taken = found.map_err(|error| error.after(report.iterations))?;
                return Ok((taken, correction.dq));
            }
        }
        shift *= SHIFT_GROWTH;
    }
}
