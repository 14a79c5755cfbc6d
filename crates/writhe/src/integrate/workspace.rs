//! Storage that steps use again.

use super::drag::{Drag, LaggedForce};
use super::error::StepError;
use super::phases::Phases;
use super::problem::Evaluation;
use super::symplectic::{Projection, Quasistatic};
use super::system::System;
use crate::contact::ContactStep;
use crate::contact::sweep::Sweep;
use crate::model::Model;
use crate::rod::Kinematics;
use crate::solve::Poll;
use crate::solve::krylov::KrylovWorkspace;

/// Disposable storage of a step; a step gives the same bits with a fresh one.
#[derive(Debug)]
pub struct Workspace {
    pub(super) system: System,
    pub(super) drag: Drag,
    pub(super) krylov: KrylovWorkspace,
    pub(super) contact: ContactStep,
    pub(super) evaluation: Evaluation,
    pub(super) phases: Phases,
    /// `u + B F` at the last trial, m/s, `(3 nodes)`.
    pub(super) slip: Vec<f64>,
    /// Lagged hydrodynamic force.
    pub(super) lagged_drag: Option<LaggedForce>,
    /// Whether the drag is solved for.
    pub(super) coupled: bool,
    pub(super) sweep: Sweep,
    pub(super) kinematics: Kinematics,
    pub(super) quasistatic: Quasistatic,
    pub(super) projection: Projection,
    pub(super) poll: Poll,
}

impl Workspace {
    /// Storage for steps of `model`.
    pub fn new(model: &Model) -> Self {
        Self {
            system: System::new(model),
            drag: Drag::default(),
            krylov: KrylovWorkspace::default(),
            contact: ContactStep::default(),
            evaluation: Evaluation::default(),
            phases: Phases::default(),
            slip: Vec::new(),
            lagged_drag: None,
            coupled: false,
            sweep: Sweep::default(),
            kinematics: Kinematics::default(),
            quasistatic: Quasistatic::default(),
            projection: Projection::default(),
            poll: Poll::default(),
        }
    }

    /// Steps are to ask `poll` whether to go on.
    pub fn ask(&mut self, poll: Poll) {
        self.system.poll = poll.clone();
        self.projection.poll = poll.clone();
        self.quasistatic.poll = poll.clone();
        self.poll = poll;
    }

    /// Goes on unless the step should stop.
    pub(super) fn check_poll(&self) -> Result<(), StepError> {
        Ok(self.poll.check()?)
    }

    /// Time spent in each part of the steps so far.
    pub fn phases(&self) -> Phases {
        self.phases
    }
}
