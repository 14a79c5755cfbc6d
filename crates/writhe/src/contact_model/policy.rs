//! What each contact model asks of the steps around it, and what it goes with: the only table of
//! it.
//!
//! A new model is a variant of [`ContactModel`], its settings, and a row in
//! [`ContactModel::policy`]; the compiler asks for the rest.

use crate::contact_model::imc_smooth::{ContactJacobian, ImcSmoothSettings};
use crate::contact_model::ipc;
use crate::contact_model::lagged_friction::LaggedFriction;
use crate::contact_model::settings::{ContactModel, Stiffness};
use crate::contact_model::spillmann_teschner::SpillmannTeschnerSettings;
use crate::kernels::friction::{Friction, FrictionSolve, StaticFriction};

/// The answers of a contact model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPolicy {
    /// Where normal forces come from.
    pub(crate) forces: NormalForces,
    /// Whether gaps must stay positive at every iterate: energies are infinite where surfaces
    /// touch.
    pub barrier: bool,
    /// Whether contact is a matter of the end of a step, so that a midpoint step cannot have it.
    pub needs_end: bool,
    /// How stiff it is; `None` without a stiffness.
    pub(crate) stiffness: Option<StiffnessPolicy>,
    /// How rods rub on each other.
    pub(crate) friction: FrictionPolicy,
    /// Which obstacles rods may touch.
    pub(crate) obstacles: ObstaclePolicy,
    /// Whether rods may touch rigid bodies.
    pub bodies: bool,
    /// Which integrators know it.
    pub integrators: Integrators,
    /// Newton iterations whose matrix leaves the derivatives of contact forces out (C21's hybrid).
    pub iterations_without: u32,
}

/// Where normal forces come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum NormalForces {
    /// Rods do not touch.
    Absent,
    /// An energy of the gap between surfaces, by [`ContactModel::law`].
    OfGap,
    /// An energy of the smoothed distance (C21).
    OfSmoothedDistance(ImcSmoothSettings),
    /// Forces for which the step is solved again. They depend on how fast rods approach, so there
    /// is no static equilibrium.
    Impulses(SpillmannTeschnerSettings),
}

/// How stiff contact is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StiffnessPolicy {
    /// The user's rule.
    pub rule: Stiffness,
    /// Automatic stiffness of the first step.
    pub first: FirstStiffness,
    /// What automatic stiffness follows.
    pub automatic: AutomaticStiffness,
}

/// Automatic stiffness of the first step: it carries a force of about `1e-5 EI/h^2` at 0.3 %
/// penetration, with C21's energy where the surfaces touch, with a barrier where pairs should rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FirstStiffness {
    /// Stiffness of a penalty, over `EI/h`.
    Penalty(f64),
    /// Stiffness of a barrier.
    Barrier {
        /// Its range over the radius.
        tolerance: f64,
    },
}

/// What automatic stiffness follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AutomaticStiffness {
    /// The depth: raised, and the step repeated, where rods penetrate too deep.
    Depth,
    /// C21's rule from step to step, and the depth.
    Approach,
    /// The load: gaps are kept in the middle of a barrier's range.
    Load,
}

/// How rods rub on each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FrictionPolicy {
    /// No friction.
    Absent,
    /// Friction by the slip of the trial; obstacles may have a coefficient of their own.
    OfTrial(Friction),
    /// Friction by the slip of the step before, between rods only.
    OfStepBefore(LaggedFriction),
}

/// Which obstacles rods may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ObstaclePolicy {
    /// Obstacles without friction.
    Smooth,
    /// All obstacles.
    All,
}

/// Which integrators know a contact model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integrators {
    /// Implicit steps.
    Implicit,
    /// Implicit and explicit steps.
    All,
}

impl ContactModel {
    /// The row of this model. It is made of constants and settings alone, so it may be asked for
    /// anywhere.
    pub fn policy(&self) -> ContactPolicy {
        match self {
            Self::None => ContactPolicy {
                forces: NormalForces::Absent,
                barrier: false,
                needs_end: false,
                stiffness: None,
                friction: FrictionPolicy::Absent,
                // Refused with a message of their own.
                obstacles: ObstaclePolicy::All,
                bodies: false,
                integrators: Integrators::All,
                iterations_without: 0,
            },
            Self::Imc(settings) => ContactPolicy {
                forces: NormalForces::OfGap,
                barrier: false,
                needs_end: false,
                stiffness: Some(StiffnessPolicy {
                    rule: settings.stiffness,
                    // F = 2 k depth/h^2, k = 2e-3 EI/h: 1.2e-5 EI/h^2 at a depth of 0.003 h
                    first: FirstStiffness::Penalty(2e-3),
                    automatic: AutomaticStiffness::Depth,
                }),
                friction: FrictionPolicy::OfTrial(settings.friction),
                obstacles: ObstaclePolicy::All,
                bodies: true,
                integrators: Integrators::Implicit,
                iterations_without: 0,
            },
            Self::ImcSmooth(settings) => ContactPolicy {
                forces: NormalForces::OfSmoothedDistance(*settings),
                barrier: false,
                needs_end: true,
                stiffness: Some(StiffnessPolicy {
                    rule: settings.stiffness,
                    // F = k/(2 h) where surfaces touch: 1e-5 EI/h^2
                    first: FirstStiffness::Penalty(2e-5),
                    automatic: AutomaticStiffness::Approach,
                }),
                friction: FrictionPolicy::OfStepBefore(settings.friction),
                obstacles: ObstaclePolicy::Smooth,
                bodies: false,
                integrators: Integrators::Implicit,
                iterations_without: match settings.jacobian {
                    ContactJacobian::Full => 0,
                    ContactJacobian::Hybrid { omega } => omega,
                },
            },
            Self::Ipc(settings) => ContactPolicy {
                forces: NormalForces::OfGap,
                barrier: true,
                needs_end: true,
                stiffness: Some(StiffnessPolicy {
                    rule: settings.stiffness,
                    first: FirstStiffness::Barrier {
                        tolerance: settings.tolerance,
                    },
                    automatic: AutomaticStiffness::Load,
                }),
                friction: FrictionPolicy::OfTrial(settings.friction),
                obstacles: ObstaclePolicy::All,
                bodies: false,
                integrators: Integrators::Implicit,
                iterations_without: 0,
            },
            Self::SpillmannTeschner(settings) => ContactPolicy {
                forces: NormalForces::Impulses(*settings),
                barrier: false,
                needs_end: true,
                stiffness: None,
                friction: FrictionPolicy::OfStepBefore(settings.friction),
                // In explicit steps; implicit ones refuse both.
                obstacles: ObstaclePolicy::All,
                bodies: true,
                integrators: Integrators::All,
                iterations_without: 0,
            },
        }
    }
}

