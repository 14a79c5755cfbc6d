//! What friction is to be: coefficient, slip, what sticks, and how it enters a step.

use crate::error::ModelError;
use crate::error::{POSITIVE, check, positive};
use crate::kernels::friction::{SlipLaw, SlipOf, Stick};

/// Coulomb friction, whatever the model of normal contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    /// Coefficient mu; 0 for none.
    pub coefficient: f64,
    /// Slip tolerance nu, m/s: below it friction is less than mu N (T22 Eq. 17).
    pub slip_tolerance: f64,
    /// Whether surfaces slip, which turn with their sections; otherwise axes do (T22), and spin
    /// slips freely.
    pub on_twist: bool,
    /// How what sticks is held.
    pub stick: StaticFriction,
    /// Fully implicit, or with lagged normal forces.
    pub solved: FrictionSolve,
}

/// How friction holds what sticks.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum StaticFriction {
    /// Sticking by a slow slip, below the slip tolerance (T22).
    Creep,
    /// Sticking by a spring that remembers the slip since the contact began to stick: no creep.
    Anchor {
        /// Slip at which a contact slides, over the radius.
        presliding: f64,
    },
}

/// How friction enters the equations of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum FrictionSolve {
    /// Normal force, contact point and slip are those of the end of the step (T22).
    #[default]
    Implicit,
    /// Between rods, normal force and contact point are those of the start of the step, which gives
    /// friction a potential (Li et al. 2020).
    Lagged {
        /// Solves of a step, at least 1: each but the first takes both from the one before.
        rounds: u32,
    },
}

impl FrictionSolve {
    /// Solves of a step: 1 where friction is fully implicit.
    pub fn rounds(self) -> u32 {
        match self {
            Self::Implicit => 1,
            Self::Lagged { rounds } => rounds,
        }
    }
}

impl Default for Friction {
    /// No friction; of surfaces, slip tolerance 1e-4 m/s (T22).
    fn default() -> Self {
        Self {
            coefficient: 0.0,
            slip_tolerance: 1e-4,
            on_twist: true,
            stick: StaticFriction::Creep,
            solved: FrictionSolve::Implicit,
        }
    }
}

impl Friction {
    /// Friction with the coefficient mu and the default slip tolerance.
    pub fn coulomb(coefficient: f64) -> Self {
        Self {
            coefficient,
            ..Self::default()
        }
    }

    /// Friction with the coefficient mu, the default slip tolerance and normal forces from the
    /// start of the step.
    pub fn lagged(coefficient: f64) -> Self {
        Self {
            solved: FrictionSolve::Lagged { rounds: 1 },
            ..Self::coulomb(coefficient)
        }
    }

    /// The same with a slip tolerance larger by `factor`; what sticks by anchors has none.
    #[must_use]
    pub(crate) fn smoothed(self, factor: f64) -> Self {
        Self {
            slip_tolerance: factor * self.slip_tolerance,
            ..self
        }
    }

    /// Its law between surfaces of mean radius `radius`, m, at a stage `dt`, s, after the start of
    /// the step and `rest`, s, before its end.
    pub(crate) fn law(&self, radius: f64, [dt, rest]: [f64; 2]) -> SlipLaw {
        SlipLaw {
            coefficient: self.coefficient,
            of: if self.on_twist {
                SlipOf::Surfaces
            } else {
                SlipOf::Axes
            },
            stick: match self.stick {
                StaticFriction::Creep => Stick::Creep {
                    tolerance: self.slip_tolerance,
                },
                StaticFriction::Anchor { presliding } => Stick::Anchor {
                    length: presliding * radius,
                    dt,
                    rest,
                },
            },
            directions: [None; 2],
        }
    }

    pub(crate) fn check(&self) -> Result<(), ModelError> {
        let Self {
            coefficient: mu,
            slip_tolerance: nu,
            ..
        } = *self;
        let friction = "finite and not negative";
        check(
            "friction coefficient",
            mu,
            mu.is_finite() && mu >= 0.0,
            friction,
        )?;
        check("slip tolerance", nu, positive(nu), POSITIVE)?;
        let rounds = self.solved.rounds();
        check(
            "friction rounds",
            f64::from(rounds),
            (1..=100).contains(&rounds),
            "between 1 and 100",
        )?;
        match self.stick {
            StaticFriction::Creep => Ok(()),
            StaticFriction::Anchor { presliding } => {
                check(
                    "presliding",
                    presliding,
                    presliding > 0.0 && presliding < 0.5,
                    "between 0 and 0.5 (it is relative to the radius)",
                )?;
                check(
                    "presliding",
                    presliding,
                    self.solved == FrictionSolve::Implicit,
                    "left out: static friction by anchors is solved for, friction that lags has no memory",
                )
            }
        }
    }
}
