//! What may help a step that failed.

use crate::solve::SolveError;
use crate::step::{Location, StepError};

/// What may help.
pub(super) fn remedy(cause: &StepError) -> &'static str {
    match cause {
        StepError::Crossed { .. } | StepError::Entered { .. } => {
            "a smaller smallest step, or slower prescribed motion"
        }
        StepError::BodyMeets { .. } => {
            "to keep them apart, to take one of them out of contact, or the integrator symplectic-projected with an engine that knows collisions, as rapier does"
        }
        StepError::EndPenetration { .. } => {
            "backward Euler or BDF2, which balance contact at the end of a step"
        }
        StepError::FrictionUnsettled { .. } => "a smaller step, or less friction on obstacles",
        StepError::OnlyRodsTouch => "the integrator symplectic-projected, or the contact model imc",
        StepError::RatesInMiddle => "the scheme bdf2",
        StepError::ExtrapolatedEnd => "backward Euler or BDF2, or the contact model imc",
        StepError::NotKeptApart { .. } => {
            "a smaller step, slower prescribed motion, or the contact model imc or ipc"
        }
        StepError::Penetration { .. } => "a smaller step, or a larger contact stiffness",
        StepError::SoftBarrier { .. } => "a smaller step, or slower prescribed motion",
        StepError::TightBarrier { .. } => {
            "a smaller step, slower prescribed motion, or more room between obstacles that close"
        }
        StepError::StartsInContact { .. } => {
            "to go on with imc, or to start from a state whose rods are apart"
        }
        StepError::Unstable { .. } => {
            "a step below that, coarser edges, or, without an engine that moves bodies, the integrator implicit"
        }
        StepError::LaggedDrag { solvable: true, .. } => {
            "a step of that size (time.step), or fluid.coupling = \"implicit\""
        }
        StepError::LaggedDrag { .. } => {
            "a step of that size (time.step), longer edges, or the local drag of fluid.model = \"resistive-force\""
        }
        StepError::StretchRemains { .. } | StepError::JointApart { .. } => {
            "slower prescribed motion, a smaller step, or, without an engine that moves bodies, the integrator implicit"
        }
        StepError::UnbalancedAngles { .. } => {
            "to hold an angle, or, without an engine that moves bodies, the integrator implicit"
        }
        StepError::StartsStretched { .. } => {
            "initial edges as long as at rest, or, without an engine that moves bodies, the integrator implicit"
        }
        StepError::Engine(_) => {
            "a smaller step, or, without an engine that moves bodies, the integrator implicit"
        }
        StepError::Unsupported(_) => "the integrator implicit, without an engine that moves bodies",
        StepError::Undetermined {
            place: Location::Joint(_),
        } => {
            "one joint less, or a ball in place of a hinge or a weld: hinges that close a loop in one plane all hold the same direction"
        }
        StepError::Undetermined { .. } => {
            "a smaller step, or a stiffness and a mass for every part of the rods"
        }
        StepError::BodyTurned { .. } => {
            "a smaller step, or a motion that begins where the body stands and turns it gradually"
        }
        StepError::MotorTurned { .. } => {
            "a smaller step, or an angle that begins where the joint stands (0) and rises from there"
        }
        StepError::NoEstimate(_) => "no accuracy",
        StepError::Inaccurate { .. } => "a larger time.accuracy, or a smaller smallest step",
        StepError::MadeEnergy { .. } => "a smaller step, or finer edges where the rod bends most",
        StepError::NotFinite { .. } | StepError::Kinematics(_) => {
            "a smaller step, finer edges where the rod bends most, or slower prescribed motion"
        }
        StepError::Solve(SolveError::TooDense { .. }) => {
            "fewer rods in one heap, or coarser edges where they lie on each other"
        }
        StepError::Interrupted => "the same again: it goes on",
        StepError::NotConverged(_) | StepError::Solve(_) => {
            "a smaller step, a looser tolerance, or finer edges where the residual is largest"
        }
    }
}
