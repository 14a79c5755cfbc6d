//! Which contact model, and its parameters.

use crate::contact_model::imc::ImcSettings;
use crate::contact_model::imc_smooth::ImcSmoothSettings;
use crate::contact_model::ipc::{self, IpcSettings};
use crate::contact_model::law::NormalLaw;
use crate::contact_model::policy::ObstaclePolicy;
use crate::contact_model::spillmann_teschner::SpillmannTeschnerSettings;
use crate::error::{ModelError, POSITIVE, check, positive};

/// How rods touch.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
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

/// Rule for the penalty stiffness k, N m.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Stiffness {
    /// For penalties raised, and the step repeated, whenever the rods penetrate by more than 0.3 %
    /// of the radius; for a barrier changed from step to step so that gaps stay in the middle of
    /// its range.
    Automatic,
    /// A given value, N m.
    Given(f64),
    /// T22 Eq. B.5: `k = scale x max |nodal force without contact|` once a step; the unit of
    /// `scale` is m.
    LargestForce {
        /// Factor `s`, m; T22 has 1e5 in its own scaling.
        scale: f64,
    },
}

impl Stiffness {
    pub(crate) fn check(&self) -> Result<(), ModelError> {
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
    /// [`ModelError`] with the name of the first parameter out of range.
    pub fn check(&self) -> Result<(), ModelError> {
        match self {
            Self::None => Ok(()),
            Self::Imc(settings) => settings.check(),
            Self::ImcSmooth(settings) => settings.check(),
            Self::Ipc(settings) => settings.check(),
            Self::SpillmannTeschner(settings) => settings.check(),
        }
    }

    /// The law between surfaces of mean radius `radius`, m, with this step's stiffness, N m; `None`
    /// without contact.
    pub(crate) fn law(&self, radius: f64, stiffness: f64) -> Option<NormalLaw> {
        match self {
            Self::None => None,
            Self::Imc(settings) => Some(settings.law(radius, stiffness)),
            Self::ImcSmooth(settings) => Some(settings.law(radius, stiffness)),
            Self::Ipc(settings) => Some(settings.law(radius, stiffness)),
            Self::SpillmannTeschner(_) => Some(NormalLaw::Touching),
        }
    }

    /// Gap to start from between surfaces of mean radius `radius`, m: 0 for models in which they
    /// may touch.
    pub(crate) fn starting_gap(&self, radius: f64) -> f64 {
        match self.law(radius, 1.0) {
            // Where a barrier's stiffness lets pairs rest (decision 0010).
            Some(law) if self.policy().barrier => ipc::RESTING_GAP * law.range(),
            _ => 0.0,
        }
    }

    /// Refuses obstacles that the model does not know how to touch; `rough` says whether one has a
    /// friction coefficient of its own.
    pub(crate) fn check_obstacles(&self, rough: bool) -> Result<(), ModelError> {
        let policy = self.policy();
        match policy.obstacles {
            ObstaclePolicy::Smooth if rough || policy.has_friction() => Err(ModelError::Pairing {
                first: "the contact model imc-smooth with friction, which is between rods only,",
                second: "obstacles",
                remedy: "leave out friction or take another contact model",
            }),
            ObstaclePolicy::Smooth | ObstaclePolicy::All => Ok(()),
        }
    }

    /// Factor on the stiffness that brings a penetration of `depth` back to `wanted`, both over the
    /// radius, under the same force.
    pub(crate) fn raise(&self, depth: f64, wanted: f64) -> f64 {
        let law = self.law(1.0, 1.0);
        law.map_or(1.0, |law| law.raise(depth, wanted))
    }
}

pub(crate) fn check_tolerance(tolerance: f64) -> Result<(), ModelError> {
    check(
        "contact tolerance",
        tolerance,
        tolerance > 0.0 && tolerance < 0.5,
        "between 0 and 0.5 (it is relative to the radius)",
    )
}
