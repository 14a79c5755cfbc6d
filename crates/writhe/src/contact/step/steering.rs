//! The directions of friction that the matrix is made with.

use super::ContactStep;
use crate::assembly::Trial;
use crate::contact::friction::Steering;
use crate::model::Model;

impl ContactStep {
    /// Takes the directions of friction at the start of the step, `at`: those that balanced the step before.
    pub fn steer_from(&mut self, model: &Model, at: &Trial, stiffness: f64) {
        self.steering.clear();
        let Some(friction) = self.implicit_friction(model) else {
            return;
        };
        for &(i, j) in &self.candidates {
            let edges = [i as usize, j as usize];
            if let Some(contact) = self.pair_contact(model, at, edges, stiffness) {
                let (law, found) = self.friction_of((edges, &contact), friction, model, at);
                if let Some(steering) = Steering::exact(&law, found.slip()) {
                    self.steering.insert((i, j), steering);
                }
            }
        }
    }

    /// Brings the directions up to the trial last evaluated, which the part `alpha` of a correction led to, if one did.
    pub fn steer(&mut self, model: &Model, alpha: Option<f64>) {
        let Some(friction) = self.implicit_friction(model) else {
            return;
        };
        for pair in &self.active {
            let law = friction.law(0.5 * pair.touching, self.span);
            let key = (pair.edges[0] as u32, pair.edges[1] as u32);
            let steering = match (self.steering.get(&key), alpha) {
                (Some(known), None) => Some(known.moved(pair.slip)),
                (Some(known), Some(alpha)) => Some(known.followed(&law, pair.slip, alpha)),
                (None, _) => Steering::exact(&law, pair.slip),
            };
            if let Some(steering) = steering {
                self.steering.insert(key, steering);
            }
        }
    }

    /// Forgets them: the matrix is the derivative until it is steered again. Whether there were any.
    pub fn let_go(&mut self) -> bool {
        let any = !self.steering.is_empty();
        self.steering.clear();
        any
    }
}