impl ContactPolicy {
    /// Whether rods may touch at all.
    pub fn acts(&self) -> bool {
        self.forces != NormalForces::Absent
    }

    /// Whether forces depend on how fast rods approach, so that there is no static equilibrium to
    /// settle into.
    pub fn impulsive(&self) -> bool {
        matches!(self.forces, NormalForces::Impulses(_))
    }

    /// What automatic stiffness follows, if the program chooses the stiffness.
    pub(crate) fn automatic_stiffness(&self) -> Option<AutomaticStiffness> {
        let automatic = |s: &StiffnessPolicy| s.rule == Stiffness::Automatic;
        self.stiffness.filter(automatic).map(|s| s.automatic)
    }

    /// Stiffness of the first step, N m, of rods with these bending stiffnesses, N m^2, and radii,
    /// m, both `(edges)`; 0 without one.
    pub(crate) fn first_stiffness(&self, bending_stiffness: &[f64], radius: &[f64]) -> f64 {
        let Some(StiffnessPolicy { rule, first, .. }) = self.stiffness else {
            return 0.0;
        };
        if let Stiffness::Given(k) = rule {
            return k;
        }
        let first = match first {
            FirstStiffness::Penalty(first) => first,
            FirstStiffness::Barrier { tolerance } => ipc::stiffness_for(1e-5, 1.0, tolerance),
        };
        // In units of EI/h; of different rods the stiffest one counts.
        let stiffness = bending_stiffness.iter().zip(radius);
        stiffness.map(|(ei, h)| first * ei / h).fold(0.0, f64::max)
    }

    /// Whether rods rub on each other; what does so without a lag has no potential.
    pub(crate) fn has_friction(&self) -> bool {
        match self.friction {
            FrictionPolicy::Absent => false,
            FrictionPolicy::OfTrial(friction) => friction.coefficient > 0.0,
            FrictionPolicy::OfStepBefore(friction) => friction.coefficient > 0.0,
        }
    }

    /// How friction enters the equations of a step, by the settings.
    pub fn friction_solve(&self) -> FrictionSolve {
        match self.friction {
            FrictionPolicy::OfTrial(friction) => friction.solved,
            FrictionPolicy::Absent | FrictionPolicy::OfStepBefore(_) => FrictionSolve::Implicit,
        }
    }

    /// Whether contacts remember how they stuck; such friction cannot lag.
    pub fn remembers(&self) -> bool {
        match self.friction {
            FrictionPolicy::OfTrial(friction) => friction.stick != StaticFriction::Creep,
            FrictionPolicy::Absent | FrictionPolicy::OfStepBefore(_) => false,
        }
    }

    /// How friction enters where a step asks for `wanted`: as it says, unless contacts remember how
    /// they stuck.
    pub(crate) fn friction_in_place(&self, wanted: FrictionSolve) -> FrictionSolve {
        match self.remembers() {
            // What is remembered is the slip of implicit friction only (decision 0011).
            true => self.friction_solve(),
            false => wanted,
        }
    }

    /// Whether friction that is solved for could lag instead.
    pub(crate) fn friction_can_lag(&self) -> bool {
        match self.friction {
            FrictionPolicy::OfTrial(friction) => {
                friction.solved == FrictionSolve::Implicit && !self.remembers()
            }
            FrictionPolicy::Absent | FrictionPolicy::OfStepBefore(_) => false,
        }
    }
}

impl ContactModel {
    /// Friction between rods by the slip of the trial, if it acts.
    pub fn friction(&self) -> Option<Friction> {
        self.friction_with(None)
    }

    /// Friction by the slip of the trial with an obstacle that may have a coefficient of its own,
    /// if it acts.
    pub(crate) fn friction_with(&self, coefficient: Option<f64>) -> Option<Friction> {
        let FrictionPolicy::OfTrial(friction) = self.policy().friction else {
            return None;
        };
        let coefficient = coefficient.unwrap_or(friction.coefficient);
        (coefficient > 0.0).then_some(Friction {
            coefficient,
            ..friction
        })
    }
}
