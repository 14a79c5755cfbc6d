//! First and second variation of the energy at a state: what tells whether an equilibrium is
//! stable.
//!
//! The energy is that of elasticity, of the loads that have a potential, and of contact without
//! friction. Its second variation is the stiffness of a step so long that inertia is nothing.

use std::ops::ControlFlow;

use super::correction::inertia;
use super::error::StepError;
use super::problem::{Evaluation, Problem};
use super::scheme::{Scheme, Stage};
use super::system::{Storage, System};
use crate::assembly::Blocks;
use crate::contact::pair::HessianPart;
use crate::contact::{Beginning, ContactFrame};
use crate::forces::Acting;
use crate::kernels::friction::FrictionSolve;
use crate::model::Model;
use crate::obstacle::surface::Instants;
use crate::response::StepMaterial;
use crate::solve::SolveError;
use crate::state::State;

/// Size of the step without inertia, s.
const FOREVER: f64 = 1e12;

/// Energy, gradient and Hessian at a state.
#[derive(Debug)]
pub(crate) struct Variation {
    system: System,
    evaluation: Evaluation,
    /// Mass or moment of inertia of each unknown, kg or kg m^2, zero where it is prescribed or
    /// follows a body, `(dofs)`. No body is heavier than the lightest rod: the masses decide only
    /// how negative an eigenvalue is, and heavy ones would hide it.
    pub mass: Vec<f64>,
    /// Gradient of the energy, N and N m, zero where `mass` is, `(dofs)`.
    pub gradient: Vec<f64>,
    /// Largest gradient as a force, N.
    pub unbalanced: f64,
    /// Largest force inside of rods, of a load or of a contact, N.
    pub largest_force: f64,
    /// What rounding of the unknowns makes of the largest unbalanced force, N.
    pub rounding: f64,
    /// Largest diagonal entry of the Hessian over its mass, 1/s^2: what rounding is relative to.
    pub steepest: f64,
}

/// What is known of a state before the Hessian of its energy is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FirstLook {
    /// Elastic energy, J.
    pub elastic: f64,
    /// Whether a force that does not dissipate has no potential, as those that follow the rod.
    pub follows: bool,
    /// Whether friction acts at any contact.
    pub has_friction: bool,
}

/// Adds up the diagonal of what passes.
struct Diagonal<'a> {
    inner: super::system::Sink<'a>,
    sums: &'a mut [f64],
}

impl Blocks for Diagonal<'_> {
    fn general(&mut self, dofs: &[usize], values: &[f64]) {
        for (k, dof) in dofs.iter().enumerate() {
            self.sums[*dof] += values[k * dofs.len() + k];
        }
        self.inner.general(dofs, values);
    }
}

