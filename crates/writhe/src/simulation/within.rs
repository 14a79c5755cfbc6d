//! States within a step, for outputs that no step ends at.
//!
//! With q and u at both ends of a step of length h, the motion within is taken for the cubic that has
//! them (Hermite's), `s` running from 0 to 1:
//!
//! ```text
//! q(s) = q0 + s^2 (3 - 2s) (q1 - q0) + h s (1 - s)^2 u0 - h s^2 (1 - s) u1,
//! ```
//!
//! whose error is `h^4 q''''/384`, a higher order than what BDF2 gets wrong in the step. Velocities
//! and accelerations are its derivatives; the force of a fluid is the parabola through the last
//! three; works and heat run evenly.
//!
//! Where a rod touches anything forces are not smooth, a body's turn is not a sum, and viscous rods
//! remember strains of both ends alone: there steps end at outputs.

use super::{Simulation, SimulationError};
use crate::rod::Kinematics;
use crate::state::State;
use crate::step::{Integrator, StepReport, force_at};
use crate::viscoelastic::StrainMemory;

impl Simulation {
    /// Advances by one accepted step towards `end`, s, which may go beyond the time `output`, s, if
    /// its size follows from an accuracy: [`within`](Self::within) then tells the state there.
    /// Otherwise, as where rods touch, it is one of equal steps to `output`.
    ///
    /// # Errors
    /// Those of [`step_towards`](Self::step_towards).
    pub fn step_past(&mut self, output: f64, end: f64) -> Result<StepReport, SimulationError> {
        let largest = self.state.control.dt;
        if !self.may_pass_outputs() {
            return self.step_towards(output, largest);
        }
        // Kept where a step may turn out to be none to look into: one that ends in contact.
        let reaches = self.state.time + largest + self.same_time() >= output;
        let kept = reaches.then(|| {
            (
                self.state.clone(),
                self.statistics,
                self.forces_before.clone(),
            )
        });
        let report = self.step_towards(end, largest)?;
        match kept {
            Some(kept) if self.has_reached(output) && self.within(output).is_none() => {
                (self.state, self.statistics, self.forces_before) = kept;
                self.statistics.rejected_steps += 1;
                self.step_towards(output, self.state.control.dt)
            }
            _ => Ok(report),
        }
    }

    /// Whether what follows the present state is smooth as far as is known, and may be looked at
    /// within a step.
    fn may_pass_outputs(&self) -> bool {
        self.settings.accuracy.is_some()
            && self.settings.integrator == Integrator::Implicit
            && self.model.bodies.is_empty()
            && !self.state.control.touching
            && self.state.strains == StrainMemory::default()
    }

    /// The state at `time`, s, of the last step, one of those that may pass outputs; `None` where
    /// that step was none, or the time is not within it.
    ///
    /// It is for looking at: no step can go on from it.
    pub fn within(&self, time: f64) -> Option<State> {
        let end = &self.state;
        let step = (end.history.as_ref()).filter(|_| self.may_pass_outputs())?;
        let start = end.time - step.dt;
        let rounding = self.same_time();
        if !(start - rounding..=end.time + rounding).contains(&time) {
            return None;
        }
        let (h, s) = (step.dt, ((time - start) / step.dt).clamp(0.0, 1.0));
        let r = 1.0 - s;
        let size = end.q.len();
        let mut state = State {
            time,
            q: Vec::with_capacity(size),
            velocity: Vec::with_capacity(size),
            acceleration: Vec::with_capacity(size),
            ledger: self.ledger_before.towards(end.ledger, s),
            ..end.clone()
        };
        let ends = step.q.iter().zip(&end.q);
        for ((q0, q1), (u0, u1)) in ends.zip(step.velocity.iter().zip(&end.velocity)) {
            let by = q1 - q0;
            let q = q0 + s * s * (3.0 - 2.0 * s) * by + h * s * r * (r * u0 - s * u1);
            state.q.push(q);
            let u = 6.0 * s * r * by / h + r * (1.0 - 3.0 * s) * u0 + s * (3.0 * s - 2.0) * u1;
            state.velocity.push(u);
            let bend = (6.0 - 12.0 * s) * by / h + (6.0 * s - 4.0) * u0 + (6.0 * s - 2.0) * u1;
            state.acceleration.push(bend / h);
        }
        if let Some(force) = force_at(&end.drag_history, time) {
            state.hydrodynamic_force = force;
        }
        // Frames without a turn about the tangents on the way back from the end.
        let mut kinematics = Kinematics::default();
        kinematics
            .update(&self.model.topology, &end.frames, &state.q)
            .ok()?;
        state.frames = kinematics.frames();
        Some(state)
    }
}
