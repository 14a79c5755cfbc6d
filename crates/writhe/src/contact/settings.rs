//! Which contact model, and its parameters.

use super::friction::{SlipLaw, SlipOf, Stick};
use super::imc::ImcLaw;
use super::imc_smooth::{ContactJacobian, ImcSmoothSettings};
use super::ipc::{self, IpcSettings};
use super::law::NormalLaw;
use super::spillmann_teschner::SpillmannTeschnerSettings;
use crate::model::{Model, ModelError};

/// How rods touch.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum ContactModel {
    /// Rods pass through each other freely. For tests and for scenes where nothing can touch.
    #[default]
    None,
    /// Implicit Contact Model (T22).
    Imc(ImcSettings),
    /// Contact by the smoothed distance (C21).
    ImcSmooth(ImcSmoothSettings),
    /// Incremental Potential Contact (Li et al. 2020): a barrier, and gaps that never close.
    Ipc(IpcSettings),
    /// Forces found by solving the step again (Spillmann and Teschner 2008).
    SpillmannTeschner(SpillmannTeschnerSettings),
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

/// Coulomb friction, whatever the model of normal contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    /// Coefficient mu; 0 for none.
    pub coefficient: f64,
    /// Slip tolerance nu, m/s: below it friction is less than mu N (T22 Eq. 17).
    pub slip_tolerance: f64,
    /// Whether surfaces slip, which turn with their sections; otherwise axes do (T22), and spin slips freely.
    pub on_twist: bool,
    /// How what sticks is held.
    pub stick: StaticFriction,
    /// Fully implicit, or with lagged normal forces.
    pub solved: FrictionSolve,
}

/// How friction holds what sticks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StaticFriction {
    /// By a slow slip, below the slip tolerance (T22).
    Creep,
    /// By a spring that remembers the slip since the contact began to stick: no creep.
    Anchor {
        /// Slip at which a contact slides, over the radius.
        presliding: f64,
    },
}

/// How friction enters the equations of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FrictionSolve {
    /// Normal force, contact point and slip are those of the end of the step (T22).
    #[default]
    Implicit,
    /// Between rods, normal force and contact point are those of the start of the step, which gives friction a potential (Li et al.
    /// 2020).
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

    /// Friction with the coefficient mu, the default slip tolerance and normal forces from the start of the step.
    pub fn lagged(coefficient: f64) -> Self {
        Self {
            solved: FrictionSolve::Lagged { rounds: 1 },
            ..Self::coulomb(coefficient)
        }
    }

    /// Its law between surfaces of mean radius `radius`, m, at a stage `dt`, s, after the start of the step and `rest`, s, before its
    /// end.
    pub fn law(&self, radius: f64, [dt, rest]: [f64; 2]) -> SlipLaw {
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
        }
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
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

impl ImcSettings {
    fn check(&self) -> Result<(), ModelError> {
        check_tolerance(self.tolerance)?;
        self.stiffness.check()?;
        self.friction.check()
    }
}

impl Stiffness {
    pub(super) fn check(&self) -> Result<(), ModelError> {
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
        match self {
            Self::None => Ok(()),
            Self::Imc(settings) => settings.check(),
            Self::ImcSmooth(settings) => settings.check(),
            Self::Ipc(settings) => settings.check(),
            Self::SpillmannTeschner(settings) => settings.check(),
        }
    }

