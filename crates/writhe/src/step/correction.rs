//! Newton's correction: the matrix at an iterate, and what it makes of the residual.

use super::drag::ForceAndFlow;
use super::error::StepError;
use super::newton::{Iterate, NewtonReport};
use super::phases::{Phase, Phases};
use super::pool::Pool;
use super::problem::Problem;
use super::recovery;
use super::residual::Residual;
use super::settings::{LineSearch, StepSettings};
use super::system::System;
use crate::contact::pair::HessianPart;
use crate::model::Model;
use crate::solve::krylov::KrylovWorkspace;

/// Newton stops early when the simplified next correction (with the old factor) is below this
/// fraction of the tolerance: the factor's resistance by neighbours underestimates a correction by
/// half at most, since eigenvalues of R B are above .65 (decisions 0009, 0062).
pub(super) const NEXT_CORRECTION: f64 = 0.05;
/// Where rods touch, Newton's method leaves an error of some `n^2/BENT` radii after a correction of
/// n radii, since contact forces bend. To solve the linear system any nearer is of no use. Values
/// from .001 to 1 were measured in decision 0062.
const BENT: f64 = 0.1;

/// The matrix `dg/dy` of the iterate last assembled, with its factorisation.
#[derive(Debug)]
pub(super) struct Matrix {
    pub system: System,
    /// Storage of the iteration around it, with drag that is solved for.
    pub krylov: KrylovWorkspace,
    /// Minus the simplified correction, `M^-1 g`, where the natural norm was last asked for.
    pub simplified: Vec<f64>,
    /// The last correction by the matrix.
    pub last: Vec<f64>,
    /// Vectors of iterations.
    pub pool: Pool,
    /// Processor time of assembly and solves.
    pub phases: Phases,
}

/// Changes of the unknowns, `(dofs)`, and of the force of a fluid that is solved for, `(3 nodes)`.
pub(super) struct Correction {
    pub dq: Vec<f64>,
    /// Of the force of a fluid that is solved for.
    pub drag: Option<ForceAndFlow>,
    /// Norm of the simplified correction where it begins, in radii, if that was looked at.
    pub natural: Option<f64>,
}

impl Matrix {
    /// Storage for `model`.
    pub fn new(model: &Model) -> Self {
        Self {
            system: System::new(model),
            krylov: KrylovWorkspace::default(),
            simplified: Vec::new(),
            last: Vec::new(),
            pool: Pool::default(),
            phases: Phases::default(),
        }
    }

    /// Keeps the last correction by the matrix.
    pub fn keep(&mut self, dq: Vec<f64>) {
        let before = std::mem::replace(&mut self.last, dq);
        self.pool.give_back(before);
    }

    /// Assembles and factorises the matrix at the iterate last evaluated, with what is wanted of
    /// the derivatives of contact forces.
    pub fn assemble(
        &mut self,
        residual: &mut Residual,
        y: &[f64],
        contact: Option<HessianPart>,
    ) -> Result<(), StepError> {
        let model = residual.problem.model;
        let fixed = model.constraints.fixed();
        let clock = self.phases.start();
        let (frame, set) = (&residual.contact, &residual.at.contact);
        // Without the derivatives of contact open rods are apart even where they touch.
        let storage = System::choose(model, contact.is_some() && set.couples(frame));
        self.system.begin(model, storage, (frame, set), y)?;
        residual.add_tangent(y, contact, &mut self.system.sink(fixed));
        self.phases.stop(Phase::Assembly, clock);
        let clock = self.phases.start();
        self.system.factor(fixed)?;
        self.phases.stop(Phase::Solve, clock);
        Ok(())
    }

