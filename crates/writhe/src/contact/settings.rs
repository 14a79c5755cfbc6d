//! Which contact model, and its parameters.

use super::friction::{SlipLaw, SlipOf, Stick};
use super::imc::ImcLaw;
use super::ipc::{self, IpcLaw};
use super::law::NormalLaw;
use crate::model::{Model, ModelError};

/// How rods touch.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum ContactModel {
    /// Rods pass through each other freely. For tests and for scenes where nothing can touch.
    #[default]
    None,
    /// Implicit Contact Model (T22).
    Imc(ImcSettings),
    /// Incremental Potential Contact (Li et al. 2020): a barrier, and gaps that never close.
    Ipc(IpcSettings),
}

/// Parameters of the Implicit Contact Model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImcSettings {
    /// Contact tolerance delta over the radius h: forces act from a gap of `delta` on (T22 Eq. 9).
    pub tolerance: f64,
    /// Penalty stiffness.
    pub stiffness: Stiffness,
    /// Friction.
    pub friction: Friction,
}

/// Parameters of Incremental Potential Contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IpcSettings {
    /// Range of the barrier over the radius h: forces act from this gap on.
    pub tolerance: f64,
    /// Stiffness of the barrier. `Automatic` chooses where in its range rods rest; it is no matter of accuracy.
    pub stiffness: Stiffness,
    /// Friction.
    pub friction: Friction,
}

/// Coulomb friction, whatever the model of normal contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    /// Coefficient mu; 0 for none.
    pub coefficient: f64,
    /// Slip tolerance nu, m/s: below it friction is less than mu N (T22 Eq. 17).
    pub slip_tolerance: f64,
    /// Whether surfaces slip, which turn with their sections; otherwise axes do (T22), and spin slips freely.
    pub on_twist: bool,
    /// Fully implicit, or with lagged normal forces.
    pub solved: FrictionSolve,
}

/// How friction enters the equations of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FrictionSolve {
    /// Normal force, contact point and slip are those of the end of the step (T22).
    #[default]
    Implicit,
    /// Normal force and contact point are those of the start of the step, which gives friction a potential (Li et al. 2020).
    Lagged {
        /// Solves of a step, at least 1: each but the first takes both from the one before.
        rounds: u32,
    },
}

/// Rule for the penalty stiffness k, N m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stiffness {
    /// For penalties raised, and the step repeated, whenever the rods penetrate by more than 0.3 % of the radius; for a barrier
    /// changed from step to step so that gaps stay in the middle of its range.
    Automatic,
    /// A given value, N m.
    Given(f64),
    /// T22 Eq. B.5: `k = scale x max |nodal force without contact|` once a step; the unit of `scale` is m.
    LargestForce {
        /// Factor `s`, m; T22 has 1e5 in its own scaling.
        scale: f64,
    },
}

