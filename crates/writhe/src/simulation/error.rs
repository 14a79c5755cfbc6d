//! Why a run cannot go on.

use super::Jam;
use crate::step::StepError;

/// A run that cannot go on; the state is the last good one.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The step was halved to its lower bound and still failed.
    #[error(
        "step {} at t = {time:.6e} s failed even with a size of {dt:.2e} s: {cause}. Try {remedy}",
        .step + 1
    )]
    StepTooSmall {
        /// Accepted steps before.
        step: u64,
        /// Time of the last good state, s.
        time: f64,
        /// Last size tried, s.
        dt: f64,
        /// Why the last try failed.
        cause: StepError,
        /// What may help.
        remedy: &'static str,
    },
    /// A coil is jammed: what drives its rods can only wind them up. A result, which ends the run,
    /// and not a failure.
    #[error("jammed at t = {time:.6e} s, after step {step}: {jam}; no step could be made: {cause}")]
    Jammed {
        /// Accepted steps before.
        step: u64,
        /// Time of the last state, s.
        time: f64,
        /// Where, and how far.
        jam: Box<Jam>,
        /// Why no step could be made.
        cause: StepError,
    },
    /// A fixed step failed.
    #[error(
        "step {} at t = {time:.6e} s failed with its fixed size of {dt:.2e} s: {cause}. Try {remedy}",
        .step + 1
    )]
    FixedStep {
        /// Accepted steps before.
        step: u64,
        /// Time of the last good state, s.
        time: f64,
        /// Size, s.
        dt: f64,
        /// Why.
        cause: StepError,
        /// What may help.
        remedy: &'static str,
    },
    /// The first step of a run is beyond the limit of stability of lagged drag.
    #[error("{cause}. Try {remedy}")]
    LaggedDrag {
        /// The step and its limit.
        cause: StepError,
        /// What helps.
        remedy: &'static str,
    },
    /// Drag gives energy, step after step: what it drives is no motion of the rods but an
    /// instability of the steps.
    #[error(
        "the drag of the fluid gave energy in each of the last {gains} steps before t = {time:.6e} s, {gained:.1e} J in all, where it can only take: steps \
         of {dt:.2e} s are not stable. Try {remedy}"
    )]
    DragGivesEnergy {
        /// Steps in a row.
        gains: u32,
        /// Time of the last good state, s.
        time: f64,
        /// What it gave, J.
        gained: f64,
        /// Size of the last step, s.
        dt: f64,
        /// What may help.
        remedy: &'static str,
    },
    /// Nothing that smaller steps could change.
    #[error("{0}")]
    NotForIntegrator(StepError),
    /// No static equilibrium was reached.
    #[error(
        "no equilibrium after {steps} steps: the last one moved by {motion:.2e} radii; {remedy}"
    )]
    NotSettled {
        /// Pseudo-time steps done.
        steps: u32,
        /// Motion of the last, in radii.
        motion: f64,
        /// What may help.
        remedy: &'static str,
    },
    /// The contact model knows no static equilibrium.
    #[error(
        "contact forces of spillmann-teschner are found for a step in time and not for an equilibrium; settle with the contact model imc \
         or ipc, or damp the motion"
    )]
    NoStatics,
    /// A rod of which a part flows under any load.
    #[error(
        "rod {rod} has no equilibrium: a part of its stiffness relaxes wholly, so it flows under any load; let every `relaxing` share \
         be less than 1, or do not settle"
    )]
    Flows {
        /// The rod.
        rod: usize,
    },
    /// A [`Poll`](crate::solve::Poll) said stop: see [`Simulation::ask`](super::Simulation::ask).
    #[error("stopped on request at t = {time:.6e} s, after step {step}")]
    Interrupted {
        /// Accepted steps before.
        step: u64,
        /// Time of the last good state, s.
        time: f64,
    },
    /// The end time is not after the present.
    #[error("cannot run to t = {end:e} s: the state is at t = {time:e} s already")]
    EndBeforeNow {
        /// Wanted end, s.
        end: f64,
        /// Present time, s.
        time: f64,
    },
}
