//! Steps whose size follows from a wanted accuracy: what a step gets wrong, and what may be.
//!
//! The velocity of BDF2 is exact for parabolas, that of its fitted kin for motion at one rate. What
//! it gets wrong of a smooth motion is the first term that it leaves out,
//!
//! `d = dt (dt + h)/6 (y''' + omega^2 y')`,
//!
//! h the step before, omega zero for BDF2. With u for y', `d = (u_{n+1} + b u_n + c u_{n-1})/3`
//! where b and c make it vanish for what the rule is exact for. A velocity wrong by d leaves
//! `a M d + D d` in the balance of forces, D the resistance against motion, and so moves the end of
//! the step by `e = T^-1 (a M + D) d` with Newton's matrix `T = a^2 M + a D + K`. Of waves that the
//! step does not resolve K is most of T: they are damped, and no error of theirs is counted.

use super::correction::Matrix;
use super::error::StepError;
use super::newton::Iterate;
use super::residual::Residual;
use super::scheme::Scheme;
use super::settings::{Integrator, StepSettings};
use crate::assembly::Trial;
use crate::fluid::Coupling;
use crate::forces::add_loads;
use crate::model::Model;

/// Wanted accuracy of a run in time; by BDF2 and its fitted kin alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// What the errors of all steps may sum to, in radii.
    pub error: f64,
    /// The time over which they sum, s.
    pub over: f64,
    /// Size of the first step, s.
    pub first: f64,
}

/// Refuses an accuracy where no error is estimated.
///
/// # Errors
/// [`StepError::NoEstimate`].
pub(crate) fn check(model: &Model, settings: &StepSettings) -> Result<(), StepError> {
    if settings.accuracy.is_none() {
        return Ok(());
    }
    let lags = (model.fluid.as_ref()).is_some_and(|fluid| fluid.coupling == Coupling::Lagged);
    let explicit = settings.integrator == Integrator::SymplecticProjected;
    match settings.scheme {
        _ if explicit => Err(StepError::NoEstimate("explicit steps")),
        _ if lags => Err(StepError::NoEstimate("drag that lags")),
        Scheme::BackwardEuler => Err(StepError::NoEstimate("backward Euler")),
        Scheme::ImplicitMidpoint => Err(StepError::NoEstimate("the midpoint rule")),
        Scheme::Bdf2 | Scheme::FittedBdf2 { .. } => Ok(()),
    }
}

impl Accuracy {
    /// What a step of `dt`, s, may get wrong, in radii: its part of the whole; or, where it `begins`
    /// anew, by backward Euler, more: that is not spread over the run.
    fn allowed(&self, dt: f64, begins: bool) -> f64 {
        match begins {
            true => BEGINNING * self.error,
            false => self.error * dt.max(SHORT * self.first) / self.over,
        }
    }

    /// Radii by which nodes may go in a step in contact.
    fn way(&self) -> f64 {
        WAY * (self.error / COARSE).min(1.0).sqrt()
    }

    /// The tolerance of Newton's method in a step of `dt`, s, in radii, of those that are no larger
    /// than `largest`. What the method leaves is noise in the velocities that errors are estimated
    /// from; it stops where that is a twentieth of the tolerance.
    pub(super) fn tolerance(&self, dt: f64, largest: f64) -> f64 {
        largest.min(self.allowed(dt, false))
    }
}

/// What a step is judged by where its size follows from an accuracy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    /// Estimated error of positions at its end, in radii; `None` in contact, where impacts and
    /// friction make no smooth motion and the step is bounded by the way that nodes go.
    pub error: Option<f64>,
    /// Error, or square of the way, over what is allowed: both grow with the square of the step.
    pub excess: f64,
    /// Whether the next step looks back to a velocity from before a start, a jump or an impact.
    pub fresh: bool,
}

/// Part of all the error that a step which begins anew may make: backward Euler's is not spread
/// over the run.
const BEGINNING: f64 = 0.05;
/// Part of the first step; shorter steps may err as much as one of that size. Waves that a larger
/// step damps ring on in shorter ones, with an amplitude that is no matter, and would keep them
/// short for ever.
const SHORT: f64 = 0.25;
/// Radii by which nodes may go in a step in contact, and the accuracy from which on it is that many:
/// below, errors of second order fall with the accuracy.
const WAY: f64 = 0.25;
const COARSE: f64 = 0.1;

/// The error of the step whose balance `residual` is, solved for by `iterate`, with the matrix of
/// Newton's last iteration.
pub(super) fn judge(
    residual: &Residual,
    accuracy: Accuracy,
    iterate: &Iterate,
    matrix: &mut Matrix,
) -> Result<Judgement, StepError> {
    let problem = residual.problem;
    let (start, stage) = (problem.start, problem.stage);
    // The velocity after a beginning is not that before.
    let begins = !stage.takes_two_steps();
    if residual.at.contact.count() > 0 {
        let moved: Vec<f64> = iterate.y.iter().zip(&start.q).map(|(y, q)| y - q).collect();
        let way = problem.size(&moved);
        return Ok(Judgement {
            error: None,
            excess: (way / accuracy.way()).powi(2),
            fresh: true,
        });
    }
    let mut moved = displacement(residual, iterate, matrix)?;
    let bodies = &residual.at.bodies.reduction;
    bodies.expand(&problem.model.topology, &mut moved);
    let error = problem.size(&moved);
    // Both kinds of error grow with the square of the step: the first for each second.
    let allowed = accuracy.allowed(stage.dt(), begins || start.control.fresh);
    Ok(Judgement {
        error: Some(error),
        excess: error / allowed,
        fresh: begins,
    })
}

/// `e = T^-1 (a M + D) d`, `(dofs)`.
fn displacement(
    residual: &Residual,
    iterate: &Iterate,
    matrix: &mut Matrix,
) -> Result<Vec<f64>, StepError> {
    let problem = residual.problem;
    let (model, rate) = (problem.model, problem.stage.rate);
    let fixed = model.constraints.fixed();
    let mut defect = problem.stage.defect(problem.start, &residual.at.velocity);
    for (defect, fixed) in defect.iter_mut().zip(fixed) {
        if *fixed {
            *defect = 0.0;
        }
    }

    // D d by the forces of loads at the velocities u and u + d.
    let mut force = vec![0.0; defect.len()];
    let at = residual.trial(&iterate.y);
    add_loads(model, problem.acting, &at, &mut force);
    let changed: Vec<f64> = at
        .velocity
        .iter()
        .zip(&defect)
        .map(|(u, d)| u + d)
        .collect();
    let mut after = vec![0.0; defect.len()];
    let velocity = &changed[..];
    add_loads(model, problem.acting, &Trial { velocity, ..at }, &mut after);
    let masses = model.mass.iter().zip(&defect);
    let forces = force.iter().zip(&after);
    let mut moved: Vec<f64> = masses
        .zip(forces)
        .map(|((mass, d), (before, after))| rate * mass * d + before - after)
        .collect();
    let bodies = &residual.at.bodies.reduction;
    bodies.reduce(&model.topology, &mut moved);
    for (moved, fixed) in moved.iter_mut().zip(fixed) {
        if *fixed {
            *moved = 0.0;
        }
    }

    if residual.solves_drag() {
        let nodes = model.topology.node_dof.iter();
        let mut slip: Vec<f64> = nodes
            .flat_map(|dof| defect[*dof..dof + 3].to_vec())
            .collect();
        (residual.mobility).precondition(model, &mut matrix.system, rate, &mut moved, &mut slip)?;
    } else {
        matrix.system.solve_unchecked(&mut moved)?;
    }
    Ok(moved)
}