/// Evaluates forces at `state`, at rest and without what dissipates, and hands them on with what is
/// needed for their derivative.
fn at_rest<T>(
    model: &Model,
    state: &State,
    go_on: impl FnOnce(&Problem<'_>, Evaluation, &ContactFrame) -> Result<T, StepError>,
) -> Result<T, StepError> {
    // Velocities change by nothing in no time, and so by nothing per time in a step without end.
    let stage = Stage::new(Scheme::BackwardEuler, state, FOREVER).at(state.time);
    // Friction that lags and has found no normal forces yet is none.
    let beginning = Beginning {
        friction: FrictionSolve::Lagged { rounds: 1 },
        ..Beginning::new(model, state, Instants::still(state.time))
    };
    let mut contact = ContactFrame::new(model, &beginning);
    let material = StepMaterial::at_rest(model, state.time);
    let problem = Problem {
        model,
        start: state,
        stage: &stage,
        end_time: state.time,
        length: model.length_scale(),
        contact_stiffness: state.contact.stiffness,
        target: &state.q,
        acting: Acting::Conservative,
        material: &material,
    };
    let mut evaluation = Evaluation::default();
    problem.evaluate(&state.q, None, &mut contact, &mut evaluation)?;
    go_on(&problem, evaluation, &contact)
}

/// Forces at a state, and their derivative block by block.
#[derive(Debug)]
pub(crate) struct Forces {
    /// Unbalanced force and torque on each unknown, N and N m, zero where it is prescribed,
    /// `(dofs)`: the gradient of the energy where all have a potential.
    pub residual: Vec<f64>,
    /// Largest of them as a force, N.
    pub unbalanced: f64,
    /// Largest force inside of rods, of a load or of a contact, N.
    pub largest_force: f64,
    /// Whether a force has no potential.
    pub follows: bool,
    /// Whether friction acts at any contact.
    pub has_friction: bool,
}

/// Forces at `state`, at rest and without what dissipates; their derivative goes to `blocks`, rows
/// and columns of prescribed unknowns included.
pub(crate) fn forces_at_rest(
    model: &Model,
    state: &State,
    blocks: &mut dyn Blocks,
) -> Result<Forces, StepError> {
    at_rest(model, state, |problem, mut evaluation, contact| {
        let exact = Some((contact, HessianPart::Exact));
        problem.add_tangent(&state.q, &mut evaluation, exact, blocks);
        Ok(Forces {
            unbalanced: problem.largest(&evaluation.residual),
            largest_force: evaluation.force_scale.max(evaluation.contact_scale),
            follows: evaluation.potential.is_none(),
            has_friction: evaluation.contact.has_friction(model),
            residual: evaluation.residual,
        })
    })
}

impl Variation {
    /// At `state`, unless `judge` can tell by a first look.
    ///
    /// # Errors
    /// When the state has an edge without direction, or numbers are not finite.
    pub fn at<T>(
        model: &Model,
        state: &State,
        judge: impl FnOnce(&FirstLook) -> ControlFlow<T>,
    ) -> Result<ControlFlow<T, Self>, StepError> {
        at_rest(model, state, |problem, mut evaluation, contact| {
            let seen = FirstLook {
                elastic: evaluation.energy.total(),
                follows: evaluation.potential.is_none(),
                has_friction: evaluation.contact.has_friction(model),
            };
            if let ControlFlow::Break(told) = judge(&seen) {
                return Ok(ControlFlow::Break(told));
            }
            let mut system = System::new(model);
            let touching = (contact, &evaluation.contact);
            // Signs of pivots are known of sparse blocks only, so open rods are stored so too.
            system.begin(model, Storage::Sparse, touching, &state.q)?;
            let fixed = model.constraints.fixed();
            let mut diagonal = vec![0.0; model.topology.dofs];
            let mut sink = Diagonal {
                inner: system.sink(fixed),
                sums: &mut diagonal,
            };
            let exact = Some((contact, HessianPart::Exact));
            problem.add_tangent(&state.q, &mut evaluation, exact, &mut sink);
            system.fill(fixed)?;
            let mut mass = inertia(problem);
            // `inertia` is a^2 M with a = 1/FOREVER.
            mass.iter_mut().for_each(|m| *m *= FOREVER * FOREVER);
            lighten_bodies(model, &mut mass);
            let steepest = diagonal.iter().zip(&mass).filter(|(_, m)| **m > 0.0);
            let steepest = steepest.fold(0.0_f64, |a, (d, m)| a.max(d.abs() / m));
            let unbalanced = problem.largest(&evaluation.residual);
            Ok(ControlFlow::Continue(Self {
                rounding: problem.largest(&roundings(model, &diagonal, &state.q)),
                mass,
                gradient: evaluation.residual.clone(),
                unbalanced,
                largest_force: evaluation.force_scale,
                steepest,
                system,
                evaluation,
            }))
        })
    }

    /// Whether the Hessian plus `shift`, 1/s^2, times the masses is positive definite; it is then
    /// what [`Variation::solve`] solves with.
    ///
    /// # Errors
    /// When numbers are not finite.
    pub fn is_positive(&mut self, shift: f64) -> Result<bool, SolveError> {
        match self.system.factor_shifted(shift, &self.mass) {
            // Sylvester: as many negative eigenvalues as negative pivots (decision 0044).
            Ok(()) => Ok(self.system.has_positive_pivots()),
            Err(SolveError::Singular { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Solves with the matrix last looked at, in place.
    ///
    /// # Errors
    /// When it could not be factorised.
    pub fn solve(&mut self, x: &mut [f64]) -> Result<(), SolveError> {
        self.system.solve_unchecked(x)
    }

    /// Writes the motion of unknowns that follow bodies, `(dofs)`.
    pub fn expand(&self, model: &Model, motion: &mut [f64]) {
        let reduction = &self.evaluation.bodies.reduction;
        reduction.expand(&model.topology, motion);
    }
}

/// What the last digits of each unknown `q`, `(dofs)`, make of the force on it, N and N m, by the
/// `diagonal` of the Hessian.
fn roundings(model: &Model, diagonal: &[f64], q: &[f64]) -> Vec<f64> {
    let unknowns = diagonal.iter().zip(q).zip(&model.topology.angle);
    // Frames are known to eps, whatever the angle.
    let size = |q: f64, angle: bool| if angle { q.abs().max(1.0) } else { q.abs() };
    unknowns
        .map(|((k, q), angle)| 4.0 * f64::EPSILON * k * size(*q, *angle))
        .collect()
}

/// Gives bodies that are heavier than the lightest rod the mass of that rod, and as much less
/// inertia.
fn lighten_bodies(model: &Model, mass: &mut [f64]) {
    let rods = model.topology.rods.iter().map(|rod| model.rod_mass(rod));
    let lightest = rods.filter(|m| *m > 0.0).fold(f64::INFINITY, f64::min);
    for (assembly, dof) in model.bodies.list.iter().zip(&model.topology.body_dof) {
        let factor = (lightest / assembly.mass).min(1.0);
        mass[*dof..dof + 6].iter_mut().for_each(|m| *m *= factor);
    }
}
