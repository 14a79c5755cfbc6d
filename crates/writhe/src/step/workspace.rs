//! Storage that steps use again.

use super::correction::Matrix;
use super::drag::Drag;
use super::drag::prepare::FluidForce;
use super::error::StepError;
use super::pace::{Pace, SharedTime};
use super::phases::Phases;
use super::problem::{Evaluation, Problem};
use super::residual::Residual;
use super::symplectic::{Projection, Quasistatic};
use crate::contact::ContactFrame;
use crate::contact::sweep::Sweep;
use crate::model::Model;
use crate::rod::Kinematics;
use crate::solve::Poll;

/// Disposable storage of a step; a step gives the same bits with a fresh one.
#[derive(Debug)]
pub struct Workspace {
    pub(super) matrix: Matrix,
    pub(super) drag: Drag,
    pub(super) evaluation: Evaluation,
    pub(super) phases: Phases,
    pub(super) sweep: Sweep,
    pub(super) kinematics: Kinematics,
    pub(super) quasistatic: Quasistatic,
    pub(super) projection: Projection,
    pub(super) poll: Poll,
    pub(super) pace: Pace,
}

/// What the end of a step is looked at with.
pub(super) struct Checks<'a> {
    pub sweep: &'a mut Sweep,
    /// At the end.
    pub kinematics: &'a mut Kinematics,
    pub phases: &'a mut Phases,
}

impl Checks<'_> {
    /// What crossings are looked for with.
    pub fn crossings(&mut self) -> (&mut Sweep, &mut Phases) {
        (self.sweep, self.phases)
    }
}

impl Workspace {
    /// Storage for steps of `model`.
    pub fn new(model: &Model) -> Self {
        Self {
            matrix: Matrix::new(model),
            drag: Drag::default(),
            evaluation: Evaluation::default(),
            phases: Phases::default(),
            sweep: Sweep::default(),
            kinematics: Kinematics::default(),
            quasistatic: Quasistatic::default(),
            projection: Projection::default(),
            poll: Poll::default(),
            pace: Pace::default(),
        }
    }

    /// Steps are to ask `poll` whether to go on.
    pub fn ask(&mut self, poll: Poll) {
        self.matrix.system.poll = poll.clone();
        self.projection.poll = poll.clone();
        self.quasistatic.poll = poll.clone();
        self.poll = poll;
    }

    /// The equation of a step, the matrix that it is solved with, and what its end is checked with.
    pub(super) fn split<'a>(
        &'a mut self,
        problem: Problem<'a>,
        contact: ContactFrame,
        fluid: FluidForce,
    ) -> (Residual<'a>, &'a mut Matrix, Checks<'a>) {
        let residual = Residual {
            problem,
            contact,
            fluid,
            mobility: &self.drag,
            at: &mut self.evaluation,
            poll: &self.poll,
        };
        let checks = Checks {
            sweep: &mut self.sweep,
            kinematics: &mut self.kinematics,
            phases: &mut self.phases,
        };
        (residual, &mut self.matrix, checks)
    }

    /// Goes on unless the step should stop.
    pub(super) fn check_poll(&self) -> Result<(), StepError> {
        Ok(self.poll.check()?)
    }

    /// Time of steps whose work several threads could share, and of those that one made.
    pub fn shared_time(&self) -> SharedTime {
        self.pace.shared()
    }

    /// Time spent in each part of the steps so far.
    pub fn phases(&self) -> Phases {
        let of_parts = [self.evaluation.phases, self.matrix.phases];
        of_parts.into_iter().fold(self.phases, Phases::and)
    }
}