    /// Newton's correction; when all forces have a potential it is a direction of descent.
    pub fn correction(
        &mut self,
        residual: &mut Residual,
        settings: &StepSettings,
        iterate: &Iterate,
        report: &mut NewtonReport,
    ) -> Result<Correction, StepError> {
        let clock = self.phases.start();
        let problem = residual.problem;
        // dg/dy dq = -g, with what prescribed unknowns and obstacles have still to go on the right.
        let mut rhs = (self.pool).collect(residual.at.residual.iter().map(|g| -g));
        self.system.lift(&mut rhs);
        if iterate.progress < 1.0 {
            push(residual, iterate, &mut rhs);
        }
        let mut found = if residual.solves_drag() {
            // With the force of the fluid as further unknowns: u + B F = 0.
            let v: Vec<f64> = residual.at.slip.iter().map(|s| -s).collect();
            let (model, rate) = (problem.model, problem.stage.rate);
            // As near as the step needs, so that no further correction is called for: what the
            // Krylov method leaves is a part of the simplified correction.
            let natural = self.natural_norm(residual)?;
            let wanted = NEXT_CORRECTION * settings.step_tolerance;
            let natural = natural.max(f64::MIN_POSITIVE);
            // Contact forces bend: what they leave of a correction no linear solve takes away.
            let touching = residual.at.contact.count() > 0;
            let left = if touching { natural / BENT } else { 0.0 };
            let accuracy = (wanted / natural).max(left);
            let (system, krylov) = (&mut self.system, &mut self.krylov);
            let found =
                (residual.mobility).solve(model, system, rate, (&rhs, &v), accuracy, krylov)?;
            report.krylov_iterations += found.krylov_iterations;
            Correction {
                dq: found.dq,
                drag: Some(found.drag),
                natural: Some(natural),
            }
        } else {
            let mut dq = self.pool.copy(&rhs);
            self.system.solve(&mut dq)?;
            // Where nothing but the residual is on the right this is what a search asks for first.
            let asked = residual.at.potential.is_none()
                && iterate.progress == 1.0
                && !self.system.lifts()
                && problem.model.bodies.is_empty();
            Correction {
                natural: asked.then(|| problem.norm(&dq)),
                dq,
                drag: None,
            }
        };
        if must_descend(residual, settings, iterate) {
            found.dq = recovery::descend(residual, self, &iterate.y, &rhs, found.dq, report)?;
        }
        self.pool.give_back(rhs);
        // dz = c . (dX, dw) for all that is welded.
        let bodies = &residual.at.bodies.reduction;
        bodies.expand(&problem.model.topology, &mut found.dq);
        self.phases.stop(Phase::Solve, clock);
        Ok(found)
    }

    /// Norm of `M^-1 (g, u + B F)` with the factorisation at hand, in radii: the size of the
    /// simplified next correction.
    pub fn natural_norm(&mut self, residual: &Residual) -> Result<f64, StepError> {
        let problem = residual.problem;
        let dq = &mut self.simplified;
        dq.clone_from(&residual.at.residual);
        if residual.solves_drag() {
            let (rate, mut df) = (problem.stage.rate, residual.at.slip.clone());
            (residual.mobility).precondition(problem.model, &mut self.system, rate, dq, &mut df)?;
        } else {
            self.system.solve_unchecked(dq)?;
        }
        Ok(problem.norm(dq))
    }
}

/// Whether corrections must descend: all forces have a potential, and the line search looks at it.
pub(super) fn must_descend(residual: &Residual, settings: &StepSettings, at: &Iterate) -> bool {
    residual.at.potential.is_some()
        && at.drag.is_none()
        && settings.line_search == LineSearch::Automatic
}

/// Diagonal of the mass matrix as it stands in the tangent, of a body's turn a mass at its lever;
/// zero at prescribed unknowns.
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
            // A turn by the mass at its lever: a scale to shift by, not the body's inertia.
            weight[dof] = assembly.mass * problem.model.lever[dof].powi(2) * rate_sq;
        }
    }
    weight
}

/// Adds to a right-hand side what the way that obstacles have still to go asks of the rods that
/// they touch.
fn push(residual: &Residual, iterate: &Iterate, rhs: &mut [f64]) {
    let model = residual.problem.model;
    let mut push = vec![0.0; rhs.len()];
    let (at, obstacles) = (residual.trial(&iterate.y), residual.contact.obstacles());
    (residual.at.contact.obstacles()).push(obstacles, model, &at, &mut push);
    let bodies = &residual.at.bodies.reduction;
    // Forces on welded unknowns are forces and torques on their bodies.
    bodies.reduce(&model.topology, &mut push);
    for ((r, p), fixed) in rhs.iter_mut().zip(&push).zip(model.constraints.fixed()) {
        *r += if *fixed { 0.0 } else { *p };
    }
}