impl Default for Friction {
    /// None; of surfaces, slip tolerance 1e-4 m/s (T22).
    fn default() -> Self {
        Self {
            coefficient: 0.0,
            slip_tolerance: 1e-4,
            on_twist: true,
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

    /// Its law.
    pub fn law(&self) -> SlipLaw {
        SlipLaw {
            coefficient: self.coefficient,
            of: if self.on_twist {
                SlipOf::Surfaces
            } else {
                SlipOf::Axes
            },
            stick: Stick::Creep {
                tolerance: self.slip_tolerance,
            },
        }
    }

    fn check(&self) -> Result<(), ModelError> {
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
        let rounds = self.rounds();
        let need = "between 1 and 100";
        check(
            "friction rounds",
            f64::from(rounds),
            (1..=100).contains(&rounds),
            need,
        )
    }

    /// Friction with the coefficient mu, the default slip tolerance and normal forces from the start of the step.
    pub fn lagged(coefficient: f64) -> Self {
        Self {
            solved: FrictionSolve::Lagged { rounds: 1 },
            ..Self::coulomb(coefficient)
        }
    }

    /// Solves of a step: 1 where friction is fully implicit.
    pub fn rounds(&self) -> u32 {
        match self.solved {
            FrictionSolve::Implicit => 1,
            FrictionSolve::Lagged { rounds } => rounds,
        }
    }

    /// Whether normal forces are lagged.
    pub fn is_lagged(&self) -> bool {
        self.solved != FrictionSolve::Implicit
    }
}

impl Default for ImcSettings {
    /// Frictionless, delta = 0.01 h, automatic stiffness.
    fn default() -> Self {
        Self {
            tolerance: 0.01,
            stiffness: Stiffness::Automatic,
            friction: Friction::default(),
        }
    }
}

impl Default for IpcSettings {
    /// Frictionless, from a gap of 0.01 h on, automatic stiffness; friction would be lagged.
    fn default() -> Self {
        Self {
            tolerance: 0.01,
            stiffness: Stiffness::Automatic,
            friction: Friction::lagged(0.0),
        }
    }
}

fn check_tolerance(tolerance: f64) -> Result<(), ModelError> {
    check(
        "contact tolerance",
        tolerance,
        tolerance > 0.0 && tolerance < 0.5,
        "between 0 and 0.5 (it is relative to the radius)",
    )
}

impl Stiffness {
    fn check(&self) -> Result<(), ModelError> {
        match *self {
            Self::Automatic => Ok(()),
            Self::Given(k) | Self::LargestForce { scale: k } => {
                check("contact stiffness", k, positive(k), POSITIVE)
            }
        }
    }
}

impl ContactModel {
    /// Checks that every parameter is in range.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn check(&self) -> Result<(), ModelError> {
        let (tolerance, stiffness, friction) = match self {
            Self::None => return Ok(()),
            Self::Imc(s) => (s.tolerance, s.stiffness, s.friction),
            Self::Ipc(s) => (s.tolerance, s.stiffness, s.friction),
        };
        check_tolerance(tolerance)?;
        stiffness.check()?;
        friction.check()
    }

    /// Rule for the stiffness; `None` without contact.
    pub fn stiffness_rule(&self) -> Option<Stiffness> {
        match self {
            Self::None => None,
            Self::Imc(settings) => Some(settings.stiffness),
            Self::Ipc(settings) => Some(settings.stiffness),
        }
    }

    /// Whether gaps must stay positive, at every iterate: energies are infinite where surfaces touch.
    pub fn is_barrier(&self) -> bool {
        matches!(self, Self::Ipc(_))
    }

    /// Gap to start from between surfaces of mean radius `radius`, m: 0 for models in which they may touch.
    pub fn starting_gap(&self, radius: f64) -> f64 {
        match self.law(radius, 1.0) {
            Some(law) if self.is_barrier() => ipc::RESTING_GAP * law.range(),
            _ => 0.0,
        }
    }

    /// Friction between rods, if it acts.
    pub fn friction(&self) -> Option<&Friction> {
        self.any_friction().filter(|f| f.coefficient > 0.0)
    }

    /// Friction with an obstacle that may have a coefficient of its own, if it acts.
    pub fn friction_with(&self, coefficient: Option<f64>) -> Option<Friction> {
        let friction = *self.any_friction()?;
        let coefficient = coefficient.unwrap_or(friction.coefficient);
        (coefficient > 0.0).then_some(Friction {
            coefficient,
            ..friction
        })
    }

    fn any_friction(&self) -> Option<&Friction> {
        match self {
            Self::None => None,
            Self::Imc(settings) => Some(&settings.friction),
            Self::Ipc(settings) => Some(&settings.friction),
        }
    }

    /// The law between surfaces of mean radius `radius`, m, with this step's stiffness, N m; `None` without contact.
    pub fn law(&self, radius: f64, stiffness: f64) -> Option<NormalLaw> {
        match self {
            Self::None => None,
            Self::Imc(settings) => Some(NormalLaw::Imc(ImcLaw {
                scale: radius,
                tolerance: settings.tolerance * radius,
                stiffness,
            })),
            Self::Ipc(settings) => Some(NormalLaw::Ipc(IpcLaw {
                scale: radius,
                range: settings.tolerance * radius,
                stiffness,
            })),
        }
    }

    /// Whether the stiffness is chosen here.
    pub fn stiffness_is_automatic(&self) -> bool {
        self.stiffness_rule() == Some(Stiffness::Automatic)
    }

    /// Whether the stiffness is raised where rods penetrate too deep.
    pub fn raises_stiffness(&self) -> bool {
        self.stiffness_is_automatic() && !self.is_barrier()
    }

    /// Stiffness of the first step, N m: for `Automatic` one that carries a force of `1e-5 EI/h^2` at 0.3 % penetration, or where
    /// a barrier's pair should rest.
    pub(crate) fn first_stiffness(&self, model: &Model) -> f64 {
        let sections = model.bending_stiffness.iter().zip(&model.radius);
        match (self, self.stiffness_rule()) {
            (Self::None, _) | (_, None) => 0.0,
            (_, Some(Stiffness::Given(k))) => k,
            (Self::Imc(_), _) => sections.map(|(ei, h)| 2e-3 * ei / h).fold(0.0, f64::max),
            (Self::Ipc(s), _) => sections
                .map(|(ei, h)| ipc::stiffness_for(1e-5 * ei / (h * h), *h, s.tolerance * h))
                .fold(0.0, f64::max),
        }
    }

    /// Largest stiffness that is chosen for a barrier, N m: what carries several times the force EA where pairs should rest.
    pub(crate) fn largest_stiffness(&self, model: &Model) -> f64 {
        let sections = model.stretching.iter().zip(&model.radius);
        sections.map(|(ea, h)| 1e2 * ea * h).fold(0.0, f64::max)
    }
}

const POSITIVE: &str = "finite and greater than zero";

fn positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

fn check(key: &'static str, value: f64, good: bool, need: &'static str) -> Result<(), ModelError> {
    if good {
        Ok(())
    } else {
        Err(ModelError::Setting { key, value, need })
    }
}
