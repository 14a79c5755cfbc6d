//! One step of either integrator, and what it reports.

use super::advance::{Step, advance};
use super::error::StepError;
use super::scheme::{Scheme, Stage};
use super::settings::{Integrator, StepSettings};
use super::symplectic::symplectic_step;
use super::workspace::Workspace;
use crate::forces::Acting;
use crate::model::Model;
use crate::state::{DragWatch, State};

/// What a step did.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StepReport {
    /// Its size, s.
    pub dt: f64,
    /// Newton iterations: linear solves; iterations of the projection, if the step is explicit.
    pub iterations: u32,
    /// Krylov iterations over all of them and for lagged drag; with Spillmann and Teschner's contact, solves with the factor at hand that correct forces.
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
    /// What a change of the contact stiffness at its start did to the energy of contacts, J.
    pub stiffness_work: f64,
}

/// One step of the integrator that the settings name.
pub(crate) fn step(
    model: &Model,
    start: &State,
    dt: f64,
    settings: &StepSettings,
    ws: &mut Workspace,
) -> Result<(State, StepReport), StepError> {
    match settings.integrator {
        Integrator::Implicit => implicit_step(model, start, dt, settings, ws),
        Integrator::SymplecticProjected => symplectic_step(model, start, dt, ws),
    }
}

/// Advances `start` by `dt`, s. `start` is untouched; the result depends on (model, start, dt, settings) only.
///
/// # Errors
/// See [`StepError`].
pub fn implicit_step(
    model: &Model,
    start: &State,
    dt: f64,
    settings: &StepSettings,
    ws: &mut Workspace,
) -> Result<(State, StepReport), StepError> {
    let stage = Stage::new(settings.scheme, start, dt);
    let step = Step {
        model,
        start,
        stage: &stage,
        end_time: start.time + dt,
        acting: Acting::All,
        settings,
    };
    advance(&step, ws)
}

/// One backward Euler step from rest of size `dt`, s, at constant time and without a non-local fluid: large steps approach
/// equilibrium.
pub(crate) fn equilibrium_step(
    model: &Model,
    start: &State,
    dt: f64,
    settings: &StepSettings,
    ws: &mut Workspace,
) -> Result<(State, StepReport), StepError> {
    let mut rest = start.clone();
    rest.velocity.fill(0.0);
    rest.history = None;
    let stage = Stage::new(Scheme::BackwardEuler, &rest, dt).at(start.time);
    let step = Step {
        model,
        start: &rest,
        stage: &stage,
        end_time: start.time,
        acting: Acting::Conservative,
        settings,
    };
    let (mut state, report) = advance(&step, ws)?;
    state.velocity.fill(0.0);
    state.acceleration.fill(0.0);
    state.history = None;
    state.drag_watch = DragWatch::default();
    state.ledger = start.ledger.interrupted();
    state
        .hydrodynamic_force
        .clone_from(&start.hydrodynamic_force);
    Ok((state, report))
}
