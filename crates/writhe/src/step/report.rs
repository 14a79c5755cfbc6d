//! What a step reports.

use super::accuracy::Judgement;
use super::control::Decisions;
use super::hardening::Change;
use super::newton::NewtonReport;
use super::residual::Residual;

/// What a step did.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StepReport {
    /// Its size, s.
    pub dt: f64,
    /// Newton iterations: linear solves; iterations of the projection, if the step is explicit.
    pub iterations: u32,
    /// Corrections beside them, with the matrix at hand.
    pub simplified: u32,
    /// Those of them after which contacts of nearly parallel edges were spread over the overlap of
    /// the edges, since the method stalled at their nearest points; 0 without.
    pub stalled_iterations: u32,
    /// Krylov iterations over all of them and for lagged drag; with Spillmann and Teschner's
    /// contact, solves with the factor at hand that correct forces.
    pub krylov_iterations: usize,
    /// Corrections that the line search shortened.
    pub shortened: u32,
    /// Pairs of edges in contact at its end.
    pub contacts: usize,
    /// Largest normal force of a pair, N.
    pub largest_contact_force: f64,
    /// Deepest penetration over the radius, 0 without.
    pub penetration: f64,
    /// Smallest gap among pairs that were near enough to be looked at, m.
    pub smallest_gap: Option<f64>,
    /// Smallest gap of a pair in contact at any of Newton's trials, m.
    pub smallest_trial_gap: Option<f64>,
    /// Largest force of a support, N, as the step balanced it; not known of explicit steps.
    pub support_force: Option<f64>,
    /// What a change of the contact stiffness at its start did to the energy of contacts, J.
    pub stiffness_work: f64,
    /// What was decided before it succeeded.
    pub decisions: Decisions,
    /// What it is judged by where its size follows from an accuracy.
    pub judgement: Option<Judgement>,
}

/// What the step did; its end is where contact is.
pub(super) fn report(
    residual: &Residual,
    newton: &NewtonReport,
    change: &Change,
    (smallest_gap, penetration): (Option<f64>, f64),
) -> StepReport {
    let (lagged, touching) = (residual.fluid.lagged(), &residual.at.contact);
    let (model, reaction) = (residual.problem.model, &residual.at.reaction);
    let supports = model.constraints.list().iter();
    let forces = supports.map(|c| c.force(&model.topology, reaction).length());
    StepReport {
        dt: residual.problem.stage.dt(),
        iterations: newton.iterations,
        simplified: newton.simplified,
        stalled_iterations: newton.before_spreading,
        krylov_iterations: newton.krylov_iterations + lagged.map_or(0, |d| d.krylov_iterations),
        shortened: newton.shortened,
        contacts: touching.count(),
        largest_contact_force: touching.largest_force(),
        penetration,
        smallest_gap,
        smallest_trial_gap: residual.contact.tightest(),
        support_force: Some(forces.fold(0.0, f64::max)),
        stiffness_work: change.work,
        decisions: Decisions::default(),
        judgement: None,
    }
}
