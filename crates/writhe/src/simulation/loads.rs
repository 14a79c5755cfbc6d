//! Loads that are set between steps, and so jump (decision 0066).

use glam::DVec3;

use super::Simulation;
use crate::forces::{Acting, joint_loads, loads};
use crate::model::Model;
use crate::rod::Kinematics;
use crate::rod::kinematics::KinematicsError;
use crate::state::History;
use crate::step::{Integrator, Scheme, StepError, history_of_jump};

impl Simulation {
    /// Sets loads, gravity or torques of motors between steps: forces jump. The next step knows of
    /// it, so that nothing of the impulse is lost; a change of [`model`](Self::model) past this
    /// would be taken for one that rises within the step.
    ///
    /// # Errors
    /// When an edge of the present state has no length.
    pub fn set_loads<T>(
        &mut self,
        set: impl FnOnce(&mut Model) -> T,
    ) -> Result<T, KinematicsError> {
        if self.forces_before.is_none() && self.looks_back() {
            self.forces_before = Some(self.settable_forces()?);
        }
        Ok(set(&mut self.model))
    }

    /// Forces before loads were set, N and N m, `(dofs)`, where they were set since the last step.
    /// A restart from here needs them besides the state.
    pub fn forces_before(&self) -> Option<&[f64]> {
        self.forces_before.as_deref()
    }

    /// Says what forces there were before loads were set, `(dofs)`; none where they were not, since
    /// the last step.
    pub fn set_forces_before(&mut self, forces: Option<Vec<f64>>) {
        self.forces_before = forces;
    }

    /// What takes the place of the step before the present state, where forces jump there.
    pub(super) fn history_of_jump(&mut self) -> Result<Option<Option<History>>, StepError> {
        let Some(before) = &self.forces_before else {
            return Ok(None);
        };
        // An edge without a length ends the step itself.
        let Ok(now) = self.settable_forces() else {
            return Ok(None);
        };
        let jump: Vec<f64> = now.iter().zip(before).map(|(now, was)| now - was).collect();
        if jump.iter().all(|force| *force == 0.0) || !self.looks_back() {
            return Ok(None);
        }
        let (model, state, settings) = (&self.model, &self.state, &self.settings);
        match history_of_jump(model, state, &jump, settings, &mut self.workspace) {
            Err(StepError::Interrupted) => Err(StepError::Interrupted),
            // Backward Euler needs none.
            found => Ok(Some(found.unwrap_or(None))),
        }
    }

    /// Whether the next step takes anything from the step before.
    fn looks_back(&self) -> bool {
        let settings = &self.settings;
        settings.integrator == Integrator::Implicit
            && matches!(settings.scheme, Scheme::Bdf2 | Scheme::FittedBdf2 { .. })
            && self.state.history.is_some()
    }

    /// Forces that can be set, at the present state: of loads but those that resist motion or lag,
    /// and of motors; N and N m, `(dofs)`.
    fn settable_forces(&self) -> Result<Vec<f64>, KinematicsError> {
        let (model, state) = (&self.model, &self.state);
        let mut kinematics = Kinematics::default();
        kinematics.update(&model.topology, &state.frames, &state.q)?;
        let at = state.trial(&model.topology, &kinematics);
        let mut force = vec![0.0; model.topology.dofs];
        let steady = loads(model, Acting::Conservative).filter(|load| load.unsteady().is_none());
        for load in steady {
            load.add_force(&at, &mut force);
        }
        for (link, load) in model.joints.iter().zip(joint_loads(model, state)) {
            for (body, torque) in link.bodies.into_iter().zip([load.torque, -load.torque]) {
                let Some(body) = body else { continue };
                let dof = model.topology.body_dof[body] + 3;
                let sum = DVec3::from_slice(&force[dof..]) + torque;
                force[dof..dof + 3].copy_from_slice(&sum.to_array());
            }
        }
        Ok(force)
    }
}
