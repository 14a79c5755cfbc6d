//! What keeps a run from beginning.

use super::SimulationError;
use crate::model::Model;
use crate::state::State;
use crate::step::{Integrator, check_first_step, check_implicit, supports};

/// What a run from `state` would refuse before its first step, found without making one; `settles`
/// says whether it starts from equilibrium.
///
/// # Errors
/// [`SimulationError::NoStatics`], [`SimulationError::Flows`] and [`SimulationError::NotForIntegrator`].
pub fn check_start(
    model: &Model,
    state: &State,
    integrator: Integrator,
    settles: bool,
) -> Result<(), SimulationError> {
    if settles && model.contact.policy().impulsive() {
        return Err(SimulationError::NoStatics);
    }
    if let (true, Some(rod)) = (settles, model.flowing_rod()) {
        return Err(SimulationError::Flows { rod });
    }
    let checked = match (integrator, settles) {
        (Integrator::Implicit, _) => check_implicit(model),
        // An equilibrium has other lengths.
        (Integrator::SymplecticProjected, true) => supports(model),
        (Integrator::SymplecticProjected, false) => check_first_step(model, state),
    };
    checked.map_err(SimulationError::NotForIntegrator)
}
