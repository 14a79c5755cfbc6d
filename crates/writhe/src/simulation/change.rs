//! Models that change between steps.

use super::Simulation;
use crate::forces::elastic_energy;
use crate::kinetic::kinetic;
use crate::model::Model;
use crate::response::{Response, rods_of};
use crate::rod::Kinematics;
use crate::rod::kinematics::KinematicsError;

impl Simulation {
    /// Changes numbers of the model between steps: a natural curvature that grows, say. What that
    /// does to the elastic and kinetic energy of the present state is booked as work of motors; a
    /// change of [`model`](Self::model) past this would be told as energy that the time scheme
    /// made. Rods, their edges and what holds them must stay.
    ///
    /// # Errors
    /// When an edge of the present state has no length.
    pub fn change_model<T>(
        &mut self,
        change: impl FnOnce(&mut Model) -> T,
    ) -> Result<T, KinematicsError> {
        let mut kinematics = Kinematics::default();
        let state = &self.state;
        kinematics.update(&self.model.topology, &state.frames, &state.q)?;
        let energy = |model: &Model| {
            let response = Response::of_state(model, state, false);
            let rods = rods_of(model, response.as_ref());
            kinetic(model, state) + elastic_energy(rods, &kinematics, &state.q).total()
        };
        let before = energy(&self.model);
        let changed = change(&mut self.model);
        // At the same configuration: what the numbers alone have done.
        let work = energy(&self.model) - before;
        self.state.ledger = self.state.ledger.moved(work);
        Ok(changed)
    }
}