    /// Friction between rods by the velocities of the trial, if it acts.
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
            // C21's friction lags a step behind.
            Self::None | Self::ImcSmooth(_) | Self::SpillmannTeschner(_) => None,
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
            Self::ImcSmooth(settings) => Some(settings.law(radius, stiffness)),
            Self::Ipc(settings) => Some(settings.law(radius, stiffness)),
            Self::SpillmannTeschner(_) => Some(NormalLaw::Touching),
        }
    }

    /// Whether the stiffness is raised where rods penetrate too deep.
    pub fn raises_stiffness(&self) -> bool {
        self.stiffness_is_automatic() && !self.is_barrier()
    }

    /// Whether the stiffness is chosen by the program.
    pub fn stiffness_is_automatic(&self) -> bool {
        self.stiffness_rule() == Some(Stiffness::Automatic)
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

    /// How friction enters the equations of a step, by the settings.
    pub fn friction_solve(&self) -> FrictionSolve {
        self.any_friction()
            .map_or(FrictionSolve::Implicit, |f| f.solved)
    }

    /// Whether friction that is solved for could lag instead.
    pub fn friction_can_lag(&self) -> bool {
        self.any_friction().is_some()
            && self.friction_solve() == FrictionSolve::Implicit
            && !self.remembers()
    }

    /// Whether contacts remember how they stuck; such friction cannot lag.
    pub fn remembers(&self) -> bool {
        self.any_friction()
            .is_some_and(|f| f.stick != StaticFriction::Creep)
    }

    /// Whether rods rub on each other; what does so without a lag has no potential.
    pub fn rubs(&self) -> bool {
        match self {
            Self::ImcSmooth(s) => s.friction.coefficient > 0.0,
            Self::SpillmannTeschner(s) => s.friction.coefficient > 0.0,
            _ => self.friction().is_some(),
        }
    }

    /// Refuses obstacles that the model does not know how to touch; `rough` says whether one has a friction coefficient of its own.
    pub(crate) fn check_obstacles(&self, rough: bool) -> Result<(), ModelError> {
        match self {
            Self::SpillmannTeschner(_) => Err(ModelError::Pairing {
                first: "the contact model spillmann-teschner",
                second: "obstacles",
                remedy: "take another contact model",
            }),
            Self::ImcSmooth(_) if rough || self.rubs() => Err(ModelError::Pairing {
                first: "the contact model imc-smooth with friction, which is between rods only,",
                second: "obstacles",
                remedy: "leave out friction or take another contact model",
            }),
            _ => Ok(()),
        }
    }

    /// Newton iterations whose matrix leaves the derivatives of contact forces out.
    pub fn iterations_without(&self) -> u32 {
        match self {
            Self::ImcSmooth(ImcSmoothSettings {
                jacobian: ContactJacobian::Hybrid { omega },
                ..
            }) => *omega,
            _ => 0,
        }
    }

    /// Whether contact is a matter of the end of a step, so that a midpoint step cannot have it.
    pub fn needs_end(&self) -> bool {
        matches!(
            self,
            Self::ImcSmooth(_) | Self::Ipc(_) | Self::SpillmannTeschner(_)
        )
    }

    /// Whether forces depend on how fast rods approach, so that there is no static equilibrium to settle into.
    pub fn is_impulsive(&self) -> bool {
        matches!(self, Self::SpillmannTeschner(_))
    }

    /// Rule for the penalty stiffness.
    pub fn stiffness_rule(&self) -> Option<Stiffness> {
        match self {
            Self::None | Self::SpillmannTeschner(_) => None,
            Self::Imc(s) => Some(s.stiffness),
            Self::ImcSmooth(s) => Some(s.stiffness),
            Self::Ipc(s) => Some(s.stiffness),
        }
    }

    /// Factor on the stiffness that brings a penetration of `depth` back to `wanted`, both over the radius, under the same force.
    pub(crate) fn raise(&self, depth: f64, wanted: f64) -> f64 {
        match self {
            Self::ImcSmooth(s) => match s.law(1.0, 1.0) {
                // Squared: an impact needs more than the balance of forces.
                NormalLaw::ImcSmooth(law) => law.raise(depth, wanted).powi(2).max(1.25),
                _ => 1.0,
            },
            _ => (depth / wanted).min(100.0),
        }
    }

    /// Stiffness of the first step, N m: for `Automatic` one that carries a force of `1e-5 EI/h^2` at 0.3 % penetration, with C21's
    /// energy where the surfaces touch, with a barrier where pairs should rest.
    pub(crate) fn first_stiffness(&self, model: &Model) -> f64 {
        let scale = match (self.stiffness_rule(), self) {
            (None, _) => return 0.0,
            (Some(Stiffness::Given(k)), _) => return k,
            (_, Self::ImcSmooth(_)) => 2e-5,
            (_, Self::Ipc(s)) => ipc::stiffness_for(1e-5, 1.0, s.tolerance),
            _ => 2e-3,
        };
        let stiffness = model.bending_stiffness.iter().zip(&model.radius);
        stiffness.map(|(ei, h)| scale * ei / h).fold(0.0, f64::max)
    }
}

pub(super) fn check_tolerance(tolerance: f64) -> Result<(), ModelError> {
    check(
        "contact tolerance",
        tolerance,
        tolerance > 0.0 && tolerance < 0.5,
        "between 0 and 0.5 (it is relative to the radius)",
    )
}

pub(super) const POSITIVE: &str = "finite and greater than zero";

pub(super) fn positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

pub(super) fn check(
    key: &'static str,
    value: f64,
    good: bool,
    need: &'static str,
) -> Result<(), ModelError> {
    if good {
        Ok(())
    } else {
        Err(ModelError::Setting { key, value, need })
    }
}
